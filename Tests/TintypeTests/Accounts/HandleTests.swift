import Serving
import Testing

@testable import Core
@testable import Tintype

@Suite("Handles")
struct HandleTests {
    private static let server = "https://photos.example.org"

    @Test(
        "A name is read with and without its server",
        arguments: [
            "ana", "@ana", " @ana ", "ana@photos.example.org", "@ana@Photos.Example.org",
            "https://photos.example.org/@ana",
        ])
    func ours(_ text: String) {
        #expect(Handle(text, on: Self.server)?.username == "ana")
    }

    @Test(
        "Somebody of another server isn't somebody here",
        arguments: [
            "@ana@elsewhere.example", "ana@", "@", "", "https://elsewhere.example/@ana",
            "https://photos.example.org/@ana/posts", "https://photos.example.org/@",
            "ana@photos.example.org:8080",
        ])
    func others(_ text: String) {
        #expect(Handle(text, on: Self.server) == nil)
    }

    @Test("A server that is named by its port is known with the port and without")
    func port() {
        for text in ["ana@localhost:8080", "ana@localhost"] {
            #expect(Handle(text, on: "http://localhost:8080")?.namesServer == true)
        }
    }

    @Test("Apps find people by their whole handle and by their address, and nobody by that of another server")
    func search() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        _ = try await world.account("anabel")
        for text in ["@ana@localhost", "http://localhost/@ana"] {
            let found = try await ana.get("/api/v2/search?q=\(text.queryEncoded)")["accounts"].list
            #expect(found.map { $0["username"].string } == ["ana"])
            let looked = try await ana.get("/api/v1/accounts/lookup?acct=ana%40localhost")
            #expect(looked["username"] == "ana")
        }
        // So does the search of the screen, for others than the viewer.
        let ben = try await world.account("ben")
        for text in ["@ana@localhost", "http://localhost/@ana"] {
            let page = try await ben.visit("/users?q=\(text.queryEncoded)")
            #expect(page.shows("@ana") && !page.shows("@anabel"))
        }
        #expect(try await ana.get("/api/v1/accounts/lookup?acct=ana%40elsewhere.example").status == 404)
        let elsewhere = try await ana.get("/api/v2/search?q=%40nobody%40localhost")
        #expect(elsewhere["accounts"].list.isEmpty)
    }

    @Test("Somebody whom one blocks is still looked up by name and id, to unblock them")
    func blocked() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        try await ana.block(ben)
        for path in ["lookup?acct=ben", "\(ben.id)"] {
            #expect(try await ana.get("/api/v1/accounts/\(path)")["username"] == "ben")
        }
        let relationship = try await ana.get("/api/v1/accounts/relationships?id[]=\(ben.id)").json[0]
        #expect(relationship["blocking"] == true)
        for path in ["lookup?acct=ana", "\(ana.id)"] {
            #expect(try await ben.get("/api/v1/accounts/\(path)").status == 404)
        }
        #expect(try await ana.post("/api/v1/accounts/\(ben.id)/unblock").status == 200)
    }
}
