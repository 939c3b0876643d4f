import Core
import Serving
import Storage

// Following, and answering follow requests.
extension RelationshipService {
    /// Follows someone, or sends a request to someone who approves their followers. Following twice has no further
    /// effect.
    ///
    /// - Throws: ``Refusal``: 404 for someone whom the viewer can't see, 422 for the viewer's own account and beyond
    ///   7,500 people.
    package func follow(_ id: Account.ID, by viewer: Account) async throws -> Relationship {
        guard id != viewer.id else {
            throw Refusal.invalid("id", "ERR_INVALID", "You can’t follow yourself.")
        }
        return try await database.write { [self] transaction in
            let store = FollowStore(transaction)
            let account = try AccountRecords(transaction).account(id, for: viewer)
            let current = try AccountRecords(transaction).unchecked(viewer.id)
            guard (current?.followingCount ?? 0) < 7_500 else {
                throw Refusal.invalid(
                    "id", "ERR_TOO_MANY", "You already follow 7,500 people, which is the limit.")
            }
            let accepted = !account.approvesFollowers
            if try store.insertFollow(viewer.id, id, accepted: accepted) {
                if accepted { try AccountRecords(transaction).countFollow(viewer.id, id, by: 1) }
                try changed(accepted ? .began : .asked, viewer.id, id, transaction)
            }
            return try store.relationship(of: viewer.id, to: id)
        }
    }

    /// Stops following someone, or withdraws the request. Unfollowing twice has no further effect.
    ///
    /// - Parameter unlessWaiting: whether to do nothing when something waits for both people.
    /// - Throws: ``Refusal``: 404, and 409 with sentences that name what waits.
    package func unfollow(
        _ id: Account.ID, unlessWaiting: Bool = false, by viewer: Account
    ) async throws -> Relationship {
        try await database.write { [self] transaction in
            let account = try AccountRecords(transaction).account(id, for: viewer)
            if unlessWaiting {
                let waiting = try costs(of: viewer, with: account, transaction)
                guard waiting.isEmpty else { throw Refusal.conflict(waiting.joined(separator: " ")) }
            }
            try endFollow(viewer.id, id, transaction)
            return try FollowStore(transaction).relationship(of: viewer.id, to: id)
        }
    }

    /// Returns sentences that name what the end of a follow would cost the viewer.
    private func costs(
        of viewer: Account, with account: Account, _ transaction: Transaction
    ) throws -> [String] {
        let relationship = try FollowStore(transaction).relationship(of: viewer.id, to: account.id)
        guard relationship.follows else { return [] }
        let asks =
            account.approvesFollowers
            ? ["\(account.displayName) approves followers, so you would have to ask again."] : []
        guard relationship.areFriends else { return asks }
        return try waiting.all.flatMap { try $0(viewer.id, account.id, transaction) } + asks
    }

    /// Ends a follow or a request in a transaction, with everything that depends on the two being friends.
    ///
    /// The follower can no longer see posts, so their pages load again, their browsers keep none, and earlier events are
    /// not sent again.
    func endFollow(_ follower: Account.ID, _ followee: Account.ID, _ transaction: Transaction) throws {
        guard let wasAccepted = try FollowStore(transaction).deleteFollow(follower, followee) else { return }
        if wasAccepted { try AccountRecords(transaction).countFollow(follower, followee, by: -1) }
        try ListStore(transaction).removeFromAll(followee, of: follower)
        try changed(.ended(wasAccepted: wasAccepted), follower, followee, transaction)
        guard wasAccepted else { return }
        try sight.narrow(for: [follower], transaction)
        transaction.afterCommit { [events] _ in events.reset(follower) }
    }

    // MARK: Friends

    /// Returns those of some accounts that are friends of the viewer.
    package func friends(_ ids: [Account.ID], of viewer: Account) async throws -> [Account] {
        try await database.read { try RelationshipRecords($0).friends(ids, of: viewer) }
    }

    // MARK: Requests

    /// Returns one page of follow requests, newest first, with the id by which each row is paged.
    package func followRequests(to viewer: Account, page: PageRequest) async throws -> [(Int64, Listed)] {
        try await database.read { transaction in
            try RelationshipRecords(transaction).listed(
                FollowStore(transaction).followRequests(to: viewer.id, page: page), for: viewer)
        }
    }

    /// Returns the number of follow requests, counted up to a thousand.
    package func followRequestsCount(to viewer: Account) async throws -> Int {
        try await database.read { try FollowStore($0).followRequestsCount(to: viewer.id) }
    }

    /// Accepts a follow request.
    ///
    /// - Throws: ``Refusal`` (404) when they haven't asked, or have withdrawn their request.
    package func acceptFollow(of id: Account.ID, by viewer: Account) async throws -> Relationship {
        try await answer(id, viewer) { [self] transaction in
            guard try FollowStore(transaction).acceptFollow(id, viewer.id) else { throw Refusal.notFound }
            try AccountRecords(transaction).countFollow(id, viewer.id, by: 1)
            try changed(.accepted, id, viewer.id, transaction)
        }
    }

    /// Declines a follow request, without notifying the person who sent it.
    ///
    /// - Throws: ``Refusal`` (404) when they haven't asked, or have withdrawn their request.
    package func rejectFollow(of id: Account.ID, by viewer: Account) async throws -> Relationship {
        try await answer(id, viewer) { [self] transaction in
            guard try FollowStore(transaction).deleteFollowRequest(id, viewer.id) else {
                throw Refusal.notFound
            }
            try changed(.declined, id, viewer.id, transaction)
        }
    }

    /// Removes a follower of the viewer. Removing twice has no further effect.
    package func removeFollower(_ id: Account.ID, by viewer: Account) async throws -> Relationship {
        try await answer(id, viewer) { [self] in try endFollow(id, viewer.id, $0) }
    }

    private func answer(
        _ id: Account.ID, _ viewer: Account, _ change: @escaping @Sendable (Transaction) throws -> Void
    ) async throws -> Relationship {
        try await database.write { transaction in
            _ = try AccountRecords(transaction).account(id, for: viewer)
            try change(transaction)
            return try FollowStore(transaction).relationship(of: viewer.id, to: id)
        }
    }

    /// Accepts all requests to follow an account, in the transaction after which anyone may follow it.
    func acceptAll(of account: Account.ID, _ transaction: Transaction) throws {
        let followers = try FollowStore(transaction).acceptAllFollows(of: account)
        try AccountRecords(transaction).countFollows(of: followers, account)
        try changed(.acceptedAll, account, account, transaction)
    }
}

extension RelationshipRecords {
    /// Returns those of some accounts that are friends of the viewer.
    package func friends(_ ids: [Account.ID], of viewer: Account) throws -> [Account] {
        let relationships = try FollowStore(transaction).relationships(of: viewer.id, to: ids)
        let friends = ids.filter { relationships[$0]?.areFriends == true }
        let accounts = try AccountRecords(transaction).unchecked(friends)
        return friends.compactMap { accounts[$0] }.filter { !$0.isSuspended }
    }
}
