import Core
import Hummingbird
import Storage

extension SecretsKey.Purpose {
    static func clientSecret(_ id: OutsideServer.ID) -> Self { Self("client secret \(id)") }
    static func verifier(_ id: Account.ID) -> Self { Self("code verifier \(id)") }
    static func token(_ id: ConnectedAccount.ID) -> Self { Self("access token \(id)") }
}

/// The feature of people's accounts on other servers, and of publishing there.
package struct ConnectedAccountsFeature: Feature {
    package static let tables = [
        FeatureTable("connected_servers"),
        FeatureTable("connection_attempts", accounts: ["account_id": .deleted]),
        FeatureTable("connected_accounts", accounts: ["account_id": .erased]),
        FeatureTable("cross_posts", ownsFiles: true, accounts: ["account_id": .erased]),
    ]

    /// Ends cross-posts under way and deletes secrets. A restored server publishes nothing: what was under way may be
    /// published by then. Secrets are useless without their key, which is in no backup.
    package static func leaveOutOfBackup(_ transaction: Transaction) throws {
        let store = CrossPostStore(transaction)
        for var found in try store.allOpen() {
            found.post.progress.ending = .uncertain
            (found.source, found.picture) = (nil, nil)
            try store.save(found)
        }
        try ConnectedAccountStore(transaction).forgetSecrets()
        for kind in [JobKind.copyCrossPostPicture, .crossPost, .revokeConnection] {
            try JobOutbox(transaction).deleteAll(kind)
        }
    }

    package let accounts: ConnectedAccountService
    package let crossPosts: CrossPostService
    private let listeners: CrossPostListeners
    private let work: CrossPostJobs
    private let app: AppParts

    package init(_ app: AppParts) {
        self.app = app
        listeners = CrossPostListeners(app)
        accounts = ConnectedAccountService(app, listeners: listeners)
        crossPosts = CrossPostService(database: app.database, listeners: listeners)
        work = CrossPostJobs(app, listeners: listeners)
    }

    package func addRoutes(to router: Router<AppContext>) {
        ConnectedAccountPages(frame: app.frame, accounts: accounts, crossPosts: crossPosts).add(to: router)
    }

    package var jobs: [JobKind: JobRunner.Handler] {
        [
            .copyCrossPostPicture: { [work] in try await work.copyPicture($0) },
            .crossPost: { [work] in try await work.advance($0) },
            .revokeConnection: { [accounts] in try await accounts.revoke($0) },
        ]
    }

    package func settings(for viewer: Account, _ transaction: Transaction) throws -> [SettingsLine] {
        let account = try accounts.account(of: viewer, transaction)
        return [
            SettingsLine(
                group: .privacy, position: 60, title: "Connected account", symbol: "globe",
                path: ConnectedAccountPages.path,
                value: account.map { $0.isUsable ? $0.server : "Not working" })
        ]
    }

    package var privacy: [PrivacyLine] {
        [
            PrivacyLine(
                .others, 30,
                "If you connect an account on another server, that server knows that you use Tintype.")
        ]
    }

    package var accountData: (any AccountData)? { ConnectedAccountsData(listeners: listeners) }

    /// Stops cross-posts of an account that nobody sees any more.
    package func leave(_ account: Account.ID, _ transaction: Transaction) throws {
        try CrossPostRecords(transaction).stop(of: account, listeners)
    }
}
