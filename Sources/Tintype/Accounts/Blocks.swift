import Storage

// Blocking, and seeing whom one blocks.
extension AccountService {
    /// Blocks someone: both stop following, and neither sees, finds or reaches the other any more. Blocking twice is
    /// blocking once.
    ///
    /// - Throws: ``Refusal``: 404 for someone who can't be seen, 422 for oneself.
    func block(_ id: Account.ID, by viewer: Account) async throws -> Relationship {
        guard id != viewer.id else { throw Refusal.invalid("id", "ERR_INVALID", "You can’t block yourself.") }
        let relationship = try await database.write { [events] transaction in
            let store = AccountStore(transaction)
            guard let account = try store.account(id), try !store.blocks(id, viewer.id),
                try !account.isSuspended || store.blocks(viewer.id, id)
            else { throw Refusal.notFound }
            try store.insertBlock(viewer.id, id)
            try Self.endFollow(store, viewer.id, id, events)
            try Self.endFollow(store, id, viewer.id, events)
            try NotificationService.forget(between: viewer.id, and: id, transaction)
            // Events from before the block must not be resumed: both start again.
            transaction.afterCommit { _ in for account in [viewer.id, id] { events.end(account) } }
            return try store.relationship(of: viewer.id, to: id)
        }
        refresh(viewer.id, id)
        return relationship
    }

    /// Takes a block back. The follows that it ended stay ended.
    ///
    /// - Throws: ``Refusal`` (404) for someone who isn't blocked and can't be seen.
    func unblock(_ id: Account.ID, by viewer: Account) async throws -> Relationship {
        let relationship = try await database.write { transaction in
            let store = AccountStore(transaction)
            guard try store.deleteBlock(viewer.id, id) else {
                _ = try Self.account(transaction, id, for: viewer)
                return try store.relationship(of: viewer.id, to: id)
            }
            // Whether the other blocks, too, is not for the viewer to learn.
            var relationship = try store.relationship(of: viewer.id, to: id)
            relationship.isBlockedBy = false
            return relationship
        }
        return relationship
    }

    /// One page of those whom the viewer blocks, newest first, with the id that each row is paged by.
    func blocked(by viewer: Account, page: PageRequest) async throws -> [(Int64, Account)] {
        try await database.read { try AccountStore($0).blocked(by: viewer.id, page: page) }
    }

    /// How many people the viewer blocks.
    func blockedCount(by viewer: Account) async throws -> Int {
        try await database.read { try AccountStore($0).blockedCount(by: viewer.id) }
    }

    /// A person by username, also one whom the viewer blocks, who must be found to be unblocked.
    ///
    /// - Throws: ``Refusal`` (404) for nobody, the suspended, and those who block the viewer.
    func accountToChange(username: String, for viewer: Account) async throws -> Listed {
        try await database.read { transaction in
            let store = AccountStore(transaction)
            guard let account = try store.account(username: username), !account.isSuspended else {
                throw Refusal.notFound
            }
            let relationship = try store.relationship(of: viewer.id, to: account.id)
            guard !relationship.isBlockedBy else { throw Refusal.notFound }
            return Listed(account: account, relationship: relationship)
        }
    }
}
