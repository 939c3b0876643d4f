import Core
import Foundation
import Storage

/// A post with one picture that is published on a person's connected account, exactly once.
///
/// The pure machine is ``CrossPostProgress``; `Documentation/Decisions/0014-cross-posts.md` says why it is as it is.
package struct CrossPost: Sendable, Equatable {
    package typealias ID = Core.ID<CrossPost>

    /// What is to be published.
    package struct Draft: Sendable {
        /// The words of the post; may be empty.
        package var text: String
        /// The picture, a clean JPEG of the blob store. It is copied right after the transaction, and may be erased as
        /// soon as ``CrossPostService/isCopied(_:_:)``.
        package var picture: BlobKey
        /// What the picture shows, for those who can't see it; may be empty.
        package var description: String

        package init(text: String, picture: BlobKey, description: String) {
            self.text = text
            self.picture = picture
            self.description = description
        }
    }

    /// What a post is published for: the owner's own kind of thing, and its identifier.
    package struct Reference: Sendable, Hashable {
        /// A name of the feature's own, such as `contract`.
        package var kind: String
        package var id: Int64

        package init(kind: String, id: Int64) {
            self.kind = kind
            self.id = id
        }
    }

    /// How far publishing is.
    package enum State: Sendable, Equatable {
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
    package let account: Account.ID
    /// What it is for.
    package let reference: Reference
    /// The account's server, such as `mastodon.social`; empty when there was no connected account.
    let server: String
    let text: String
    let description: String
    /// How far publishing is, in detail.
    var progress: CrossPostProgress

    package var state: State { progress.state }
}
