import HTML
import Hummingbird
import Storage

/// Contracts: two people stake a photo each on a promise.
struct ContractsFeature: Feature {
    static let menu = [Page.Link.contracts]
    static let create = [
        Page.Making(
            kind: "contract", icon: "file-earmark-text", title: "Contract",
            text: "A promise, and a photo at stake", path: "/contracts/new", position: 45)
    ]
    static let chatActions = [
        ChatAction(name: "Make a contract", icon: "file-earmark-text", place: .bar) {
            "/contracts/with/\($0)"
        }
    ]
    static let tables = [
        FeatureTable("contracts"), FeatureTable("contract_rules"),
        FeatureTable("contract_members", accounts: ["account_id": .cleared]),
        FeatureTable("contract_moves"), FeatureTable("contract_stakes"),
        FeatureTable("contract_stake_files", ownsFiles: true), FeatureTable("contract_publications"),
        FeatureTable("contract_adults", accounts: ["account_id": .deleted]),
    ]

    static func leaveOutOfBackup(_ transaction: Transaction) throws {
        try ContractStore(transaction).leaveOutOfBackup()
    }

    let contracts: ContractService
    private let entities: ContractEntities
    private let app: AppParts

    init(_ app: AppParts) throws {
        self.app = app
        entities = ContractEntities(entities: app.entities)
        contracts = ContractService(
            database: app.database, copies: try app.features.get(OnceFeature.self).copies,
            publishing: ContractPublishing(
                posts: try app.features.get(PostsFeature.self).posts,
                crossPosts: try app.features.get(ConnectedAccountsFeature.self).crossPosts),
            events: ContractEvents(
                events: app.events, entities: entities,
                notifications: try app.features.get(NotificationsFeature.self).notifications))
    }

    func addRoutes(to router: Router<AppContext>) throws {
        let frame = app.frame
        let photos: PhotosFeature = try app.features.get()
        ContractAPI(contracts: contracts, blobs: app.blobs, entities: entities).add(to: router)
        let accounts = try app.features.get(AccountsFeature.self).accounts
        ContractPages(
            frame: frame, contracts: contracts,
            chats: try app.features.get(ChatsFeature.self).chats
        ).add(to: router)
        ContractMovePages(frame: frame, contracts: contracts).add(to: router)
        ContractFormPages(
            frame: frame, contracts: contracts,
            relations: try app.features.get(RelationshipsFeature.self).relations,
            accounts: accounts, connected: try app.features.get(ConnectedAccountsFeature.self).accounts,
            photos: photos.photos,
            singleUse: photos.singleUse, blobs: app.blobs
        ).add(to: router)
    }

    var jobs: [JobKind: JobRunner.Handler] {
        [
            .moveContract: { [contracts] in try await contracts.settle($0) },
            .settleContracts: { [contracts] in try await contracts.settleAll($0) },
            .eraseStakes: { [contracts] in try await contracts.eraseStakes($0) },
        ]
    }

    var badge: Badge? {
        Badge(name: ContractEvents.badge) { [contracts] in try contracts.waitingCount(of: $0, $1) }
    }
    var chatChip: ChatChip? { ChatChip(name: "Contracts", path: ContractPages.path, badge: badge) }
    var accountData: (any AccountData)? { ContractsData(contracts: contracts) }
    var reportKinds: [any ReportKind] { [ContractReports(contracts: contracts)] }
    var notificationKinds: [NotificationKind] { ContractNotifications.kinds }

    func relationshipChanged(
        _ change: RelationshipChange, _ follower: Account.ID, _ followee: Account.ID,
        _ transaction: Transaction
    ) throws {
        guard change == .blocked else { return }
        try contracts.part(follower, from: followee, transaction)
    }

    func waiting(
        for viewer: Account.ID, with friend: Account.ID, _ transaction: Transaction
    ) throws -> [String] {
        try ContractStore(transaction).offers(between: viewer, and: friend, limit: 3).map { promise in
            let words = promise.count > 60 ? "\(promise.prefix(60).trimmed)…" : promise
            return "The contract offer “\(words)” can’t be accepted while you don’t follow each other."
        }
    }

    func aboveConversation(
        of viewer: Account, with peer: Account, _ transaction: Transaction
    ) throws -> Drawing? {
        let open = try contracts.openContract(between: viewer, and: peer, transaction)
        let components = ContractComponents(frame: app.frame)
        return {
            components.live("/contracts/card/\(peer.id)") { open.map(components.card) ?? .empty }
        }
    }

    func leave(_ account: Account.ID, _ transaction: Transaction) throws {
        try contracts.follow(account, transaction)
    }

    func crossPostChanged(_ post: CrossPost, _ transaction: Transaction) throws {
        guard post.reference.kind == ContractPublishing.reference else { return }
        try contracts.publicationChanged(post, of: ID(rawValue: post.reference.id), transaction)
    }

    func comeBack(_ account: Account.ID, _ transaction: Transaction) throws {
        try contracts.follow(account, transaction)
    }
}
