import Core
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

    /// Searches people by the beginnings of their names, and returns how the viewer relates to each.
    package func search(
        _ query: String, among scope: SearchScope, by order: SearchOrder, for viewer: Account, after: String,
        limit: Int
    ) throws -> [RelationshipService.Listed] {
        let terms = AccountRules.searchTerms(query.hasPrefix("@") ? String(query.dropFirst()) : query)
        guard query.isEmpty || !terms.isEmpty else { return [] }
        let found = try AccountRecords(transaction).search(
            terms, joins: scope.joins, by: order, for: viewer.id, after: after, limit: min(limit, 100))
        return try listed(found, for: viewer)
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

    /// Returns whether an account shows its posts, followers and followed people to `viewer`. An account that approves
    /// its followers shows them to accepted followers only.
    func isOpen(_ account: Account, to viewer: Account) throws -> Bool {
        guard account.approvesFollowers, account.id != viewer.id else { return true }
        return try FollowStore(transaction).relationship(of: viewer.id, to: account.id).follows
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
