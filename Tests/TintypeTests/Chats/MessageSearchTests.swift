import Foundation
import HTTPTypes
import Hummingbird
import Storage
import Testing

@testable import Core
@testable import Feeds
@testable import People
@testable import Serving
@testable import Tintype

extension Person {
    /// The ids of their messages with all words of a text, as the JSON interface returns them.
    fileprivate func found(_ text: String, _ rest: String = "") async throws -> [String] {
        let query = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let answer = try await get("/api/v1/messages/search?q=\(query)\(rest)")
        try #require(answer.status == 200, "a search was refused: \(answer.text)")
        return answer.json.list.compactMap { $0["id"].string }
    }
}

extension World {
    fileprivate func wordsCount() async throws -> Int {
        try await number("SELECT count(*) FROM message_words")
    }
}

@Suite("Finding messages by their words")
struct MessageSearchTests {
    /// Four friends; ana and bea have a chat, and ana, bea and cleo a group.
    private struct Scene {
        let world: World
        let ana: Person
        let bea: Person
        let cleo: Person
        let dora: Person
        let chat: String
        let group: String

        init() async throws {
            world = try await World()
            let people = try await world.friends("ana", "bea", "cleo", "dora")
            (ana, bea, cleo, dora) = (people[0], people[1], people[2], people[3])
            chat = try await ana.chat(with: bea)
            group = try await ana.group(with: bea, cleo, title: "Pizza or ramen?")
        }

        func clear(_ chat: String, by person: Person) async throws {
            #expect(try await person.delete("/api/v1/chats/\(chat)").status == 200)
        }
    }

    @Test("A person finds what they sent and received, by all words, in chats of two and in groups")
    func found() async throws {
        let scene = try await Scene()
        let first = try await scene.ana.write("The pasta is in the OVEN.", in: scene.chat)
        let second = try await scene.bea.write("Which oven? I see no pâsta here", in: scene.chat)
        let third = try await scene.cleo.write("Oven-fresh pizza!", in: scene.group)
        _ = try await scene.ana.write("ovens", in: scene.group)
        for person in [scene.ana, scene.bea] {
            #expect(try await person.found("oven") == [third, second, first])
            #expect(try await person.found("  Pasta, oven ") == [second, first])
        }
        #expect(try await scene.cleo.found("oven") == [third])
        #expect(try await scene.cleo.found("pasta").isEmpty)
        #expect(try await scene.dora.found("oven").isEmpty)
        // Only whole words are found, and nothing is found by none.
        #expect(try await scene.ana.found("ove").isEmpty)
        #expect(try await scene.ana.found("").isEmpty)
        #expect(try await scene.ana.found("…").isEmpty)
        #expect(try await scene.ana.found("oven pizza pasta").isEmpty)
        // In one chat.
        #expect(try await scene.ana.found("oven", "&chat_id=\(scene.group)") == [third])
        #expect(try await scene.ana.found("oven", "&chat_id=\(scene.chat)") == [second, first])
        // As the chat itself has them.
        let own = try await scene.ana.get("/api/v1/chats/\(scene.group)/messages/\(third)").json
        #expect(try await scene.ana.get("/api/v1/messages/search?q=pizza").json == .list([own]))
        // One row for each word, however many are in the group.
        let rows = "SELECT count(*) FROM message_words WHERE message_id = \(third)"
        #expect(try await scene.world.number(rows) == 3)
    }

    @Test(
        "The search of apps has posts and messages in one order, page by page, unless it is for an author's posts"
    )
    func amongPosts() async throws {
        let scene = try await Scene()
        var ids: [String] = []
        for number in 1...3 {
            ids.append(try await scene.ana.write("oven \(number)", in: scene.chat))
            ids.append(try await scene.bea.post(caption: "Oven \(number)"))
        }
        ids.reverse()
        func statuses(_ rest: String, for person: Person) async throws -> [String] {
            let answer = try await person.get("/api/v2/search?type=statuses&q=oven\(rest)")
            return answer["statuses"].list.compactMap { $0["id"].string }
        }
        #expect(try await statuses("", for: scene.ana) == ids)
        for (index, id) in ids.enumerated() {
            #expect(try await statuses("&limit=1&offset=\(index)", for: scene.ana) == [id])
            #expect(try await statuses("&max_id=\(id)", for: scene.ana) == Array(ids[(index + 1)...]))
            let above = Array(ids[..<index].suffix(2))
            #expect(try await statuses("&limit=2&min_id=\(id)", for: scene.ana) == above)
        }
        // Those of others aren't found, and an author's are posts alone.
        let posts = stride(from: 0, to: ids.count, by: 2).map { ids[$0] }
        #expect(try await statuses("", for: scene.cleo) == posts)
        #expect(try await statuses("&account_id=\(scene.bea.id)", for: scene.ana) == posts)
        // An app that may not read chats finds posts only.
        let app = try await scene.world.app().logIn(scene.ana, scope: "read:search")
        #expect(try await statuses("", for: app) == posts)
        let kinds = try await scene.ana.get("/api/v2/search?q=oven&limit=2")["statuses"].list
        #expect(kinds.map { $0["visibility"] } == ["private", "direct"])
    }

    @Test(
        "What happens in a group isn't found by its words, and neither is what comes with a view-once picture"
    )
    func neitherEventsNorOnce() async throws {
        let scene = try await Scene()
        let media = try await scene.ana.photo(purpose: "view_once")
        let sent = try await scene.ana.post(
            "/api/v1/chats/\(scene.chat)/messages",
            json: ["media_id": .text(media), "view_once": true, "text": "ramen for you"])
        #expect(sent.status == 201)
        #expect(try await scene.ana.found("ramen").isEmpty)
        #expect(try await scene.world.wordsCount() == 0)
        // Text beside an ordinary photo is found.
        let photo = try await scene.ana.photo()
        let message = try await scene.ana.post(
            "/api/v1/chats/\(scene.chat)/messages", json: ["photo_id": .text(photo), "text": "ramen for me"])
        #expect(try await scene.bea.found("ramen") == [try #require(message["id"].string)])
    }

    @Test("A chat of others can't be searched, and one that isn't accepted can't either")
    func chatsOfOthers() async throws {
        let scene = try await Scene()
        let path = "/api/v1/messages/search?q=oven&chat_id="
        #expect(try await scene.cleo.get("\(path)\(scene.chat)").status == 404)
        #expect(try await scene.dora.get("\(path)\(scene.group)").status == 404)
        #expect(try await scene.dora.visit("/messages/\(scene.group)/search?q=oven").status == 404)
        #expect(try await scene.ana.get("\(path)soup").status == 422)
        let eve = try await scene.world.account("eve")
        let request = try await eve.chat(with: scene.ana)
        _ = try await eve.write("oven", in: request)
        #expect(try await scene.ana.get("\(path)\(request)").status == 409)
        #expect(try await scene.ana.visit("/messages/\(request)/search?q=oven").status == 409)
    }

    @Test("A deleted message isn't found, and its words are gone")
    func deleted() async throws {
        let scene = try await Scene()
        let message = try await scene.ana.write("A secret oven", in: scene.chat)
        let kept = try await scene.ana.write("An oven", in: scene.group)
        let path = "/api/v1/chats/\(scene.chat)/messages/\(message)"
        #expect(try await scene.ana.delete(path).status == 200)
        for person in [scene.ana, scene.bea] { #expect(try await person.found("oven") == [kept]) }
        #expect(try await scene.world.number("SELECT count(*) FROM message_words WHERE word = 'secret'") == 0)
        #expect(try await scene.world.wordsCount() == 2)
    }

    @Test("What somebody has cleared isn't found by them, and its words are gone when all have cleared it")
    func cleared() async throws {
        let scene = try await Scene()
        for chat in [scene.chat, scene.group] {
            let before = try await scene.ana.write("Old oven", in: chat)
            let last = try await scene.bea.write("Older oven", in: chat)
            let rest = "&chat_id=\(chat)"
            try await scene.clear(chat, by: scene.ana)
            #expect(try await scene.ana.found("oven", rest).isEmpty)
            #expect(try await scene.bea.found("oven", rest) == [last, before])
            try await scene.world.work()
            #expect(try await scene.world.wordsCount() == 4)
            let after = try await scene.ana.write("New oven", in: chat)
            #expect(try await scene.ana.found("oven", rest) == [after])
            // Both have cleared the first two, and bea also the third.
            try await scene.clear(chat, by: scene.bea)
            if chat == scene.group { try await scene.clear(chat, by: scene.cleo) }
            try await scene.world.work()
            #expect(try await scene.world.wordsCount() == 2)
            #expect(try await scene.ana.found("oven", rest) == [after])
            try await scene.clear(chat, by: scene.ana)
            try await scene.world.work()
            #expect(try await scene.world.wordsCount() == 0)
        }
    }

    @Test("The words of a long chat that both have cleared are deleted step by step")
    func clearedStepByStep() async throws {
        let scene = try await Scene()
        let database = scene.world.tintype.database
        let (chat, ana) = (try #require(Int64(scene.chat)), scene.ana.id)
        try await database.write { transaction in
            for _ in 1...450 {
                let (id, number) = try ChatStore(transaction).newMessage(in: ID(rawValue: chat))
                try MessageStore(transaction).insert(
                    id, in: ID(rawValue: chat), number: number, from: ana, key: nil, text: "oven")
                try MessageWordStore(transaction).insert("oven", of: id, in: ID(rawValue: chat))
                try ChatStore(transaction).noteMessage(id, in: ID(rawValue: chat), from: ana, .chat)
            }
        }
        try await scene.clear(scene.chat, by: scene.ana)
        try await scene.clear(scene.chat, by: scene.bea)
        try await scene.world.work()
        #expect(try await scene.world.wordsCount() == 0)
    }

    @Test("When the only one who hadn't cleared a group leaves, its words are gone")
    func leftAfterClearing() async throws {
        let scene = try await Scene()
        _ = try await scene.ana.write("oven", in: scene.group)
        for person in [scene.ana, scene.bea] { try await scene.clear(scene.group, by: person) }
        try await scene.world.work()
        #expect(try await scene.world.wordsCount() == 1)
        _ = try await scene.cleo.delete("/api/v1/chats/\(scene.group)/members/\(scene.cleo.id)")
        try await scene.world.work()
        #expect(try await scene.world.wordsCount() == 0)
    }

    @Test("Who joins a group later doesn't find what was written before, and who left finds nothing")
    func joinedAndLeft() async throws {
        let scene = try await Scene()
        let before = try await scene.ana.write("oven", in: scene.group)
        let added = try await scene.ana.post(
            "/api/v1/chats/\(scene.group)/members", json: ["account_ids": .list([.text("\(scene.dora.id)")])])
        #expect(added.status == 200)
        let after = try await scene.bea.write("oven", in: scene.group)
        #expect(try await scene.dora.found("oven") == [after])
        #expect(try await scene.cleo.found("oven") == [after, before])
        let own = "/api/v1/chats/\(scene.group)/members/\(scene.cleo.id)"
        #expect(try await scene.cleo.delete(own).status == 200)
        #expect(try await scene.cleo.found("oven").isEmpty)
        #expect(try await scene.dora.found("oven") == [after])
        // Who comes back finds what is written from then on.
        let again = try await scene.ana.post(
            "/api/v1/chats/\(scene.group)/members", json: ["account_ids": .list([.text("\(scene.cleo.id)")])])
        #expect(again.status == 200)
        let last = try await scene.bea.write("oven", in: scene.group)
        #expect(try await scene.cleo.found("oven") == [last])
    }

    @Test("Requests are found when they are accepted, and not while they wait or are dropped")
    func requests() async throws {
        let scene = try await Scene()
        let eve = try await scene.world.account("eve")
        let chat = try await eve.chat(with: scene.ana)
        let message = try await eve.write("An oven to sell", in: chat)
        #expect(try await eve.found("oven") == [message])
        #expect(try await scene.ana.found("oven").isEmpty)
        try await scene.clear(chat, by: scene.ana)
        let second = try await eve.write("A cheap oven", in: chat)
        #expect(try await scene.ana.found("oven").isEmpty)
        _ = try await scene.ana.chat(with: eve)
        #expect(try await scene.ana.found("oven").isEmpty)
        #expect(try await scene.ana.post("/api/v1/chats/\(chat)/accept").status == 200)
        #expect(try await scene.ana.found("oven") == [second])
    }

    @Test("An invitation to a group isn't searched")
    func invitations() async throws {
        let scene = try await Scene()
        // Dora blocks cleo, so she is asked first.
        try await scene.dora.block(scene.cleo)
        let added = try await scene.ana.post(
            "/api/v1/chats/\(scene.group)/members", json: ["account_ids": .list([.text("\(scene.dora.id)")])])
        #expect(added.status == 200)
        let message = try await scene.ana.write("oven", in: scene.group)
        #expect(try await scene.dora.found("oven").isEmpty)
        #expect(try await scene.dora.post("/api/v1/chats/\(scene.group)/accept").status == 200)
        #expect(try await scene.dora.found("oven") == [message])
    }

    @Test(
        "A blocked person's messages aren't found: not in the chat of the two, and not in a group by who blocks them"
    )
    func blocked() async throws {
        let scene = try await Scene()
        let own = try await scene.ana.write("oven", in: scene.chat)
        let theirs = try await scene.bea.write("oven", in: scene.chat)
        let inGroup = try await scene.bea.write("oven", in: scene.group)
        let other = try await scene.cleo.write("oven", in: scene.group)
        #expect(try await scene.ana.found("oven") == [other, inGroup, theirs, own])
        try await scene.ana.block(scene.bea)
        #expect(try await scene.ana.found("oven") == [other])
        // Who is blocked finds in the group what it still shows.
        #expect(try await scene.bea.found("oven") == [other, inGroup])
        #expect(
            try await scene.ana.get("/api/v1/messages/search?q=oven&chat_id=\(scene.chat)").status == 404)
        #expect(try await scene.ana.found("oven", "&chat_id=\(scene.group)") == [other])
    }

    @Test("A suspended person's messages aren't found, until they are back")
    func suspended() async throws {
        let scene = try await Scene()
        let admin = try await scene.world.account("olga", isAdmin: true)
        let theirs = try await scene.bea.write("oven", in: scene.chat)
        let inGroup = try await scene.bea.write("oven", in: scene.group)
        let path = "/administration/accounts/\(scene.bea.id)"
        #expect(try await admin.submit("\(path)/suspend").status == 303)
        for person in [scene.ana, scene.cleo] { #expect(try await person.found("oven").isEmpty) }
        #expect(try await admin.submit("\(path)/restore").status == 303)
        #expect(try await scene.ana.found("oven") == [inGroup, theirs])
    }

    @Test("The words of an erased account's messages are gone, and those of others stay")
    func erased() async throws {
        let scene = try await Scene()
        _ = try await scene.ana.write("oven", in: scene.chat)
        _ = try await scene.bea.write("oven", in: scene.chat)
        _ = try await scene.bea.write("oven", in: scene.group)
        let kept = try await scene.ana.write("oven", in: scene.group)
        #expect(try await scene.bea.submit("/settings/delete", ["password": "correct horse"]).status == 303)
        scene.world.clock.advance(hours: 24 * 40)
        try await scene.world.work()
        #expect(try await scene.world.number("SELECT count(*) FROM accounts WHERE id = \(scene.bea.id)") == 0)
        #expect(try await scene.ana.found("oven") == [kept])
        #expect(try await scene.world.wordsCount() == 1)
    }

    @Test("The words of a group that everyone has left are gone")
    func leftByAll() async throws {
        let scene = try await Scene()
        _ = try await scene.ana.write("oven", in: scene.group)
        for person in [scene.ana, scene.bea, scene.cleo] {
            let path = "/api/v1/chats/\(scene.group)/members/\(person.id)"
            #expect(try await person.delete(path).status == 200)
        }
        try await scene.world.work()
        #expect(try await scene.world.wordsCount() == 0)
    }

    @Test("Pages follow each other through all chats without a gap, both ways, by the links of the answers")
    func pages() async throws {
        let scene = try await Scene()
        let other = try await scene.ana.chat(with: scene.cleo)
        var all: [String] = []
        for number in 0..<23 {
            let place = [scene.chat, scene.group, other, scene.chat][number % 4]
            all.insert(try await scene.ana.write("oven \(number)", in: place), at: 0)
            _ = try await scene.ana.write("kettle", in: place)
        }
        var path = "/api/v1/messages/search?q=oven&limit=5"
        var read: [String] = []
        var (pages, last) = (0, "")
        while pages < 9 {
            let answer = try await scene.ana.get(path)
            read += answer.json.list.compactMap { $0["id"].string }
            pages += 1
            let link = answer.headers[.link] ?? ""
            last = try #require(link.firstMatch(of: /<http:\/\/localhost([^>]*)>; rel="prev"/)).1.description
            guard let next = link.firstMatch(of: /<http:\/\/localhost([^>]*)>; rel="next"/) else { break }
            path = String(next.1)
        }
        #expect(read == all)
        #expect(pages == 5)
        // Upwards, from the last page.
        var above = try await scene.ana.get(last).json.list.compactMap { $0["id"].string }
        #expect(above == Array(all[15..<20]))
        above = try await scene.ana.found("oven", "&min_id=\(all[10])&limit=40")
        #expect(above == Array(all[..<10]))
        above = try await scene.ana.found("oven", "&since_id=\(all[10])&limit=3")
        #expect(above == Array(all[..<3]))
        above = try await scene.ana.found("oven", "&max_id=\(all[3])&min_id=\(all[8])&limit=3")
        #expect(above == Array(all[5..<8]))
    }

    @Test(
        "A page of words that are never together looks at a bounded number of messages, and the next goes on")
    func bounds() async throws {
        let scene = try await Scene()
        let (chat, ana) = (Chat.ID(rawValue: try #require(Int64(scene.chat))), scene.ana.id)
        let first = try await scene.ana.write("black cat", in: scene.chat)
        try await scene.world.tintype.database.write { transaction in
            for number in 1...6_300 {
                let id = Message.ID(rawValue: transaction.newID())
                try MessageStore(transaction).insert(
                    id, in: chat, number: 1 + number, from: ana, key: nil,
                    text: number % 2 == 0 ? "black" : "cat")
                try MessageWordStore(transaction).insert(number % 2 == 0 ? "black" : "cat", of: id, in: chat)
            }
        }
        let answer = try await scene.ana.get("/api/v1/messages/search?q=black%20cat")
        #expect(answer.json == .list([]))
        let link = answer.headers[.link] ?? ""
        let next = try #require(link.firstMatch(of: /<http:\/\/localhost([^>]*)>; rel="next"/))
        let further = try await scene.ana.get(String(next.1))
        #expect(further.json.list.map { $0["id"].string } == [first])
        // The page says that there may be more, and not that there is none.
        let page = try await scene.ana.visit("/messages?q=black+cat")
        #expect(page.shows("Show more") && !page.shows("No chat or message"))
    }

    @Test("Messages from before the server kept words are found, step by step")
    func fromBefore() async throws {
        let scene = try await Scene()
        let message = try await scene.ana.write("A kettle and an oven", in: scene.chat)
        let gone = try await scene.ana.write("secret kettle", in: scene.group)
        #expect(try await scene.ana.delete("/api/v1/chats/\(scene.group)/messages/\(gone)").status == 200)
        _ = try await scene.ana.sendOnce(in: scene.chat)
        let cleared = try await scene.ana.chat(with: scene.dora)
        _ = try await scene.ana.write("kettle", in: cleared)
        for person in [scene.ana, scene.dora] { try await scene.clear(cleared, by: person) }
        try await scene.world.work()
        let chat = Chat.ID(rawValue: try #require(Int64(scene.chat)))
        try await scene.world.tintype.database.write { [ana = scene.ana.id] transaction in
            for number in 1...450 {
                try MessageStore(transaction).insert(
                    ID(rawValue: transaction.newID()), in: chat, number: 100 + number, from: ana, key: nil,
                    text: "old")
            }
            try transaction.execute("DELETE FROM message_words")
            try transaction.execute(
                "INSERT INTO jobs (id, kind, payload, run_at) VALUES (56, 'find-message-words', '9223372036854775807', 0)"
            )
        }
        #expect(try await scene.ana.found("kettle").isEmpty)
        // A part again does no harm.
        try await scene.world.tintype.database.write {
            try $0.schedule(.findMessageWords, payload: "9223372036854775807")
        }
        try await scene.world.work()
        #expect(try await scene.ana.found("kettle") == [message])
        #expect(try await scene.world.number("SELECT count(*) FROM message_words WHERE word = 'old'") == 450)
        #expect(try await scene.world.wordsCount() == 455)
        let jobs = "SELECT count(*) FROM jobs WHERE kind = 'find-message-words'"
        #expect(try await scene.world.number(jobs) == 0)
    }

    /// A call that answers with what posts' other statuses find, as a search of statuses does.
    private struct StatusSearch: Feature {
        let others: Registry<OtherStatuses>

        func addRoutes(to router: Router<AppContext>) {
            router.get("api/v1/instance/found") { request, context in
                let text = Input.query(request).text("q")
                var found: [OtherStatuses.Found] = []
                for other in others.all { found += try await other.find(text, PageRequest(), context) }
                return Response.json(for: request) { $0.array(found) { $1.write(&$0) } }
            }
        }
    }

    @Test("Messages are found as the statuses that Mastodon's calls return")
    func asStatuses() async throws {
        let search = FeatureAddition(type: StatusSearch.self) { _, features in
            StatusSearch(others: features.posts.otherStatuses)
        }
        let world = try await World(adding: [search])
        let people = try await world.friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let chat = try await ana.chat(with: bea)
        let message = try await bea.write("An oven", in: chat)
        _ = try await ana.write("A kettle", in: chat)
        let found = try await ana.get("/api/v1/instance/found?q=oven").json.list
        #expect(found == [try await ana.get("/api/v1/statuses/\(message)").json])
        #expect(found.first?["visibility"] == "direct")
    }

    // MARK: Screens

    @Test(
        "The screen Messages finds chats by names, and messages by words, which lead to their place in the chat"
    )
    func screen() async throws {
        let scene = try await Scene()
        let message = try await scene.bea.write("Dinner at eight: <b>pasta</b> from the oven", in: scene.chat)
        let inGroup = try await scene.bea.write("Pasta?", in: scene.group)
        let page = try await scene.ana.visit("/messages?q=pasta")
        #expect(page.shows("/messages/\(scene.chat)?message=\(message)#found"))
        #expect(page.shows("/messages/\(scene.group)?message=\(inGroup)#found"))
        #expect(page.shows("&lt;b&gt;<mark>pasta</mark>&lt;/b&gt; from the oven"))
        #expect(page.shows("Bea: <mark>Pasta</mark>?"))
        #expect(try await scene.ana.visit("/messages?q=bea").shows("/messages/\(scene.chat)\""))
        #expect(try await scene.ana.visit("/messages?q=noodles").shows("No chat or message with “noodles”."))
        let one = try await scene.ana.visit("/messages/\(scene.group)/search?q=pasta")
        #expect(one.shows("?message=\(inGroup)#found") && !one.shows("?message=\(message)#found"))
        #expect(
            try await scene.ana.visit("/messages/\(scene.group)/search?q=noodles")
                .shows("No message with “noodles” in this chat."))
        #expect(try await scene.ana.visit("/messages/search?q=noodles").shows("No message with “noodles”."))
        #expect(try await scene.ana.visit("/messages/\(scene.chat)").shows("/messages/\(scene.chat)/search"))
    }

    @Test("A chat opens at a message, with those before and after it, and leads both ways")
    func opensAtMessage() async throws {
        let scene = try await Scene()
        var all: [String] = []
        for number in 1...70 { all.append(try await scene.ana.write("number \(number).", in: scene.chat)) }
        let path = "/messages/\(scene.chat)"
        let page = try await scene.bea.visit("\(path)?message=\(all[34])")
        #expect(page.shows("id=\"found\"") && page.shows("data-later"))
        #expect(page.shows("number 35.") && page.shows("number 21.") && page.shows("number 50."))
        #expect(!page.shows("number 20.") && !page.shows("number 51."))
        #expect(page.shows("\(path)?max_id=\(all[20])") && page.shows("\(path)?min_id=\(all[49])"))
        let later = try await scene.bea.visit("\(path)?min_id=\(all[49])")
        #expect(later.shows("number 51.") && later.shows("number 70.") && !later.shows("number 50."))
        #expect(!later.shows("data-later"))
        // At the newest message, the page is as when the chat is opened.
        let newest = try await scene.bea.visit("\(path)?message=\(all[69])")
        #expect(newest.shows("number 70.") && !newest.shows("data-later"))
        // A message that the chat doesn't show isn't marked.
        let other = try await scene.ana.write("elsewhere", in: scene.group)
        #expect(try await !scene.bea.visit("\(path)?message=\(other)").shows("id=\"found\""))
    }

    @Test(
        "The words around the first match are cut at whole words, and the match is as it was written",
        arguments: [
            ("An oven", "oven", "An ", "oven", ""),
            ("Crème brûlée, then", "brulee", "Crème ", "brûlée", ", then"),
            ("one\ntwo\nthree", "two", "one ", "two", " three"),
            ("日本語を話す", "話", "日本語を", "話", "す"),
            (
                "It was a dark and stormy night when the oven broke", "oven", "…stormy night when the ",
                "oven",
                " broke"
            ),
            ("Nothing of it", "oven", "", "", "Nothing of it"),
        ])
    func excerpt(text: String, word: String, start: String, match: String, rest: String) {
        let excerpt = MessageExcerpt(of: text, around: SearchWords.words(ofQuery: word))
        #expect(excerpt.start == start)
        #expect(excerpt.match == match)
        #expect(excerpt.rest == rest)
    }
}
