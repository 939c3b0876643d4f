import Synchronization

/// Tells those who observe a table of the commits of this process that changed it.
///
/// It does so after the commit and before the writing task continues. Changes made by foreign keys count for the table
/// that the statement names.
public final class TableChanges: Sendable {
    private let observers = Mutex<[(table: String, call: @Sendable () -> Void)]>([])

    /// Calls a closure after every commit of this process that changes a table, for as long as the database is open.
    ///
    /// - Parameter call: runs on the writer's thread before the writing task continues, so it must be short.
    public func observe(_ table: String, _ call: @escaping @Sendable () -> Void) {
        observers.withLock { $0.append((table, call)) }
    }

    /// Calls those who observe one of `tables`, after a commit that changed these.
    func add(_ tables: Set<String>) {
        for observer in observers.withLock({ $0 }) where tables.contains(observer.table) { observer.call() }
    }

    /// Returns the table that a statement changes; nil if the statement only reads.
    static func table(changedBy sql: String) -> String? {
        var words = sql.split(maxSplits: 4, whereSeparator: \.isWhitespace).makeIterator()
        let name: Substring?
        switch words.next()?.uppercased() {
        case "INSERT", "DELETE":
            // Skips INTO or FROM.
            _ = words.next()
            name = words.next()
        case "UPDATE": name = words.next()
        default: return nil
        }
        return name.map { String($0.prefix { $0 != "(" }) }
    }
}
