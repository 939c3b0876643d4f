import Foundation
import HTTPTypes
import Storage
import Testing

@testable import Core
@testable import Feeds
@testable import Serving
@testable import Tintype

extension Person {
    /// Sends a text that answers a message; the answer of the server.
    fileprivate func reply(
        _ text: String, to message: String, in chat: String, key: String? = nil
    ) async throws -> Answer {
        try await post(
            "/api/v1/chats/\(chat)/messages", json: ["text": .text(text), "reply_to_id": .text(message)],
            headers: key.map { [.idempotencyKey: $0] } ?? [:])
    }

    fileprivate func react(_ emoji: String, to message: String, in chat: String) async throws -> Answer {
        try await send(
            .put, "/api/v1/chats/\(chat)/messages/\(message)/reaction", json: ["emoji": .text(emoji)])
    }
}

@Suite("Replies")
struct ReplyTests {
    @Test("A reply quotes a message for both, in history, list and page")
    func quoting() async throws {
        let people = try await World().friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let chat = try await ana.chat(with: bea)
        let question = try await ana.write("Which side?", in: chat)
        let reply = try await bea.reply("East", to: question, in: chat)
        #expect(reply.status == 201)
        for person in people {
            let newest = try await person.get("/api/v1/chats/\(chat)/messages").json[0]
            #expect(newest["in_reply_to_id"] == .text(question))
            #expect(newest["in_reply_to"]["text"] == "Which side?")
            #expect(newest["in_reply_to"]["account_id"] == .text("\(ana.id)"))
            #expect(newest["in_reply_to"]["view_once"] == false)
            #expect(newest["in_reply_to"]["preview_url"] == .null)
            let last = try await person.get("/api/v1/chats").json[0]["last_message"]
            #expect(last["in_reply_to_id"] == .text(question))
            let page = try await person.visit("/messages/\(chat)")
            #expect(page.shows(#"class="quote""#) && page.shows("Which side?"))
        }
        let status = try await ana.get("/api/v1/conversations").json[0]["last_status"]
        #expect(status["in_reply_to_id"] == .text(question))
        #expect(status["in_reply_to_account_id"] == .text("\(ana.id)"))
    }

    @Test("A quote is short; a photo's is a small picture for who may see it, a view-once picture's is none")
    func quotes() async throws {
        let people = try await World().friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let chat = try await ana.chat(with: bea)
        let long = try await ana.write(String(repeating: "long ", count: 900), in: chat)
        let text = try await bea.reply("Phew", to: long, in: chat)["in_reply_to"]["text"].string ?? ""
        #expect(text.hasPrefix("long long") && text.hasSuffix("…"))
        #expect(text.unicodeScalars.count <= MessageRules.excerptLength + 1)
        let photo = try await ana.photo()
        let quoted = try await bea.reply(
            "Nice", to: try await ana.send(photo: photo, in: chat), in: chat)["in_reply_to"]
        #expect(quoted["photo_id"] == .text(photo))
        let url = try #require(quoted["preview_url"].string)
        let path = "/photos/" + (url.split(separator: "/photos/").last.map(String.init) ?? "")
        #expect(try await bea.world.stranger.get(path).status == 200)
        let once = try await bea.reply("Hm", to: try await ana.sendOnce(in: chat), in: chat)["in_reply_to"]
        #expect(once["view_once"] == true && once["preview_url"] == .null && once["photo_id"] == .null)
        try await ana.block(bea)
        #expect(try await bea.world.stranger.get(path).status == 404)
    }

    @Test("A reply keeps no word of a deleted message, on any page or in any answer")
    func deletedMessage() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let chat = try await ana.chat(with: bea)
        let position = world.tintype.events.position(of: bea.id)
        let secret = try await ana.write("Secret", in: chat)
        let reply = try #require(try await bea.reply("I see", to: secret, in: chat)["id"].string)
        _ = try await bea.react("😮", to: secret, in: chat)
        #expect(try await ana.delete("/api/v1/chats/\(chat)/messages/\(secret)").status == 200)
        for person in people {
            let message = try await person.get("/api/v1/chats/\(chat)/messages/\(reply)")
            #expect(message["in_reply_to_id"] == .text(secret) && message["in_reply_to"] == .null)
            let page = try await person.visit("/messages/\(chat)")
            #expect(page.shows("Deleted message") && !page.shows("Secret"))
        }
        // Who was away hears the reply, without the words.
        let received = try await bea.takesUp(after: position, until: "tintype.message.deleted")
        #expect(
            received.contains("I see") && !received.contains("Secret") && !received.contains("event: reset"))
        #expect(!received.contains("tintype.message.reaction"))
        #expect(try await world.number("SELECT count(*) FROM message_reactions") == 0)
        #expect(try await world.number("SELECT count(*) FROM messages WHERE text LIKE '%Secret%'") == 0)
        // One that waited for the network goes out all the same.
        let late = try await bea.reply("Too late", to: secret, in: chat)
        #expect(late.status == 201 && late["in_reply_to_id"] == .text(secret) && late["in_reply_to"] == .null)
        #expect(try await world.tintype.problems() == [])
    }

    @Test("A reply to a reply that is deleted goes with its own quote")
    func deletedReply() async throws {
        let people = try await World().friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let chat = try await ana.chat(with: bea)
        let first = try await ana.write("One", in: chat)
        let second = try #require(try await bea.reply("Two", to: first, in: chat, key: "k")["id"].string)
        let third = try #require(try await ana.reply("Three", to: second, in: chat)["id"].string)
        #expect(try await bea.reply("Again", to: third, in: chat, key: "k")["id"] == .text(second))
        _ = try await bea.delete("/api/v1/chats/\(chat)/messages/\(second)")
        let left = try await ana.get("/api/v1/chats/\(chat)/messages/\(third)")
        #expect(left["in_reply_to_id"] == .text(second) && left["in_reply_to"] == .null)
        #expect(
            try await ana.world.number("SELECT count(*) FROM messages WHERE in_reply_to_id IS NOT NULL") == 1)
    }

    @Test("Nothing but a message of the same chat can be answered")
    func wrongMessages() async throws {
        let people = try await World().friends("ana", "bea", "cleo")
        let (ana, bea, cleo) = (people[0], people[1], people[2])
        let (chat, other) = (try await ana.chat(with: bea), try await ana.chat(with: cleo))
        let foreign = try await cleo.write("Between us", in: other)
        for id in [foreign, "77"] {
            let answer = try await ana.reply("Hm", to: id, in: chat)
            #expect(answer.status == 422 && answer["details"]["reply_to_id"] != .null)
        }
        #expect(try await bea.reply("Hm", to: foreign, in: other).status == 404)
        #expect(try await bea.get("/api/v1/chats/\(chat)/messages").json.list.isEmpty)
    }

    @Test("Who has removed a chat from their list sees none of its words in a quote")
    func cleared() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let chat = try await ana.chat(with: bea)
        let old = try await ana.write("Old words", in: chat)
        #expect(try await bea.delete("/api/v1/chats/\(chat)").status == 200)
        let received = try await bea.receives(until: "New") {
            let reply = try await ana.reply("New", to: old, in: chat)
            #expect(reply["in_reply_to"]["text"] == "Old words")
        }
        #expect(!received.contains("Old words"))
        let newest = try await bea.get("/api/v1/chats/\(chat)/messages").json[0]
        #expect(newest["in_reply_to_id"] == .text(old) && newest["in_reply_to"] == .null)
        #expect(try await bea.get("/api/v1/chats").json[0]["last_message"]["in_reply_to"] == .null)
        #expect(try await !bea.visit("/messages/\(chat)").shows("Old words"))
        #expect(try await bea.reply("Hm", to: old, in: chat).status == 422)
    }

    @Test("Without scripts a message is answered from its options, and keeps what is typed when refused")
    func forms() async throws {
        let people = try await World().friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let chat = try await ana.chat(with: bea)
        let question = try await ana.write("Which side?", in: chat)
        let options = try await bea.visit("/messages/\(chat)/\(question)/options")
        #expect(options.shows("/messages/\(chat)?reply_to=\(question)"))
        let page = try await bea.visit("/messages/\(chat)?reply_to=\(question)")
        #expect(page.shows("Reply to Ana") && page.shows(#"name="reply_to_id""#))
        let refused = try await bea.submit(
            "/messages/\(chat)", ["text": String(repeating: "x", count: 5_001), "reply_to_id": question])
        #expect(refused.status == 422 && refused.shows("Reply to Ana") && refused.shows("xxx"))
        let sent = try await bea.submit(
            "/messages/\(chat)", ["text": "East", "reply_to_id": question, "key": "k"])
        #expect(sent.status == 303)
        let newest = try await ana.get("/api/v1/chats/\(chat)/messages").json[0]
        #expect(newest["text"] == "East" && newest["in_reply_to_id"] == .text(question))
        // A message that has gone is no longer answered, and its page says nothing of it.
        _ = try await ana.delete("/api/v1/chats/\(chat)/messages/\(question)")
        #expect(try await !bea.visit("/messages/\(chat)?reply_to=\(question)").shows("Reply to Ana"))
    }
}

@Suite("Reactions")
struct ReactionTests {
    @Test("Each of the two has one emoji a message, live and in history; the last one counts")
    func reacting() async throws {
        let people = try await World().friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let chat = try await ana.chat(with: bea)
        let message = try await ana.write("Six at the bridge", in: chat)
        let received = try await ana.receives(until: "🎉") {
            for emoji in ["❤️", "🎉"] {
                let answer = try await bea.react(emoji, to: message, in: chat)
                #expect(answer.status == 200)
            }
        }
        #expect(received.contains("event: tintype.message.reaction"))
        #expect(received.contains(#""id":"\#(message)""#))
        let both = try await ana.react("👩🏽‍❤️‍💋‍👨🏽", to: message, in: chat)["reactions"]
        #expect(both.list.map { $0["emoji"] } == ["👩🏽‍❤️‍💋‍👨🏽", "🎉"])
        #expect(both.list.map { $0["account_id"] } == [.text("\(ana.id)"), .text("\(bea.id)")])
        for person in people {
            #expect(try await person.get("/api/v1/chats/\(chat)/messages").json[0]["reactions"] == both)
            #expect(try await person.get("/api/v1/chats").json[0]["last_message"]["reactions"] == both)
        }
        #expect(try await ana.visit("/messages/\(chat)").shows("🎉 from Bea"))
        #expect(try await bea.visit("/messages/\(chat)").shows("🎉 from you"))
        let path = "/api/v1/chats/\(chat)/messages/\(message)/reaction"
        for _ in 0..<2 { #expect(try await bea.delete(path)["reactions"].list.count == 1) }
        #expect(try await ana.world.number("SELECT count(*) FROM message_reactions") == 1)
    }

    @Test("The same emoji again changes nothing and sends no event")
    func same() async throws {
        let people = try await World().friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let chat = try await ana.chat(with: bea)
        let message = try await ana.write("Hello", in: chat)
        let received = try await ana.receives(until: "Afterwards") {
            for _ in 0..<3 { _ = try await bea.react("👍", to: message, in: chat) }
            _ = try await bea.write("Afterwards", in: chat)
        }
        #expect(received.components(separatedBy: "event: tintype.message.reaction").count == 2)
    }

    @Test("Who comes back hears only the last reactions to a message")
    func resumed() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let chat = try await ana.chat(with: bea)
        let message = try await ana.write("Hello", in: chat)
        let position = world.tintype.events.position(of: ana.id)
        for emoji in ["👍", "😂", "❤️"] { _ = try await bea.react(emoji, to: message, in: chat) }
        let received = try await ana.takesUp(after: position, until: "❤️")
        #expect(!received.contains("👍") && !received.contains("😂"))
    }

    @Test(
        "A reaction is one emoji",
        arguments: [
            ("❤️", true), ("1️⃣", true), ("🇵🇹", true), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", true), ("👨‍👩‍👧‍👦", true), ("", false), ("a", false),
            ("1", false), ("❤️❤️", false), ("🎉!", false), ("🎉" + String(repeating: "\u{301}", count: 3), false),
            ("🎉" + String(repeating: "\u{FE0F}", count: 60), false),
        ])
    func emoji(text: String, isOne: Bool) async throws {
        #expect(MessageRules.isSingleEmoji(text) == isOne)
    }

    @Test("Anything but one emoji is refused, and so is a message that isn't there")
    func refusals() async throws {
        let people = try await World().friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let chat = try await ana.chat(with: bea)
        let message = try await ana.write("Hello", in: chat)
        for wrong in ["", "yes", "👍👍"] {
            let answer = try await bea.react(wrong, to: message, in: chat)
            #expect(answer.status == 422 && answer["error"] == "Choose one emoji.")
        }
        #expect(try await bea.react("👍", to: "77", in: chat).status == 404)
        _ = try await ana.delete("/api/v1/chats/\(chat)/messages/\(message)")
        #expect(try await bea.react("👍", to: message, in: chat).status == 404)
        try await ana.block(bea)
        #expect(try await bea.react("👍", to: message, in: chat).status == 404)
    }

    @Test("In a request nobody reacts before it is accepted, and who asked hears nothing")
    func requests() async throws {
        let world = try await World()
        let (ana, cleo) = (try await world.account("ana"), try await world.account("cleo"))
        let chat = try await cleo.chat(with: ana)
        let message = try await cleo.write("Hi?", in: chat)
        let answer = try await ana.react("👍", to: message, in: chat)
        #expect(answer.status == 409 && answer["error"] == "Accept the request first.")
        #expect(try await cleo.react("🎉", to: message, in: chat).status == 200)
        // Of a request that was dropped nothing more comes.
        #expect(try await ana.delete("/api/v1/chats/\(chat)").status == 200)
        let received = try await ana.receives(until: "event: notification") {
            _ = try await cleo.react("😢", to: message, in: chat)
            try await cleo.follow(ana)
        }
        #expect(!received.contains("tintype.message.reaction"))
    }

    @Test("Without scripts a form sets a reaction and takes it back")
    func forms() async throws {
        let people = try await World().friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let chat = try await ana.chat(with: bea)
        let message = try await ana.write("Hello", in: chat)
        let path = "/messages/\(chat)/\(message)/react"
        #expect(try await bea.submit(path, ["emoji": "👍"]).status == 303)
        #expect(try await ana.get("/api/v1/chats/\(chat)/messages").json[0]["reactions"].list.count == 1)
        #expect(try await bea.submit(path, ["emoji": ""]).status == 303)
        #expect(try await ana.get("/api/v1/chats/\(chat)/messages").json[0]["reactions"].list.isEmpty)
    }

    @Test("Replies and reactions go with an account, and come in the download of the other's data")
    func erasure() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let chat = try await ana.chat(with: bea)
        let first = try await ana.write("One", in: chat)
        _ = try await bea.reply("Two", to: first, in: chat)
        _ = try await bea.react("👍", to: first, in: chat)
        let rows = try await world.tintype.database.read { transaction in
            try ChatsData(chats: world.tintype.features.chats.chats).lists[0].page(
                of: ana.id, after: 0, transaction
            ).rows
        }
        let texts = rows.map { String(decoding: $0, as: UTF8.self) }
        #expect(texts[0].contains(#""own_reaction":null,"their_reaction":"👍""#))
        #expect(texts[1].contains(#""in_reply_to_id":"\#(first)""#))
        #expect(try await bea.submit("/settings/delete", ["password": "correct horse"]).status == 303)
        try await world.work()
        #expect(try await world.number("SELECT count(*) FROM messages") == 0)
        #expect(try await world.number("SELECT count(*) FROM message_reactions") == 0)
        #expect(try await world.tintype.problems() == [])
    }
}
