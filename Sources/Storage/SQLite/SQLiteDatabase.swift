import CSQLite
import Foundation
import Logging
import Synchronization

/// A database in one SQLite file: one thread that writes, and a few threads that read.
final class SQLiteDatabase: DatabaseEngine {
    let node: Int
    let isShared: Bool

    private let changes: TableChanges
    private let path: String
    private let now: @Sendable () -> Date
    private let logger: Logger
    private let busyTimeout: Double

    private let writerHandle: SQLiteHandle
    private let readerHandles: [SQLiteHandle]
    private let copierHandle: SQLiteHandle
    private let writer: SQLiteWriter
    private let copier: LogCopier
    private let readsInPlace: ReadsInPlace
    private let readers: BlockingThreads<SQLiteConnection>
    /// A thread for work that takes long: copies and checks.
    private let background: BlockingThreads<Void>
    private let isClosed = Mutex(false)

    /// Opens the file, as `Database.init(path:)` says.
    init(
        path: String, node: Int, isShared: Bool, inPlace: Int, readers: Int, waitingReads: Int,
        waitingWrites: Int,
        busyTimeout: Double,
        changes: TableChanges, now: @escaping @Sendable () -> Date, logger: Logger, watch: StatementWatch?
    ) throws {
        guard IDSequence.nodes.contains(node) else {
            throw DatabaseError.other(message: "node \(node) is not within \(IDSequence.nodes)")
        }
        self.node = node
        self.isShared = isShared
        self.changes = changes
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
            writerHandle = try SQLiteHandle(path: path, for: .writing, busyTimeout: busyTimeout)
            copierHandle = try SQLiteHandle(path: path, for: .writing, busyTimeout: busyTimeout)
            let ids = try writerHandle.withConnection { connection in
                try connection.createIDTable()
                return try connection.ids(node: node)
            }
            readerHandles = try (0..<readers).map { _ in
                try SQLiteHandle(path: path, for: .reading, busyTimeout: busyTimeout)
            }
            readsInPlace = try ReadsInPlace(path: path, count: inPlace, watch: watch)
            copier = LogCopier(on: Self.loop(copierHandle, logger), logger: logger)
            writer = SQLiteWriter(
                on: Self.loop(writerHandle, logger, watch), capacity: waitingWrites, node: node,
                ids: IDSource(ids), changes: changes, copier: copier, now: now, logger: logger)
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

    var waiting: (reads: Int, writes: Int) { (readers.waiting, writer.waiting) }

    func read<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        let now = now
        let read: @Sendable (SQLiteConnection) throws -> T = { connection in
            try connection.read { try body(Transaction(on: connection, now: now(), ids: nil)) }
        }
        try Task.checkCancellation()
        if let found = try readsInPlace.run(read) {
            // Others have their turn on this thread before one that reads again and again without waiting.
            await Task.yield()
            return found
        }
        do {
            return try await readers.run(read)
        } catch let refusal as JobQueueRefusal {
            throw DatabaseError(refusal)
        }
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        try await writer.write(body)
    }

    func migrate(_ migrations: [Migration]) throws -> [String] {
        let (now, logger) = (now, logger)
        return try writer.runAndWait { connection in
            try connection.apply(migrations, now: now, logger: logger)
        }
    }

    func backup(to path: String) async throws {
        let (source, busyTimeout) = (self.path, busyTimeout)
        try await inBackground { try Backup.copy(source, to: path, busyTimeout: busyTimeout) }
    }

    func integrityProblems() async throws -> [String] {
        let (path, busyTimeout) = (path, busyTimeout)
        return try await inBackground {
            let file = try SQLiteHandle(path: path, for: .reading, busyTimeout: busyTimeout)
            return try file.withConnection { try $0.integrityProblems() }
        }
    }

    func size() async throws -> (data: Int, log: Int) {
        let path = path
        return try await inBackground {
            // There is no log while nobody has the database open.
            (try Self.byteCount(path) ?? 0, try Self.byteCount(path + "-wal") ?? 0)
        }
    }

    private static func byteCount(_ path: String) throws -> Int? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT else { throw SystemError.last(path) }
            return nil
        }
        return Int(status.st_size)
    }

    func eraseDeleted() async throws {
        try await writer.run { [copier] connection in
            try copier.alone { try connection.copyLog(SQLITE_CHECKPOINT_TRUNCATE) }
        }
    }

    func close() throws {
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
            try readsInPlace.close()
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
        _ handle: SQLiteHandle, _ logger: Logger, _ watch: StatementWatch? = nil
    ) -> @Sendable ((SQLiteConnection) -> Void) -> Void {
        { serve in
            do {
                try handle.withConnection(watch: watch, serve)
            } catch {
                logger.critical("a database thread ended", metadata: ["error": "\(error)"])
            }
        }
    }
}
