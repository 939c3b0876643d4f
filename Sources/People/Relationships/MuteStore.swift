import Core
import Foundation
import Storage

/// Mutes, for the statements of any feature. Nothing outside this folder names the table.
package enum MuteRow {
    static let table = "mutes"

    /// The columns of a mute, always as the table `mu`.
    static let columns = "mu.hides_notifications, mu.ends_at"

    /// Reads a mute from the columns above.
    static func mute(from row: Row) throws -> Mute {
        Mute(
            hidesNotifications: try row.bool("hides_notifications"), endsAt: try row.optionalDate("ends_at"))
    }

    /// Returns the condition that an account doesn't mute another, each named by a column or placeholder.
    package static func hasNone(of account: String, for viewer: String = "$1") -> String {
        "NOT EXISTS (SELECT 1 FROM mutes mu WHERE mu.account_id = \(viewer) AND mu.muted_id = \(account))"
    }

    /// Returns the condition that an account gets notifications of what another account does, each named by a column or
    /// placeholder: it doesn't mute the other, or hides only the other's posts and comments.
    static func allowsNotifications(of account: String, for viewer: String = "$1") -> String {
        """
        NOT EXISTS (SELECT 1 FROM mutes mu WHERE mu.account_id = \(viewer) AND mu.muted_id = \(account)
            AND mu.hides_notifications = 1)
        """
    }
}

/// The SQL of mutes.
struct MuteStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    func mute(_ muted: Account.ID, by account: Account.ID) throws -> Mute? {
        try transaction.row(
            "SELECT \(MuteRow.columns) FROM mutes mu WHERE mu.account_id = $1 AND mu.muted_id = $2", account,
            muted
        ) { try MuteRow.mute(from: $0) }
    }

    /// Returns those of some people, at most a page, whom an account mutes with their notifications.
    func hidden(from account: Account.ID, among people: Set<Account.ID>) throws -> Set<Account.ID> {
        let found = try transaction.rows(for: people, after: [account]) { places in
            """
            SELECT muted_id FROM mutes
            WHERE account_id = $1 AND muted_id IN (\(places)) AND hides_notifications = 1
            """
        } map: {
            Account.ID(rawValue: try $0.int64("muted_id"))
        }
        return Set(found)
    }

    func insert(_ mute: Mute, of muted: Account.ID, by account: Account.ID) throws {
        try transaction.execute(
            """
            INSERT INTO mutes (account_id, muted_id, id, hides_notifications, ends_at) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (account_id, muted_id) DO UPDATE SET hides_notifications = $4, ends_at = $5
            """, account, muted, transaction.newID(), mute.hidesNotifications, mute.endsAt)
    }

    /// Removes a mute. Returns whether there was one.
    func delete(_ muted: Account.ID, by account: Account.ID) throws -> Bool {
        try transaction.execute(
            "DELETE FROM mutes WHERE account_id = $1 AND muted_id = $2", account, muted) > 0
    }

    /// Returns how many people an account mutes, including those whom it can't see at present.
    func count(by account: Account.ID) throws -> Int {
        try transaction.value("SELECT count(*) FROM mutes WHERE account_id = $1", account) ?? 0
    }

    /// Returns how many people ``muted(by:page:)`` lists.
    func visibleCount(by account: Account.ID) throws -> Int {
        try transaction.value(
            """
            SELECT count(*) FROM mutes m JOIN \(AccountRow.table) a ON a.id = m.muted_id
            WHERE m.account_id = $1 AND \(AccountRow.isVisible)
            """, account) ?? 0
    }

    /// Returns one page of the people whom an account mutes and may see, newest mute first.
    func muted(by account: Account.ID, page: PageRequest) throws -> [(Int64, Account, Mute)] {
        // mutes_by_account
        try page.rows(
            idColumn: "m.id",
            """
            SELECT m.id, m.hides_notifications, m.ends_at, \(AccountRow.columns)
            FROM mutes m JOIN \(AccountRow.table) a ON a.id = m.muted_id
            WHERE m.account_id = $1 AND \(AccountRow.isVisible)
            """, arguments: [account], transaction
        ) { (try $0.int64("id"), try AccountRow.account(from: $0), try MuteRow.mute(from: $0)) }
    }

    /// Returns those of some people who mute an account.
    func muting(_ account: Account.ID, among others: Set<Account.ID>) throws -> Set<Account.ID> {
        // mutes_by_muted. Few people mute any one person.
        let all = try transaction.values(
            "SELECT account_id FROM mutes WHERE muted_id = $1", account, as: Account.ID.self)
        return others.intersection(all)
    }
}

/// The SQL of suggestions.
struct SuggestionStore {
    let transaction: Transaction

    /// The most dismissed suggestions that are remembered for one account.
    static let capacity = 500
    /// How many of the people whom the viewer follows are considered, those followed last.
    private static let asked = 40
    /// How many of the people whom each of them follows are considered, those followed last.
    private static let looked = 40

    init(_ transaction: Transaction) { self.transaction = transaction }

    /// Returns people followed by the people whom the viewer follows, those with the most such followers first. Leaves
    /// out people whom the viewer follows, has asked to follow, mutes or has dismissed, and those who don't want to be
    /// suggested.
    func suggestions(for viewer: Account.ID, limit: Int) throws -> [Account] {
        let friends = try newestFollows(of: viewer, limit: Self.asked)
        var counts: [Account.ID: Int] = [:]
        for friend in friends {
            for candidate in try newestFollows(of: friend, limit: Self.looked) where candidate != viewer {
                counts[candidate, default: 0] += 1
            }
        }
        let best = counts.sorted { ($0.value, $0.key.rawValue) > ($1.value, $1.key.rawValue) }.map(\.key)
        var found: [Account] = []
        for candidate in best where found.count < limit {
            guard let account = try account(candidate, for: viewer) else { continue }
            found.append(account)
        }
        return found
    }

    private func newestFollows(of account: Account.ID, limit: Int) throws -> [Account.ID] {
        // follows_by_follower
        try transaction.values(
            """
            SELECT followee_id FROM follows WHERE follower_id = $1 AND is_accepted = 1 ORDER BY id DESC LIMIT $2
            """, account, limit)
    }

    private func account(_ id: Account.ID, for viewer: Account.ID) throws -> Account? {
        try transaction.row(
            """
            SELECT \(AccountRow.columns) FROM \(AccountRow.table) a WHERE a.id = $2 AND \(AccountRow.isVisible)
                AND a.is_discoverable = 1 AND \(MuteRow.hasNone(of: "a.id"))
                AND NOT EXISTS (SELECT 1 FROM follows f WHERE f.follower_id = $1 AND f.followee_id = $2)
                AND NOT EXISTS (SELECT 1 FROM dismissed_suggestions d
                    WHERE d.account_id = $1 AND d.dismissed_id = $2)
            """, viewer, id
        ) { try AccountRow.account(from: $0) }
    }

    /// Remembers that someone doesn't want to see a suggestion again, and deletes the oldest beyond ``capacity``.
    func dismiss(_ dismissed: Account.ID, by account: Account.ID) throws {
        try transaction.execute(
            """
            INSERT INTO dismissed_suggestions (account_id, dismissed_id, id) VALUES ($1, $2, $3)
            ON CONFLICT (account_id, dismissed_id) DO NOTHING
            """, account, dismissed, transaction.newID())
        // dismissed_suggestions_by_account
        try transaction.execute(
            """
            DELETE FROM dismissed_suggestions WHERE account_id = $1 AND id <= (
                SELECT d.id FROM dismissed_suggestions d WHERE d.account_id = $1 ORDER BY d.id DESC
                LIMIT 1 OFFSET \(Self.capacity))
            """, account)
    }
}
