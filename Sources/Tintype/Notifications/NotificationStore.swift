import Foundation
import Storage

/// The SQL of notifications and of how far they were read.
struct NotificationStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    /// The most notifications kept for one account. A few more may be there for a moment.
    static let capacity = 2_000

    // MARK: Writing

    /// Notes something new, unless it is a snap that they were told of, and now and then drops what is beyond the
    /// capacity.
    func insert(
        _ kind: Notification.Kind, to account: Account.ID, from actor: Account.ID, post: Post.ID? = nil,
        snap: Snap.ID? = nil, group: Int64? = nil
    ) throws -> Notification.ID {
        let id = transaction.newID()
        try transaction.execute(
            """
            INSERT INTO notifications (id, account_id, kind, actor_id, post_id, snap_id, group_id)
            VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING
            """, id, account, kind.rawValue, actor, post, snap, group ?? id)
        // The bits above node and sequence are milliseconds: about one insert in 32 pays for all.
        if id >> 22 & 31 == 0 {
            try transaction.execute(
                """
                DELETE FROM notifications WHERE account_id = $1 AND id <= (SELECT n.id FROM notifications n
                    WHERE n.account_id = $1 ORDER BY n.id DESC LIMIT 1 OFFSET \(Self.capacity))
                """, account)
        }
        return ID(rawValue: id)
    }

    /// Takes back what somebody did, such as a like; whether it was there.
    func delete(
        _ kind: Notification.Kind, to account: Account.ID, from actor: Account.ID, post: Post.ID? = nil
    ) throws -> Bool {
        try transaction.execute(
            """
            DELETE FROM notifications
            WHERE actor_id = $1 AND account_id = $2 AND kind = $3 AND ($4 = 0 OR post_id = $4)
            """, actor, account, kind.rawValue, post?.rawValue ?? 0) > 0
    }

    /// Forgets what one account was told of a snap, or all were.
    func delete(_ snap: Snap.ID, to account: Account.ID?) throws {
        try transaction.execute(
            "DELETE FROM notifications WHERE snap_id = $1 AND ($2 = 0 OR account_id = $2)", snap,
            account?.rawValue ?? 0)
    }

    func deleteAll(_ kind: Notification.Kind, to account: Account.ID) throws {
        try transaction.execute(
            "DELETE FROM notifications WHERE account_id = $1 AND kind = $2", account, kind.rawValue)
    }

    /// Forgets what two people did to each other.
    func deleteAll(between one: Account.ID, and other: Account.ID) throws {
        for (actor, account) in [(one, other), (other, one)] {
            try transaction.execute(
                "DELETE FROM notifications WHERE actor_id = $1 AND account_id = $2", actor, account)
        }
    }

    /// Whether there was one to dismiss.
    func delete(_ id: Notification.ID, of account: Account.ID) throws -> Bool {
        try transaction.execute("DELETE FROM notifications WHERE id = $1 AND account_id = $2", id, account)
            > 0
    }

    func deleteAll(of account: Account.ID) throws {
        try transaction.execute("DELETE FROM notifications WHERE account_id = $1", account)
    }

    // MARK: Reading

    func has(_ kind: Notification.Kind, to account: Account.ID, from actor: Account.ID) throws -> Bool {
        try transaction.row(
            "SELECT 1 FROM notifications WHERE actor_id = $1 AND account_id = $2 AND kind = $3 LIMIT 1",
            actor,
            account, kind.rawValue
        ) { _ in true } ?? false
    }

    /// A notification without its actor and post, which are looked up with the reader's eyes.
    struct Entry {
        var id: Notification.ID
        var kind: Notification.Kind
        var actor: Account.ID
        var post: Post.ID?
        var snap: Snap.ID?
        var group: Int64
    }

    private static let columns = "n.id, n.kind, n.actor_id, n.post_id, n.snap_id, n.group_id"

    private static func entry(from row: Row) throws -> Entry? {
        guard let kind = Notification.Kind(rawValue: try row.string(1)) else { return nil }
        return Entry(
            id: ID(rawValue: try row.int64(0)), kind: kind, actor: ID(rawValue: try row.int64(2)),
            post: try row.optionalInt64(3).map { ID(rawValue: $0) },
            snap: try row.optionalInt64(4).map { ID(rawValue: $0) }, group: try row.int64(5))
    }

    func entry(_ id: Notification.ID, of account: Account.ID) throws -> Entry? {
        try transaction.row(
            "SELECT \(Self.columns) FROM notifications n WHERE n.id = $1 AND n.account_id = $2", id, account
        ) { try Self.entry(from: $0) } ?? nil
    }

    /// One page, newest first.
    func entries(
        of account: Account.ID, kinds: [Notification.Kind], from actor: Account.ID?, page: PageRequest
    ) throws -> [Entry] {
        var arguments: [(any SQLConvertible)?] = [account]
        var conditions = ""
        let places = kinds.map { kind in
            arguments.append(kind.rawValue)
            return "$\(arguments.count)"
        }
        conditions += " AND n.kind IN (\(places.joined(separator: ", ")))"
        if let actor {
            arguments.append(actor)
            conditions += " AND n.actor_id = $\(arguments.count)"
        }
        return try page.rows(
            transaction, idColumn: "n.id",
            "SELECT \(Self.columns) FROM notifications n WHERE n.account_id = $1\(conditions)",
            arguments: arguments
        ) { try Self.entry(from: $0) }.compactMap { $0 }
    }

    /// Notifications told together.
    struct Group {
        var newest: Int64
        var kind: String
        var id: Int64
        var count: Int
        var peopleCount: Int
    }

    /// Whether the post of the notification `n`, if it has one, may be seen by the account `$1`. Of a comment that is
    /// the post at the top; the comment itself is the actor's or one's own.
    private static let postIsVisible = """
        (n.post_id IS NULL OR EXISTS (SELECT 1 FROM posts c JOIN posts p ON p.id = COALESCE(c.root_id, c.id)
            JOIN accounts a ON a.id = p.author_id WHERE c.id = n.post_id AND \(PostStore.visible)))
        """

    /// One page of groups, the one with the newest notification first: of what people did whom the account may see.
    func groups(of account: Account.ID, olderThan: Int64?, limit: Int) throws -> [Group] {
        // All rows of the account are read, which the capacity bounds.
        try transaction.rows(
            """
            SELECT g.newest, g.kind, g.group_id, g.deeds, g.people FROM (
                SELECT max(n.id) AS newest, n.kind, n.group_id, count(*) AS deeds,
                    count(DISTINCT n.actor_id) AS people
                FROM notifications n JOIN accounts a ON a.id = n.actor_id
                WHERE n.account_id = $1 AND \(AccountStore.isVisible)
                GROUP BY n.kind, n.group_id HAVING max(n.id) < $2
            ) g JOIN notifications n ON n.id = g.newest
            WHERE \(Self.postIsVisible) ORDER BY g.newest DESC LIMIT $3
            """, account, olderThan ?? Int64.max, limit
        ) {
            Group(
                newest: try $0.int64(0), kind: try $0.string(1), id: try $0.int64(2),
                count: try $0.int(3), peopleCount: try $0.int(4))
        }
    }

    /// Who did the newest thing of a group that wasn't done by `first`, of those whom the account may see.
    func second(in group: Group, of account: Account.ID, after first: Account.ID) throws -> Account.ID? {
        try transaction.row(
            """
            SELECT n.actor_id FROM notifications n JOIN accounts a ON a.id = n.actor_id
            WHERE n.account_id = $1 AND n.kind = $2 AND n.group_id = $3 AND n.actor_id <> $4
                AND \(AccountStore.isVisible)
            ORDER BY n.id DESC LIMIT 1
            """, account, group.kind, group.id, first
        ) { ID(rawValue: try $0.int64(0)) }
    }

    /// How many groups hold something that the account may see and that is newer than what it has read; counting
    /// ends at 100.
    func unreadCount(of account: Account.ID) throws -> Int {
        let lastRead = try MarkerStore(transaction).marker(.notifications, of: account)?.lastRead ?? 0
        // notifications_by_account from what was read on, which the limit keeps the planner to; then
        // notifications_by_group as far as the first that may be seen.
        return try transaction.row(
            """
            SELECT count(*) FROM (SELECT 1 FROM (SELECT DISTINCT u.kind, u.group_id FROM
                    (SELECT kind, group_id FROM notifications WHERE account_id = $1 AND id > $2
                        ORDER BY id DESC LIMIT \(2 * Self.capacity)) AS u) AS g
                WHERE EXISTS (SELECT 1 FROM notifications n JOIN accounts a ON a.id = n.actor_id
                    WHERE n.account_id = $1 AND n.kind = g.kind AND n.group_id = g.group_id AND n.id > $2
                        AND \(AccountStore.isVisible) AND \(Self.postIsVisible)) LIMIT 100) AS unread
            """, account, lastRead
        ) { try $0.int(0) } ?? 0
    }
}
