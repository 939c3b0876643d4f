import Hummingbird
import Storage

/// Settings, and who can see what.
struct SettingsFeature: Feature {
    static let menu = [Page.Link.settings]

    private let app: AppParts

    init(_ app: AppParts) { self.app = app }

    func settings(for viewer: Account, _ transaction: Transaction) -> [SettingsLine] {
        [
            SettingsLine(
                group: .privacy, position: 10, title: "Privacy", symbol: "lock", path: "/settings/privacy",
                value: viewer.approvesFollowers ? "Private" : "Open"),
            SettingsLine(
                group: .privacy, position: 50, title: "Who can see what", symbol: "eye",
                path: PrivacyNoticePages.path),
        ]
    }

    func addRoutes(to router: Router<AppContext>) throws {
        SettingsPages(
            frame: app.frame, accounts: try app.features.get(AccountsFeature.self).accounts,
            relations: try app.features.get(RelationshipsFeature.self).relations,
            features: app.features, database: app.database
        ).add(to: router)
        let sources = try app.features.get(PastPhotosFeature.self).pastPhotos.sources
        PrivacyNoticePages(
            frame: app.frame, configuration: app.configuration,
            sources: sources.filter { $0.name != ServerSource.name }.map(\.title)
        ).add(to: router)
    }
}
