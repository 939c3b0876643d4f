import Foundation
import HTTPTypes
import Storage
import Testing

@testable import Core
@testable import Feeds
@testable import People
@testable import Serving
@testable import Tintype

extension Person {
    /// Looks at a snap, and closes it.
    fileprivate func see(_ snap: String) async throws {
        for step in ["open", "shown", "close"] {
            try #require(try await post("/api/v1/snaps/\(snap)/\(step)").status < 300)
        }
    }

    /// Sends a text that answers a snap; the answer of the server.
    fileprivate func answer(
        _ text: String, to snap: String, in chat: String, key: String? = nil
    ) async throws -> Answer {
        try await post(
            "/api/v1/chats/\(chat)/messages", json: ["text": .text(text), "snap_id": .text(snap)],
            headers: key.map { [.idempotencyKey: $0] } ?? [:])
    }
}

@Suite("Answers to snaps")
struct SnapAnswerTests {
    @Test("An answer says whose snap it was, for both, and shows nothing of it")
    func answering() async throws {
        let people = try await World().friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let snap = try await ana.snap()
        try await bea.see(snap)
        let chat = try await bea.chat(with: ana)
        let sent = try await bea.answer("Where was that?", to: snap, in: chat)
        #expect(sent.status == 201)
        for person in people {
            let newest = try await person.get("/api/v1/chats/\(chat)/messages").json[0]
            #expect(newest["snap_id"] == .text(snap))
            #expect(newest["in_reply_to_id"] == .null && newest["in_reply_to"] == .null)
        }
        #expect(try await ana.visit("/messages/\(chat)").shows("Your snap"))
        #expect(try await bea.visit("/messages/\(chat)").shows("Ana’s snap"))
        #expect(try await ana.visit("/friends").shows("Replied to your snap: Where was that?"))
        #expect(try await bea.visit("/friends").shows("You: Where was that?"))
        _ = try await bea.answer("❤️", to: snap, in: chat)
        #expect(try await ana.visit("/friends").shows("Reacted ❤️ to your snap"))
    }

    @Test("Only a snap of the other person that the sender has seen can be answered")
    func refusals() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "bea", "cleo")
        let (ana, bea, cleo) = (people[0], people[1], people[2])
        let (snap, own) = (try await ana.snap(), try await bea.snap())
        let chat = try await bea.chat(with: ana)
        // Not seen yet, which the answer doesn't tell from one that isn't there.
        let unseen = try await bea.answer("Hm", to: snap, in: chat)
        let missing = try await bea.answer("Hm", to: "123", in: chat)
        #expect(unseen.status == 422 && missing.status == 422)
        #expect(unseen["details"]["snap_id"] == missing["details"]["snap_id"])
        try await bea.see(snap)
        // In the chat with somebody else, in a group, your own.
        let other = try await bea.chat(with: cleo)
        #expect(try await bea.answer("Hm", to: snap, in: other).status == 422)
        let group = try await bea.group(with: ana, cleo)
        #expect(try await bea.answer("Hm", to: snap, in: group).status == 422)
        try await bea.see(own)
        #expect(try await bea.answer("Hm", to: own, in: chat).status == 422)
        // A message and a snap at once.
        let message = try await ana.write("Hello", in: chat)
        let both = try await bea.post(
            "/api/v1/chats/\(chat)/messages",
            json: ["text": "Hm", "snap_id": .text(snap), "reply_to_id": .text(message)])
        #expect(both.status == 422 && both["details"]["snap_id"] != .null)
        #expect(try await bea.answer("Hm", to: snap, in: chat).status == 201)
        #expect(try await ana.get("/api/v1/chats/\(chat)/messages").json.list.count == 2)
        // Nor one of somebody who has blocked the sender since.
        try await ana.block(bea)
        #expect(try await bea.answer("Hm", to: snap, in: chat).status == 404)
    }

    @Test("An answer outlives the snap, is sent once with its key, and is gone when it is deleted")
    func afterTheSnap() async throws {
        let people = try await World().friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let snap = try await ana.snap()
        try await bea.see(snap)
        let chat = try await bea.chat(with: ana)
        let first = try await bea.answer("Nice", to: snap, in: chat, key: "one")
        #expect(try await ana.delete("/api/v1/snaps/\(snap)").status == 200)
        // A second try is the same message, although a new answer is refused now.
        #expect(try await bea.answer("Nice", to: snap, in: chat, key: "one")["id"] == first["id"])
        #expect(try await bea.answer("Again", to: snap, in: chat).status == 422)
        #expect(try await ana.get("/api/v1/chats/\(chat)/messages").json[0]["snap_id"] == .text(snap))
        let id = try #require(first["id"].string)
        #expect(try await bea.delete("/api/v1/chats/\(chat)/messages/\(id)").status == 200)
        let left = try await bea.world.tintype.database.read {
            try $0.value("SELECT count(*) FROM messages WHERE snap_id IS NOT NULL", as: Int64.self)
        }
        #expect(left == 0)
    }

    @Test("Without scripts, the picture leads to the chat with the answer begun, and what was typed stays")
    func withoutScripts() async throws {
        let people = try await World().friends("ana", "bea", "cleo")
        let (ana, bea) = (people[0], people[1])
        let snap = try await ana.snap()
        let seen = try await bea.submit("/snaps/\(snap)/open", [:])
        #expect(seen.shows("/messages/@ana?snap=\(snap)"))
        let chat = try await bea.chat(with: ana)
        let way = try await bea.get("/messages/@ana?snap=\(snap)")
        #expect(way.headers[.location] == "/messages/\(chat)?snap=\(snap)")
        let page = try await bea.visit("/messages/\(chat)?snap=\(snap)")
        #expect(page.shows("Reply to Ana’s snap") && page.shows(#"name="snap_id" value="\#(snap)""#))
        // Not for the poster, and not in another chat.
        let other = try await bea.chat(with: people[2])
        for (person, chat) in [(ana, chat), (bea, other)] {
            #expect(try await !person.visit("/messages/\(chat)?snap=\(snap)").shows(#"name="snap_id""#))
        }
        #expect(try await ana.delete("/api/v1/snaps/\(snap)").status == 200)
        let gone = try await bea.submit(
            "/messages/\(chat)", ["text": "Where was that?", "snap_id": snap, "key": "k"])
        #expect(gone.status == 422 && gone.shows("Where was that?") && !gone.shows("snap_id"))
    }
}
