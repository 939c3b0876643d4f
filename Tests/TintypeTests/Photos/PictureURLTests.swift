import Testing

@testable import Tintype

@Suite("Signed picture URLs")
struct PictureURLTests {
    enum End: CaseIterable {
        case otherDevices, password, lastLogOut, suspension, deletion
    }

    /// The URL of the newest picture at home, as a phone app is told it; without the server's name.
    private func path(for person: Person) async throws -> String {
        let post = try await person.get("/api/v1/timelines/home").json[0]
        let url = try #require(post["media_attachments"][0]["url"].string)
        return String(url.dropFirst("http://localhost".count))
    }

    private func logIn(_ person: Person) async throws -> Person {
        let token = try await person.world.tintype.sessions.start(
            for: person.id, device: "New", kind: .token)
        return Person(world: person.world, id: person.id, username: person.username, token: token)
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
            let fresh = try await path(for: logIn(ben))
            #expect(try await world.stranger.get(fresh).status == 200)
            #expect(try await world.stranger.get(before).status == 404)
        case .deletion:
            try await world.work()
            #expect(try await world.stranger.get(before).status == 404)
        }
    }

    @Test("One log-in that ends takes none with it while there is another")
    func oneOfTwo() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        _ = try await people[0].post(caption: "Look")
        let before = try await path(for: people[1])
        _ = try await logIn(people[1]).submit("/logout")
        #expect(try await world.stranger.get(before).status == 200)
        #expect(try await path(for: people[1]) == before)
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
        let other = path.replacing("v=\(people[1].id)", with: "v=\(people[0].id)")
        for wrong in [other, String(path.dropLast(4)), path + "AA", path.replacing("&s=", with: "&s=!")] {
            #expect(try await world.stranger.get(wrong).status == 404, "\(wrong)")
        }
    }
}
