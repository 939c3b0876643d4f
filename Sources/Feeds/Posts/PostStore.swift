import Core
import Foundation
import People
import Storage

/// The SQL of posts.
struct PostStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    // MARK: Reading

    /// Returns a post or comment without its photos, if `viewer` may see it.
    func post(_ id: Post.ID, for viewer: Account.ID) throws -> Post? {
        try postsAndComments([id], for: viewer).first
    }

    /// Returns the posts and comments among `ids` that `viewer` may see, in the order of `ids`, without photos.
    func postsAndComments(_ ids: [Post.ID], for viewer: Account.ID) throws -> [Post] {
        try posts(ids, for: viewer, where: "\(PostRow.visible) AND \(PostRow.visibleThread)")
    }

    /// Returns a post or comment without its photos, without checking that anyone may see it.
    func post(_ id: Post.ID) throws -> Post? {
        try transaction.row(
            "SELECT \(PostRow.columns) FROM posts p JOIN \(AccountRow.table) a ON a.id = p.author_id WHERE p.id = $2",
            Int64(0), id
        ) { try PostRow.post(from: $0) }
    }

    func author(of post: Post.ID) throws -> Account.ID? {
        try transaction.value("SELECT author_id FROM posts WHERE id = $1", post)
    }

    /// Returns the posts among `ids` that `viewer` may see, in the order of `ids`, without photos and without comments.
    func posts(_ ids: [Post.ID], for viewer: Account.ID) throws -> [Post] {
        try posts(ids, for: viewer, where: PostRow.visible)
    }

    private func posts(_ ids: [Post.ID], for viewer: Account.ID, where condition: String) throws -> [Post] {
        // One statement for a page: twenty statements take a fifth of a timeline's time.
        let posts = try transaction.rows(for: ids, after: [viewer]) { places in
            """
            SELECT \(PostRow.columns) FROM posts p JOIN \(AccountRow.table) a ON a.id = p.author_id
            WHERE p.id IN (\(places)) AND \(condition)
            """
        } map: {
            try PostRow.post(from: $0)
        }
        let found = Dictionary(posts.map { ($0.id, $0) }) { first, _ in first }
        return ids.compactMap { found[$0] }
    }

    /// Returns the photos of posts and comments, in their order.
    func photos(of posts: [Post.ID]) throws -> [Post.ID: [Photo]] {
        let found = try transaction.rows(for: posts) { places in
            """
            SELECT pp.post_id, \(PhotoRow.columns) FROM post_photos pp JOIN \(PhotoRow.table) ph ON ph.id = pp.photo_id
            WHERE pp.post_id IN (\(places)) ORDER BY pp.post_id, pp.position
            """
        } map: {
            (post: Post.ID(rawValue: try $0.int64("post_id")), photo: try PhotoRow.photo(from: $0))
        }
        return Dictionary(grouping: found, by: \.post).mapValues { $0.map(\.photo) }
    }

    /// Returns the authors of posts and comments.
    func authors(of posts: [Post.ID]) throws -> [Post.ID: Account.ID] {
        let found = try transaction.rows(for: Set(posts)) { places in
            "SELECT id, author_id FROM posts WHERE id IN (\(places))"
        } map: {
            (Post.ID(rawValue: try $0.int64("id")), Account.ID(rawValue: try $0.int64("author_id")))
        }
        return Dictionary(uniqueKeysWithValues: found)
    }

    /// Returns one page of an account's posts, newest first.
    ///
    /// - Parameter unpinned: leaves out the pinned ones, which are shown before the others.
    func posts(
        by author: Account.ID, unpinned: Bool = false, for viewer: Account.ID, page: PageRequest
    ) throws -> [Post] {
        // posts_newest_by_author as far as the page is full; PostgreSQL would read and sort all of the author's posts.
        try page.rows(
            idColumn: "p.id",
            """
            SELECT p.id FROM posts p WHERE p.author_id = $2 AND p.parent_id IS NULL AND \(PostRow.isOpen(by: "$2"))
                AND ($3 = 0 OR NOT EXISTS (SELECT 1 FROM pinned_posts x WHERE x.post_id = p.id))
            """,
            in: {
                """
                SELECT \(PostRow.columns) FROM posts p JOIN \(AccountRow.table) a ON a.id = p.author_id
                WHERE p.id IN (\($0)) AND a.is_suspended = 0 AND \(AccountRow.haveNoBlock("$1", "$2"))
                """
            }, arguments: [viewer, author, unpinned], transaction
        ) { try PostRow.post(from: $0) }
    }

    /// Returns one page of the posts for everyone on this server, newest first, without those that `viewer` has hidden.
    func publicPosts(for viewer: Account.ID, page: PageRequest) throws -> [Post] {
        try page.rows(
            idColumn: "p.id",
            """
            SELECT \(PostRow.columns) FROM posts p JOIN \(AccountRow.table) a ON a.id = p.author_id
            WHERE p.parent_id IS NULL AND p.visibility = 'public' AND \(PostRow.visible) AND \(PostRow.isUnmuted)
                AND \(PostRow.isNotHidden())
            """, arguments: [viewer], transaction
        ) { try PostRow.post(from: $0) }
    }

    /// Returns one page of an account's posts whose captions have a hashtag, newest first.
    func posts(
        by author: Account.ID, tagged tag: Hashtag, for viewer: Account.ID, page: PageRequest
    ) throws -> [Post] {
        // post_tags_by_author
        let ids = try page.rows(
            idColumn: "t.post_id",
            """
            SELECT t.post_id FROM post_tags t JOIN posts p ON p.id = t.post_id
            WHERE t.author_id = $2 AND t.name = $3 AND t.source_id = t.post_id AND \(PostRow.isOpen(by: "$2"))
            """, arguments: [viewer, author, tag.name], transaction
        ) { Post.ID(rawValue: try $0.int64("post_id")) }
        return try posts(ids, for: viewer)
    }

    // MARK: Writing

    func insert(
        _ id: Post.ID, author: Account.ID, words: PostWords, visibility: Post.Visibility, photos: [Photo.ID],
        parent: Post.ID? = nil, root: Post.ID? = nil
    ) throws {
        try transaction.execute(
            """
            INSERT INTO posts (id, author_id, parent_id, root_id, caption, warning, language, visibility)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            """, id, author, parent, root, words.caption, words.warning, words.language, visibility.rawValue)
        try insert(photos, into: id)
        try TagStore(transaction).insert(of: words.caption, in: id, below: root, by: author, visibility)
        guard parent == nil else { return }
        try PostWordStore(transaction).insert(of: words.caption, in: id)
        try AccountRecords(transaction).countPost(id.rawValue, by: author)
    }

    private func insert(_ photos: [Photo.ID], into id: Post.ID) throws {
        for (position, photo) in photos.enumerated() {
            try transaction.execute(
                "INSERT INTO post_photos (post_id, position, photo_id) VALUES ($1, $2, $3)",
                id, position, photo)
        }
    }

    /// Changes what a post says, and who sees it.
    func set(_ words: PostWords, _ visibility: Post.Visibility, of id: Post.ID) throws {
        let changed = try transaction.row(
            """
            UPDATE posts SET caption = $2, warning = $3, language = $4, visibility = $5, edited_at = $6,
                revision = revision + 1 WHERE id = $1 RETURNING author_id, root_id
            """, id, words.caption, words.warning, words.language, visibility.rawValue, transaction.now
        ) { (Account.ID(rawValue: try $0.int64("author_id")), try $0.optionalInt64("root_id")) }
        guard let (author, root) = changed else { return }
        let tags = TagStore(transaction)
        try tags.deleteTags(in: id)
        try tags.insert(
            of: words.caption, in: id, below: root.map { ID(rawValue: $0) }, by: author, visibility)
        guard root == nil else { return }
        let search = PostWordStore(transaction)
        try search.delete(of: id)
        try search.insert(of: words.caption, in: id)
    }

    /// Puts other photos in the place of those of a post.
    func setPhotos(_ photos: [Photo.ID], of id: Post.ID) throws {
        try transaction.execute("DELETE FROM post_photos WHERE post_id = $1", id)
        try insert(photos, into: id)
    }

    /// Raises the revision of the posts that show a photo, because the photo or its description has changed.
    func touchPosts(with photo: Photo.ID) throws {
        try transaction.execute(
            """
            UPDATE posts SET revision = revision + 1
            WHERE id IN (SELECT post_id FROM post_photos WHERE photo_id = $1)
            """, photo)
    }

    /// Deletes a post or comment with all comments below it, its likes and its saves, and updates the counts.
    func delete(_ id: Post.ID) throws {
        for gone in try [id] + CommentStore(transaction).replies(below: id) {
            try NotificationRecords(transaction).remove(about: gone.rawValue)
        }
        let deleted = try transaction.row(
            "DELETE FROM posts WHERE id = $1 RETURNING author_id, root_id, parent_id", id
        ) { row in
            (
                Account.ID(rawValue: try row.int64("author_id")), try row.optionalInt64("root_id"),
                try row.optionalInt64("parent_id")
            )
        }
        guard let (author, root, parent) = deleted else { return }
        if let root {
            let comments = CommentStore(transaction)
            try comments.recountComments(of: ID(rawValue: root))
            if let parent, parent != root { try comments.recountReplies(to: ID(rawValue: parent)) }
        } else {
            let newest = try transaction.value(
                "SELECT max(id) FROM posts WHERE author_id = $1 AND parent_id IS NULL", author, as: Int64.self
            )
            try AccountRecords(transaction).uncountPost(by: author, newest: newest ?? 0)
        }
    }

    /// Returns a batch of an account's posts and comments, in any order.
    func anyPosts(by author: Account.ID, limit: Int) throws -> [Post.ID] {
        try transaction.values("SELECT id FROM posts WHERE author_id = $1 LIMIT $2", author, limit)
    }

    /// Counts the posts, without comments.
    func count() throws -> Int {
        try transaction.value("SELECT count(*) FROM posts WHERE parent_id IS NULL") ?? 0
    }

    // MARK: Photos in posts

    /// Returns whether a post or comment that `viewer` may see contains a photo.
    func shows(_ photo: Photo.ID, to viewer: Account.ID) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 FROM post_photos pp JOIN posts p ON p.id = pp.post_id JOIN \(AccountRow.table) a ON a.id = p.author_id
            WHERE pp.photo_id = $2 AND \(PostRow.visible) AND \(PostRow.visibleThread) LIMIT 1
            """, viewer, photo
        ) { _ in true } ?? false
    }

    /// A post or comment that contains a photo.
    struct PhotoPlace {
        var post: Post.ID
        var isComment: Bool
        /// Whether the post or comment is deleted with the photo, because it has no other photo and no text of a
        /// comment.
        var goesWithPhoto: Bool
    }

    /// Returns the posts and comments that contain a photo. There are few.
    func places(of photo: Photo.ID) throws -> [PhotoPlace] {
        try transaction.rows(
            """
            SELECT p.id, p.parent_id IS NOT NULL AS is_comment, (p.parent_id IS NULL OR p.caption = '')
                AND NOT EXISTS (SELECT 1 FROM post_photos o WHERE o.post_id = p.id AND o.photo_id <> $1)
                AS goes_with_photo
            FROM post_photos pp JOIN posts p ON p.id = pp.post_id WHERE pp.photo_id = $1 ORDER BY p.id
            """, photo
        ) {
            PhotoPlace(
                post: ID(rawValue: try $0.int64("id")), isComment: try $0.bool("is_comment"),
                goesWithPhoto: try $0.bool("goes_with_photo"))
        }
    }
}
