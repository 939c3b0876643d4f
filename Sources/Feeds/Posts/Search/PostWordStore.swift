import Core
import People
import Serving
import Storage

/// The SQL of the words by which search finds the captions of posts.
struct PostWordStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    // MARK: Words of posts

    /// Inserts the words of a caption.
    func insert(of caption: String, in post: Post.ID) throws {
        try transaction.insert(
            SearchWords.words(of: caption), into: "post_words (post_id, word)", behind: [post])
    }

    /// Deletes the words of a caption.
    func delete(of post: Post.ID) throws {
        try transaction.execute("DELETE FROM post_words WHERE post_id = $1", post)
    }

    /// Finds the words of some posts that are older than a place, again. Returns the next place; nil at the end.
    ///
    /// - Parameter limit: the most posts and comments to look at.
    func findWords(olderThan place: Int64, limit: Int) throws -> Int64? {
        let found = try transaction.rows(
            "SELECT id, parent_id, caption FROM posts WHERE id < $1 ORDER BY id DESC LIMIT $2", place, limit
        ) {
            (
                id: Post.ID(rawValue: try $0.int64("id")), isComment: !$0.isNull("parent_id"),
                caption: try $0.string("caption")
            )
        }
        for post in found where !post.isComment {
            try delete(of: post.id)
            try insert(of: post.caption, in: post.id)
        }
        return found.count == limit ? found.last?.id.rawValue : nil
    }

    // MARK: Posts with words

    /// How far the posts with a word are counted to find the rarest word of a search.
    private static let mostCounted = 1_000
    /// The most posts with the rarest word, or of the author, among which a page looks for the other words.
    private static let mostLookedAt = 10_000

    /// Returns one page of the posts whose captions have all of some words and that `viewer` may see in lists, newest first,
    /// without photos and without those that `viewer` has hidden.
    ///
    /// - Parameters:
    ///   - author: the only author; nil for anybody.
    ///   - skipped: how many posts to leave out before the page begins.
    func posts(
        with words: [String], by author: Account.ID?, for viewer: Account.ID, page: PageRequest,
        skipping skipped: Int
    ) throws -> [Post] {
        guard let rarest = try rarest(of: words) else { return [] }
        let walk =
            author.map { Walk(of: $0, with: words) } ?? Walk(of: rarest, with: words.filter { $0 != rarest })
        var span = ListedPosts.Span(page)
        if !walk.words.isEmpty, let end = try walk.end(of: span, after: Self.mostLookedAt, transaction) {
            span.end(before: end)
        }
        return try ListedPosts(transaction: transaction, viewer: viewer)
            .page(page, in: span, skipping: skipped) {
                try walk.posts(in: $0, limit: ListedPosts.batch, transaction)
            }
    }

    /// Returns the word that the fewest posts have; nil when there is none, or when no post has one of them.
    private func rarest(of words: [String]) throws -> String? {
        guard words.count > 1 else { return words.first }
        // post_words' primary key
        let counts = try words.map { word in
            try transaction.value(
                """
                SELECT count(*) FROM (SELECT 1 FROM post_words WHERE word = $1 LIMIT \(Self.mostCounted)) AS few
                """, word, as: Int.self) ?? 0
        }
        guard let rarest = zip(words, counts).min(by: { $0.1 < $1.1 }), rarest.1 > 0 else { return nil }
        return rarest.0
    }
}

/// The posts among which a search looks, in the order of an index: those with a word, or those of an author.
private struct Walk {
    private let key: any SQLConvertible
    private let source: String
    private let id: String
    /// The words that each post has to have, too.
    let words: [String]

    init(of word: String, with words: [String]) {
        // post_words' primary key
        (key, source, id) = (word, "post_words x WHERE x.word = $1", "x.post_id")
        self.words = words
    }

    init(of author: Account.ID, with words: [String]) {
        // posts_newest_by_author
        (key, source, id) = (author, "posts x WHERE x.author_id = $1 AND x.parent_id IS NULL", "x.id")
        self.words = words
    }

    /// Returns posts in a span that have all words.
    func posts(in span: ListedPosts.Span, limit: Int, _ transaction: Transaction) throws -> [Post.ID] {
        let places = words.indices.map { "$\($0 + 5)" }.joined(separator: ", ")
        // As a count, since PostgreSQL might read all posts with a common word for EXISTS.
        let hasWords =
            words.isEmpty
            ? ""
            : """
             AND (SELECT count(*) FROM post_words o
                WHERE o.word IN (\(places)) AND o.post_id = \(id)) = \(words.count)
            """
        return try transaction.values(
            """
            SELECT \(id) FROM \(source) AND \(id) < $2 AND \(id) > $3\(hasWords)
            ORDER BY \(id) \(span.order) LIMIT $4
            """, arguments: [key, span.upper, span.lower, limit] + words)
    }

    /// Returns the post in a span before which there are `count` others, whatever their words; nil when there are fewer.
    func end(of span: ListedPosts.Span, after count: Int, _ transaction: Transaction) throws -> Post.ID? {
        try transaction.value(
            """
            SELECT \(id) FROM \(source) AND \(id) < $2 AND \(id) > $3
            ORDER BY \(id) \(span.order) LIMIT 1 OFFSET $4
            """, key, span.upper, span.lower, count)
    }
}
