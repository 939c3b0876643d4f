import Storage

// Answering those who ask to follow, and looking after those who do.
extension AccountService {
    /// One page of those who wait for an answer, newest first, with the id that each row is paged by.
    func followRequests(to viewer: Account, page: PageRequest) async throws -> [(Int64, Listed)] {
        try await database.read { transaction in
            let store = AccountStore(transaction)
            return try store.followRequests(to: viewer.id, page: page).map { key, account in
                (
                    key,
                    Listed(
                        account: account, relationship: try store.relationship(of: viewer.id, to: account.id))
                )
            }
        }
    }

    /// How many wait for an answer, counted up to a thousand.
    func followRequestsCount(to viewer: Account) async throws -> Int {
        try await database.read { try AccountStore($0).followRequestsCount(to: viewer.id) }
    }

    /// Lets someone follow who has asked.
    ///
    /// - Throws: ``Refusal`` (404) when they haven't, or took it back.
    func acceptFollow(of id: Account.ID, by viewer: Account) async throws -> Relationship {
        try await answer(id, viewer) { store in
            guard try store.acceptFollow(id, viewer.id) else { throw Refusal.notFound }
            try store.changeFollowCounts(id, viewer.id, by: 1)
            try Self.endRequest(store.transaction, from: id, to: viewer.id)
            _ = try NotificationService.note(.follow, to: viewer.id, from: id, store.transaction)
        }
    }

    /// Declines someone who has asked to follow. They are not told.
    ///
    /// - Throws: ``Refusal`` (404) when they haven't asked, or took it back.
    func rejectFollow(of id: Account.ID, by viewer: Account) async throws -> Relationship {
        try await answer(id, viewer) { store in
            guard try store.deleteFollowRequest(id, viewer.id) else { throw Refusal.notFound }
            try Self.endRequest(store.transaction, from: id, to: viewer.id)
        }
    }

    /// What was asked is answered: it isn't told any more.
    private static func endRequest(
        _ transaction: Transaction, from follower: Account.ID, to account: Account.ID
    ) throws {
        try NotificationService.takeBack(.followRequest, to: account, from: follower, transaction)
    }

    /// Ends that someone follows the viewer. Doing it twice is doing it once.
    func removeFollower(_ id: Account.ID, by viewer: Account) async throws -> Relationship {
        try await answer(id, viewer) { try Self.endFollow($0, id, viewer.id) }
    }

    private func answer(
        _ id: Account.ID, _ viewer: Account, _ change: @escaping @Sendable (AccountStore) throws -> Void
    ) async throws -> Relationship {
        let relationship = try await database.write { transaction in
            _ = try Self.account(transaction, id, for: viewer)
            let store = AccountStore(transaction)
            try change(store)
            return try store.relationship(of: viewer.id, to: id)
        }
        refresh(viewer.id, id)
        return relationship
    }

    // MARK: Blocks

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
