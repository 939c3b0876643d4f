import Foundation
import HTTPTypes
import NIOCore
import Storage
import Testing

@testable import Core
@testable import People
@testable import Tintype

@Suite("Notifications")
struct NotificationTests {
    private func types(_ person: Person) async throws -> [String?] {
        try await person.get("/api/v1/notifications").json.list.map { $0["type"].string }
    }

    @Test("Follows, likes, comments and mentions of others make notifications, your own don't")
    func kinds() async throws {
        let world = try await World()
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        try await ben.follow(ana)
        let post = try await ana.post(caption: "Look, @ben and @nobody")
        try await ana.like(post)
        try await ben.like(post)
        _ = try await ben.comment("Nice", on: post)
        #expect(try await types(ana) == ["mention", "favourite", "follow"])
        #expect(try await types(ben) == ["mention"])
        #expect(try await ana.get("/api/v1/notifications/unread_count")["count"] == 3)
    }

    @Test("A name in a caption or comment is a mention and a link, if it has an account")
    func mentions() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let post = try await ana.post(caption: "With @Ben and @nobody")
        let seen = try await ben.get("/api/v1/statuses/\(post)")
        #expect(
            seen["mentions"] == [
                [
                    "id": .text("\(ben.id)"), "username": "ben", "acct": "ben",
                    "url": "http://localhost/@ben",
                ]
            ])
        let content = try #require(seen["content"].string)
        #expect(content.contains(#"<a class="mention" href="http://localhost/@Ben">@Ben</a>"#))
        #expect(content.contains("and @nobody") && !content.contains("@nobody</a>"))
        let page = try await ben.visit("/posts/\(post)")
        #expect(page.shows(#"href="/@Ben">@Ben</a>"#) && !page.shows(#"href="/@nobody""#))
        let comment = try await ben.comment("Thanks, @ana!", on: post)
        #expect(
            try await ana.get("/api/v1/statuses/\(post)/context")["descendants"][0]["mentions"][0]["username"]
                == "ana")
        #expect(try await ana.visit("/posts/\(post)/comments").shows(#"href="/@ana">@ana</a>"#))
        // An edit makes notifications for people who were not named before.
        let cleo = try await world.account("cleo")
        try await cleo.follow(ana)
        _ = try await ben.send(
            .put, "/api/v1/statuses/\(comment)", json: ["status": "Thanks, @ana and @cleo"])
        #expect(try await types(cleo) == ["mention"])
        _ = try await ben.send(
            .put, "/api/v1/statuses/\(comment)", json: ["status": "Thank you, @ana and @cleo"])
        #expect(try await types(cleo) == ["mention"])
    }

    @Test("Grouped notifications have one group key; a single one has its own")
    func groupKeys() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let post = try await people[0].post(caption: "Look")
        try await people[1].like(post)
        try await people[2].like(post)
        let shown = try await people[0].get("/api/v1/notifications").json.list
        let likes = shown.filter { $0["type"] == "favourite" }.map { $0["group_key"].string }
        #expect(likes == ["favourite-\(post)", "favourite-\(post)"])
        let follows = shown.filter { $0["type"] == "follow" }.map { $0["group_key"].string }
        #expect(Set(follows).count == 2)
    }

    @Test("A download that is ready makes a notification, which goes with the download")
    func download() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        _ = try await ana.submit("/settings/data")
        #expect(try await ana.get("/api/v1/notifications/unread_count")["count"] == 0)
        try await world.work()
        #expect(try await ana.get("/api/v1/notifications/unread_count")["count"] == 1)
        let page = try await ana.visit("/notifications")
        #expect(page.shows("Your download is ready.") && page.shows(#"href="/settings/data""#))
        // Mastodon has no such thing: its apps hear of it only when they ask.
        #expect(try await types(ana) == [])
        let asked = try await ana.get("/api/v1/notifications?types[]=tintype.download").json
        #expect(asked[0]["account"]["username"] == "ana")
        world.clock.advance(hours: 3 * 24 + 1)
        try await world.work()
        #expect(try await ana.visit("/notifications").shows("Your download") == false)
    }

    @Test("A hundred people comment and like at once: every count is exact, and there are two groups")
    func hundred() async throws {
        let world = try await World {
            $0.limits.reads = 1_000_000
            $0.limits.writes = 1_000_000
        }
        let ana = try await world.account("ana")
        let post = try await ana.post(caption: "Sunset", visibility: "public")
        var people: [Person] = []
        for number in 1...100 { people.append(try await world.account("person\(number)")) }
        // Over real connections, each person's two requests at the same moment as everyone's.
        try await world.live { [people] server in
            try await withThrowingTaskGroup(of: String.self) { group in
                for person in people {
                    group.addTask { try await server.post("/api/v1/statuses/\(post)/favourite", as: person) }
                    group.addTask {
                        try await server.post(
                            "/api/v1/statuses", as: person,
                            form: "status=Lovely&in_reply_to_id=\(post)")
                    }
                }
                for try await status in group { #expect(status == "HTTP/1.1 200") }
            }
        }
        let status = try await ana.get("/api/v1/statuses/\(post)")
        #expect(status["favourites_count"] == 100 && status["replies_count"] == 100)
        let comments = try await ana.get("/api/v1/statuses/\(post)/context")["descendants"].list
        #expect(Set(comments.map { $0["account"]["id"].string }).count == 100)
        #expect(try await world.tintype.problems() == [])
        #expect(try await ana.get("/api/v1/notifications/unread_count")["count"] == 2)
        let page = try await ana.visit("/notifications")
        for action in ["liked your post.", "commented on your post."] {
            let shown = page.text.matches(of: try Regex("<b>99 others</b> \(action)"))
            #expect(shown.count == 1, "\(action)")
        }
        #expect(page.text.components(separatedBy: "class=\"row notification").count == 3)
    }

    @Test("Taking back a like or a follow takes the notification back")
    func takenBack() async throws {
        let world = try await World()
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        try await ben.follow(ana)
        let post = try await ana.post(caption: "Look")
        try await ben.like(post)
        _ = try await ben.post("/api/v1/statuses/\(post)/unfavourite")
        #expect(try await types(ana) == ["follow"])
        _ = try await ben.post("/api/v1/accounts/\(ana.id)/unfollow")
        #expect(try await types(ana) == [])
    }

    @Test("A request is a notification until it is answered, and the follow is one then")
    func requests() async throws {
        let world = try await World()
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        _ = try await ana.send(.patch, "/api/v1/accounts/update_credentials", json: ["locked": true])
        try await ben.follow(ana)
        #expect(try await types(ana) == ["follow_request"])
        #expect(try await ana.visit("/notifications").shows("/requests/\(ben.id)/accept"))
        #expect(try await ana.post("/api/v1/follow_requests/\(ben.id)/authorize").status == 200)
        #expect(try await types(ana) == ["follow"])
    }

    @Test("Looking at the screen reads what is there, and what comes later is unread again")
    func reading() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let post = try await people[0].post(caption: "Look")
        try await people[1].like(post)
        #expect(try await people[0].visit("/notifications").shows("Unread."))
        #expect(try await people[0].visit("/notifications").shows("Unread.") == false)
        #expect(try await people[0].get("/api/v1/notifications/unread_count")["count"] == 0)
        world.clock.advance(seconds: 5)
        _ = try await people[1].comment("Nice", on: post)
        #expect(try await people[0].get("/api/v1/notifications/unread_count")["count"] == 1)
        // A marker never moves back.
        _ = try await people[0].visit("/notifications")
        _ = try await people[0].post("/api/v1/markers", json: ["notifications": ["last_read_id": 1]])
        #expect(try await people[0].get("/api/v1/notifications/unread_count")["count"] == 0)
    }

    @Test("A marker is set by an id as text or as a number, and read as text")
    func markers() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let ana = people[0]
        let home = try await ana.post(caption: "Look")
        try await people[1].like(home)
        let newest = try #require(try await ana.get("/api/v1/notifications").json[0]["id"].string)
        // Larger than the whole numbers of a double, as which tests would write it.
        let body = """
            {"notifications": {"last_read_id": \(newest)}, "home": {"last_read_id": "\(home)"}}
            """
        let set = try await ana.send(
            .post, "/api/v1/markers", headers: [.contentType: "application/json"],
            body: ByteBuffer(string: body))
        #expect(set.status == 200)
        let answer = try await ana.get("/api/v1/markers?timeline[]=home&timeline[]=notifications")
        for answer in [set, answer] {
            #expect(answer["notifications"]["last_read_id"] == .text(newest))
            #expect(answer["home"]["last_read_id"] == .text(home))
        }
        #expect(try await ana.get("/api/v1/notifications/unread_count")["count"] == 0)
        for wrong in ["1.5", "-1", "1e30", "true", "\"x\""] {
            let refused = try await ana.send(
                .post, "/api/v1/markers", headers: [.contentType: "application/json"],
                body: ByteBuffer(string: "{\"home\": {\"last_read_id\": \(wrong)}}"))
            #expect(refused.status == 422, "\(wrong)")
        }
    }

    @Test("They can be filtered, dismissed and cleared, each by their owner only")
    func dismissing() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let post = try await ana.post(caption: "Look")
        try await ben.like(post)
        let liked = try await ana.get("/api/v1/notifications?types[]=favourite").json
        #expect(liked.list.count == 1)
        let without = try await ana.get("/api/v1/notifications?exclude_types[]=favourite").json
        #expect(without.list.map { $0["type"] } == ["follow"])
        let id = try #require(liked[0]["id"].string)
        #expect(try await ben.get("/api/v1/notifications/\(id)").status == 404)
        #expect(try await ben.post("/api/v1/notifications/\(id)/dismiss").status == 404)
        #expect(try await ana.get("/api/v1/notifications/\(id)")["status"]["id"].string == post)
        #expect(try await ana.post("/api/v1/notifications/\(id)/dismiss").status == 200)
        #expect(try await types(ana) == ["follow"])
        _ = try await ana.post("/api/v1/notifications/clear")
        #expect(try await types(ana) == [])
    }

    @Test("However much happens, no more than the newest two thousand are kept")
    func bounded() async throws {
        let world = try await World()
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        // Each in a millisecond of its own, as on a busy day.
        for round in 0..<22 {
            try await world.tintype.database.write { transaction in
                for _ in 0..<100 {
                    _ = try NotificationStore(transaction).insert(
                        .follow, to: ana.id, from: ben.id, about: 0, group: nil, once: false,
                        isPutAside: false)
                }
            }
            world.clock.advance(seconds: 0.001 * Double(round + 1))
        }
        for _ in 0..<64 {
            world.clock.advance(seconds: 0.001)
            try await world.tintype.database.write { transaction in
                _ = try NotificationStore(transaction).insert(
                    .follow, to: ana.id, from: ben.id, about: 0, group: nil, once: false, isPutAside: false)
            }
        }
        let kept = try await world.number("SELECT count(*) FROM notifications")
        #expect(kept >= NotificationStore.capacity)
        #expect(kept <= NotificationStore.capacity + 32)
    }
}

@Suite("Live")
struct LiveTests {
    /// Opens a stream of someone's events.
    private func listen(_ person: Person, after last: Int? = nil) -> EventStream.Iterator {
        let events = person.world.tintype.events
        return events.subscribe(person.id, session: ID(rawValue: 1), after: last).stream.makeAsyncIterator()
    }

    @Test("Followers hear of a post and its likes; strangers only of what concerns them")
    func hearing() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let eve = try await world.account("eve")
        var anas = listen(people[0])
        var eves = listen(eve)
        let post = try await people[1].post(caption: "News for friends")
        let update = try #require(await anas.next())
        #expect(update.name == "update")
        #expect(JSON(update.data)["id"].string == post)

        try await people[0].like(post)
        let counts = try #require(await anas.next())
        #expect(counts.name == "tintype.status.counts")
        #expect(JSON(counts.data) == ["id": .text(post), "favourites_count": 1, "replies_count": 0])

        // What eve hears first is what concerns her, though it came last.
        let open = try await people[1].post(caption: "Hello @eve", visibility: "public")
        #expect(await eves.next()?.name == "tintype.status.public")
        #expect(await eves.next()?.name == "notification")
        #expect(await eves.next()?.name == "tintype.counts")
        _ = try await people[1].delete("/api/v1/statuses/\(open)")
        let deleted = try #require(await eves.next())
        #expect(deleted.name == "delete")
        #expect(String(decoding: deleted.data, as: UTF8.self) == open)
    }

    @Test("A hundred likes at once make few events, and the last one has the exact count")
    func gathered() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let post = try await ana.post(caption: "Sunset", visibility: "public")
        var people: [Person] = []
        for number in 1...50 { people.append(try await world.account("person\(number)")) }
        var stream = listen(ana)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for person in people { group.addTask { try await person.like(post) } }
            try await group.waitForAll()
        }
        var (shown, count) = (0, 0)
        while count < 50 {
            let event = try #require(await stream.next())
            guard event.name == "tintype.status.counts" else { continue }
            shown += 1
            count = JSON(event.data)["favourites_count"].int ?? 0
        }
        #expect(count == 50)
        #expect(shown < 50)
    }

    @Test("Whatever happens at once, the last count that is sent is the number of unread ones")
    func countsAtOnce() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        var posts: [String] = []
        for number in 1...20 {
            posts.append(try await ana.post(caption: "\(number)", visibility: "public"))
        }
        let ben = try await world.account("ben")
        for round in 1...5 {
            var stream = listen(ana)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, post) in posts.enumerated() {
                    let isLiked = (round + number).isMultiple(of: 2)
                    group.addTask {
                        _ = try await ben.post("/api/v1/statuses/\(post)/\(isLiked ? "" : "un")favourite")
                    }
                }
                try await group.waitForAll()
            }
            world.tintype.events.publish(EventName(passing: "last"), to: ana.id, data: [])
            var shown: Int?
            while let event = await stream.next(), event.name != "last" {
                shown = JSON(event.data)["notifications"].int ?? shown
            }
            #expect(shown == 10)
            #expect(try await ana.get("/api/v1/notifications/unread_count")["count"] == 10)
        }
    }

    @Test("A stream that is taken up again hears how much is unread now, and not how much was")
    func oldCounts() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let place = world.tintype.events.position(of: ana.id)
        let received = try await ana.receives(until: #"{"notifications":2}"#) {
            try await ben.like(try await ana.post(caption: "Look"))
        }
        #expect(received.contains("event: notification"))
        _ = try await ana.post(caption: "Afterwards")
        let again = try await world.live { server in
            try await server.connect { stream in
                try await stream.get("/api/v1/events", as: ana, headers: ["Last-Event-ID: \(place)"])
                return try await stream.read(until: "Afterwards")
            }
        }
        #expect(again.components(separatedBy: "event: tintype.counts").count == 2)
    }

    @Test("A block ends both people's streams, and no earlier event can be fetched again")
    func blocking() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        var stream = listen(people[1])
        var own = listen(people[0])
        _ = try await people[0].post(caption: "Before the block")
        let update = try #require(await stream.next())
        #expect(update.name == "update")
        let number = try #require(update.number)
        try await people[0].block(people[1])
        #expect(await stream.next() == nil)
        while let event = await own.next() { #expect(event.name == "update") }
        var again = listen(people[1], after: number - 1)
        #expect(await again.next()?.name == "reset")
        // What comes after it is not for him either.
        _ = try await people[0].post(caption: "After the block", visibility: "public")
        try await people[1].follow(try await world.account("cleo"))
        let post = try await people[1].post(caption: "My own")
        let received = try #require(await again.next())
        #expect(JSON(received.data)["id"].string == post)
    }
}
