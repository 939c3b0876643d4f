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
    /// The number of the job that sends the message; older jobs do nothing.
    let turn: Int
    /// When that job is due.
    let dueAt: Date

    /// The payload of the job.
    var payload: String { "\(subscription) \(turn) \(tag)" }

    /// Creates the newest version of a message, which no job sends yet.
    init(
        to subscription: PushSubscription, _ kind: Notification.Kind, group: Int64, tag: String, place: Int64,
        at moment: Date
    ) {
        self.init(
            subscription: subscription.id, tag: tag, account: subscription.account, kind: kind, group: group,
            place: place, notedAt: moment, state: .waiting, isShown: false, attempts: 0, turn: 0,
            dueAt: moment)
    }

    fileprivate init(
        subscription: PushSubscription.ID, tag: String, account: Account.ID, kind: Notification.Kind,
        group: Int64, place: Int64, notedAt: Date, state: State, isShown: Bool, attempts: Int, turn: Int,
        dueAt: Date
    ) {
        self.subscription = subscription
        self.tag = tag
        self.account = account
        self.kind = kind
        self.group = group
        self.place = place
        self.notedAt = notedAt
        self.state = state
        self.isShown = isShown
        self.attempts = attempts
        self.turn = turn
        self.dueAt = dueAt
    }

    /// The seconds after which an announcement is stale, and isn't sent any more: a day.
    static let lifetime: TimeInterval = 86_400
    /// The most messages of one subscription; the oldest go.
    static let mostPerSubscription = 100
    /// The kind of the announcement that a person sends to their own device to try it.
    static let test = Notification.Kind("push_test")
    /// Its tag, by which a page in sight shows it, too.
    static let testTag = "push_test"
}

/// The SQL of announcements.
struct PushMessageStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    private static let columns = """
        subscription_id, tag, account_id, kind, group_id, place, noted_at, state, is_shown, attempts, turn, due_at
        """

    private static func message(from row: Row) throws -> PushMessage {
        PushMessage(
            subscription: ID(rawValue: try row.int64("subscription_id")), tag: try row.string("tag"),
            account: ID(rawValue: try row.int64("account_id")),
            kind: Notification.Kind(try row.string("kind")), group: try row.int64("group_id"),
            place: try row.int64("place"), notedAt: try row.date("noted_at"),
            state: PushMessage.State(rawValue: try row.string("state")) ?? .shown,
            isShown: try row.bool("is_shown"), attempts: try row.int("attempts"),
            turn: try row.int("turn"), dueAt: try row.date("due_at"))
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
                attempts, turn, due_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, 0, 0, $7)
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
    /// - Parameter isShown: whether the device has just shown it, so that no attempt to send it has failed since.
    func set(_ state: PushMessage.State, of message: PushMessage, isShown: Bool = false) throws {
        try transaction.execute(
            """
            UPDATE push_messages SET state = $3, is_shown = CASE WHEN $4 = 1 THEN 1 ELSE is_shown END,
                attempts = CASE WHEN $4 = 1 THEN 0 ELSE attempts END
            WHERE subscription_id = $1 AND tag = $2
            """, message.subscription, message.tag, state.rawValue, isShown)
    }

    /// Begins a new turn, whose job is due at a moment. Returns the message as it is then; nil when it is gone.
    func beginTurn(of message: PushMessage, at date: Date) throws -> PushMessage? {
        try transaction.row(
            """
            UPDATE push_messages SET turn = turn + 1, due_at = $3 WHERE subscription_id = $1 AND tag = $2
            RETURNING \(Self.columns)
            """, message.subscription, message.tag, date
        ) { try Self.message(from: $0) }
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
