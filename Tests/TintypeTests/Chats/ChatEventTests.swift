import Foundation
import Testing

@testable import Tintype

@Suite("Conversations are live", .timeLimit(.minutes(5)))
struct ChatEventTests {
    /// Lets `person` listen while something happens; all that came until `text`.
    private func heard(
        by person: Person, until text: String, _ happens: @escaping @Sendable () async throws -> Void
    ) async throws -> String {
        try await person.world.live { server in
            try await server.connect { stream in
                try await stream.get("/api/v1/events", as: person)
                return try await stream.read(until: "tintype.counts", then: happens, until: text)
            }
        }
    }

    @Test("A photo deleted from its owner's library leaves open conversations and their counts at once")
    func deletedPhoto() async throws {
        let people = try await World().friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let chat = try await ana.chat(with: bea)
        let photo = try await ana.photo()
        let message = try await ana.send(photo: photo, in: chat)
        let heard = try await heard(by: bea, until: #"{"friends":0}"#) {
            let refused = try await ana.delete("/api/v1/photos/\(photo)")
            let deleted = try await ana.delete("/api/v1/photos/\(photo)?force=true")
            #expect(refused.status == 409)
            #expect(deleted.status == 200)
        }
        #expect(heard.contains("event: tintype.message.deleted"))
        #expect(heard.contains(#"{"chat_id":"\#(chat)","id":"\#(message)"}"#))
        #expect(heard.contains(#"{"notifications":1}"#), "the follow is left, the message is not")
    }

    @Test("A run of unread messages is one notification, told at once and taken back by reading")
    func notification() async throws {
        let people = try await World().friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let chat = try await ana.chat(with: bea)
        let heard = try await heard(by: bea, until: "Third") {
            for text in ["First", "Second", "Third"] { _ = try await ana.write(text, in: chat) }
        }
        #expect(heard.components(separatedBy: "event: tintype.notification").count == 2)
        #expect(heard.contains(#"{"notifications":2}"#))
        let newest = try #require(try await bea.get("/api/v1/chats/\(chat)/messages").json[0]["id"].string)
        let after = try await self.heard(by: bea, until: #"{"notifications":1}"#) {
            try await bea.read(through: newest, in: chat)
        }
        #expect(after.contains("event: tintype.read"))
        #expect(try await bea.get("/api/v1/notifications?types[]=tintype.message").json.list.isEmpty)
    }

    @Test("Deleting the only unread message takes its notification back")
    func deletedMessage() async throws {
        let people = try await World().friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let chat = try await ana.chat(with: bea)
        let message = try await ana.write("Never mind", in: chat)
        let types = "/api/v1/notifications?types[]=tintype.message"
        #expect(try await bea.get(types).json.list.count == 1)
        #expect(try await ana.delete("/api/v1/chats/\(chat)/messages/\(message)").status == 200)
        #expect(try await bea.get(types).json.list.isEmpty)
    }

    @Test("Whoever sent a photo is told that it was saved, once, however often it is saved at once")
    func saved() async throws {
        let people = try await World().friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let chat = try await ana.chat(with: bea)
        let message = try await ana.send(photo: try await ana.photo(), in: chat)
        let heard = try await heard(by: ana, until: #"{"notifications":2}"#) {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<5 {
                    group.addTask {
                        try await bea.post("/api/v1/chats/\(chat)/messages/\(message)/save").status
                    }
                }
                for try await status in group { #expect(status == 200) }
            }
        }
        #expect(heard.contains("tintype.saved"))
        #expect(try await bea.get("/api/v1/photos?kind=saved").json.list.count == 1)
        #expect(try await ana.get("/api/v1/notifications?types[]=tintype.saved").json.list.count == 1)
    }

    @Test("A stream taken up by its last event misses nothing; Mastodon's dialect hears nothing of ours")
    func resumed() async throws {
        let people = try await World().friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let chat = try await ana.chat(with: bea)
        let first = try await heard(by: bea, until: "One") { _ = try await ana.write("One", in: chat) }
        let number = try #require(
            first.split(separator: "\n").last { $0.hasPrefix("id: ") }?.dropFirst(4))
        _ = try await ana.write("Two", in: chat)
        let rest = try await bea.world.live { server in
            try await server.connect { stream in
                try await stream.get("/api/v1/events", as: bea, headers: ["Last-Event-ID: \(number)"])
                return try await stream.read(until: "Two")
            }
        }
        #expect(!rest.contains(#""text":"One""#) && !rest.contains("event: reset"))
        let mastodon = try await bea.world.live { server in
            try await server.connect { stream in
                try await stream.get("/api/v1/streaming/user", as: bea)
                return try await stream.read(
                    until: ":)",
                    then: {
                        _ = try await ana.write("Three", in: chat)
                        _ = try await ana.post("/api/v1/accounts/\(bea.id)/unfollow")
                        try await ana.follow(bea)
                    }, until: "event: notification")
            }
        }
        #expect(!mastodon.contains("Three") && !mastodon.contains("tintype"))
    }
}
