import Foundation
import HTTPTypes
import Storage
import Testing

@testable import Core
@testable import Tintype

@Suite("Comments go out of sight with their post", .timeLimit(.minutes(15)))
struct CommentPrivacyTests {
    /// What takes a post of ana's from ben, who follows her.
    enum Parting: CaseIterable {
        case removed, blocked, blocking, locked, suspended
    }

    @Test(
        "A liked and saved comment leaves a person's lists, and its photo its places, when its post can't be seen any more",
        arguments: Parting.allCases)
    func lists(_ parting: Parting) async throws {
        let world = try await World()
        let (ana, ben, cleo) = (
            try await world.account("ana"), try await world.account("ben"), try await world.account("cleo")
        )
        for person in [ben, cleo] { try await person.follow(ana) }
        let visibility = parting == .locked ? "public" : "private"
        let post = try await ana.post(caption: "Harbour", visibility: visibility)
        let photo = try await cleo.photo()
        let comment = try #require(
            try await cleo.post(
                "/api/v1/statuses",
                json: [
                    "status": "Under the bridge", "media_ids": [.text(photo)], "in_reply_to_id": .text(post),
                ])["id"].string)
        try await ben.like(comment)
        _ = try await ben.post("/api/v1/statuses/\(comment)/bookmark")
        let lists = ["/api/v1/favourites", "/api/v1/bookmarks", "/saved"]
        func answers() async throws -> [Answer] {
            var answers: [Answer] = []
            for list in lists {
                answers.append(list.hasPrefix("/api") ? try await ben.get(list) : try await ben.visit(list))
            }
            return answers
        }
        #expect(try await answers().allSatisfy { $0.shows(comment) })
        #expect(try await ben.visit("/photos/\(photo)/large").status == 200)
        switch parting {
        case .removed: _ = try await ana.post("/api/v1/accounts/\(ben.id)/remove_from_followers")
        case .blocked: try await ana.block(ben)
        case .blocking: try await ben.block(ana)
        case .locked:
            _ = try await ben.post("/api/v1/accounts/\(ana.id)/unfollow")
            try await ana.lock()
        case .suspended:
            try await world.tintype.database.write {
                try $0.execute("UPDATE accounts SET is_suspended = 1 WHERE id = $1", ana.id)
            }
        }
        for answer in try await answers() {
            #expect(answer.status == 200)
            #expect(!answer.shows(comment) && !answer.shows("Under the bridge"))
        }
        #expect(try await ben.get("/api/v1/statuses/\(comment)").status == 404)
        #expect(try await ben.visit("/photos/\(photo)/large").status == 404)
    }

    // MARK: Streams

    /// All that comes to `person` from now until a post of their own that ends it.
    private func received(
        by person: Person, while happens: () async throws -> Void
    ) async throws -> [EventBus.Event] {
        let events = person.world.tintype.events
        var stream = events.subscribe(person.id, session: ID(rawValue: 1), after: nil).stream
            .makeAsyncIterator()
        try await happens()
        let end = try await person.post(caption: "The end")
        var received: [EventBus.Event] = []
        while let event = await stream.next(), JSON(event.data)["id"].string != end { received.append(event) }
        return received
    }

    /// Likes, edits and deletes a comment, and waits for the event of each at `witness` before the next.
    private func happen(to comment: String, of author: Person, before witness: Person) async throws {
        var stream = witness.world.tintype.events
            .subscribe(witness.id, session: ID(rawValue: 2), after: nil).stream.makeAsyncIterator()
        func wait(for name: EventName) async throws {
            while let event = await stream.next() {
                let shown = event.name == "delete" ? .number(0) : JSON(event.data)["id"]
                if event.name == name, event.name == "delete" || shown.string == comment { return }
            }
            Issue.record("the stream ended before \(name)")
        }
        try await witness.like(comment)
        try await wait(for: "tintype.status.counts")
        _ = try await author.send(.put, "/api/v1/statuses/\(comment)", json: ["status": "Changed"])
        try await wait(for: "status.update")
        _ = try await author.delete("/api/v1/statuses/\(comment)")
        try await wait(for: "delete")
    }

    @Test("Events of a comment under somebody else's post don't reach people whom its author blocks")
    func blockedByCommenter() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let (ana, ben, cleo) = (people[0], people[1], people[2])
        let post = try await cleo.post(caption: "Cleo's", visibility: "public")
        let comment = try await ana.comment("From ana", on: post)
        try await ana.block(ben)
        let received = try await received(by: ben) { try await happen(to: comment, of: ana, before: cleo) }
        for event in received {
            #expect(
                !String(decoding: event.data, as: UTF8.self).contains(comment),
                "\(String(describing: event.name))")
        }
    }

    @Test("Events below a locked author's public post go to followers only")
    func lockedAuthor() async throws {
        let world = try await World()
        let (ana, ben, eve) = (
            try await world.account("ana"), try await world.account("ben"), try await world.account("eve")
        )
        try await ben.follow(ana)
        let post = try await ana.post(caption: "For all", visibility: "public")
        let comment = try await ben.comment("From ben", on: post)
        #expect(try await eve.get("/api/v1/statuses/\(comment)").status == 200)
        try await ana.lock()
        #expect(try await eve.get("/api/v1/statuses/\(comment)").status == 404)
        #expect(try await ben.get("/api/v1/statuses/\(post)")["visibility"] == "private")
        let received = try await received(by: eve) { try await happen(to: comment, of: ben, before: ana) }
        #expect(received.map(\.name) == [])
    }
}

extension Person {
    /// From now on asks before someone follows.
    func lock() async throws {
        let answer = try await send(
            .patch, "/api/v1/accounts/update_credentials", json: ["locked": true])
        try #require(answer.status == 200)
    }
}
