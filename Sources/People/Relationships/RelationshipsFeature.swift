import Core
import Hummingbird
import Serving
import Storage

/// The feature of follows, blocks and mutes, and of notes about people and lists of them.
package struct RelationshipsFeature: Feature {
    package static let scripts = FeatureScripts(
        elements: ["follow-button": "accounts/follow-button.js"])
    package static let tables = [
        FeatureTable("follows", accounts: ["follower_id": .erased, "followee_id": .erased]),
        FeatureTable("mutes", accounts: ["account_id": .deleted, "muted_id": .deleted], isKept: true),
        FeatureTable("account_notes", accounts: ["account_id": .deleted, "noted_id": .deleted]),
        FeatureTable("people_lists", accounts: ["owner_id": .deleted]),
        FeatureTable("list_members", accounts: ["owner_id": .deleted, "member_id": .deleted]),
        FeatureTable("dismissed_suggestions", accounts: ["account_id": .deleted, "dismissed_id": .deleted]),
    ]
    package static let counters = [
        FeatureCounter(
            "followers", of: "accounts", "followers_count",
            "SELECT count(*) FROM follows f WHERE f.followee_id = o.id AND f.is_accepted = 1"),
        FeatureCounter(
            "people followed", of: "accounts", "following_count",
            "SELECT count(*) FROM follows f WHERE f.follower_id = o.id AND f.is_accepted = 1"),
    ]

    package let menu = [Page.Link.lists]

    package let relations: RelationshipService
    private let app: AppParts

    package init(_ app: AppParts) {
        self.app = app
        relations = RelationshipService(
            database: app.database, events: app.events, sight: app.sight, listeners: app.registry(),
            waiting: app.registry())
    }

    package func addRoutes(to router: Router<AppContext>) {
        RelationshipPages(frame: app.frame, relations: relations).add(to: router)
        ListPages(frame: app.frame, relations: relations).add(to: router)
        ListAPI(relations: relations, entities: app.entities).add(to: router)
    }

    package func settings(for viewer: Account, _ transaction: Transaction) throws -> [SettingsLine] {
        let count = try relations.blockedCount(by: viewer, transaction)
        let mutedCount = try relations.mutedCount(by: viewer, transaction)
        return [
            SettingsLine(
                group: .privacy, position: 20, title: "Blocked people", symbol: "person-x",
                path: RelationshipPaths.blocked, value: count == 0 ? nil : count.grouped),
            SettingsLine(
                group: .privacy, position: 25, title: "Muted people", symbol: "bell-slash",
                path: RelationshipPaths.muted, value: mutedCount == 0 ? nil : mutedCount.grouped),
        ]
    }

    package var jobs: [JobKind: JobRunner.Handler] {
        [.endMute: { [relations] in try await relations.endMute($0) }]
    }

    package var accountData: (any AccountData)? { RelationshipsData() }

    /// Accepts everyone who has asked to follow an account, when it lets anyone follow from now on. When it approves
    /// its followers from now on, everyone else may see less of it.
    package func profileChanged(_ account: Account, from old: Account, _ transaction: Transaction) throws {
        guard old.approvesFollowers != account.approvesFollowers else { return }
        if account.approvesFollowers {
            try app.sight.narrowForEveryone(transaction)
        } else {
            try relations.acceptAll(of: account.id, transaction)
        }
    }
}

/// The data about whom a person follows, features, mutes and lists, who follows them, and what the person wrote about others.
private struct RelationshipsData: AccountData {
    private static let batch = 200

    let lists = [
        AccountDataList.people(
            "following", FollowRow.table, own: "follower_id", other: "followee_id", "x.is_accepted"),
        AccountDataList.people(
            "followers", FollowRow.table, own: "followee_id", other: "follower_id", "x.is_accepted"),
        AccountDataList.people("muted", MuteRow.table, own: "account_id", other: "muted_id", "1"),
        AccountDataList(
            "featured-people", [("username", .text), ("name", .text), ("featured_at", .timeOfID)],
            """
            SELECT f.featured_id AS place, a.username, a.display_name AS name, f.featured_id AS featured_at
            FROM \(FollowRow.table) f JOIN \(AccountRow.table) a ON a.id = f.followee_id
            WHERE f.follower_id = $1 AND f.featured_id > $2 ORDER BY f.featured_id LIMIT $3
            """),
        AccountDataList(
            "lists", [("title", .text), ("made_at", .timeOfID), ("only_here", .flag)],
            """
            SELECT id AS place, title, id AS made_at, is_exclusive AS only_here FROM \(ListRow.table)
            WHERE owner_id = $1 AND id > $2 ORDER BY id LIMIT $3
            """),
        // The page size counts whole lists, which have at most 500 people each.
        AccountDataList(
            "list-people", [("list", .text), ("username", .text), ("added_at", .timeOfID)],
            """
            SELECT m.list_id AS place, l.title AS list, a.username, m.id AS added_at
            FROM \(ListRow.members) m JOIN \(ListRow.table) l ON l.id = m.list_id
            JOIN \(AccountRow.table) a ON a.id = m.member_id
            WHERE m.list_id IN (SELECT o.id FROM \(ListRow.table) o WHERE o.owner_id = $1 AND o.id > $2
                AND EXISTS (SELECT 1 FROM \(ListRow.members) e WHERE e.list_id = o.id) ORDER BY o.id LIMIT $3)
            ORDER BY m.list_id, m.id
            """),
        AccountDataList(
            "notes", [("username", .text), ("name", .text), ("written_at", .timeOfID), ("note", .text)],
            """
            SELECT n.id AS place, a.username, a.display_name AS name, n.id AS written_at, n.text AS note
            FROM \(NoteStore.table) n JOIN \(AccountRow.table) a ON a.id = n.noted_id
            WHERE n.account_id = $1 AND n.id > $2 ORDER BY n.id LIMIT $3
            """),
    ]

    func erase(_ account: Account.ID, _ transaction: Transaction) throws -> Bool {
        let store = FollowStore(transaction)
        let follows = try store.anyFollows(of: account, limit: Self.batch)
        for (follower, followee) in follows {
            if try store.deleteFollow(follower, followee) == true {
                try AccountRecords(transaction).countFollow(follower, followee, by: -1)
            }
        }
        return follows.isEmpty
    }
}
