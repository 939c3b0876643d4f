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
    /// Makes a list; its id.
    func list(_ title: String, of people: [Person] = [], isExclusive: Bool = false) async throws -> String {
        let answer = try await post(
            "/api/v1/lists", json: ["title": .text(title), "exclusive": .bool(isExclusive)])
        try #require(answer.status == 200, "\(answer.text)")
        let id = try #require(answer["id"].string)
        if !people.isEmpty { try #require(try await add(people, to: id).status == 200) }
        return id
    }

    func add(_ people: [Person], to list: String) async throws -> Answer {
        try await post(
            "/api/v1/lists/\(list)/accounts",
            json: ["account_ids": .list(people.map { .text("\($0.id)") })])
    }

    fileprivate func names(_ list: String, _ query: String = "") async throws -> [String?] {
        let answer = try await get("/api/v1/lists/\(list)/accounts\(query)")
        #expect(answer.status == 200)
        return answer.json.list.map { $0["username"].string }
    }
}

@Suite("Lists of people")
struct ListTests {
    @Test("A list is made, named, listed, changed and deleted, and is nobody else's")
    func whole() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let made = try await ana.post("/api/v1/lists", json: ["title": "  Swimmers "])
        #expect(made.status == 200 && made["title"] == "Swimmers")
        #expect(made["exclusive"] == false && made["replies_policy"] == "none")
        let id = try #require(made["id"].string)
        let second = try await ana.list("Cyclists")
        #expect(
            try await ana.get("/api/v1/lists").json.list.map { $0["title"].string } == [
                "Swimmers", "Cyclists",
            ])
        let changed = try await ana.send(
            .put, "/api/v1/lists/\(id)", json: ["title": "Divers", "exclusive": true])
        #expect(changed["title"] == "Divers" && changed["exclusive"] == true)
        #expect(try await ana.get("/api/v1/lists/\(id)").json == changed.json)
        // What isn't named stays.
        #expect(try await ana.send(.put, "/api/v1/lists/\(id)", json: [:])["exclusive"] == true)
        #expect(try await ben.get("/api/v1/lists").json == [])
        for (method, path) in [
            ("GET", "lists/\(id)"), ("PUT", "lists/\(id)"), ("DELETE", "lists/\(id)"),
            ("GET", "lists/\(id)/accounts"), ("POST", "lists/\(id)/accounts"),
            ("DELETE", "lists/\(id)/accounts"), ("GET", "timelines/list/\(id)"),
        ] {
            let method = try #require(HTTPRequest.Method(rawValue: method))
            let form: KeyValuePairs = ["title": "Mine", "account_ids[]": "\(ana.id)"]
            #expect(try await ben.send(method, "/api/v1/\(path)", form: form).status == 404, "\(path)")
            #expect(try await world.stranger.send(method, "/api/v1/\(path)").status == 401, "\(path)")
        }
        for path in ["/lists/\(id)", "/lists/\(id)/edit"] {
            #expect(try await ben.visit(path).status == 404)
            #expect(try await ana.visit(path).status == 200)
        }
        #expect(try await ana.delete("/api/v1/lists/\(id)").status == 200)
        #expect(try await ana.get("/api/v1/lists/\(id)").status == 404)
        #expect(try await ana.get("/api/v1/lists").json.list.map { $0["id"].string } == [second])
    }

    @Test("What a list can't be is refused with a sentence")
    func refused() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        for title in ["", "   ", String(repeating: "x", count: 101)] {
            let answer = try await ana.post("/api/v1/lists", json: ["title": .text(title)])
            #expect(answer.status == 422 && answer["details"]["title"][0]["description"].string != nil)
        }
        let followed = try await ana.post(
            "/api/v1/lists", json: ["title": "x", "replies_policy": "followed"])
        #expect(followed.status == 422 && followed.shows("Feeds here show posts and no comments"))
        // What apps send unless a person chooses.
        let usual = try await ana.post("/api/v1/lists", json: ["title": "x", "replies_policy": "list"])
        #expect(usual.status == 200 && usual["replies_policy"] == "none")
        for number in 2...50 { _ = try await ana.list("List \(number)") }
        let beyond = try await ana.post("/api/v1/lists", json: ["title": "One more"])
        #expect(beyond.status == 422 && beyond.shows("You already have 50 lists"))
        let page = try await ana.submit("/lists", ["title": "One more"])
        #expect(page.status == 422 && page.shows("You already have 50 lists") && page.shows("One more"))
    }

    @Test("A list is made once with a key")
    func once() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        func make() async throws -> Answer {
            try await ana.post("/api/v1/lists", json: ["title": "x"], headers: [.idempotencyKey: "one"])
        }
        let id = try await make()["id"].string
        #expect(try await make()["id"].string == id)
        #expect(try await ana.get("/api/v1/lists").json.list.count == 1)
        _ = try await ana.delete("/api/v1/lists/\(id ?? "")")
        #expect(try await make().status == 410)
    }

    @Test("Only people whom the owner follows are in a list: all that are named, or none")
    func people() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let (ana, ben, cleo) = (people[0], people[1], people[2])
        let dora = try await world.account("dora")
        let id = try await ana.list("Friends")
        for wrong in [[ben, dora], [ana]] {
            let answer = try await ana.add(wrong, to: id)
            #expect(answer.status == 422 && answer.shows("lists are of people you follow"))
        }
        #expect(try await ana.post("/api/v1/lists/\(id)/accounts").status == 422)
        #expect(
            try await ana.post("/api/v1/lists/\(id)/accounts", json: ["account_ids": ["1"]]).status == 404)
        #expect(try await ana.names(id) == [])
        // A request isn't enough.
        _ = try await dora.send(.patch, "/api/v1/accounts/update_credentials", json: ["locked": true])
        try await ana.follow(dora)
        #expect(try await ana.add([dora], to: id).status == 422)
        #expect(try await ana.add([ben, cleo, ben], to: id).json == .object([:]))
        #expect(try await ana.add([ben], to: id).status == 200)
        #expect(try await ana.names(id) == ["cleo", "ben"])
        #expect(try await ana.names(id, "?limit=1") == ["cleo"])
        #expect(try await ana.names(id, "?limit=0") == ["cleo", "ben"])
        let first = try await ana.get("/api/v1/lists/\(id)/accounts?limit=1")
        #expect(first.headers[.link]?.contains("max_id=") == true)
        #expect(
            try await ana.get("/api/v1/accounts/\(ben.id)/lists").json.list.map { $0["title"].string }
                == ["Friends"])
        #expect(try await ana.get("/api/v1/accounts/\(dora.id)/lists").json == [])
        #expect(try await ben.get("/api/v1/accounts/\(ana.id)/lists").json == [])
        let removed = try await ana.send(
            .delete, "/api/v1/lists/\(id)/accounts", form: ["account_ids[]": "\(ben.id)"])
        #expect(removed.status == 200)
        #expect(try await ana.names(id) == ["cleo"])
    }

    @Test("A list has at most 500 people")
    func most() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let id = try await ana.list("Full")
        try await world.tintype.database.write { transaction in
            for number in 1...500 {
                try transaction.execute(
                    """
                    INSERT INTO accounts (id, username, username_folded, display_name, password)
                    VALUES ($1, $2, $2, $2, '')
                    """, number, "crowd\(number)")
                try transaction.execute(
                    "INSERT INTO list_members (list_id, member_id, owner_id, id) VALUES ($1, $2, $3, $2)",
                    Int64(id), number, ana.id)
            }
        }
        let answer = try await ana.add([ben], to: id)
        #expect(answer.status == 422 && answer.shows("A list has at most 500 people."))
        #expect(try await world.number("SELECT count(*) FROM list_members") == 500)
        #expect(try await ana.names(id, "?limit=0").count == 500)
    }

    @Test("Who is unfollowed, blocked or gone is in no list, and back only by hand")
    func leaving() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo", "dora", "emil")
        let (ana, ben, cleo, dora, emil) = (people[0], people[1], people[2], people[3], people[4])
        _ = try await world.account("olga", isAdmin: true)
        let id = try await ana.list("All", of: [ben, cleo, dora, emil])
        _ = try await ana.post("/api/v1/accounts/\(ben.id)/unfollow")
        try await cleo.block(ana)
        _ = try await dora.post("/api/v1/accounts/\(ana.id)/remove_from_followers")
        #expect(try await emil.submit("/settings/delete", ["password": "correct horse"]).status == 303)
        #expect(try await ana.names(id) == [])
        try await world.work()
        #expect(try await world.number("SELECT count(*) FROM list_members") == 0)
        try await ana.follow(ben)
        #expect(try await ana.names(id) == [])
        #expect(try await ana.submit("/settings/delete", ["password": "correct horse"]).status == 303)
        try await world.work()
        #expect(try await world.number("SELECT count(*) FROM people_lists") == 0)
    }

    @Test("The download has the lists and who is in them")
    func download() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let ana = people[0]
        _ = try await ana.list("Empty")
        _ = try await ana.list("Both", of: [people[1], people[2]], isExclusive: true)
        #expect(try await world.downloaded("lists", of: ana).map { $0["title"] } == ["Empty", "Both"])
        #expect(try await world.downloaded("lists", of: ana).map { $0["only_here"] } == [false, true])
        #expect(try await world.downloaded("list-people", of: ana).map { $0["username"] } == ["ben", "cleo"])
    }
}

@Suite("Feeds of lists")
struct ListFeedTests {
    @Test("A feed has the posts of the people in the list that the owner may see, in pages like Home")
    func feed() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo", "dora")
        let (ana, ben, cleo, dora) = (people[0], people[1], people[2], people[3])
        let id = try await ana.list("Two", of: [ben, cleo])
        _ = try await ana.post(caption: "Own")
        var written: [String] = []
        for number in 1...6 {
            let author = number.isMultiple(of: 2) ? ben : cleo
            let post = try await author.post(caption: "Post \(number)")
            _ = try await ben.comment("Never here", on: post)
            written.insert("Post \(number)", at: 0)
            _ = try await dora.post(caption: "Of dora")
        }
        let path = "/api/v1/timelines/list/\(id)"
        #expect(try await ana.captions(path) == written)
        let first = try await ana.get("\(path)?limit=2")
        #expect(first.json.list.map { $0["text"].string } == Array(written.prefix(2)))
        let next = try #require(first.headers[.link]?.firstMatch(of: /max_id=(\d+)/)?.1)
        #expect(try await ana.captions("\(path)?limit=2&max_id=\(next)") == Array(written[2..<4]))
        let last = try #require(try await ana.get(path).json.list.last?["id"].string)
        #expect(try await ana.captions("\(path)?limit=2&min_id=\(last)") == Array(written[3..<5]))
        #expect(try await ana.captions("\(path)?since_id=\(last)&limit=1") == Array(written.prefix(1)))
        let page = try await ana.visit("/lists/\(id)")
        #expect(page.shows("Post 6") && !page.shows("Of dora") && !page.shows("Own"))
        // Hidden and muted as on Home.
        let newest = try #require(try await ana.get(path).json[0]["id"].string)
        #expect(try await ana.submit("/posts/\(newest)/hide").status == 303)
        #expect(try await ana.captions(path) == Array(written.dropFirst()))
        _ = try await ana.post("/api/v1/accounts/\(ben.id)/mute")
        #expect(try await ana.captions(path) == ["Post 5", "Post 3", "Post 1"])
        #expect(try await ana.captions("\(path)?min_id=1&limit=2") == ["Post 3", "Post 1"])
        _ = try await ana.post("/api/v1/accounts/\(cleo.id)/unfollow")
        #expect(try await ana.captions(path) == [])
    }

    @Test("Among many newer posts of others, a feed finds its own by its people")
    func crowded() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let (ana, ben, cleo) = (people[0], people[1], people[2])
        let id = try await ana.list("Ben", of: [ben])
        _ = try await ben.post(caption: "First of ben")
        _ = try await ben.post(caption: "Second of ben")
        try await world.insertPosts(150, by: cleo, "x", visibility: .followers)
        let path = "/api/v1/timelines/list/\(id)"
        #expect(try await ana.captions(path) == ["Second of ben", "First of ben"])
        #expect(try await ana.captions("\(path)?min_id=1&limit=1") == ["First of ben"])
    }

    @Test("Home leaves out the people of an exclusive list, before, after and live; Everyone doesn't")
    func exclusive() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let (ana, ben, cleo) = (people[0], people[1], people[2])
        _ = try await ben.post(caption: "Of ben", visibility: "public")
        _ = try await cleo.post(caption: "Of cleo")
        let id = try await ana.list("Apart", of: [ben])
        let other = try await ana.list("Beside", of: [ben, cleo])
        #expect(try await ana.home() == ["Of cleo", "Of ben"])
        _ = try await ana.send(.put, "/api/v1/lists/\(id)", json: ["exclusive": true])
        #expect(try await ana.home() == ["Of cleo"])
        #expect(try await ana.captions("/api/v1/timelines/home?min_id=1") == ["Of cleo"])
        #expect(try await !ana.visit("/home").shows("Of ben"))
        #expect(try await ana.captions("/api/v1/timelines/list/\(other)") == ["Of cleo", "Of ben"])
        #expect(try await ana.captions("/api/v1/timelines/public").contains("Of ben"))
        #expect(try await cleo.home().contains("Of ben"))
        let received = try await ana.receives(until: "The end") {
            _ = try await ben.post(caption: "Not on Home")
            _ = try await cleo.post(caption: "The end")
        }
        #expect(!received.contains("Not on Home"))
        #expect(try await ana.submit("/lists/\(id)/edit", ["title": "Apart"]).status == 303)
        #expect(try await ana.home() == ["The end", "Not on Home", "Of cleo", "Of ben"])
    }

    @Test("The stream of a list has the posts of its people, also of an exclusive one, and nobody else's")
    func stream() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let (ana, ben, cleo) = (people[0], people[1], people[2])
        let friends = try await ana.list("Friends", of: [ben])
        let quiet = try await ana.list("Quiet", of: [cleo], isExclusive: true)
        try await ana.webSocket("/api/v1/streaming?stream=list&list=\(friends)") { socket in
            let opened = try await socket.say(
                "{\"type\":\"subscribe\",\"stream\":\"list\",\"list\":\"\(quiet)\"}")
            #expect(opened == [])
            for (author, list, visibility) in [
                (ben, friends, "private"), (cleo, quiet, "private"), (cleo, quiet, "public"),
            ] {
                let post = try await author.post(caption: "Here", visibility: visibility)
                let update = try await socket.text()
                #expect(update["stream"] == ["list", .text(list)] && update["event"] == "update")
                #expect(update["payload"].string?.contains(post) == true)
            }
            let post = try await ben.post(caption: "Here")
            #expect(try await socket.text()["event"] == "update")
            // A comment is no post of the list's.
            _ = try await ben.comment("Not here", on: post)
            _ = try await ben.send(.put, "/api/v1/statuses/\(post)", json: ["status": "Changed"])
            let changed = try await socket.text()
            #expect(changed["stream"] == ["list", .text(friends)] && changed["event"] == "status.update")
            _ = try await ben.delete("/api/v1/statuses/\(post)")
            #expect(try await socket.text()["event"] == "delete")
            #expect(try await socket.text()["event"] == "delete")
            // Out of the list, nothing of theirs comes any more.
            _ = try await ana.send(
                .delete, "/api/v1/lists/\(friends)/accounts", json: ["account_ids": [.text("\(ben.id)")]])
            _ = try await ben.post(caption: "Not heard")
            let last = try await cleo.post(caption: "Heard")
            #expect(try await socket.text()["payload"].string?.contains(last) == true)
        }
        let received = try await world.live { server in
            try await server.connect { stream in
                try await stream.get("/api/v1/streaming/list?list=\(quiet)", as: ana)
                return try await stream.read(
                    until: ":)\n", then: { _ = try await cleo.post(caption: "By events") }, until: "By events"
                )
            }
        }
        #expect(received.contains("event: update\n"))
        #expect(try await ana.get("/api/v1/streaming/list").status == 400)
        #expect(try await ben.get("/api/v1/streaming/list?list=\(quiet)").status == 404)
    }
}

@Suite("The screens of lists")
struct ListScreenTests {
    @Test("Lists are made, filled, renamed and deleted without scripts")
    func screens() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let (ana, ben) = (people[0], people[1])
        #expect(try await ana.visit("/lists").shows("Create list"))
        #expect(try await ana.submit("/lists", ["title": ""]).status == 422)
        let made = try await ana.submit("/lists", ["title": "Harbour & friends"])
        let path = try #require(made.headers[.location])
        let edit = try await ana.visit(path)
        #expect(edit.shows("Nobody is in this list yet.") && edit.shows("Add Ben") && edit.shows("Add Cleo"))
        #expect(try await ana.refresh("\(path)?q=cl").shows("Add Cleo"))
        #expect(try await !ana.refresh("\(path)?q=cl").shows("Add Ben"))
        let folder = path.replacing("/edit", with: "")
        #expect(try await ana.submit("\(folder)/add/\(ben.id)").status == 303)
        let filled = try await ana.visit(path)
        #expect(filled.shows("Remove Ben") && !filled.shows("Add Ben") && filled.shows("1 person"))
        #expect(try await ana.visit(folder).shows("Nobody in this list has posted yet."))
        let refused = try await ana.submit("\(path)", ["title": String(repeating: "y", count: 101)])
        #expect(refused.status == 422 && refused.shows("the limit is 100") && refused.shows("yyyy"))
        #expect(try await ana.submit(path, ["title": "Crew", "exclusive": "true"]).status == 303)
        let list = try await ana.get("/api/v1/lists").json[0]
        #expect(list["title"] == "Crew" && list["exclusive"] == true)
        #expect(try await ana.visit("/lists").shows("Crew"))
        #expect(try await ana.visit("/@ben/lists").shows("Crew"))
        #expect(try await ana.visit("/@ben/options").shows("/@ben/lists"))
        #expect(try await ana.submit("\(folder)/remove/\(ben.id)").status == 303)
        #expect(try await ana.visit(path).shows("Add Ben"))
        _ = try await ana.post("/api/v1/accounts/\(ben.id)/unfollow")
        #expect(try await ana.submit("\(folder)/add/\(ben.id)").status == 303)
        #expect(try await !ana.visit(path).shows("Remove Ben"))
        #expect(try await ana.visit("/@ben/lists").shows("Follow Ben first"))
        #expect(try await ana.submit("\(folder)/delete").headers[.location] == "/lists")
        #expect(try await ana.get("/api/v1/lists").json == [])
    }
}
