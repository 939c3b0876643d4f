import Foundation
import Serving
import Storage

/// Keeps what was made of rows until a commit changes a table that it was made of.
///
/// There is nothing to invalidate by hand. Bounded in number, and in age, because another process may write too.
package final class CacheUntilChange<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        var version: Int
        var madeAt: Date
        var value: Value
    }

    /// Under which version something is about to be made, at which time.
    package struct Moment: Sendable {
        fileprivate var version: Int
        fileprivate var instant: Date
    }

    /// How long something may be kept, in seconds.
    private static var lifetime: TimeInterval { 10 }

    private let entries: Cache<Key, Entry>
    private let changes: ChangeCounts
    private let tables: [String]

    /// - Parameters:
    ///   - tables: what the values are made of; empty for all tables.
    ///   - capacity: the most values kept.
    ///   - bytes: the most bytes kept.
    ///   - size: about how many bytes a value takes.
    package init(
        _ changes: ChangeCounts, tables: [String], capacity: Int, bytes: Int = .max,
        size: @escaping @Sendable (Value) -> Int = { _ in 0 }
    ) {
        self.changes = changes
        self.tables = tables
        entries = Cache(capacity: capacity, bytes: bytes) { size($0.value) }
    }

    /// To be asked before rows are read: a commit in between makes what is kept old at once, never wrong.
    package func moment(at instant: Date) -> Moment {
        Moment(version: tables.isEmpty ? changes.version : changes.version(of: tables), instant: instant)
    }

    /// What is kept, if it is still good.
    package func value(_ key: Key, at moment: Moment) -> Value? {
        guard let entry = entries[key], entry.version == moment.version,
            moment.instant.timeIntervalSince(entry.madeAt) < Self.lifetime
        else { return nil }
        return entry.value
    }

    /// Keeps what was made of rows that were read after `moment`.
    package func keep(_ value: Value, for key: Key, since moment: Moment) {
        entries[key] = Entry(version: moment.version, madeAt: moment.instant, value: value)
    }
}
