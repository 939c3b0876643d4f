import Core
import Serving
import Storage

// Blocking, and seeing blocked people.
extension RelationshipService {
    /// Blocks someone: both stop following each other, and neither sees, finds or reaches the other any more. Blocking
    /// twice has no further effect.
    ///
    /// - Throws: ``Refusal``: 404 for someone whom the viewer can't see, 422 for the viewer's own account.
    package func block(_ id: Account.ID, by viewer: Account) async throws -> Relationship {
        guard id != viewer.id else { throw Refusal.invalid("id", "ERR_INVALID", "You can’t block yourself.") }
        return try await database.write { [self] transaction in
            guard let account = try AccountRecords(transaction).unchecked(id),
                try !AccountRecords(transaction).blocks(id, viewer.id),
                try !account.isSuspended || AccountRecords(transaction).blocks(viewer.id, id)
            else { throw Refusal.notFound }
            try AccountRecords(transaction).insertBlock(viewer.id, id)
            try endFollow(viewer.id, id, transaction)
            try endFollow(id, viewer.id, transaction)
            try changed(.blocked, viewer.id, id, transaction)
            try sight.narrow(for: [viewer.id, id], transaction)
            // Events from before the block must not be resumed: both people's streams begin again.
            transaction.afterCommit { [events] _ in for account in [viewer.id, id] { events.end(account) } }
            return try FollowStore(transaction).relationship(of: viewer.id, to: id)
        }
    }

    /// Ends a block. The follows that it ended stay ended.
    ///
    /// - Throws: ``Refusal`` (404) for someone who isn't blocked and whom the viewer can't see.
    package func unblock(_ id: Account.ID, by viewer: Account) async throws -> Relationship {
        let relationship = try await database.write { transaction in
            let store = FollowStore(transaction)
            guard try AccountRecords(transaction).deleteBlock(viewer.id, id) else {
                _ = try AccountRecords(transaction).account(id, for: viewer)
                return try store.relationship(of: viewer.id, to: id)
            }
            // The viewer must not learn whether the other person blocks them, too.
            var relationship = try store.relationship(of: viewer.id, to: id)
            relationship.isBlockedBy = false
            return relationship
        }
        return relationship
    }

    /// Returns one page of the people whom the viewer blocks, newest first, with the id by which each row is paged.
    package func blocked(by viewer: Account, page: PageRequest) async throws -> [(Int64, Account)] {
        try await database.read { try AccountRecords($0).blocked(by: viewer.id, page: page) }
    }

    /// Returns the number of people whom the viewer blocks.
    func blockedCount(by viewer: Account, _ transaction: Transaction) throws -> Int {
        try AccountRecords(transaction).blockedCount(by: viewer.id)
    }

    /// Returns a person by username, including one whom the viewer blocks, so that they can be unblocked.
    ///
    /// - Throws: ``Refusal`` (404) when there is no such person, for suspended people, and for those who block the
    ///   viewer.
    package func accountToChange(username: String, for viewer: Account) async throws -> Listed {
        try await database.read { transaction in
            let account = try AccountRecords(transaction).unchecked(username: username)
            return try RelationshipRecords(transaction).toChange(account, for: viewer)
        }
    }

    /// Returns a person by id, including one whom the viewer blocks, so that they can be unblocked.
    ///
    /// - Throws: ``Refusal`` (404) when there is no such person, for suspended people, and for those who block the
    ///   viewer.
    package func accountToChange(_ id: Account.ID, for viewer: Account) async throws -> Listed {
        try await database.read { transaction in
            let account = try AccountRecords(transaction).unchecked(id)
            return try RelationshipRecords(transaction).toChange(account, for: viewer)
        }
    }
}
