import Core
import Foundation
import Storage

/// The SQL of notifications and of how far they were read.
struct NotificationStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    /// The most notifications kept for one account, and as many that were put aside. A few more may exist for a moment.
    static let capacity = 2_000

    // MARK: Writing

    /// Inserts a notification, and at times deletes those beyond the capacity.
    ///
    /// - Parameters:
    ///   - subject: the id of the subject; 0 for none.
    ///   - once: whether to insert nothing if there is one about the subject already.
    ///   - isPutAside: whether it waits among the requests.
    /// - Returns: the notification's id; nil when nothing was inserted.
    func insert(
        _ kind: Notification.Kind, to account: Account.ID, from actor: Account.ID, about subject: Int64,
        group: Int64?, once: Bool, isPutAside: Bool
    ) throws -> Notification.ID? {
        let id = transaction.newID()
        let isNew =
            try transaction.execute(
                """
                INSERT INTO notifications (id, account_id, kind, actor_id, subject_id, group_id, is_put_aside)
                SELECT $1, $2, $3, $4, $5, $6, $8 WHERE $7 = 0 OR NOT EXISTS (SELECT 1 FROM notifications n
                    WHERE n.subject_id = $5 AND n.account_id = $2 AND n.kind = $3)
                """, id, account, kind.name, actor, subject, group ?? id, once, isPutAside) > 0
        guard isNew else { return nil }
        // The bits above node and sequence are milliseconds: about one insert in 32 does this work for all.
        if id >> 22 & 31 == 0 {
            try transaction.execute(
                """
                DELETE FROM notifications WHERE account_id = $1 AND is_put_aside = $2
                    AND id <= (SELECT n.id FROM notifications n WHERE n.account_id = $1 AND n.is_put_aside = $2
                        ORDER BY n.id DESC LIMIT 1 OFFSET \(Self.capacity))
                """, account, isPutAside)
        }
        return ID(rawValue: id)
    }

    /// Deletes the notification of something that was undone, such as a like. Returns whether there was one.
    func delete(
        _ kind: Notification.Kind, to account: Account.ID, from actor: Account.ID, about subject: Int64
    ) throws -> Bool {
        try transaction.execute(
            """
            DELETE FROM notifications
            WHERE actor_id = $1 AND account_id = $2 AND kind = $3 AND ($4 = 0 OR subject_id = $4)
            """, actor, account, kind.name, subject) > 0
    }

    /// Deletes the notifications about a subject: to one account, or to all when it is nil. What devices announce of them
    /// is taken back after the commit (``JobKind/checkNotifications``). Returns whether there were any.
    func deleteAll(about subject: Int64, to account: Account.ID?) throws -> Bool {
        // notifications_by_subject
        let accounts = try transaction.values(
            """
            DELETE FROM notifications WHERE subject_id = $1 AND subject_id <> 0 AND ($2 = 0 OR account_id = $2)
            RETURNING account_id
            """, subject, account?.rawValue ?? 0, as: Int64.self)
        try scheduleCheck(of: accounts)
        return !accounts.isEmpty
    }

    /// Deletes some of the notifications that an account caused, and has devices checked as above. Returns whether none is
    /// left.
    func deleteSome(causedBy actor: Account.ID) throws -> Bool {
        // notifications_by_actor
        let accounts = try transaction.values(
            """
            DELETE FROM notifications WHERE id IN (SELECT id FROM notifications WHERE actor_id = $1 LIMIT $2)
            RETURNING account_id
            """, actor, Self.checkedAtOnce, as: Int64.self)
        try scheduleCheck(of: accounts)
        return accounts.count < Self.checkedAtOnce
    }

    private func scheduleCheck(of accounts: [Int64]) throws {
        var rest = Set(accounts).sorted()[...]
        while !rest.isEmpty {
            let payload = rest.prefix(Self.checkedAtOnce).map(String.init).joined(separator: " ")
            try transaction.schedule(.checkNotifications, payload: payload)
            rest = rest.dropFirst(Self.checkedAtOnce)
        }
    }

    /// The most accounts of one job.
    static let checkedAtOnce = 100

    func deleteAll(_ kind: Notification.Kind, to account: Account.ID) throws {
        try transaction.execute(
            "DELETE FROM notifications WHERE account_id = $1 AND kind = $2", account, kind.name)
    }

    /// Deletes the notifications of what two people did to each other.
    func deleteAll(between one: Account.ID, and other: Account.ID) throws {
        for (actor, account) in [(one, other), (other, one)] {
            try transaction.execute(
                "DELETE FROM notifications WHERE actor_id = $1 AND account_id = $2", actor, account)
        }
    }

    /// Deletes a notification. Returns whether there was one.
    func delete(_ id: Notification.ID, of account: Account.ID) throws -> Bool {
        try transaction.execute("DELETE FROM notifications WHERE id = $1 AND account_id = $2", id, account)
            > 0
    }

    func deleteAll(of account: Account.ID) throws {
        try transaction.execute("DELETE FROM notifications WHERE account_id = $1", account)
    }

    // MARK: Reading

    /// Returns the accounts after one, or the first, by id, that have notifications which another account caused: at most
    /// ``checkedAtOnce``.
    func accounts(notifiedBy actor: Account.ID, after account: Account.ID?) throws -> [Account.ID] {
        // notifications_by_actor
        try transaction.values(
            """
            SELECT DISTINCT account_id FROM notifications WHERE actor_id = $1 AND account_id > $2
            ORDER BY account_id LIMIT $3
            """, actor, account?.rawValue ?? 0, Self.checkedAtOnce, as: Account.ID.self)
    }

    func has(_ kind: Notification.Kind, to account: Account.ID, from actor: Account.ID) throws -> Bool {
        try transaction.row(
            "SELECT 1 FROM notifications WHERE actor_id = $1 AND account_id = $2 AND kind = $3 LIMIT 1",
            actor,
            account, kind.name
        ) { _ in true } ?? false
    }

    func has(_ kind: Notification.Kind, to account: Account.ID, about subject: Int64) throws -> Bool {
        // notifications_by_subject
        try transaction.row(
            """
            SELECT 1 FROM notifications
            WHERE subject_id = $1 AND subject_id <> 0 AND account_id = $2 AND kind = $3 LIMIT 1
            """, subject, account, kind.name
        ) { _ in true } ?? false
    }

    /// A notification without its actor and subject, which are looked up as the reader may see them.
    struct Entry {
        var id: Notification.ID
        var kind: Notification.Kind
        var actor: Account.ID
        /// The id of the subject; 0 for none.
        var subject: Int64
        var group: Int64
    }

    private static let columns = "n.id, n.kind, n.actor_id, n.subject_id, n.group_id"

    private static func entry(from row: Row) throws -> Entry {
        Entry(
            id: ID(rawValue: try row.int64("id")), kind: .init(try row.string("kind")),
            actor: ID(rawValue: try row.int64("actor_id")), subject: try row.int64("subject_id"),
            group: try row.int64("group_id"))
    }

    func entry(_ id: Notification.ID, of account: Account.ID) throws -> Entry? {
        try entries([id.rawValue], of: account).first
    }

    /// The notifications of a list.
    struct Wanted {
        var kinds: [Notification.Kind]
        /// The person who acted; nil for everyone.
        var actor: Account.ID?
        var which = Which.heard

        /// Which of them: those that are shown, those that were put aside, or both.
        enum Which {
            case heard, putAside, all
        }
    }

    /// Returns one page, newest first.
    func entries(
        of account: Account.ID, _ wanted: Wanted, page: PageRequest
    ) throws -> [Entry] {
        var arguments: [(any SQLConvertible)?] = [account]
        var conditions =
            switch wanted.which {
            case .heard: " AND n.is_put_aside = 0"
            case .putAside: " AND n.is_put_aside = 1"
            case .all: ""
            }
        let places = wanted.kinds.map { kind in
            arguments.append(kind.name)
            return "$\(arguments.count)"
        }
        conditions += " AND n.kind IN (\(places.joined(separator: ", ")))"
        if let actor = wanted.actor {
            arguments.append(actor)
            conditions += " AND n.actor_id = $\(arguments.count)"
        }
        return try page.rows(
            idColumn: "n.id",
            "SELECT \(Self.columns) FROM notifications n WHERE n.account_id = $1\(conditions)",
            arguments: arguments, transaction
        ) { try Self.entry(from: $0) }
    }

    /// Notifications that are shown together.
    struct Group {
        var newest: Int64
        var kind: String
        var id: Int64
        var count: Int
        var peopleCount: Int
    }

    /// Returns one page of groups, the one with the newest notification first. Leaves out people whom the account may
    /// not see.
    ///
    /// - Parameters:
    ///   - visible: the condition that the account, `$1`, may see the subject of the row `n`.
    ///   - heard: the condition that the row is among the notifications that are asked for.
    func groups(
        of account: Account.ID, visible: String, heard: String, olderThan: Int64?, limit: Int
    ) throws -> [Group] {
        // Reads all rows of the account, whose number the capacity limits.
        try transaction.rows(
            """
            SELECT g.newest, g.kind, g.group_id, g.actions, g.people FROM (
                SELECT max(n.id) AS newest, n.kind, n.group_id, count(*) AS actions,
                    count(DISTINCT n.actor_id) AS people
                FROM notifications n JOIN \(AccountRow.table) a ON a.id = n.actor_id
                WHERE n.account_id = $1 AND \(AccountRow.isVisible) AND \(heard)
                GROUP BY n.kind, n.group_id HAVING max(n.id) < $2
            ) g JOIN notifications n ON n.id = g.newest
            WHERE \(visible) ORDER BY g.newest DESC LIMIT $3
            """, account, olderThan ?? Int64.max, limit
        ) {
            Group(
                newest: try $0.int64("newest"), kind: try $0.string("kind"), id: try $0.int64("group_id"),
                count: try $0.int("actions"), peopleCount: try $0.int("people"))
        }
    }

    /// Returns the group of some notifications; nil when the account may see none of them.
    func group(
        _ kind: Notification.Kind, _ id: Int64, of account: Account.ID, visible: String, heard: String
    ) throws -> Group? {
        // notifications_by_group
        let group = try transaction.row(
            """
            SELECT COALESCE(max(n.id), 0) AS newest, count(*) AS deeds, count(DISTINCT n.actor_id) AS people
            FROM notifications n JOIN \(AccountRow.table) a ON a.id = n.actor_id
            WHERE n.account_id = $1 AND n.kind = $2 AND n.group_id = $3 AND \(AccountRow.isVisible) AND \(heard)
                AND \(visible)
            """, account, kind.name, id
        ) {
            Group(
                newest: try $0.int64("newest"), kind: kind.name, id: id, count: try $0.int("deeds"),
                peopleCount: try $0.int("people"))
        }
        return group.flatMap { $0.count > 0 ? $0 : nil }
    }

    /// Returns whether the account may see notifications that are shown together and newer than one.
    ///
    /// - Parameter visible: the condition that the account, `$1`, may see the subject and gets notifications of the actor
    ///   of the row `n`.
    func has(
        _ kind: Notification.Kind, _ group: Int64, of account: Account.ID, visible: String, after place: Int64
    ) throws -> Bool {
        // notifications_by_group
        try transaction.row(
            """
            SELECT 1 FROM notifications n JOIN \(AccountRow.table) a ON a.id = n.actor_id
            WHERE n.account_id = $1 AND n.kind = $2 AND n.group_id = $3 AND n.id > $4
                AND \(AccountRow.isVisible) AND \(visible) LIMIT 1
            """, account, kind.name, group, place
        ) { _ in true } ?? false
    }

    /// Returns the newest notifications of some groups by their ids, each with the last person except its own who acted in
    /// the group, among those whom the account may see.
    func newest(
        of groups: [Group], for account: Account.ID, heard: String
    ) throws -> [Int64: (entry: Entry, second: Account.ID?)] {
        // notifications_by_group, from its end as far as the first other person.
        let found = try transaction.rows(for: groups.map(\.newest), after: [account]) { places in
            """
            SELECT g.id, g.kind, g.actor_id, g.subject_id, g.group_id,
                (SELECT n.actor_id FROM notifications n JOIN \(AccountRow.table) a ON a.id = n.actor_id
                    WHERE n.account_id = $1 AND n.kind = g.kind AND n.group_id = g.group_id
                        AND n.actor_id <> g.actor_id AND \(AccountRow.isVisible) AND \(heard)
                    ORDER BY n.id DESC LIMIT 1) AS second_id
            FROM notifications g WHERE g.id IN (\(places)) AND g.account_id = $1
            """
        } map: {
            (
                entry: try Self.entry(from: $0),
                second: try $0.optionalInt64("second_id").map { Account.ID(rawValue: $0) }
            )
        }
        return Dictionary(uniqueKeysWithValues: found.map { ($0.entry.id.rawValue, $0) })
    }

    /// Returns some notifications of an account by their ids, as far as they exist, in no particular order.
    func entries(_ ids: [Int64], of account: Account.ID) throws -> [Entry] {
        try transaction.rows(for: ids, after: [account]) { places in
            "SELECT \(Self.columns) FROM notifications n WHERE n.id IN (\(places)) AND n.account_id = $1"
        } map: {
            try Self.entry(from: $0)
        }
    }

    /// Returns how many groups contain something that the account may see and that is newer than what it has read.
    /// Counting stops at 100.
    func unreadCount(of account: Account.ID, visible: String) throws -> Int {
        let lastRead = try MarkerStore(transaction).marker(.notifications, of: account)?.lastRead ?? 0
        // notifications_by_account after what was read, which the limit keeps the planner to; then
        // notifications_by_group as far as the first visible row.
        return try transaction.value(
            """
            SELECT count(*) FROM (SELECT 1 FROM (SELECT DISTINCT u.kind, u.group_id FROM
                    (SELECT kind, group_id FROM notifications WHERE account_id = $1 AND id > $2 AND is_put_aside = 0
                        ORDER BY id DESC LIMIT \(2 * Self.capacity)) AS u) AS g
                WHERE EXISTS (SELECT 1 FROM notifications n JOIN \(AccountRow.table) a ON a.id = n.actor_id
                    WHERE n.account_id = $1 AND n.kind = g.kind AND n.group_id = g.group_id AND n.id > $2
                        AND \(AccountRow.isVisible) AND \(visible)) LIMIT 100) AS unread
            """, account, lastRead) ?? 0
    }
}
