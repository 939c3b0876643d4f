import Core
import Storage

/// A notification that was just added, or one that has news: a further message of a chat that is already noted.
package struct NotificationNote: Sendable {
    /// The person who is notified.
    package let account: Account.ID
    /// The person who acted; the same person for something that they asked for.
    package let actor: Account.ID
    package let kind: Notification.Kind
    /// The id by which notifications are shown together.
    package let group: Int64
    /// The place among the account's notifications: the id of a new notification, or a later one for news.
    package let place: Int64

    /// The name of all notifications that are shown together, such as `message-123`.
    package var tag: String { "\(kind.name)-\(group)" }
}

/// What a feature does when an account's notifications change, in the transaction of the change.
package struct NotificationListener: Sendable {
    /// Called for every new notification, and for news of one.
    package let noted: @Sendable (NotificationNote, Transaction) throws -> Void
    /// Called when some of an account's notifications may have been read, removed or dismissed.
    package let changed: @Sendable (Account.ID, Transaction) throws -> Void
    /// Called when an account prefers to get other notifications announced than before, or at other times.
    package let preferred: @Sendable (Account.ID, Transaction) throws -> Void

    package init(
        noted: @escaping @Sendable (NotificationNote, Transaction) throws -> Void,
        changed: @escaping @Sendable (Account.ID, Transaction) throws -> Void,
        preferred: @escaping @Sendable (Account.ID, Transaction) throws -> Void
    ) {
        self.noted = noted
        self.changed = changed
        self.preferred = preferred
    }
}
