import Foundation
import Storage
import TestPostgres
import Testing

/// Reads of a SQLite file that the asking thread does by itself.
@Suite("Reads in place", .enabled(if: TestPostgres.engine == nil))
struct ReadsInPlaceTests {
    /// Returns what a read returned, and whether a thread of the database did it.
    private func read<T: Sendable>(
        _ notes: Notes, _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> (T, isHandedOver: Bool) {
        try await notes.database.read { (try body($0), Thread.current.name == "database reader") }
    }

    @Test("What is in memory is read by the asking thread, at the state after the last write")
    func inMemory() async throws {
        let notes = try Notes()
        for number in 1...3 {
            try await notes.add("\(number)")
            let (count, isHandedOver) = try await read(notes) {
                try $0.value("SELECT count(*) FROM note", as: Int.self)
            }
            #expect(count == number)
            #expect(!isHandedOver)
        }
    }

    @Test("What isn't in memory is read by a thread that may wait for the disk, and then is")
    func cold() async throws {
        let notes = try Notes()
        let ids = try await notes.database.write { transaction in
            try (0..<2_000).map { _ in try transaction.addNote(String(repeating: "x", count: 1_000)) }
        }
        // From the log into the file, and out of the system's memory.
        try await notes.database.eraseDeleted()
        try await leaveMemory(notes.folder("tintype.sqlite"))
        for isHandedOver in [true, false] {
            let found = try await read(notes) { transaction in
                try transaction.value("SELECT text FROM note WHERE id = $1", ids[1_000], as: String.self)
            }
            #expect(found.0?.count == 1_000)
            #expect(found.isHandedOver == isHandedOver)
        }
    }

    /// Has the system drop what its memory holds of a file. The system may keep pages that it is just working on
    /// (posix_fadvise(2)), so this asks until mincore(2) finds none.
    private func leaveMemory(_ path: String) async throws {
        let file = open(path, O_RDWR)
        defer { close(file) }
        let length = Int(lseek(file, 0, SEEK_END))
        let mapped = try #require(mmap(nil, length, PROT_READ, MAP_SHARED, file, 0))
        try #require(mapped != MAP_FAILED)
        defer { munmap(mapped, length) }
        var pages = [UInt8](repeating: 0, count: (length + 4095) / 4096)
        let end = ContinuousClock.now + .seconds(20)
        repeat {
            try #require(ContinuousClock.now < end, "The system keeps \(path) in memory")
            await Task.yield()
            #expect(fsync(file) == 0)
            #expect(posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) == 0)
            try #require(mincore(mapped, length, &pages) == 0)
        } while pages.contains { $0 & 1 != 0 }
    }

    @Test("What takes long is read by a thread of the database")
    func long() async throws {
        let notes = try Notes()
        let (sum, isHandedOver) = try await read(notes) {
            try $0.value(
                """
                WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 1000000)
                SELECT sum(n) FROM number
                """, as: Int.self)
        }
        #expect(sum == 500_000_500_000)
        #expect(isHandedOver)
    }

    @Test("However many reads take too long, the next one is in place")
    func longAgain() async throws {
        let notes = try Notes(inPlace: 1)
        // Far more than it takes until one of the rollbacks is refused like its read.
        for _ in 0..<800 {
            let count = try await notes.database.read {
                try $0.value(
                    """
                    WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 5000)
                    SELECT count(*) FROM number
                    """, as: Int.self)
            }
            #expect(count == 5_000)
        }
        #expect(try await read(notes) { try $0.value("SELECT 1", as: Int.self) }.isHandedOver == false)
    }

    @Test("An error of the statement is the caller's, and the next read is in place again")
    func wrong() async throws {
        let notes = try Notes()
        await #expect(throws: DatabaseError.self) {
            try await notes.database.read { _ = try $0.row("SELECT * FROM nothing") { _ in } }
        }
        #expect(try await read(notes) { try $0.value("SELECT 1", as: Int.self) }.isHandedOver == false)
    }

    @Test("Many reads at once, more than there are connections for, all see what was written before")
    func many() async throws {
        let notes = try Notes(inPlace: 1)
        try await notes.add("one")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    let texts = try await notes.texts
                    #expect(texts == ["one"])
                }
            }
            try await group.waitForAll()
        }
    }
}
