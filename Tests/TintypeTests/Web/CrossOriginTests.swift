import HTTPTypes
import Serving
import Testing

@testable import Core
@testable import Tintype

@Suite("What pages of other sites may embed and call")
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

    @Test(
        "A browser is told for a day what a page of another site may send, without a log-in and whatever the call",
        arguments: [
            "/api/v1/apps", "/api/v1/statuses", "/api/v2/media", "/api/v1/nothing", "/oauth/token",
            "/oauth/revoke",
            "/.well-known/oauth-authorization-server",
        ])
    func preflight(path: String) async throws {
        let world = try await World()
        let answer = try await world.send(
            .options, path,
            headers: [
                .origin: "https://client.example", .accessControlRequestMethod: "POST",
                .accessControlRequestHeaders: "authorization,idempotency-key", .fetchSite: "cross-site",
            ])
        #expect(answer.status == 204)
        #expect(answer.headers[.accessControlAllowOrigin] == "*")
        #expect(answer.headers[.accessControlAllowMethods] == "GET, HEAD, POST, PUT, PATCH, DELETE")
        #expect(answer.headers[.accessControlAllowHeaders] == "Authorization, *")
        #expect(answer.headers[.accessControlMaxAge] == "86400")
        #expect(answer.headers[.accessControlAllowCredentials] == nil)
    }

    @Test(
        "Pages are for nobody else's scripts",
        arguments: ["/login", "/home", "/oauth/authorize", "/photos/1"])
    func pages(path: String) async throws {
        let world = try await World()
        for method in [HTTPRequest.Method.options, .get] {
            let answer = try await world.send(
                method, path, headers: [.origin: "https://client.example", .accept: "text/html"])
            #expect(answer.headers[.accessControlAllowOrigin] == nil)
        }
    }

    @Test("A page of another site registers an app, logs in and reads with its token, never with a cookie")
    func client() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let foreign: HTTPFields = [.origin: "https://client.example", .fetchSite: "cross-site"]
        let form: JSON = [
            "client_name": "Client", "redirect_uris": "https://client.example/", "scopes": "read write",
        ]
        let registered = try await world.stranger.post("/api/v1/apps", json: form, headers: foreign)
        #expect(registered.status == 200 && registered.headers[.accessControlAllowOrigin] == "*")
        // With a cookie it may be forged.
        let forged = try await ana.post("/api/v1/apps", json: form, headers: foreign)
        #expect(forged.status == 403 && forged.headers[.accessControlAllowOrigin] == nil)
        let app = TestApp(
            world: world, id: try #require(registered["client_id"].string),
            secret: try #require(registered["client_secret"].string), redirect: "https://client.example/")
        let hers = try await app.logIn(ana, scope: "read write")
        let home = try await hers.get("/api/v1/timelines/home?limit=1", headers: foreign)
        #expect(home.status == 200 && home.headers[.accessControlAllowOrigin] == "*")
        let readable = try #require(home.headers[.accessControlExposeHeaders])
        for name in ["Link", "X-RateLimit-Remaining", "X-RateLimit-Reset", "Retry-After", "X-Request-Id"] {
            #expect(readable.contains(name))
        }
        // Such a page can read what was refused, too.
        for path in ["/api/v1/timelines/home", "/api/v1/statuses/1", "/api/v1/nothing"] {
            let refused = try await world.stranger.get(path, headers: foreign)
            #expect(refused.status >= 400 && refused.headers[.accessControlAllowOrigin] == "*", "\(path)")
        }
        // What a cookie opens stays with our pages.
        for site in ["same-origin", "cross-site", "same-site"] {
            let own = try await ana.get(
                "/api/v1/timelines/home", headers: [.origin: "https://client.example", .fetchSite: site])
            #expect(own.headers[.accessControlAllowOrigin] == nil, "\(site)")
        }
        // Nobody is anybody without a token.
        let ben = try await world.account("ben")
        let nobody = try await world.stranger.post("/api/v1/accounts/\(ben.id)/follow", headers: foreign)
        #expect(nobody.status == 401)
        #expect(try await world.number("SELECT count(*) FROM follows") == 0)
    }
}
