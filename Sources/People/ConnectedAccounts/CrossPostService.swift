import Core
import Foundation
import Serving
import Storage

/// The service that publishes on connected accounts: beginning, reporting the state, and recording what only a person
/// can see.
package final class CrossPostService: Sendable {
    private let database: Database
    /// The listeners of features to changes of their cross-posts.
    package let listeners: CrossPostListeners

    init(database: Database, listeners: CrossPostListeners) {
        self.database = database
        self.listeners = listeners
    }

    /// Begins to publish a post on a person's connected account, in a transaction of the feature. Without a usable
    /// connected account the cross-post is ``CrossPost/State/revoked`` at once.
    ///
    /// - Parameters:
    ///   - reference: the thing for which the post is published; each change notifies the listener of its kind
    ///     (``CrossPostListeners``).
    ///   - account: the owner of the connected account.
    ///   - handle: the connected account that the owner chose, such as `@ana@mastodon.social`. Any other account counts
    ///     as none.
    package func publish(
        _ draft: CrossPost.Draft, reference: CrossPost.Reference, by account: Account.ID, on handle: String?,
        _ transaction: Transaction
    ) throws -> CrossPost.ID {
        let connected = try ConnectedAccountService.connected(account, transaction).flatMap {
            $0.handle == handle ? $0 : nil
        }
        var progress = CrossPostProgress(now: transaction.now)
        if connected == nil { progress.ending = .revoked }
        let post = CrossPost(
            id: ID(rawValue: transaction.newID()), account: account, reference: reference,
            server: connected?.server ?? "", text: draft.text, description: draft.description,
            progress: progress)
        try CrossPostStore(transaction).insert(
            .init(
                post: post, connected: connected?.id, turn: 0, source: connected == nil ? nil : draft.picture,
                picture: nil, idempotencyKey: Session.newToken()))
        if connected != nil {
            try transaction.schedule(.copyCrossPostPicture, payload: post.id.description)
        }
        return post.id
    }

    /// Returns the state of publishing. A post whose account is deleted is revoked.
    package static func state(of id: CrossPost.ID, _ transaction: Transaction) throws -> CrossPost.State {
        try CrossPostStore(transaction).post(id)?.post.state ?? .revoked
    }

    /// Returns whether a cross-post no longer needs the file of its draft.
    static func isCopied(_ id: CrossPost.ID, _ transaction: Transaction) throws -> Bool {
        try CrossPostStore(transaction).post(id)?.source == nil
    }

    /// Returns a person's newest cross-posts.
    static func posts(of viewer: Account, _ transaction: Transaction) throws -> [CrossPost] {
        try CrossPostStore(transaction).posts(of: viewer.id, limit: 20)
    }

    /// Records what the person saw on their account, of a post that may be published or not. A post that isn't there is
    /// published from the beginning.
    ///
    /// - Parameter isPublished: whether the post is there; nil when the person didn't say.
    /// - Throws: ``Refusal``: 404 for somebody else's cross-post, 409 when it isn't uncertain, 422 when the person
    ///   didn't say.
    func settle(_ id: CrossPost.ID, isPublished: Bool?, by viewer: Account) async throws {
        try await database.write { [listeners] transaction in
            guard var found = try CrossPostStore(transaction).post(id), found.post.account == viewer.id else {
                throw Refusal.notFound
            }
            guard let isPublished else {
                throw Refusal.invalid("published", "ERR_BLANK", "Say whether the post is there.")
            }
            guard found.post.state == .uncertain else {
                throw Refusal.conflict("This has been settled already.")
            }
            let connected = try ConnectedAccountService.connected(viewer.id, transaction)
            var progress = found.post.progress
            progress.settle(
                isPublished: isPublished, profile: connected?.profileURL,
                canTryAgain: found.picture != nil && connected != nil && connected?.id == found.connected,
                at: transaction.now)
            found.idempotencyKey = Session.newToken()
            try Self.save(found, progress, listeners, transaction)
        }
    }

    /// Ends all cross-posts of an account that is disconnected or hidden.
    static func stop(of account: Account.ID, _ listeners: CrossPostListeners, _ transaction: Transaction)
        throws
    {
        for found in try CrossPostStore(transaction).open(of: account) where found.post.progress.ending == nil
        {
            var progress = found.post.progress
            progress.disconnect()
            try save(found, progress, listeners, transaction)
        }
    }

    /// Saves the progress of a cross-post, and does what follows: schedules the next step, deletes its picture, and
    /// notifies its feature.
    static func save(
        _ found: CrossPostStore.Found, _ progress: CrossPostProgress, _ listeners: CrossPostListeners,
        _ transaction: Transaction
    ) throws {
        var found = found
        let (before, picture) = (found.post.state, found.picture)
        found.post.progress = progress
        found.turn += 1
        let payload = "\(found.post.id) \(found.turn)"
        switch progress.ending {
        case nil: try transaction.schedule(.crossPost, payload: payload, at: progress.nextAt)
        case .uncertain:
            let end = transaction.now.addingTimeInterval(CrossPostProgress.waitForPerson)
            try transaction.schedule(.crossPost, payload: payload, at: end)
        case .published, .failed, .revoked: (found.source, found.picture) = (nil, nil)
        }
        try CrossPostStore(transaction).save(found)
        if found.picture == nil, let picture { try transaction.eraseFile(picture) }
        if found.post.state != before { try listeners.changed(found.post, transaction) }
    }
}
