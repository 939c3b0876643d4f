import Foundation
import Storage
import Testing

@testable import Core
@testable import Feeds
@testable import Tintype

@Suite("Snaps are told")
struct SnapNotificationTests {
    /// The snaps that somebody was told of, the newest first.
    private func told(_ person: Person) async throws -> [String?] {
        let answer = try await person.get("/api/v1/notifications?types[]=tintype.snap")
        return answer.json.list.map { $0["snap"]["id"].string }
    }

    @Test("Friends are told of a snap until they open it; Mastodon's apps only when they ask")
    func friends() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let (ana, ben, cleo) = (people[0], people[1], people[2])
        let dora = try await world.account("dora")
        try await dora.follow(ana)
        let before = try await ben.get("/api/v1/notifications/unread_count")["count"]
        let snap = try await ana.snap(feed: "dog-spots")
        try await world.work()
        #expect(try await told(ben) == [snap])
        #expect(try await told(cleo) == [snap])
        #expect(try await told(ana) == [])
        #expect(try await told(dora) == [])
        let count = try await ben.get("/api/v1/notifications/unread_count")["count"]
        #expect(before == 2 && count == 3)
        #expect(try await !ben.get("/api/v1/notifications").text.contains("tintype.snap"))
        let page = try await ben.visit("/notifications")
        #expect(page.shows("posted a snap to dog spots.") && page.shows(#"href="/snaps""#))

        _ = try await ben.post("/api/v1/snaps/\(snap)/open")
        #expect(try await told(ben) == [])
        #expect(try await told(cleo) == [snap])
        // Telling again, as after a crash, tells nobody twice and nobody who has seen it.
        try await world.tintype.database.write { try $0.schedule(.announceSnap, payload: snap) }
        try await world.work()
        #expect(try await told(ben) == [])
        #expect(try await told(cleo) == [snap])
    }

    @Test("Several snaps of one friend are told together")
    func together() async throws {
        let people = try await World().friends("ana", "ben")
        var snaps: [String] = []
        for feed in ["memes", "random", "dog-spots"] { snaps.append(try await people[0].snap(feed: feed)) }
        try await people[0].world.work()
        #expect(try await told(people[1]) == snaps.reversed())
        #expect(try await people[1].visit("/notifications").shows("posted 3 snaps."))
        _ = try await people[1].post("/api/v1/snaps/\(snaps[2])/open")
        #expect(try await people[1].visit("/notifications").shows("posted 2 snaps."))
    }

    @Test("With a snap goes what was told of it: deleted, over, or its friendship at an end")
    func gone() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let deleted = try await ana.snap()
        try await world.work()
        #expect(try await told(ben) == [deleted])
        #expect(try await ana.delete("/api/v1/snaps/\(deleted)").status == 200)
        #expect(try await told(ben) == [])

        let over = try await ana.snap()
        try await world.work()
        #expect(try await told(ben) == [over])
        world.clock.advance(hours: 24)
        try await world.work()
        #expect(try await told(ben) == [])

        _ = try await ana.snap()
        try await world.work()
        _ = try await ben.post("/api/v1/accounts/\(ana.id)/unfollow")
        #expect(try await told(ben) == [])
        #expect(try await world.number("SELECT count(*) FROM notifications WHERE kind = 'snap'") == 0)
    }

    @Test("Its poster's own pages hear of a snap before anybody is told")
    func own() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let heard = try await ana.hears(until: #""own":true"#) {
            _ = try await ana.snap()
        }
        #expect(heard.contains("event: tintype.snap"))
        #expect(try await world.number("SELECT count(*) FROM jobs WHERE kind = 'tell-of-snap'") == 1)
    }

    @Test("In an open feed everyone who is here hears of it, and nobody whom a block parts from its poster")
    func openFeed() async throws {
        let world = try await World { $0.snaps.openFeeds = [SnapFeed(title: "memes")] }
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let (cleo, dora) = (try await world.account("cleo"), try await world.account("dora"))
        try await dora.block(ana)
        for (person, hears) in [(cleo, true), (dora, false)] {
            let heard = try await person.hears(until: #""username":"ben""#) {
                _ = try await ana.snap()
                try await world.work()
                _ = try await ben.snap()
                try await world.work()
            }
            #expect(heard.contains(#""username":"ana""#) == hears)
        }
    }

    @Test("Open pages hear that a snap's time is up, and their badges fall")
    func expired() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let snap = try await people[0].snap()
        let heard = try await world.live { server in
            try await server.connect { stream in
                try await stream.get("/api/v1/events", as: people[1])
                return try await stream.read(
                    until: "tintype.counts",
                    then: {
                        world.clock.advance(hours: 24)
                        try await world.work()
                    }, until: #""snaps":0"#)
            }
        }
        #expect(heard.contains(#"{"id":"\#(snap)","feed_id":"memes","gone":true"#))
    }

    @Test("An open page hears of it, and its badge falls when the snap is opened")
    func live() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let heard = try await ben.hears(until: #"{"notifications":1}"#) {
            let snap = try await ana.snap()
            try await world.work()
            _ = try await ben.post("/api/v1/snaps/\(snap)/open")
        }
        #expect(heard.contains("event: tintype.notification") && heard.contains(#"{"notifications":2}"#))
        #expect(heard.contains(#"{"snaps":0}"#))
    }
}
