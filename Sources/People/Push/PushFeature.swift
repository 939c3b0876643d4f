import Core
import Hummingbird
import Serving
import Storage

/// The feature of announcements on devices, also while no page is open (Documentation/Decisions/0017-push.md).
package struct PushFeature: Feature {
    package static let tables = [
        FeatureTable("push_subscriptions", accounts: ["account_id": .deleted]),
        FeatureTable("removed_push_devices", isKept: true),
        FeatureTable("push_messages", accounts: ["account_id": .deleted]),
    ]

    /// Deletes what waits to be announced, which is old by the time of a restore. Subscriptions stay: they are useless
    /// without the server's key for push services, which can be used only with the file `secrets.key`.
    package static func leaveOutOfBackup(_ transaction: Transaction) throws {
        try PushMessageStore(transaction).deleteAll()
        try JobOutbox(transaction).deleteAll(.push)
    }

    package let push: PushService
    /// The key with which browsers and apps subscribe: the uncompressed point in base64url (RFC 8292, 3.2).
    package let serverKey: String
    private let delivery: PushDelivery
    private let settings: PushSettingsPages

    /// Reads the server's key for push services, or makes one at the first start.
    ///
    /// - Parameter installing: the path of the page that says how to install the app.
    package init(
        _ app: AppParts, sessions: SessionsFeature, oauth: OAuthFeature, notifications: NotificationsFeature,
        installing: String
    ) async throws {
        let identity = try await PushIdentity.load(app)
        let sections = notifications.settingsSections
        let notifications = notifications.notifications
        push = PushService(app, identity: identity, notifications: notifications)
        settings = PushSettingsPages(
            frame: app.frame, push: push, sessions: sessions.sessions, database: app.database,
            installing: installing)
        sections.add(.init(styles: [.push], read: settings.part))
        delivery = PushDelivery(app, identity: identity, notifications: notifications)
        serverKey = identity.publicKey
        oauth.registrationMembers.add { [serverKey] in $0.member("vapid_key", serverKey) }
    }

    package func addRoutes(to router: Router<AppContext>) {
        PushAPI(push: push).add(to: router)
        settings.add(to: router)
    }

    package var jobs: [JobKind: JobRunner.Handler] {
        [.push: { [delivery] in try await delivery.deliver($0) }]
    }

    /// The numbers of announcements since the start, for the operator's graphs.
    package var gauges: @Sendable () -> [Metrics.Gauge] { { [counts = delivery.counts] in counts.gauges } }

    package var privacy: [PrivacyLine] {
        [
            PrivacyLine(
                .others, 60,
                """
                If you turn on notifications on a device, the push service of its browser or app (such as Google’s, \
                Apple’s or Mozilla’s) learns when something is sent to it, and nothing of what it says.
                """)
        ]
    }

    package var accountData: (any AccountData)? { PushData() }
}

/// The data about the devices to which announcements are sent, which the database deletes with the account. No download
/// contains their addresses and keys.
private struct PushData: AccountData {
    let lists = [
        AccountDataList(
            "push_devices",
            [("service", .text), ("subscribed_at", .timeOfID), ("last_worked_at", .date)],
            """
            SELECT id AS place, host AS service, id AS subscribed_at, worked_at AS last_worked_at
            FROM push_subscriptions WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT $3
            """)
    ]

    func erase(_ account: Account.ID, _ transaction: Transaction) throws -> Bool { true }
}
