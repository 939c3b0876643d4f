import Foundation
import HTTPTypes
import Testing

@testable import Core
@testable import Feeds
@testable import People
@testable import Serving
@testable import Tintype

extension Person {
    /// Sends a message as Mastodon's apps do.
    fileprivate func tell(
        _ text: String, answering message: String? = nil, photos: [String] = [], more: [String: JSON] = [:],
        key: String? = nil
    ) async throws -> Answer {
        var status: [String: JSON] = [
            "status": .text(text), "visibility": "direct", "media_ids": .list(photos.map { .text($0) }),
        ]
        if let message { status["in_reply_to_id"] = .text(message) }
        status.merge(more) { $1 }
        var headers: HTTPFields = [:]
        if let key { headers[.idempotencyKey] = key }
        return try await post("/api/v1/statuses", json: .object(status), headers: headers)
    }

    fileprivate func status(_ id: String) async throws -> Answer { try await get("/api/v1/statuses/\(id)") }

    /// The texts of a chat, oldest first.
    fileprivate func texts(in chat: String) async throws -> [String] {
        try await get("/api/v1/chats/\(chat)/messages?limit=40").json.list.reversed().map {
            $0["event"]["words"].string ?? $0["text"].string ?? ""
        }
    }
}

@Suite("Messages as statuses, for Mastodon's apps")
struct MessageStatusTests {
    private struct Scene {
        let world: World
        let ana: Person
        let ben: Person
        let cleo: Person
        /// The chat of ana and ben.
        let chat: String

        init() async throws {
            world = try await World()
            let people = try await world.friends("ana", "ben", "cleo")
            (ana, ben, cleo) = (people[0], people[1], people[2])
            chat = try await ana.chat(with: ben)
        }
    }

    private func content(_ answer: JSON) -> String { answer["content"].string ?? "" }

    // MARK: Reading

    @Test("The last message of a conversation opens, with the messages before and after it")
    func opening() async throws {
        let scene = try await Scene()
        let (ana, ben) = (scene.ana, scene.ben)
        var ids: [String] = []
        for number in 1...5 {
            ids.append(try await (number % 2 == 0 ? ana : ben).write("Number \(number)", in: scene.chat))
        }
        let conversation = try await ana.get("/api/v1/conversations").json[0]
        #expect(conversation["last_status"]["id"].string == ids[4])
        let seen = try await ana.status(ids[4])
        #expect(seen.status == 200 && seen.json == conversation["last_status"])
        #expect(content(seen.json) == "<p>Number 5</p>" && seen["visibility"] == "direct")
        #expect(seen["account"]["username"] == "ben")
        #expect(seen["mentions"].list.map { $0["username"] } == ["ana"])
        let own = try await ana.status(ids[3])
        #expect(own["mentions"].list.map { $0["username"] } == ["ben"] && own["text"] == "Number 4")
        let context = try await ana.get("/api/v1/statuses/\(ids[2])/context")
        #expect(context["ancestors"].list.map { $0["id"].string } == Array(ids[..<2]))
        #expect(context["descendants"].list.map { $0["id"].string } == Array(ids[3...]))
        // What was shown has arrived.
        let marks = try await ben.get("/api/v1/chats/\(scene.chat)")["peer"]
        #expect(marks["last_delivered_id"].string == ids[4])
        #expect(try await ana.get("/api/v1/statuses/\(ids[2])/history").json == [])
        #expect(try await ana.get("/api/v1/statuses/\(ids[2])/reblogged_by").json == [])
    }

    @Test("A long chat is read in bounded parts, the nearest messages first")
    func longChat() async throws {
        let scene = try await Scene()
        var ids: [String] = []
        for number in 0..<90 { ids.append(try await scene.ben.write("\(number)", in: scene.chat)) }
        let context = try await scene.ana.get("/api/v1/statuses/\(ids[45])/context")
        #expect(context["ancestors"].list.map { $0["id"].string } == Array(ids[5..<45]))
        #expect(context["descendants"].list.map { $0["id"].string } == Array(ids[46..<86]))
    }

    @Test(
        "Somebody who has emptied a chat finds nothing of before, neither by address nor around later messages"
    )
    func cleared() async throws {
        let scene = try await Scene()
        let before = try await scene.ben.write("Before", in: scene.chat)
        #expect(try await scene.ana.delete("/api/v1/conversations/\(scene.chat)").status == 200)
        let after = try await scene.ben.write("After", in: scene.chat)
        #expect(try await scene.ana.status(before).status == 404)
        let context = try await scene.ana.get("/api/v1/statuses/\(after)/context")
        #expect(context.status == 200 && context["ancestors"] == [])
    }

    // MARK: Writing

    @Test(
        "An answer goes to its chat, without the names that only say who receives it, and once for each key")
    func answering() async throws {
        let scene = try await Scene()
        let (ana, ben) = (scene.ana, scene.ben)
        let question = try await ben.write("Eight?", in: scene.chat)
        for _ in 1...2 {
            let answer = try await ana.tell(
                "@ben  @Ana\nYes, tell @cleo and @ben!", answering: question, key: "one")
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer["text"] == "Yes, tell @cleo and @ben!")
            #expect(answer["in_reply_to_id"].string == question && answer["visibility"] == "direct")
            #expect(answer["in_reply_to_account_id"].string == "\(ben.id)")
        }
        #expect(try await ben.texts(in: scene.chat) == ["Eight?", "Yes, tell @cleo and @ben!"])
        #expect(try await scene.cleo.get("/api/v1/chats").json == [])
        // Without a visibility it is a message too: nothing of a chat becomes public by leaving something out.
        let plain = try await ana.post(
            "/api/v1/statuses", json: ["status": "Fine", "in_reply_to_id": .text(question)])
        #expect(plain.status == 200 && plain["visibility"] == "direct")
        // Names that are part of the sentence stay.
        let sentence = try await ana.tell("@ben, see you", answering: question)
        #expect(sentence["text"] == "@ben, see you")
        // So does that of somebody who doesn't receive it.
        #expect(try await ana.tell("@cleo comes", answering: question)["text"] == "@cleo comes")
        for visibility in ["public", "private", "unlisted"] {
            let refused = try await ana.tell(
                "Aloud", answering: question, more: ["visibility": .text(visibility)])
            #expect(refused.status == 422 && refused.shows("direct"), "\(visibility)")
        }
        // The key holds when the question is gone, and when the answer is, it says so.
        _ = try await ben.delete("/api/v1/statuses/\(question)")
        let again = try await ana.tell("Again", answering: question, key: "one")
        #expect(again.status == 200 && again["text"] == "Yes, tell @cleo and @ben!")
        _ = try await ana.delete("/api/v1/statuses/\(again["id"].string ?? "")")
        #expect(try await ana.tell("Again", answering: question, key: "one").status == 410)
    }

    @Test("A message in a group is answered there, and everyone but its author is mentioned")
    func answeringInGroup() async throws {
        let scene = try await Scene()
        let group = try await scene.ana.group(with: scene.ben, scene.cleo, title: "Pizza")
        let question = try await scene.ben.write("Eight?", in: group)
        let answer = try await scene.cleo.tell("@ben @ana Nine", answering: question)
        #expect(answer.status == 200 && answer["text"] == "Nine")
        #expect(answer["mentions"].list.map { $0["username"] } == ["ana", "ben"])
        let seen = try await scene.ana.status(try #require(answer["id"].string))
        #expect(seen["account"]["username"] == "cleo" && seen["text"] == .null)
        #expect(Set(seen["mentions"].list.compactMap { $0["username"].string }) == ["ana", "ben"])
        #expect(try await scene.ben.texts(in: group).last == "Nine")
    }

    @Test("A message for one person is in the chat of the two, and one for several in a new group of friends")
    func beginning() async throws {
        let scene = try await Scene()
        let (ana, ben, cleo) = (scene.ana, scene.ben, scene.cleo)
        let one = try await ana.tell("@ben Hello")
        #expect(one.status == 200 && one["text"] == "Hello", "\(one.text)")
        #expect(try await ben.texts(in: scene.chat) == ["Hello"])
        // Full handles of this server, as some apps write them.
        let host = scene.world.tintype.parts.configuration.publicURL.replacing("http://", with: "")
        let full = try await ana.tell("@Ben@\(host) Hello again")
        #expect(full["text"] == "Hello again")
        for _ in 1...2 {
            let several = try await ana.tell("@ben Eight, and @cleo?", key: "several")
            #expect(several.status == 200 && several["text"] == "Eight, and @cleo?", "\(several.text)")
        }
        let group = try await cleo.get("/api/v1/chats").json
        #expect(group.list.count == 1 && group[0]["kind"] == "group")
        let id = try #require(group[0]["id"].string)
        #expect(try await cleo.texts(in: id) == ["Ana made the group", "Eight, and @cleo?"])
        // Without the key, a further message for these people begins a new conversation.
        _ = try await ana.tell("@ben @cleo Another thing")
        #expect(try await cleo.get("/api/v1/chats").json.list.count == 2)
    }

    @Test(
        "A message that names nobody, nobody known, or no friends for a group is refused with a sentence, and sends nothing"
    )
    func refusals() async throws {
        let scene = try await Scene()
        let ana = scene.ana
        let dora = try await scene.world.account("dora")
        let eve = try await scene.world.account("eve")
        try await eve.block(ana)
        let photo = try await ana.photo()
        for (text, photos, more, words) in [
            ("Hello", [], [:], "whom you write to"), ("@ana Hello", [], [:], "whom you write to"),
            ("@nobody Hello", [], [:], "@nobody"), ("@ben @eve Hello", [], [:], "@eve"),
            ("@ben@other.example Hello", [], [:], "another server"),
            ("@ben @dora Hello", [], [:], "only friends"), ("@ben", [], [:], "Write something"),
            ("@ben \(String(repeating: "x", count: 5_001))", [], [:], "5,000"),
            ("@ben Look", ["1"], [:], "isn’t in your library"),
            ("@ben @cleo Look", ["1"], [:], "isn’t in your library"),
            ("@ben Look", Array(repeating: photo, count: 21), [:], "at most 20"),
            ("@ben Look", [photo], ["sensitive": true], "covered"),
            ("@ben Look", [], ["spoiler_text": "Spiders"], "covered"),
            ("@ben Look", [], ["scheduled_at": "2030-01-01T00:00:00Z"], "scheduled"),
            ("@ben Look", [], ["poll": ["options": ["a", "b"]]], "polls"),
        ] as [(String, [String], [String: JSON], String)] {
            let refused = try await ana.tell(text, photos: photos, more: more)
            #expect(refused.status == 422, "\(text): \(refused.text)")
            #expect(refused["error"].string?.contains(words) == true, "\(text): \(refused.text)")
        }
        for person in [ana, scene.ben, scene.cleo, dora, eve] {
            #expect(try await person.get("/api/v1/chats").json == [], "\(person.username)")
            #expect(try await person.get("/api/v1/chats?requests=true").json == [], "\(person.username)")
        }
        // Somebody who isn't a friend gets it as a request.
        #expect(try await ana.tell("@dora Hello").status == 200)
        let request = try await dora.get("/api/v1/chats?requests=true").json[0]
        let message = try #require(request["last_message"]["id"].string)
        #expect(try await dora.get("/api/v1/conversations").json == [])
        #expect(try await dora.status(message).status == 200)
        #expect(try await dora.post("/api/v1/statuses/\(message)/favourite").status == 409)
        // Their answer accepts it.
        #expect(try await dora.tell("@ana Hello", answering: message).status == 200)
        #expect(try await dora.get("/api/v1/conversations").json.list.count == 1)
    }

    @Test("A comment isn’t made of an answer that should be for one person alone")
    func directComment() async throws {
        let scene = try await Scene()
        let post = try await scene.ana.post(caption: "Sunset")
        let refused = try await scene.ben.tell("@ana Between us", answering: post)
        #expect(refused.status == 422 && refused.shows("new message"))
        #expect(try await scene.ana.get("/api/v1/statuses/\(post)/context")["descendants"] == [])
        // A post that can't be seen doesn't exist.
        let dora = try await scene.world.account("dora")
        #expect(try await dora.tell("@ana Between us", answering: post).status == 404)
    }

    @Test("Each photo is a message, and the first has the text")
    func photos() async throws {
        let scene = try await Scene()
        let photos = [try await scene.ana.photo(), try await scene.ana.photo(), try await scene.ana.photo()]
        for _ in 1...2 {
            let sent = try await scene.ana.tell("@ben Look", photos: photos, key: "photos")
            #expect(sent.status == 200 && sent["text"] == "Look")
            #expect(sent["media_attachments"].list.map { $0["id"].string } == [photos[0]])
        }
        let messages = try await scene.ben.get("/api/v1/chats/\(scene.chat)/messages").json.list.reversed()
        #expect(messages.map { $0["photo"]["id"].string } == photos)
        #expect(messages.map { $0["text"] } == ["Look", "", ""])
        let url = try await scene.ben.get("/api/v1/conversations").json[0]["last_status"][
            "media_attachments"][0]["url"]
        let path = try #require(url.string?.split(separator: "/photos/").last.map { "/photos/\($0)" })
        #expect(try await scene.world.stranger.get(path).status == 200)
    }

    // MARK: What may be seen once

    @Test("A picture to be seen once is named, and is in no answer of these calls")
    func viewOnce() async throws {
        let scene = try await Scene()
        let (ana, ben, chat) = (scene.ana, scene.ben, scene.chat)
        let group = try await ana.group(with: ben, scene.cleo)
        for place in [chat, group] {
            let once = try await ana.sendOnce(in: place)
            let next = try await ben.write("What is it?", in: place)
            var answers: [Answer] = []
            for person in [ana, ben] {
                for path in [
                    "conversations", "statuses/\(once)", "statuses/\(once)/context",
                    "statuses/\(next)/context", "statuses/\(once)/favourited_by",
                ] { answers.append(try await person.get("/api/v1/\(path)")) }
                answers.append(try await person.post("/api/v1/statuses/\(once)/favourite"))
                answers.append(try await person.tell("And?", answering: once))
            }
            for answer in answers {
                #expect(answer.status == 200, "\(answer.text)")
                #expect(!answer.shows("/photos/") && !answer.shows("once_views"), "\(answer.text)")
            }
            let unopened = try await ben.status(once)
            #expect(content(unopened.json) == "<p>View-once photo</p>")
            #expect(unopened["media_attachments"] == [] && unopened["text"] == .null)
            // Nothing of this has opened it.
            let opened = try await ben.open(once, in: place)
            #expect(opened.status == 200)
            let view = opened["view"]["id"].string ?? ""
            let seen = try await ben.status(once)
            #expect(content(seen.json) == "<p>View-once photo, opened</p>" && !seen.shows(view))
            let deleted = try await ana.delete("/api/v1/statuses/\(once)")
            #expect(deleted.status == 200 && deleted["media_attachments"] == [])
        }
        // Nor can one be sent, since an app would show it as any other photo.
        let secret = try await ana.photo(purpose: "view_once")
        #expect(try await ana.tell("@ben Look", photos: [secret]).status == 422)
    }

    // MARK: Hearts, deletion, and what messages don't have

    @Test("A favourite is the reaction with a heart")
    func hearts() async throws {
        let scene = try await Scene()
        let (ana, ben) = (scene.ana, scene.ben)
        let message = try await ben.write("Hello", in: scene.chat)
        let path = "/api/v1/chats/\(scene.chat)/messages/\(message)"
        let liked = try await ana.post("/api/v1/statuses/\(message)/favourite")
        #expect(liked["favourited"] == true && liked["favourites_count"] == 1)
        #expect(try await ben.get(path)["reactions"] == [["account_id": "\(ana.id)", "emoji": "❤️"]])
        #expect(try await ben.status(message)["favourited"] == false)
        let likers = try await ben.get("/api/v1/statuses/\(message)/favourited_by").json
        #expect(likers.list.map { $0["username"] } == ["ana"])
        let unliked = try await ana.post("/api/v1/statuses/\(message)/unfavourite")
        #expect(unliked["favourited"] == false && unliked["favourites_count"] == 0)
        #expect(try await ben.get(path)["reactions"] == [])
        // Another reaction is replaced by a heart, and isn't taken back as one.
        _ = try await ana.send(.put, "\(path)/reaction", json: ["emoji": "😂"])
        #expect(try await ana.post("/api/v1/statuses/\(message)/unfavourite")["favourites_count"] == 0)
        #expect(try await ben.get(path)["reactions"][0]["emoji"] == "😂")
        _ = try await ana.post("/api/v1/statuses/\(message)/favourite")
        #expect(try await ben.get(path)["reactions"] == [["account_id": "\(ana.id)", "emoji": "❤️"]])
    }

    @Test("An author’s deletion of a message is for everyone, and apps hear of it")
    func deleting() async throws {
        let scene = try await Scene()
        let (ana, ben) = (scene.ana, scene.ben)
        let message = try await ana.write("Oops", in: scene.chat)
        #expect(try await ben.delete("/api/v1/statuses/\(message)").status == 404)
        try await ben.webSocket("/api/v1/streaming?stream=user") { socket in
            _ = try await socket.subscribe("direct")
            let deleted = try await ana.delete("/api/v1/statuses/\(message)")
            #expect(deleted.status == 200 && deleted["text"] == "Oops")
            let first = try await socket.text()
            #expect(first["event"] == "delete" && first["payload"].string == message)
        }
        for person in [ana, ben] { #expect(try await person.status(message).status == 404) }
        #expect(try await ben.texts(in: scene.chat).isEmpty)
        #expect(try await ana.delete("/api/v1/statuses/\(message)").status == 404)
    }

    @Test("What messages don’t have is refused with a sentence")
    func absent() async throws {
        let scene = try await Scene()
        let message = try await scene.ana.write("Hello", in: scene.chat)
        for call in ["bookmark", "unbookmark", "pin", "unpin", "mute", "unmute", "reblog", "unreblog"] {
            let refused = try await scene.ana.post("/api/v1/statuses/\(message)/\(call)")
            #expect(refused.status == 422 && refused["error"].string?.hasSuffix(".") == true, "\(call)")
        }
        let edit = try await scene.ana.send(
            .put, "/api/v1/statuses/\(message)", json: ["status": "Hello!", "visibility": "public"])
        #expect(edit.status == 422 && edit.shows("can’t be changed"))
        #expect(try await scene.ana.get("/api/v1/statuses/\(message)/source").status == 422)
        #expect(try await scene.ben.texts(in: scene.chat) == ["Hello"])
    }

    // MARK: Who sees what

    @Test(
        "After a block nothing of a chat of two is left, and a group folds what somebody blocked has written")
    func blocked() async throws {
        let scene = try await Scene()
        let (ana, ben) = (scene.ana, scene.ben)
        let group = try await ana.group(with: ben, scene.cleo)
        let alone = try await ben.write("Alone", in: scene.chat)
        let together = try await ben.send(photo: try await ben.photo(), in: group)
        try await ana.block(ben)
        for person in [ana, ben] {
            #expect(try await person.status(alone).status == 404)
            #expect(try await person.tell("Hello", answering: alone).status == 404)
        }
        #expect(try await ana.tell("@ben Hello").status == 422)
        let folded = try await ana.status(together)
        #expect(content(folded.json) == "<p>Blocked person</p>" && folded["media_attachments"] == [])
        let context = try await ana.get("/api/v1/statuses/\(together)/context")
        #expect(!context.shows("/photos/"))
        // An answer quotes nothing of theirs.
        let answer = try await ana.tell("Who is that?", answering: together)
        #expect(answer.status == 200 && answer["media_attachments"] == [])
    }

    @Test("Nothing is shown of what somebody suspended has sent")
    func suspended() async throws {
        let scene = try await Scene()
        let group = try await scene.ana.group(with: scene.ben, scene.cleo)
        let alone = try await scene.ben.write("Alone", in: scene.chat)
        let together = try await scene.ben.send(photo: try await scene.ben.photo(), in: group)
        let admin = try await scene.world.account("olga", isAdmin: true)
        #expect(try await admin.submit("/administration/accounts/\(scene.ben.id)/suspend").status == 303)
        #expect(try await scene.ana.status(alone).status == 404)
        let seen = try await scene.ana.status(together)
        #expect(content(seen.json) == "<p>Suspended person</p>" && !seen.shows("/photos/"))
    }

    @Test("Who joins a group later, and who has left it, don't see a message of before or after")
    func membership() async throws {
        let scene = try await Scene()
        let dora = try await scene.world.account("dora")
        try await dora.follow(scene.ana)
        try await scene.ana.follow(dora)
        let group = try await scene.ana.group(with: scene.ben, scene.cleo)
        let before = try await scene.ben.write("Before", in: group)
        _ = try await scene.ana.post(
            "/api/v1/chats/\(group)/members", json: ["account_ids": [.text("\(dora.id)")]])
        #expect(try await dora.status(before).status == 404)
        #expect(try await dora.tell("Me too", answering: before).status == 404)
        _ = try await scene.cleo.delete("/api/v1/chats/\(group)/members/\(scene.cleo.id)")
        #expect(try await scene.cleo.status(before).status == 404)
    }

    @Test("An app needs the permissions of chats, too, and one that may only write reads nothing")
    func permissions() async throws {
        let scene = try await Scene()
        let message = try await scene.ben.write("Between us", in: scene.chat)
        let post = try await scene.ben.post(caption: "For all", visibility: "public")
        let app = try await scene.world.app()
        let posts = try await app.logIn(scene.ana, scope: "read:statuses write:statuses write:favourites")
        #expect(try await posts.status(post).status == 200)
        for answer in [
            try await posts.status(message), try await posts.get("/api/v1/statuses/\(message)/context"),
            try await posts.get("/api/v1/statuses/\(message)/favourited_by"),
            try await posts.post("/api/v1/statuses/\(message)/favourite"),
            try await posts.delete("/api/v1/statuses/\(message)"),
            try await posts.tell("Yes", answering: message), try await posts.tell("@ben Yes"),
        ] {
            #expect(answer.status == 403 && !answer.shows("Between us"), "\(answer.text)")
        }
        #expect(try await scene.ben.texts(in: scene.chat) == ["Between us"])
        let writing = try await app.logIn(scene.ana, scope: "write")
        for answer in [
            try await writing.post("/api/v1/statuses/\(message)/favourite"),
            try await writing.post("/api/v1/statuses/\(message)/unfavourite"),
            try await writing.tell("Yes", answering: message),
        ] {
            #expect(answer.status == 200 && !answer.shows("Between us"), "\(answer.text)")
        }
    }

    // MARK: Names

    @Test(
        "The names at the beginning of a text are those who receive it, and are left out where they only say so"
    )
    func addressing() {
        func read(_ text: String) -> Addressing { Addressing(text, at: "https://photos.example:8443") }
        for (text, names, rest) in [
            ("@ana Hello", ["ana"], "Hello"),
            ("  @ana\n@Ben  Hello @cleo", ["ana", "ben", "cleo"], "Hello @cleo"),
            ("@ana", ["ana"], ""), ("@ana@PHOTOS.example:8443 Hello", ["ana"], "Hello"),
            ("Hello @ana", ["ana"], "Hello @ana"), ("@ana: hello", ["ana"], "@ana: hello"),
            ("@ana @ben, hello", ["ana", "ben"], "@ben, hello"), ("@ana @ana Hi", ["ana"], "Hi"),
            ("ana@photos.example", [], "ana@photos.example"), ("", [], ""),
            ("@ana https://a.example/@ben", ["ana"], "https://a.example/@ben"),
        ] as [(String, [String], String)] {
            let addressing = read(text)
            #expect(addressing.names == names, "\(text)")
            #expect(addressing.text(for: ["ana", "ben", "cleo"], isAnswer: false) == rest, "\(text)")
            #expect(addressing.stranger == nil, "\(text)")
        }
        #expect(read("@ana Hello").text(for: ["ben"], isAnswer: false) == "@ana Hello")
        // In a group, an answer that names some of it means these; apps begin with all others.
        let group: Set<String> = ["ana", "ben", "cleo"]
        #expect(read("@ben your turn").text(for: group, isAnswer: true) == "@ben your turn")
        #expect(read("@ben @cleo Hi").text(for: group, isAnswer: true) == "Hi")
        #expect(read("@ana #Dogs Hi").text(for: group, isAnswer: false) == "#Dogs Hi")
        let link = read("See https://a.example/@ana@photos.example:8443 and https://a.example/@b@c.example")
        #expect(
            link.text == "See https://a.example/@ana@photos.example:8443 and https://a.example/@b@c.example")
        #expect(link.stranger == nil && link.names == [])
        #expect(read("@ana@other.example. Hello").stranger == "@ana@other.example")
        #expect(read("@ana @nobody Hello").first == ["ana", "nobody"])
    }
}
