import Core
import Foundation
import People
import Storage

/// The SQL of hashtags: those of posts and comments, and those that people follow or feature.
struct TagStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    // MARK: Hashtags of posts

    /// Inserts the hashtags of the text of a post or comment.
    ///
    /// - Parameter root: the post below which it is a comment; nil for a post.
    func insert(
        of text: String, in source: Post.ID, below root: Post.ID?, by author: Account.ID,
        _ visibility: Post.Visibility
    ) throws {
        let isListed = root == nil && visibility == .server
        try transaction.insert(
            Caption.tags(text).map(\.name),
            into: "post_tags (post_id, source_id, author_id, is_listed, name)",
            behind: [root ?? source, source, author, isListed])
    }

    /// Deletes the hashtags of the text of a post or comment.
    func deleteTags(in source: Post.ID) throws {
        try transaction.execute("DELETE FROM post_tags WHERE source_id = $1", source)
    }

    /// Finds the hashtags of some posts and comments that are older than a place, again. Returns the next place; nil at the
    /// end.
    func findTags(olderThan place: Int64, limit: Int) throws -> Int64? {
        let found = try transaction.rows(
            """
            SELECT id, root_id, author_id, caption, visibility FROM posts WHERE id < $1 ORDER BY id DESC LIMIT $2
            """, place, limit
        ) {
            (
                Post.ID(rawValue: try $0.int64("id")),
                try $0.optionalInt64("root_id").map { Post.ID(rawValue: $0) },
                Account.ID(rawValue: try $0.int64("author_id")), try $0.string("caption"),
                Post.Visibility(rawValue: try $0.string("visibility")) ?? .followers
            )
        }
        for (id, root, author, caption, visibility) in found where caption.contains("#") {
            try deleteTags(in: id)
            try insert(of: caption, in: id, below: root, by: author, visibility)
        }
        return found.count == limit ? found.last?.0.rawValue : nil
    }

    // MARK: Posts with hashtags

    /// The most posts with one hashtag that a page of Home looks at.
    private static let mostLookedAt = 2_000

    /// Returns one page of the posts that match a query and that `viewer` may see in lists, newest first, without photos and
    /// without those that `viewer` has hidden.
    func posts(_ query: TagQuery, for viewer: Account.ID, page: PageRequest) throws -> [Post] {
        try ListedPosts(transaction: transaction, viewer: viewer)
            .page(page, where: Self.condition(query)) { try candidates(query.any, in: $0) }
    }

    /// Returns the nearest posts in a span that have one of some hashtags, also those that a viewer can't see.
    private func candidates(_ names: [String], in span: ListedPosts.Span) throws -> [Post.ID] {
        // post_tags' primary key
        let found = try names.flatMap { name in
            try transaction.values(
                """
                SELECT DISTINCT t.post_id FROM post_tags t WHERE t.name = $1 AND t.post_id < $2 AND t.post_id > $3
                ORDER BY t.post_id \(span.order) LIMIT $4
                """, name, span.upper, span.lower, ListedPosts.batch, as: Post.ID.self)
        }
        guard names.count > 1 else { return found }
        let all = Set(found).sorted()
        return Array((span.isUpwards ? all : all.reversed()).prefix(ListedPosts.batch))
    }

    /// Returns the condition that a post matches a query.
    private static func condition(_ query: TagQuery) -> ListedPosts.Condition {
        var condition = ListedPosts.Condition()
        condition.and(query.any, hasTag)
        for name in query.all { condition.and([name], hasTag) }
        if !query.none.isEmpty { condition.and(query.none) { "NOT \(hasTag($0))" } }
        return condition
    }

    /// Returns the condition that the post `p` has one of some hashtags, in its caption or in a comment that the account
    /// `$1` may see.
    private static func hasTag(_ names: String) -> String {
        """
        EXISTS (SELECT 1 FROM post_tags t WHERE t.name IN (\(names)) AND t.post_id = p.id
            AND (t.source_id = p.id OR EXISTS (SELECT 1 FROM \(AccountRow.table) c WHERE c.id = t.author_id
                AND c.is_suspended = 0 AND \(AccountRow.haveNoBlock("$1", "c.id")) AND \(MuteRow.hasNone(of: "c.id")))))
        """
    }

    /// Returns the newest posts with a hashtag that `viewer` may see in lists, of those that are newer than a place; only the
    /// newest with the hashtag are looked at.
    func newest(_ tag: String, for viewer: Account.ID, newerThan place: Int64 = 0) throws -> [Post] {
        var span = ListedPosts.Span(PageRequest())
        span.lower = place
        return try ListedPosts(transaction: transaction, viewer: viewer)
            .posts(candidates([tag], in: span), where: Self.condition(TagQuery(tag)))
    }

    /// Returns the hashtags with a beginning, in the order of the alphabet, also those that a viewer can't see.
    ///
    /// - Parameter last: the hashtag behind which to begin; nil for the first ones.
    func names(from prefix: String, behind last: String?, limit: Int) throws -> [String] {
        // No name has a character below a digit, so this is the first text behind the last name.
        let first = last.map { "\($0)\u{1}" } ?? prefix
        // One look into post_tags' primary key for each name, however many posts have it.
        return try transaction.values(
            """
            WITH RECURSIVE names (name) AS (
                SELECT min(t.name) FROM post_tags t WHERE t.name >= $1 AND t.name < $2
                UNION ALL SELECT (SELECT min(t.name) FROM post_tags t WHERE t.name > names.name AND t.name < $2)
                FROM names WHERE names.name IS NOT NULL)
            SELECT name FROM names WHERE name IS NOT NULL LIMIT $3
            """, first, prefix + "\u{10FFFF}", limit)
    }

    // MARK: Home

    /// Returns the posts of a page of Home that are for everyone and have a hashtag in their captions that `viewer` follows:
    /// the nearest to the page's place.
    ///
    /// The hashtags are asked in the order of their nearest posts, each only for posts that are nearer than the page so far.
    func listed(_ page: PageRequest, for viewer: Account.ID) throws -> [Post.ID] {
        var span = ListedPosts.Span(page)
        // followed_tags' primary key; then one look into post_tags_listed for each.
        let tags = try transaction.rows(
            """
            SELECT f.name, (SELECT \(span.isUpwards ? "min" : "max")(t.post_id) FROM post_tags t
                WHERE t.name = f.name AND t.is_listed = 1 AND t.post_id < $2 AND t.post_id > $3) AS nearest
            FROM followed_tags f WHERE f.account_id = $1
            """, viewer, span.upper, span.lower
        ) { (name: try $0.string("name"), nearest: try $0.optionalInt64("nearest")) }
        let inOrder = tags.compactMap { tag in tag.nearest.map { (tag.name, $0) } }
            .sorted { span.isUpwards ? $0.1 < $1.1 : $0.1 > $1.1 }
        var ids: [Post.ID] = []
        for (name, nearest) in inOrder {
            guard nearest < span.upper, nearest > span.lower else { break }
            // post_tags_listed
            let found = try transaction.values(
                """
                SELECT t.post_id FROM (
                    SELECT post_id FROM post_tags
                    WHERE name = $2 AND is_listed = 1 AND post_id < $3 AND post_id > $4
                    ORDER BY post_id \(span.order) LIMIT $6
                ) AS t JOIN posts p ON p.id = t.post_id JOIN \(AccountRow.table) a ON a.id = p.author_id
                WHERE \(PostRow.visible) AND \(PostRow.isUnmuted) AND \(PostRow.isNotHidden())
                    AND \(ListRow.isInHome("p.author_id"))
                ORDER BY t.post_id \(span.order) LIMIT $5
                """, viewer, name, span.upper, span.lower, page.limit, Self.mostLookedAt, as: Post.ID.self)
            let all = Set(ids + found).sorted()
            ids = Array((span.isUpwards ? all : all.reversed()).prefix(page.limit))
            guard ids.count == page.limit, let last = ids.last else { continue }
            span.end(before: last)
        }
        return ids
    }

    /// Returns those of some accounts that follow a hashtag of a post's caption.
    func followersOfTags(in post: Post, among accounts: Set<Account.ID>) throws -> Set<Account.ID> {
        guard !Caption.tags(post.caption).isEmpty else { return [] }
        // post_tags_by_source, then followed_tags' primary key.
        let found = try transaction.rows(for: accounts, after: [post.id], of: 400) { places in
            """
            SELECT f.account_id FROM followed_tags f WHERE f.account_id IN (\(places))
                AND f.name IN (SELECT t.name FROM post_tags t WHERE t.source_id = $1)
            """
        } map: {
            Account.ID(rawValue: try $0.int64("account_id"))
        }
        return Set(found)
    }

    // MARK: Followed and featured hashtags

    /// A list of hashtags that belongs to a person.
    enum List: String {
        case followed = "followed_tags"
        case featured = "featured_tags"
    }

    /// Inserts a hashtag into a list. Has no effect when it is there.
    func insert(_ tag: Hashtag, into list: List, of account: Account.ID) throws {
        try transaction.execute(
            """
            INSERT INTO \(list.rawValue) (account_id, name, written, id) VALUES ($1, $2, $3, $4)
            ON CONFLICT (account_id, name) DO NOTHING
            """, account, tag.name, tag.written, transaction.newID())
    }

    /// Deletes a hashtag from a list. Has no effect when it isn't there.
    func delete(_ name: String, from list: List, of account: Account.ID) throws {
        try transaction.execute(
            "DELETE FROM \(list.rawValue) WHERE account_id = $1 AND name = $2", account, name)
    }

    func count(_ list: List, of account: Account.ID) throws -> Int {
        try transaction.value("SELECT count(*) FROM \(list.rawValue) WHERE account_id = $1", account) ?? 0
    }

    /// Returns a page of a list, newest first, with the id by which each hashtag is paged.
    func tags(_ list: List, of account: Account.ID, page: PageRequest) throws -> [(Int64, Hashtag)] {
        try page.rows(
            idColumn: "x.id",
            "SELECT x.id, x.name, x.written FROM \(list.rawValue) x WHERE x.account_id = $1",
            arguments: [account], transaction
        ) {
            (
                try $0.int64("id"),
                Hashtag(written: try $0.string("written"), name: try $0.string("name"))
            )
        }
    }

    /// Returns those of some hashtags that are in a list, by their names.
    func known(_ names: [String], in list: List, of account: Account.ID) throws -> Set<String> {
        let found = try transaction.rows(for: names, after: [account]) { places in
            "SELECT name FROM \(list.rawValue) WHERE account_id = $1 AND name IN (\(places))"
        } map: {
            try $0.string("name")
        }
        return Set(found)
    }

    /// The most posts of an author that are counted for a featured hashtag, or looked at to suggest one.
    private static let mostCounted = 1_000

    /// Returns how many posts of an author with a hashtag in their captions `viewer` may see, counted up to a thousand, and
    /// the newest of them.
    func count(
        _ name: String, by author: Account.ID, for viewer: Account.ID
    ) throws -> (count: Int, newest: Post.ID?) {
        // post_tags_by_author
        let found = try transaction.row(
            """
            SELECT count(*) AS posts, max(post_id) AS newest FROM (
                SELECT t.post_id FROM post_tags t JOIN posts p ON p.id = t.post_id
                WHERE t.author_id = $2 AND t.name = $3 AND t.source_id = t.post_id AND \(PostRow.isOpen(by: "$2"))
                ORDER BY t.post_id DESC LIMIT $4) AS few
            """, viewer, author, name, Self.mostCounted
        ) { (try $0.int("posts"), try $0.optionalInt64("newest").map { Post.ID(rawValue: $0) }) }
        return found ?? (0, nil)
    }

    /// Returns the hashtags that an author has used most in captions of late and doesn't feature, the most used first.
    func mostUsed(by author: Account.ID, limit: Int) throws -> [String] {
        // The newest posts of posts_newest_by_author, then post_tags_by_source.
        try transaction.values(
            """
            SELECT t.name FROM (SELECT p.id FROM posts p WHERE p.author_id = $1 AND p.parent_id IS NULL
                ORDER BY p.id DESC LIMIT $2) AS few JOIN post_tags t ON t.source_id = few.id
            WHERE NOT EXISTS (SELECT 1 FROM featured_tags x WHERE x.account_id = $1 AND x.name = t.name)
            GROUP BY t.name ORDER BY count(*) DESC, t.name LIMIT $3
            """, author, Self.mostCounted, limit)
    }
}
