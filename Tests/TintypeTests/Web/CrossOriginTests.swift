import HTTPTypes
import Testing

@testable import Core
@testable import Tintype

@Suite("What pages of other sites may embed")
struct CrossOriginTests {
    private static let name = HTTPField.Name("Cross-Origin-Resource-Policy")!

    @Test(
        "Pictures with a signed address and portraits may be shown anywhere, everything else by our pages only"
    )
    func policies() async throws {
        let world = try await World()
        let ana = try await world.account("ana", portrait: true)
        let ben = try await world.account("ben")
        let photo = try await ana.photo()
        let signed = try #require(try await ana.get("/api/v1/photos/\(photo)")["url"].string)
        let avatar = try #require(try await ana.get("/api/v1/accounts/verify_credentials")["avatar"].string)
        let thumbnail = try #require(try await ana.get("/api/v1/instance")["thumbnail"].string)
        func path(_ url: String) -> String { String(url.dropFirst("http://localhost".count)) }
        for (path, policy, status) in [
            (path(signed), "cross-origin", 200), ("/photos/\(photo)/large", "same-origin", 200),
            (path(signed) + "x", "same-origin", 404),
            ("/api/v1/photos/\(photo)/original", "same-origin", 200),
            (path(avatar), "cross-origin", 200), ("/initials/\(ben.id).svg", "cross-origin", 200),
            (path(thumbnail), "cross-origin", 200),
            (world.tintype.parts.frame.files.path("css/base.css"), "same-origin", 200),
            ("/home", "same-origin", 200), ("/api/v1/timelines/home", "same-origin", 200),
            ("/nothing", "same-origin", 404), ("/healthz", "same-origin", 200),
        ] {
            let answer = try await ana.get(path)
            #expect(answer.status == status, "\(path)")
            #expect(answer.headers[Self.name] == policy, "\(path)")
        }
        // A signed address is the same without a cookie, and in its 304.
        let asked = try await world.stranger.get(path(signed))
        #expect(asked.headers[Self.name] == "cross-origin")
        let tag = try #require(asked.headers[.eTag])
        let again = try await world.stranger.get(path(signed), headers: [.ifNoneMatch: tag])
        #expect(again.status == 304 && again.headers[Self.name] == "cross-origin")
    }
}
