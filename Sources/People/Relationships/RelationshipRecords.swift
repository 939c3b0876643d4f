import Core
import Serving
import Storage

/// The relationships between people inside a transaction: who follows, blocks and mutes whom.
package struct RelationshipRecords {
    let transaction: Transaction

    package init(_ transaction: Transaction) { self.transaction = transaction }

    /// Returns how one person relates to another.
    package func relationship(of viewer: Account.ID, to account: Account.ID) throws -> Relationship {
        try FollowStore(transaction).relationship(of: viewer, to: account)
    }

    /// Returns how one person relates to others, at most a page, as far as these exist.
    package func relationships(
        of viewer: Account.ID, to others: some Sequence<Account.ID>
    ) throws -> [Account.ID: Relationship] {
        try FollowStore(transaction).relationships(of: viewer, to: others)
    }

    /// The most people of one search; a longer list has pages.
    private static let mostFound = 1_100
    /// The most people whom the viewer follows before all others in the result of a search.
    private static let mostFollowedFirst = 20

    /// Searches people by the beginnings of their names, and returns how the viewer relates to each.
    ///
    /// A search among everyone has an order of its own: the person with exactly that username, then some whom the viewer
    /// follows, then the closest names.
    package func search(
        _ query: String, among scope: SearchScope, by order: SearchOrder, for viewer: Account, after: String,
        limit: Int
    ) throws -> [RelationshipService.Listed] {
        let name = query.hasPrefix("@") ? String(query.dropFirst()) : query
        let terms = AccountRules.searchTerms(name)
        guard query.isEmpty || !terms.isEmpty else { return [] }
        let limit = min(limit, Self.mostFound)
        let search = AccountSearch(transaction, for: viewer.id)
        let found =
            scope == .everyone && !terms.isEmpty
            ? try everyone(name, terms, search, after: after, limit: limit)
            : try search.people(terms, joins: scope.joins, by: order, after: after, limit: limit)
        return try listed(found, for: viewer)
    }

    private func everyone(
        _ name: String, _ terms: [String], _ search: AccountSearch, after: String, limit: Int
    ) throws -> [Account] {
        let exact = try search.person(named: name)
        let followed = try search.people(
            terms, joins: SearchScope.followed.joins, by: .username, after: "", limit: Self.mostFollowedFirst)
        let first = (exact.map { [$0] } ?? []) + followed.filter { $0.id != exact?.id }
        let last = first.lastIndex {
            AccountRules.folded(username: $0.username) == AccountRules.folded(username: after)
        }
        let isBehind = last == nil && !after.isEmpty
        let begun = isBehind ? [] : Array(first[(last.map { $0 + 1 } ?? 0)...].prefix(limit))
        guard begun.count < limit else { return begun }
        let known = Set(first.map(\.id))
        // Those who came first are found again.
        let others = try search.nearest(
            terms, after: isBehind ? after : "", limit: limit - begun.count + first.count)
        return begun + others.filter { !known.contains($0.id) }.prefix(limit - begun.count)
    }

    /// Returns how the viewer relates to some people, at most 40, without those whom the viewer can't see.
    package func relationships(_ ids: [Account.ID], for viewer: Account) throws -> [Relationship] {
        let ids = ids.prefix(40)
        let accounts = try AccountRecords(transaction).unchecked(ids)
        let relationships = try FollowStore(transaction).relationships(of: viewer.id, to: ids)
        return ids.compactMap { id in
            guard let account = accounts[id], let relationship = relationships[id],
                !relationship.isBlockedBy, !account.isSuspended || relationship.blocks
            else { return nil }
            return relationship
        }
    }

    /// Returns an account with how the viewer relates to it, if the viewer may change that.
    ///
    /// - Throws: ``Refusal`` (404) when there is no such person, for suspended people, and for those who block the
    ///   viewer.
    func toChange(_ account: Account?, for viewer: Account) throws -> RelationshipService.Listed {
        guard let account, !account.isSuspended else { throw Refusal.notFound }
        let relationship = try FollowStore(transaction).relationship(of: viewer.id, to: account.id)
        guard !relationship.isBlockedBy else { throw Refusal.notFound }
        return RelationshipService.Listed(account: account, relationship: relationship)
    }

    /// Returns whether an account shows its posts, followers and followed people to `viewer`. An account that approves
    /// its followers shows them to accepted followers only.
    func isOpen(_ account: Account, to viewer: Account) throws -> Bool {
        guard account.approvesFollowers, account.id != viewer.id else { return true }
        return try FollowStore(transaction).relationship(of: viewer.id, to: account.id).follows
    }

    /// Returns people whom the viewer follows and who follow an account, at most 40; none if the account's followers are
    /// closed to the viewer.
    func mutuals(of account: Account, for viewer: Account) throws -> [Account] {
        guard try isOpen(account, to: viewer) else { return [] }
        return try FollowStore(transaction).mutuals(of: account.id, viewer: viewer.id, limit: 40)
    }

    /// Returns the rows of a list of an account's followers or followed people; none if the list is closed to the
    /// viewer.
    func listed(
        _ account: Account, _ viewer: Account, _ rows: (FollowStore) throws -> [(Int64, Account)]
    ) throws -> [(Int64, RelationshipService.Listed)] {
        guard try isOpen(account, to: viewer) else { return [] }
        return try listed(rows(FollowStore(transaction)), for: viewer)
    }

    /// Returns the rows of a list, each with how the viewer relates to the account.
    func listed(
        _ rows: [(Int64, Account)], for viewer: Account
    ) throws -> [(Int64, RelationshipService.Listed)] {
        zip(rows.map(\.0), try listed(rows.map(\.1), for: viewer)).map { ($0, $1) }
    }

    /// Returns accounts, each with how the viewer relates to it.
    func listed(_ accounts: [Account], for viewer: Account) throws -> [RelationshipService.Listed] {
        let relationships = try FollowStore(transaction).relationships(
            of: viewer.id, to: accounts.map(\.id))
        return accounts.map {
            RelationshipService.Listed(
                account: $0, relationship: relationships[$0.id] ?? Relationship(account: $0.id))
        }
    }
}
