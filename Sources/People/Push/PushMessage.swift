import Core
import Foundation
import Storage

/// What a device announces, or will: the notifications of an account that are shown together.
struct PushMessage: Sendable {
    enum State: String, Sendable {
        /// To be sent.
        case waiting
        /// Sent in its newest version.
        case shown
        /// To be removed from the device.
        case closing

        /// Whether a job is under way that sends the message.
        var hasJob: Bool { self != .shown }
    }

    let subscription: PushSubscription.ID
    let tag: String
    let account: Account.ID
    let kind: Notification.Kind
    let group: Int64
    /// The place of the newest notification (``NotificationNote/place``).
    let place: Int64
    /// When the newest notification happened.
    let notedAt: Date
    let state: State
    /// Whether the device shows the message, maybe in an older version.
    let isShown: Bool
    /// The number of failed attempts to send.
    let attempts: Int

    /// The seconds after which an announcement is stale, and isn't sent any more: a day.
    static let lifetime: TimeInterval = 86_400
    /// The most messages of one subscription; the oldest go.
    static let mostPerSubscription = 100
    /// The kind of the announcement that a person sends to their own device to try it.
    static let test = Notification.Kind("push_test")
}

/// The SQL of announcements.
struct PushMessageStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    private static let columns =
        "subscription_id, tag, account_id, kind, group_id, place, noted_at, state, is_shown, attempts"

    private static func message(from row: Row) throws -> PushMessage {
        PushMessage(
            subscription: ID(rawValue: try row.int64("subscription_id")), tag: try row.string("tag"),
            account: ID(rawValue: try row.int64("account_id")),
            kind: Notification.Kind(try row.string("kind")), group: try row.int64("group_id"),
            place: try row.int64("place"), notedAt: try row.date("noted_at"),
            state: PushMessage.State(rawValue: try row.string("state")) ?? .shown,
            isShown: try row.bool("is_shown"), attempts: try row.int("attempts"))
    }

    func message(_ subscription: PushSubscription.ID, _ tag: String) throws -> PushMessage? {
        try transaction.row(
            "SELECT \(Self.columns) FROM push_messages WHERE subscription_id = $1 AND tag = $2", subscription,
            tag
        ) { try Self.message(from: $0) }
    }

    /// Returns the messages of all devices of an account.
    func messages(of account: Account.ID) throws -> [PushMessage] {
        try transaction.rows("SELECT \(Self.columns) FROM push_messages WHERE account_id = $1", account) {
            try Self.message(from: $0)
        }
    }

    /// Puts a message into the queue in place of an earlier one with the tag, and deletes those beyond
    /// ``PushMessage/mostPerSubscription``.
    func put(_ message: PushMessage) throws {
        try transaction.execute(
            """
            INSERT INTO push_messages (subscription_id, tag, account_id, kind, group_id, place, noted_at, state, is_shown,
                attempts)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, 0)
            ON CONFLICT (subscription_id, tag) DO UPDATE
                SET place = $6, noted_at = $7, state = $8, attempts = 0
            """, message.subscription, message.tag, message.account, message.kind.name, message.group,
            message.place, message.notedAt, message.state.rawValue)
        // push_messages_by_place
        try transaction.execute(
            """
            DELETE FROM push_messages WHERE subscription_id = $1 AND place <= (SELECT place FROM push_messages
                WHERE subscription_id = $1 ORDER BY place DESC LIMIT 1 OFFSET \(PushMessage.mostPerSubscription))
            """, message.subscription)
    }

    /// Sets the state of a message.
    ///
    /// - Parameter isShown: whether the device has just shown it.
    func set(_ state: PushMessage.State, of message: PushMessage, isShown: Bool = false) throws {
        try transaction.execute(
            """
            UPDATE push_messages SET state = $3, is_shown = CASE WHEN $4 = 1 THEN 1 ELSE is_shown END, attempts = 0
            WHERE subscription_id = $1 AND tag = $2
            """, message.subscription, message.tag, state.rawValue, isShown)
    }

    func countAttempt(of message: PushMessage) throws {
        try transaction.execute(
            "UPDATE push_messages SET attempts = attempts + 1 WHERE subscription_id = $1 AND tag = $2",
            message.subscription, message.tag)
    }

    func delete(_ message: PushMessage) throws {
        try transaction.execute(
            "DELETE FROM push_messages WHERE subscription_id = $1 AND tag = $2", message.subscription,
            message.tag)
    }

    /// Deletes every message, for the copy in a backup.
    func deleteAll() throws { try transaction.execute("DELETE FROM push_messages") }
}
