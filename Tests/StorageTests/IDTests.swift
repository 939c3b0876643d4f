import Foundation
import Storage
import Synchronization
import Testing

@Suite("Ids")
struct IDTests {
    static let noon = IDSequence.epoch + 43_200_000

    @Test("An id holds the time, the node and a sequence")
    func layout() {
        var ids = IDSequence(node: 1023)
        #expect(ids.next(at: Self.noon) == 43_200_000 << 22 | 1023 << 12)
        #expect(ids.next(at: Self.noon) == 43_200_000 << 22 | 1023 << 12 | 1)
        #expect(ids.next(at: Self.noon + 1) == 43_200_001 << 22 | 1023 << 12)
    }

    @Test("Ids grow when the clock stops, goes back, or all ids of a millisecond are used")
    func growth() {
        var ids = IDSequence(node: 3)
        var last: Int64 = 0
        for step in 0..<20_000 {
            let id = ids.next(at: Self.noon - Int64(step % 7) * 1000)
            #expect(id > last)
            #expect(id >> 12 & 0x3ff == 3)
            last = id
        }
        #expect(ids.next(at: Self.noon + 1000) == 43_201_000 << 22 | 3 << 12)
    }

    @Test("An id is higher than another node's, unless that is far ahead")
    func otherNodes() {
        var (ids, others) = (IDSequence(node: 3), IDSequence(node: 900))
        for ahead in [0, 1, 40, IDSequence.lead - 1] {
            let other = others.next(at: Self.noon + ahead)
            let id = ids.next(at: Self.noon, after: other)
            #expect(id > other && id >> 12 & 0x3ff == 3)
            #expect(ids.next(at: Self.noon) > id)
        }
        var calm = IDSequence(node: 3)
        for other in [others.next(at: Self.noon + IDSequence.lead), .max] {
            let id = calm.next(at: Self.noon, after: other)
            #expect(id < other && id >> 22 == 43_200_000)
        }
        // A lower one changes nothing.
        #expect(calm.next(at: Self.noon + 1, after: 0) == 43_200_001 << 22 | 3 << 12)
    }

    @Test("A lower id is never seen later")
    func order() async throws {
        let notes = try Notes()
        let database = notes.database
        let watcher = Task {
            var (last, seen) = (Int64(0), 0)
            while seen < 800 {
                let (newest, count) = try await database.read { transaction in
                    try transaction.row("SELECT coalesce(max(id), 0) AS newest, count(*) AS notes FROM note")
                    {
                        (try $0.int64("newest"), try $0.int("notes"))
                    } ?? (0, 0)
                }
                let skipped = try await database.read { [last] transaction in
                    try transaction.value("SELECT count(*) FROM note WHERE id <= $1", last, as: Int.self)
                }
                // All that came since is behind what was the newest.
                #expect(skipped == seen)
                (last, seen) = (newest, count)
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<16 { group.addTask { for _ in 0..<50 { try await notes.add("note") } } }
            try await group.waitForAll()
        }
        try await watcher.value
    }

    @Test("Ids grow across a restart, also when the clock was set back meanwhile", .onlySQLite)
    func restart() async throws {
        let folder = try TemporaryFolder()
        let first = try Notes(folder: folder, now: { Date(milliseconds: Self.noon) })
        let before = try await first.add("before")
        try first.database.close()
        let second = try Notes(folder: folder, now: { Date(milliseconds: Self.noon - 3_600_000) })
        #expect(try await second.add("after") > before)
    }

    @Test("A node out of range is refused")
    func nodes() throws {
        let folder = try TemporaryFolder()
        for node in [-1, 1024] {
            #expect(throws: DatabaseError.self) {
                try Database(path: folder("a"), node: node, logger: quiet)
            }
        }
    }
}
