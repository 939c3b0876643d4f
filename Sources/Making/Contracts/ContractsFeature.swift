import Core
import Feeds
import HTML
import Hummingbird
import People
import Serving
import Storage

extension OAuthScope.Topic {
    /// `write` doesn't include contracts: no app of Mastodon's needs them, and a move may publish a photo.
    static let contracts = Self(
        "contracts", seen: "your contracts",
        changed: "make contracts and answer them, with your photos as stakes", isOfWrite: false)
}

extension SingleUseMedia.Purpose {
    /// The photo that somebody stakes in a contract.
    package static let stake = Self("stake", isSeenOnce: false)
}

/// Contracts: two people stake a photo each on a promise.
package struct ContractsFeature: Feature {
    package let menu = [Page.Link.contracts]
    package let create = [
        Page.Making(
            tone: 6, icon: "file-earmark-text", title: "Contract",
            text: "A promise, and a photo at stake", path: "/contracts/new", position: 45)
    ]
    package static let topics = [OAuthScope.Topic.contracts]
    package static let scripts = FeatureScripts(
        elements: [
            "contract-form": "contracts/contract-form.js", "contract-live": "contracts/contract-live.js",
            "count-down": "contracts/count-down.js",
        ],
        events: [.contract])
    package static let tables = [
        FeatureTable("contracts"), FeatureTable("contract_rules"),
        FeatureTable("contract_members", accounts: ["account_id": .cleared]),
        FeatureTable("contract_moves", isKept: true), FeatureTable("contract_stakes"),
        FeatureTable("contract_stake_files", ownsFiles: true),
        FeatureTable("contract_publications", isKept: true),
        FeatureTable("contract_adults", accounts: ["account_id": .deleted]),
    ]

    package static func leaveOutOfBackup(_ transaction: Transaction) throws {
        try ContractStore(transaction).leaveOutOfBackup()
    }

    package let contracts: ContractService
    private let entities: ContractEntities
    private let app: AppParts
    private let accounts: AccountService
    private let relations: RelationshipService
    private let photos: PhotosFeature

    package init(
        _ app: AppParts, accounts: AccountsFeature, relationships: RelationshipsFeature,
        notifications: NotificationsFeature, photos: PhotosFeature, once: OnceFeature,
        connected: ConnectedAccountsFeature, reports: ReportsFeature, posts: PostsFeature, chats: ChatsFeature
    ) {
        self.app = app
        self.accounts = accounts.accounts
        self.photos = photos
        relations = relationships.relations
        entities = ContractEntities(entities: app.entities)
        contracts = ContractService(
            database: app.database, copies: once.copies,
            publishing: ContractPublishing(posts: posts.posts, crossPosts: connected.crossPosts),
            events: ContractEvents(
                events: app.events, entities: entities, notifications: notifications.notifications))
        accounts.comeback.add { [contracts] in try contracts.follow($0, $1) }
        relations.listeners.add { [contracts] change, follower, followee, transaction in
            guard change == .blocked else { return }
            try contracts.separate(follower, from: followee, transaction)
        }
        relations.waiting.add(waiting)
        notifications.notifications.kinds.add(ContractNotifications.kinds)
        connected.crossPosts.listeners.add(ContractPublishing.reference, agreed: "in a contract") {
            [contracts] post, transaction in
            try contracts.publicationChanged(post, of: ID(rawValue: post.reference.id), transaction)
        }
        photos.offers.purposes.add(.stake)
        reports.reports.kinds.add(ContractReports(contracts: contracts))
        chats.offers.actions.add(
            ChatAction(name: "Make a contract", icon: "file-earmark-text", place: .bar) {
                "/contracts/with/\($0)"
            })
        chats.offers.chips.add(ChatChip(name: "Contracts", path: ContractPages.path, badge: badge))
        chats.offers.above.add(aboveMessages)
    }

    package func addRoutes(to router: Router<AppContext>) {
        let frame = app.frame
        ContractAPI(contracts: contracts, blobs: app.blobs, entities: entities).add(to: router)
        ContractPages(frame: frame, contracts: contracts).add(to: router)
        ContractMovePages(frame: frame, contracts: contracts).add(to: router)
        ContractFormPages(
            frame: frame, contracts: contracts,
            relations: relations, accounts: accounts,
            singleUse: photos.singleUse, blobs: app.blobs
        ).add(to: router)
    }

    package var jobs: [JobKind: JobRunner.Handler] {
        [
            .moveContract: { [contracts] in try await contracts.settle($0) },
            .settleContracts: { [contracts] in try await contracts.settleAll($0) },
            .eraseStakes: { [contracts] in try await contracts.eraseStakes($0) },
        ]
    }

    package var news: [NewsKind: NewsKind.Handler] { contracts.news }
    package var badge: Badge? {
        Badge(name: ContractEvents.badge) { [contracts] in try contracts.waitingCount(of: $0, $1) }
    }
    package var privacy: [PrivacyLine] {
        [
            PrivacyLine(
                .people, 50,
                "A photo that you stake in a contract is seen by you and the other person while the contract is open, and only by you afterwards. The witness never sees it. It is published only if you break the promise."
            ),
            PrivacyLine(
                .others, 40,
                "A server on which you have connected an account gets a photo only if you break the promise of a contract for which you chose that: the photo, its description and the words with it. Everyone can see them there."
            ),
            PrivacyLine(
                .hidden, 30,
                "photos staked in contracts"),
        ]
    }

    package var accountData: (any AccountData)? { ContractsData(contracts: contracts) }

    @Sendable private func waiting(
        for viewer: Account.ID, with friend: Account.ID, _ transaction: Transaction
    ) throws -> [String] {
        try ContractStore(transaction).offers(between: viewer, and: friend, limit: 3).map { promise in
            let words = promise.count > 60 ? "\(promise.prefix(60).trimmed)…" : promise
            return "The contract offer “\(words)” can’t be accepted while you don’t follow each other."
        }
    }

    @Sendable private func aboveMessages(
        of viewer: Account, with peer: Account, _ transaction: Transaction
    ) throws -> Drawing? {
        let open = try contracts.openContract(between: viewer, and: peer, transaction)
        let components = ContractComponents(frame: app.frame)
        return {
            components.live("/contracts/card/\(peer.id)") { open.map(components.card) ?? .empty }
        }
    }

    package func leave(_ account: Account.ID, _ transaction: Transaction) throws {
        try contracts.follow(account, transaction)
    }
}
