import HTTPTypes
import Storage
import Testing

@testable import Core
@testable import People
@testable import Tintype

@Suite("Signed picture URLs")
struct PictureURLTests {
    enum End: CaseIterable {
        case otherDevices, password, lastLogOut, suspension, deletion
    }

    /// The URL of the newest picture at home as a phone app gets it, without the server's name.
    private func path(for person: Person) async throws -> String {
        let post = try await person.get("/api/v1/timelines/home").json[0]
        let url = try #require(post["media_attachments"][0]["url"].string)
        return String(url.dropFirst("http://localhost".count))
    }

    @Test("They end at once with all of a person's log-ins, and nobody else's do", arguments: End.allCases)
    func ends(end: End) async throws {
        let world = try await World()
        let olga = try await world.account("olga")
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        _ = try await ana.post(caption: "Look")
        let (anas, before) = (try await path(for: ana), try await path(for: ben))
        #expect(try await world.stranger.get(before).status == 200)
        let done =
            switch end {
            case .otherDevices: try await ben.submit("/settings/devices/end")
            case .password:
                try await ben.submit(
                    "/settings/password",
                    ["current_password": "correct horse", "new_password": "battery staple"])
            case .lastLogOut: try await ben.submit("/logout")
            case .suspension: try await olga.submit("/administration/accounts/\(ben.id)/suspend")
            case .deletion: try await ben.submit("/settings/delete", ["password": "correct horse"])
            }
        #expect(done.status == 303)
        #expect(try await world.stranger.get(before).status == 404)
        #expect(try await world.stranger.get(anas).status == 200)
        switch end {
        case .otherDevices, .password:
            // Where the person is still logged in they have new ones, in the same timeline.
            let fresh = try await path(for: ben)
            #expect(fresh != before)
            #expect(try await world.stranger.get(fresh).status == 200)
        case .lastLogOut, .suspension:
            _ = try await olga.submit("/administration/accounts/\(ben.id)/restore")
            let fresh = try await path(for: ben.logIn(.browser))
            #expect(try await world.stranger.get(fresh).status == 200)
            #expect(try await world.stranger.get(before).status == 404)
        case .deletion:
            try await world.work()
            #expect(try await world.stranger.get(before).status == 404)
        }
    }

    /// How one log-in of several ends.
    enum OneEnd: CaseIterable {
        case logOut, endedDevice, revokedByPerson, givenBackByApp, displaced
    }

    @Test(
        "They end with the log-in that they were made in, and those of other log-ins don't",
        arguments: OneEnd.allCases)
    func oneOfTwo(end: OneEnd) async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let ben = people[1]
        _ = try await people[0].post(caption: "Look")
        let app = try await world.app()
        let other =
            switch end {
            case .logOut, .endedDevice, .displaced: try await ben.logIn(.browser)
            case .revokedByPerson, .givenBackByApp: try await app.logIn(ben)
            }
        let (kept, ended) = (try await path(for: ben), try await path(for: other))
        #expect(kept != ended)
        #expect(try await world.stranger.get(kept).status == 200)
        #expect(try await world.stranger.get(ended).status == 200)
        let session = try await world.number("SELECT max(id) FROM sessions WHERE account_id = \(ben.id)")
        switch end {
        case .logOut: #expect(try await other.submit("/logout").status == 303)
        case .endedDevice:
            #expect(try await ben.submit("/settings/devices/\(session)/end").status == 303)
        case .revokedByPerson:
            let id = try await world.number("SELECT id FROM oauth_apps")
            #expect(try await ben.submit("/settings/apps/\(id)/revoke").status == 303)
        case .givenBackByApp:
            #expect(try await app.revoke(try #require(other.token)).status == 200)
        case .displaced:
            // The log-in that was used least lately makes room for a hundred newer ones.
            try await world.tintype.database.write { [id = other.id] transaction in
                try transaction.execute(
                    "UPDATE sessions SET seen_at = seen_at + 1000 WHERE account_id = $1 AND id <> $2", id,
                    session)
            }
            for _ in 1..<SessionStore.maximumCount { _ = try await ben.logIn(.browser) }
        }
        #expect(try await world.stranger.get(ended).status == 404)
        #expect(try await world.stranger.get(kept).status == 200)
        #expect(try await path(for: ben) == kept)
    }

    @Test("Each log-in gets its own in events too, however many of the same person listen")
    func everywhere() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let other = try await ben.logIn(.token)
        var found: [Set<String>] = []
        for person in [ben, other] {
            let text = try await person.receives(until: "&s=") { _ = try await ana.post(caption: "Look") }
            found.append(Set(text.matches(of: /\?v=(\d+)&/).map { String($0.1) }))
        }
        let sessions = try await world.tintype.database.read {
            try $0.values("SELECT id FROM sessions WHERE account_id = $1 ORDER BY id", ben.id, as: Int64.self)
        }
        #expect(found == sessions.map { ["\($0)"] })
    }

    @Test("A server that is started again signs as before")
    func restart() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        _ = try await people[0].post(caption: "Look")
        _ = try await people[1].submit("/settings/devices/end")
        let before = try await path(for: people[1])
        let again = try await World(folder: world.folder, clock: world.clock)
        #expect(try await again.stranger.get(before).status == 200)
        let ben = Person(world: again, id: people[1].id, username: "ben", token: people[1].token)
        #expect(try await path(for: ben) == before)
    }

    @Test("What was signed for another picture or person, or not at all, is 404")
    func forged() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        _ = try await people[0].post(caption: "Look")
        let path = try await path(for: people[1])
        let session = try #require(path.firstMatch(of: /v=(\d+)/)).1
        let others = try await world.number("SELECT id FROM sessions WHERE account_id = \(people[0].id)")
        let other = path.replacing("v=\(session)", with: "v=\(others)")
        let person = path.replacing("v=\(session)", with: "v=\(people[1].id)")
        for wrong in [
            other, person, String(path.dropLast(4)), path + "AA", path.replacing("&s=", with: "&s=!"),
        ] {
            #expect(try await world.stranger.get(wrong).status == 404, "\(wrong)")
        }
    }
}
