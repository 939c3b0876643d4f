import Foundation
import Storage

/// A post with one picture that is published on a person's connected account, exactly once.
///
/// The pure machine is ``CrossPostProgress``; `Documentation/Decisions/0014-cross-posts.md` says why it is as it is.
struct CrossPost: Sendable, Equatable {
    typealias ID = Tintype.ID<CrossPost>

    /// What is to be published.
    struct Draft: Sendable {
        /// The words of the post; may be empty.
        var text: String
        /// The picture, a clean JPEG of the blob store. It is copied right after the transaction, and may be erased as
        /// soon as ``CrossPostService/isCopied(_:_:)``.
        var picture: BlobKey
        /// What the picture shows, for those who can't see it; may be empty.
        var description: String
    }

    /// What a post is published for: the owner's own kind of thing, and its identifier.
    struct Reference: Sendable, Hashable {
        /// A name of the feature's own, such as `contract`.
        var kind: String
        var id: Int64
    }

    /// How far publishing is.
    enum State: Sendable, Equatable {
        /// It is under way, and nothing has failed.
        case pending
        /// So many tries have failed; the next is at that time.
        case retrying(attempts: Int, nextAttempt: Date)
        /// It is out, at this address; nil when the person only said that it is there.
        case published(url: String?)
        /// It isn't out and won't be, for this reason, which is a sentence.
        case failed(reason: String)
        /// Nobody here can know whether it is out: the person is asked to look.
        case uncertain
        /// It isn't out and won't be, since there is no access to the account any more.
        case revoked
    }

    let id: ID
    /// Whose connected account it goes to.
    let account: Account.ID
    /// What it is for.
    let reference: Reference
    /// The account's server, such as `mastodon.social`; empty when there was no connected account.
    let server: String
    let text: String
    let description: String
    /// How far publishing is, in detail.
    var progress: CrossPostProgress

    var state: State { progress.state }
}
