/// The addresses of notifications.
package enum NotificationPaths {
    /// The settings of what is announced, and when.
    package static let settings = "/settings/notifications"
}
