import Storage

// Following, and answering those who ask to.
extension AccountService {
    /// Follows someone, or asks to when they accept followers by hand. Following twice is following once.
    ///
    /// - Throws: ``Refusal``: 404 for someone who can't be seen, 422 for oneself and beyond 7,500.
    func follow(_ id: Account.ID, by viewer: Account) async throws -> Relationship {
        guard id != viewer.id else {
            throw Refusal.invalid("id", "ERR_INVALID", "You can’t follow yourself.")
        }
        let relationship = try await database.write { [notifications] transaction in
            let store = AccountStore(transaction)
            let account = try Self.account(transaction, id, for: viewer)
            let current = try store.account(viewer.id)
            guard (current?.followingCount ?? 0) < 7_500 else {
                throw Refusal.invalid(
                    "id", "ERR_TOO_MANY", "You already follow 7,500 people, which is the limit.")
            }
            let accepted = !account.approvesFollowers
            let isNew = try store.insertFollow(viewer.id, id, accepted: accepted)
            if isNew, accepted { try store.changeFollowCounts(viewer.id, id, by: 1) }
            if isNew {
                try notifications.note(
                    accepted ? .follow : .followRequest, to: id, from: viewer.id, transaction)
            }
            return try store.relationship(of: viewer.id, to: id)
        }
        refresh(viewer.id, id)
        return relationship
    }

    /// Lets go of what memory holds of both, whose counts have changed.
    func refresh(_ one: Account.ID, _ other: Account.ID) {
        sessions.refresh(one)
        sessions.refresh(other)
    }

    /// Ends following, or takes back the request. Unfollowing twice is unfollowing once.
    func unfollow(_ id: Account.ID, by viewer: Account) async throws -> Relationship {
        let relationship = try await database.write { [events, notifications] transaction in
            let store = AccountStore(transaction)
            _ = try Self.account(transaction, id, for: viewer)
            try Self.endFollow(store, viewer.id, id, events)
            for kind in [Notification.Kind.follow, .followRequest] {
                try NotificationService.takeBack(kind, to: id, from: viewer.id, transaction)
            }
            notifications.tellCount(to: [id, viewer.id], transaction)
            return try store.relationship(of: viewer.id, to: id)
        }
        refresh(viewer.id, id)
        return relationship
    }

    /// Ends following in a transaction, and with the friendship what the two were told of each other's snaps.
    ///
    /// The follower loses sight of posts: their pages fetch again, and what was told before is taken up no more.
    static func endFollow(
        _ store: AccountStore, _ follower: Account.ID, _ followee: Account.ID, _ events: EventBus
    ) throws {
        guard try store.deleteFollow(follower, followee) == true else { return }
        try store.changeFollowCounts(follower, followee, by: -1)
        for (poster, friend) in [(follower, followee), (followee, follower)] {
            try NotificationService.takeBack(.snap, to: friend, from: poster, store.transaction)
        }
        try SnapService.part(follower, followee, store.transaction)
        store.transaction.afterCommit { _ in events.reset(follower) }
    }

    // MARK: Friends

    /// Those of `ids` that are friends.
    func friends(_ ids: [Account.ID], of viewer: Account) async throws -> [Account] {
        try await database.read { transaction in
            let store = AccountStore(transaction)
            return try ids.filter { try store.relationship(of: viewer.id, to: $0).areFriends }
                .compactMap { try store.account($0) }.filter { !$0.isSuspended }
        }
    }

    // MARK: Requests

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
            try NotificationService.takeBack(.followRequest, to: viewer.id, from: id, store.transaction)
            try self.notifications.note(.follow, to: viewer.id, from: id, store.transaction)
        }
    }

    /// Declines someone who has asked to follow. They are not told.
    ///
    /// - Throws: ``Refusal`` (404) when they haven't asked, or took it back.
    func rejectFollow(of id: Account.ID, by viewer: Account) async throws -> Relationship {
        try await answer(id, viewer) { store in
            guard try store.deleteFollowRequest(id, viewer.id) else { throw Refusal.notFound }
            try NotificationService.takeBack(.followRequest, to: viewer.id, from: id, store.transaction)
        }
    }

    /// Ends that someone follows the viewer. Doing it twice is doing it once.
    func removeFollower(_ id: Account.ID, by viewer: Account) async throws -> Relationship {
        try await answer(id, viewer) { [events] in try Self.endFollow($0, id, viewer.id, events) }
    }

    private func answer(
        _ id: Account.ID, _ viewer: Account, _ change: @escaping @Sendable (AccountStore) throws -> Void
    ) async throws -> Relationship {
        let relationship = try await database.write { [notifications] transaction in
            _ = try Self.account(transaction, id, for: viewer)
            let store = AccountStore(transaction)
            try change(store)
            notifications.tellCount(to: [id, viewer.id], transaction)
            return try store.relationship(of: viewer.id, to: id)
        }
        refresh(viewer.id, id)
        return relationship
    }
}
