import Core
import People
import Storage

/// A post or comment in the statements of this feature, always as the table `p` with its author as `a`.
enum PostRow {
    /// Whether `p`, posted by `a`, may be seen by the account `$1`. A comment is seen by those who may see its author
    /// and its post: ``visibleThread`` asks about that post, where a list isn't of its comments alone.
    static let visible = rule(post: "p", author: "a")

    /// Whether the post under which `p` stands may be seen by the account `$1`; true for a post.
    static let visibleThread = """
        (p.root_id IS NULL OR EXISTS (SELECT 1 FROM posts r JOIN \(AccountRow.table) ra ON ra.id = r.author_id
            WHERE r.id = p.root_id AND \(rule(post: "r", author: "ra"))))
        """

    private static func rule(post p: String, author a: String) -> String {
        """
        \(a).is_suspended = 0
        AND (\(p).author_id = $1 OR (\(p).visibility = 'public' AND \(a).approves_followers = 0)
            OR \(p).parent_id IS NOT NULL
            OR EXISTS (SELECT 1 FROM \(FollowRow.table) f
                WHERE f.follower_id = $1 AND f.followee_id = \(p).author_id AND f.is_accepted = 1))
        AND \(AccountRow.haveNoBlock("$1", "\(p).author_id"))
        """
    }

    /// Whether the account `$1` doesn't mute the author of `p`: then timelines show the post.
    static let isUnmuted = MuteRow.hasNone(of: "p.author_id")

    /// Whether the account `$1` doesn't mute the author of `p`, where `p` may also be the post at the top of a thread: that
    /// one is shown to an account that mutes its author too, since the account has opened it.
    static let isUnmutedInThread = "(p.parent_id IS NULL OR \(isUnmuted))"

    static let columns = """
        p.id AS post_id, \(AccountRow.columns), p.parent_id AS post_parent_id, p.root_id AS post_root_id,
        p.caption AS post_caption, p.visibility AS post_visibility, p.edited_at AS post_edited_at,
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

    /// Whether the post of the notification `n` may be seen by the account `$1`, which doesn't mute its thread. Of a
    /// comment that is the post at the top; the comment itself is the actor's or the account's own.
    static let subjectIsVisible = """
        EXISTS (SELECT 1 FROM posts c JOIN posts p ON p.id = COALESCE(c.root_id, c.id)
            JOIN \(AccountRow.table) a ON a.id = p.author_id WHERE c.id = n.subject_id AND \(visible)
                AND NOT EXISTS (SELECT 1 FROM muted_threads t WHERE t.account_id = $1 AND t.root_id = p.id))
        """
}
