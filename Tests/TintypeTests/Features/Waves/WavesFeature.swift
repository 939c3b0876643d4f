import Core
import Feeds
import Hummingbird
import People
import Serving
import Storage

extension OAuthScope.Topic {
    static let waves = Self("waves", seen: "waves at you", changed: "wave at people")
}

extension EventName {
    /// Somebody waved.
    static let wave = EventName("tintype.wave")
}

extension JobKind {
    /// Erases a wave after its day; the payload is its id.
    static let eraseWave = JobKind("erase-wave", .short)
}

/// Waves: people wave at each other. A sample of a feature: it uses what most features use, and no other file names it.
/// CONTRIBUTING.md, "Add a feature", goes through its files.
struct WavesFeature: Feature {
    static let configuration: [any FeatureSettings.Type] = [WaveSettings.self]
    static let topics = [OAuthScope.Topic.waves]
    static let tables = [
        FeatureTable("waves", accounts: ["sender_id": .erased, "receiver_id": .erased]),
        FeatureTable("waved_accounts", accounts: ["account_id": .deleted]),
    ]
    static let counters = [
        FeatureCounter(
            "waves", of: "waved_accounts", id: "account_id", "count",
            "SELECT count(*) FROM waves w WHERE w.receiver_id = o.account_id")
    ]
    static let scripts = FeatureScripts(
        elements: ["wave-list": "waves/wave-list.js"], events: [.wave],
        background: [.account("waves/wave-title.js")],
        offline: [.init("waves/offline.js", page: "Waves", at: Wave.path, position: 90)])
    let tabs = [Page.Tab.waves]
    let menu = [Page.Link.waves]
    let create = [
        Page.Making(
            tone: 2, icon: "person-plus", title: "Wave", text: "Say hello", path: Wave.path, position: 60
        )
    ]

    private let waves: WaveService
    private let app: AppParts
    private let cards = WaveCards()

    init(
        _ app: AppParts, notifications: NotificationsFeature,
        reports: ReportsFeature, chats: ChatsFeature
    ) {
        self.app = app
        waves = WaveService(
            settings: app.configuration[WaveSettings.self], database: app.database, events: app.events,
            notifications: notifications.notifications)
        notifications.notifications.kinds.add(WaveNotifications.kinds)
        reports.reports.kinds.add(WaveReports(waves: waves))
        chats.offers.shared.cards.add(SharedCards(kind: .wave) { [cards] in try cards.read($0, for: $1, $2) })
    }

    /// A wave is for its day: a restored server has none.
    static func leaveOutOfBackup(_ transaction: Transaction) throws {
        try WaveStore(transaction).deleteAll()
    }

    func addRoutes(to router: Router<AppContext>) {
        WavePages(frame: app.frame, waves: waves, cards: cards).add(to: router)
        WaveAPI(waves: waves, entities: app.entities).add(to: router)
    }

    var jobs: [JobKind: JobRunner.Handler] { [.eraseWave: { [waves] in try await waves.erase($0) }] }
    var badge: Badge? { Badge(name: WaveService.badge) { [waves] in try waves.count(at: $0, $1) } }
    var accountData: (any AccountData)? { WavesData(waves: waves) }

    /// Waving has a limit of its own.
    var readingRoutes: [String] { ["/api/v1/accounts/{id}/wave"] }

    func leave(_ account: Account.ID, _ transaction: Transaction) throws {
        try waves.leave(account, transaction)
    }

    var privacy: [PrivacyLine] {
        [PrivacyLine(.people, 80, "A wave is seen by the person at whom you wave, for a day.")]
    }

    func settings(for viewer: Account, _ transaction: Transaction) throws -> [SettingsLine] {
        [
            SettingsLine(
                group: .data, position: 15, title: "Waves", symbol: "person-plus", path: Wave.path,
                value: try waves.count(at: viewer, transaction).grouped)
        ]
    }
}

extension Page.Tab {
    static let waves = Page.Tab(
        name: "waves", icon: "person-plus", position: 45, badge: WaveService.badge)
}

extension Page.Link {
    static let waves = Page.Link(name: "waves", icon: "person-plus", position: 70, badge: WaveService.badge)
}

extension Page.Style {
    static let waves = Page.Style(name: "waves")
}
