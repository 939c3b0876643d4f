import Core
import Hummingbird
import Serving
import Storage

/// The feature of logging in and out, signing up, and the devices on which a person is logged in.
package struct SessionsFeature: Feature {
    package static let tables = [
        FeatureTable("sessions", accounts: ["account_id": .deleted]),
        FeatureTable("browser_proofs", accounts: ["account_id": .deleted]),
    ]

    package let sessions: SessionService
    /// The links by which people choose a password.
    package let links: LogInLinks
    /// The limit on new accounts from one network.
    let signUps: SignUpLimit
    private let app: AppParts
    private let accounts: AccountsFeature
    private let demoAccount: String?

    package init(_ app: AppParts, accounts: AccountsFeature) async throws {
        self.app = app
        self.accounts = accounts
        signUps = SignUpLimit(app.configuration.limits, in: app.attempts)
        demoAccount = try await DemoAccount.remembered(in: app.database)
        sessions = SessionService(
            database: app.database, endings: app.registry(), hasher: app.hasher, events: app.events,
            epochs: app.epochs, sight: app.sight, topics: app.topics,
            attempts: PasswordAttempts(
                limit: app.configuration.limits.logIns, in: app.attempts, logger: app.logger),
            wrongTokensLimit: app.configuration.limits.reads,
            logger: app.logger, now: app.now)
        links = LogInLinks(
            database: app.database, secrets: app.secrets, sessions: sessions,
            publicURL: app.configuration.publicURL, now: app.now)
    }

    /// Passwords have limits of their own, which spare known browsers (``PasswordAttempts``).
    package var readingRoutes: [String] { [AppPaths.logIn] }

    package func addRoutes(to router: Router<AppContext>) {
        LogInPages(
            frame: app.frame, accounts: accounts.accounts, sessions: sessions, blobs: app.blobs,
            policy: accounts.signUps, configuration: app.configuration, demoAccount: demoAccount,
            signUps: signUps
        ).add(to: router)
        NewPasswordPage(frame: app.frame, links: links, isSecure: app.isSecure).add(to: router)
        DevicePages(frame: app.frame, sessions: sessions).add(to: router)
        EventRoutes(
            events: app.events, sessions: sessions,
            badges: Badges(badges: app.features.all.compactMap(\.badge), database: app.database)
        ).add(to: router)
    }

    package func settings(for viewer: Account, _ transaction: Transaction) throws -> [SettingsLine] {
        [
            SettingsLine(
                group: .privacy, position: 30, title: "Devices", symbol: "phone", path: "/settings/devices",
                value: try sessions.devices(of: viewer, transaction).count.grouped),
            SettingsLine(
                group: .privacy, position: 40, title: "Password", symbol: "key", path: "/settings/password"),
        ]
    }

    package var accountData: (any AccountData)? { SessionsData() }

    /// Logs an account out everywhere when it is hidden.
    package func leave(_ account: Account.ID, _ transaction: Transaction) throws {
        try SessionStore(transaction).deleteAll(of: account, but: nil)
        transaction.afterCommit { [sessions] _ in sessions.forget(account) }
    }

    /// Removes cached sessions, which have the name and portrait from before.
    package func profileChanged(_ account: Account, from old: Account, _ transaction: Transaction) throws {
        transaction.afterCommit { [sessions] _ in sessions.refresh(account.id) }
    }
}

/// The data of a person's log-ins, which the database deletes with the account.
private struct SessionsData: AccountData {
    let lists = [
        AccountDataList(
            "devices",
            [("kind", .text), ("name", .text), ("logged_in_at", .timeOfID), ("last_used_at", .date)],
            """
            SELECT id AS place, kind, device AS name, id AS logged_in_at, seen_at AS last_used_at FROM sessions
            WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT $3
            """)
    ]

    func erase(_ account: Account.ID, _ transaction: Transaction) throws -> Bool { true }
}
