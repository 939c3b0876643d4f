import Core
import Foundation
import Storage

/// The place up to which someone has read a timeline, on all their devices.
struct Marker: Sendable {
    /// A timeline that can be marked.
    enum Timeline: String, Sendable, CaseIterable {
        case home, notifications
    }

    var timeline: Timeline
    /// The newest entry that was read.
    var lastRead: Int64
    /// The number of the marker's version, which grows with every change.
    var version: Int
    var updatedAt: Date
}

/// The SQL of markers.
struct MarkerStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    func marker(_ timeline: Marker.Timeline, of account: Account.ID) throws -> Marker? {
        try transaction.row(
            """
            SELECT last_read_id, version, updated_at FROM markers WHERE account_id = $1 AND timeline = $2
            """, account, timeline.rawValue
        ) {
            Marker(
                timeline: timeline, lastRead: try $0.int64("last_read_id"), version: try $0.int("version"),
                updatedAt: try $0.date("updated_at"))
        }
    }

    /// Moves a marker forward; never backward.
    func set(_ timeline: Marker.Timeline, of account: Account.ID, to lastRead: Int64) throws {
        try transaction.execute(
            """
            INSERT INTO markers (account_id, timeline, last_read_id, version, updated_at) VALUES ($1, $2, $3, 1, $4)
            ON CONFLICT (account_id, timeline) DO UPDATE
                SET last_read_id = $3, version = markers.version + 1, updated_at = $4
                WHERE markers.last_read_id < $3
            """, account, timeline.rawValue, lastRead, transaction.now)
    }
}
