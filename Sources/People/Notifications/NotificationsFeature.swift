import Core
import HTML
import Hummingbird
import Storage

extension JobKind {
    /// Looks what devices announce of notifications that were removed; the payload is the ids of their accounts.
    static let checkNotifications = JobKind("check-notifications", .short)
    /// Looks what devices announce of an account that is hidden; the payload is its id, and that of the last account that
    /// was looked at, if any.
    static let checkCausedNotifications = JobKind("check-caused-notifications", .short)
}

/// The feature of notifications: the screen, the badge, and the kinds of follows and requests.
package struct NotificationsFeature: Feature {
    package static let scripts = FeatureScripts(
        elements: [
            "notification-list": "notifications/notification-list.js",
            "time-zone": "notifications/time-zone.js",
        ],
        events: [.notification, .ownNotification],
        offline: [
            .init(
                "notifications/offline.js", page: "Notifications", at: AppPaths.notifications, position: 50)
        ])
    package static let tables = [
        FeatureTable("notifications", accounts: ["account_id": .deleted, "actor_id": .deleted]),
        FeatureTable("markers", accounts: ["account_id": .deleted]),
        FeatureTable("notification_preferences", accounts: ["account_id": .deleted]),
        FeatureTable("notification_policies", accounts: ["account_id": .deleted], isKept: true),
        FeatureTable(
            "accepted_notifiers", accounts: ["account_id": .deleted, "actor_id": .deleted], isKept: true),
    ]

    package let notifications: NotificationService
    /// The sections that other features add at the top of Settings → Notifications.
    package let settingsSections: Registry<NotificationSettingsSection>
    private let app: AppParts

    package init(_ app: AppParts, relationships: RelationshipsFeature) {
        self.app = app
        settingsSections = app.registry()
        notifications = NotificationService(
            database: app.database, events: app.events, entities: app.entities, kinds: NotificationKinds(app),
            listeners: app.registry(), logger: app.logger)
        notifications.kinds.add(kinds)
        relationships.relations.listeners.add(relationshipChanged)
    }

    package func addRoutes(to router: Router<AppContext>) {
        NotificationPages(frame: app.frame, notifications: notifications).add(to: router)
        NotificationSettingsPages(
            frame: app.frame, notifications: notifications, sections: settingsSections
        ).add(to: router)
        NotificationRequestPages(frame: app.frame, notifications: notifications).add(to: router)
        NotificationAPI(notifications: notifications, entities: app.entities).add(to: router)
        NotificationPolicyAPI(notifications: notifications, entities: app.entities).add(to: router)
        GroupedNotificationAPI(notifications: notifications, entities: app.entities).add(to: router)
    }

    package var jobs: [JobKind: JobRunner.Handler] {
        [
            .checkNotifications: { [notifications] in try await notifications.check($0) },
            .checkCausedNotifications: { [notifications] in try await notifications.checkCaused($0) },
        ]
    }

    package var news: [NewsKind: NewsKind.Handler] { notifications.news }

    package var badge: Badge? {
        Badge(name: NotificationService.badge) { [notifications] in
            try notifications.unreadCount(of: $0.id, $1)
        }
    }

    package func settings(for viewer: Account, _ transaction: Transaction) -> [SettingsLine] {
        [
            SettingsLine(
                group: .notifications, position: 10, title: "Notifications", symbol: "bell",
                path: NotificationPaths.settings)
        ]
    }

    package var accountData: (any AccountData)? { NotificationsData() }

    /// Takes back from other people's devices what the account has caused.
    package func leave(_ account: Account.ID, _ transaction: Transaction) throws {
        try transaction.schedule(.checkCausedNotifications, payload: account.description)
    }

    @Sendable private func relationshipChanged(
        _ change: RelationshipChange, _ follower: Account.ID, _ followee: Account.ID,
        _ transaction: Transaction
    ) throws {
        func remove(_ kinds: Notification.Kind...) throws {
            for kind in kinds {
                try NotificationRecords(transaction).remove(kind, to: followee, from: follower)
            }
        }
        switch change {
        // A new notification sends the count itself.
        case .asked: return try notifications.note(.followRequest, to: followee, from: follower, transaction)
        case .began: return try notifications.note(.follow, to: followee, from: follower, transaction)
        case .blocked:
            try NotificationRecords(transaction).forget(between: follower, and: followee)
            try NotificationPolicyStore(transaction).forget(between: follower, and: followee)
        case .accepted:
            try remove(.followRequest)
            try notifications.note(.follow, to: followee, from: follower, transaction)
        case .acceptedAll: try NotificationRecords(transaction).removeAll(.followRequest, to: followee)
        case .declined: try remove(.followRequest)
        case .ended: try remove(.follow, .followRequest)
        // The muted person must not learn of it.
        case .muted, .unmuted: return try notifications.changed(for: [follower], transaction)
        }
        try notifications.changed(for: [follower, followee], transaction)
    }

    private var kinds: [NotificationKind] {
        [
            NotificationKind(
                kind: .follow, topic: .follows, mastodonType: "follow", colour: "follow",
                symbol: "person-plus",
                words: { _ in .text(" follows you.") },
                buttons: { frame, group, relationship in
                    PeopleComponents(frame: frame).followButton(
                        group.newest.actor, relationship, class: "end")
                }),
            NotificationKind(
                kind: .followRequest, topic: .follows, mastodonType: "follow_request", colour: "request",
                symbol: "person-plus", isAlwaysHeard: true, words: { _ in .text(" asks to follow you.") },
                buttons: { frame, group, _ in
                    PeopleComponents(frame: frame).requestButtons(group.newest.actor)
                }),
        ]
    }
}

extension Page.Style {
    static let notifications = Page.Style(name: "notifications")
    static let notificationSettings = Page.Style(name: "notification-settings")
}

/// The preferences and the policy that a person set, and the people whom they accepted, for their download, and the notifications
/// that they caused. The database deletes the rest with the account.
private struct NotificationsData: AccountData {
    let lists = [
        AccountDataList(
            "notification_preferences",
            [
                ("silent_topics", .text), ("shows_previews", .flag), ("is_quiet", .flag),
                ("quiet_from", .integer), ("quiet_to", .integer), ("time_zone", .text),
            ],
            """
            SELECT p.account_id AS place, p.silent_topics, p.shows_previews, p.is_quiet, p.quiet_from, p.quiet_to,
                p.time_zone
            FROM notification_preferences p WHERE p.account_id = $1 AND p.account_id > $2 LIMIT $3
            """),
        AccountDataList(
            "notification_policy",
            [("not_following", .text), ("not_followers", .text), ("new_accounts", .text)],
            """
            SELECT p.account_id AS place, p.not_following, p.not_followers, p.new_accounts
            FROM notification_policies p WHERE p.account_id = $1 AND p.account_id > $2 LIMIT $3
            """),
        AccountDataList(
            "accepted_notifiers", [("username", .text)],
            """
            SELECT n.actor_id AS place, a.username FROM accepted_notifiers n JOIN \(AccountRow.table) a ON a.id = n.actor_id
            WHERE n.account_id = $1 AND n.actor_id > $2 ORDER BY n.actor_id LIMIT $3
            """),
    ]

    func erase(_ account: Account.ID, _ transaction: Transaction) throws -> Bool {
        try NotificationStore(transaction).deleteSome(causedBy: account)
    }
}
