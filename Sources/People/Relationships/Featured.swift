import Core
import Serving
import Storage

/// The rules of featured people, whom everyone who sees a profile finds there.
enum FeaturedRules {
    /// The most people on one profile.
    static let most = 12
}

extension FollowStore {
    /// Features somebody whom a person follows, or no longer. Has no effect when that is so already.
    func setFeatured(_ isFeatured: Bool, _ followee: Account.ID, by follower: Account.ID) throws {
        try transaction.execute(
            """
            UPDATE follows SET featured_id = $3
            WHERE follower_id = $1 AND followee_id = $2 AND is_accepted = 1 AND (featured_id IS NULL) = ($4 = 1)
            """, follower, followee, isFeatured ? transaction.newID() : nil, isFeatured)
    }

    func featuredCount(by follower: Account.ID) throws -> Int {
        // follows_featured
        try transaction.value(
            "SELECT count(*) FROM follows WHERE follower_id = $1 AND featured_id IS NOT NULL", follower) ?? 0
    }

    /// Returns a page of the people whom somebody features and a viewer can see, featured last first, each with the id that
    /// pages it.
    func featured(
        by follower: Account.ID, viewer: Account.ID, page: PageRequest
    ) throws -> [(Int64, Account)] {
        // follows_featured
        try page.rows(
            idColumn: "f.featured_id",
            """
            SELECT f.featured_id, \(AccountRow.columns) FROM follows f
            JOIN \(AccountRow.table) a ON a.id = f.followee_id
            WHERE f.follower_id = $1 AND f.featured_id IS NOT NULL AND \(AccountRow.isVisible(to: "$2"))
            """, arguments: [follower, viewer], transaction
        ) { (try $0.int64("featured_id"), try AccountRow.account(from: $0)) }
    }
}

extension RelationshipRecords {
    /// Returns the people whom somebody features and the viewer can see, featured last first.
    package func featured(by account: Account, for viewer: Account) throws -> [Account] {
        guard try isOpen(account, to: viewer) else { return [] }
        let page = PageRequest(limit: FeaturedRules.most)
        return try FollowStore(transaction).featured(by: account.id, viewer: viewer.id, page: page).map(\.1)
    }
}

extension RelationshipService {
    /// Returns one page of the people whom `id` features, with the id by which each row is paged; nobody for a viewer who
    /// can't see whom `id` follows.
    package func featured(
        by id: Account.ID, for viewer: Account, page: PageRequest
    ) async throws -> [(Int64, Listed)] {
        try await listed(id, viewer) { try $0.featured(by: id, viewer: viewer.id, page: page) }
    }

    /// Features somebody on the viewer's profile. Has no further effect for somebody who is featured.
    ///
    /// - Throws: ``Refusal``: 404 for someone whom the viewer can't see, 422 for someone whom the viewer doesn't follow, and
    ///   beyond ``FeaturedRules/most`` people.
    package func feature(_ id: Account.ID, by viewer: Account) async throws -> Relationship {
        try await database.write { transaction in
            let account = try AccountRecords(transaction).account(id, for: viewer)
            let store = FollowStore(transaction)
            let before = try store.relationship(of: viewer.id, to: id)
            guard before.follows else {
                throw Refusal.invalid(
                    "id", "ERR_INVALID",
                    "Follow \(account.displayName) first: your profile features people whom you follow.")
            }
            guard try before.isFeatured || store.featuredCount(by: viewer.id) < FeaturedRules.most else {
                throw Refusal.invalid(
                    "id", "ERR_TOO_MANY",
                    "Your profile already features \(FeaturedRules.most) people, which is the limit.")
            }
            try store.setFeatured(true, id, by: viewer.id)
            return try store.relationship(of: viewer.id, to: id)
        }
    }

    /// Takes somebody off the viewer's profile. Has no effect for anyone who isn't featured.
    ///
    /// - Throws: ``Refusal`` (404) for someone whom the viewer can't see.
    package func unfeature(_ id: Account.ID, by viewer: Account) async throws -> Relationship {
        try await database.write { transaction in
            _ = try AccountRecords(transaction).account(id, for: viewer)
            let store = FollowStore(transaction)
            try store.setFeatured(false, id, by: viewer.id)
            return try store.relationship(of: viewer.id, to: id)
        }
    }
}
