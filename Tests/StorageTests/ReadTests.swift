import Foundation
import Storage
import Testing

@Suite("Reads")
struct ReadTests {
    @Test("A read sees one state, whatever is written meanwhile")
    func snapshot() async throws {
        let notes = try Notes(inPlace: 0)
        let database = notes.database
        try await notes.add("a")
        let gate = Gate()
        async let counts = database.read { transaction in
            let count = { try transaction.value("SELECT count(*) FROM note", as: Int.self) }
            let before = try count()
            gate.enter()
            return [before, try count()]
        }
        await until { gate.isReached }
        try await notes.add("b")
        gate.open()
        #expect(try await counts == [1, 1])
        #expect(try await notes.texts == ["a", "b"])
    }

    @Test("A read can't write")
    func readOnly() async throws {
        let notes = try Notes()
        await #expect(throws: DatabaseError.self) {
            try await notes.database.read { _ = try $0.execute("INSERT INTO author VALUES (1, 'ana')") }
        }
    }

    @Test("A read that fails doesn't harm the next on the same connection")
    func failedRead() async throws {
        let notes = try Notes(readers: 1)
        for _ in 0..<3 {
            await #expect(throws: DatabaseError.self) {
                try await notes.database.read { _ = try $0.row("SELECT * FROM nothing") { _ in } }
            }
        }
        #expect(try await notes.texts == [])
    }

    @Test("A read sees what a write before it has committed")
    func readYourWrite() async throws {
        let notes = try Notes()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<25 {
                        let id = try await notes.add("\(task) \(number)")
                        let text = try await notes.database.read { transaction in
                            try transaction.value("SELECT text FROM note WHERE id = $1", id, as: String.self)
                        }
                        #expect(text == "\(task) \(number)")
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("More reads than may wait are refused as busy; one cancelled while it waits isn't begun")
    func boundedQueue() async throws {
        let notes = try Notes(inPlace: 0, readers: 1, waitingReads: 1)
        let database = notes.database
        try await database.whileHeld(.reader) { release in
            let waiting = Task { try await notes.texts }
            await until { database.waiting.reads == 1 }
            await #expect(throws: DatabaseError.busy) { try await notes.texts }
            waiting.cancel()
            release()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
        #expect(try await notes.texts == [])
    }

    @Test("The time of a transaction is one instant in whole milliseconds")
    func now() async throws {
        let notes = try Notes(now: { Date(timeIntervalSince1970: 1_700_000_000.123_9) })
        let (one, other) = try await notes.database.write { ($0.now, $0.now) }
        #expect(one == other)
        #expect(one == Date(milliseconds: 1_700_000_000_123))
        #expect(try await notes.database.read { $0.now } == one)
    }
}
