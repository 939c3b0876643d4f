import Foundation
import HTTPTypes
import Storage
import Testing

@testable import Core
@testable import Feeds
@testable import People
@testable import Tintype

extension Person {
    fileprivate func mute(_ chat: String, json: JSON = [:]) async throws -> Answer {
        try await post("/api/v1/chats/\(chat)/mute", json: json)
    }

    fileprivate func unmute(_ chat: String) async throws -> Answer {
        try await delete("/api/v1/chats/\(chat)/mute")
    }

    /// The number in the badge of the Friends tab.
    fileprivate func badge() async throws -> Int {
        let account = try #require(
            try await world.tintype.database.read { try AccountRecords($0).unchecked(id) })
        return try await world.tintype.database.read {
            try world.tintype.features.chats.chats.unreadCount(of: account, $0)
        }
    }

    /// The number of notifications of messages, requests and saved photos.
    fileprivate func notifications() async throws -> Int {
        let types = ["message", "message_request", "saved"].map { "types[]=tintype.\($0)" }
        return try await get("/api/v1/notifications?\(types.joined(separator: "&"))").json.list.count
    }
}

@Suite("Muting chats")
struct ChatMuteTests {
    @Test("A muted chat adds no notification and isn't in the badge, but its unread messages are in the list")
    func silence() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "bea", "cleo")
        let (ana, bea, cleo) = (people[0], people[1], people[2])
        let (chat, other) = (try await ana.chat(with: bea), try await cleo.chat(with: bea))
        let answer = try await bea.mute(chat)
        #expect(answer.status == 200 && answer["muted"] == true && answer["muted_until"] == .null)
        for text in ["One", "Two"] { _ = try await ana.write(text, in: chat) }
        _ = try await cleo.write("Hello", in: other)
        let shared = try await bea.send(photo: try await bea.photo(), in: chat)
        #expect(try await ana.post("/api/v1/chats/\(chat)/messages/\(shared)/save").status == 200)
        try await world.notify()
        #expect(try await bea.notifications() == 1, "of cleo's message alone")
        #expect(try await bea.badge() == 1)
        let list = try await bea.get("/api/v1/chats").json.list
        let row = try #require(list.first { $0["id"].string == chat })
        #expect(row["unread_count"] == 2 && row["muted"] == true)
        let page = try await bea.visit("/messages")
        #expect(page.shows("Muted") && page.shows("bell-slash"))
        // Ana learns nothing of it.
        let hers = try await ana.get("/api/v1/chats/\(chat)")
        #expect(hers["muted"] == false && hers["muted_until"] == .null)
        #expect(try await !ana.visit("/messages").shows("bell-slash"))
        #expect(try await bea.unmute(chat)["muted"] == false)
        #expect(try await bea.badge() == 3)
        #expect(try await !bea.visit("/messages").shows("bell-slash"))
    }

    @Test("A mute ends by the clock, also before the job that clears it; what comes then is announced")
    func duration() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let chat = try await ana.chat(with: bea)
        let muted = try await bea.mute(chat, json: ["duration": 3_600])
        let end = try #require(muted["muted_until"].string)
        #expect(try await bea.get("/api/v1/chats/\(chat)")["muted_until"].string == end)
        _ = try await ana.write("Meanwhile", in: chat)
        world.clock.advance(seconds: 3_599)
        try await world.work()
        #expect(try await bea.get("/api/v1/chats/\(chat)")["muted"] == true)
        #expect(try await bea.badge() == 0)
        world.clock.advance(seconds: 1)
        let over = try await bea.get("/api/v1/chats/\(chat)")
        #expect(over["muted"] == false && over["muted_until"] == .null)
        #expect(try await bea.badge() == 1)
        #expect(try await bea.notifications() == 0, "what came meanwhile isn't announced afterwards")
        _ = try await ana.write("Afterwards", in: chat)
        try await world.notify()
        #expect(try await bea.notifications() == 1)
        #expect(try await world.number("SELECT count(*) FROM chat_members WHERE is_muted = 1") == 0)
    }

    @Test("A message that came just before the mute isn't announced either")
    func justBefore() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "bea")
        let chat = try await people[0].chat(with: people[1])
        _ = try await people[0].write("Hello", in: chat)
        _ = try await people[1].mute(chat)
        try await world.notify()
        #expect(try await people[1].notifications() == 0)
    }

    @Test("Muting again replaces the end, one job waits for it, and a mute without an end stays")
    func renewed() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "bea")
        let bea = people[1]
        let chat = try await people[0].chat(with: bea)
        let ends = "SELECT count(*) FROM jobs WHERE kind = 'end-chat-mute'"
        for duration: JSON in [3_600, "86400"] {
            #expect(try await bea.mute(chat, json: ["duration": duration])["muted"] == true)
            #expect(try await world.number(ends) == 1)
        }
        world.clock.advance(hours: 2)
        try await world.work()
        #expect(try await bea.get("/api/v1/chats/\(chat)")["muted"] == true)
        #expect(try await bea.unmute(chat).status == 200)
        #expect(try await world.number(ends) == 0)
        #expect(try await bea.unmute(chat).status == 200, "a second time has no effect")
        #expect(try await bea.mute(chat, json: ["duration": 0])["muted_until"] == .null)
        #expect(try await world.number(ends) == 0)
        world.clock.advance(hours: 24 * 30)
        try await world.work()
        #expect(try await bea.get("/api/v1/chats/\(chat)")["muted"] == true)
    }

    @Test("The person's other pages receive each change, and the end")
    func events() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let chat = try await ana.chat(with: bea)
        _ = try await ana.write("Unread", in: chat)
        try await world.notify()
        let name = "event: tintype.chat.mute"
        let first = try await bea.receives(until: #"{"friends":0}"#) {
            _ = try await bea.mute(chat, json: ["duration": 60])
        }
        #expect(
            first.contains(name) && first.contains(#""chat_id":"\#(chat)","muted":true,"muted_until":"20"#))
        let last = try await bea.receives(until: #"{"friends":1}"#) {
            world.clock.advance(seconds: 60)
            try await world.work()
        }
        #expect(last.contains(#""chat_id":"\#(chat)","muted":false,"muted_until":null"#))
        let others = try await ana.receives(until: "Done") {
            _ = try await bea.mute(chat)
            _ = try await bea.write("Done", in: chat)
        }
        #expect(!others.contains(name))
    }

    @Test("Chats of others, times that make no sense and strangers are refused")
    func refused() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "bea", "cleo")
        let (ana, bea, cleo) = (people[0], people[1], people[2])
        let chat = try await ana.chat(with: bea)
        for duration: JSON in ["soon", -1, 40_000_000, "9223372036854775808"] {
            let answer = try await ana.mute(chat, json: ["duration": duration])
            #expect(answer.status == 422 && answer["details"]["duration"] != nil, "\(duration)")
        }
        #expect(try await cleo.mute(chat, json: ["duration": 40_000_000]).status == 404)
        #expect(try await cleo.unmute(chat).status == 404)
        #expect(try await world.stranger.mute(chat).status == 401)
        #expect(try await world.stranger.unmute(chat).status == 401)
        #expect(try await world.number("SELECT count(*) FROM chat_members WHERE is_muted = 1") == 0)
        #expect(try await ana.mute(chat).status == 200)
        try await ana.block(bea)
        #expect(try await ana.mute(chat).status == 404)
        #expect(try await ana.unmute(chat).status == 404)
    }

    @Test("The forms of the chat's page mute and unmute without scripts")
    func forms() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let chat = try await ana.chat(with: bea)
        let page = try await bea.visit("/messages/\(chat)")
        for title in ["Mute for an hour", "Mute for a day", "Mute until you unmute"] {
            #expect(page.shows(title), "\(title)")
        }
        let answer = try await bea.submit("/messages/\(chat)/mute", ["duration": "86400"])
        #expect(answer.status == 303 && answer.headers[.location] == "/messages/\(chat)")
        #expect(try await bea.visit("/messages/\(chat)").shows("This chat is muted"))
        #expect(try await bea.refresh("/messages/\(chat)/mute").shows("Unmute"))
        #expect(try await bea.visit("/messages/\(chat)/mute").status == 303)
        #expect(try await bea.submit("/messages/\(chat)/unmute").status == 303)
        #expect(try await bea.visit("/messages/\(chat)").shows("Mute this chat?"))
        #expect(try await bea.submit("/messages/\(chat)/mute", ["duration": "soon"]).status == 422)
    }

    @Test("A request is announced as one, and a muted request isn't announced")
    func requests() async throws {
        let world = try await World()
        let (ana, bea) = (try await world.account("ana"), try await world.account("bea"))
        let chat = try await ana.chat(with: bea)
        let first = try await ana.write("Hi?", in: chat)
        try await world.notify()
        let types = "/api/v1/notifications?types[]=tintype.message_request"
        #expect(try await bea.get(types).json.list.count == 1)
        #expect(try await bea.get("/api/v1/notifications?types[]=tintype.message").json.list.isEmpty)
        #expect(try await bea.visit("/notifications").shows("sent you a message request."))
        try await bea.read(through: first, in: chat)
        #expect(try await bea.get(types).json.list.isEmpty)
        _ = try await bea.mute(chat)
        _ = try await ana.write("Hello?", in: chat)
        try await world.notify()
        #expect(try await bea.get(types).json.list.isEmpty)
    }
}
