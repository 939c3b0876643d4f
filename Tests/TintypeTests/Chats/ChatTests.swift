import Foundation
import HTTPTypes
import Testing

@testable import Core
@testable import Feeds
@testable import Serving
@testable import Tintype

@Suite("Chats")
struct ChatTests {
    /// The id of the chat of two people.
    private func chat(_ one: Person, _ other: Person) async throws -> String {
        let answer = try await one.post("/api/v1/chats", json: ["account_id": "\(other.id)"])
        try #require(answer.status == 200)
        return try #require(answer["id"].string)
    }

    private func say(_ text: String, _ person: Person, _ chat: String, key: String? = nil) async throws
        -> Answer
    {
        try await person.post(
            "/api/v1/chats/\(chat)/messages", json: ["text": "\(text)"],
            headers: key.map { [.idempotencyKey: $0] } ?? [:])
    }

    @Test("Two friends write to each other, in the order of ids")
    func writing() async throws {
        let people = try await World().friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let id = try await chat(ana, bea)
        #expect(try await chat(bea, ana) == id)
        for (index, person) in [ana, bea, ana].enumerated() {
            #expect(try await say("\(index)", person, id).status == 201)
        }
        let history = try await bea.get("/api/v1/chats/\(id)/messages")
        #expect(history.json.list.map { $0["text"].string } == ["2", "1", "0"])
        #expect(history.json.list.map { $0["number"].int } == [3, 2, 1])
        #expect(try await bea.get("/api/v1/chats").json.list.first?["unread_count"].int == 2)
    }

    @Test("A key makes one message for ever, also after it was deleted")
    func keys() async throws {
        let clock = TestClock()
        let world = try await World(clock: clock)
        let people = try await world.friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let id = try await chat(ana, bea)
        let first = try await say("Once", ana, id, key: "k")
        clock.advance(hours: 24 * 365)
        let again = try await say("Twice", ana, id, key: "k")
        #expect(again["id"].string == first["id"].string)
        #expect(again["text"].string == "Once")
        let message = try #require(first["id"].string)
        #expect(try await ana.send(.delete, "/api/v1/chats/\(id)/messages/\(message)").status == 200)
        #expect(try await say("Thrice", ana, id, key: "k").status == 410)
        #expect(try await bea.get("/api/v1/chats/\(id)/messages").json.list.isEmpty)
        // Someone else's key is their own.
        #expect(try await say("Mine", bea, id, key: "k").status == 201)
    }

    @Test("Many sends with one key at the same moment make one message")
    func simultaneousKeys() async throws {
        let people = try await World().friends("ana", "bea")
        let id = try await chat(people[0], people[1])
        let ids = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<20 {
                group.addTask { try await say("Hello", people[0], id, key: "same")["id"].string }
            }
            return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
        #expect(try await people[1].get("/api/v1/chats/\(id)/messages").json.list.count == 1)
    }

    @Test("Somebody who isn’t a friend asks first; the marks of a request stay hidden until it is taken")
    func requests() async throws {
        let world = try await World()
        let (ana, cleo) = (try await world.account("ana"), try await world.account("cleo"))
        let id = try await chat(cleo, ana)
        let message = try #require(try await say("Hi?", cleo, id)["id"].string)
        #expect(try await ana.get("/api/v1/chats").json.list.isEmpty)
        #expect(try await ana.get("/api/v1/chats?requests=true").json.list.count == 1)
        #expect(try await ana.get("/api/v1/chats/\(id)/messages").json.list.count == 1)
        _ = try await ana.post("/api/v1/chats/\(id)/read", json: ["last_read_id": "\(message)"])
        #expect(try await cleo.get("/api/v1/chats/\(id)")["peer"]["last_read_id"].string == "0")
        #expect(try await cleo.get("/api/v1/chats").json[0]["peer"]["last_read_id"].string == "0")
        #expect(try await ana.post("/api/v1/chats/\(id)/accept").status == 200)
        #expect(try await ana.get("/api/v1/chats").json.list.count == 1)
        #expect(try await cleo.get("/api/v1/chats/\(id)")["peer"]["last_read_id"].string == message)
        #expect(try await cleo.get("/api/v1/chats").json[0]["peer"]["last_read_id"].string == message)
    }

    @Test("A request that is dropped stays away, and its sender can't write without end")
    func droppedRequests() async throws {
        let world = try await World()
        let (ana, cleo) = (try await world.account("ana"), try await world.account("cleo"))
        let id = try await chat(cleo, ana)
        for number in 0..<MessageRules.requestLength {
            #expect(try await say("\(number)", cleo, id).status == 201)
        }
        #expect(try await say("One more", cleo, id).status == 422)
        // Deleting makes no room: each message came to her.
        let newest = try #require(
            try await cleo.get("/api/v1/chats/\(id)/messages").json[0]["id"].string)
        #expect(try await cleo.delete("/api/v1/chats/\(id)/messages/\(newest)").status == 200)
        #expect(try await say("One more", cleo, id).status == 422)
        #expect(try await ana.send(.delete, "/api/v1/chats/\(id)").status == 200)
        #expect(try await ana.get("/api/v1/chats?requests=true").json.list.isEmpty)
        #expect(try await ana.get("/api/v1/chats/\(id)/messages").json.list.isEmpty)
        #expect(try await cleo.get("/api/v1/chats/\(id)/messages").json.list.count == 19)
    }

    /// How somebody takes up a request that they have dropped.
    enum TakingUp: CaseIterable {
        case writing, following, opening
    }

    @Test(
        "A dropped request stays away, whatever is written, until it is taken up",
        arguments: TakingUp.allCases)
    func takenUp(by way: TakingUp) async throws {
        let world = try await World()
        let (ana, cleo) = (try await world.account("ana"), try await world.account("cleo"))
        let id = try await chat(cleo, ana)
        #expect(try await say("Hi?", cleo, id).status == 201)
        #expect(try await ana.delete("/api/v1/chats/\(id)").status == 200)
        #expect(try await say("Please?", cleo, id).status == 201)
        let sent = try await say("Hello?", cleo, id)
        // Deleting a message counts the others again.
        _ = try await cleo.delete("/api/v1/chats/\(id)/messages/\(sent["id"].string ?? "")")
        try await world.notify()
        #expect(try await cleo.get("/api/v1/chats").json[0]["last_message"]["text"] == "Please?")
        #expect(try await ana.get("/api/v1/chats?requests=true").json.list.isEmpty)
        #expect(try await ana.get("/api/v1/notifications?types[]=tintype.message_request").json.list.isEmpty)
        #expect(try await !ana.visit("/messages").shows("Requests · "))
        #expect(try await world.tintype.problems() == [])
        switch way {
        case .writing: #expect(try await say("Who are you?", ana, id).status == 201)
        case .following:
            try await ana.follow(cleo)
            #expect(try await say("Thank you", cleo, id).status == 201)
        case .opening: #expect(try await chat(ana, cleo) == id)
        }
        let list = try await ana.get("/api/v1/chats?requests=\(way != .writing)").json
        let (unread, last) =
            switch way {
            case .writing: (1, "Who are you?")
            case .following: (2, "Thank you")
            case .opening: (1, "Please?")
            }
        #expect(list[0]["unread_count"].int == unread && list[0]["last_message"]["text"] == .text(last))
        #expect(try await world.tintype.problems() == [])
    }

    @Test("A text is as long as its code points, however few characters they look like")
    func length() async throws {
        let people = try await World().friends("ana", "bea")
        let id = try await chat(people[0], people[1])
        let marks = String(repeating: "\u{301}", count: MessageRules.textLength)
        #expect(try await say("e" + marks, people[0], id).status == 422)
        #expect(try await say(marks, people[0], id).status == 201)
    }

    @Test("New message finds everyone one follows, however many others have such a name")
    func newMessage() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        for number in 100..<220 {
            let kim = try await world.account("kim\(number)", displayName: "Kim")
            // So many that there is a second page.
            if number >= 180 { try await ana.follow(kim) }
        }
        try await ana.follow(try await world.account("zoe", displayName: "Zoe Kim"))
        let first = try await ana.visit("/messages/new?q=kim")
        #expect(!first.shows("kim179") && first.shows("@kim180") && first.shows("@kim219"))
        #expect(first.shows("q=kim&amp;after=kim219") && !first.shows("@zoe"))
        #expect(try await ana.visit("/messages/new?q=kim&after=kim219").shows("@zoe"))
        #expect(try await ana.visit("/messages/new?q=zoe").shows("@zoe"))
    }

    @Test("New message begins with recent chats, the others follow by name, page by page")
    func newMessageOrder() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        var people: [Person] = []
        // By name the other way round than by username.
        for number in 100..<150 {
            let person = try await world.account("p\(number)", displayName: "Name \(300 - number)")
            try await ana.follow(person)
            people.append(person)
        }
        // Somebody who isn't followed, and somebody who has only asked.
        let stranger = try await world.account("stranger")
        _ = try await ana.write("Hi?", in: try await ana.chat(with: stranger))
        _ = try await people[3].write("Hi?", in: try await people[3].chat(with: ana))
        for index in [20, 7] { _ = try await ana.write("Hello", in: try await ana.chat(with: people[index])) }
        func listed(_ page: Answer) -> [String] {
            page.text.matches(of: #/href="/messages/@(p\d+)"/#).map { String($0.1) }
        }
        let first = try await ana.visit("/messages/new")
        #expect(Array(listed(first).prefix(3)) == ["p107", "p120", "p149"])
        #expect(!first.shows("@stranger"))
        let next = try #require(first.text.firstMatch(of: #/rel="next"[^>]*href="([^"]+)"/#)?.1)
        let second = try await ana.visit(String(next).replacing("&amp;", with: "&"))
        let all = listed(first) + listed(second)
        #expect(all.count == 50 && Set(all).count == 50)
        let rest = (100..<150).map { "p\($0)" }.filter { !["p107", "p120"].contains($0) }
        #expect(all == ["p107", "p120"] + rest.reversed())
        #expect(listed(try await ana.visit("/messages/new?q=name+18")).first == "p120")
    }

    @Test("Blocking ends everything between the two, pictures too")
    func blocking() async throws {
        let people = try await World().friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let id = try await chat(ana, bea)
        let photo = try await ana.photo()
        _ = try await ana.post("/api/v1/chats/\(id)/messages", json: ["photo_id": "\(photo)"])
        #expect(try await bea.get("/photos/\(photo)/large").status == 200)
        _ = try await ana.post("/api/v1/accounts/\(bea.id)/block")
        for person in [ana, bea] {
            #expect(try await person.get("/api/v1/chats/\(id)").status == 404)
            #expect(try await person.get("/api/v1/chats").json.list.isEmpty)
            #expect(try await person.get("/api/v1/timelines/between").json.list.isEmpty)
        }
        #expect(try await bea.get("/photos/\(photo)/large").status == 404)
        #expect(try await say("Please", bea, id).status == 404)
    }

    @Test("A photo is saved once, as a copy that stays when the message goes")
    func saving() async throws {
        let people = try await World().friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let id = try await chat(ana, bea)
        let photo = try await ana.photo()
        let sent = try await ana.post("/api/v1/chats/\(id)/messages", json: ["photo_id": "\(photo)"])
        let message = try #require(sent["id"].string)
        let saves = [
            try await bea.post("/api/v1/chats/\(id)/messages/\(message)/save"),
            try await bea.post("/api/v1/chats/\(id)/messages/\(message)/save"),
        ]
        #expect(saves[0]["kind"].string == "saved")
        #expect(saves[0]["id"].string == saves[1]["id"].string)
        let copy = try #require(saves[0]["id"].string)
        #expect(try await ana.send(.delete, "/api/v1/photos/\(photo)?force=true").status == 200)
        #expect(try await bea.get("/api/v1/chats/\(id)/messages").json.list.isEmpty)
        #expect(try await bea.get("/photos/\(copy)/large").status == 200)
        #expect(try await ana.get("/photos/\(copy)/large").status == 404)
    }

    @Test("The private feed holds what the two exchanged, and counts their messages")
    func privateFeed() async throws {
        let people = try await World().friends("ana", "bea", "cleo")
        let id = try await chat(people[0], people[1])
        _ = try await say("Look", people[0], id)
        let photo = try await people[0].photo()
        _ = try await people[0].post("/api/v1/chats/\(id)/messages", json: ["photo_id": "\(photo)"])
        for person in people[...1] {
            let feed = try await person.get("/api/v1/timelines/between").json.list
            #expect(feed.count == 1)
            #expect(feed.first?["sender"]["username"].string == "ana")
            #expect(feed.first?["recipient"]["username"].string == "bea")
            #expect(feed.first?["messages_count"].int == 2)
            let listed = try await person.get("/api/v1/chats").json[0]
            #expect(listed["last_message"]["photo"]["id"] == .text(photo))
            #expect(listed["messages_count"] == 2)
        }
        #expect(try await people[2].get("/api/v1/timelines/between").json.list.isEmpty)
    }

    @Test(
        "Up to three emoji and nothing else are shown large",
        arguments: [
            ("🎉", true), ("❤️👍🏽", true), ("👩‍👩‍👧", true), ("🎉🎉🎉🎉", false), ("1", false), ("ok 🎉", false),
            ("", false),
        ])
    func emoji(text: String, isLarge: Bool) {
        #expect(MessageRules.isEmojiOnly(text) == isLarge)
    }
}
