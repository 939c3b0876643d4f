import Core
import People
import Serving
import Storage

/// The home feed, read from the follow graph: the viewer's own posts and those of people they follow, newest first.
///
/// Among friends most posts are of somebody whom the viewer follows, so the newest posts of the server are looked through
/// first, in one statement: mostly they fill a page.
///
/// In a big community they don't. Every account row names its newest post. So the authors are asked in the order of their
/// newest posts, each only for posts that are newer than the oldest post of the page so far. Once the page is full, an
/// author whose newest post is older ends the search. A first page therefore asks about as many authors as it has posts,
/// however many people the viewer follows and however many posts there are.
struct HomeFeed {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    /// How many of the server's newest posts are looked through before the authors are asked.
    private static let newestCount = 64

    /// Returns the posts of one page, without photos.
    func page(_ page: PageRequest, for viewer: Account.ID) throws -> [Post] {
        let store = PostStore(transaction)
        if page.rightAbove != nil { return try store.posts(rightAbove(page, viewer), for: viewer) }
        return try amongNewest(page, viewer) ?? store.posts(newest(page, viewer), for: viewer)
    }

    /// Returns the condition that the viewer in a placeholder hasn't hidden the post `p`.
    private static func isShown(to viewer: String) -> String {
        "NOT EXISTS (SELECT 1 FROM hidden_posts h WHERE h.account_id = \(viewer) AND h.post_id = p.id)"
    }

    /// Returns the page if the newest posts of the server suffice for it; nil if there may be more.
    private func amongNewest(_ page: PageRequest, _ viewer: Account.ID) throws -> [Post]? {
        let (upper, lower) = (page.olderThan ?? Int64.max, page.newerThan ?? 0)
        // Posts are read downwards in posts_newest until the page is full, and at most to the bound.
        let found = try transaction.rows(
            """
            SELECT \(PostRow.columns) FROM posts p JOIN \(AccountRow.table) a ON a.id = p.author_id
            WHERE p.parent_id IS NULL AND p.id < $2 AND p.id > $3 AND p.id >= COALESCE(
                (SELECT o.id FROM posts o WHERE o.parent_id IS NULL AND o.id < $2 ORDER BY o.id DESC LIMIT 1 OFFSET $4), 0)
                AND \(PostRow.isOfFollowed) AND \(PostRow.isUnmuted) AND \(Self.isShown(to: "$1"))
            ORDER BY p.id DESC LIMIT $5
            """, viewer, upper, lower, Self.newestCount - 1, page.limit
        ) { try PostRow.post(from: $0) }
        if found.count == page.limit { return found }
        let isMore = try transaction.row(
            "SELECT 1 FROM posts o WHERE o.parent_id IS NULL AND o.id < $1 AND o.id > $2 ORDER BY o.id DESC LIMIT 1 OFFSET $3",
            upper, lower, Self.newestCount
        ) { _ in true }
        return isMore == nil ? found : nil
    }

    /// Returns a query for the viewer, and the people whom they follow and don't mute, with a post newer than a place.
    private static func authors(newerThan bound: String, for viewer: String) -> String {
        // follows_by_follower, then one look at each account's row.
        """
        SELECT a.id, a.newest_post_id FROM \(FollowRow.table) f JOIN \(AccountRow.table) a ON a.id = f.followee_id
        WHERE f.follower_id = \(viewer) AND f.is_accepted = 1 AND a.is_suspended = 0
            AND a.newest_post_id > \(bound) AND \(MuteRow.hasNone(of: "f.followee_id", for: viewer))
        UNION ALL
        SELECT a.id, a.newest_post_id FROM \(AccountRow.table) a
        WHERE a.id = \(viewer) AND a.newest_post_id > \(bound)
        """
    }

    private struct Author {
        var id: Account.ID
        var newestPost: Int64
    }

    /// Returns the viewer, and the people whom they follow and don't mute, with a post newer than `bound`, by newest
    /// post.
    private func authors(for viewer: Account.ID, newerThan bound: Int64) throws -> [Author] {
        try transaction.rows(
            "\(Self.authors(newerThan: "$2", for: "$1")) ORDER BY newest_post_id DESC", viewer, bound
        ) { Author(id: ID(rawValue: try $0.int64("id")), newestPost: try $0.int64("newest_post_id")) }
    }

    private func newest(_ page: PageRequest, _ viewer: Account.ID) throws -> [Post.ID] {
        let authors = try authors(for: viewer, newerThan: page.newerThan ?? 0)
        let upper = page.olderThan ?? Int64.max
        var lower = page.newerThan ?? 0
        var ids: [Int64] = []
        for author in authors {
            guard author.newestPost > lower else { break }
            // posts_newest_by_author
            let found = try transaction.values(
                """
                SELECT p.id FROM posts p WHERE p.author_id = $1 AND p.parent_id IS NULL
                    AND p.id < $2 AND p.id > $3 AND \(Self.isShown(to: "$4"))
                ORDER BY p.id DESC LIMIT $5
                """, author.id, upper, lower, viewer, page.limit, as: Int64.self)
            guard !found.isEmpty else { continue }
            ids = merged(ids, found, limit: page.limit)
            if ids.count == page.limit, let last = ids.last { lower = last }
        }
        return ids.map { ID(rawValue: $0) }
    }

    /// Returns the oldest posts above a place. Asks the authors in the order of their first post above the place, and
    /// ends at the first author whose first post is above a full page: it asks at most as many authors as the page has
    /// posts.
    private func rightAbove(_ page: PageRequest, _ viewer: Account.ID) throws -> [Post.ID] {
        let lower = page.rightAbove ?? 0
        var upper = page.olderThan ?? Int64.max
        var ids: [Int64] = []
        for (author, first) in try firstPosts(page, viewer) {
            guard first < upper else { break }
            ids += try transaction.values(
                """
                SELECT p.id FROM posts p WHERE p.author_id = $1 AND p.parent_id IS NULL
                    AND p.id < $2 AND p.id > $3 AND \(Self.isShown(to: "$4"))
                ORDER BY p.id LIMIT $5
                """, author, upper, lower, viewer, page.limit, as: Int64.self)
            ids = Array(ids.sorted().prefix(page.limit))
            if ids.count == page.limit, let last = ids.last { upper = last }
        }
        return ids.reversed().map { ID(rawValue: $0) }
    }

    /// Returns the authors whose first posts above a place are the earliest, with these posts, oldest first. It is one
    /// statement, which looks once at each followed account and once at the posts of each account that has a newer
    /// post.
    private func firstPosts(
        _ page: PageRequest, _ viewer: Account.ID
    ) throws -> [(author: Account.ID, first: Int64)] {
        // posts_newest_by_author
        try transaction.rows(
            """
            SELECT id, first_post FROM (
                SELECT a.id, (SELECT p.id FROM posts p WHERE p.author_id = a.id AND p.parent_id IS NULL
                    AND p.id < $2 AND p.id > $3 AND \(Self.isShown(to: "$4")) ORDER BY p.id LIMIT 1) AS first_post
                FROM (\(Self.authors(newerThan: "$3", for: "$4"))) AS a) AS firsts
            WHERE first_post IS NOT NULL ORDER BY first_post LIMIT $1
            """, page.limit, page.olderThan ?? Int64.max, page.rightAbove ?? 0, viewer
        ) { (ID(rawValue: try $0.int64("id")), try $0.int64("first_post")) }
    }

    /// Merges two lists that are newest first, and keeps the newest ids.
    private func merged(_ left: [Int64], _ right: [Int64], limit: Int) -> [Int64] {
        var result: [Int64] = []
        result.reserveCapacity(limit)
        var (l, r) = (0, 0)
        while result.count < limit, l < left.count || r < right.count {
            if r == right.count || (l < left.count && left[l] > right[r]) {
                result.append(left[l])
                l += 1
            } else {
                result.append(right[r])
                r += 1
            }
        }
        return result
    }
}
