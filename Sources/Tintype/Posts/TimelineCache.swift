import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Storage

/// Keeps finished answers of home feeds until something in them changes.
///
/// Most looks at a feed come while nothing new has happened. Every commit that touches what a feed shows
/// moves the database's change count, so that an answer made before it is never given again; there is nothing
/// to invalidate by hand. Bounded in number, and in age, because another process may write too.
final class TimelineCache: Sendable {
    private struct Key: Hashable {
        var viewer: Account.ID
        var target: String
        var isCompressed: Bool
    }

    private struct Entry: Sendable {
        var version: Int
        var madeAt: Date
        var response: Response
    }

    private let entries: Cache<Key, Entry>
    private let changes: ChangeCounts
    private let tables: [String]
    private let now: @Sendable () -> Date

    /// How long an answer may be kept, in seconds. Relative times in it are that old at the most.
    static let lifetime: TimeInterval = 10

    /// - Parameters:
    ///   - tables: what the answers are made of; nil for all tables.
    ///   - capacity: the most answers kept, of about 60 kB each.
    init(
        _ database: Database, tables: [String] = [], capacity: Int = 256, now: @escaping @Sendable () -> Date
    ) {
        changes = database.changes
        self.tables = tables
        self.now = now
        entries = Cache(capacity: capacity)
    }

    /// The kept answer to a request of `viewer`, or a new one.
    func response(
        to request: Request, for viewer: Account.ID, make: () async throws -> Response
    ) async throws -> Response {
        let key = Key(
            viewer: viewer, target: request.head.path ?? "", isCompressed: Compression.isAccepted(request))
        // Asked before the rows are read: a commit in between makes the new answer old at once, never wrong.
        let version = tables.isEmpty ? changes.version : changes.version(of: tables)
        let instant = now()
        if let known = entries[key], known.version == version,
            instant.timeIntervalSince(known.madeAt) < Self.lifetime
        {
            return known.response
        }
        let response = try await make()
        entries[key] = Entry(version: version, madeAt: instant, response: response)
        return response
    }
}
