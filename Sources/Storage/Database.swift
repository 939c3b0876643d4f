import CSQLite
import Foundation
import Logging
import Synchronization

/// The embedded database: one SQLite file, one thread that writes, and a few threads that read.
///
/// Callers read and write in synchronous closures over a `Transaction`. A closure runs on one of the
/// database's own threads, must have no effects outside of the transaction, and may be run again.
///
/// ```swift
/// let captions = try await database.read { transaction in
///     try transaction.values("SELECT caption FROM post WHERE account_id = $1", account, as: String.self)
/// }
/// ```
public final class Database: Sendable {
    /// The number of commits of this process that changed each table.
    public let changes = ChangeCounts()

    /// The number of this process among the processes that write to the database.
    public let node: Int

    private let path: String
    private let now: @Sendable () -> Date
    private let logger: Logger
    private let busyTimeout: Double

    private let writerHandle: DatabaseHandle
    private let readerHandles: [DatabaseHandle]
    private let copierHandle: DatabaseHandle
    private let writer: Writer
    private let copier: LogCopier
    private let readers: BlockingThreads<Connection>
    /// A thread for work that takes long: copies and checks.
    private let background: BlockingThreads<Void>
    private let isClosed = Mutex(false)

    /// Opens the file. Creates the file, readable only by its owner, if it doesn't exist.
    ///
    /// - Parameters:
    ///   - path: the file. SQLite keeps two more files beside it, whose names end in `-wal` and `-shm`.
    ///   - node: the number of this process, from 0 to 1023, among the processes that write to the database.
    ///   - readers: the number of threads that read.
    ///   - waitingReads: how many reads may wait for a thread; more are refused with `DatabaseError.busy`.
    ///   - waitingWrites: how many writes may wait; more are refused with `DatabaseError.busy`.
    ///   - busyTimeout: how long to wait for another process that writes, in seconds.
    ///   - now: the clock.
    ///   - logger: the log for failures that no caller receives.
    ///   - watch: is shown every statement of a transaction, for tests; nil for nobody.
    /// - Throws: `DatabaseError`.
    public init(
        path: String, node: Int = 0, readers: Int = 4, waitingReads: Int = 4096, waitingWrites: Int = 1024,
        busyTimeout: Double = 5, now: @escaping @Sendable () -> Date = { Date() }, logger: Logger,
        watch: StatementWatch? = nil
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
            // One process opens the database at a time: if two created the file and its log at the same
            // moment, SQLite would refuse one of them as locked.
            let opening = try FolderLock(waitingFor: path.parentFolder)
            defer { withExtendedLifetime(opening) {} }
            try Self.create(path)
            writerHandle = try DatabaseHandle(path: path, for: .writing, busyTimeout: busyTimeout)
            copierHandle = try DatabaseHandle(path: path, for: .writing, busyTimeout: busyTimeout)
            let ids = try writerHandle.withConnection { connection in
                try connection.createIDTable()
                return try connection.ids(node: node)
            }
            readerHandles = try (0..<readers).map { _ in
                try DatabaseHandle(path: path, for: .reading, busyTimeout: busyTimeout)
            }
            copier = LogCopier(on: Self.loop(copierHandle, logger), logger: logger)
            writer = Writer(
                on: Self.loop(writerHandle, logger, watch), capacity: waitingWrites, ids: ids,
                changes: changes,
                copier: copier, now: now, logger: logger)
            self.readers = BlockingThreads(
                name: "database reader", capacity: waitingReads,
                loops: readerHandles.map { Self.loop($0, logger, watch) })
            background = BlockingThreads(name: "database background", capacity: 16, loops: [{ $0(()) }])
        } catch {
            throw DatabaseError(error)
        }
    }

    deinit {
        // Doesn't wait for the threads, because a closure on one of them may have held the last reference.
        readers.stop()
        background.stop()
        writer.stop()
        copier.stop()
    }

    /// The number of transactions that wait for a thread, for the metrics.
    public var waiting: (reads: Int, writes: Int) { (readers.waiting, writer.waiting) }

    /// Reads in one transaction. Every statement in it sees the same state, whatever is written meanwhile.
    ///
    /// - Parameter body: what to read. It must have no side effects.
    /// - Throws: what the closure throws; `DatabaseError`, for example `busy` if too many reads wait;
    ///   `CancellationError` if the task is cancelled before the read starts.
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

    /// Writes in one transaction, and returns when the transaction is durable.
    ///
    /// Writes run one after the other, and waiting writes share one commit. If the closure throws, all its
    /// changes are rolled back.
    ///
    /// - Parameter body: what to read and write. It must have no side effects, and may be run again. Put
    ///   messages to others into `Transaction.afterCommit`.
    /// - Throws: what the closure throws; `DatabaseError`, for example `busy` if too many writes wait;
    ///   `CancellationError` if the task is cancelled before the write starts. After any error nothing is
    ///   written, with one exception: after `DatabaseError.unsettled` the write may have been committed.
    @discardableResult
    public func write<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        try await writer.write(body)
    }

    /// Applies the migrations of a folder that are not applied yet, in the order of their numbers, each in
    /// its own transaction. This function blocks the calling thread and is meant for the start of the
    /// program.
    ///
    /// - Parameter folder: the folder with the files, named like `0001-accounts.sql`. Other files are
    ///   ignored.
    /// - Returns: the names of the migrations that this call applied, without `.sql`.
    /// - Throws: `DatabaseError`. It is an error if an applied migration has changed or is missing, and if a
    ///   new migration has a lower number than the last applied one.
    public func migrate(folder: String) throws -> [String] {
        let migrations = try Migration.all(in: folder)
        let (now, logger) = (now, logger)
        return try writer.runAndWait { connection in
            try connection.apply(migrations, now: now, logger: logger)
        }
    }

    /// Copies the current state of the database into a file, while the database is in use.
    ///
    /// The file appears when the copy is complete and durable, and replaces an existing file.
    /// - Throws: `DatabaseError`.
    public func backup(to path: String) async throws {
        let (source, busyTimeout) = (self.path, busyTimeout)
        try await inBackground { try Backup.copy(source, to: path, busyTimeout: busyTimeout) }
    }

    /// Looks for damage in the file, and for references to rows that don't exist.
    /// - Returns: a sentence for each problem, at most about a hundred; empty if there is none.
    /// - Throws: `DatabaseError`.
    public func integrityProblems() async throws -> [String] {
        let (path, busyTimeout) = (path, busyTimeout)
        return try await inBackground {
            let file = try DatabaseHandle(path: path, for: .reading, busyTimeout: busyTimeout)
            return try file.withConnection { try $0.integrityProblems() }
        }
    }

    /// Empties the write-ahead log, so that deleted data is erased from the disk.
    ///
    /// SQLite overwrites deleted bytes in the database file with zeros, but the log still contains earlier
    /// pages.
    /// - Throws: `DatabaseError.busy` if a read or a backup needs the log for longer than a quarter of a
    ///   second. Call this function again later.
    public func eraseDeleted() async throws {
        try await writer.run { [copier] connection in
            try copier.alone { try connection.copyLog(SQLITE_CHECKPOINT_TRUNCATE) }
        }
    }

    /// Finishes the accepted transactions, then closes the file. This function blocks the calling thread.
    ///
    /// After that, every call other than `close` fails.
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
            // Closes the writer last: closing the last connection empties the log, and readers are not
            // allowed to do that.
            for handle in readerHandles + [copierHandle] { try handle.close() }
            try writerHandle.close()
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

    /// Creates the file if it doesn't exist. SQLite gives the files beside it the same permissions.
    private static func create(_ path: String) throws {
        do {
            _ = try OpenFile(path, O_CREAT | O_EXCL | O_RDWR, mode: 0o600)
        } catch  where error.code == EEXIST {
            // Doesn't open an existing file: closing it would release the locks that this process already
            // holds on it, see https://www.sqlite.org/howtocorrupt.html, section 2.2.
            return
        }
    }

    /// Returns what a thread with a connection runs.
    private static func loop(
        _ handle: DatabaseHandle, _ logger: Logger, _ watch: StatementWatch? = nil
    ) -> @Sendable ((Connection) -> Void) -> Void {
        { serve in
            do {
                try handle.withConnection(watch: watch, serve)
            } catch {
                logger.critical("a database thread ended", metadata: ["error": "\(error)"])
            }
        }
    }
}
