import CSQLite
import Foundation

/// A connection to SQLite with its prepared statements, which one thread has borrowed from a `SQLiteHandle`.
final class SQLiteConnection: Connection {
    /// The most statements to keep prepared, far more than the program contains.
    private static let statementLimit = 512

    let pointer: OpaquePointer

    /// How long to wait for a lock of another process, in seconds.
    let busyTimeout: Double

    /// The number of pages in the write-ahead log after the last commit.
    var logPages = 0

    /// The tables that statements have changed since `takeChangedTables()` was last called.
    private var changedTables: Set<String> = []

    private var statements: [String: SQLiteStatement] = [:]
    private var uses = 0
    private let watch: StatementWatch?

    init(_ pointer: OpaquePointer, busyTimeout: Double, watch: StatementWatch?) {
        self.pointer = pointer
        self.busyTimeout = busyTimeout
        self.watch = watch
    }

    /// Whether a transaction is open. SQLite ends the transaction automatically after some errors.
    var isInTransaction: Bool { sqlite3_get_autocommit(pointer) == 0 }

    /// Returns whether another connection has the file open.
    func isInUse() throws -> Bool { try !leaveLog() }

    /// Leaves the log, so that everything is in the file alone. SQLite does so only for a single connection
    /// (https://www.sqlite.org/wal.html).
    ///
    /// - Returns: whether it was left; false if another connection has the file open.
    func leaveLog() throws -> Bool {
        var mode = ""
        do {
            try run("PRAGMA journal_mode = DELETE", []) {
                mode = try $0.string("journal_mode")
                return true
            }
        } catch DatabaseError.busy {
            return false
        }
        return mode == "delete"
    }

    /// Runs a statement and passes each of its rows to a closure, until the closure returns false.
    /// - Returns: the number of rows that the statement changed.
    @discardableResult
    func run(
        _ sql: String, _ arguments: [(any SQLConvertible)?], row: (Row) throws -> Bool
    ) throws -> Int {
        let statement = try statement(sql)
        watch?(sql) { try plan(of: sql) }
        if let table = statement.changedTable { changedTables.insert(table) }
        statement.isRunning = true
        defer {
            statement.reset()
            statement.isRunning = false
        }
        try statement.bind(arguments)
        let before = sqlite3_total_changes64(pointer)
        var wantsMore = true
        while try statement.step() {
            if wantsMore { wantsMore = try row(Row(statement)) }
            // A change is complete, and its foreign keys are checked, only after its last row was returned.
            if !wantsMore && statement.isReadOnly { break }
        }
        // A statement that changes nothing leaves `sqlite3_changes64` at the number of the statement before
        // it.
        return sqlite3_total_changes64(pointer) == before ? 0 : Int(sqlite3_changes64(pointer))
    }

    /// Returns the tables that were changed since the last call.
    func takeChangedTables() -> Set<String> {
        defer { changedTables.removeAll(keepingCapacity: true) }
        return changedTables
    }

    /// Runs several statements, in SQLite's own SQL and without arguments.
    func script(_ sql: String) throws(DatabaseError) {
        let code = sqlite3_exec(pointer, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw DatabaseError(code: code, on: pointer) }
    }

    /// Runs a closure in a read transaction.
    func read<T>(_ body: () throws -> T) throws -> T {
        try execute("BEGIN")
        return try ending("COMMIT", "ROLLBACK", body)
    }

    /// Runs a closure in a savepoint, which is rolled back if the closure throws.
    func savepoint<T>(_ body: () throws -> T) throws -> T {
        try execute("SAVEPOINT one_write")
        return try ending("RELEASE one_write", "ROLLBACK TO one_write", body)
    }

    /// Rolls back the open transaction, if there is one.
    func rollback() throws {
        if isInTransaction { try execute("ROLLBACK") }
    }

    private func ending<T>(_ success: String, _ failure: String, _ body: () throws -> T) throws -> T {
        do {
            let value = try body()
            try execute(success)
            return value
        } catch {
            if isInTransaction { try execute(failure) }
            throw error
        }
    }

    /// Returns the prepared statement for a text. Each statement is prepared once.
    private func statement(_ sql: String) throws(DatabaseError) -> SQLiteStatement {
        uses += 1
        guard let kept = statements[sql] else {
            let statement = try SQLiteStatement(sql, isKept: true, on: pointer)
            if statements.count >= Self.statementLimit { forgetOldest() }
            statement.lastUse = uses
            statements[sql] = statement
            return statement
        }
        if kept.isRunning { return try SQLiteStatement(sql, isKept: false, on: pointer) }
        kept.lastUse = uses
        return kept
    }

    /// Returns what SQLite says of each step of a statement; nothing for those that only end a transaction.
    private func plan(of sql: String) throws -> [String] {
        let word = sql.prefix { !$0.isWhitespace }.uppercased()
        guard ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"].contains(word) else { return [] }
        let statement = try SQLiteStatement("EXPLAIN QUERY PLAN \(sql)", isKept: false, on: pointer)
        var steps: [String] = []
        while try statement.step() { steps.append(try Row(statement).string("detail")) }
        return steps
    }

    private func forgetOldest() {
        let oldest = statements.filter { !$0.value.isRunning }.min { $0.value.lastUse < $1.value.lastUse }
        if let oldest { statements[oldest.key] = nil }
    }
}
