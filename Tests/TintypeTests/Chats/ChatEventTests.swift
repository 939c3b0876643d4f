import Foundation
import Testing

@testable import Core
@testable import Serving
@testable import Tintype

@Suite("Chats are live", .timeLimit(.minutes(15)))
struct ChatEventTests {
    @Test("A photo deleted from its owner's library leaves open chats and their counts at once")
    func deletedPhoto() async throws {
        let people = try await World().friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let chat = try await ana.chat(with: bea)
        let photo = try await ana.photo()
        let message = try await ana.send(photo: photo, in: chat)
        try await bea.world.notify()
        let received = try await bea.receives(until: #"{"notifications":1}"#) {
            let refused = try await ana.delete("/api/v1/photos/\(photo)")
            let deleted = try await ana.delete("/api/v1/photos/\(photo)?force=true")
            #expect(refused.status == 409)
            #expect(deleted.status == 200)
        }
        #expect(received.contains("event: tintype.message.deleted"))
        #expect(received.contains(#"{"chat_id":"\#(chat)","id":"\#(message)"}"#))
        #expect(received.contains(#"{"friends":0}"#), "the follow is left, the message is not")
    }

    @Test("A run of unread messages is one notification, made a moment later and removed by reading")
    func notification() async throws {
        let people = try await World().friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let chat = try await ana.chat(with: bea)
        let received = try await bea.receives(until: #"{"notifications":2}"#) {
            for text in ["First", "Second", "Third"] { _ = try await ana.write(text, in: chat) }
            try await bea.world.notify()
        }
        #expect(received.contains("Third"))
        #expect(received.components(separatedBy: "event: tintype.notification").count == 2)
        _ = try await ana.write("Fourth", in: chat)
        try await bea.world.notify()
        #expect(try await bea.get("/api/v1/notifications?types[]=tintype.message").json.list.count == 1)
        let newest = try #require(try await bea.get("/api/v1/chats/\(chat)/messages").json[0]["id"].string)
        let after = try await bea.receives(until: #"{"notifications":1}"#) {
            try await bea.read(through: newest, in: chat)
        }
        #expect(after.contains("event: tintype.read"))
        #expect(try await bea.get("/api/v1/notifications?types[]=tintype.message").json.list.isEmpty)
    }

    @Test("Somebody who is in the chat, and reads at once, gets no notification")
    func present() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let chat = try await ana.chat(with: bea)
        let received = try await bea.receives(until: "Afterwards") {
            for text in ["One", "Two"] {
                try await bea.read(through: try await ana.write(text, in: chat), in: chat)
            }
            // Deleted before there was a notification.
            let message = try await ana.write("Never mind", in: chat)
            _ = try await ana.delete("/api/v1/chats/\(chat)/messages/\(message)")
            try await world.notify()
            #expect(try await bea.get("/api/v1/notifications?types[]=tintype.message").json.list.isEmpty)
            _ = try await ana.write("Afterwards", in: chat)
        }
        #expect(!received.contains("notification"))
        #expect(try await world.number("SELECT count(*) FROM jobs") == 1, "the last message’s")
        // Of a run whose first message was deleted, the other messages still make a notification.
        let other = try await bea.chat(with: ana)
        let first = try await bea.write("First", in: other)
        _ = try await bea.write("Second", in: other)
        _ = try await bea.delete("/api/v1/chats/\(other)/messages/\(first)")
        try await world.notify()
        #expect(try await ana.get("/api/v1/notifications?types[]=tintype.message").json.list.count == 1)
    }

    @Test("Deleting the only unread message takes its notification back")
    func deletedMessage() async throws {
        let people = try await World().friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let chat = try await ana.chat(with: bea)
        let message = try await ana.write("Never mind", in: chat)
        try await bea.world.notify()
        let types = "/api/v1/notifications?types[]=tintype.message"
        #expect(try await bea.get(types).json.list.count == 1)
        #expect(try await ana.delete("/api/v1/chats/\(chat)/messages/\(message)").status == 200)
        #expect(try await bea.get(types).json.list.isEmpty)
    }

    @Test("The sender of a photo gets one notification that it was saved, however often it is saved at once")
    func saved() async throws {
        let people = try await World().friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let chat = try await ana.chat(with: bea)
        let message = try await ana.send(photo: try await ana.photo(), in: chat)
        let received = try await ana.receives(until: #"{"notifications":2}"#) {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<5 {
                    group.addTask {
                        try await bea.post("/api/v1/chats/\(chat)/messages/\(message)/save").status
                    }
                }
                for try await status in group { #expect(status == 200) }
            }
        }
        #expect(received.contains("tintype.saved"))
        #expect(try await bea.get("/api/v1/photos?kind=saved").json.list.count == 1)
        #expect(try await ana.get("/api/v1/notifications?types[]=tintype.saved").json.list.count == 1)
    }

    @Test("Somebody who asks hears nothing of what the other does with the request, until it is taken")
    func requests() async throws {
        let world = try await World()
        let (ana, cleo) = (try await world.account("ana"), try await world.account("cleo"))
        let chat = try await cleo.chat(with: ana)
        let once = try await cleo.sendOnce(in: chat)
        let photo = try await cleo.send(photo: try await cleo.photo(), in: chat)
        let received = try await cleo.receives(until: "event: tintype.read") {
            let refused = try await ana.open(once, in: chat)
            #expect(refused.status == 409 && refused["error"] == "Accept the request first.")
            #expect(try await ana.post("/api/v1/chats/\(chat)/messages/\(photo)/save").status == 200)
            #expect(try await ana.post("/api/v1/chats/\(chat)/typing").status == 200)
            try await ana.read(through: photo, in: chat)
            #expect(try await cleo.get("/api/v1/chats/\(chat)")["peer"]["last_read_id"] == "0")
            #expect(try await cleo.get("/api/v1/notifications?types[]=tintype.saved").json.list.isEmpty)
            #expect(try await ana.post("/api/v1/chats/\(chat)/accept").status == 200)
        }
        for trace in ["typing", "saved", #""opened":true"#] { #expect(!received.contains(trace), "\(trace)") }
        #expect(try await ana.open(once, in: chat).status == 200)
    }

    @Test("Answering a request sends an event to the person's other pages", arguments: [true, false])
    func answered(isAccepted: Bool) async throws {
        let world = try await World()
        let (ana, cleo) = (try await world.account("ana"), try await world.account("cleo"))
        let chat = try await cleo.chat(with: ana)
        _ = try await cleo.write("Hi?", in: chat)
        let received = try await ana.receives(until: #""accepted":\#(isAccepted)"#) {
            let path = "/messages/requests/\(chat)/\(isAccepted ? "accept" : "delete")"
            let answer = try await ana.submit(path)
            #expect(answer.status == 303)
        }
        #expect(received.contains("event: tintype.request"))
    }

    @Test("A view-once picture whose day is over says so on open pages")
    func expired() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let message = try await ana.sendOnce(in: try await ana.chat(with: bea))
        for person in people {
            let again =
                person.id == ana.id ? message : try await ana.sendOnce(in: try await ana.chat(with: bea))
            let received = try await person.receives(until: #""expired":true"#) {
                world.clock.advance(hours: 24)
                try await world.work()
            }
            #expect(received.contains(#""id":"\#(again)""#))
        }
    }

    @Test("A sign of life carries the place to take up from")
    func heartbeat() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let received = try await ana.receives(until: "id: ") {
            for second in 0..<EventBus.heartbeatSeconds { world.tintype.events.beat(second) }
        }
        #expect(!received.contains("event:"))
        let place = try #require(received.split(separator: "id: ").last.flatMap { Int($0.trimmed) })
        #expect(place >= world.tintype.events.position(of: ana.id))
    }

    @Test("A stream taken up by its last event misses nothing; Mastodon's dialect hears nothing of ours")
    func resumed() async throws {
        let people = try await World().friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let chat = try await ana.chat(with: bea)
        let first = try await bea.receives(until: "One") { _ = try await ana.write("One", in: chat) }
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
