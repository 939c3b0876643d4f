import Foundation
import Logging
import Synchronization

/// A thread that commits the writes of all tasks, one after the other.
///
/// Waiting writes are committed together, so that all of them wait only once for the disk's confirmation,
/// which is by far the most expensive part of a commit. Each write has its own savepoint, so that a failing
/// write doesn't affect the others. If the whole group fails, each write is run again in its own transaction.
///
/// Closures that writes left with `Transaction.afterCommit` run here, in the order of the writes, before any
/// of the tasks that wait for the group continues.
final class SQLiteWriter: Sendable {
    /// A waiting write.
    struct Write: Sendable {
        /// Performs the write in the open transaction.
        /// - Returns: a closure that reports the outcome to the waiting task, to be called once the write is
        ///   durable.
        let perform: @Sendable (Transaction, SQLiteConnection) -> () -> Void
        /// Reports to the waiting task that nothing was written.
        let fail: @Sendable (any Error) -> Void
    }

    private enum Job: Sendable {
        case write(Write)
        /// Work outside of a transaction.
        case work(@Sendable (SQLiteConnection) -> Void)
    }

    /// Limits of a group, so that its first writes don't wait long for the later ones.
    private static let groupLimit = 128
    private static let groupTime = Duration.milliseconds(5)

    private let queue: JobQueue<Job>
    private let running = DispatchGroup()

    /// Starts the thread.
    /// - Parameters:
    ///   - capacity: how many writes may wait.
    ///   - node: the number of this process.
    ///   - ids: the source of new ids.
    ///   - changes: is told of the commits.
    ///   - copier: keeps the log short.
    init(
        on connection: @escaping @Sendable ((SQLiteConnection) -> Void) -> Void, capacity: Int, node: Int,
        ids: IDSource,
        changes: TableChanges, copier: LogCopier, now: @escaping @Sendable () -> Date, logger: Logger
    ) {
        let queue = JobQueue<Job>(capacity: capacity)
        self.queue = queue
        running.enter()
        Thread.start(named: "database writer") { [running] in
            connection { connection in
                var loop = Loop(
                    queue: queue, connection: connection, node: node, ids: ids, changes: changes, now: now,
                    log: WriteAheadLog(of: connection, copier: copier, logger: logger), logger: logger)
                loop.run()
            }
            running.leave()
        }
    }

    /// The number of writes that wait.
    var waiting: Int { queue.count }

    /// Performs a write with the next group.
    /// - Throws: what the closure throws; `DatabaseError.busy` if too many writes wait; `CancellationError`
    ///   if the task was cancelled before the write started.
    func write<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let write = Write(
                    perform: { transaction, connection in
                        let result = Result {
                            try cancellation.check()
                            return try connection.savepoint { try body(transaction) }
                        }
                        if case .failure = result { transaction.dropFollowUps() }
                        return { continuation.resume(with: result) }
                    },
                    fail: { continuation.resume(throwing: $0) })
                do {
                    try queue.add(.write(write))
                } catch {
                    continuation.resume(throwing: DatabaseError(error))
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
    }

    /// Runs work outside of a transaction, after the writes that are already waiting.
    func run<T: Sendable>(_ work: @escaping @Sendable (SQLiteConnection) throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            do {
                try queue.add(
                    .work { connection in
                        continuation.resume(with: Result { try work(connection) })
                    })
            } catch {
                continuation.resume(throwing: DatabaseError(error))
            }
        }
    }

    /// Runs work outside of a transaction, and blocks the calling thread until it is done.
    func runAndWait<T: Sendable>(_ work: @escaping @Sendable (SQLiteConnection) throws -> T) throws -> T {
        let done = DispatchSemaphore(value: 0)
        let outcome = Outcome<T>()
        do {
            try queue.add(
                .work { connection in
                    outcome.result.withLock { $0 = Result { try work(connection) } }
                    done.signal()
                })
        } catch {
            throw DatabaseError(error)
        }
        done.wait()
        return try outcome.result.withLock { try ($0 ?? .failure(DatabaseError.closed)).get() }
    }

    /// Stops accepting writes. The waiting ones are still performed.
    func stop() {
        queue.close()
    }

    /// Waits until all accepted writes are done.
    func wait() {
        running.wait()
    }

    /// Carries a result from the writer's thread to the thread that waits for it.
    private final class Outcome<T: Sendable>: Sendable {
        let result = Mutex<Result<T, any Error>?>(nil)
    }

    /// The state and the work of the thread.
    private struct Loop {
        let queue: JobQueue<Job>
        let connection: SQLiteConnection
        let node: Int
        let ids: IDSource
        let changes: TableChanges
        let now: @Sendable () -> Date
        let logger: Logger

        /// The last id that the database has stored as made.
        private var keptID: Int64
        private var log: WriteAheadLog

        init(
            queue: JobQueue<Job>, connection: SQLiteConnection, node: Int, ids: IDSource,
            changes: TableChanges,
            now: @escaping @Sendable () -> Date, log: WriteAheadLog, logger: Logger
        ) {
            self.queue = queue
            self.connection = connection
            self.node = node
            self.ids = ids
            self.changes = changes
            self.now = now
            self.logger = logger
            keptID = ids.last
            self.log = log
        }

        /// Works until the queue is closed and empty.
        mutating func run() {
            // Nothing of a job is kept while the thread waits for the next one: a job can hold the database itself.
            var taken: Job?
            while let job = taken ?? queue.next() { taken = carryOut(job) }
        }

        /// Does a job, and the writes that wait behind a write with it.
        /// - Returns: another job, if one was taken from the queue that is no write.
        private mutating func carryOut(_ job: Job) -> Job? {
            switch job {
            case .work(let work):
                work(connection)
                return nil
            case .write(let first):
                var group = [first]
                var other: Job?
                while other == nil, group.count < SQLiteWriter.groupLimit, let waiting = queue.nextIfWaiting()
                {
                    if case .write(let write) = waiting { group.append(write) } else { other = waiting }
                }
                commit(group[...])
                log.copyIfDue()
                return other
            }
        }

        /// Commits writes in as few transactions as the time limit for a group allows.
        private mutating func commit(_ writes: ArraySlice<Write>) {
            var rest = writes
            while let first = rest.first {
                if rest.count == 1 {
                    commitAlone(first)
                    return
                }
                var performed: [Performed] = []
                let clock = ContinuousClock()
                let end = clock.now + SQLiteWriter.groupTime
                do {
                    try connection.execute("BEGIN IMMEDIATE")
                    for write in rest {
                        performed.append(perform(write))
                        if !connection.isInTransaction || clock.now >= end { break }
                    }
                    try commitTransaction()
                    finish(performed)
                } catch DatabaseError.unsettled {
                    // These writes are not run again, because all of them may already be committed.
                    for write in rest.prefix(performed.count) { write.fail(DatabaseError.unsettled) }
                } catch {
                    logger.debug("group commit failed", metadata: ["error": "\(error)"])
                    for write in rest.prefix(max(1, performed.count)) { commitAlone(write) }
                }
                rest = rest.dropFirst(max(1, performed.count))
            }
        }

        /// Commits one write in a transaction of its own.
        private mutating func commitAlone(_ write: Write) {
            do {
                try connection.rollback()
                try connection.execute("BEGIN IMMEDIATE")
                let performed = perform(write)
                // After some errors SQLite has ended the transaction. The write then reports that error.
                if connection.isInTransaction { try commitTransaction() }
                finish([performed])
            } catch {
                do {
                    try connection.rollback()
                } catch {
                    logger.error("rollback failed", metadata: ["error": "\(error)"])
                }
                write.fail(error)
            }
        }

        /// A write that was performed in the open transaction.
        private struct Performed {
            var followUps: [Transaction.FollowUp]
            /// Reports the outcome to the waiting task.
            var answer: () -> Void
        }

        private mutating func perform(_ write: Write) -> Performed {
            let transaction = Transaction(on: connection, now: now(), ids: ids)
            let answer = write.perform(transaction, connection)
            return Performed(followUps: transaction.followUps, answer: answer)
        }

        /// Runs the closures of committed writes, then lets the waiting tasks continue.
        private func finish(_ performed: [Performed]) {
            let transaction = Transaction(on: connection, now: now(), ids: nil)
            for followUp in performed.lazy.flatMap(\.followUps) {
                do {
                    try followUp(transaction)
                } catch {
                    logger.error("work after a commit failed", metadata: ["error": "\(error)"])
                }
            }
            for write in performed { write.answer() }
        }

        /// Commits the rows together with the last id, so that no id is made twice after a restart.
        private mutating func commitTransaction() throws {
            guard connection.isInTransaction else {
                throw DatabaseError.other(message: "SQLite has undone the transaction")
            }
            let lastID = ids.last
            if lastID != keptID { try connection.keep(lastID, of: node) }
            do {
                try connection.execute("COMMIT")
            } catch {
                // If the transaction is still open, a constraint was violated and nothing was written.
                if !connection.isInTransaction { try log.dropFailedCommit() }
                throw error
            }
            keptID = lastID
            changes.add(connection.takeChangedTables())
        }
    }
}
