import Foundation

/// A transaction that is open while the closure runs that it is given to, and not longer.
///
/// Statements are written in the SQL that SQLite and PostgreSQL share, with the placeholders `$1`, `$2`, … for
/// their arguments:
///
/// ```swift
/// try transaction.rows("SELECT id, caption FROM post WHERE account_id = $1 AND id < $2", account, before) {
///     Post(id: try $0.get(0), caption: try $0.string(1))
/// }
/// ```
///
/// Every function throws `DatabaseError`, beside what a closure throws.
public final class Transaction {
    /// The time of the transaction, the same for all of it, in whole milliseconds.
    public let now: Date

    let connection: Connection

    /// What ids are made from; nil in a read.
    private(set) var ids: IDSequence?

    /// What is left to do once this write is committed.
    private(set) var followUps: [FollowUp] = []

    /// Something done after a commit, with a transaction that only reads.
    typealias FollowUp = @Sendable (Transaction) throws -> Void

    /// - Parameter ids: what a write makes its ids from; nil in a read.
    init(on connection: Connection, now: Date, ids: IDSequence?) {
        self.connection = connection
        self.now = Date(milliseconds: Int64((now.timeIntervalSince1970 * 1000).rounded(.down)))
        self.ids = ids
    }

    /// A new id, higher than any made before on this node: 41 bits of milliseconds since 2024, 10 bits of
    /// node, 12 bits of sequence.
    /// - Precondition: the transaction is a write.
    public func newID() -> Int64 {
        guard let id = ids?.next(at: now.milliseconds) else {
            preconditionFailure("ids are made in write transactions only")
        }
        return id
    }

    /// Runs a closure as soon as this write is on the disk, before the task that waits for the write goes on.
    ///
    /// Closures run one after the other on the writer's thread, in the order of the commits: whatever they hand on
    /// goes out in the order in which it happened, and a read in them sees nothing older than this write. All other
    /// writes wait meanwhile, so a closure is short and never waits for anything. A write that fails leaves none of
    /// its closures behind, and one that is run again collects them again.
    ///
    /// - Parameter followUp: gets a transaction that can read but not write. An error that it throws is logged, since
    ///   the write can't fail any more.
    /// - Precondition: the transaction is a write.
    public func afterCommit(_ followUp: @escaping @Sendable (Transaction) throws -> Void) {
        precondition(ids != nil, "only a write transaction is committed")
        followUps.append(followUp)
    }

    /// Takes back what was to be done after the commit, since there will be none.
    func dropFollowUps() {
        followUps = []
    }

    /// The rows of a query, each mapped to a value.
    public func rows<T>(
        _ sql: String, _ arguments: (any SQLConvertible)?..., map: (Row) throws -> T
    ) throws -> [T] {
        try rows(sql, arguments: arguments, map: map)
    }

    /// The rows of a query, each mapped to a value.
    public func rows<T>(
        _ sql: String, arguments: [(any SQLConvertible)?], map: (Row) throws -> T
    ) throws -> [T] {
        var result: [T] = []
        try connection.run(sql, arguments) {
            result.append(try map(Row($0)))
            return true
        }
        return result
    }

    /// The first row of a query, mapped to a value; nil when there is none.
    public func row<T>(
        _ sql: String, _ arguments: (any SQLConvertible)?..., map: (Row) throws -> T
    ) throws -> T? {
        try row(sql, arguments: arguments, map: map)
    }

    /// The first row of a query, mapped to a value; nil when there is none.
    ///
    /// The rows behind it are not fetched. A statement that changes rows and returns them changes all.
    public func row<T>(
        _ sql: String, arguments: [(any SQLConvertible)?], map: (Row) throws -> T
    ) throws -> T? {
        var result: T?
        try connection.run(sql, arguments) {
            result = try map(Row($0))
            return false
        }
        return result
    }

    /// Runs a statement.
    /// - Returns: how many rows it inserted, updated or deleted, those that a foreign key's action changed
    ///   not counted.
    @discardableResult
    public func execute(_ sql: String, _ arguments: (any SQLConvertible)?...) throws -> Int {
        try execute(sql, arguments: arguments)
    }

    /// Runs a statement.
    /// - Returns: how many rows it inserted, updated or deleted, those that a foreign key's action changed
    ///   not counted.
    @discardableResult
    public func execute(_ sql: String, arguments: [(any SQLConvertible)?]) throws -> Int {
        try connection.execute(sql, arguments)
    }
}
