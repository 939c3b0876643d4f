import Foundation
import Serving
import Storage

/// A cache of values made of database rows, each kept until a commit changes a table that the value was made of.
///
/// Nothing has to be invalidated by hand. The cache is bounded in number, and in age, because a command may write to the
/// database, too. Nothing is kept of a database that other servers change (``Database/isShared``).
package final class CacheUntilChange<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        var version: Int
        var madeAt: Date
        var value: Value
    }

    /// The version of the tables, and the time, at which a value is about to be made.
    package struct Moment: Sendable {
        fileprivate var version: Int
        fileprivate var instant: Date
    }

    /// How long a value may be kept, in seconds.
    private static var lifetime: TimeInterval { 10 }

    private let entries: Cache<Key, Entry>
    private let changes: ChangeCounts
    private let isShared: Bool
    private let tables: [String]

    /// - Parameters:
    ///   - tables: the tables that the values are made of; empty for all tables.
    ///   - capacity: the most values kept.
    ///   - bytes: the most bytes kept.
    ///   - size: returns about how many bytes a value takes.
    package init(
        _ database: Database, tables: [String], capacity: Int, bytes: Int = .max,
        size: @escaping @Sendable (Value) -> Int = { _ in 0 }
    ) {
        changes = database.changes
        isShared = database.isShared
        self.tables = tables
        entries = Cache(capacity: capacity, bytes: bytes) { size($0.value) }
    }

    /// Returns the current moment. Ask for it before rows are read: then a commit in between makes the value old at
    /// once, and never wrong.
    package func moment(at instant: Date) -> Moment {
        Moment(version: tables.isEmpty ? changes.version : changes.version(of: tables), instant: instant)
    }

    /// Returns the kept value of a key, if it is still current.
    package func value(_ key: Key, at moment: Moment) -> Value? {
        guard let entry = entries[key], entry.version == moment.version,
            moment.instant.timeIntervalSince(entry.madeAt) < Self.lifetime
        else { return nil }
        return entry.value
    }

    /// Keeps a value that was made of rows read after `moment`.
    package func keep(_ value: Value, for key: Key, since moment: Moment) {
        guard !isShared else { return }
        entries[key] = Entry(version: moment.version, madeAt: moment.instant, value: value)
    }
}
