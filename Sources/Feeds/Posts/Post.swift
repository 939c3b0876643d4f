import Core
import Foundation
import People
import Serving

/// A post of photos with a caption, or a comment on such a post.
public struct Post: Sendable, Hashable {
    /// The post's identifier; its time is when it was posted.
    public typealias ID = Core.ID<Post>

    /// Who may see a post.
    public enum Visibility: String, Sendable, CaseIterable {
        /// The author's followers.
        case followers = "private"
        /// Everyone who is logged in to this server, on the author's profile and by its address, but not in the list of
        /// everyone's posts.
        case unlisted
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
    /// What the pictures and the text are covered with until a tap, empty for a cover without words; nil when nothing is
    /// covered.
    public var warning: String?
    /// The language of the text, as a tag of BCP 47; nil when the author didn't say.
    public var language: String?
    /// Whom the author chose to show the post to. A comment is seen by those who may see its post.
    public var visibility: Visibility
    /// When the post's words, photos or cover were last changed.
    public var editedAt: Date?
    /// A number that grows with every change of the words, the cover, the photos or their descriptions.
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
    /// The viewer's filters that fit the post.
    package var filtered: [FilterMatch] = []

    /// Who may see the post at present. An author who approves followers posts for followers alone.
    var audience: Visibility { root == nil && author.approvesFollowers ? .followers : visibility }
}

/// The rules for posts.
package enum PostRules {
    package static let captionLength = 2_200
    /// The most characters of a warning.
    package static let warningLength = 200
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

    /// Checks the length of a warning.
    static func check(warning: String?, into problems: inout Problems) {
        let count = warning?.unicodeScalars.count ?? 0
        if count > warningLength {
            problems.add(
                "spoiler_text", "ERR_TOO_LONG", "That is \(count) characters; the limit is \(warningLength).")
        }
    }

    /// Checks that a language is written as a tag of BCP 47 (RFC 5646), such as `de` or `pt-BR`.
    package static func check(language: String?, into problems: inout Problems) {
        guard let language else { return }
        let parts = language.split(separator: "-", omittingEmptySubsequences: false)
        let isTag =
            language.utf8.count <= 35 && (2...3).contains(parts.first?.count ?? 0)
            && parts.allSatisfy { part in
                (1...8).contains(part.count)
                    && part.utf8.allSatisfy {
                        UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
                            || UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20
                    }
            }
        if !isTag {
            problems.add("language", "ERR_INVALID", "Write the language as a code, such as de or pt-BR.")
        }
    }

    /// Checks that a post has photos, at most ten, each of them once.
    ///
    /// - Parameter files: the number of photos that will follow.
    static func check(photosOfPost photos: [Photo.ID], with files: Int = 0, into problems: inout Problems) {
        if photos.isEmpty, files == 0 {
            problems.add("media_ids", "ERR_BLANK", "Choose at least one photo. Tintype is for pictures.")
        }
        check(photos: photos, with: files, into: &problems)
    }

    /// Checks the lengths of new descriptions of photos.
    static func check(descriptions: some Sequence<String>, into problems: inout Problems) {
        for description in descriptions
        where description.unicodeScalars.count > Photo.descriptionLength {
            problems.add("description", "ERR_TOO_LONG", "A description has at most 1,500 characters.")
        }
    }

    /// Mastodon's name for what only the people see whom it mentions: a message, and never a post.
    static let direct = "direct"

    /// Parses Mastodon's names, without `direct` (Documentation/Interface.md, "Posts"). Returns nil for an empty name.
    package static func visibility(_ name: String?) throws -> Post.Visibility? {
        guard let name, !name.isEmpty else { return nil }
        guard let visibility = Post.Visibility(rawValue: name) else {
            throw Refusal.invalid(
                "visibility", "ERR_INVALID",
                "A post is for followers (private), for everyone here (public), or for everyone but not listed (unlisted)."
            )
        }
        return visibility
    }
}
