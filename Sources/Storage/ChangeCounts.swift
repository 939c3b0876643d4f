import Synchronization

/// The number of commits that changed each table, so that values made from rows can be cached until the rows change.
///
/// ```swift
/// let version = database.changes.version(of: ["posts", "likes"])   // before the read
/// if let known = cache[key], known.version == version { return known.page }
/// ```
///
/// A count changes after the commit and before the writing task continues, so a reader that starts after an
/// acknowledged write always sees the new version. Changes made by foreign keys count for the table that the
/// statement names. Changes by other processes don't count, so cached values should expire soon.
public final class ChangeCounts: Sendable {
    private struct State {
        var tables: [String: Int] = [:]
        var all = 0
        var observers: [(table: String, call: @Sendable () -> Void)] = []
    }

    private let state = Mutex(State())

    /// The number of commits that changed any table.
    public var version: Int { state.withLock { $0.all } }

    /// Returns a number that grows with every commit that changed one of `tables`.
    public func version(of tables: [String]) -> Int {
        state.withLock { state in
            tables.reduce(0) { $0 + (state.tables[$1] ?? 0) }
        }
    }

    /// Calls a closure after every commit of this process that changes a table, for as long as the database is open.
    ///
    /// - Parameter call: runs on the writer's thread before the writing task continues, so it must be short.
    public func observe(_ table: String, _ call: @escaping @Sendable () -> Void) {
        state.withLock { $0.observers.append((table, call)) }
    }

    /// Counts a commit that changed `tables`, and calls those who observe them.
    func add(_ tables: Set<String>) {
        guard !tables.isEmpty else { return }
        let observers = state.withLock { state in
            state.all += 1
            for table in tables { state.tables[table, default: 0] += 1 }
            return state.observers
        }
        for observer in observers where tables.contains(observer.table) { observer.call() }
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
