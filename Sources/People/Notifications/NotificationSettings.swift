import Core
import Foundation
import Serving
import Storage

/// A section that another feature adds at the top of Settings → Notifications.
package struct NotificationSettingsSection: Sendable {
    /// The styles that the section needs.
    let styles: [Page.Style]
    /// Reads what the section draws, in the transaction of the page.
    let read: @Sendable (Session, Transaction) throws -> Drawing

    package init(
        styles: [Page.Style], read: @escaping @Sendable (Session, Transaction) throws -> Drawing
    ) {
        (self.styles, self.read) = (styles, read)
    }
}

/// The contents of Settings → Notifications, read in one transaction.
struct NotificationSettings: Sendable {
    let preferences: NotificationPreferences
    let policy: NotificationPolicy
    let sections: [Drawing]
}

// The preferences of people, as they see and change them.
extension NotificationService {
    /// Returns the contents of Settings → Notifications for a log-in.
    func settings(
        for session: Session, sections: Registry<NotificationSettingsSection>
    ) async throws -> NotificationSettings {
        try await database.read { transaction in
            NotificationSettings(
                preferences: try NotificationPreferencesStore(transaction).preferences(
                    of: session.account.id),
                policy: try NotificationPolicyStore(transaction).policy(of: session.account.id),
                sections: try sections.all.map { try $0.read(session, transaction) })
        }
    }

    /// Replaces the viewer's preferences, and changes the policy.
    func set(
        _ preferences: NotificationPreferences, _ change: NotificationPolicyChange, by viewer: Account
    ) async throws {
        try await database.write { [listeners] transaction in
            try NotificationPreferencesStore(transaction).set(preferences, of: viewer.id)
            try NotificationPolicyStore(transaction).apply(change, to: viewer.id)
            for listener in listeners.all { try listener.preferred(viewer.id, transaction) }
        }
    }
}

/// The form of Settings → Notifications, as it was filled in.
struct NotificationSettingsForm: Sendable {
    /// The topics whose switches are on.
    private(set) var topics: Set<NotificationTopic>
    private(set) var showsPreviews: Bool
    private(set) var hasQuietHours: Bool
    private(set) var from: String
    private(set) var to: String
    /// The name of the time zone; empty as long as none was chosen.
    private(set) var timeZone: String
    private(set) var policy: NotificationPolicyChange

    /// The hours that the form offers to those who have none.
    private static let offered = (from: "22:00", to: "07:00")

    /// Fills the form with preferences.
    init(
        _ preferences: NotificationPreferences, _ policy: NotificationPolicy, topics all: [NotificationTopic]
    ) {
        self.policy = NotificationPolicyChange(policy)
        topics = Set(all.filter { !preferences.silentTopics.contains($0.name) })
        showsPreviews = preferences.showsPreviews
        let hours = preferences.quietHours
        hasQuietHours = hours?.isOn ?? false
        from = hours?.start.text ?? Self.offered.from
        to = hours?.end.text ?? Self.offered.to
        timeZone = hours?.timeZone.identifier ?? ""
    }

    /// Reads the form as it was sent. A switch that is off sends nothing.
    ///
    /// - Throws: ``Refusal`` (422) for a treatment that the form doesn't offer.
    init(_ input: Input, topics all: [NotificationTopic]) throws {
        policy = try NotificationPolicyChange(input)
        let on = Set(input.list("topics"))
        topics = Set(all.filter { on.contains($0.name) })
        showsPreviews = input.bool("previews") ?? false
        hasQuietHours = input.bool("quiet") ?? false
        from = input.text("quiet_from")
        to = input.text("quiet_to")
        timeZone = input.text("time_zone")
    }

    /// Returns the preferences of the form.
    ///
    /// - Throws: ``Refusal`` (422) with every wrong field.
    func preferences(topics all: [NotificationTopic]) throws -> NotificationPreferences {
        NotificationPreferences(
            silentTopics: Set(all.filter { !topics.contains($0) }.map(\.name)),
            showsPreviews: showsPreviews, quietHours: hasQuietHours ? try quietHours() : rememberedHours)
    }

    /// The hours that are switched off; nil if they aren't any, which matters to nobody then.
    private var rememberedHours: QuietHours? {
        guard let start = ClockTime(from), let end = ClockTime(to), let zone = Self.timeZone(timeZone) else {
            return nil
        }
        var hours = QuietHours(from: start, to: end, in: zone)
        hours?.isOn = false
        return hours
    }

    private func quietHours() throws -> QuietHours? {
        var problems = Problems()
        let (start, end) = (ClockTime(from), ClockTime(to))
        for (name, time) in [("quiet_from", start), ("quiet_to", end)] where time == nil {
            problems.add(name, "ERR_INVALID", "Give a time, such as 22:00.")
        }
        let zone = Self.timeZone(timeZone)
        if zone == nil { problems.add("time_zone", "ERR_INVALID", "Choose your time zone.") }
        if let start, start == end {
            problems.add(
                "quiet_to", "ERR_INVALID", "Quiet hours can’t end at the time at which they begin.")
        }
        try problems.throwIfAny()
        guard let start, let end, let zone else { return nil }
        return QuietHours(from: start, to: end, in: zone)
    }

    /// Returns the time zone of a name such as `Europe/Berlin`; nil for an unknown one. Offsets such as `GMT+2` are
    /// refused: their clocks don't change in summer.
    private static func timeZone(_ name: String) -> TimeZone? {
        guard isNamed(name) || timeZones.contains(name) else { return nil }
        return TimeZone(identifier: name)
    }

    /// Returns whether a name has the form of an area with a place, as browsers name time zones. They also use old names,
    /// which ``timeZones`` leaves out.
    private static func isNamed(_ name: String) -> Bool {
        name.utf8.count <= 64 && name.contains("/") && !name.hasPrefix("/")
    }

    /// The names of the time zones to choose from, sorted.
    static let timeZones = Set(TimeZone.knownTimeZoneIdentifiers.filter { $0.contains("/") } + ["UTC"])
        .sorted()
}
