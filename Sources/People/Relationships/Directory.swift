import Core
import Serving
import Storage

/// The order of the directory of people who want to be found, as in Mastodon.
package enum DirectoryOrder: String, Sendable {
    /// Those who posted last come first.
    case active
    /// The newest accounts come first.
    case new

    /// The column by which the directory is read, from its end.
    fileprivate var column: String { self == .active ? "a.newest_post_id" : "a.id" }
}

/// The SQL of the directory.
struct DirectoryStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    /// Returns people who want to be found, without those whom the viewer mutes, and without the viewer.
    func people(
        by order: DirectoryOrder, for viewer: Account.ID, offset: Int, limit: Int
    ) throws -> [Account] {
        // accounts_by_newest_post and accounts_discoverable, as far as the page.
        try transaction.rows(
            """
            SELECT \(AccountRow.columns) FROM \(AccountRow.table) a
            WHERE a.is_discoverable = 1 AND a.id <> $1 AND \(order.column) >= 0 AND \(AccountRow.isVisible)
                AND \(MuteRow.hasNone(of: "a.id"))
            ORDER BY \(order.column) DESC\(order == .active ? ", a.id DESC" : "") LIMIT $2 OFFSET $3
            """, viewer, limit, offset
        ) { try AccountRow.account(from: $0) }
    }
}

extension RelationshipService {
    /// The number of people after which the directory ends. Who looks for somebody further down searches.
    package static let directoryEnd = 1_000

    /// Returns people of this server who want to be found.
    ///
    /// - Throws: ``Refusal`` (422) for a place beyond ``directoryEnd``.
    package func directory(
        by order: DirectoryOrder, for viewer: Account, offset: Int, limit: Int
    ) async throws -> [Account] {
        guard (0..<Self.directoryEnd).contains(offset) else {
            throw Refusal.invalid(
                "offset", "ERR_INVALID",
                "The directory ends after \(Self.directoryEnd.grouped) people. Search for others by name.")
        }
        return try await database.read {
            try DirectoryStore($0).people(
                by: order, for: viewer.id, offset: offset, limit: min(limit, Self.directoryEnd - offset))
        }
    }
}
