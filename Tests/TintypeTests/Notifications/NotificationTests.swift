import Foundation
import HTTPTypes
import Storage
import Testing

@testable import Tintype

@Suite("Notifications")
struct NotificationTests {
    private func types(_ person: Person) async throws -> [String?] {
        try await person.get("/api/v1/notifications").json.list.map { $0["type"].string }
    }

    @Test("Follows, likes, comments and mentions are told; one's own deeds are not")
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

    @Test("A request is told until it is answered, then the follow is")
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
                        .follow, to: ana.id, from: ben.id, post: nil, group: nil)
                }
            }
            world.clock.advance(seconds: 0.001 * Double(round + 1))
        }
        for _ in 0..<64 {
            world.clock.advance(seconds: 0.001)
            try await world.tintype.database.write { transaction in
                _ = try NotificationStore(transaction).insert(
                    .follow, to: ana.id, from: ben.id, post: nil, group: nil)
            }
        }
        let kept = try await world.number("SELECT count(*) FROM notifications")
        #expect(kept >= NotificationStore.capacity)
        #expect(kept <= NotificationStore.capacity + 32)
    }
}

@Suite("Live")
struct LiveTests {
    @Test("Followers hear of a post, its author of likes; strangers of neither")
    func hearing() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let eve = try await world.account("eve")
        let (ana, ben) = (people[0], people[1])
        try await world.live { server in
            try await server.connect { anas in
                try await anas.get("/api/v1/events", as: ana)
                _ = try await anas.read(until: "tintype.counts")
                try await server.connect { eves in
                    try await eves.get("/api/v1/events", as: eve)
                    _ = try await eves.read(until: "tintype.counts")
                    let post = try await ben.post(caption: "News for friends")
                    let update = try await anas.read(until: "News for friends")
                    #expect(update.contains("event: update"))
                    try await ana.like(post)
                    let counts = try await anas.read(until: "tintype.status.counts")
                    #expect(counts.contains("event: tintype.status.counts"))
                    // What eve hears first is what concerns her, though it came last.
                    let open = try await ben.post(caption: "Hello @eve", visibility: "public")
                    let told = try await eves.read(until: "event: notification")
                    #expect(!told.contains("News for friends") && !told.contains("event: update"))
                    _ = try await ben.delete("/api/v1/statuses/\(open)")
                    let deleted = try await eves.read(until: "event: delete")
                    #expect(deleted.contains("event: delete"))
                }
            }
        }
    }

    @Test("A block ends both people's streams, and nothing told before can be taken up again")
    func blocking() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        try await world.live { server in
            let last = try await server.connect { stream -> String in
                try await stream.get("/api/v1/events", as: ben)
                _ = try await stream.read(until: "tintype.counts")
                _ = try await ana.post(caption: "Before the block")
                let update = try await stream.read(until: "Before the block")
                let id = try #require(update.firstMatch(of: /id: (\d+)/)).1
                try await ana.block(ben)
                // The stream ends: reading it comes to an end by itself.
                _ = try await stream.read(until: "never said")
                return String(id)
            }
            try await server.connect { stream in
                let before = "\(try #require(Int(last)) - 1)"
                try await stream.get("/api/v1/events", as: ben, headers: ["Last-Event-ID: \(before)"])
                let heard = try await stream.read(until: "event: reset")
                #expect(heard.contains("event: reset"))
                #expect(!heard.contains("Before the block"))
            }
        }
    }
}
