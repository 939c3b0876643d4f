import Storage

/// Reads the home feed from the follow graph: own posts and those of followed people, newest first.
///
/// Every account row names its newest post, so that the authors are asked in the order of their newest
/// posts, each only for what is newer than the oldest post of the page so far; once a page is full, an
/// author whose newest post is older ends the search. A first page thus asks about as many authors as it
/// has posts, however many one follows and however many posts there are.
struct HomeFeed {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    /// The ids of one page.
    func page(_ page: PageRequest, for viewer: Account.ID) throws -> [Post.ID] {
        let authors = try authors(for: viewer, newerThan: page.rightAbove ?? page.newerThan ?? 0)
        return page.rightAbove == nil
            ? try newest(page, viewer, authors)
            : try rightAbove(page, viewer, authors)
    }

    private struct Author {
        var id: Account.ID
        var newestPost: Int64
    }

    /// The viewer and whom they follow and don't mute, by newest post; those without a post newer than `bound` left out.
    private func authors(for viewer: Account.ID, newerThan bound: Int64) throws -> [Author] {
        // follows_by_follower, then one look at each account's row.
        try transaction.rows(
            """
            SELECT a.id, a.newest_post_id FROM \(FollowRow.table) f JOIN \(AccountRow.table) a ON a.id = f.followee_id
            WHERE f.follower_id = $1 AND f.is_accepted = 1 AND a.is_suspended = 0 AND a.newest_post_id > $2
                AND \(MuteRow.hasNone(of: "f.followee_id"))
            UNION ALL
            SELECT a.id, a.newest_post_id FROM \(AccountRow.table) a WHERE a.id = $1 AND a.newest_post_id > $2
            ORDER BY newest_post_id DESC
            """, viewer, bound
        ) { Author(id: ID(rawValue: try $0.int64("id")), newestPost: try $0.int64("newest_post_id")) }
    }

    private func newest(_ page: PageRequest, _ viewer: Account.ID, _ authors: [Author]) throws -> [Post.ID] {
        let upper = page.olderThan ?? Int64.max
        var lower = page.newerThan ?? 0
        var ids: [Int64] = []
        for author in authors {
            guard author.newestPost > lower else { break }
            // posts_by_author
            let found = try transaction.values(
                """
                SELECT p.id FROM posts p WHERE p.author_id = $1 AND p.parent_id IS NULL
                    AND p.id < $2 AND p.id > $3 AND NOT EXISTS (SELECT 1 FROM hidden_posts h
                        WHERE h.account_id = $4 AND h.post_id = p.id)
                ORDER BY p.id DESC LIMIT $5
                """, author.id, upper, lower, viewer, page.limit, as: Int64.self)
            guard !found.isEmpty else { continue }
            ids = merged(ids, found, limit: page.limit)
            if ids.count == page.limit, let last = ids.last { lower = last }
        }
        return ids.map { ID(rawValue: $0) }
    }

    private func rightAbove(_ page: PageRequest, _ viewer: Account.ID, _ authors: [Author]) throws -> [Post
        .ID]
    {
        var ids: [Int64] = []
        for author in authors {
            ids += try transaction.values(
                """
                SELECT p.id FROM posts p WHERE p.author_id = $1 AND p.parent_id IS NULL
                    AND p.id < $2 AND p.id > $3 AND NOT EXISTS (SELECT 1 FROM hidden_posts h
                        WHERE h.account_id = $4 AND h.post_id = p.id)
                ORDER BY p.id LIMIT $5
                """, author.id, page.olderThan ?? Int64.max, page.rightAbove ?? 0, viewer, page.limit,
                as: Int64.self)
        }
        return ids.sorted().prefix(page.limit).reversed().map { ID(rawValue: $0) }
    }

    /// The newest of two lists that are both newest first.
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

/// Keeps which posts stand on a page of somebody's home feed.
///
/// Only posting, deleting, following, muting and hiding change that; likes and comments, which come far more often, don't.
/// A kept id gives nobody a right: the posts themselves are read with the viewer's eyes each time.
final class HomeFeedCache: Sendable {
    private struct Key: Hashable {
        var viewer: Account.ID
        var page: PageRequest
    }

    private let pages: CacheUntilChange<Key, [Post.ID]>

    init(_ changes: ChangeCounts) {
        // A post that comes or goes is counted in its author's row.
        pages = CacheUntilChange(
            changes, tables: ["accounts", "follows", "mutes", "hidden_posts"], capacity: 4_096)
    }

    /// The ids of one page, read in a transaction that has read nothing else yet.
    func page(
        _ page: PageRequest, for viewer: Account.ID, _ transaction: Transaction
    ) throws -> [Post.ID] {
        let key = Key(viewer: viewer, page: page)
        let moment = pages.moment(at: transaction.now)
        if let known = pages.value(key, at: moment) { return known }
        let ids = try HomeFeed(transaction).page(page, for: viewer)
        pages.keep(ids, for: key, since: moment)
        return ids
    }
}
