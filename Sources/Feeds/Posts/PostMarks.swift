import Core
import People
import Storage

/// The two marks that a person can put on a post.
package enum PostMark: Sendable {
    /// The heart, counted and seen by others.
    case like
    /// The bookmark, seen only by the person who set it.
    case save

    fileprivate var table: String { self == .like ? "likes" : "saves" }
}

/// The SQL of marks, and of posts that people hide.
extension PostStore {
    /// Returns one page of the posts that `viewer` saved or liked, newest mark first, each with the id that pages it.
    func marked(_ mark: PostMark, by viewer: Account.ID, page: PageRequest) throws -> [(Int64, Post)] {
        try page.rows(
            idColumn: "m.id",
            """
            SELECT m.id, \(PostRow.columns) FROM \(mark.table) m
            JOIN posts p ON p.id = m.post_id JOIN \(AccountRow.table) a ON a.id = p.author_id
            WHERE m.account_id = $1 AND \(PostRow.visible) AND \(PostRow.visibleThread)
            """, arguments: [viewer], transaction
        ) { (try $0.int64("id"), try PostRow.post(from: $0)) }
    }

    /// Returns one page of the people who like a post, newest like first, without people blocked in either direction.
    func likers(of post: Post.ID, for viewer: Account.ID, page: PageRequest) throws -> [(Int64, Account)] {
        try page.rows(
            idColumn: "l.id",
            """
            SELECT l.id, \(AccountRow.columns) FROM likes l JOIN \(AccountRow.table) a ON a.id = l.account_id
            WHERE l.post_id = $1 AND \(AccountRow.isVisible(to: "$2"))
            """, arguments: [post, viewer], transaction
        ) { (try $0.int64("id"), try AccountRow.account(from: $0)) }
    }

    /// Returns a batch of the posts that an account likes, in any order.
    func liked(by account: Account.ID, limit: Int) throws -> [Post.ID] {
        try transaction.values("SELECT post_id FROM likes WHERE account_id = $1 LIMIT $2", account, limit)
    }

    /// Returns the accounts among `accounts` that like or have saved a post.
    func marked(_ mark: PostMark, _ post: Post.ID, among accounts: Set<Account.ID>) throws -> Set<Account.ID>
    {
        var found: Set<Account.ID> = []
        for account in accounts {
            // The primary key of likes and saves.
            let isMarked = try transaction.row(
                "SELECT 1 FROM \(mark.table) WHERE post_id = $1 AND account_id = $2", post, account
            ) { _ in true }
            if isMarked == true { found.insert(account) }
        }
        return found
    }

    /// Likes or saves a post. Returns whether the mark is new.
    func mark(_ mark: PostMark, _ post: Post.ID, by account: Account.ID) throws -> Bool {
        let isNew =
            try transaction.execute(
                """
                INSERT INTO \(mark.table) (post_id, account_id, id) VALUES ($1, $2, $3)
                ON CONFLICT (post_id, account_id) DO NOTHING
                """, post, account, transaction.newID()) > 0
        if isNew, mark == .like { try changeLikes(of: post, by: 1) }
        return isNew
    }

    /// Removes a like or save. Returns whether there was one.
    func unmark(_ mark: PostMark, _ post: Post.ID, by account: Account.ID) throws -> Bool {
        let was =
            try transaction.execute(
                "DELETE FROM \(mark.table) WHERE post_id = $1 AND account_id = $2", post, account) > 0
        if was, mark == .like { try changeLikes(of: post, by: -1) }
        return was
    }

    private func changeLikes(of post: Post.ID, by change: Int) throws {
        try transaction.execute("UPDATE posts SET likes_count = likes_count + $2 WHERE id = $1", post, change)
    }

    func hide(_ post: Post.ID, from account: Account.ID) throws {
        try transaction.execute(
            """
            INSERT INTO hidden_posts (account_id, post_id) VALUES ($1, $2)
            ON CONFLICT (account_id, post_id) DO NOTHING
            """, account, post)
    }
}

// Liking, saving and hiding posts.
extension PostService {
    /// Returns one page of the posts that the viewer saved or liked, with the id that each row is paged by.
    func marked(_ mark: PostMark, by viewer: Account, page: PageRequest) async throws -> [(Int64, Post)] {
        try await database.read { transaction in
            let found = try PostStore(transaction).marked(mark, by: viewer.id, page: page)
            let posts = try self.complete(found.map(\.1), for: viewer.id, transaction)
            return zip(found.map(\.0), posts).map { ($0, $1) }
        }
    }

    /// Returns one page of the people who like a post.
    func likers(
        of id: Post.ID, for viewer: Account, page: PageRequest
    ) async throws -> [(Int64, RelationshipService.Listed)] {
        try await database.read { transaction in
            _ = try PostRecords(transaction).visible(id, for: viewer)
            return try PostStore(transaction).likers(of: id, for: viewer.id, page: page).map { key, account in
                let relationship = try RelationshipRecords(transaction).relationship(
                    of: viewer.id, to: account.id)
                return (key, .init(account: account, relationship: relationship))
            }
        }
    }

    /// Likes or saves a post, or undoes it. Doing either twice has no further effect.
    package func set(
        _ mark: PostMark, _ isOn: Bool, on id: Post.ID, by viewer: Account
    ) async throws -> Post {
        try await database.write { [self] transaction in
            let post = try PostRecords(transaction).visible(id, for: viewer)
            let author = post.author.id
            let store = PostStore(transaction)
            let isChanged =
                isOn ? try store.mark(mark, id, by: viewer.id) : try store.unmark(mark, id, by: viewer.id)
            if mark == .like, isChanged {
                announcements.counted(id, transaction)
                if isOn {
                    try note(.like, to: author, from: viewer.id, about: post, group: id, transaction)
                } else {
                    try NotificationRecords(transaction).remove(
                        .like, to: author, from: viewer.id, about: id.rawValue)
                    try notifications.changed(for: [author], transaction)
                }
            }
            return try PostRecords(transaction).post(id, for: viewer)
        }
    }

    /// Hides a post from the viewer's home feed for good.
    func hide(_ id: Post.ID, by viewer: Account) async throws {
        try await database.write { transaction in
            _ = try PostRecords(transaction).visible(id, for: viewer)
            try PostStore(transaction).hide(id, from: viewer.id)
        }
    }
}
