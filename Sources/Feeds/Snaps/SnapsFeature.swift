import Core
import HTML
import Hummingbird
import People
import Serving
import Storage

extension JobKind {
    /// Sends a new snap to friends; the payload is its id.
    static let announceSnap = JobKind("tell-of-snap", .short)
    /// Closes a snap that has been open for too long; the payload is the id of the view.
    static let closeSnapView = JobKind("close-snap-view", .short)
    /// Deletes an expired snap; the payload is its id.
    static let expireSnap = JobKind("expire-snap", .erasing)
    /// Erases the snaps that two people can no longer see after their friendship ended, and sends events; the payload
    /// is the ids of the poster and of the friend.
    static let separateFriends = JobKind("part-snaps", .erasing)
    /// Erases the snaps of an account that is hidden from everyone, and sends events; the payload is the account's id.
    static let leaveSnaps = JobKind("leave-snaps", .erasing)
}

extension Notification.Kind {
    /// A friend posted a snap that hasn't been opened.
    static let snap = Notification.Kind("snap")
}

extension NotificationTopic {
    static let snaps = NotificationTopic(
        "snaps", title: "Snaps", position: 30, news: "New snap", isUrgent: true)
}

extension OAuthScope.Topic {
    static let snaps = Self(
        "snaps", seen: "snaps",
        changed: "post snaps, and open those of your friends")
}

extension SingleUseMedia.Purpose {
    /// A snap.
    static let snap = Self("snap", isSeenOnce: true)
}

/// Snaps: pictures that each viewer sees once.
package struct SnapsFeature: Feature {
    package let tabs = [Page.Tab.snaps]
    package let create = [
        Page.Making(
            tone: 9, icon: "lightning-fill", title: "Snap", text: "Seen once, then gone",
            path: SnapPaths.new, position: 20, shortcut: ("Snap", .init("snap")))
    ]
    package static let configuration: [any FeatureSettings.Type] = [SnapSettings.self]
    package static let topics = [OAuthScope.Topic.snaps]
    package static let scripts = FeatureScripts(
        elements: [
            "feed-picker": "snaps/feed-picker.js", "snap-camera": "snaps/snap-camera.js",
            "snap-composer": "snaps/snap-composer.js", "snap-list": "snaps/snap-list.js",
        ],
        events: [.snap, .snapClosed],
        offline: [.init("snaps/offline.js", page: "Snaps", at: SnapPaths.list, position: 20)])
    package static let tables = [
        FeatureTable("snaps", accounts: ["poster_id": .erased]), FeatureTable("snap_files", ownsFiles: true),
        FeatureTable("snap_views", accounts: ["viewer_id": .erased], isKept: true),
    ]
    package static let counters = [
        FeatureCounter(
            "viewers", of: "snaps", "viewers_count",
            "SELECT count(*) FROM snap_views v WHERE v.snap_id = o.id AND v.viewer_id <> o.poster_id")
    ]

    package static func leaveOutOfBackup(_ transaction: Transaction) throws {
        try SnapStore(transaction).expireAll()
    }

    package let snaps: SnapService
    /// Those to whom a snap can be sent beside its feed.
    let receivers: Registry<any SnapReceivers>
    /// The JSON of snaps.
    let entities: SnapEntities
    private let work: SnapJobs
    private let app: AppParts
    private let photos: PhotosFeature
    private let answering: SnapAnswering

    /// - Parameter answering: returns the address of the screen on which somebody's snap is answered.
    package init(
        _ app: AppParts, relationships: RelationshipsFeature, notifications: NotificationsFeature,
        photos: PhotosFeature, once: OnceFeature, reports: ReportsFeature, posts: PostsFeature,
        answering: @escaping SnapAnswering
    ) throws {
        self.app = app
        self.photos = photos
        self.answering = answering
        receivers = app.registry()
        entities = SnapEntities(entities: app.entities)
        let settings = app.configuration.snaps
        let notifications = notifications.notifications
        let announcements = SnapAnnouncements(
            settings: settings, database: app.database, events: app.events,
            entities: entities, notifications: notifications, logger: app.logger)
        work = SnapJobs(
            settings: settings, database: app.database, announcements: announcements,
            notifications: notifications)
        snaps = SnapService(
            settings: settings, database: app.database,
            samples: try SnapSamples(folder: try Resources.folder("samples")),
            copies: once.copies, announcements: announcements)
        relationships.relations.listeners.add(relationshipChanged)
        notifications.kinds.add(notificationKinds)
        photos.offers.purposes.add(.snap)
        photos.offers.actions.add(
            PhotoAction(name: "Snap", icon: "lightning", place: .sharing { "/snaps/new/\($0)" }))
        photos.offers.arrivals.add(
            PhotoArrival(
                tone: 9, icon: "lightning-fill", title: "Snap", text: "Seen once, then gone", position: 20,
                photos: 1...1, way: .carried(path: "/snaps/camera")))
        reports.reports.kinds.add(SnapReports(snaps: snaps))
        posts.besideHome.add { SnapComponents(frame: $0, answering: answering).beside }
    }

    /// One look takes three calls, and works once for each picture that friends sent, which is limit enough.
    package var readingRoutes: [String] {
        ["/snaps/{id}/open"] + ["open", "shown", "close"].map { "/api/v1/snaps/{id}/\($0)" }
    }

    package func addRoutes(to router: Router<AppContext>) {
        SnapPages(frame: app.frame, snaps: snaps, blobs: app.blobs, answering: answering).add(to: router)
        SnapComposerPages(
            frame: app.frame, snaps: snaps, photos: photos.photos, singleUse: photos.singleUse,
            blobs: app.blobs, receivers: receivers
        ).add(to: router)
        SnapAPI(snaps: snaps, blobs: app.blobs, entities: entities).add(to: router)
        SnapStories(
            snaps: snaps, entities: app.entities, icon: app.frame.files.path("icons/icon-512.png")
        ).add(to: router)
    }

    package var jobs: [JobKind: JobRunner.Handler] {
        let work = work
        return [
            .announceSnap: { try await work.announce($0) }, .closeSnapView: { try await work.closeView($0) },
            .expireSnap: { try await work.expire($0) }, .separateFriends: { try await work.separate($0) },
            .leaveSnaps: { try await work.leave($0) },
        ]
    }

    package var badge: Badge? { Badge(name: "snaps") { [snaps] in try snaps.unreadCount(for: $0, $1) } }
    package var privacy: [PrivacyLine] {
        let lifetime = Int(app.configuration.snaps.lifetime / 3600).of("hour")
        return [
            PrivacyLine(.people, 30, "A snap is seen once by each person who receives it."),
            PrivacyLine(.erasure, 20, "A snap is erased when everyone has seen it, or after \(lifetime)."),
            PrivacyLine(.hidden, 10, "snaps"),
        ]
    }

    package var news: [NewsKind: NewsKind.Handler] { work.announcements.news }
    package var accountData: (any AccountData)? { SnapsData() }

    @Sendable private func relationshipChanged(
        _ change: RelationshipChange, _ follower: Account.ID, _ followee: Account.ID,
        _ transaction: Transaction
    ) throws {
        guard change == .ended(wasAccepted: true) else { return }
        for (poster, friend) in [(follower, followee), (followee, follower)] {
            try NotificationRecords(transaction).remove(.snap, to: friend, from: poster)
        }
        try work.notifications.changed(for: [follower, followee], transaction)
        try SnapRecords(transaction).separate(follower, followee)
    }

    package func leave(_ account: Account.ID, _ transaction: Transaction) throws {
        try SnapRecords(transaction).leave(account)
    }

    private var notificationKinds: [NotificationKind] {
        [
            NotificationKind(
                kind: .snap, topic: .snaps, mastodonType: "tintype.snap", colour: "follow",
                symbol: "camera-fill",
                subjects: { ids, reader, transaction in
                    try SnapRecords(transaction).visible(ids.map { ID(rawValue: $0) }, for: reader)
                        .mapValues(SnapSubject.init)
                },
                member: "snap*:SnapReference",
                words: { group in
                    let feed = (group.newest.subject as? SnapSubject)?.snap.feed.title ?? "friends"
                    return .text(
                        group.count > 1 ? " posted \(group.count) snaps." : " posted a snap to \(feed).")
                }, path: { _ in SnapPaths.list },
                announcement: { group, _, _ in
                    guard let snap = (group.newest.subject as? SnapSubject)?.snap else { return nil }
                    let name = group.newest.actor.username
                    return Announcement.Text(
                        title: NotificationTopic.snaps.title,
                        body: group.count > 1
                            ? "\(group.count) new snaps from \(name)"
                            : "New snap from \(name) in \(snap.feed.title)")
                })
        ]
    }
}

/// The snap that a notification is about. Its picture is shown only by opening the snap.
private struct SnapSubject: NotificationSubject {
    let snap: Snap

    var picture: Node { .empty }

    func eventSubjects(_ transaction: Transaction) -> [EventSubject] { [.thing(snap.id)] }

    func write(for viewer: Reader, into json: inout JSONWriter) {
        json.object("snap") { json in
            json.member("id", snap.id)
            json.member("feed_id", snap.feed.id)
        }
    }
}

extension Page.Tab {
    static let snaps = Page.Tab(
        name: "snaps", icon: "lightning", currentIcon: "lightning-fill", position: 20, badge: "snaps")
}
