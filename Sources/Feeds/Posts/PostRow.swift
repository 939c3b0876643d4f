import Core
import People
import Storage

/// Conditions about posts and comments, for the statements of this feature. The post is always the table `p`, its
/// author the table `a`.
enum PostRow {
    /// Whether the account `$1` may see the post `p` of the author `a`. A comment is visible to those who may see its
    /// author and its post. Lists that aren't made of one post's comments ask ``visibleThread`` about that post.
    static let visible = rule(post: "p", author: "a")

    /// Whether the account `$1` may see the post under which `p` was written; true for a post.
    static let visibleThread = """
        (p.root_id IS NULL OR EXISTS (SELECT 1 FROM posts r JOIN \(AccountRow.table) ra ON ra.id = r.author_id
            WHERE r.id = p.root_id AND \(rule(post: "r", author: "ra"))))
        """

    /// Whether the post `p`, which isn't a comment, is the account's `$1` own, or by somebody whom the account follows and
    /// may see.
    static let isOfFollowed = """
        (p.author_id = $1 OR \(isFollowed("p.author_id"))) AND a.is_suspended = 0
            AND \(AccountRow.haveNoBlock("$1", "p.author_id"))
        """

    /// Whether the account `$1` may see the post `p` of the author `a` in lists of posts by anybody: it is the account's own, by
    /// somebody whom the account follows, or for everyone.
    static let isListed = """
        (p.author_id = $1 OR (p.visibility = 'public' AND a.approves_followers = 0) OR \(isFollowed("p.author_id")))
        AND a.is_suspended = 0 AND \(AccountRow.haveNoBlock("$1", "p.author_id"))
        """

    /// Returns the condition that the account in a placeholder hasn't hidden the post `p`.
    static func isNotHidden(from viewer: String = "$1") -> String {
        "NOT EXISTS (SELECT 1 FROM hidden_posts h WHERE h.account_id = \(viewer) AND h.post_id = p.id)"
    }

    /// Returns the condition that the post `p`, which isn't a comment, is open to the account `$1` as far as the author's
    /// followers and the post's visibility go. The author is a placeholder, so what is asked about them is asked once for all
    /// posts.
    static func isOpen(by author: String) -> String {
        isOpen(
            post: "p", by: author,
            toEveryone: """
                EXISTS (SELECT 1 FROM \(AccountRow.table) o WHERE o.id = \(author) AND o.approves_followers = 0)
                """)
    }

    private static func isOpen(post p: String, by author: String, toEveryone condition: String) -> String {
        "(\(author) = $1 OR (\(p).visibility <> 'private' AND \(condition)) OR \(isFollowed(author)))"
    }

    private static func isFollowed(_ author: String) -> String {
        """
        EXISTS (SELECT 1 FROM \(FollowRow.table) f
            WHERE f.follower_id = $1 AND f.followee_id = \(author) AND f.is_accepted = 1)
        """
    }

    private static func rule(post p: String, author a: String) -> String {
        """
        \(a).is_suspended = 0
        AND (\(p).parent_id IS NOT NULL
            OR \(isOpen(post: p, by: "\(p).author_id", toEveryone: "\(a).approves_followers = 0")))
        AND \(AccountRow.haveNoBlock("$1", "\(p).author_id"))
        """
    }

    /// Whether the account `$1` doesn't mute the author of `p`. Timelines leave out posts of muted authors.
    static let isUnmuted = MuteRow.hasNone(of: "p.author_id")

    /// Whether the account `$1` doesn't mute the author of `p`, where `p` may also be the post at the top of a thread.
    /// A post that the account has opened is shown even if its author is muted.
    static let isUnmutedInThread = "(p.parent_id IS NULL OR \(isUnmuted))"

    static let columns = """
        p.id AS post_id, \(AccountRow.columns), p.parent_id AS post_parent_id, p.root_id AS post_root_id,
        p.caption AS post_caption, p.warning AS post_warning, p.language AS post_language, p.visibility AS post_visibility, p.edited_at AS post_edited_at,
        p.revision AS post_revision, p.likes_count AS post_likes_count, p.comments_count AS post_comments_count,
        EXISTS (SELECT 1 FROM likes l WHERE l.post_id = p.id AND l.account_id = $1) AS post_is_liked,
        EXISTS (SELECT 1 FROM saves s WHERE s.post_id = p.id AND s.account_id = $1) AS post_is_saved,
        EXISTS (SELECT 1 FROM muted_threads t WHERE t.account_id = $1 AND t.root_id = COALESCE(p.root_id, p.id))
            AS post_is_thread_muted,
        EXISTS (SELECT 1 FROM pinned_posts pi WHERE pi.post_id = p.id) AS post_is_pinned
        """

    static func post(from row: Row) throws -> Post {
        Post(
            id: ID(rawValue: try row.int64("post_id")),
            author: try AccountRow.account(from: row),
            parent: try row.optionalInt64("post_parent_id").map { ID(rawValue: $0) },
            root: try row.optionalInt64("post_root_id").map { ID(rawValue: $0) },
            caption: try row.string("post_caption"),
            warning: try row.optionalString("post_warning"),
            language: try row.optionalString("post_language"),
            visibility: Post.Visibility(rawValue: try row.string("post_visibility")) ?? .followers,
            editedAt: try row.optionalDate("post_edited_at"),
            revision: try row.int("post_revision"),
            likesCount: try row.int("post_likes_count"),
            commentsCount: try row.int("post_comments_count"),
            isLiked: try row.bool("post_is_liked"),
            isSaved: try row.bool("post_is_saved"),
            isThreadMuted: try row.bool("post_is_thread_muted"),
            isPinned: try row.bool("post_is_pinned"))
    }

    /// Whether the account `$1` may see the post of the notification `n` and doesn't mute its thread. For a comment,
    /// the rule asks about the post at the top: the comment itself belongs to the actor or the account.
    static let subjectIsVisible = """
        EXISTS (SELECT 1 FROM posts c JOIN posts p ON p.id = COALESCE(c.root_id, c.id)
            JOIN \(AccountRow.table) a ON a.id = p.author_id WHERE c.id = n.subject_id AND \(visible)
                AND NOT EXISTS (SELECT 1 FROM muted_threads t WHERE t.account_id = $1 AND t.root_id = p.id))
        """
}
