import Storage

/// The SQL of blocks, and of what they hide.
extension AccountStore {
    /// Whether the account `a` may be seen by the account `$1`: it isn't suspended, and neither blocks the other.
    static let isVisible = isVisible(to: "$1")

    /// The same for another placeholder.
    static func isVisible(to viewer: String) -> String {
        "a.is_suspended = 0 AND \(haveNoBlock(viewer, "a.id"))"
    }

    /// Whether neither of two accounts blocks the other, each named by a column or placeholder.
    static func haveNoBlock(_ one: String, _ other: String) -> String {
        """
        NOT EXISTS (SELECT 1 FROM blocks b WHERE b.blocker_id = \(one) AND b.blocked_id = \(other))
        AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.blocker_id = \(other) AND b.blocked_id = \(one))
        """
    }

    func blocks(_ blocker: Account.ID, _ blocked: Account.ID) throws -> Bool {
        try transaction.row(
            "SELECT 1 FROM blocks WHERE blocker_id = $1 AND blocked_id = $2", blocker, blocked
        ) { _ in true } ?? false
    }

    func insertBlock(_ blocker: Account.ID, _ blocked: Account.ID) throws {
        try transaction.execute(
            """
            INSERT INTO blocks (blocker_id, blocked_id, id) VALUES ($1, $2, $3)
            ON CONFLICT (blocker_id, blocked_id) DO NOTHING
            """, blocker, blocked, transaction.newID())
    }

    /// Takes a block away; whether there was one.
    func deleteBlock(_ blocker: Account.ID, _ blocked: Account.ID) throws -> Bool {
        try transaction.execute(
            "DELETE FROM blocks WHERE blocker_id = $1 AND blocked_id = $2", blocker, blocked) > 0
    }

    func blockedCount(by account: Account.ID) throws -> Int {
        try transaction.row("SELECT count(*) FROM blocks WHERE blocker_id = $1", account) { try $0.int(0) }
            ?? 0
    }

    func blocked(by account: Account.ID, page: PageRequest) throws -> [(Int64, Account)] {
        try page.rows(
            transaction, idColumn: "b.id",
            """
            SELECT b.id, \(Self.columns) FROM blocks b JOIN accounts a ON a.id = b.blocked_id
            WHERE b.blocker_id = $1
            """, arguments: [account]
        ) { (try $0.int64(0), try Self.account(from: $0, at: 1)) }
    }
}
