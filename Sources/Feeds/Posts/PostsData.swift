import Core
import Storage

/// A person's posts, comments, likes and saves.
struct PostsData: AccountData {
    private static let batch = 100

    let lists = [
        AccountDataList(
            "posts",
            [
                ("id", .id), ("posted_at", .timeOfID), ("edited_at", .date), ("caption", .text),
                ("cover", .text), ("language", .text), ("visibility", .text),
                ("likes", .integer), ("comments", .integer),
            ],
            """
            SELECT id AS place, id, id AS posted_at, edited_at, caption, warning AS cover, language, visibility,
                likes_count AS likes,
                comments_count AS comments
            FROM posts WHERE author_id = $1 AND id > $2 AND parent_id IS NULL ORDER BY id LIMIT $3
            """),
        // The page size counts whole posts, which have at most ten photos each.
        AccountDataList(
            "post-photos", [("post_id", .id), ("position", .integer), ("photo_id", .id)],
            """
            SELECT pp.post_id AS place, pp.post_id, pp.position, pp.photo_id FROM post_photos pp
            WHERE pp.post_id IN (SELECT p.id FROM posts p WHERE p.author_id = $1 AND p.id > $2
                AND EXISTS (SELECT 1 FROM post_photos e WHERE e.post_id = p.id) ORDER BY p.id LIMIT $3)
            ORDER BY pp.post_id, pp.position
            """),
        AccountDataList(
            "comments",
            [
                ("id", .id), ("written_at", .timeOfID), ("edited_at", .date), ("text", .text),
                ("cover", .text), ("language", .text), ("below_post", .id),
            ],
            """
            SELECT id AS place, id, id AS written_at, edited_at, caption AS text, warning AS cover, language,
                root_id AS below_post FROM posts
            WHERE author_id = $1 AND id > $2 AND parent_id IS NOT NULL ORDER BY id LIMIT $3
            """),
        AccountDataList(
            "earlier-captions", [("post_id", .id), ("written_at", .date), ("text", .text), ("cover", .text)],
            """
            SELECT v.id AS place, v.post_id, v.written_at, v.caption AS text, v.warning AS cover
            FROM posts p JOIN post_versions v ON v.post_id = p.id
            WHERE p.author_id = $1 AND v.id > $2 ORDER BY v.id LIMIT $3
            """),
        AccountDataList(
            "pinned-posts", [("post_id", .id), ("at", .timeOfID)],
            """
            SELECT id AS place, post_id, id AS at FROM pinned_posts WHERE account_id = $1 AND id > $2
            ORDER BY id LIMIT $3
            """),
        AccountDataList(
            "muted-threads", [("post_id", .id), ("at", .timeOfID)],
            """
            SELECT id AS place, root_id AS post_id, id AS at FROM muted_threads WHERE account_id = $1 AND id > $2
            ORDER BY id LIMIT $3
            """),
        tags("followed-hashtags", "followed_tags"), tags("featured-hashtags", "featured_tags"),
        marks("likes"), marks("saves"),
        AccountDataList(
            "filters",
            [
                ("name", .text), ("made_at", .timeOfID), ("counts_in", .text), ("action", .text),
                ("ends_at", .date),
            ],
            """
            SELECT id AS place, title AS name, id AS made_at, contexts AS counts_in, action, ends_at
            FROM post_filters WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT $3
            """),
        // The page size counts whole filters, which have at most 50 words each.
        AccountDataList(
            "filter-words", [("filter", .text), ("word", .text), ("whole_word", .flag)],
            """
            SELECT w.filter_id AS place, f.title AS filter, w.text AS word, w.is_whole AS whole_word
            FROM filter_words w JOIN post_filters f ON f.id = w.filter_id
            WHERE w.filter_id IN (SELECT o.id FROM post_filters o WHERE o.account_id = $1 AND o.id > $2
                AND EXISTS (SELECT 1 FROM filter_words e WHERE e.filter_id = o.id) ORDER BY o.id LIMIT $3)
            ORDER BY w.filter_id, w.id
            """),
        AccountDataList(
            "filtered-posts", [("filter", .text), ("post_id", .id), ("at", .timeOfID)],
            """
            SELECT s.filter_id AS place, f.title AS filter, s.post_id, s.id AS at
            FROM filter_posts s JOIN post_filters f ON f.id = s.filter_id
            WHERE s.filter_id IN (SELECT o.id FROM post_filters o WHERE o.account_id = $1 AND o.id > $2
                AND EXISTS (SELECT 1 FROM filter_posts e WHERE e.filter_id = o.id) ORDER BY o.id LIMIT $3)
            ORDER BY s.filter_id, s.id
            """),
    ]

    private static func tags(_ name: String, _ table: String) -> AccountDataList {
        AccountDataList(
            name, [("hashtag", .text), ("at", .timeOfID)],
            """
            SELECT id AS place, written AS hashtag, id AS at FROM \(table) WHERE account_id = $1 AND id > $2
            ORDER BY id LIMIT $3
            """)
    }

    private static func marks(_ table: String) -> AccountDataList {
        AccountDataList(
            table, [("post_id", .id), ("at", .timeOfID)],
            """
            SELECT id AS place, post_id, id AS at FROM \(table) WHERE account_id = $1 AND id > $2
            ORDER BY id LIMIT $3
            """)
    }

    func erase(_ account: Account.ID, _ transaction: Transaction) throws -> Bool {
        let store = PostStore(transaction)
        let posts = try store.anyPosts(by: account, limit: Self.batch)
        for id in posts { try store.delete(id) }
        let liked = try store.liked(by: account, limit: Self.batch)
        for id in liked { _ = try store.unmark(.like, id, by: account) }
        return posts.isEmpty && liked.isEmpty
    }
}
