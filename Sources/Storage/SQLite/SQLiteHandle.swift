import CSQLite
import Foundation

/// An open SQLite database, which one thread at a time borrows as a `SQLiteConnection`. Closed with its last reference.
final class SQLiteHandle: Sendable {
    /// What a handle is for.
    enum Access {
        case reading
        /// Reading and writing, with a write-ahead log.
        case writing
        /// Taking a copy of a database into an empty file, without a log.
        case filling
    }

    /// How long to wait for a lock of another connection, in seconds.
    private let busyTimeout: Double
    private let lock = NSLock()
    // Accessed only while `lock` is held; nil once closed.
    nonisolated(unsafe) private var pointer: OpaquePointer?
    // Accessed only while `lock` is held: what reads in place use, with its prepared statements.
    nonisolated(unsafe) private var kept: SQLiteConnection?

    /// Opens a database.
    /// - Parameters:
    ///   - path: the file, which must exist but may be empty; nil for a database in memory.
    ///   - busyTimeout: how long to wait for a lock of another connection, in seconds.
    init(path: String?, for access: Access, busyTimeout: Double) throws {
        self.busyTimeout = busyTimeout
        // The lock above guards the connection, so SQLite needn't lock it at each call, ten times for a row.
        let flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(
            path ?? ":memory:", &pointer,
            flags | (access == .reading ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE), nil)
        // When a file can't be opened, there is a handle too, which keeps the error until it is closed.
        guard let pointer else { throw DatabaseError.other(message: "SQLite has no memory") }
        guard code == SQLITE_OK else { throw DatabaseError(code: code, on: pointer) }
        sqlite3_busy_timeout(pointer, CInt(busyTimeout * 1000))
        // Anyone who can write the file could put triggers and views into it, and a backup may come from anywhere.
        guard tintype_sqlite_distrust(pointer) == SQLITE_OK else {
            throw DatabaseError.other(message: "SQLite's defensive mode can't be set")
        }
        try withConnection { try $0.script(Self.settings(for: access)) }
    }

    deinit {
        // Fails only for what nobody could use any more: a borrowed connection is gone with its statements.
        sqlite3_close_v2(pointer)
    }

    private static func settings(for access: Access) -> String {
        // Temporary tables stay in memory, so that no deleted data remains in a temporary file. Each connection has its
        // own page cache. Other pages come from the system's cache, at 1 µs each.
        let kibibytes = access == .writing ? 4_096 : 2_048
        let shared = """
            PRAGMA foreign_keys = ON;
            PRAGMA temp_store = MEMORY;
            PRAGMA cache_size = -\(kibibytes);
            """
        guard access == .writing else { return shared }
        return shared + """
            PRAGMA journal_mode = WAL;
            PRAGMA synchronous = FULL;
            PRAGMA secure_delete = ON;
            PRAGMA journal_size_limit = 67108864;
            """
    }

    /// Lends the connection to this thread while the closure runs.
    /// - Parameter watch: is shown every statement that runs.
    /// - Throws: what the closure throws; `DatabaseError` after `close()`.
    func withConnection<T>(watch: StatementWatch? = nil, _ body: (SQLiteConnection) throws -> T) throws -> T {
        try lock.withLock {
            guard let pointer else { throw DatabaseError.closed }
            return try body(SQLiteConnection(pointer, busyTimeout: busyTimeout, watch: watch))
        }
    }

    /// Lends the connection to this thread while the closure runs, with the statements that were prepared in earlier calls
    /// of this function. Returns nil if another thread has the connection, or after `close()`.
    /// - Parameter watch: is shown every statement that runs; that of the first call.
    func withKeptConnection<T>(
        watch: StatementWatch?, _ body: (SQLiteConnection) throws -> T
    ) rethrows -> T? {
        guard lock.try() else { return nil }
        defer { lock.unlock() }
        guard let pointer else { return nil }
        let connection = kept ?? SQLiteConnection(pointer, busyTimeout: busyTimeout, watch: watch)
        kept = connection
        return try body(connection)
    }

    /// Copies the whole database into another, in one step, so that the copy is one state of it.
    func copy(into target: SQLiteHandle) throws {
        try withConnection { source in
            try target.withConnection { target in
                guard let copy = sqlite3_backup_init(target.pointer, "main", source.pointer, "main") else {
                    throw DatabaseError(code: sqlite3_extended_errcode(target.pointer), on: target.pointer)
                }
                let code = sqlite3_backup_step(copy, -1)
                // Gives the error of the step, if there was one, to the target's connection.
                let end = sqlite3_backup_finish(copy)
                guard code == SQLITE_DONE else { throw DatabaseError(code: code, on: target.pointer) }
                guard end == SQLITE_OK else { throw DatabaseError(code: end, on: target.pointer) }
            }
        }
    }

    /// Closes the database, and waits for the thread that has borrowed it. After that, only `close` may be called.
    func close() throws {
        try lock.withLock {
            guard let open = pointer else { return }
            kept = nil
            let code = sqlite3_close(open)
            guard code == SQLITE_OK else { throw DatabaseError(code: code, on: open) }
            pointer = nil
        }
    }
}
