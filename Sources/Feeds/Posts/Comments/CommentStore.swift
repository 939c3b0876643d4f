import Core
import People
import Storage

/// The SQL of comments. A comment is a row of `posts` with a parent.
struct CommentStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    /// Inserts a comment's row, and increments the counts of its post and of the comment that it answers.
    func insert(
        _ id: Post.ID, author: Account.ID, words: PostWords, photos: [Photo.ID], parent: Post, thread: Post.ID
    ) throws {
        let root = parent.root ?? parent.id
        try PostStore(transaction).insert(
            id, author: author, words: words, visibility: parent.visibility, photos: photos,
            parent: parent.id, root: root)
        try transaction.execute("UPDATE posts SET thread_id = $2 WHERE id = $1", id, thread)
        for counted in Set([root, parent.id]) {
            try transaction.execute(
                "UPDATE posts SET comments_count = comments_count + 1 WHERE id = $1", counted)
        }
    }

    /// Counts the comments of a post again, after one was deleted.
    func recountComments(of root: Post.ID) throws {
        try transaction.execute(
            "UPDATE posts SET comments_count = (SELECT count(*) FROM posts c WHERE c.root_id = $1) WHERE id = $1",
            root)
    }

    /// Counts the replies to a comment again, after one was deleted.
    func recountReplies(to comment: Post.ID) throws {
        try transaction.execute(
            "UPDATE posts SET comments_count = (SELECT count(*) FROM posts c WHERE c.parent_id = $1) WHERE id = $1",
            comment)
    }

    /// Returns the comments below a comment, at any depth.
    func replies(below comment: Post.ID) throws -> [Post.ID] {
        // posts_by_parent
        try transaction.values(
            """
            WITH RECURSIVE below (id) AS (
                SELECT c.id FROM posts c WHERE c.parent_id = $1
                UNION ALL SELECT c.id FROM posts c JOIN below ON c.parent_id = below.id)
            SELECT id FROM below
            """, comment)
    }

    /// Returns the top-level comment of the thread that contains `comment`.
    func thread(of comment: Post.ID) throws -> Post.ID? {
        try transaction.value("SELECT COALESCE(thread_id, id) FROM posts WHERE id = $1", comment)
    }

    /// A comment with the top-level comment of its thread.
    struct Threaded: Sendable {
        var comment: Post
        var thread: Post.ID
    }

    /// Returns the comments of a post that follow a place, each followed by its replies, without comments of people
    /// whom `viewer` mutes.
    func comments(of root: Post.ID, for viewer: Account.ID, after place: Threaded.Place?, limit: Int) throws
        -> [Threaded]
    {
        // posts_by_thread
        try transaction.rows(
            """
            SELECT \(PostRow.columns), p.thread_id FROM posts p JOIN \(AccountRow.table) a ON a.id = p.author_id
            WHERE p.root_id = $2 AND (p.thread_id, p.id) > ($3, $4) AND \(PostRow.visible)
                AND \(PostRow.isUnmuted)
            ORDER BY p.thread_id, p.id LIMIT $5
            """, viewer, root, place?.thread ?? 0, place?.comment ?? 0, limit
        ) { try Self.threaded(from: $0) }
    }

    /// Returns the last comments of a post up to and including a place, in reading order, without comments of people
    /// whom `viewer` mutes.
    func comments(of root: Post.ID, for viewer: Account.ID, through place: Threaded.Place, limit: Int) throws
        -> [Threaded]
    {
        // posts_by_thread
        try transaction.rows(
            """
            SELECT \(PostRow.columns), p.thread_id FROM posts p JOIN \(AccountRow.table) a ON a.id = p.author_id
            WHERE p.root_id = $2 AND (p.thread_id, p.id) <= ($3, $4) AND \(PostRow.visible)
                AND \(PostRow.isUnmuted)
            ORDER BY p.thread_id DESC, p.id DESC LIMIT $5
            """, viewer, root, place.thread, place.comment, limit
        ) { try Self.threaded(from: $0) }.reversed()
    }

    /// Returns the place of a comment among the comments of a post; nil when it isn't one of them.
    func place(of comment: Post.ID, under root: Post.ID) throws -> Threaded.Place? {
        try transaction.row(
            "SELECT thread_id, id FROM posts WHERE id = $1 AND root_id = $2", comment, root
        ) { Threaded.Place(thread: try $0.int64("thread_id"), comment: try $0.int64("id")) }
    }

    /// Counts the comments of a post that `viewer` may see. Reads all of them.
    func count(of root: Post.ID, for viewer: Account.ID) throws -> Int {
        try transaction.value(
            """
            SELECT count(*) FROM posts p JOIN \(AccountRow.table) a ON a.id = p.author_id
            WHERE p.root_id = $2 AND \(PostRow.visible)
                AND \(PostRow.isUnmuted)
            """, viewer, root) ?? 0
    }

    /// Returns the newest of all comments of a post, including those that the viewer can't see; 0 when there is none.
    func newest(of root: Post.ID) throws -> Int64 {
        // posts_by_root
        try transaction.value("SELECT COALESCE(max(id), 0) FROM posts WHERE root_id = $1", root) ?? 0
    }

    /// Returns the comments of a post that are newer than `id`, oldest first, without comments of people whom `viewer`
    /// mutes.
    func comments(of root: Post.ID, for viewer: Account.ID, newerThan id: Int64, limit: Int) throws
        -> [Threaded]
    {
        // posts_by_root
        try transaction.rows(
            """
            SELECT \(PostRow.columns), p.thread_id FROM posts p JOIN \(AccountRow.table) a ON a.id = p.author_id
            WHERE p.root_id = $2 AND p.id > $3 AND \(PostRow.visible) AND \(PostRow.isUnmuted)
            ORDER BY p.id LIMIT $4
            """, viewer, root, id, limit
        ) { try Self.threaded(from: $0) }
    }

    /// Returns the replies below a comment, down to `depth` levels, each reply after the comment that it answers.
    func replies(below comment: Post.ID, for viewer: Account.ID, depth: Int, limit: Int) throws -> [Post] {
        // posts_by_parent
        try transaction.rows(
            """
            WITH RECURSIVE below (id, depth) AS (
                SELECT c.id, 1 FROM posts c WHERE c.parent_id = $2
                UNION ALL SELECT c.id, below.depth + 1 FROM posts c JOIN below ON c.parent_id = below.id
                WHERE below.depth < $3)
            SELECT \(PostRow.columns) FROM posts p JOIN \(AccountRow.table) a ON a.id = p.author_id
            WHERE p.id IN (SELECT id FROM below) AND \(PostRow.visible) AND \(PostRow.isUnmuted)
            ORDER BY p.id LIMIT $4
            """, viewer, comment, depth, limit
        ) { try PostRow.post(from: $0) }
    }

    /// Returns the comments above a comment, at most `depth` of them, and the post at the top, from the top down. The
    /// viewer has to be allowed to see the post.
    func ancestors(of comment: Post.ID, for viewer: Account.ID, depth: Int) throws -> [Post] {
        // A reply is newer than the comment that it answers.
        try transaction.rows(
            """
            WITH RECURSIVE above (id, depth) AS (
                SELECT c.parent_id, 1 FROM posts c WHERE c.id = $2
                UNION ALL SELECT c.parent_id, above.depth + 1 FROM posts c JOIN above ON c.id = above.id
                WHERE c.parent_id IS NOT NULL AND above.depth < $3)
            SELECT \(PostRow.columns) FROM posts p JOIN \(AccountRow.table) a ON a.id = p.author_id
            WHERE p.id IN (SELECT id FROM above UNION SELECT c.root_id FROM posts c WHERE c.id = $2)
                AND \(PostRow.visible) AND \(PostRow.isUnmutedInThread) ORDER BY p.id
            """, viewer, comment, depth
        ) { try PostRow.post(from: $0) }
    }

    private static func threaded(from row: Row) throws -> Threaded {
        Threaded(comment: try PostRow.post(from: row), thread: ID(rawValue: try row.int64("thread_id")))
    }
}

extension CommentStore.Threaded {
    /// The place of a comment among the comments of its post.
    struct Place: Sendable {
        var thread: Int64
        var comment: Int64

        /// The place right before the comment.
        var before: Place { Place(thread: thread, comment: comment - 1) }
    }

    var place: Place { Place(thread: thread.rawValue, comment: comment.id.rawValue) }
}
