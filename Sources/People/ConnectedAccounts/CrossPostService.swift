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
        let connected = try ConnectedAccountRecords(transaction).connected(account).flatMap {
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
            let connected = try ConnectedAccountRecords(transaction).connected(viewer.id)
            var progress = found.post.progress
            progress.settle(
                isPublished: isPublished, profile: connected?.profileURL,
                canTryAgain: found.picture != nil && connected != nil && connected?.id == found.connected,
                at: transaction.now)
            found.idempotencyKey = Session.newToken()
            try CrossPostRecords(transaction).save(found, progress, listeners)
        }
    }
}
