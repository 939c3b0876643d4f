import Foundation

/// A transaction, open only while the closure that receives it runs.
///
/// Statements use the SQL that SQLite and PostgreSQL share, with the placeholders `$1`, `$2`, … for their
/// arguments:
///
/// ```swift
/// try transaction.rows("SELECT id, caption FROM post WHERE account_id = $1 AND id < $2", account, before) {
///     Post(id: try $0.get("id"), caption: try $0.string("caption"))
/// }
/// ```
///
/// Every function throws `DatabaseError`, and what its closure throws.
public final class Transaction {
    /// The time of the transaction, in whole milliseconds. It stays the same for the whole transaction.
    public let now: Date

    private let connection: any Connection

    /// The source of new ids; nil in a read.
    private let ids: IDSource?

    /// The closures to run after this write is committed.
    private(set) var followUps: [FollowUp] = []

    /// A closure to run after a commit, with a transaction that can only read.
    typealias FollowUp = @Sendable (Transaction) throws -> Void

    /// - Parameter ids: the source of new ids; nil in a read.
    init(on connection: any Connection, now: Date, ids: IDSource?) {
        self.connection = connection
        self.now = Date(milliseconds: Int64((now.timeIntervalSince1970 * 1000).rounded(.down)))
        self.ids = ids
    }

    /// Returns a new id, higher than all earlier ones of this node: 41 bits of milliseconds since 2024, 10
    /// bits of node, 12 bits of sequence.
    /// - Precondition: the transaction is a write.
    public func newID() -> Int64 {
        writing.next(at: now.milliseconds)
    }

    /// Returns a new id that is also higher than another node's, whose clock may be a little ahead. If that is ahead by more
    /// than ``IDSequence/lead``, the new id may be lower.
    /// - Precondition: the transaction is a write.
    package func newID(after other: Int64) -> Int64 {
        writing.next(at: now.milliseconds, after: other)
    }

    private var writing: IDSource {
        guard let ids else { preconditionFailure("ids are made in write transactions only") }
        return ids
    }

    /// Runs a closure as soon as this write is durable, before the task that waits for the write continues.
    ///
    /// Closures run one after the other on the writer's thread, in the order of the commits, so the events
    /// that they send are in the order in which things happened. A closure that reads sees the state right
    /// after this write or a later one. All other writes wait meanwhile, so a closure must be short and never
    /// wait. The closures of a failed write are dropped, and a write that is run again collects them again.
    ///
    /// - Parameter followUp: receives a transaction that can read but not write. Errors that it throws are
    ///   logged, because the write can't fail any more.
    /// - Precondition: the transaction is a write.
    public func afterCommit(_ followUp: @escaping @Sendable (Transaction) throws -> Void) {
        precondition(ids != nil, "only a write transaction is committed")
        followUps.append(followUp)
    }

    /// Drops the closures that were to run after the commit, because the write has failed.
    func dropFollowUps() {
        followUps = []
    }

    /// Runs a query and maps each of its rows to a value.
    public func rows<T>(
        _ sql: String, _ arguments: (any SQLConvertible)?..., map: (Row) throws -> T
    ) throws -> [T] {
        try rows(sql, arguments: arguments, map: map)
    }

    /// Runs a query and maps each of its rows to a value.
    public func rows<T>(
        _ sql: String, arguments: [(any SQLConvertible)?], map: (Row) throws -> T
    ) throws -> [T] {
        var result: [T] = []
        try connection.run(sql, arguments) {
            result.append(try map($0))
            return true
        }
        return result
    }

    /// Runs a query and maps its first row to a value. Returns nil if there is no row.
    public func row<T>(
        _ sql: String, _ arguments: (any SQLConvertible)?..., map: (Row) throws -> T
    ) throws -> T? {
        try row(sql, arguments: arguments, map: map)
    }

    /// Runs a query and maps its first row to a value. Returns nil if there is no row.
    ///
    /// Further rows are not fetched. A statement that changes rows and returns them still changes all of
    /// them.
    public func row<T>(
        _ sql: String, arguments: [(any SQLConvertible)?], map: (Row) throws -> T
    ) throws -> T? {
        var result: T?
        try connection.run(sql, arguments) {
            result = try map($0)
            return false
        }
        return result
    }

    /// Runs a query of one column and returns the values of its rows.
    public func values<T: SQLConvertible>(
        _ sql: String, _ arguments: (any SQLConvertible)?..., as type: T.Type = T.self
    ) throws -> [T] {
        try values(sql, arguments: arguments)
    }

    /// Runs a query of one column and returns the values of its rows.
    public func values<T: SQLConvertible>(
        _ sql: String, arguments: [(any SQLConvertible)?], as type: T.Type = T.self
    ) throws -> [T] {
        try rows(sql, arguments: arguments) { try $0.only() }
    }

    /// Runs a query of one column and returns the value of its first row. Returns nil if there is no row, or
    /// if the value is NULL.
    public func value<T: SQLConvertible>(
        _ sql: String, _ arguments: (any SQLConvertible)?..., as type: T.Type = T.self
    ) throws -> T? {
        try value(sql, arguments: arguments)
    }

    /// Runs a query of one column and returns the value of its first row. Returns nil if there is no row, or
    /// if the value is NULL.
    public func value<T: SQLConvertible>(
        _ sql: String, arguments: [(any SQLConvertible)?], as type: T.Type = T.self
    ) throws -> T? {
        try row(sql, arguments: arguments) { try $0.optionalOnly() } ?? nil
    }

    /// Calls a closure with some values at a time, for a statement that names a list of them: a statement is prepared once
    /// for each number of values, so those are few.
    ///
    /// - Parameters:
    ///   - arguments: the statement's other arguments, which come before the values.
    ///   - size: the most values at a time.
    ///   - body: receives the placeholders of some values, such as `$2, $3`, and all arguments.
    public func inPortions(
        _ values: some Sequence<some SQLConvertible>, after arguments: [(any SQLConvertible)?] = [],
        of size: Int = 40,
        _ body: (_ places: String, _ arguments: [(any SQLConvertible)?]) throws -> Void
    ) rethrows {
        try portions(values, after: arguments, of: size) { try body($0.joined(separator: ", "), $1) }
    }

    private func portions(
        _ values: some Sequence<some SQLConvertible>, after arguments: [(any SQLConvertible)?], of size: Int,
        _ body: (_ places: [String], _ arguments: [(any SQLConvertible)?]) throws -> Void
    ) rethrows {
        let all = Array(values)
        for start in stride(from: 0, to: all.count, by: size) {
            let some = all[start..<min(start + size, all.count)]
            try body(some.indices.map { "$\($0 - start + arguments.count + 1)" }, arguments + some.map { $0 })
        }
    }

    /// Inserts a row for each of some values, several with one statement. Rows that are there already stay as they are.
    ///
    /// - Parameters:
    ///   - table: the table with its columns, such as `tags (post_id, name)`, the column of the values last.
    ///   - others: the values of the columns before it, which are the same in each row.
    public func insert(
        _ values: some Sequence<some SQLConvertible>, into table: String, behind others: [any SQLConvertible]
    ) throws {
        let same = others.indices.map { "$\($0 + 1), " }.joined()
        try portions(values, after: others.map { $0 }, of: 40) { places, arguments in
            let rows = places.map { "(\(same)\($0))" }.joined(separator: ", ")
            try execute("INSERT INTO \(table) VALUES \(rows) ON CONFLICT DO NOTHING", arguments: arguments)
        }
    }

    /// Runs a query for some values at a time, and maps each of all rows to a value.
    ///
    /// - Parameters:
    ///   - arguments: the query's other arguments, which come before the values.
    ///   - size: the most values at a time.
    ///   - sql: returns the query, given the placeholders of some values, such as `$2, $3`.
    public func rows<T>(
        for values: some Sequence<some SQLConvertible>, after arguments: [(any SQLConvertible)?] = [],
        of size: Int = 40, _ sql: (_ places: String) -> String, map: (Row) throws -> T
    ) throws -> [T] {
        var found: [T] = []
        try inPortions(values, after: arguments, of: size) { places, arguments in
            try connection.run(sql(places), arguments) {
                found.append(try map($0))
                return true
            }
        }
        return found
    }

    /// Runs a statement.
    /// - Returns: the number of rows that it inserted, updated or deleted, not counting rows changed by a
    ///   foreign key's action.
    @discardableResult
    public func execute(_ sql: String, _ arguments: (any SQLConvertible)?...) throws -> Int {
        try execute(sql, arguments: arguments)
    }

    /// Runs a statement.
    /// - Returns: the number of rows that it inserted, updated or deleted, not counting rows changed by a
    ///   foreign key's action.
    @discardableResult
    public func execute(_ sql: String, arguments: [(any SQLConvertible)?]) throws -> Int {
        try connection.execute(sql, arguments)
    }
}
