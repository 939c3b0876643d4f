import HTTPTypes
import Testing

@testable import Core
@testable import Feeds
@testable import People
@testable import Tintype

@Suite("Groups whose people are blocked, suspended or gone")
struct GroupPartingTests {
    /// Ana, bea and cleo in a group that ana has made, and an administrator.
    private struct Scene {
        let world: World
        let admin: Person
        let ana: Person
        let bea: Person
        let cleo: Person
        let group: String

        init() async throws {
            world = try await World()
            admin = try await world.account("olga", isAdmin: true)
            let people = try await world.friends("ana", "bea", "cleo")
            (ana, bea, cleo) = (people[0], people[1], people[2])
            group = try await ana.group(with: bea, cleo, title: "Pizza or ramen?")
        }

        func suspend(_ person: Person) async throws {
            #expect(try await admin.submit("/administration/accounts/\(person.id)/suspend").status == 303)
        }

        /// What somebody's page gets that was away while something happened, until the words "The end", which cleo writes.
        func missed(by person: Person, _ happens: () async throws -> Void) async throws -> String {
            let before = try await person.receives(until: "Before") { [cleo, group] in
                _ = try await cleo.write("Before", in: group)
            }
            let number = try #require(
                before.split(separator: "\n").last { $0.hasPrefix("id: ") }?.dropFirst(4))
            try await happens()
            _ = try await cleo.write("The end", in: group)
            return try await world.live { server in
                try await server.connect { stream in
                    try await stream.get(
                        "/api/v1/events", as: person, headers: ["Last-Event-ID: \(number)"])
                    return try await stream.read(until: "The end")
                }
            }
        }
    }

    @Test(
        "A page that was away gets nothing of what somebody wrote who was suspended meanwhile, quoted neither"
    )
    func suspendedWhileAway() async throws {
        let scene = try await Scene()
        let path = "/api/v1/chats/\(scene.group)/messages"
        let missed = try await scene.missed(by: scene.ana) {
            let message = try await scene.bea.write("Secret words", in: scene.group)
            _ = try await scene.cleo.post(path, json: ["text": "Indeed", "reply_to_id": .text(message)])
            try await scene.suspend(scene.bea)
        }
        #expect(!missed.contains("Secret words") && missed.contains("Indeed"))
        #expect(!missed.contains("event: reset"))
    }

    @Test("The name that somebody gave the group is told as it is when they are suspended")
    func nameBySuspended() async throws {
        let scene = try await Scene()
        _ = try await scene.bea.send(.patch, "/api/v1/chats/\(scene.group)", json: ["title": "Pizza"])
        try await scene.suspend(scene.bea)
        #expect(try await scene.ana.visit("/messages/\(scene.group)").shows("Bea named the group “Pizza”"))
    }

    @Test(
        "Turning pages from photo to photo passes over those of blocked and suspended people",
        arguments: [false, true])
    func neighbours(isSuspended: Bool) async throws {
        let scene = try await Scene()
        var messages: [String] = []
        for person in [scene.ana, scene.bea, scene.cleo] {
            messages.append(try await person.send(photo: try await person.photo(), in: scene.group))
        }
        if isSuspended {
            try await scene.suspend(scene.bea)
        } else {
            try await scene.ana.block(scene.bea)
        }
        let path = "/messages/\(scene.group)/photos"
        let first = try await scene.ana.visit("\(path)/\(messages[0])")
        #expect(first.shows("\(path)/\(messages[2])") && !first.shows("\(path)/\(messages[1])"))
        let last = try await scene.ana.visit("\(path)/\(messages[2])")
        #expect(last.shows("\(path)/\(messages[0])") && !last.shows("\(path)/\(messages[1])"))
    }

    @Test("A group in which nobody has written stays in the lists when its maker deletes the account")
    func emptyGroup() async throws {
        let scene = try await Scene()
        #expect(try await scene.ana.submit("/settings/delete", ["password": "correct horse"]).status == 303)
        try await scene.world.work()
        #expect(try await scene.bea.get("/api/v1/chats").json.list.map { $0["id"].string } == [scene.group])
        #expect(try await scene.bea.visit("/messages").shows("Pizza or ramen?"))
        #expect(try await scene.world.tintype.problems() == [])
        _ = try await scene.bea.write("And on", in: scene.group)
        #expect(try await scene.cleo.get("/api/v1/chats").json[0]["unread_count"] == 1)
    }

    @Test("Open pages learn that somebody has deleted their account, and lose what they wrote")
    func deletion() async throws {
        let scene = try await Scene()
        let message = try await scene.ana.write("From ana", in: scene.group)
        let received = try await scene.bea.receives(until: #""id":"\#(message)"}"#) {
            let answer = try await scene.ana.submit("/settings/delete", ["password": "correct horse"])
            #expect(answer.status == 303)
            try await scene.world.work()
        }
        #expect(received.contains("tintype.message.deleted") && received.contains("event: tintype.chat\n"))
        #expect(try await scene.bea.get("/api/v1/chats/\(scene.group)")["unread_count"] == 0)
    }

    @Test("Of how far each has read, a page that was away gets the last")
    func marks() async throws {
        let scene = try await Scene()
        let missed = try await scene.missed(by: scene.ana) {
            for text in ["One", "Two", "Three"] {
                let message = try await scene.ana.write(text, in: scene.group)
                for person in [scene.bea, scene.cleo] {
                    try await person.read(through: message, in: scene.group)
                }
            }
        }
        #expect(missed.matches(of: /event: tintype\.read\b/).count == 2)
    }

    @Test("Open pages count somebody among the readers from when they have accepted their invitation")
    func accepted() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "bea", "cleo")
        let (ana, bea, cleo) = (people[0], people[1], people[2])
        try await cleo.block(bea)
        let group = try await ana.group(with: bea, cleo, title: "All")
        let received = try await ana.receives(until: "event: tintype.chat\n") {
            let answer = try await cleo.post("/api/v1/chats/\(group)/accept")
            #expect(answer.status == 200)
        }
        #expect(received.contains("Cleo joined"))
    }

    @Test("Requests counts the invitations that it lists, and declining one says so")
    func invitations() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "bea", "cleo")
        let (ana, bea, cleo) = (people[0], people[1], people[2])
        try await cleo.block(bea)
        let group = try await ana.group(with: bea, cleo, title: "All")
        #expect(try await cleo.visit("/messages").shows("Requests"))
        let declined = try await cleo.submit("/messages/requests/\(group)/delete")
        let cookie = try #require(declined.headers[.setCookie])
        #expect(cookie.contains("tintype_flash"))
        #expect(try await cleo.get("/api/v1/chats?requests=true").json.list.isEmpty)
        #expect(try await !cleo.visit("/messages/requests").shows("All"))
    }
}
