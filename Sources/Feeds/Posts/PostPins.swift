import Core
import Serving
import Storage

/// The SQL of pins: posts shown first on their author's profile.
extension PostStore {
    /// Returns an account's pinned posts that `viewer` may see, the one pinned last first, without photos.
    func pinned(by author: Account.ID, for viewer: Account.ID) throws -> [Post] {
        // pinned_posts_by_account
        try transaction.rows(
            """
            SELECT \(PostRow.columns) FROM pinned_posts pp JOIN posts p ON p.id = pp.post_id
            JOIN \(AccountRow.table) a ON a.id = p.author_id
            WHERE pp.account_id = $2 AND \(PostRow.visible) ORDER BY pp.id DESC LIMIT \(PostRules.mostPins)
            """, viewer, author
        ) { try PostRow.post(from: $0) }
    }

    func pinsCount(of author: Account.ID) throws -> Int {
        try transaction.value("SELECT count(*) FROM pinned_posts WHERE account_id = $1", author) ?? 0
    }

    func pin(_ post: Post.ID, of author: Account.ID) throws {
        try transaction.execute(
            "INSERT INTO pinned_posts (post_id, account_id, id) VALUES ($1, $2, $3)", post, author,
            transaction.newID())
    }

    func unpin(_ post: Post.ID) throws {
        try transaction.execute("DELETE FROM pinned_posts WHERE post_id = $1", post)
    }
}

extension PostRules {
    /// The most posts that one account can pin.
    static let mostPins = 3
}

// Pinning: the author chooses posts to show first on their profile.
extension PostService {
    /// Pins a post of the viewer's to their profile, or unpins it. Doing either twice has no further effect.
    ///
    /// - Throws: ``Refusal``: 404 for a post that the viewer can't see, 422 for a post of someone else, for a comment, and
    ///   beyond ``PostRules/mostPins``.
    func setPinned(_ isPinned: Bool, _ id: Post.ID, by viewer: Account) async throws -> Post {
        try await database.write { transaction in
            let post = try PostRecords(transaction).visible(id, for: viewer)
            guard post.author.id == viewer.id else {
                throw Refusal.invalid("id", "ERR_INVALID", "You can only pin your own posts.")
            }
            guard post.root == nil else {
                throw Refusal.invalid("id", "ERR_INVALID", "Comments can’t be pinned, only posts.")
            }
            let store = PostStore(transaction)
            if isPinned, !post.isPinned {
                guard try store.pinsCount(of: viewer.id) < PostRules.mostPins else {
                    throw Refusal.invalid(
                        "id", "ERR_TOO_MANY",
                        "You can pin \(PostRules.mostPins) posts. Unpin one of them first.")
                }
                try store.pin(id, of: viewer.id)
            } else if !isPinned {
                try store.unpin(id)
            }
            return try PostRecords(transaction).post(id, for: viewer)
        }
    }

    /// Returns someone's pinned posts that the viewer may see, the one pinned last first.
    package func pinned(by author: Account.ID, for viewer: Account) async throws -> [Post] {
        try await read(for: viewer) { transaction in
            _ = try AccountRecords(transaction).account(author, for: viewer)
            return try PostStore(transaction).pinned(by: author, for: viewer.id)
        }
    }
}
