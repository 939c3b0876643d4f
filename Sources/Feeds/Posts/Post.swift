import Core
import Foundation
import People
import Serving

/// A post of photos with a caption, or a comment on such a post.
public struct Post: Sendable, Hashable {
    /// The post's identifier; its time is when it was posted.
    public typealias ID = Core.ID<Post>

    /// Who may see a post.
    public enum Visibility: String, Sendable {
        /// The author's followers.
        case followers = "private"
        /// Everyone who is logged in to this server.
        case server = "public"
    }

    /// Identifier.
    public let id: ID
    /// The account that posted the post.
    public var author: Account
    /// The post or comment that a comment answers; nil for a post.
    public var parent: ID?
    /// The author of the post or comment that a comment answers; nil when the viewer may not see that author.
    public var parentAuthor: Account.ID?
    /// The post at the top of a comment's thread; nil for a post.
    public var root: ID?
    /// The text, at most 2,200 characters. It may be empty when there are photos.
    public var caption: String
    /// Whom the author chose to show the post to. A comment is seen by those who may see its post.
    public var visibility: Visibility
    /// When the caption was last changed.
    public var editedAt: Date?
    /// A number that grows with every change of the caption, the photos or their descriptions.
    var revision: Int
    /// The number of people who like the post.
    public var likesCount: Int
    /// The number of comments in the thread below the post or comment.
    public var commentsCount: Int
    /// The photos in order: 1 to 10 for a post, 0 or more for a comment.
    public var photos: [Photo] = []
    /// The people on this server whom the caption mentions and the viewer may see.
    package var mentions: [Caption.Mention] = []
    /// Whether the viewer likes the post.
    public var isLiked = false
    /// Whether the viewer has saved the post.
    public var isSaved = false
    /// Whether the viewer has muted notifications about the post and its thread.
    public var isThreadMuted = false
    /// Whether the post is pinned: shown first on its author's profile.
    public var isPinned = false

    /// Who may see the post at present. An author who approves followers posts for followers alone.
    var audience: Visibility { root == nil && author.approvesFollowers ? .followers : visibility }
}

/// The rules for posts.
package enum PostRules {
    package static let captionLength = 2_200
    package static let photosCount = 1...10

    /// Checks a caption's length. Counts code points, as Mastodon's apps and Tintype's pages do.
    static func check(caption: String, field: String = "status", into problems: inout Problems) {
        let count = caption.unicodeScalars.count
        if count > captionLength {
            problems.add(field, "ERR_TOO_LONG", "That is \(count) characters; the limit is \(captionLength).")
        }
    }

    /// Checks that a post has at most ten photos, each of them once.
    ///
    /// - Parameter files: the number of photos that will follow.
    static func check(photos: [Photo.ID], with files: Int = 0, into problems: inout Problems) {
        if photos.count + files > photosCount.upperBound {
            problems.add("media_ids", "ERR_TOO_MANY", "A post can have at most ten photos.")
        } else if Set(photos).count < photos.count {
            problems.add("media_ids", "ERR_INVALID", "A post can’t contain the same photo twice.")
        }
    }

    /// Parses Mastodon's names: `unlisted` means `public`, and there is no `direct` (Documentation/Interface.md,
    /// "Posts").
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
