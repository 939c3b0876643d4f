import Foundation
import Logging

/// A closure that is called for every statement that runs, in the portable form, for tests and measurements.
///
/// `plan` returns what SQLite says of each step, such as `SEARCH p USING INDEX posts_by_author (author_id=?)`, and may be
/// called only while the closure runs, which is on a thread of the database.
public typealias StatementWatch = @Sendable (_ sql: String, _ plan: () throws -> [String]) -> Void

/// The database: a SQLite file, or a PostgreSQL server. Who reads and writes needn't know which.
///
/// Callers read and write in synchronous closures over a `Transaction`. A closure runs on one of the database's own
/// threads, or reads at once on the thread that asks; so it must never wait, must have no effects outside of the
/// transaction, and may be run again.
///
/// ```swift
/// let captions = try await database.read { transaction in
///     try transaction.values("SELECT caption FROM post WHERE account_id = $1", account, as: String.self)
/// }
/// ```
public final class Database: Sendable {
    /// The changes of this process to each table.
    public let changes: TableChanges

    private let engine: any DatabaseEngine

    /// How many reads of a SQLite file run at once on the threads that ask, by default.
    public static let readsInPlace = 4
    /// For how long a transaction waits for a connection of PostgreSQL, in seconds, by default.
    public static let patience = 5.0

    /// Opens a SQLite file, in which one thread writes. Creates the file, readable only by its owner, if it
    /// doesn't exist.
    ///
    /// - Parameters:
    ///   - path: the file. SQLite keeps two more files beside it, whose names end in `-wal` and `-shm`.
    ///   - node: the number of this process, from 0 to 1023, among the processes that write to the database.
    ///   - isShared: whether other servers use the file, too. Only for tests: their changes reach this process without
    ///     the events that tell of them.
    ///   - inPlace: how many reads may run at once on the threads that ask, if all they need is in memory.
    ///   - readers: the number of threads that read.
    ///   - waitingReads: how many reads may wait for a thread; more are refused with `DatabaseError.busy`.
    ///   - waitingWrites: how many writes may wait; more are refused with `DatabaseError.busy`.
    ///   - busyTimeout: how long to wait for another process that writes, in seconds.
    ///   - now: the clock.
    ///   - logger: the log for failures that no caller receives.
    ///   - watch: is shown every statement of a transaction, for tests; nil for nobody.
    /// - Throws: `DatabaseError`.
    public init(
        path: String, node: Int = 0, isShared: Bool = false, inPlace: Int = Database.readsInPlace,
        readers: Int = 4, waitingReads: Int = 4096, waitingWrites: Int = 1024,
        busyTimeout: Double = 5, now: @escaping @Sendable () -> Date = { Date() }, logger: Logger,
        watch: StatementWatch? = nil
    ) throws {
        changes = TableChanges()
        engine = try SQLiteDatabase(
            path: path, node: node, isShared: isShared, inPlace: inPlace, readers: readers,
            waitingReads: waitingReads, waitingWrites: waitingWrites, busyTimeout: busyTimeout,
            changes: changes, now: now, logger: logger, watch: watch)
    }

    /// Connects to a database of a PostgreSQL server, and takes a number among the processes that write to it.
    ///
    /// - Parameters:
    ///   - address: the server and the database.
    ///   - place: what the process is to the others that use the database.
    ///   - readers: the number of connections that read.
    ///   - writers: the number of connections that write.
    ///   - waitingReads: how many reads may wait for a connection; more are refused with `DatabaseError.busy`.
    ///   - waitingWrites: how many writes may wait; more are refused with `DatabaseError.busy`.
    ///   - patience: for how long a transaction waits for a connection, in seconds, before it is refused with
    ///     `DatabaseError.busy`.
    ///   - now: the clock.
    ///   - logger: the log for failures that no caller receives.
    ///   - watch: is shown every statement of a transaction, for tests; nil for nobody.
    /// - Throws: `DatabaseError`, for example if the server can't be reached.
    public init(
        address: PostgresAddress, as place: DatabasePlace, readers: Int = 8, writers: Int = 4,
        waitingReads: Int = 4096, waitingWrites: Int = 1024, patience: Double = Database.patience,
        now: @escaping @Sendable () -> Date = { Date() }, logger: Logger,
        watch: StatementWatch? = nil
    ) throws {
        changes = TableChanges()
        engine = try PostgresDatabase(
            address: address, as: place, readers: readers, writers: writers,
            waitingReads: waitingReads, waitingWrites: waitingWrites, patience: patience, changes: changes,
            now: now, logger: logger, watch: watch)
    }

    /// Fills an empty PostgreSQL database with all rows of a SQLite file, and compares every row. This function blocks the
    /// calling thread.
    ///
    /// - Parameters:
    ///   - path: the file, which no other process may have open.
    ///   - folder: the folder with the migrations.
    /// - Returns: the number of rows.
    /// - Throws: `DatabaseError`: `busy` if a process has the file open. The database then stays empty.
    public static func fill(
        _ address: PostgresAddress, from path: String, migrations folder: String, logger: Logger
    ) throws -> Int {
        do {
            return try PostgresFill(address: address, migrations: Migration.all(in: folder), logger: logger)
                .fill(from: path)
        } catch let failure as PostgresFailure {
            throw DatabaseError.other(message: "The database \(address) can’t be filled: \(failure.message)")
        }
    }

    /// Returns whether a process has a SQLite file open.
    /// - Throws: `DatabaseError` if the file can't be read.
    public static func isInUse(path: String) throws -> Bool {
        try SQLiteHandle(path: path, for: .writing, busyTimeout: 1).withConnection { try $0.isInUse() }
    }

    /// Whether other servers may read and write the database at the same time. If not, what this server knows of its rows
    /// stays right until it changes them itself; only commands beside it may change others.
    public var isShared: Bool { engine.isShared }

    /// The number of this process among the processes that write to the database.
    public var node: Int { engine.node }

    /// Yields when this process can't write any more, because it was cut off for so long that another process has taken
    /// its number. For one reader. A SQLite file has no such moment.
    public var losses: AsyncStream<Void> { engine.losses }

    /// The number of transactions that wait for a thread, for the metrics.
    public var waiting: (reads: Int, writes: Int) { engine.waiting }

    /// Reads in one transaction. Every statement in it sees the same state, whatever is written meanwhile.
    ///
    /// - Parameter body: what to read. It must have no side effects, and may be run again.
    /// - Throws: what the closure throws; `DatabaseError`, for example `busy` if too many reads wait;
    ///   `CancellationError` if the task is cancelled before the read starts.
    public func read<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        try await engine.read(body)
    }

    /// Writes in one transaction, and returns when the transaction is durable.
    ///
    /// Writes appear to run one after the other. If the closure throws, all its changes are rolled back.
    ///
    /// - Parameter body: what to read and write. It must have no side effects, and may be run again. Put
    ///   messages to others into `Transaction.afterCommit`.
    /// - Throws: what the closure throws; `DatabaseError`, for example `busy` if too many writes wait;
    ///   `CancellationError` if the task is cancelled before the write starts. After any error nothing is
    ///   written, with one exception: after `DatabaseError.unsettled` the write may have been committed.
    @discardableResult
    public func write<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        try await engine.write(body)
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
        try engine.migrate(try Migration.all(in: folder))
    }

    /// Copies the current state of the database into a SQLite file, while the database is in use.
    ///
    /// The file appears when the copy is complete and durable, and replaces an existing file.
    /// - Throws: `DatabaseError`.
    public func backup(to path: String) async throws {
        try await engine.backup(to: path)
    }

    /// Looks for damage in the file, and for references to rows that don't exist.
    /// - Returns: a sentence for each problem, at most about a hundred; empty if there is none.
    /// - Throws: `DatabaseError`.
    public func integrityProblems() async throws -> [String] {
        try await engine.integrityProblems()
    }

    /// Returns the size of the database in bytes, and of SQLite's log that isn't copied into the file yet.
    ///
    /// For PostgreSQL, all files of the database on its server count, and its log doesn't.
    /// - Throws: `DatabaseError`.
    public func size() async throws -> (data: Int, log: Int) {
        try await engine.size()
    }

    /// Erases from the disk what was deleted, as far as that is this program's work.
    ///
    /// SQLite overwrites deleted bytes in the database file with zeros, but the write-ahead log still contains earlier
    /// pages: it is emptied. PostgreSQL does this by itself, later: it vacuums tables and uses the files of its log again.
    /// - Throws: `DatabaseError.busy` if a read or a backup needs the log for longer than a quarter of a
    ///   second. Call this function again later.
    public func eraseDeleted() async throws {
        try await engine.eraseDeleted()
    }

    /// Finishes the accepted transactions, then closes the database. This function blocks the calling thread.
    ///
    /// After that, every call other than `close` fails.
    /// - Throws: `DatabaseError`.
    public func close() throws {
        try engine.close()
    }
}

/// What a process is to the others that use a PostgreSQL database.
public enum DatabasePlace: Sendable {
    /// A server that allows no other server beside it, since they couldn't share something else.
    case onlyServer
    /// A server beside others.
    case server
    /// A command, beside any servers.
    case command
}

/// What a database is made of. `Database` says what each of these does.
protocol DatabaseEngine: Sendable {
    var isShared: Bool { get }
    var node: Int { get }
    var losses: AsyncStream<Void> { get }
    var waiting: (reads: Int, writes: Int) { get }

    func read<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T
    func write<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T
    func migrate(_ migrations: [Migration]) throws -> [String]
    func backup(to path: String) async throws
    func integrityProblems() async throws -> [String]
    func size() async throws -> (data: Int, log: Int)
    func eraseDeleted() async throws
    func close() throws
}

/// A connection to a database, which one thread uses at a time.
protocol Connection: AnyObject {
    /// Runs a statement and passes each of its rows to a closure, until the closure returns false.
    /// - Returns: the number of rows that the statement changed.
    @discardableResult
    func run(_ sql: String, _ arguments: [(any SQLConvertible)?], row: (Row) throws -> Bool) throws -> Int
}

extension DatabaseEngine {
    var losses: AsyncStream<Void> { AsyncStream { nil } }
}

extension Connection {
    /// Runs a statement without arguments and passes each of its rows to a closure, until the closure returns false.
    func run(_ sql: String, row: (Row) throws -> Bool) throws {
        try run(sql, [], row: row)
    }

    /// Runs a statement and ignores its rows.
    /// - Returns: the number of rows that the statement changed.
    @discardableResult
    func execute(_ sql: String, _ arguments: [(any SQLConvertible)?] = []) throws -> Int {
        try run(sql, arguments) { _ in true }
    }
}
