import Foundation
import HTTPTypes
import Testing

@testable import Core
@testable import Feeds
@testable import People
@testable import Serving
@testable import Tintype

@Suite("Pixelfed's calls")
struct DirectThreadTests {
    private static let thread = "/api/v1.1/direct/thread"

    @Test("Two people write each other by their own ids, once for each key")
    func writing() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let empty = try await ana.get("\(Self.thread)?pid=\(ben.id)")
        #expect(empty.status == 200 && empty["username"] == "ben" && empty["messages"] == [])
        // Looking makes no chat.
        #expect(try await world.number("SELECT count(*) FROM chats") == 0)
        for _ in 1...2 {
            let sent = try await ana.post(
                "\(Self.thread)/send", json: ["to_id": "\(ben.id)", "message": "Hello", "type": "text"],
                headers: [.idempotencyKey: "one"])
            #expect(sent.status == 200 && sent["isAuthor"] == true && sent["text"] == "Hello")
            #expect(sent["seen"] == false && sent["type"] == "text" && sent["media"] == .null)
        }
        let chat = try await ben.chat(with: ana)
        let photo = try await ben.photo()
        let picture = try await ben.send(photo: photo, in: chat)
        let messages = try await ana.get("\(Self.thread)?pid=\(ben.id)")["messages"]
        #expect(messages.list.map { $0["text"] } == ["", "Hello"])
        #expect(messages[0]["type"] == "photo" && messages[0]["carousel"][0]["id"].string == photo)
        #expect(messages[0]["isAuthor"] == false && messages[0]["seen"] == false)
        let url = try #require(messages[0]["media"].string?.split(separator: "/photos/").last)
        #expect(try await world.stranger.get("/photos/\(url)").status == 200)
        let older = try await ana.get("\(Self.thread)?pid=\(ben.id)&max_id=\(picture)")
        #expect(older["messages"].list.map { $0["text"] } == ["Hello"])
        // Reading is seen by the other, muting isn't.
        #expect(try await ana.post("\(Self.thread)/read", json: ["pid": "\(ben.id)"]).status == 200)
        #expect(try await ben.get("\(Self.thread)?pid=\(ana.id)")["messages"][0]["seen"] == true)
        #expect(try await ana.post("\(Self.thread)/mute", json: ["id": "\(ben.id)"]).status == 200)
        #expect(try await ana.get("\(Self.thread)?pid=\(ben.id)")["muted"] == true)
        #expect(try await ana.post("\(Self.thread)/unmute", json: ["id": "\(ben.id)"]).status == 200)
        #expect(try await ana.get("\(Self.thread)?pid=\(ben.id)")["muted"] == false)
        let path = "\(Self.thread)/message?id=\(picture)"
        #expect(try await ana.delete(path).status == 404)
        #expect(try await ben.delete(path).status == 200)
        #expect(try await ana.get("\(Self.thread)?pid=\(ben.id)")["messages"].list.count == 1)
    }

    @Test("A picture to be seen once is words in a thread, and nobody else has any part in it")
    func privacy() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let (ana, ben, cleo) = (people[0], people[1], people[2])
        let chat = try await ana.chat(with: ben)
        let once = try await ana.sendOnce(in: chat)
        let seen = try await ben.get("\(Self.thread)?pid=\(ana.id)")
        #expect(seen["messages"][0]["text"] == "View-once photo" && !seen.shows("/photos/"))
        #expect(seen["messages"][0]["media"] == .null && seen["messages"][0]["carousel"] == [])
        #expect(try await ben.open(once, in: chat).status == 200)
        #expect(try await cleo.get("\(Self.thread)?pid=\(ana.id)")["messages"] == [])
        #expect(try await cleo.delete("\(Self.thread)/message?id=\(once)").status == 404)
        for (path, form) in [
            ("send", ["to_id": "\(ana.id)", "message": ""]), ("send", ["message": "Hello"]),
            ("send", ["to_id": "\(ana.id)", "message": "Hello"]),
            ("send", ["to_id": "x", "message": "Hello"]),
            ("read", [:]), ("mute", [:]),
        ] as [(String, [String: JSON])] {
            #expect(
                try await ana.post("\(Self.thread)/\(path)", json: .object(form)).status == 422, "\(path)")
        }
        #expect(try await ana.get(Self.thread).status == 422)
        #expect(try await ana.get("\(Self.thread)?pid=\(ana.id)").status == 404)
        try await ana.block(ben)
        #expect(try await ben.get("\(Self.thread)?pid=\(ana.id)").status == 404)
        let refused = try await ben.post(
            "\(Self.thread)/send", json: ["to_id": "\(ana.id)", "message": "Hello"])
        #expect(refused.status == 404)
    }

    @Test("A message for somebody who isn’t a friend is a request")
    func request() async throws {
        let world = try await World()
        let (ana, dora) = (try await world.account("ana"), try await world.account("dora"))
        let sent = try await ana.post(
            "\(Self.thread)/send", json: ["to_id": "\(dora.id)", "message": "Hello"])
        #expect(sent.status == 200 && sent["hidden"] == false)
        let thread = try await dora.get("\(Self.thread)?pid=\(ana.id)")
        #expect(thread["messages"][0]["hidden"] == true)
        #expect(try await dora.get("/api/v1/conversations").json == [])
    }

    @Test("Those to whom somebody may write are found, friends first")
    func receivers() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let dora = try await world.account("dora")
        let friends = try await people[0].get("/api/v1.1/direct/compose/mutuals").json
        #expect(friends.list.map { $0["name"] } == ["ben"])
        #expect(friends[0]["account"]["username"] == "ben" && friends[0]["local"] == true)
        for query in ["do", "@dora"] {
            let found = try await people[0].post("/api/v1.1/direct/lookup", json: ["q": .text(query)]).json
            #expect(found.list.map { $0["id"].string } == ["\(dora.id)"], "\(query)")
        }
        #expect(try await people[0].post("/api/v1.1/direct/lookup", json: ["q": "ana"]).json == [])
        #expect(try await people[0].post("/api/v1.1/direct/lookup").status == 422)
        try await dora.block(people[0])
        #expect(try await people[0].post("/api/v1.1/direct/lookup", json: ["q": "dora"]).json == [])
    }

    @Test("Discover has the posts for everyone that are liked most, from the time that is asked for")
    func discover() async throws {
        let world = try await World()
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        let path = "/api/v1.1/discover/posts/trending"
        let old = try await ana.post(caption: "Old", visibility: "public")
        world.clock.advance(seconds: 3 * 24 * 3600)
        var posts: [String] = []
        for number in 1...3 {
            posts.append(try await ana.post(caption: "Number \(number)", visibility: "public"))
        }
        _ = try await ana.post(caption: "For followers")
        let hidden = try await ana.post(caption: "By its address", visibility: "unlisted")
        for post in [posts[1], hidden, old] { try await ben.like(post) }
        for (query, expected) in [
            ("?range=daily", [posts[1], posts[2], posts[0]]), ("", [posts[1], posts[2], posts[0]]),
            ("?range=monthly", [posts[1], old, posts[2], posts[0]]),
            ("?range=yearly", [posts[1], old, posts[2], posts[0]]),
        ] {
            let found = try await ben.get(path + query)
            #expect(found.json.list.map { $0["id"].string } == expected, "\(query)")
        }
        let network = try await ben.get("/api/v1.1/discover/posts/network/trending")
        #expect(network.json.list.count == 3)
        #expect(try await ben.get("\(path)?range=weekly").status == 422)
        try await ana.block(ben)
        #expect(try await ben.get("\(path)?range=yearly").json == [])
    }

    @Test("A portrait is removed, and people and posts are reported, by Pixelfed's names of the calls")
    func avatarAndReport() async throws {
        let world = try await World()
        let (ana, ben) = (try await world.account("ana", portrait: true), try await world.account("ben"))
        let post = try await ana.post(caption: "For all", visibility: "public")
        let removed = try await ana.delete("/api/v1.1/accounts/avatar")
        #expect(removed.status == 200 && removed["avatar"].string?.contains("/initials/") == true)
        let cleo = try await world.account("cleo")
        try await cleo.follow(ana)
        try await ana.follow(cleo)
        let reports = [
            (ben, "post", post), (ben, "user", "\(ana.id)"), (cleo, "story", try await ana.snap()),
        ]
        for (person, type, id) in reports {
            let sent = try await person.post(
                "/api/v1.1/report",
                json: ["object_type": .text(type), "object_id": .text(id), "report_type": "spam"])
            #expect(sent.status == 200, "\(sent.text)")
        }
        #expect(try await world.number("SELECT count(*) FROM reports") == 3)
        for form in [
            ["object_type": "comment", "object_id": .text(post), "report_type": "spam"],
            ["object_type": "post", "report_type": "spam"],
            ["object_type": "post", "object_id": .text(post)],
        ] as [[String: JSON]] {
            #expect(try await ben.post("/api/v1.1/report", json: .object(form)).status == 422)
        }
        let followers = try await ana.post(caption: "For followers")
        let unseen = try await ben.post(
            "/api/v1.1/report",
            json: ["object_type": "post", "object_id": .text(followers), "report_type": "spam"])
        #expect(unseen.status == 404)
    }
}
