import Foundation
import Storage
import TestPostgres
import Testing

@testable import Core
@testable import Feeds
@testable import Tintype

@Suite(
    "Events between servers on one database", .enabled(if: TestPostgres.engine != nil),
    .timeLimit(.minutes(15)))
struct NodeEventTests {
    @Test("A message on one server reaches a page at another, with the count and pictures of its log-in")
    func message() async throws {
        try await World.pair { one, two in
            let people = try await one.friends("ana", "bea")
            let (ana, bea) = (people[0], people[1])
            let chat = try await ana.chat(with: bea)
            let photo = try await ana.photo()
            let session = try await bea.session
            let last = "/photos/\(photo)/large?v=\(session)"
            let received = try await bea.at(two).receives(until: last) {
                _ = try await ana.write("Hello from one", in: chat)
                _ = try await ana.send(photo: photo, in: chat)
            }
            #expect(received.contains("event: tintype.message\n") && received.contains("Hello from one"))
            #expect(received.contains(#""friends":"#))
            #expect(received.matches(of: /\?v=(\d+)"/).allSatisfy { $0.1 == "\(session)" })
        }
    }

    @Test("Typing, reactions and read marks on one server are seen at another")
    func hints() async throws {
        try await World.pair { one, two in
            let people = try await one.friends("ana", "bea")
            let (ana, bea) = (people[0], people[1])
            let chat = try await ana.chat(with: bea)
            let message = try await bea.write("Hello", in: chat)
            let received = try await bea.at(two).receives(until: "event: tintype.read") {
                #expect(try await ana.post("/api/v1/chats/\(chat)/typing").status == 200)
                try await ana.read(through: message, in: chat)
            }
            #expect(received.contains("event: tintype.typing\n"))
        }
    }

    @Test("A notification on one server reaches its page at another, with the count")
    func notification() async throws {
        try await World.pair { one, two in
            let (ana, bea) = (try await one.account("ana"), try await one.account("bea"))
            let received = try await bea.at(two).receives(until: #"{"notifications":1}"#) {
                try await ana.follow(bea)
            }
            #expect(received.contains("event: notification\n") && received.contains(#""type":"follow""#))
        }
    }

    @Test("Posts come, change, are counted and go at all servers")
    func posts() async throws {
        try await World.pair { one, two in
            let people = try await one.friends("ana", "bea")
            let (ana, bea) = (people[0], people[1])
            let received = try await bea.at(two).receives(until: "event: delete") {
                let post = try await ana.post(caption: "From one")
                #expect(
                    try await ana.put("/api/v1/statuses/\(post)", json: ["status": "Changed on one"]).status
                        == 200)
                #expect(try await ana.delete("/api/v1/statuses/\(post)").status == 200)
            }
            for part in ["event: update\n", "event: status.update\n", "Changed on one", "event: delete\n"] {
                #expect(received.contains(part), "\(part)")
            }
            let post = try await ana.post(caption: "To be liked")
            let counted = try await bea.at(two).receives(until: #""favourites_count":1"#) {
                let answer = try await ana.post("/api/v1/statuses/\(post)/favourite")
                #expect(answer.status == 200)
            }
            #expect(counted.contains("event: tintype.status.counts\n"))
        }
    }

    @Test("Snaps, collages and contracts reach those whom they concern at another server")
    func others() async throws {
        try await World.pair {
            $0.snaps.openFeeds = [SnapFeed(title: "memes")]
        } _: { one, two in
            let people = try await one.friends("ana", "ben")
            let (ana, ben) = (people[0], people[1])
            let snapped = try await ben.at(two).receives(until: #"{"snaps":1}"#) {
                _ = try await ana.snap(feed: "random")
                try await one.work()
            }
            #expect(snapped.contains("event: tintype.snap\n"))
            let open = try await one.account("olga").at(two)
            let seenByAll = try await open.receives(until: #"{"snaps":1}"#) {
                _ = try await ana.snap(feed: "memes")
                try await one.work()
            }
            #expect(seenByAll.contains("event: tintype.snap\n"))
            let draft = try await ana.collage(with: [ben])
            let filled = try await ben.at(two).receives(until: #""spacing":7"#) {
                _ = try await ana.patch("/api/v1/collage_drafts/\(draft)", json: ["spacing": 7])
            }
            #expect(filled.contains("event: tintype.collage\n"))
            let proposed = try await ben.at(two).receives(until: #"{"contracts":1}"#) {
                _ = try await ana.propose(to: ben)
            }
            #expect(proposed.contains("event: tintype.contract\n"))
        }
    }

    @Test("A page of one server that listens at another is asked to load everything again")
    func resumed() async throws {
        try await World.pair { one, two in
            let people = try await one.friends("ana", "bea")
            let (ana, bea) = (people[0], people[1])
            let chat = try await ana.chat(with: bea)
            let position = one.tintype.events.position(of: bea.id)
            _ = try await ana.write("Missed", in: chat)
            let elsewhere = try await bea.at(two).takesUp(after: position, until: "event: reset")
            #expect(elsewhere.contains("event: reset\n"))
            let same = try await bea.takesUp(after: position, until: "Missed")
            #expect(!same.contains("event: reset"))
        }
    }

    @Test("What ends a stream on one server ends it at another")
    func ended() async throws {
        try await World.pair { one, two in
            let people = try await one.friends("ana", "bea")
            let (ana, bea) = (people[0], people[1])
            let received = try await bea.at(two).receives(until: "never") {
                let answer = try await ana.post("/api/v1/accounts/\(bea.id)/block")
                #expect(answer.status == 200)
            }
            #expect(!received.contains("never"))
        }
    }

    @Test("After a cut connection, streams are asked to load everything again, and events arrive again")
    func cut() async throws {
        try await World.pair { one, two in
            let people = try await one.friends("ana", "bea")
            let (ana, bea) = (people[0], people[1])
            let chat = try await ana.chat(with: bea)
            var stream = two.tintype.events.subscribe(bea.id, session: ID(rawValue: 1), after: nil).stream
                .makeAsyncIterator()
            let count = try await one.number(
                """
                SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                WHERE application_name = 'tintype events' AND datname = current_database()
                """)
            #expect(count == 2)
            #expect(await stream.next()?.name == .reset)
            _ = try await ana.write("After the cut", in: chat)
            while let event = await stream.next() {
                guard event.name == "tintype.message" else { continue }
                #expect(JSON(event.data)["text"] == "After the cut")
                break
            }
        }
    }

    @Test("An event that is larger than a notification arrives whole")
    func big() async throws {
        try await World.pair { one, two in
            let bea = try await one.account("bea")
            var stream = two.tintype.events.subscribe(bea.id, session: ID(rawValue: 1), after: nil).stream
                .makeAsyncIterator()
            let text = String(repeating: "a big event é🦊", count: 5_000)
            one.tintype.events.publish("tintype.test", to: bea.id, data: Array(text.utf8))
            let event = try #require(await stream.next())
            #expect(event.name == "tintype.test" && event.data == Array(text.utf8))
        }
    }
}
