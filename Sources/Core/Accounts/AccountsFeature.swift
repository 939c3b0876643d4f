import Hummingbird
import Storage

/// The feature of accounts, their portraits, and invitations.
package struct AccountsFeature: Feature {
    package static let scripts = FeatureScripts(
        elements: [
            "portrait-form": "accounts/portrait-form.js", "portrait-picker": "accounts/portrait-picker.js",
        ])
    package static let tables = [
        FeatureTable("accounts"),
        FeatureTable("account_terms", accounts: ["account_id": .deleted], isKept: true),
        FeatureTable("blocks", accounts: ["blocker_id": .deleted, "blocked_id": .deleted], isKept: true),
        FeatureTable("invitations", accounts: ["creator_id": .deleted, "used_by": .cleared]),
        FeatureTable("portraits", accounts: ["account_id": .erased], isKept: true),
        FeatureTable("portrait_files", ownsFiles: true, isKept: true),
        FeatureTable("server_settings", isKept: true),
    ]

    package let accounts: AccountService
    package let portraits: PortraitService
    package let signUps: SignUpPolicy
    package let invitations: InvitationService
    /// Called when a suspension ends, in its transaction, to resume what paused meanwhile.
    package let comeback: Registry<AccountListener>
    private let app: AppParts

    package init(_ app: AppParts) {
        self.app = app
        comeback = app.registry()
        portraits = PortraitService(database: app.database, intake: app.intake)
        signUps = SignUpPolicy(database: app.database, setting: app.configuration.signUp)
        accounts = AccountService(
            database: app.database, hasher: app.hasher, portraits: portraits, signUps: signUps,
            features: app.features, takenNames: app.takenNames)
        invitations = InvitationService(database: app.database, signUps: signUps)
    }

    package func addRoutes(to router: Router<AppContext>) {
        InvitationPages(frame: app.frame, invitations: invitations).add(to: router)
        InitialsRoutes(accounts: accounts).add(to: router)
    }

    package func settings(for viewer: Account, _ transaction: Transaction) -> [SettingsLine] {
        [
            SettingsLine(
                group: .server, position: 10, title: "Invitations", symbol: "envelope",
                path: InvitationPaths.list)
        ]
    }

    package var accountData: (any AccountData)? { AccountsData() }

    /// Lets all browsers drop what they keep of the account.
    package func leave(_ account: Account.ID, _ transaction: Transaction) throws {
        try app.sight.narrowForEveryone(transaction)
    }
}
