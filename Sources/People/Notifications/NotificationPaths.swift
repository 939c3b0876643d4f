import Core

/// The addresses of notifications.
package enum NotificationPaths {
    /// The settings of what is announced, and when.
    package static let settings = "/settings/notifications"
    /// The people whose notifications are put aside.
    static let requests = "/notifications/requests"

    /// Returns the address of what a person did that was put aside.
    static func request(of person: Account.ID) -> String { "\(requests)/\(person)" }
}
