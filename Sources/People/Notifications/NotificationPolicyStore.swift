import Core
import Foundation
import Storage

/// The SQL of notification policies, and of what they have put aside.
struct NotificationPolicyStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    // MARK: Policies

    /// Returns the policy of an account; the default one if the account has never changed it.
    func policy(of account: Account.ID) throws -> NotificationPolicy {
        try transaction.row(
            "SELECT not_following, not_followers, new_accounts FROM notification_policies WHERE account_id = $1",
            account
        ) { row in
            func treatment(_ column: String) throws -> NotificationPolicy.Treatment {
                .init(rawValue: try row.string(column)) ?? .accept
            }
            return NotificationPolicy(
                notFollowing: try treatment("not_following"), notFollowers: try treatment("not_followers"),
                newAccounts: try treatment("new_accounts"))
        } ?? NotificationPolicy()
    }

    /// Changes the policy of an account.
    func apply(_ change: NotificationPolicyChange, to account: Account.ID) throws {
        let policy = change.applied(to: try policy(of: account))
        try transaction.execute(
            """
            INSERT INTO notification_policies (account_id, not_following, not_followers, new_accounts)
            VALUES ($1, $2, $3, $4)
            ON CONFLICT (account_id) DO UPDATE SET not_following = $2, not_followers = $3, new_accounts = $4
            """, account, policy.notFollowing.rawValue, policy.notFollowers.rawValue,
            policy.newAccounts.rawValue)
    }

    // MARK: Accepted people

    func accepts(_ account: Account.ID, _ actor: Account.ID) throws -> Bool {
        try transaction.row(
            "SELECT 1 FROM accepted_notifiers WHERE account_id = $1 AND actor_id = $2", account, actor
        ) { _ in true } ?? false
    }

    /// Accepts all notifications of a person, also those that were put aside.
    func accept(_ actor: Account.ID, by account: Account.ID) throws {
        try transaction.execute(
            "INSERT INTO accepted_notifiers (account_id, actor_id) VALUES ($1, $2) ON CONFLICT DO NOTHING",
            account, actor)
        try transaction.execute(
            """
            UPDATE notifications SET is_put_aside = 0
            WHERE account_id = $1 AND actor_id = $2 AND is_put_aside = 1
            """, account, actor)
    }

    /// Leaves the notifications of two people about each other to their policies again.
    func forget(between one: Account.ID, and other: Account.ID) throws {
        for (account, actor) in [(one, other), (other, one)] {
            try transaction.execute(
                "DELETE FROM accepted_notifiers WHERE account_id = $1 AND actor_id = $2", account, actor)
        }
    }

    /// Deletes the notifications of a person that were put aside.
    func dismiss(_ actor: Account.ID, by account: Account.ID) throws {
        try transaction.execute(
            "DELETE FROM notifications WHERE account_id = $1 AND actor_id = $2 AND is_put_aside = 1", account,
            actor)
    }

    // MARK: What was put aside

    /// What the notifications of a list of requests have in common.
    struct Readable {
        /// The condition that the account, `$1`, may see the row `n`.
        var visible: String
        /// The kinds about posts and comments.
        var statusKinds: [Notification.Kind]
    }

    /// What was put aside for the account `$1`, by person, as the rows `g`.
    private static func putAside(_ readable: Readable, _ condition: String = "1 = 1") -> String {
        // notifications_put_aside; their number is limited by the capacity of an account's notifications. Names of kinds come from
        // the program's source.
        let kinds = readable.statusKinds.map { "'\($0.name)'" }.sorted().joined(separator: ", ")
        return """
            (SELECT n.actor_id, count(*) AS deeds, min(n.id) AS oldest, max(n.id) AS newest,
                max(CASE WHEN n.kind IN (\(kinds)) THEN n.id END) AS with_status
            FROM notifications n JOIN \(AccountRow.table) a ON a.id = n.actor_id
            WHERE n.account_id = $1 AND n.is_put_aside = 1 AND \(condition) AND \(AccountRow.isVisible)
                AND \(readable.visible)
            GROUP BY n.actor_id) g
            """
    }

    private static func requests(_ readable: Readable, _ condition: String = "1 = 1") -> String {
        """
        SELECT \(AccountRow.columns), g.deeds, g.oldest, g.newest, g.with_status
        FROM \(putAside(readable, condition)) JOIN \(AccountRow.table) a ON a.id = g.actor_id
        WHERE 1 = 1
        """
    }

    private static func request(from row: Row) throws -> NotificationRequest {
        NotificationRequest(
            actor: try AccountRow.account(from: row), count: try row.int("deeds"),
            oldest: ID(rawValue: try row.int64("oldest")), newest: ID(rawValue: try row.int64("newest")),
            newestWithStatus: try row.optionalInt64("with_status").map { ID(rawValue: $0) })
    }

    /// What orders a list of requests, and pages it.
    enum Order: String {
        /// The newest notification, for people.
        case newest = "g.newest"
        /// The request's id, which is that of its person, for apps.
        case id = "g.actor_id"
    }

    /// Returns one page.
    func requests(
        of account: Account.ID, by order: Order, _ readable: Readable, page: PageRequest
    ) throws -> [NotificationRequest] {
        try page.rows(
            idColumn: order.rawValue, Self.requests(readable), arguments: [account], transaction,
            map: Self.request)
    }

    /// Returns what was put aside of one person; nil for nothing.
    func request(
        of account: Account.ID, from actor: Account.ID, _ readable: Readable
    ) throws -> NotificationRequest? {
        try transaction.row(
            Self.requests(readable, "n.actor_id = $2"), account, actor, map: Self.request)
    }

    func summary(of account: Account.ID, _ readable: Readable) throws -> NotificationRequestSummary {
        try transaction.row(
            """
            SELECT count(*) AS people, CAST(COALESCE(sum(g.deeds), 0) AS BIGINT) AS deeds
            FROM \(Self.putAside(readable))
            """, account
        ) { NotificationRequestSummary(people: try $0.int("people"), notifications: try $0.int("deeds")) }
            ?? NotificationRequestSummary()
    }
}
