import Foundation
import HTTPTypes
import NIOCore
import Storage
import Synchronization
import Testing

@testable import Core
@testable import Feeds
@testable import People
@testable import Serving
@testable import Tintype

extension Person {
    fileprivate func chat(_ id: String) async throws -> JSON { try await get("/api/v1/chats/\(id)").json }

    fileprivate func history(_ id: String) async throws -> [JSON] {
        try await get("/api/v1/chats/\(id)/messages?limit=40").json.list.reversed()
    }

    /// What happened in a group, in words, oldest first.
    fileprivate func events(_ id: String) async throws -> [String] {
        try await history(id).compactMap { $0["event"]["words"].string }
    }

    fileprivate func badge() async throws -> Int {
        let account = try await account()
        return try await world.tintype.database.read {
            try world.tintype.features.chats.chats.unreadCount(of: account, $0)
        }
    }
}

extension World {
    /// Listens to the events of some people while something happens; what each of them received until `text`.
    fileprivate func receive(
        _ people: ArraySlice<Person>, until text: String,
        _ happens: @escaping @Sendable () async throws -> Void
    ) async throws -> [Account.ID: String] {
        try await live { try await Self.receive(people, from: $0, until: text, happens) }
    }

    private static func receive(
        _ people: ArraySlice<Person>, from server: LiveServer, until text: String,
        _ happens: @escaping @Sendable () async throws -> Void
    ) async throws -> [Account.ID: String] {
        guard let first = people.first else {
            try await happens()
            return [:]
        }
        return try await server.connect { stream in
            try await stream.get("/api/v1/events", as: first)
            let others = Mutex<[Account.ID: String]>([:])
            let own = try await stream.read(
                until: "tintype.counts",
                then: {
                    let found = try await receive(people.dropFirst(), from: server, until: text, happens)
                    others.withLock { $0 = found }
                }, until: text)
            return others.withLock { $0.merging([first.id: own]) { $1 } }
        }
    }
}

@Suite("Groups")
struct GroupTests {
    /// Four friends, three of whom are in a group of the first.
    private struct Scene {
        let world: World
        let ana: Person
        let bea: Person
        let cleo: Person
        let dora: Person
        let group: String

        init(title: String = "Pizza or ramen?") async throws {
            world = try await World()
            let people = try await world.friends("ana", "bea", "cleo", "dora")
            (ana, bea, cleo, dora) = (people[0], people[1], people[2], people[3])
            group = try await ana.group(with: bea, cleo, title: title)
        }

        /// Lets ana send a picture to be seen once, and bea look at it.
        func showOnceToBea() async throws {
            let message = try await ana.sendOnce(in: group)
            _ = try await bea.open(message, in: group)
            let close = try await bea.post("/api/v1/chats/\(group)/messages/\(message)/close")
            #expect(close.status == 204)
        }
    }

    @Test("A person can be in a thousand groups, and then is neither added nor makes another")
    func mostGroups() async throws {
        let scene = try await Scene()
        let (ana, bea, cleo) = (scene.ana, scene.bea, scene.cleo)
        try await scene.world.tintype.database.write { transaction in
            for _ in 1..<GroupRules.mostGroups {
                let chat = transaction.newID()
                try transaction.execute("INSERT INTO chats (id, is_group) VALUES ($1, 1)", chat)
                try transaction.execute(
                    "INSERT INTO chat_members (chat_id, account_id, is_request, joined_at) VALUES ($1, $2, 0, 0)",
                    chat, bea.id)
            }
        }
        for (maker, other) in [(ana, bea), (bea, ana)] {
            let refused = try await maker.post(
                "/api/v1/chats",
                json: ["account_ids": [.text("\(other.id)"), .text("\(cleo.id)")], "title": "Too many"])
            #expect(refused.status == 422 && refused.text.contains("too many groups"), "\(refused.text)")
        }
        // Out of one, there is room again.
        #expect(try await bea.delete("/api/v1/chats/\(scene.group)/members/\(bea.id)").status == 200)
        _ = try await ana.group(with: bea, cleo, title: "Again")
    }

    @Test("A group that is made twice with one key, or by one form, is one group")
    func madeTwice() async throws {
        let scene = try await Scene()
        let people: JSON = .list([.text("\(scene.bea.id)"), .text("\(scene.cleo.id)")])
        func make() async throws -> String? {
            try await scene.ana.post(
                "/api/v1/chats", json: ["account_ids": people, "title": "Once"],
                headers: [.idempotencyKey: "k"])["id"].string
        }
        let made = try await make()
        #expect(try await make() == made && made != nil)
        let form: KeyValuePairs = [
            "to": "\(scene.bea.id)", "to": "\(scene.cleo.id)", "title": "By form", "key": "typed",
        ]
        let (first, second) = (
            try await scene.ana.submit("/messages/new/group", form),
            try await scene.ana.submit("/messages/new/group", form)
        )
        #expect(first.status == 303 && first.headers[.location] == second.headers[.location])
        #expect(try await scene.ana.get("/api/v1/chats").json.list.count == 3)
        _ = try await scene.ana.delete("/api/v1/chats/\(made ?? "")/members/\(scene.ana.id)")
        #expect(
            try await scene.ana.post(
                "/api/v1/chats", json: ["account_ids": people], headers: [.idempotencyKey: "k"]
            ).status == 410)
    }

    @Test("A group has a name, an owner and members, and is at the top of everyone's list")
    func making() async throws {
        let scene = try await Scene()
        for person in [scene.ana, scene.bea, scene.cleo] {
            let chat = try #require(try await person.get("/api/v1/chats").json.list.first)
            #expect(chat["id"].string == scene.group)
            #expect(chat["kind"] == "group" && chat["title"] == "Pizza or ramen?")
            #expect(chat["account"] == nil && chat["peer"] == nil && chat["request"] == false)
            #expect(chat["owner_id"].string == "\(scene.ana.id)")
            #expect(chat["members"].list.map { $0["account"]["username"] } == ["ana", "bea", "cleo"])
        }
        #expect(try await scene.bea.events(scene.group) == ["Ana made “Pizza or ramen?”"])
        #expect(try await scene.ana.events(scene.group) == ["You made “Pizza or ramen?”"])
        #expect(try await scene.dora.get("/api/v1/chats/\(scene.group)").status == 404)
        let two = try await scene.ana.chat(try await scene.ana.chat(with: scene.bea))
        #expect(two["kind"] == "two" && two["title"] == "Bea" && two["members"].list.isEmpty)
    }

    @Test("A group without a name is called by its members")
    func namesOfMembers() async throws {
        let scene = try await Scene(title: "")
        #expect(try await scene.bea.chat(scene.group)["title"] == "Ana, Cleo")
        let four = try await scene.ana.group(with: scene.bea, scene.cleo, scene.dora)
        #expect(try await scene.ana.chat(four)["title"] == "Bea, Cleo, Dora")
        #expect(try await scene.bea.visit("/messages").shows("Ana, Cleo, Dora"))
    }

    @Test("In lists, too, a group without a name is called by three members and how many more there are")
    func namesInLists() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "bea", "cleo", "dora", "eli", "fay")
        let group = try await people[0].group(
            with: people[1], people[2], people[3], people[4], people[5])
        let names = ["Bea, Cleo, Dora and 2 more", "Ana, Bea, Cleo and 2 more"]
        for (person, name) in zip([people[0], people[5]], names) {
            #expect(try await person.chat(group)["title"].string == name)
            let listed = try await person.get("/api/v1/chats").json.list
            #expect(listed.map { $0["title"].string } == [name])
            #expect(listed.first?["members"].list.count == 6)
            for page in ["/messages", "/messages/\(group)"] {
                #expect(try await person.visit(page).shows(name), "\(page) of \(name)")
            }
        }
    }

    @Test("Only friends can be added, at least two of them, and a name has a limit")
    func refusals() async throws {
        let scene = try await Scene()
        let eli = try await scene.world.account("eli")
        try await scene.ana.follow(eli)
        func make(_ people: [Person], title: String = "") async throws -> Int {
            let ids = people.map { JSON.text("\($0.id)") }
            return try await scene.ana.post(
                "/api/v1/chats", json: ["account_ids": .list(ids), "title": .text(title)]
            ).status
        }
        #expect(try await make([scene.bea]) == 422)
        #expect(try await make([scene.bea, scene.ana]) == 422)
        #expect(try await make([scene.bea, eli]) == 422)
        #expect(try await make([scene.bea, scene.cleo], title: String(repeating: "x", count: 61)) == 422)
        #expect(try await make([scene.bea, scene.cleo], title: String(repeating: "x", count: 60)) == 200)
        let add = "/api/v1/chats/\(scene.group)/members"
        #expect(try await scene.ana.post(add, json: ["account_ids": ["\(eli.id)"]]).status == 422)
        #expect(try await scene.dora.post(add, json: ["account_ids": ["\(scene.ana.id)"]]).status == 404)
        let two = try await scene.ana.chat(with: scene.bea)
        let there = "/api/v1/chats/\(two)/members"
        #expect(try await scene.ana.post(there, json: ["account_ids": ["\(scene.cleo.id)"]]).status == 404)
    }

    @Test("A group has at most fifty people")
    func most() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        var people: [Person] = []
        for number in 0..<50 {
            let person = try await world.account("friend\(number)")
            try await ana.follow(person)
            try await person.follow(ana)
            people.append(person)
        }
        func make(_ count: Int) async throws -> Answer {
            let ids = people.prefix(count).map { JSON.text("\($0.id)") }
            return try await ana.post("/api/v1/chats", json: ["account_ids": .list(ids)])
        }
        #expect(try await make(50).status == 422)
        let made = try await make(49)
        #expect(made.status == 200 && made["members"].list.count == 50)
        let id = try #require(made["id"].string)
        let more: JSON = ["account_ids": ["\(people[49].id)"]]
        #expect(try await ana.post("/api/v1/chats/\(id)/members", json: more).status == 422)
        // By the form of the page, too, which leaves nobody out in silence.
        func submit(_ people: some Sequence<Person>, to path: String) async throws -> Answer {
            try await ana.submit(path, multipart: people.map { .text("to", "\($0.id)") })
        }
        #expect(try await submit(people, to: "/messages/new/group").status == 422)
        let page = try #require(
            try await submit(people.prefix(30), to: "/messages/new/group").headers[.location])
        let second = String(page.dropFirst("/messages/".count))
        #expect(try await ana.chat(second)["members"].list.count == 31)
        #expect(try await submit(people.suffix(20), to: "/messages/\(second)/group/add").status == 303)
        #expect(try await ana.chat(second)["members"].list.count == 31, "one too many adds nobody")
        let rest = people.dropFirst(30).prefix(19)
        #expect(try await submit(rest, to: "/messages/\(second)/group/add").status == 303)
        #expect(try await ana.chat(second)["members"].list.count == 50)
        // Sending writes as few rows as in a small group.
        let counts = "SELECT count(*) FROM chat_members WHERE unread_count > 0 OR last_message_id > 0"
        _ = try await ana.write("Hello, all of you", in: id)
        #expect(try await world.number(counts) == 0)
        #expect(try await people[7].chat(id)["unread_count"] == 2)
    }

    @Test("Everyone gets what each writes, under gapless numbers, and what they haven't read is counted")
    func writing() async throws {
        let scene = try await Scene()
        let (ana, bea, cleo, group) = (scene.ana, scene.bea, scene.cleo, scene.group)
        for (text, person) in [("one", ana), ("two", bea), ("three", cleo), ("four", ana)] {
            _ = try await person.write(text, in: group)
        }
        let history = try await bea.history(group)
        #expect(history.map { $0["number"] } == [1, 2, 3, 4, 5])
        #expect(history.dropFirst().map { $0["text"] } == ["one", "two", "three", "four"])
        #expect(history[1]["account"]["username"] == "ana" && history[3]["account"]["username"] == "cleo")
        #expect(try await ana.chat(group)["unread_count"] == 2)
        #expect(try await bea.chat(group)["unread_count"] == 4)
        #expect(try await cleo.badge() == 4)
        try await bea.read(through: try #require(history[2]["id"].string), in: group)
        #expect(try await bea.chat(group)["unread_count"] == 2)
        #expect(try await bea.badge() == 2)
        // A deleted message isn't unread any more.
        let last = try #require(history[4]["id"].string)
        #expect(try await bea.delete("/api/v1/chats/\(group)/messages/\(last)").status == 404)
        #expect(try await ana.delete("/api/v1/chats/\(group)/messages/\(last)").status == 200)
        #expect(try await bea.chat(group)["unread_count"] == 1)
        #expect(try await cleo.chat(group)["last_message"]["text"] == "three")
        #expect(try await scene.world.tintype.problems() == [])
        let members = try await ana.chat(group)["members"].list
        #expect(
            members[1]["last_read_id"] == history[2]["id"] && members[2]["last_read_id"] != history[2]["id"])
    }

    @Test("Chats of two and of groups are one list, newest first, page by page, found by names")
    func list() async throws {
        let scene = try await Scene()
        let (ana, bea) = (scene.ana, scene.bea)
        var expected = [scene.group]
        for number in 0..<3 {
            let group = try await ana.group(with: bea, scene.dora, title: "Group \(number)")
            let two = try await ana.chat(with: [bea, scene.cleo, scene.dora][number])
            _ = try await ana.write("Hello", in: two)
            expected += [group, two]
        }
        _ = try await bea.write("Again", in: scene.group)
        expected = [scene.group] + expected.dropFirst().reversed()
        var listed: [String] = []
        var path = "/api/v1/chats?limit=2"
        while true {
            let page = try await ana.get(path).json.list
            listed += page.compactMap { $0["id"].string }
            guard page.count == 2, let last = page[1]["last_message"]["id"].string else { break }
            path = "/api/v1/chats?limit=2&max_id=\(last)"
        }
        #expect(listed == expected)
        let above = try #require(try await ana.get("/api/v1/chats").json.list[5]["last_message"]["id"].string)
        let two = try await ana.get("/api/v1/chats?limit=2&min_id=\(above)").json.list
        #expect(two.compactMap { $0["id"].string } == Array(expected[3...4]))
        func found(_ query: String) async throws -> Int {
            try await ana.get("/api/v1/chats?q=\(query)").json.list.count
        }
        #expect(try await found("ramen") == 1)
        #expect(try await found("group") == 3)
        #expect(try await found("dora") == 4)
        #expect(try await found("_") == 0)
        // A group that somebody deletes from their list is back with the next message.
        #expect(try await ana.delete("/api/v1/chats/\(scene.group)").status == 200)
        #expect(try await found("ramen") == 0)
        #expect(try await ana.history(scene.group).isEmpty)
        _ = try await bea.write("Still there?", in: scene.group)
        #expect(try await ana.history(scene.group).map { $0["text"] } == ["Still there?"])
        #expect(try await scene.world.tintype.problems() == [])
    }

    @Test("New members see what comes from then on; what happens is between the messages")
    func members() async throws {
        let scene = try await Scene()
        let (ana, bea, cleo, dora, group) = (scene.ana, scene.bea, scene.cleo, scene.dora, scene.group)
        _ = try await ana.write("Before", in: group)
        let path = "/api/v1/chats/\(group)/members"
        let added = try await bea.post(path, json: ["account_ids": ["\(dora.id)", "\(ana.id)"]])
        #expect(added.status == 200 && added["members"].list.count == 4)
        _ = try await ana.write("After", in: group)
        #expect(try await dora.history(group).map { $0["text"] } == ["", "After"])
        #expect(try await dora.events(group) == ["Bea added you"])
        #expect(try await dora.chat(group)["unread_count"] == 2)
        // Only the owner removes people.
        #expect(try await bea.delete("\(path)/\(cleo.id)").status == 409)
        #expect(try await ana.delete("\(path)/\(cleo.id)").status == 200)
        #expect(try await ana.delete("\(path)/\(cleo.id)").status == 404)
        for url in ["", "/messages"] {
            #expect(try await cleo.get("/api/v1/chats/\(group)\(url)").status == 404)
        }
        #expect(try await cleo.get("/api/v1/chats").json.list.isEmpty)
        #expect(try await cleo.post("/api/v1/chats/\(group)/messages", json: ["text": "x"]).status == 404)
        // The owner passes it on to the member who has been in it longest.
        #expect(try await ana.delete("\(path)/\(ana.id)").status == 200)
        #expect(try await bea.chat(group)["owner_id"].string == "\(bea.id)")
        #expect(
            try await bea.events(group).suffix(3) == ["You added Dora", "Ana removed Cleo", "Ana left"])
        #expect(try await scene.world.tintype.problems() == [])
        // It goes with the last one.
        for person in [dora, bea] { _ = try await person.delete("\(path)/\(person.id)") }
        try await scene.world.work()
        #expect(try await scene.world.number("SELECT count(*) FROM chats") == 0)
    }

    @Test("Anyone names the group and chooses its picture")
    func naming() async throws {
        let scene = try await Scene()
        let path = "/api/v1/chats/\(scene.group)"
        let named = try await scene.bea.send(.patch, path, json: ["title": " Ramen it is "])
        #expect(named.status == 200 && named["title"] == "Ramen it is")
        _ = try await scene.bea.send(.patch, path, json: ["title": "Ramen it is"])
        let photo = try await scene.bea.photo()
        let pictured = try await scene.bea.send(.patch, path, json: ["picture_media_id": .text(photo)])
        #expect(pictured["picture_url"].string?.contains(photo) == true)
        #expect(try await scene.ana.get("/photos/\(photo)/square").status == 200)
        #expect(try await scene.dora.get("/photos/\(photo)/square").status == 404)
        #expect(
            try await scene.ana.send(.patch, path, json: ["picture_media_id": .text(photo)]).status == 422)
        #expect(
            try await scene.ana.events(scene.group).suffix(2) == [
                "Bea named the group “Ramen it is”", "Bea changed the group’s picture",
            ])
        #expect(try await scene.dora.send(.patch, path, json: ["title": "x"]).status == 404)
        let forced = try await scene.bea.delete("/api/v1/photos/\(photo)?force=true")
        #expect(forced.status == 200)
        #expect(try await scene.ana.chat(scene.group)["picture_url"] == nil)
        #expect(try await scene.ana.send(.patch, path, json: ["title": ""])["title"] == "Bea, Cleo")
    }

    @Test("The pages show the group, its members and what is refused")
    func pages() async throws {
        let scene = try await Scene()
        let (ana, bea, group) = (scene.ana, scene.bea, scene.group)
        let form = try await ana.visit("/messages/new/group")
        #expect(form.shows("Make group") && form.shows("Dora"))
        let made = try await ana.send(
            .post, "/messages/new/group", headers: Self.form,
            body: .init(string: "title=Again&to=\(bea.id)&to=\(scene.dora.id)"))
        #expect(made.status == 303)
        let refused = try await ana.send(
            .post, "/messages/new/group", headers: Self.form, body: .init(string: "title=Alone&to=\(bea.id)"))
        #expect(
            refused.status == 422 && refused.shows("Choose at least two friends.") && refused.shows("Alone"))
        _ = try await bea.write("Hello", in: group)
        let thread = try await ana.visit("/messages/\(group)")
        #expect(thread.shows("You made “Pizza or ramen?”") && thread.shows("data-from=\"\(bea.id)\""))
        #expect(try await ana.visit("/messages/\(group)/group").shows("Owner"))
        #expect(try await ana.submit("/messages/\(group)/group", ["title": "Ramen"]).status == 303)
        #expect(
            try await ana.submit("/messages/\(group)/group", ["title": String(repeating: "x", count: 61)])
                .status == 422)
        #expect(try await ana.visit("/messages/\(group)/group/add").shows("Dora"))
        #expect(
            try await ana.submit("/messages/\(group)/group/add", ["to": "\(scene.dora.id)"]).status == 303)
        #expect(try await scene.dora.visit("/messages/\(group)").shows("Ana added you"))
        let picture = try await ana.send(
            .post, "/messages/\(group)/group/picture",
            multipart: [.file("file", try await TestPicture.jpeg())])
        #expect(picture.status == 303)
        #expect(try await ana.submit("/messages/\(group)/group/remove/\(bea.id)").status == 303)
        #expect(try await bea.visit("/messages/\(group)").status == 404)
        #expect(try await scene.cleo.submit("/messages/\(group)/group/leave").status == 303)
        for page in ["group", "group/add"] {
            let two = try await ana.chat(with: scene.dora)
            #expect(try await ana.visit("/messages/\(two)/\(page)").status == 404)
        }
    }

    private static let form: HTTPFields = [
        .contentType: "application/x-www-form-urlencoded", .accept: "text/html",
    ]

    @Test("Replies, reactions and read marks name the people of a group")
    func answers() async throws {
        let scene = try await Scene()
        let (ana, bea, cleo, group) = (scene.ana, scene.bea, scene.cleo, scene.group)
        let message = try await ana.write("Seven?", in: group)
        let path = "/api/v1/chats/\(group)/messages"
        _ = try await cleo.post(path, json: ["text": "Eight", "reply_to_id": .text(message)])
        for person in [bea, cleo] {
            let answer = try await person.send(.put, "\(path)/\(message)/reaction", json: ["emoji": "👍"])
            #expect(answer.status == 200)
        }
        let shown = try await ana.get("\(path)/\(message)")
        #expect(shown["reactions"].list.map { $0["account_id"].string } == ["\(bea.id)", "\(cleo.id)"])
        let page = try await bea.visit("/messages/\(group)")
        #expect(page.shows("👍 from you and Cleo") && page.shows("👍 2"))
        #expect(page.shows("<b>Ana</b>"), "the quote names its author")
        #expect(try await ana.visit("/messages/\(group)").shows("Sent"))
        try await bea.read(through: message, in: group)
        #expect(try await ana.visit("/messages/\(group)").shows("Seen by 1"))
        // Without scripts, the line leads to who they are.
        let options = try await ana.visit("/messages/\(group)/\(message)/options")
        #expect(options.shows("Seen by") && options.shows("@bea") && !options.shows("@cleo"))
        #expect(try await !bea.visit("/messages/\(group)/\(message)/options").shows("Seen by"))
        // Who joins later hasn't got it.
        scene.world.clock.advance(seconds: 60)
        let added = try await ana.post(
            "/api/v1/chats/\(group)/members", json: ["account_ids": [.text("\(scene.dora.id)")]])
        #expect(added.status == 200, "\(added.text)")
        #expect(try await ana.visit("/messages/\(group)").shows("Seen by 1"))
        #expect(try await !ana.visit("/messages/\(group)/\(message)/options").shows("@dora"))
        let event = try #require(try await bea.history(group)[0]["id"].string)
        #expect(try await bea.send(.put, "\(path)/\(event)/reaction", json: ["emoji": "👍"]).status == 404)
        #expect(try await ana.delete("\(path)/\(event)").status == 404)
    }

    @Test("A view-once photo is seen once by each member, and erased when all have seen it")
    func once() async throws {
        let scene = try await Scene()
        let (ana, bea, cleo, group) = (scene.ana, scene.bea, scene.cleo, scene.group)
        let message = try await ana.sendOnce(in: group)
        let path = "/api/v1/chats/\(group)/messages/\(message)"
        func pictures() async throws -> Int {
            try await scene.world.number("SELECT count(*) FROM once_pictures")
        }
        for (person, left) in [(bea, 1), (cleo, 0)] {
            #expect(try await person.get(path)["opened"] == false)
            let look = try await person.open(message, in: group)
            #expect(look.status == 200)
            #expect(try await person.get(look.viewPath).status == 200)
            #expect(try await ana.get(look.viewPath).status == 404)
            #expect(try await person.post("\(path)/close").status == 204)
            #expect(try await person.get(look.viewPath).status == 404)
            #expect(try await person.open(message, in: group).status == 410)
            #expect(try await person.get(path)["opened"] == true)
            #expect(try await pictures() == left)
        }
        #expect(try await ana.get(path)["opened_by"].list.count == 2)
        #expect(try await ana.visit("/messages/\(group)").shows("Opened by 2"))
        let options = try await ana.visit("/messages/\(group)/\(message)/options")
        #expect(options.shows("Opened by") && options.shows("@bea") && options.shows("@cleo"))
        #expect(try await !bea.visit("/messages/\(group)").shows("Opened by"))
        // A picture that not all have opened is erased at its end, and is expired for those.
        let other = try await ana.sendOnce(in: group)
        _ = try await bea.open(other, in: group)
        scene.world.clock.advance(hours: 25)
        try await scene.world.work()
        #expect(try await pictures() == 0)
        let there = "/api/v1/chats/\(group)/messages/\(other)"
        #expect(try await bea.get(there)["opened"] == true)
        #expect(try await cleo.get(there)["expired"] == true)
    }

    @Test("Unread messages make one notification; a mention reaches also those who mute the group")
    func notifications() async throws {
        let scene = try await Scene()
        let (ana, bea, cleo, group) = (scene.ana, scene.bea, scene.cleo, scene.group)
        func notes(_ person: Person, _ type: String) async throws -> Int {
            try await person.get("/api/v1/notifications?types[]=tintype.\(type)").json.list.count
        }
        try await scene.world.notify()
        #expect(try await notes(bea, "group_added") == 1)
        #expect(try await bea.visit("/notifications").shows("added you to a group"))
        #expect(try await cleo.post("/api/v1/chats/\(group)/mute", json: ["duration": 3600]).status == 200)
        for text in ["One", "Two"] { _ = try await ana.write(text, in: group) }
        try await scene.world.notify()
        #expect(try await notes(bea, "group_message") == 1)
        #expect(try await bea.visit("/notifications").shows("wrote in “Pizza or ramen?”."))
        #expect(try await notes(cleo, "group_message") == 0)
        #expect(try await cleo.badge() == 0)
        let last = try await ana.write("@Cleo, and you?", in: group)
        try await scene.world.notify()
        #expect(try await notes(cleo, "group_mention") == 1)
        try await bea.read(through: last, in: group)
        try await cleo.read(through: last, in: group)
        for type in ["group_message", "group_mention", "group_added"] {
            for person in [bea, cleo] { #expect(try await notes(person, type) == 0) }
        }
        // Who reads at once hears nothing.
        try await bea.read(through: try await ana.write("Three", in: group), in: group)
        try await scene.world.notify()
        #expect(try await notes(bea, "group_message") == 0)
    }

    @Test("Open pages of all members get what happens, and those who left get nothing")
    func events() async throws {
        let scene = try await Scene()
        let (ana, bea, cleo, group) = (scene.ana, scene.bea, scene.cleo, scene.group)
        let received = try await bea.receives(until: "The end") {
            let message = try await ana.write("Hello, both", in: group)
            _ = try await ana.post("/api/v1/chats/\(group)/typing")
            try await cleo.read(through: message, in: group)
            _ = try await cleo.send(
                .put, "/api/v1/chats/\(group)/messages/\(message)/reaction", json: ["emoji": "🎉"])
            _ = try await ana.send(.patch, "/api/v1/chats/\(group)", json: ["title": "Ramen"])
            _ = try await ana.write("The end", in: group)
        }
        for text in ["Hello, both", "tintype.typing", "tintype.read", "🎉", "tintype.chat", "named the group"]
        {
            #expect(received.contains(text), "\(text)")
        }
        let after = try await bea.receives(until: "To you alone") {
            _ = try await ana.delete("/api/v1/chats/\(group)/members/\(bea.id)")
            _ = try await ana.write("Without bea", in: group)
            _ = try await ana.write("To you alone", in: try await ana.chat(with: bea))
        }
        #expect(after.contains("tintype.chat") && !after.contains("Without bea"))
    }

    @Test("An open page gets a group's message as its reader would load it", arguments: [false, true])
    func messageOfEachReader(withPhoto: Bool) async throws {
        let world = try await World()
        let people = try await world.friends("ana", "bea", "cleo", "dora", "emil")
        let (ana, bea, cleo) = (people[0], people[1], people[2])
        let group = try await ana.group(with: bea, cleo, people[3], people[4], title: "All")
        let path = "/api/v1/chats/\(group)/messages"
        let old = try await ana.write("Old", in: group)
        _ = try await ana.delete("/api/v1/chats/\(group)")
        try await cleo.block(bea)
        var draft: [String: JSON] = ["text": "New", "reply_to_id": .text(old)]
        if withPhoto { draft["photo_id"] = .text(try await bea.photo()) }
        let message = JSON.object(draft)
        let received = try await world.receive(people[...], until: "The end") {
            let answer = try await bea.post(path, json: message, headers: [.idempotencyKey: "k"])
            #expect(answer.status == 201)
            _ = try await bea.write("The end", in: group)
        }
        for person in people {
            let events = try #require(received[person.id])
            let line = try #require(
                events.split(separator: "\n").first { $0.hasPrefix("data: ") && $0.contains("New") })
            guard case .object(var event) = JSON(Array(line.dropFirst(6).utf8)) else {
                Issue.record("not an object: \(line)")
                continue
            }
            #expect(event.removeValue(forKey: "request") == false)
            #expect(try await person.get("\(path)?limit=2").json[1] == .object(event))
        }
        let shown = try await cleo.get("\(path)?limit=2").json[1]
        #expect(
            shown["blocked"] == true && shown["in_reply_to"] != .null && shown["idempotency_key"] == .null)
        #expect(try await ana.get("\(path)?limit=2").json[1]["in_reply_to"] == .null)
        #expect(try await bea.get("\(path)?limit=2").json[1]["idempotency_key"] == "k")
    }

    @Test("The private feed shows what was sent to groups, to those who are in them")
    func feed() async throws {
        let scene = try await Scene()
        let (ana, bea, cleo, group) = (scene.ana, scene.bea, scene.cleo, scene.group)
        let photo = try await ana.photo()
        _ = try await ana.send(photo: photo, in: group)
        try await scene.world.work()
        for person in [ana, bea, cleo] {
            let shown = try #require(try await person.get("/api/v1/timelines/between").json.list.first)
            #expect(shown["title"] == "Pizza or ramen?" && shown["recipient"] == nil)
            #expect(try await person.visit("/feed").shows("Pizza or ramen?"))
            #expect(try await person.get("/photos/\(photo)/medium").status == 200)
        }
        #expect(try await scene.dora.get("/photos/\(photo)/medium").status == 404)
        _ = try await ana.delete("/api/v1/chats/\(group)/members/\(cleo.id)")
        #expect(try await cleo.get("/api/v1/timelines/between").json.list.isEmpty)
        #expect(try await cleo.get("/photos/\(photo)/medium").status == 404)
        // A person who blocks the sender sees it only where they ask for it, in the group.
        try await bea.block(ana)
        #expect(try await bea.get("/api/v1/timelines/between").json.list.isEmpty)
    }

    @Test("A view-once photo waits as long as a snap, in a group and in a chat of two")
    func onceAsLongAsSnaps() async throws {
        let world = try await World { $0.snaps.lifetime = 48 * 3600 }
        let people = try await world.friends("ana", "bea", "cleo")
        let (ana, bea) = (people[0], people[1])
        let (group, chat) = (try await ana.group(with: bea, people[2]), try await ana.chat(with: bea))
        let (inGroup, ofTwo) = (try await ana.sendOnce(in: group), try await ana.sendOnce(in: chat))
        func isExpired(_ message: String, _ chat: String) async throws -> Bool? {
            try await bea.get("/api/v1/chats/\(chat)/messages/\(message)")["expired"].bool
        }
        world.clock.advance(hours: 25)
        try await world.work()
        #expect(try await isExpired(ofTwo, chat) == false)
        #expect(try await isExpired(inGroup, group) == false)
        #expect(try await bea.open(inGroup, in: group).status == 200)
        world.clock.advance(hours: 24)
        // Before the job has erased it, too.
        let cleo = people[2]
        #expect(try await cleo.open(inGroup, in: group).status == 410)
        try await world.work()
        #expect(try await cleo.get("/api/v1/chats/\(group)/messages/\(inGroup)")["expired"] == true)
        #expect(try await isExpired(ofTwo, chat) == true)
        #expect(try await world.number("SELECT count(*) FROM once_pictures") == 0)
    }

    @Test("A view-once photo that all have seen who are still there is erased when the others leave")
    func onceAfterLeaving() async throws {
        let scene = try await Scene()
        try await scene.showOnceToBea()
        #expect(try await scene.world.number("SELECT count(*) FROM once_pictures") == 1)
        _ = try await scene.ana.delete("/api/v1/chats/\(scene.group)/members/\(scene.cleo.id)")
        #expect(try await scene.world.number("SELECT count(*) FROM once_pictures") == 0)
    }

    @Test("A group is passed on to somebody who can act, and who isn't suspended")
    func heir() async throws {
        let scene = try await Scene()
        let admin = try await scene.world.account("olga", isAdmin: true)
        #expect(try await admin.submit("/administration/accounts/\(scene.bea.id)/suspend").status == 303)
        _ = try await scene.ana.delete("/api/v1/chats/\(scene.group)/members/\(scene.ana.id)")
        let owner = try await scene.cleo.get("/api/v1/chats/\(scene.group)")["owner_id"].string
        #expect(owner == "\(scene.cleo.id)")
    }

    @Test("An owner who was only invited removes nobody")
    func invitedOwner() async throws {
        let scene = try await Scene()
        let (ana, bea, dora, group) = (scene.ana, scene.bea, scene.dora, scene.group)
        let admin = try await scene.world.account("olga", isAdmin: true)
        try await dora.block(bea)
        _ = try await ana.post(
            "/api/v1/chats/\(group)/members", json: ["account_ids": ["\(dora.id)"]])
        let members = "/api/v1/chats/\(group)/members"
        _ = try await ana.delete("\(members)/\(scene.cleo.id)")
        #expect(try await admin.submit("/administration/accounts/\(bea.id)/suspend").status == 303)
        _ = try await ana.delete("\(members)/\(ana.id)")
        #expect(try await dora.chat(group)["owner_id"].string == "\(dora.id)")
        #expect(try await dora.delete("\(members)/\(bea.id)").status == 409)
        #expect(try await dora.post("/api/v1/chats/\(group)/accept").status == 200)
        #expect(try await dora.delete("\(members)/\(bea.id)").status == 200)
    }

    @Test("A group without people is erased in steps, after the last one has left")
    func emptied() async throws {
        let scene = try await Scene()
        let group = scene.group
        let chat = try #require(Chat.ID(group))
        let photo = try await scene.ana.photo()
        _ = try await scene.ana.send(photo: photo, in: group)
        let answered = try await scene.ana.write("Hello", in: group)
        _ = try await scene.bea.post(
            "/api/v1/chats/\(group)/messages", json: ["text": "Hi", "reply_to_id": .text(answered)])
        let files = try await scene.world.fileCount()
        _ = try await scene.bea.sendOnce(in: group)
        // More than one step erases.
        try await scene.world.tintype.database.write { transaction in
            for _ in 0..<600 {
                let (id, number) = try ChatStore(transaction).newMessage(in: chat)
                try MessageStore(transaction).insert(
                    id, in: chat, number: number, from: scene.bea.id, key: nil, text: "More")
            }
        }
        let count = "SELECT count(*) FROM messages"
        let there = try await scene.world.number(count)
        for person in [scene.bea, scene.cleo, scene.ana] {
            let left = try await person.delete("/api/v1/chats/\(group)/members/\(person.id)")
            #expect(left.status == 200)
        }
        #expect(try await scene.world.number(count) == there + 3, "leaving itself erases nothing")
        #expect(try await scene.ana.get("/api/v1/chats/\(group)").status == 404)
        try await scene.world.work()
        for table in ["messages", "chats", "exchanged_photos", "once_pictures"] {
            #expect(try await scene.world.number("SELECT count(*) FROM \(table)") == 0)
        }
        #expect(try await scene.world.fileCount() == files)
        #expect(try await scene.world.tintype.problems() == [])
    }

    @Test("A deleted message is unread no more, for those who hadn't read it")
    func deletedUnread() async throws {
        let scene = try await Scene()
        let (ana, bea, cleo, group) = (scene.ana, scene.bea, scene.cleo, scene.group)
        let first = try await ana.write("One", in: group)
        try await bea.read(through: first, in: group)
        let second = try await ana.write("Two", in: group)
        _ = try await cleo.write("Three", in: group)
        func unread() async throws -> [Int] {
            var counts: [Int] = []
            for person in [ana, bea, cleo] {
                counts.append(try await person.chat(group)["unread_count"].int ?? -1)
            }
            return counts
        }
        // Cleo hasn't read that the group was made, either.
        #expect(try await unread() == [1, 2, 3])
        for (message, left) in [(second, [1, 1, 2]), (first, [1, 1, 1])] {
            #expect(try await ana.delete("/api/v1/chats/\(group)/messages/\(message)").status == 200)
            #expect(try await unread() == left)
            #expect(try await ana.delete("/api/v1/chats/\(group)/messages/\(message)").status == 404)
        }
        _ = try await ana.write("Four", in: group)
        #expect(try await unread() == [1, 2, 2])
        #expect(try await scene.world.tintype.problems() == [])
    }

    @Test(
        "Messages keep their order when another node's clock is ahead, and one that is far ahead takes no other with it",
        arguments: [300, 60_000])
    func clocks(millisecondsAhead ahead: Int64) async throws {
        let scene = try await Scene()
        let two = try await scene.ana.chat(with: scene.bea)
        for id in [two, scene.group] {
            let chat = try #require(Chat.ID(id))
            let other = try await scene.world.tintype.database.write { transaction in
                var ids = IDSequence(node: id == two ? 7 : 8)
                let other = Message.ID(rawValue: ids.next(at: transaction.now.milliseconds + ahead))
                _ = try ChatStore(transaction).newMessage(in: chat)
                try transaction.execute("UPDATE chats SET last_message_id = $2 WHERE id = $1", chat, other)
                let number = try transaction.value(
                    "SELECT last_number FROM chats WHERE id = $1", chat, as: Int.self)
                try MessageStore(transaction).insert(
                    other, in: chat, number: try #require(number), from: scene.ana.id, key: nil, text: "Ahead"
                )
                if id == two {
                    try ChatStore(transaction).noteMessage(other, in: chat, from: scene.ana.id, .chat)
                } else {
                    try GroupStore(transaction).noteMessage(
                        number: try #require(number), in: chat, from: scene.ana.id)
                }
                return other
            }
            let isInOrder = ahead <= IDSequence.lead
            for text in ["One", "Two"] {
                let sent = try #require(Message.ID(try await scene.ana.write(text, in: id)))
                #expect((sent > other) == isInOrder)
            }
            let expected = isInOrder ? ["Two", "One", "Ahead"] : ["Ahead", "Two", "One"]
            for person in [scene.ana, scene.bea] {
                let messages = try await person.get("/api/v1/chats/\(id)/messages?limit=3").json.list
                #expect(messages.compactMap { $0["text"].string } == expected)
                #expect(
                    try await person.chat(id)["last_message"]["text"].string == expected[0],
                    "the greatest id is the last")
            }
        }
        #expect(try await scene.world.tintype.problems() == [])
    }

    @Test("A view-once photo is erased when those who haven't seen it remove it from their lists")
    func onceAfterClearing() async throws {
        let scene = try await Scene()
        try await scene.showOnceToBea()
        #expect(try await scene.world.number("SELECT count(*) FROM once_pictures") == 1)
        #expect(try await scene.cleo.delete("/api/v1/chats/\(scene.group)").status == 200)
        #expect(try await scene.world.number("SELECT count(*) FROM once_pictures") == 0)
    }

    @Test("Mastodon's conversations have groups, too")
    func conversations() async throws {
        let scene = try await Scene()
        _ = try await scene.bea.write("Hello", in: scene.group)
        let conversation = try #require(try await scene.ana.get("/api/v1/conversations").json.list.first)
        #expect(conversation["accounts"].list.map { $0["username"] } == ["bea", "cleo"])
        #expect(conversation["last_status"]["account"]["username"] == "bea")
        #expect(conversation["last_status"]["content"].string?.contains("Hello") == true)
        let read = try await scene.ana.post("/api/v1/conversations/\(scene.group)/read")
        #expect(read.status == 200 && read["unread"] == false)
    }

    @Test("Of a deleted account nothing stays in its groups, which go on without it")
    func deletion() async throws {
        let scene = try await Scene()
        let (ana, bea, cleo, group) = (scene.ana, scene.bea, scene.cleo, scene.group)
        _ = try await scene.world.account("olga", isAdmin: true)
        _ = try await ana.write("From ana", in: group)
        let once = try await ana.sendOnce(in: group)
        _ = try await bea.write("From bea", in: group)
        _ = try await ana.write("From ana again", in: group)
        let add = "/api/v1/chats/\(group)/members"
        _ = try await ana.post(add, json: ["account_ids": ["\(scene.dora.id)"]])
        #expect(try await ana.submit("/settings/delete", ["password": "correct horse"]).status == 303)
        try await scene.world.work()
        #expect(try await bea.history(group).map { $0["text"] } == ["From bea"])
        #expect(try await bea.chat(group)["owner_id"].string == "\(bea.id)")
        #expect(try await bea.chat(group)["members"].list.count == 3)
        #expect(try await cleo.chat(group)["unread_count"] == 1)
        #expect(try await bea.open(once, in: group).status == 404)
        #expect(try await scene.world.number("SELECT count(*) FROM once_pictures") == 0)
        let message = try await bea.write("And on", in: group)
        #expect(try await cleo.get("/api/v1/chats/\(group)/messages/\(message)")["number"] == 7)
        #expect(try await scene.world.tintype.problems() == [])
    }
}

@Suite("Privacy of groups")
struct GroupPrivacyTests {
    @Test("Somebody who blocks one of the group is asked first, and sees whom before they join")
    func invitation() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "bea", "cleo", "dora")
        let (ana, bea, cleo, dora) = (people[0], people[1], people[2], people[3])
        try await cleo.block(bea)
        let group = try await ana.group(with: bea, cleo, dora, title: "All")
        #expect(try await cleo.get("/api/v1/chats").json.list.isEmpty)
        let waiting = try #require(try await cleo.get("/api/v1/chats?requests=true").json.list.first)
        #expect(waiting["request"] == true && waiting["id"].string == group)
        #expect(try await cleo.visit("/messages/requests").shows("All"))
        #expect(try await cleo.visit("/messages/\(group)").shows("You blocked Bea, who is in this group."))
        #expect(try await cleo.post("/api/v1/chats/\(group)/messages", json: ["text": "Hi"]).status == 409)
        #expect(try await ana.get("/api/v1/chats/\(group)")["members"].list[2]["invited"] == true)
        #expect(try await ana.visit("/messages/\(group)/group").shows("Invited"))
        let once = try await ana.sendOnce(in: group)
        #expect(try await cleo.open(once, in: group).status == 409)
        #expect(try await cleo.post("/api/v1/chats/\(group)/accept").status == 200)
        _ = try await bea.write("From bea", in: group)
        let shown = try await cleo.get("/api/v1/chats/\(group)/messages").json[0]
        #expect(shown["blocked"] == true)
        #expect(try await dora.get("/api/v1/chats/\(group)/messages").json[0]["blocked"] == false)
        #expect(try await bea.get("/api/v1/chats/\(group)/messages").json.list.count >= 3)
        let page = try await cleo.visit("/messages/\(group)")
        #expect(page.shows("Blocked person · Show") && page.shows("data-folded"))
        #expect(try await cleo.visit("/messages").shows("Blocked person"))
        #expect(try await !cleo.visit("/messages").shows("From bea"))
        #expect(
            try await cleo.get("/api/v1/conversations").json[0]["last_status"]["content"]
                == "<p>Blocked person</p>")
        // Their messages notify nobody who blocks them.
        try await world.notify()
        let notes = try await cleo.get("/api/v1/notifications?types[]=tintype.group_message").json.list
        #expect(!notes.contains { $0["account"]["username"] == "bea" })
    }

    @Test("An invitation that is declined leaves nothing, and nobody learns of it")
    func declining() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "bea", "cleo", "dora")
        try await people[2].block(people[1])
        let group = try await people[0].group(with: people[1], people[2], people[3])
        #expect(try await people[2].delete("/api/v1/chats/\(group)").status == 200)
        #expect(try await people[2].get("/api/v1/chats/\(group)").status == 404)
        #expect(try await people[2].get("/api/v1/chats?requests=true").json.list.isEmpty)
        let chat = try await people[0].get("/api/v1/chats/\(group)")
        #expect(chat["members"].list.count == 3 && chat["last_message"]["event"]["kind"] == "made")
    }

    @Test("Somebody who is blocked can't add the one who blocks them")
    func adding() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "bea", "cleo")
        try await people[2].block(people[0])
        let ids: JSON = ["\(people[1].id)", "\(people[2].id)"]
        #expect(try await people[0].post("/api/v1/chats", json: ["account_ids": ids]).status == 422)
    }

    @Test("Nothing is shown of what somebody wrote who is suspended")
    func suspension() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "bea", "cleo")
        let admin = try await world.account("olga", isAdmin: true)
        let group = try await people[0].group(with: people[1], people[2])
        _ = try await people[1].write("From bea", in: group)
        let photo = try await people[1].photo()
        _ = try await people[1].send(photo: photo, in: group)
        #expect(try await people[0].get("/photos/\(photo)/medium").status == 200)
        #expect(try await admin.submit("/administration/accounts/\(people[1].id)/suspend").status == 303)
        #expect(try await people[0].get("/photos/\(photo)/medium").status == 404)
        let shown = try await people[0].get("/api/v1/chats/\(group)/messages").json[0]
        #expect(shown["text"] == "" && shown["account_id"].string == "\(people[1].id)")
        #expect(try await people[0].visit("/messages").shows("Suspended person"))
        #expect(try await people[0].get("/api/v1/chats/\(group)")["members"].list.count == 2)
    }

    @Test("A group's picture isn't shown while its owner is suspended")
    func suspendedPicture() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "bea", "cleo")
        let admin = try await world.account("olga", isAdmin: true)
        let group = try await people[0].group(with: people[1], people[2])
        let photo = try await people[1].photo()
        let chat = "/api/v1/chats/\(group)"
        _ = try await people[1].send(.patch, chat, json: ["picture_media_id": .text(photo)])
        let account = "/administration/accounts/\(people[1].id)"
        for (change, isShown) in [("suspend", false), ("restore", true)] {
            #expect(try await admin.submit("\(account)/\(change)").status == 303)
            #expect((try await people[0].get(chat)["picture_url"].string != nil) == isShown)
            #expect(try await people[0].visit("/messages").shows("/photos/\(photo)/square") == isShown)
            let picture = try await people[0].get("/photos/\(photo)/square")
            #expect(picture.status == (isShown ? 200 : 404))
        }
    }

    @Test("A download has the groups of a person and what they could read there")
    func download() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "bea", "cleo")
        let group = try await people[0].group(with: people[1], people[2], title: "Ramen")
        _ = try await people[1].write("From bea", in: group)
        let lists = try await world.tintype.database.read { transaction in
            try ChatsData(chats: world.tintype.features.chats.chats).lists.map {
                try $0.page(of: people[0].id, after: 0, transaction).rows.map {
                    String(decoding: $0, as: UTF8.self)
                }
            }
        }
        #expect(lists[0].count == 2 && lists[0][1].contains("From bea") && lists[0][1].contains("Ramen"))
        #expect(lists[2].count == 1 && lists[2][0].contains("Ramen"))
        // The file that people get has whom an event concerns and who is in each group.
        _ = try await people[0].delete("/api/v1/chats/\(group)/members/\(people[2].id)")
        let messages = try await world.downloaded("messages", of: people[0])
        #expect(messages.contains { $0["event"] == "removed" && $0["concerns"] == "cleo" })
        let members = try await world.downloaded("group_people", of: people[0])
        #expect(members.map { $0["username"] } == ["ana", "bea"])
        #expect(members.allSatisfy { $0["chat_id"].string == group })
    }
}
