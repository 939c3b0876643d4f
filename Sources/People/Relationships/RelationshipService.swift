import Core
import Storage

/// The service of relationships: finding people, following, approving followers, blocking.
package final class RelationshipService: Sendable {
    let database: Database
    let events: EventBus
    let sight: Sight
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
        database: Database, events: EventBus, sight: Sight, listeners: Registry<Listener>,
        waiting: Registry<Waiting>
    ) {
        self.database = database
        self.events = events
        self.sight = sight
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
            try RelationshipRecords($0).search(
                query, among: scope, by: order, for: viewer, after: after, limit: limit)
        }
    }

    /// Returns one page of the people whose names match a search, and what else is looked for at the same moment.
    package func search<Other: Sendable>(
        _ query: String, for viewer: Account, after: String, limit: Int,
        and other: @escaping @Sendable (Transaction) throws -> Other
    ) async throws -> (people: [Listed], other: Other) {
        try await database.read { transaction in
            let people = try RelationshipRecords(transaction).search(
                query, among: .everyone, by: .username, for: viewer, after: after, limit: limit)
            return (people, try other(transaction))
        }
    }

    /// Returns how the viewer and other accounts relate to each other. Unknown and invisible accounts are left out.
    /// Accounts that the viewer blocks are included, even if they are suspended, so that the viewer can unblock them.
    package func relationships(_ ids: [Account.ID], for viewer: Account) async throws -> [Relationship] {
        try await database.read { try RelationshipRecords($0).relationships(ids, for: viewer) }
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
            let account = try AccountRecords(transaction).account(id, for: viewer)
            return try RelationshipRecords(transaction).mutuals(of: account, for: viewer)
        }
    }

    /// Returns for each of some people those whom the viewer follows and who follow them, at most 40, in the order of `ids`.
    /// People whom the viewer can't see are left out.
    package func familiarFollowers(
        of ids: [Account.ID], for viewer: Account
    ) async throws -> [(account: Account.ID, people: [Account])] {
        try await database.read { transaction in
            let found = try AccountRecords(transaction).accounts(Set(ids), for: viewer.id)
            return try ids.compactMap { found[$0] }.map {
                ($0.id, try RelationshipRecords(transaction).mutuals(of: $0, for: viewer))
            }
        }
    }

    /// Returns one page of people whom only those may see who may see an account's followers; nobody for others.
    func listed(
        _ id: Account.ID, _ viewer: Account,
        _ rows: @escaping @Sendable (FollowStore) throws -> [(Int64, Account)]
    ) async throws -> [(Int64, Listed)] {
        try await database.read { transaction in
            let account = try AccountRecords(transaction).account(id, for: viewer)
            return try RelationshipRecords(transaction).listed(account, viewer, rows)
        }
    }

    private func circle(
        _ username: String, _ viewer: Account,
        _ rows: @escaping @Sendable (FollowStore, Account.ID) throws -> [(Int64, Account)]
    ) async throws -> Circle {
        try await database.read { transaction in
            let account = try AccountRecords(transaction).account(username: username, for: viewer)
            let people = try RelationshipRecords(transaction).listed(
                account, viewer, { try rows($0, account.id) })
            return Circle(account: account, people: people)
        }
    }
}
