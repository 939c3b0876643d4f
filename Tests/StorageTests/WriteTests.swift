import Foundation
import Storage
import Synchronization
import Testing

@Suite("Writes")
struct WriteTests {
    struct Refused: Error {}

    @Test("A write that throws leaves nothing behind, and takes no other of its group with it")
    func savepoints() async throws {
        let notes = try Notes()
        let database = notes.database
        let results = try await database.whileHeld(.writer) { release in
            await withTaskGroup(of: (Int, Bool).self) { group in
                for number in 0..<30 {
                    group.addTask {
                        do {
                            try await database.write { transaction in
                                try transaction.addNote("note \(number)")
                                if number % 3 == 0 { throw Refused() }
                            }
                            return (number, true)
                        } catch {
                            return (number, false)
                        }
                    }
                }
                await until { database.waiting.writes == 30 }
                release()
                return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
        }
        #expect((0..<30).allSatisfy { results[$0] == ($0 % 3 != 0) })
        #expect(Set(try await notes.texts) == Set((0..<30).filter { $0 % 3 != 0 }.map { "note \($0)" }))
    }

    @Test("Writes that wait are committed together", .onlySQLite)
    func groupCommit() async throws {
        let notes = try Notes()
        let database = notes.database
        let runs = Runs()
        try await database.whileHeld(.writer) { release in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        try await database.write { transaction in
                            try transaction.addNote("\(number)")
                            // Only within one transaction are the others' rows there before the answer.
                            runs.record(transaction.now)
                        }
                        runs.answered()
                    }
                }
                await until { database.waiting.writes == 20 }
                release()
                try await group.waitForAll()
            }
        }
        #expect(runs.performed == 20)
        #expect(runs.performedBeforeFirstAnswer == 20)
    }

    private final class Runs: Sendable {
        private let state = Mutex((performed: 0, beforeFirstAnswer: Int?.none))

        func record(_ now: Date) { state.withLock { $0.performed += 1 } }

        func answered() {
            state.withLock { $0.beforeFirstAnswer = $0.beforeFirstAnswer ?? $0.performed }
        }

        var performed: Int { state.withLock { $0.performed } }
        var performedBeforeFirstAnswer: Int? { state.withLock { $0.beforeFirstAnswer } }
    }

    @Test(
        "What follows a commit happens once, in the order of the writes, before they are answered; nothing follows a failure",
        arguments: [false, true])
    func afterCommit(groupFails: Bool) async throws {
        let notes = try Notes()
        let database = notes.database
        let record = FollowUps()
        try await database.whileHeld(.writer) { release in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        do {
                            let id = try await database.write { transaction in
                                let id = try transaction.addNote("\(number)")
                                transaction.afterCommit { reading in
                                    let texts = try reading.values(
                                        "SELECT text FROM note WHERE id = $1", id, as: String.self)
                                    record.followed(id, isThere: texts == ["\(number)"])
                                    // What goes wrong here fails nobody's write.
                                    throw Refused()
                                }
                                if number % 3 == 0 { throw Refused() }
                                // This constraint is checked at the commit only.
                                if groupFails, number == 5 {
                                    try transaction.execute("UPDATE note SET parent_id = 1 WHERE id = $1", id)
                                }
                                return id
                            }
                            record.answered(id)
                        } catch is Refused {
                            #expect(number % 3 == 0)
                        } catch {
                            #expect(groupFails && number == 5)
                        }
                    }
                }
                await until { database.waiting.writes == 20 }
                release()
                try await group.waitForAll()
            }
        }
        let state = record.state.withLock { $0 }
        #expect(state.followed.count == (groupFails ? 12 : 13))
        #expect(state.followed == state.followed.sorted() && state.areAllThere)
        #expect(state.areAnsweredAfter && Set(state.followed).count == state.followed.count)
    }

    private final class FollowUps: Sendable {
        struct State {
            var followed: [Int64] = []
            var areAllThere = true
            var areAnsweredAfter = true
        }

        let state = Mutex(State())

        func followed(_ id: Int64, isThere: Bool) {
            state.withLock { state in
                state.followed.append(id)
                state.areAllThere = state.areAllThere && isThere
            }
        }

        func answered(_ id: Int64) {
            state.withLock { state in
                state.areAnsweredAfter = state.areAnsweredAfter && state.followed.contains(id)
            }
        }
    }

    @Test("When a group can't be committed, only the guilty write fails")
    func deferredViolation() async throws {
        let notes = try Notes()
        let database = notes.database
        let failures = try await database.whileHeld(.writer) { release in
            await withTaskGroup(of: (Int, (any Error)?).self) { group in
                for number in 0..<10 {
                    group.addTask {
                        do {
                            try await database.write { transaction in
                                let id = try transaction.addNote("\(number)")
                                // This constraint is checked at the commit only.
                                if number == 5 {
                                    try transaction.execute("UPDATE note SET parent_id = 1 WHERE id = $1", id)
                                }
                            }
                            return (number, nil)
                        } catch {
                            return (number, error)
                        }
                    }
                }
                await until { database.waiting.writes == 10 }
                release()
                return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
        }
        #expect(failures.keys.sorted() == [5])
        #expect(failures[5] as? DatabaseError == .foreignKeyViolation)
        #expect(Set(try await notes.texts) == Set((0..<10).filter { $0 != 5 }.map { "\($0)" }))
    }

    @Test("Fifty people who like at once give exactly fifty")
    func counter() async throws {
        let notes = try Notes()
        let database = notes.database
        try await notes.add("0")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await database.write { transaction in
                        let text = try transaction.value("SELECT text FROM note", as: String.self)
                        let count = text.flatMap { Int($0) } ?? 0
                        try transaction.execute("UPDATE note SET text = $1", "\(count + 1)")
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await notes.texts == ["50"])
    }

    @Test("More writes than may wait are refused as busy, the others done")
    func boundedQueue() async throws {
        let notes = try Notes(waitingWrites: 2)
        let database = notes.database
        try await database.whileHeld(.writer) { release in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<2 { group.addTask { try await notes.add("\(number)") } }
                await until { database.waiting.writes == 2 }
                await #expect(throws: DatabaseError.busy) { try await notes.add("too many") }
                release()
                try await group.waitForAll()
            }
        }
        #expect(try await notes.texts.count == 2)
    }

    @Test("A write whose task is cancelled while it waits is not done")
    func cancellation() async throws {
        let notes = try Notes()
        let database = notes.database
        try await database.whileHeld(.writer) { release in
            let write = Task { try await notes.add("unwanted") }
            await until { database.waiting.writes == 1 }
            write.cancel()
            release()
            await #expect(throws: CancellationError.self) { try await write.value }
        }
        #expect(try await notes.texts == [])
    }

    @Test("Closing finishes what was accepted and refuses what comes later", .onlySQLite)
    func close() async throws {
        let notes = try Notes()
        let database = notes.database
        try await database.whileHeld(.writer) { release in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<10 { group.addTask { try await notes.add("\(number)") } }
                await until { database.waiting.writes == 10 }
                release()
                try database.close()
                try await group.waitForAll()
            }
        }
        try database.close()
        await #expect(throws: DatabaseError.self) { try await notes.add("late") }
        await #expect(throws: DatabaseError.self) { try await notes.texts }
        #expect(notes.folder.files.filter { $0.contains("sqlite") } == [notes.folder("tintype.sqlite")])
        #expect(try await Notes(folder: notes.folder).texts.count == 10)
    }

    @Test("When the disk is full the write fails as full, and the rest goes on", .onlySQLite)
    func fullDatabase() async throws {
        let notes = try Notes()
        let database = notes.database
        try await notes.add("before")
        // A limit of pages is SQLite's own full disk.
        try await database.write { try $0.execute("PRAGMA max_page_count = 40") }
        let results = try await database.whileHeld(.writer) { release in
            await withTaskGroup(of: (any Error)?.self) { group in
                for number in 0..<5 {
                    group.addTask {
                        let text = number == 2 ? String(repeating: "x", count: 1 << 20) : "small"
                        do {
                            try await notes.add(text)
                            return nil
                        } catch {
                            return error
                        }
                    }
                }
                await until { database.waiting.writes == 5 }
                release()
                return await group.reduce(into: [any Error]()) { if let error = $1 { $0.append(error) } }
            }
        }
        #expect(results.map { $0 as? DatabaseError } == [.full])
        #expect(try await notes.texts == ["before"] + Array(repeating: "small", count: 4))
        #expect(try await database.integrityProblems() == [])
    }

    @Test("A write waits for another process and then is busy", .onlySQLite)
    func otherProcess() async throws {
        let notes = try Notes()
        let other = try Database(
            path: notes.folder("tintype.sqlite"), node: 1, busyTimeout: 0.01, logger: quiet)
        try await notes.database.whileHeld(.writer) { _ in
            await #expect(throws: DatabaseError.busy) { try await other.write { try $0.addNote("b") } }
        }
        try await other.write { try $0.addNote("b") }
        #expect(try await notes.texts == ["b"])
    }
}
