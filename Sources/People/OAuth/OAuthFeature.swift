import Core
import Hummingbird
import Serving
import Storage

extension JobKind {
    /// Erases an app with which nobody is logged in any more; the payload is its id.
    static let eraseUnusedApp = JobKind("erase-unused-app", .short)
    /// Deletes a code that has expired; the payload is its hash.
    static let forgetCode = JobKind("forget-code", .short)
}

/// The feature of phone apps and programs that people allow, by OAuth 2.
package struct OAuthFeature: Feature {
    package static let tables = [
        FeatureTable("oauth_apps"),
        FeatureTable("oauth_codes", accounts: ["account_id": .deleted]),
        FeatureTable("oauth_grants", accounts: ["account_id": .deleted]),
        FeatureTable("oauth_app_tokens"),
    ]

    package let oauth: OAuthService
    /// Writers of further members of the answer to an app that registers.
    package let registrationMembers: Registry<@Sendable (inout JSONWriter) -> Void>
    private let app: AppParts
    private let accounts: AccountService
    private let signUps: SignUpLimit

    package init(_ app: AppParts, accounts: AccountsFeature, sessions: SessionsFeature) {
        self.app = app
        self.accounts = accounts.accounts
        signUps = sessions.signUps
        registrationMembers = app.registry()
        oauth = OAuthService(
            topics: app.topics, database: app.database, sessions: sessions.sessions,
            limits: app.configuration.limits, attempts: app.attempts, now: app.now)
        // An unused code could still become a log-in, so it ends with the log-ins.
        sessions.sessions.endings.add { [oauth] in try oauth.endCodes(of: $0, $1) }
    }

    package func addRoutes(to router: Router<AppContext>) {
        OAuthAPI(
            oauth: oauth, publicURL: app.configuration.publicURL, entities: app.entities,
            takenNames: app.takenNames,
            registrationMembers: registrationMembers
        ).add(to: router)
        SignUpAPI(oauth: oauth, accounts: accounts, limit: signUps).add(to: router)
        AuthorizationPages(frame: app.frame, oauth: oauth, publicURL: app.configuration.publicURL)
            .add(to: router)
        AppPages(frame: app.frame, oauth: oauth).add(to: router)
    }

    package var jobs: [JobKind: JobRunner.Handler] {
        [
            .eraseUnusedApp: { [oauth] in try await oauth.eraseUnusedApp($0) },
            .forgetCode: { [oauth] in try await oauth.forgetCode($0) },
        ]
    }

    package func settings(for viewer: Account, _ transaction: Transaction) throws -> [SettingsLine] {
        [
            SettingsLine(
                group: .privacy, position: 35, title: "Apps", symbol: "box-seam", path: "/settings/apps",
                value: try oauth.apps(of: viewer, transaction).count.grouped)
        ]
    }

    package var privacy: [PrivacyLine] {
        [
            PrivacyLine(
                .others, 50,
                "An app that you log in with sees what you allow it to see, until you remove it in Settings.")
        ]
    }

    package var accountData: (any AccountData)? { OAuthData() }

    /// Ends the unused codes of an account that is hidden. Its log-ins end with its sessions.
    package func leave(_ account: Account.ID, _ transaction: Transaction) throws {
        try oauth.endCodes(of: account, transaction)
    }
}

/// The data about the apps with which a person is logged in, which the database deletes with the account.
private struct OAuthData: AccountData {
    let lists = [
        AccountDataList(
            "apps", [("name", .text), ("website", .text), ("logged_in_at", .timeOfID)],
            """
            SELECT g.session_id AS place, p.name, p.website, g.session_id AS logged_in_at
            FROM oauth_grants g JOIN oauth_apps p ON p.id = g.app_id
            WHERE g.account_id = $1 AND g.session_id > $2 ORDER BY g.session_id LIMIT $3
            """)
    ]

    func erase(_ account: Account.ID, _ transaction: Transaction) throws -> Bool { true }
}
