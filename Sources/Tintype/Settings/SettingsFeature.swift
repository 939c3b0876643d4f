import Core
import Hummingbird
import People
import Storage

/// Settings, and the page "Who can see what".
struct SettingsFeature: Feature {
    let menu = [Page.Link.settings]

    private let app: AppParts
    private let accounts: AccountService
    private let relations: RelationshipService

    init(_ app: AppParts, accounts: AccountsFeature, relationships: RelationshipsFeature) {
        self.app = app
        self.accounts = accounts.accounts
        relations = relationships.relations
    }

    func settings(for viewer: Account, _ transaction: Transaction) -> [SettingsLine] {
        [
            SettingsLine(
                group: .privacy, position: 10, title: "Privacy", symbol: "lock", path: AppPaths.privacy,
                value: viewer.approvesFollowers ? "Private" : "Open"),
            SettingsLine(
                group: .privacy, position: 50, title: "Who can see what", symbol: "eye",
                path: PrivacyNoticePages.path),
        ]
    }

    var operations: [Operation] {
        [
            Operation(
                "GET /api/v1/instance/privacy_policy", "Who can see what on this server, as HTML",
                .one("PrivacyPolicy"), isPublic: true)
        ]
    }

    var schemas: [EntitySchema] { [EntitySchema("PrivacyPolicy", "updated_at:time content:text")] }

    func addRoutes(to router: Router<AppContext>) {
        SettingsPages(
            frame: app.frame, accounts: accounts, relations: relations, features: app.features,
            database: app.database
        ).add(to: router)
        PrivacyNoticePages(frame: app.frame, notice: PrivacyNotice(features: app.features)).add(to: router)
    }
}
