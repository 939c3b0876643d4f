import Core
import Foundation
import People
import Serving

/// Photos with a caption, or a comment on such a post.
public struct Post: Sendable, Hashable {
    /// The post's identifier; its time is when it was posted.
    public typealias ID = Core.ID<Post>

    /// Who sees a post.
    public enum Visibility: String, Sendable {
        /// Followers.
        case followers = "private"
        /// Everyone on this server, logged in.
        case server = "public"
    }

    /// Identifier.
    public let id: ID
    /// Who posted it.
    public var author: Account
    /// For a comment: what it answers.
    public var parent: ID?
    /// For a comment: who wrote what it answers; nil when the one who looks may not see them.
    public var parentAuthor: Account.ID?
    /// For a comment: the post at the top of the thread.
    public var root: ID?
    /// At most 2,200 characters; may be empty when there are photos.
    public var caption: String
    /// Whom it was posted for; a comment is seen by those who see its post.
    public var visibility: Visibility
    /// When the caption was last changed.
    public var editedAt: Date?
    /// Grows with every change of caption, photos or descriptions.
    var revision: Int
    /// How many like it.
    public var likesCount: Int
    /// How many comments the thread below has.
    public var commentsCount: Int
    /// The photos in order; 1 to 10 for a post, none or some for a comment.
    public var photos: [Photo] = []
    /// Those of this server whom the caption names, as far as the one who looks may see them.
    public var mentions: [Account] = []
    /// Whether the one who looks likes it.
    public var isLiked = false
    /// Whether the one who looks has saved it.
    public var isSaved = false
    /// Whether the one who looks wants no notifications about it and what is written below it.
    public var isThreadMuted = false
    /// Whether the post is pinned: shown first on its author's profile.
    public var isPinned = false

    /// Who sees it at present: who approves followers posts for them alone.
    var audience: Visibility { root == nil && author.approvesFollowers ? .followers : visibility }
}

/// The rules for what makes a post.
package enum PostRules {
    package static let captionLength = 2_200
    package static let photosCount = 1...10

    /// Counts code points, as Mastodon's apps and our pages do.
    static func check(caption: String, field: String = "status", into problems: inout Problems) {
        let count = caption.unicodeScalars.count
        if count > captionLength {
            problems.add(field, "ERR_TOO_LONG", "That is \(count) characters; the limit is \(captionLength).")
        }
    }

    /// At most ten photos, each once.
    ///
    /// - Parameter files: how many more are to come.
    static func check(photos: [Photo.ID], with files: Int = 0, into problems: inout Problems) {
        if photos.count + files > photosCount.upperBound {
            problems.add("media_ids", "ERR_TOO_MANY", "A post can have at most ten photos.")
        } else if Set(photos).count < photos.count {
            problems.add("media_ids", "ERR_INVALID", "A post can’t contain the same photo twice.")
        }
    }

    /// Takes Mastodon's names: `unlisted` is posted as `public`, there is no `direct`
    /// (Documentation/Interface.md, "Posts").
    static func visibility(_ name: String?) throws -> Post.Visibility {
        switch name ?? "" {
        case "", "private": return .followers
        case "public", "unlisted": return .server
        default:
            throw Refusal.invalid(
                "visibility", "ERR_INVALID", "A post is for followers (private) or everyone here (public).")
        }
    }
}
