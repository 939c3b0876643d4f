import Core
import People
import Serving
import Storage

/// The home feed, read from the follow graph: the viewer's own posts and those of people they follow, newest first; or the
/// feed of one of the viewer's lists, with the posts of the people in it.
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
    /// The list, which is the viewer's; nil for Home.
    private let list: PeopleList.ID?

    init(_ transaction: Transaction, of list: PeopleList.ID? = nil) {
        self.transaction = transaction
        self.list = list
    }

    /// Returns the condition that the posts of an account in a column belong in the feed of the viewer `$1`, as far as
    /// lists go.
    ///
    /// - Parameter place: the placeholder of the list.
    private func belongs(_ account: String, list place: String) -> String {
        list == nil ? ListRow.isInHome(account) : ListRow.has(account, in: place)
    }

    /// Returns the arguments of a statement, with the list behind the others.
    private func with(_ arguments: (any SQLConvertible)?...) -> [(any SQLConvertible)?] {
        list.map { arguments + [$0] } ?? arguments
    }

    /// How many of the server's newest posts are looked through before the authors are asked.
    private static let newestCount = 64

    /// Returns the posts of one page, without photos: those of followed people, and those for everyone with a followed
    /// hashtag.
    func page(_ page: PageRequest, for viewer: Account.ID) throws -> [Post] {
        let (posts, followsTags) = try ofPeople(page, viewer)
        if list != nil || followsTags == false { return posts }
        // Behind a full page, nothing else is asked for.
        var rest = page
        if posts.count == page.limit {
            if page.rightAbove != nil {
                rest.olderThan = posts.first?.id.rawValue
            } else {
                rest.newerThan = posts.last?.id.rawValue
            }
        }
        let known = Set(posts.map(\.id))
        let tagged = try TagStore(transaction).listed(rest, for: viewer).filter { !known.contains($0) }
        guard !tagged.isEmpty else { return posts }
        let ids = Set(page.merged(posts.map(\.id), tagged) { $0.rawValue })
        let others = try PostStore(transaction).posts(tagged.filter(ids.contains), for: viewer)
        return page.merged(posts, others) { $0.id.rawValue }
    }

    /// Returns the posts of one page that are the viewer's own or of people whom they follow.
    ///
    /// - Returns: the posts, and whether the viewer follows a hashtag; nil where that isn't known.
    private func ofPeople(
        _ page: PageRequest, _ viewer: Account.ID
    ) throws -> (posts: [Post], followsTags: Bool?) {
        let store = PostStore(transaction)
        if page.rightAbove != nil { return (try store.posts(rightAbove(page, viewer), for: viewer), nil) }
        let (found, followsTags) = try amongNewest(page, viewer)
        return (try found ?? store.posts(newest(page, viewer), for: viewer), followsTags)
    }

    /// Returns the page if the newest posts of the server suffice for it; nil if there may be more. The same statement says
    /// whether the viewer follows a hashtag, as far as it finds a post, so that it costs no other one.
    private func amongNewest(
        _ page: PageRequest, _ viewer: Account.ID
    ) throws -> (posts: [Post]?, followsTags: Bool?) {
        var followsTags: Bool?
        let (upper, lower) = (page.olderThan ?? Int64.max, page.newerThan ?? 0)
        // Posts are read downwards in posts_newest until the page is full, and at most to the bound.
        let found = try transaction.rows(
            """
            SELECT \(PostRow.columns), EXISTS (SELECT 1 FROM followed_tags x WHERE x.account_id = $1) AS follows_tags
            FROM posts p JOIN \(AccountRow.table) a ON a.id = p.author_id
            WHERE p.parent_id IS NULL AND p.id < $2 AND p.id > $3 AND p.id >= COALESCE(
                (SELECT o.id FROM posts o WHERE o.parent_id IS NULL AND o.id < $2 ORDER BY o.id DESC LIMIT 1 OFFSET $4), 0)
                AND \(PostRow.isOfFollowed) AND \(PostRow.isUnmuted) AND \(PostRow.isNotHidden())
                AND \(belongs("p.author_id", list: "$6"))
            ORDER BY p.id DESC LIMIT $5
            """, arguments: with(viewer, upper, lower, Self.newestCount - 1, page.limit)
        ) {
            followsTags = try $0.bool("follows_tags")
            return try PostRow.post(from: $0)
        }
        if found.count == page.limit { return (found, followsTags) }
        let isMore = try transaction.row(
            "SELECT 1 FROM posts o WHERE o.parent_id IS NULL AND o.id < $1 AND o.id > $2 ORDER BY o.id DESC LIMIT 1 OFFSET $3",
            upper, lower, Self.newestCount
        ) { _ in true }
        return (isMore == nil ? found : nil, followsTags)
    }

    /// Returns a query for the viewer, and the people whom they follow and don't mute, with a post newer than a place; or for
    /// the people of the list in a placeholder.
    private func authors(newerThan bound: String, for viewer: String, list place: String) -> String {
        guard list == nil else {
            // list_members_by_list. Who is in a list is followed.
            return """
                SELECT a.id, a.newest_post_id FROM \(ListRow.people) JOIN \(AccountRow.table) a ON a.id = lm.member_id
                WHERE lm.list_id = \(place) AND a.is_suspended = 0 AND a.newest_post_id > \(bound)
                    AND \(MuteRow.hasNone(of: "lm.member_id", for: viewer))
                """
        }
        // follows_by_follower, then one look at each account's row.
        return """
            SELECT a.id, a.newest_post_id FROM \(FollowRow.table) f JOIN \(AccountRow.table) a ON a.id = f.followee_id
            WHERE f.follower_id = \(viewer) AND f.is_accepted = 1 AND a.is_suspended = 0
                AND a.newest_post_id > \(bound) AND \(MuteRow.hasNone(of: "f.followee_id", for: viewer))
                AND \(ListRow.isInHome("f.followee_id", of: viewer))
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
            "\(authors(newerThan: "$2", for: "$1", list: "$3")) ORDER BY newest_post_id DESC",
            arguments: with(viewer, bound)
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
                    AND p.id < $2 AND p.id > $3 AND \(PostRow.isNotHidden(from: "$4"))
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
                    AND p.id < $2 AND p.id > $3 AND \(PostRow.isNotHidden(from: "$4"))
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
                    AND p.id < $2 AND p.id > $3 AND \(PostRow.isNotHidden(from: "$4")) ORDER BY p.id LIMIT 1) AS first_post
                FROM (\(authors(newerThan: "$3", for: "$4", list: "$5"))) AS a) AS firsts
            WHERE first_post IS NOT NULL ORDER BY first_post LIMIT $1
            """, arguments: with(page.limit, page.olderThan ?? Int64.max, page.rightAbove ?? 0, viewer)
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
