import Core
import Storage

/// The service of relationships: finding people, following, approving followers, blocking.
package final class RelationshipService: Sendable {
    let database: Database
    let events: EventBus
    /// A closure that is called when something changes between two people, in the transaction of the change.
    package typealias Listener =
        @Sendable (
            _ change: RelationshipChange, _ follower: Account.ID, _ followee: Account.ID, Transaction
        ) throws -> Void
    /// The listeners of features to changes between two people.
    package let listeners: Registry<Listener>
    /// Returns sentences that name what waits for two friends and ends when the viewer unfollows the other.
    package typealias Waiting =
        @Sendable (_ viewer: Account.ID, _ friend: Account.ID, Transaction) throws -> [String]
    /// What waits for two friends in each feature.
    package let waiting: Registry<Waiting>

    init(
        database: Database, events: EventBus, listeners: Registry<Listener>, waiting: Registry<Waiting>
    ) {
        self.database = database
        self.events = events
        self.listeners = listeners
        self.waiting = waiting
    }

    /// Notifies every feature of a change between two people.
    func changed(
        _ change: RelationshipChange, _ follower: Account.ID, _ followee: Account.ID,
        _ transaction: Transaction
    ) throws {
        for listen in listeners.all { try listen(change, follower, followee, transaction) }
    }

    // MARK: Finding

    /// Returns how one person relates to another, in a transaction of another service.
    package static func relationship(
        of viewer: Account.ID, to account: Account.ID, _ transaction: Transaction
    ) throws -> Relationship {
        try FollowStore(transaction).relationship(of: viewer, to: account)
    }

    /// A person in a list, with their relationship to the viewer.
    package struct Listed: Sendable {
        package var account: Account
        package var relationship: Relationship

        package init(account: Account, relationship: Relationship) {
            self.account = account
            self.relationship = relationship
        }
    }

    /// Returns people whose name or username has words that begin with those of `query`. An empty query finds everyone.
    ///
    /// - Parameters:
    ///   - scope: everyone, the people the viewer follows, or friends.
    ///   - after: the last username of the previous page; empty for the first page.
    package func search(
        _ query: String, among scope: SearchScope = .everyone, by order: SearchOrder = .username,
        for viewer: Account, after: String = "", limit: Int
    ) async throws -> [Listed] {
        try await database.read {
            try Self.search(query, among: scope, by: order, for: viewer, after: after, limit: limit, $0)
        }
    }

    package static func search(
        _ query: String, among scope: SearchScope, by order: SearchOrder, for viewer: Account, after: String,
        limit: Int, _ transaction: Transaction
    ) throws -> [Listed] {
        let terms = AccountRules.searchTerms(query.hasPrefix("@") ? String(query.dropFirst()) : query)
        guard query.isEmpty || !terms.isEmpty else { return [] }
        let store = FollowStore(transaction)
        return try AccountService.search(
            terms, joins: scope.joins, by: order, for: viewer.id, after: after, limit: min(limit, 100),
            transaction
        ).map { Listed(account: $0, relationship: try store.relationship(of: viewer.id, to: $0.id)) }
    }

    /// Returns how the viewer and other accounts relate to each other. Unknown and invisible accounts are left out.
    /// Accounts that the viewer blocks are included, even if they are suspended, so that the viewer can unblock them.
    package func relationships(_ ids: [Account.ID], for viewer: Account) async throws -> [Relationship] {
        try await database.read { try Self.relationships(ids, for: viewer, $0) }
    }

    package static func relationships(
        _ ids: [Account.ID], for viewer: Account, _ transaction: Transaction
    ) throws -> [Relationship] {
        let store = FollowStore(transaction)
        return try ids.prefix(40).compactMap { id in
            guard let account = try AccountService.unchecked(id, transaction) else { return nil }
            let relationship = try store.relationship(of: viewer.id, to: id)
            guard !relationship.isBlockedBy, !account.isSuspended || relationship.blocks else {
                return nil
            }
            return relationship
        }
    }

    /// Returns one page of the followers of `id`, with the id by which each row is paged.
    package func followers(of id: Account.ID, for viewer: Account, page: PageRequest) async throws -> [(
        Int64, Listed
    )] {
        try await listed(id, viewer) { try $0.followers(of: id, viewer: viewer.id, page: page) }
    }

    /// Returns one page of the people whom `id` follows, with the id by which each row is paged.
    package func following(of id: Account.ID, for viewer: Account, page: PageRequest) async throws -> [(
        Int64, Listed
    )] {
        try await listed(id, viewer) { try $0.following(of: id, viewer: viewer.id, page: page) }
    }

    /// An account with a page of its followers, or of the people whom it follows.
    package struct Circle: Sendable {
        package let account: Account
        /// The people, with the id by which each row is paged.
        package let people: [(Int64, Listed)]
    }

    /// Returns an account and one page of its followers.
    package func followers(
        of username: String, for viewer: Account, page: PageRequest
    ) async throws -> Circle {
        try await circle(username, viewer) { try $0.followers(of: $1, viewer: viewer.id, page: page) }
    }

    /// Returns an account and one page of the people whom it follows.
    package func following(
        of username: String, for viewer: Account, page: PageRequest
    ) async throws -> Circle {
        try await circle(username, viewer) { try $0.following(of: $1, viewer: viewer.id, page: page) }
    }

    /// Returns people whom the viewer follows and who follow `id`, at most 40.
    package func mutuals(_ id: Account.ID, for viewer: Account) async throws -> [Account] {
        try await database.read { transaction in
            let account = try AccountService.account(id, for: viewer, transaction)
            guard try Self.isOpen(account, to: viewer, transaction) else { return [] }
            return try FollowStore(transaction).mutuals(of: id, viewer: viewer.id, limit: 40)
        }
    }

    /// Returns whether an account shows its posts, followers and followed people to `viewer`. An account that approves
    /// its followers shows them to accepted followers only.
    static func isOpen(_ account: Account, to viewer: Account, _ transaction: Transaction) throws -> Bool {
        guard account.approvesFollowers, account.id != viewer.id else { return true }
        return try FollowStore(transaction).relationship(of: viewer.id, to: account.id).follows
    }

    private func listed(
        _ id: Account.ID, _ viewer: Account,
        _ rows: @escaping @Sendable (FollowStore) throws -> [(Int64, Account)]
    ) async throws -> [(Int64, Listed)] {
        try await database.read { transaction in
            let account = try AccountService.account(id, for: viewer, transaction)
            return try Self.listed(account, viewer, rows, transaction)
        }
    }

    private func circle(
        _ username: String, _ viewer: Account,
        _ rows: @escaping @Sendable (FollowStore, Account.ID) throws -> [(Int64, Account)]
    ) async throws -> Circle {
        try await database.read { transaction in
            let account = try AccountService.account(username: username, for: viewer, transaction)
            let people = try Self.listed(account, viewer, { try rows($0, account.id) }, transaction)
            return Circle(account: account, people: people)
        }
    }

    /// Returns the rows of a list of an account's followers or followed people; none if the list is closed to the
    /// viewer.
    private static func listed(
        _ account: Account, _ viewer: Account, _ rows: (FollowStore) throws -> [(Int64, Account)],
        _ transaction: Transaction
    ) throws -> [(Int64, Listed)] {
        guard try isOpen(account, to: viewer, transaction) else { return [] }
        let store = FollowStore(transaction)
        return try rows(store).map { key, account in
            (
                key,
                Listed(
                    account: account, relationship: try store.relationship(of: viewer.id, to: account.id))
            )
        }
    }
}
