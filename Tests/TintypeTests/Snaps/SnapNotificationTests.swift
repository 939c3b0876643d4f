import Foundation
import Storage
import Testing

@testable import Core
@testable import Feeds
@testable import Tintype

@Suite("Notifications of snaps")
struct SnapNotificationTests {
    /// The snaps in a person's notifications, newest first.
    private func notifiedSnaps(_ person: Person) async throws -> [String?] {
        let answer = try await person.get("/api/v1/notifications?types[]=tintype.snap")
        return answer.json.list.map { $0["snap"]["id"].string }
    }

    @Test("Friends have a notification until they open the snap; Mastodon's apps have to ask for it")
    func friends() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let (ana, ben, cleo) = (people[0], people[1], people[2])
        let dora = try await world.account("dora")
        try await dora.follow(ana)
        let before = try await ben.get("/api/v1/notifications/unread_count")["count"]
        let snap = try await ana.snap(feed: "dog-spots")
        try await world.work()
        #expect(try await notifiedSnaps(ben) == [snap])
        #expect(try await notifiedSnaps(cleo) == [snap])
        #expect(try await notifiedSnaps(ana) == [])
        #expect(try await notifiedSnaps(dora) == [])
        let count = try await ben.get("/api/v1/notifications/unread_count")["count"]
        #expect(before == 2 && count == 3)
        #expect(try await !ben.get("/api/v1/notifications").text.contains("tintype.snap"))
        let page = try await ben.visit("/notifications")
        #expect(page.shows("posted a snap to dog spots.") && page.shows(#"href="/snaps""#))

        _ = try await ben.post("/api/v1/snaps/\(snap)/open")
        #expect(try await notifiedSnaps(ben) == [])
        #expect(try await notifiedSnaps(cleo) == [snap])
        // Running the job again, as after a crash, notifies nobody twice, and nobody who has seen the snap.
        try await world.tintype.database.write { try $0.schedule(.announceSnap, payload: snap) }
        try await world.work()
        #expect(try await notifiedSnaps(ben) == [])
        #expect(try await notifiedSnaps(cleo) == [snap])
    }

    @Test("Several snaps of one friend are one notification")
    func together() async throws {
        let people = try await World().friends("ana", "ben")
        var snaps: [String] = []
        for feed in ["memes", "random", "dog-spots"] { snaps.append(try await people[0].snap(feed: feed)) }
        try await people[0].world.work()
        #expect(try await notifiedSnaps(people[1]) == snaps.reversed())
        #expect(try await people[1].visit("/notifications").shows("posted 3 snaps."))
        _ = try await people[1].post("/api/v1/snaps/\(snaps[2])/open")
        #expect(try await people[1].visit("/notifications").shows("posted 2 snaps."))
    }

    @Test("The notification goes with its snap: deleted, expired, or its friendship at an end")
    func gone() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let deleted = try await ana.snap()
        try await world.work()
        #expect(try await notifiedSnaps(ben) == [deleted])
        #expect(try await ana.delete("/api/v1/snaps/\(deleted)").status == 200)
        #expect(try await notifiedSnaps(ben) == [])

        let over = try await ana.snap()
        try await world.work()
        #expect(try await notifiedSnaps(ben) == [over])
        world.clock.advance(hours: 24)
        try await world.work()
        #expect(try await notifiedSnaps(ben) == [])

        _ = try await ana.snap()
        try await world.work()
        _ = try await ben.post("/api/v1/accounts/\(ana.id)/unfollow")
        #expect(try await notifiedSnaps(ben) == [])
        #expect(try await world.number("SELECT count(*) FROM notifications WHERE kind = 'snap'") == 0)
    }

    @Test("The poster's own pages get the event of a snap before anyone gets a notification")
    func own() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let received = try await ana.receives(until: #""own":true"#) {
            _ = try await ana.snap()
        }
        #expect(received.contains("event: tintype.snap"))
        #expect(try await world.number("SELECT count(*) FROM jobs WHERE kind = 'tell-of-snap'") == 1)
    }

    @Test("In an open feed everyone who is here hears of it, and nobody whom a block parts from its poster")
    func openFeed() async throws {
        let world = try await World { $0.snaps.openFeeds = [SnapFeed(title: "memes")] }
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let (cleo, dora) = (try await world.account("cleo"), try await world.account("dora"))
        try await dora.block(ana)
        for (person, isNotified) in [(cleo, true), (dora, false)] {
            let received = try await person.receives(until: #""username":"ben""#) {
                _ = try await ana.snap()
                try await world.work()
                _ = try await ben.snap()
                try await world.work()
            }
            #expect(received.contains(#""username":"ana""#) == isNotified)
        }
    }

    @Test("Open pages hear that a snap's time is up, and their badges fall")
    func expired() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let snap = try await people[0].snap()
        let received = try await world.live { server in
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
        #expect(received.contains(#"{"id":"\#(snap)","feed_id":"memes","gone":true"#))
    }

    @Test("An open page hears of it, and its badge falls when the snap is opened")
    func live() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let received = try await ben.receives(until: #"{"notifications":1}"#) {
            let snap = try await ana.snap()
            try await world.work()
            _ = try await ben.post("/api/v1/snaps/\(snap)/open")
        }
        #expect(
            received.contains("event: tintype.notification") && received.contains(#"{"notifications":2}"#))
        #expect(received.contains(#"{"snaps":0}"#))
    }
}
