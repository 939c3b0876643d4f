import Foundation
import GRDB
import GRDBSQLite
import Logging
import Synchronization

/// The embedded database: one SQLite file, one thread that writes, a few that read.
///
/// What happens in it is given as synchronous closures over a `Transaction`. They run on the database's
/// own threads, have no effects outside of the transaction, and may be run again.
///
/// ```swift
/// let captions = try await database.read { transaction in
///     try transaction.rows("SELECT caption FROM post WHERE account_id = $1", account) { try $0.string(0) }
/// }
/// ```
public final class Database: Sendable {
    /// What commits of this process have changed.
    public let changes = ChangeCounts()

    /// The number of this process among those that write to the database.
    public let node: Int

    private let path: String
    private let now: @Sendable () -> Date
    private let logger: Logger
    private let busyTimeout: Double

    private let writerConnection: DatabaseQueue
    private let readerConnections: [DatabaseQueue]
    private let copierConnection: DatabaseQueue
    private let writer: Writer
    private let copier: LogCopier
    private let readers: BlockingThreads<Connection>
    /// For work that takes long: copies and checks.
    private let background: BlockingThreads<Void>
    private let isClosed = Mutex(false)

    /// Opens the file, or creates it for its owner alone.
    ///
    /// - Parameters:
    ///   - path: the file. SQLite keeps two more beside it, with `-wal` and `-shm` at the end of their names.
    ///   - node: the number of this process, from 0 to 1023, among those that write to the database.
    ///   - readers: how many threads read.
    ///   - waitingReads: how many reads may wait for them; more are refused with `DatabaseError.busy`.
    ///   - waitingWrites: how many writes may wait; more are refused with `DatabaseError.busy`.
    ///   - busyTimeout: how long to wait for another process that writes, in seconds.
    ///   - now: the clock.
    ///   - logger: where failures are written that concern nobody's transaction.
    /// - Throws: `DatabaseError`.
    public init(
        path: String, node: Int = 0, readers: Int = 4, waitingReads: Int = 4096, waitingWrites: Int = 1024,
        busyTimeout: Double = 5, now: @escaping @Sendable () -> Date = { Date() }, logger: Logger
    ) throws {
        guard IDSequence.nodes.contains(node) else {
            throw DatabaseError.other(message: "node \(node) is not within \(IDSequence.nodes)")
        }
        self.node = node
        self.path = path
        self.now = now
        self.logger = logger
        self.busyTimeout = busyTimeout
        do {
            // One process after the other: of two that make a file and its log at the same moment, SQLite would refuse
            // one as locked.
            let opening = try FolderLock(waitingFor: path.parentFolder)
            defer { withExtendedLifetime(opening) {} }
            try Self.create(path)
            let writing = Connection.configuration(readonly: false, busyTimeout: busyTimeout)
            let writerConnection = try DatabaseQueue(path: path, configuration: writing)
            let copierConnection = try DatabaseQueue(path: path, configuration: writing)
            let ids = try Connection.withConnection(of: writerConnection) { connection in
                try connection.createIDTable()
                return try connection.ids(node: node)
            }
            let readerConnections = try (0..<readers).map { _ in
                try DatabaseQueue(
                    path: path,
                    configuration: Connection.configuration(readonly: true, busyTimeout: busyTimeout))
            }
            self.writerConnection = writerConnection
            self.readerConnections = readerConnections
            self.copierConnection = copierConnection
            copier = LogCopier(on: Self.loop(copierConnection, logger), logger: logger)
            writer = Writer(
                on: Self.loop(writerConnection, logger), capacity: waitingWrites, ids: ids, changes: changes,
                copier: copier, now: now, logger: logger)
            self.readers = BlockingThreads(
                name: "database reader", capacity: waitingReads,
                loops: readerConnections.map { Self.loop($0, logger) })
            background = BlockingThreads(name: "database background", capacity: 16, loops: [{ $0(()) }])
        } catch {
            throw DatabaseError(error)
        }
    }

    deinit {
        // The last reference may be one of a closure that ran on one of the threads, so don't wait for them.
        readers.stop()
        background.stop()
        writer.stop()
        copier.stop()
    }

    /// How many transactions wait for a thread, for the metrics.
    public var waiting: (reads: Int, writes: Int) { (readers.waiting, writer.waiting) }

    /// Reads in one transaction: every statement sees the same state, whatever is written meanwhile.
    ///
    /// - Parameter body: what to read; it has no side effects.
    /// - Throws: what the closure throws; `DatabaseError`, `busy` among them when too many reads wait;
    ///   `CancellationError` when the task is cancelled before the read began.
    public func read<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        let now = now
        do {
            return try await readers.run { connection in
                try connection.read {
                    try body(Transaction(on: connection, now: now(), ids: nil))
                }
            }
        } catch let refusal as JobQueueRefusal {
            throw DatabaseError(refusal)
        }
    }

    /// Writes in one transaction, and returns when that is safely on the disk.
    ///
    /// Writes happen one after the other; those that wait share one commit. When the closure throws, nothing
    /// of it is kept.
    ///
    /// - Parameter body: what to read and write; it has no side effects, and may be run again. What others must hear
    ///   of it goes into `Transaction.afterCommit`.
    /// - Throws: what the closure throws; `DatabaseError`, `busy` among them when too many writes wait;
    ///   `CancellationError` when the task is cancelled before the write began, which then isn't done. After any of
    ///   them nothing of the write is kept, but after `DatabaseError.unsettled` it may be.
    @discardableResult
    public func write<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        try await writer.write(body)
    }

    /// Applies those migrations of a folder that were not applied yet, in the order of their numbers, each in a
    /// transaction. It blocks the calling thread and is meant for the start of the program.
    ///
    /// - Parameter folder: where the files are, named `0001-accounts.sql`. Other files are ignored.
    /// - Returns: the names of those applied now, without `.sql`.
    /// - Throws: `DatabaseError`. A migration that changed since it was applied, or is missing, is an error,
    ///   and so is one with a lower number than the last one applied.
    public func migrate(folder: String) throws -> [String] {
        let migrations = try Migration.all(in: folder)
        let (now, logger) = (now, logger)
        return try writer.runAndWait { connection in
            try connection.apply(migrations, now: now, logger: logger)
        }
    }

    /// Copies the database into a file, as it is at one moment, while it is in use.
    ///
    /// The file appears when it is complete and on the disk, and replaces one that is there.
    /// - Throws: `DatabaseError`.
    public func backup(to path: String) async throws {
        let (source, busyTimeout) = (self.path, busyTimeout)
        try await inBackground { try Backup.copy(source, to: path, busyTimeout: busyTimeout) }
    }

    /// Looks for damage in the file, and for references to rows that aren't there.
    /// - Returns: a sentence for each problem, at most about a hundred; empty when all is well.
    /// - Throws: `DatabaseError`.
    public func integrityProblems() async throws -> [String] {
        let (path, busyTimeout) = (path, busyTimeout)
        return try await inBackground {
            let queue = try DatabaseQueue(
                path: path, configuration: Connection.configuration(readonly: true, busyTimeout: busyTimeout))
            return try Connection.withConnection(of: queue) { try $0.integrityProblems() }
        }
    }

    /// Empties the write-ahead log, so that what was deleted leaves the disk.
    ///
    /// In the database itself deleted bytes are overwritten with zeros; the log still holds earlier pages.
    /// - Throws: `DatabaseError.busy` when a read or a backup needs the log for longer than a quarter of a
    ///   second. Then it must be tried again.
    public func eraseDeleted() async throws {
        try await writer.run { [copier] connection in
            try copier.alone { try connection.copyLog(SQLITE_CHECKPOINT_TRUNCATE) }
        }
    }

    /// Finishes the transactions that were accepted, then closes the file. It blocks the calling thread.
    ///
    /// Later calls of anything but `close` fail.
    /// - Throws: `DatabaseError`.
    public func close() throws {
        let wasOpen = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        guard wasOpen else { return }
        readers.stop()
        background.stop()
        writer.stop()
        readers.wait()
        background.wait()
        writer.wait()
        copier.stop()
        copier.wait()
        do {
            // The writer last: closing the last connection empties the log, which readers may not.
            for connection in readerConnections + [copierConnection] { try connection.close() }
            try writerConnection.close()
        } catch {
            throw DatabaseError(error)
        }
    }

    private func inBackground<T: Sendable>(_ work: @escaping @Sendable () throws -> T) async throws -> T {
        do {
            return try await background.run { try work() }
        } catch is CancellationError {
            throw CancellationError()
        } catch let refusal as JobQueueRefusal {
            throw DatabaseError(refusal)
        } catch {
            throw DatabaseError(error)
        }
    }

    /// Makes the file if it isn't there. SQLite gives the files beside it the same permissions.
    private static func create(_ path: String) throws {
        do {
            _ = try OpenFile(path, O_CREAT | O_EXCL | O_RDWR, mode: 0o600)
        } catch  where error.code == EEXIST {
            // It isn't even opened: closing it would end the locks that this process has on it already,
            // see https://www.sqlite.org/howtocorrupt.html, section 2.2.
            return
        }
    }

    /// What a thread with a connection does.
    private static func loop(
        _ queue: DatabaseQueue, _ logger: Logger
    ) -> @Sendable ((Connection) -> Void) -> Void {
        { serve in
            do {
                try Connection.withConnection(of: queue, serve)
            } catch {
                logger.critical("a database thread ended", metadata: ["error": "\(error)"])
            }
        }
    }
}
