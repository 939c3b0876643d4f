import Core
import Foundation
import Storage

/// A post with one picture that is published on a person's connected account, exactly once.
///
/// The pure state machine is ``CrossPostProgress``; `Documentation/Decisions/0014-cross-posts.md` gives the reasons for
/// its rules.
package struct CrossPost: Sendable, Equatable {
    package typealias ID = Core.ID<CrossPost>

    /// The content of the post.
    package struct Draft: Sendable {
        /// The text of the post; may be empty.
        package var text: String
        /// The picture, a clean JPEG of the blob store. It is copied right after the transaction, and may be erased as
        /// soon as ``CrossPostService/isCopied(_:_:)``.
        package var picture: BlobKey
        /// The description of the picture for people who can't see it; may be empty.
        package var description: String

        package init(text: String, picture: BlobKey, description: String) {
            self.text = text
            self.picture = picture
            self.description = description
        }
    }

    /// The thing for which a post is published: the kind in the words of its feature, and its identifier.
    package struct Reference: Sendable, Hashable {
        /// A name that the feature chose, such as `contract`.
        package var kind: String
        package var id: Int64

        package init(kind: String, id: Int64) {
            self.kind = kind
            self.id = id
        }
    }

    /// The state of publishing.
    package enum State: Sendable, Equatable {
        /// Publishing is under way, and nothing has failed.
        case pending
        /// So many attempts have failed; the next one is at that time.
        case retrying(attempts: Int, nextAttempt: Date)
        /// The post is published at this address; nil when the person has confirmed it without an address.
        case published(url: String?)
        /// The post isn't published and won't be, for this reason, which is a sentence.
        case failed(reason: String)
        /// Nobody here can know whether the post is published, so the person is asked to look.
        case uncertain
        /// The post isn't published and won't be, since there is no access to the account any more.
        case revoked
    }

    let id: ID
    /// The account whose connected account is posted to.
    package let account: Account.ID
    /// The thing for which the post is published.
    package let reference: Reference
    /// The account's server, such as `mastodon.social`; empty when there was no connected account.
    let server: String
    let text: String
    let description: String
    /// The state of publishing, in detail.
    var progress: CrossPostProgress

    package var state: State { progress.state }
}
