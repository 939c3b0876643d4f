import HTTPTypes
import Testing

@testable import Core
@testable import People
@testable import Tintype

/// What ends on one of two servers with one database has ended on the other at the next request.
@Suite("Log-ins and permissions on two servers")
struct TwoServersAccessTests {
    /// Whether the other server answers a page of theirs, which asks it to remember the log-in as far as it may.
    private func isLoggedIn(_ person: Person) async throws -> Bool {
        try await person.visit("/home").headers[.location] != "/login"
    }

    @Test("A log-out, an ended device and an ended token are refused by the other server")
    func logOut() async throws {
        let (here, there) = try await World.two()
        let ana = try await here.account("ana")
        let phone = try await ana.logIn(.browser, device: "Phone")
        let token = try await ana.logIn(.token)
        #expect(try await isLoggedIn(ana.at(there)))
        #expect(try await isLoggedIn(phone.at(there)))
        #expect(try await token.at(there).get("/api/v1/accounts/verify_credentials").status == 200)
        let id = try await here.number("SELECT id FROM sessions WHERE device = 'Phone'")
        #expect(try await ana.submit("/settings/devices/\(id)/end").status == 303)
        #expect(try await !isLoggedIn(phone.at(there)))
        #expect(try await ana.submit("/settings/devices/end").status == 303)
        #expect(try await token.at(there).get("/api/v1/accounts/verify_credentials").status == 401)
        #expect(try await isLoggedIn(ana.at(there)))
        #expect(try await ana.submit("/logout").status == 303)
        #expect(try await !isLoggedIn(ana.at(there)))
    }

    @Test("A new password ends the other log-ins, and is the one that counts, on both")
    func password() async throws {
        let (here, there) = try await World.two()
        let ana = try await here.account("ana")
        let phone = try await ana.logIn(.browser)
        #expect(try await isLoggedIn(phone.at(there)))
        let change = try await ana.submit(
            "/settings/password", ["current_password": "correct horse", "new_password": "battery staple"])
        #expect(change.status == 303)
        #expect(try await !isLoggedIn(phone.at(there)))
        for (password, status) in [("correct horse", 401), ("battery staple", 303)] {
            let logIn = try await there.stranger.submit("/login", ["username": "ana", "password": password])
            #expect(logIn.status == status)
        }
    }

    @Test("An app's token that it gives back, or that its person revokes, is refused by the other server")
    func apps() async throws {
        let (here, there) = try await World.two()
        let ana = try await here.account("ana")
        let app = try await here.app()
        let path = "/api/v1/accounts/verify_credentials"
        let first = try await app.logIn(ana)
        #expect(try await first.at(there).get(path).status == 200)
        #expect(try await app.revoke(#require(first.token)).status == 200)
        #expect(try await first.at(there).get(path).status == 401)
        let second = try await app.logIn(ana)
        #expect(try await second.at(there).get(path).status == 200)
        let id = try await here.number("SELECT id FROM oauth_apps")
        #expect(try await ana.submit("/settings/apps/\(id)/revoke").status == 303)
        #expect(try await second.at(there).get(path).status == 401)
    }

    @Test(
        "A suspended person is logged out and out of sight on both, and an administrator who was one has no power"
    )
    func suspension() async throws {
        let (here, there) = try await World.two()
        let olga = try await here.account("olga", isAdmin: true)
        let otto = try await here.account("otto", isAdmin: true)
        let people = try await here.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let post = try await ben.post(caption: "Morning")
        #expect(try await isLoggedIn(ben.at(there)))
        #expect(try await ana.at(there).home() == ["Morning"])
        #expect(try await olga.submit("/administration/accounts/\(ben.id)/suspend").status == 303)
        #expect(try await !isLoggedIn(ben.at(there)))
        #expect(try await ana.at(there).home() == [])
        #expect(try await ana.at(there).get("/api/v1/statuses/\(post)").status == 404)
        #expect(try await otto.at(there).visit("/administration").status == 200)
        try await here.tintype.setAdministrator(false, username: "otto")
        #expect(try await otto.at(there).visit("/administration").status != 200)
        #expect(
            try await otto.at(there).submit("/administration/accounts/\(ana.id)/suspend").status != 303)
    }

    @Test("After a block the other server shows nothing more, and browsers drop what they keep")
    func block() async throws {
        let (here, there) = try await World.two()
        let people = try await here.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let post = try await ben.post(caption: "Morning")
        let before = try await ana.at(there).visit("/home")
        #expect(before.shows("Morning") && before.headers[.account] == "\(ana.id)-0")
        try await ben.block(ana)
        let after = try await ana.at(there).visit("/home")
        #expect(!after.shows("Morning"))
        let epoch = try await ana.visit("/home").headers[.account]
        #expect(after.headers[.account] == epoch && epoch != "\(ana.id)-0")
        #expect(try await ana.at(there).get("/api/v1/statuses/\(post)").status == 404)
        // What follows a deletion is the epoch of everyone.
        #expect(try await ben.submit("/settings/delete", ["password": "correct horse"]).status == 303)
        let last = try await ana.at(there).visit("/home").headers[.account]
        #expect(last != epoch)
        #expect(try await ana.visit("/home").headers[.account] == last)
    }

    @Test("A post and a like are in the next timeline of the other server")
    func timelines() async throws {
        let (here, there) = try await World.two()
        let people = try await here.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        #expect(try await ana.at(there).home() == [])
        let post = try await ben.post(caption: "Morning")
        #expect(try await ana.at(there).home() == ["Morning"])
        #expect(try await ana.like(post).status == 200)
        let seen = try await ben.at(there).get("/api/v1/timelines/home").json[0]
        #expect(seen["favourites_count"] == 1)
    }

    @Test("Both sign picture addresses alike, and after a log-out everywhere neither takes the earlier ones")
    func pictures() async throws {
        let (here, there) = try await World.two()
        let people = try await here.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        _ = try await ana.post(caption: "Look")
        let before = try await path(for: ben)
        #expect(try await path(for: ben.at(there)) == before)
        #expect(try await there.stranger.get(before).status == 200)
        #expect(try await ben.submit("/settings/devices/end").status == 303)
        #expect(try await there.stranger.get(before).status == 404)
        // An open stream, which no request goes before, learns of the new epoch with its heartbeat.
        let epochs = [here, there].map(\.tintype.parts.epochs)
        #expect(epochs[1][ben.id] < epochs[0][ben.id])
        let session = try await ben.session
        #expect(try await there.tintype.sessions.isOpen(ID(rawValue: Int64(session))))
        #expect(epochs[1][ben.id] == epochs[0][ben.id])
        let fresh = try await path(for: ben.at(there))
        #expect(fresh != before)
        #expect(try await path(for: ben) == fresh)
        for world in [here, there] { #expect(try await world.stranger.get(fresh).status == 200) }
    }

    /// The URL of the newest picture at home as a phone app gets it, without the server's name.
    private func path(for person: Person) async throws -> String {
        let post = try await person.get("/api/v1/timelines/home").json[0]
        let url = try #require(post["media_attachments"][0]["url"].string)
        return String(url.dropFirst("http://localhost".count))
    }
}
