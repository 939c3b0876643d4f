import Core
import Foundation
import Storage

/// The SQL of the preferences for notifications.
package struct NotificationPreferencesStore {
    let transaction: Transaction

    package init(_ transaction: Transaction) { self.transaction = transaction }

    /// Returns the preferences of an account; the default ones if the account has never changed any.
    package func preferences(of account: Account.ID) throws -> NotificationPreferences {
        try transaction.row(
            """
            SELECT silent_topics, shows_previews, is_quiet, quiet_from, quiet_to, time_zone
            FROM notification_preferences WHERE account_id = $1
            """, account
        ) { row in
            NotificationPreferences(
                silentTopics: Set(try row.string("silent_topics").split(separator: " ").map(String.init)),
                showsPreviews: try row.bool("shows_previews"), quietHours: try Self.quietHours(from: row))
        } ?? NotificationPreferences()
    }

    /// Returns the quiet hours of a row. A time zone that this server no longer knows is read as UTC, which the person
    /// sees in Settings.
    private static func quietHours(from row: Row) throws -> QuietHours? {
        guard !row.isNull("quiet_from"),
            let start = ClockTime(minutes: try row.int("quiet_from")),
            let end = ClockTime(minutes: try row.int("quiet_to"))
        else { return nil }
        var hours = QuietHours(
            from: start, to: end, in: TimeZone(identifier: try row.string("time_zone")) ?? .gmt)
        hours?.isOn = try row.bool("is_quiet")
        return hours
    }

    func set(_ preferences: NotificationPreferences, of account: Account.ID) throws {
        let hours = preferences.quietHours
        try transaction.execute(
            """
            INSERT INTO notification_preferences
                (account_id, silent_topics, shows_previews, is_quiet, quiet_from, quiet_to, time_zone)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (account_id) DO UPDATE SET silent_topics = $2, shows_previews = $3, is_quiet = $4,
                quiet_from = $5, quiet_to = $6, time_zone = $7
            """, account, preferences.silentTopics.sorted().joined(separator: " "),
            preferences.showsPreviews, hours?.isOn ?? false, hours?.start.minutes, hours?.end.minutes,
            hours?.timeZone.identifier)
    }
}
