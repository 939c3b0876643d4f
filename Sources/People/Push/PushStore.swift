import Core
import Foundation
import Serving
import Storage

/// The SQL of subscriptions.
struct PushStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    private static let columns = """
        id, session_id, account_id, endpoint, host, p256dh, auth, is_standard, sealed_token, alerts, policy, worked_at,
        failing_since, paused_until
        """

    /// Returns a subscription; nil also for one whose row can't be read.
    private static func subscription(from row: Row) throws -> PushSubscription? {
        guard let receiver = PushReceiver(p256dh: try row.string("p256dh"), auth: try row.string("auth"))
        else { return nil }
        return PushSubscription(
            id: ID(rawValue: try row.int64("id")), session: ID(rawValue: try row.int64("session_id")),
            account: ID(rawValue: try row.int64("account_id")), endpoint: try row.string("endpoint"),
            host: try row.string("host"), receiver: receiver,
            coding: try row.bool("is_standard") ? .aes128gcm : .aesgcm,
            form: try row.optionalString("sealed_token").map { .app(SealedText(base64: $0)) } ?? .browser,
            choice: PushChoice(
                alerts: Set(try row.string("alerts").split(separator: " ").map(String.init)),
                policy: PushSubscription.Policy(rawValue: try row.string("policy")) ?? .none),
            workedAt: try row.optionalDate("worked_at"), failingSince: try row.optionalDate("failing_since"),
            pausedUntil: try row.optionalDate("paused_until"))
    }

    private static func text(_ alerts: Set<String>) -> String { alerts.sorted().joined(separator: " ") }

    // MARK: Reading

    func subscription(_ id: PushSubscription.ID) throws -> PushSubscription? {
        try transaction.row("SELECT \(Self.columns) FROM push_subscriptions WHERE id = $1", id) {
            try Self.subscription(from: $0)
        } ?? nil
    }

    func subscription(of session: Session.ID) throws -> PushSubscription? {
        try transaction.row(
            "SELECT \(Self.columns) FROM push_subscriptions WHERE session_id = $1", session
        ) { try Self.subscription(from: $0) } ?? nil
    }

    /// Returns the subscription of a log-in.
    ///
    /// - Throws: ``Refusal``: 410 when its device was removed, 404 when there is none for another reason.
    func own(of session: Session) throws -> PushSubscription {
        if let found = try subscription(of: session.id) { return found }
        let isRemoved = try transaction.row(
            "SELECT 1 FROM removed_push_devices WHERE session_id = $1", session.id
        ) { _ in true }
        throw isRemoved == true
            ? Refusal(.gone, "Notifications of this device were turned off in Settings.") : .notFound
    }

    /// Returns whether the log-in of a subscription goes on, and wasn't unused for too long.
    func isLoggedIn(_ subscription: PushSubscription) throws -> Bool {
        try SessionRecords(transaction).account(of: subscription.session) != nil
    }

    /// Returns an account's subscriptions, at most ``PushSubscription/mostPerAccount``.
    func subscriptions(of account: Account.ID) throws -> [PushSubscription] {
        try transaction.rows(
            "SELECT \(Self.columns) FROM push_subscriptions WHERE account_id = $1 ORDER BY id", account
        ) { try Self.subscription(from: $0) }.compactMap { $0 }
    }

    // MARK: Writing

    /// Inserts a subscription, or updates the one with its id. Deletes any other with its log-in or its endpoint, and
    /// those beyond ``PushSubscription/mostPerAccount``.
    func put(_ subscription: PushSubscription) throws {
        try transaction.execute(
            "DELETE FROM push_subscriptions WHERE (session_id = $1 OR endpoint = $2) AND id <> $3",
            subscription.session, subscription.endpoint, subscription.id)
        try transaction.execute(
            "DELETE FROM removed_push_devices WHERE session_id = $1", subscription.session)
        var sealed: SealedText?
        if case .app(let token) = subscription.form { sealed = token }
        try transaction.execute(
            """
            INSERT INTO push_subscriptions (id, session_id, account_id, endpoint, host, p256dh, auth, is_standard,
                sealed_token, alerts, policy, created_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
            ON CONFLICT (id) DO UPDATE SET endpoint = $4, host = $5, p256dh = $6, auth = $7, is_standard = $8,
                sealed_token = $9, alerts = $10, policy = $11,
                failing_since = CASE WHEN push_subscriptions.endpoint = $4
                    THEN push_subscriptions.failing_since END,
                paused_until = CASE WHEN push_subscriptions.endpoint = $4 THEN push_subscriptions.paused_until END
            """, subscription.id, subscription.session, subscription.account, subscription.endpoint,
            subscription.host, subscription.receiver.p256dh, subscription.receiver.auth,
            subscription.coding == .aes128gcm, sealed?.base64, Self.text(subscription.choice.alerts),
            subscription.choice.policy.rawValue, transaction.now)
        try transaction.execute(
            """
            DELETE FROM push_subscriptions WHERE account_id = $1 AND id NOT IN (SELECT id FROM push_subscriptions
                WHERE account_id = $1 ORDER BY COALESCE(worked_at, created_at) DESC, id DESC LIMIT $2)
            """, subscription.account, PushSubscription.mostPerAccount)
    }

    func set(_ choice: PushChoice, of id: PushSubscription.ID) throws {
        try transaction.execute(
            "UPDATE push_subscriptions SET alerts = $2, policy = $3 WHERE id = $1", id,
            Self.text(choice.alerts), choice.policy.rawValue)
    }

    func setWorked(_ id: PushSubscription.ID) throws {
        try transaction.execute(
            "UPDATE push_subscriptions SET worked_at = $2, failing_since = NULL WHERE id = $1", id,
            transaction.now)
    }

    func setFailing(_ id: PushSubscription.ID) throws {
        try transaction.execute(
            "UPDATE push_subscriptions SET failing_since = $2 WHERE id = $1 AND failing_since IS NULL", id,
            transaction.now)
    }

    /// Notes that a push service wants nothing for a device before a moment.
    func setPaused(_ id: PushSubscription.ID, until end: Date) throws {
        try transaction.execute("UPDATE push_subscriptions SET paused_until = $2 WHERE id = $1", id, end)
    }

    func delete(_ id: PushSubscription.ID) throws {
        try transaction.execute("DELETE FROM push_subscriptions WHERE id = $1", id)
    }

    /// Deletes a subscription, and remembers that its device doesn't subscribe again by itself.
    func remove(_ subscription: PushSubscription) throws {
        try delete(subscription.id)
        try transaction.execute(
            "INSERT INTO removed_push_devices (session_id) VALUES ($1)", subscription.session)
    }

    func delete(of session: Session.ID) throws {
        try transaction.execute("DELETE FROM push_subscriptions WHERE session_id = $1", session)
    }

    /// Deletes every subscription. Returns how many there were.
    func deleteAll() throws -> Int {
        try transaction.execute("DELETE FROM push_subscriptions WHERE 1 = 1")
    }
}
