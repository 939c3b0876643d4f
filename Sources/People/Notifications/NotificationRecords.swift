import Core
import Serving
import Storage

/// The notifications inside a transaction: finding and removing them.
/// ``NotificationService/note(_:to:from:about:group:once:_:)`` adds them.
package struct NotificationRecords {
    let transaction: Transaction

    package init(_ transaction: Transaction) { self.transaction = transaction }

    /// Removes a notification.
    ///
    /// - Returns: whether there was one. Send the new count with ``NotificationService/sendCount(to:_:)``.
    @discardableResult
    package func remove(
        _ kind: Notification.Kind, to account: Account.ID, from actor: Account.ID, about subject: Int64 = 0
    ) throws -> Bool {
        try NotificationStore(transaction).delete(kind, to: account, from: actor, about: subject)
    }

    /// Returns whether an account already has such a notification.
    package func isNoted(
        _ kind: Notification.Kind, to account: Account.ID, from actor: Account.ID
    ) throws -> Bool {
        try NotificationStore(transaction).has(kind, to: account, from: actor)
    }

    /// Removes the notifications about a subject for one account or for all.
    package func remove(about subject: Int64, to account: Account.ID? = nil) throws {
        _ = try NotificationStore(transaction).deleteAll(about: subject, to: account)
    }

    /// Removes all notifications about a subject that an account has. Returns whether there was one.
    package func removeAll(about subject: Int64, to account: Account.ID) throws -> Bool {
        try NotificationStore(transaction).deleteAll(about: subject, to: account)
    }

    /// Returns whether an account has a notification of a kind about a subject.
    package func isNoted(
        _ kind: Notification.Kind, to account: Account.ID, about subject: Int64
    ) throws -> Bool {
        try NotificationStore(transaction).has(kind, to: account, about: subject)
    }

    /// Removes all notifications of a kind that an account has.
    package func removeAll(_ kind: Notification.Kind, to account: Account.ID) throws {
        try NotificationStore(transaction).deleteAll(kind, to: account)
    }

    /// Removes the notifications that two people caused for each other, because one blocks the other.
    func forget(between one: Account.ID, and other: Account.ID) throws {
        try NotificationStore(transaction).deleteAll(between: one, and: other)
    }
}
