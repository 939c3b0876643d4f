import Glibc
import Serving
import Storage
import Synchronization
import Testing

@testable import Core
@testable import Feeds
@testable import Tintype

/// Counts the statements of a page: on PostgreSQL each is one round trip to another machine.
@Suite("How many statements a page takes")
struct PageStatementsTests {
    private static let pages = [
        "/notifications", "/api/v1/notifications?limit=40", "/api/v2/notifications", "/api/v2/search?q=fan",
        "/friends", "/@ana", "/@ana/followers", "/messages",
    ]

    @Test("A page takes as many statements for many people as for a few", arguments: pages)
    func manyPeople(page: String) async throws {
        let few = try await count(page, people: 3)
        let many = try await count(page, people: 12)
        // Only what differs: a failure names all of what it compares.
        let differing = Set(many.keys).union(few.keys).filter { many[$0] != few[$0] }
            .map { "\(few[$0] ?? 0), then \(many[$0] ?? 0): \($0)" }
        #expect(differing == [])
        #expect(few.values.reduce(0, +) <= 30)
    }

    /// Returns how often a page that shows something of some people runs each statement, by its text as far as that
    /// doesn't depend on how many values it names.
    private func count(_ page: String, people: Int) async throws -> [Substring: Int] {
        let counts = Mutex<[Substring: Int]>([:])
        let writers = Mutex<Set<pthread_t>>([])
        let world = try await World {
            // A read that needs the disk, or a lock, begins again on another thread.
            $0.readsInPlace = 0
            // What is written beside the page, such as by a job, isn't the page's.
            $0.statementWatch = { sql, _ in
                let thread = pthread_self()
                let isWriting = writers.withLock { writers in
                    if sql.hasPrefix("BEGIN IMMEDIATE") { writers.insert(thread) }
                    defer { if sql == "COMMIT" || sql == "ROLLBACK" { writers.remove(thread) } }
                    return writers.contains(thread)
                }
                guard sql != "BEGIN", !isWriting else { return }
                counts.withLock { $0[sql.prefix { $0 != "(" }, default: 0] += 1 }
            }
        }
        let ana = try await world.account("ana")
        let post = try await ana.post(caption: "On duty since seven.")
        for number in 1...people {
            let fan = try await world.account("fan\(number)")
            try await fan.follow(ana)
            try await ana.follow(fan)
            #expect(try await fan.like(post).status == 200)
            let comment = try await fan.post(
                "/api/v1/statuses", json: ["status": "Well, @ana", "in_reply_to_id": .text(post)] as JSON)
            #expect(comment.status == 200)
            let snap = try await fan.post(
                "/api/v1/snaps", json: ["sample_id": "memes-1", "feed_id": "memes"])
            #expect(snap.status == 201)
            let chat = try await fan.post(
                "/api/v1/chats", json: ["account_id": .text(ana.id.description)] as JSON)
            let id = try #require(chat.json["id"].string)
            let message = try await fan.post("/api/v1/chats/\(id)/messages", json: ["text": "Hello"])
            #expect(message.status == 201)
        }
        try await world.work()
        // The numbers of likes and comments are read a moment later, for those who look.
        while world.tintype.features.posts.posts.announcements.isSendingCounts { await Task.yield() }
        counts.withLock { $0 = [:] }
        #expect(try await ana.visit(page).status == 200)
        return counts.withLock { $0 }
    }
}
