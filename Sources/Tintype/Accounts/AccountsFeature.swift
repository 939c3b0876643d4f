import Hummingbird
import Storage

/// Who is here: accounts, their portraits, and the invitations that let people in.
struct AccountsFeature: Feature {
    let tables = [
        FeatureTable("accounts"), FeatureTable("account_terms", accounts: ["account_id": .deleted]),
        FeatureTable("blocks", accounts: ["blocker_id": .deleted, "blocked_id": .deleted]),
        FeatureTable("invitations", accounts: ["creator_id": .deleted, "used_by": .cleared]),
        FeatureTable("portraits", accounts: ["account_id": .erased]),
        FeatureTable("portrait_files", ownsFiles: true), FeatureTable("server_settings"),
    ]

    let accounts: AccountService
    let portraits: PortraitService
    let signUps: SignUpPolicy
    let invitations: InvitationService
    /// Resumes what paused while an account was suspended, in the transaction that ends the suspension.
    let comeback: Registry<@Sendable (Account.ID, Transaction) throws -> Void>
    private let app: AppParts

    init(_ app: AppParts) {
        self.app = app
        comeback = app.registry()
        portraits = PortraitService(database: app.database, intake: app.intake)
        signUps = SignUpPolicy(database: app.database, setting: app.configuration.signUp)
        accounts = AccountService(
            database: app.database, hasher: app.hasher, portraits: portraits, signUps: signUps,
            features: app.features, takenNames: app.takenNames)
        invitations = InvitationService(database: app.database, signUps: signUps)
    }

    func addRoutes(to router: Router<AppContext>) {
        InvitationPages(frame: app.frame, invitations: invitations).add(to: router)
        InitialsRoutes(accounts: accounts).add(to: router)
    }

    func settings(for viewer: Account) -> [SettingsLine] {
        [
            SettingsLine(
                group: .server, position: 10, title: "Invitations", symbol: "envelope",
                path: "/settings/invitations")
        ]
    }

    var accountData: (any AccountData)? { AccountsData() }
}
