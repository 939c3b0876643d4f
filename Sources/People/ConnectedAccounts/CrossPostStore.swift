import Core
import Foundation
import Storage

/// The SQL of cross-posts.
struct CrossPostStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    /// A cross-post with what only its jobs need.
    struct Found: Sendable {
        var post: CrossPost
        /// The connected account; nil once it is disconnected.
        var connected: ConnectedAccount.ID?
        /// The number of the job that may do the next step.
        var turn: Int
        /// The file of the picture, which another table owns, until it is copied.
        var source: BlobKey?
        /// The copy of the picture.
        var picture: BlobKey?
        var idempotencyKey: String
    }

    private static let columns = """
        id, account_id, connected_id, server, reference_kind, reference_id, text, description, source_key, blob_key,
        idempotency_key, turn, step, ending, media_id, media_url, has_mark, mark, tried_at, has_lost_try, refusal,
        attempts, polls, began_at, next_at, reason, url
        """

    private static func found(from row: Row) throws -> Found {
        var progress = CrossPostProgress(now: try row.date("began_at"))
        guard let step = CrossPostProgress.Step(rawValue: try row.string("step")) else {
            throw DatabaseError.other(message: "unknown step of a cross-post")
        }
        progress.step = step
        progress.ending = CrossPostProgress.Ending(rawValue: try row.string("ending"))
        progress.mediaID = try row.optionalString("media_id")
        progress.mediaURL = try row.optionalString("media_url")
        progress.hasMark = try row.bool("has_mark")
        progress.mark = try row.optionalString("mark")
        progress.triedAt = try row.optionalDate("tried_at")
        progress.hasLostTry = try row.bool("has_lost_try")
        progress.refusal = try row.optionalString("refusal")
        progress.attempts = try row.int("attempts")
        progress.polls = try row.int("polls")
        progress.nextAt = try row.date("next_at")
        progress.reason = try row.string("reason")
        progress.url = try row.optionalString("url")
        let post = CrossPost(
            id: ID(rawValue: try row.int64("id")), account: ID(rawValue: try row.int64("account_id")),
            reference: .init(kind: try row.string("reference_kind"), id: try row.int64("reference_id")),
            server: try row.string("server"), text: try row.string("text"),
            description: try row.string("description"), progress: progress)
        return Found(
            post: post, connected: try row.optionalInt64("connected_id").map { ID(rawValue: $0) },
            turn: try row.int("turn"), source: try row.get("source_key", as: BlobKey?.self),
            picture: try row.get("blob_key", as: BlobKey?.self),
            idempotencyKey: try row.string("idempotency_key"))
    }

    func insert(_ found: Found) throws {
        let post = found.post
        let progress = post.progress
        try transaction.execute(
            """
            INSERT INTO cross_posts (\(Self.columns))
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21,
                $22, $23, $24, $25, $26, $27)
            """, post.id, post.account, found.connected, post.server, post.reference.kind, post.reference.id,
            post.text, post.description, found.source, found.picture, found.idempotencyKey, found.turn,
            progress.step.rawValue, progress.ending?.rawValue ?? "", progress.mediaID, progress.mediaURL,
            progress.hasMark, progress.mark, progress.triedAt, progress.hasLostTry, progress.refusal,
            progress.attempts, progress.polls, progress.beganAt, progress.nextAt, progress.reason,
            progress.url)
    }

    /// Saves the progress. From now on only the job of this turn may continue.
    func save(_ found: Found) throws {
        let progress = found.post.progress
        try transaction.execute(
            """
            UPDATE cross_posts SET source_key = $2, blob_key = $3, idempotency_key = $4, turn = $5, step = $6,
                ending = $7, media_id = $8, media_url = $9, has_mark = $10, mark = $11, tried_at = $12,
                has_lost_try = $13, refusal = $14, attempts = $15, polls = $16, began_at = $17, next_at = $18,
                reason = $19, url = $20
            WHERE id = $1
            """, found.post.id, found.source, found.picture, found.idempotencyKey, found.turn,
            progress.step.rawValue, progress.ending?.rawValue ?? "", progress.mediaID, progress.mediaURL,
            progress.hasMark, progress.mark, progress.triedAt, progress.hasLostTry, progress.refusal,
            progress.attempts, progress.polls, progress.beganAt, progress.nextAt, progress.reason,
            progress.url)
    }

    func post(_ id: CrossPost.ID) throws -> Found? {
        try transaction.row("SELECT \(Self.columns) FROM cross_posts WHERE id = $1", id) {
            try Self.found(from: $0)
        }
    }

    /// Returns an account's newest cross-posts.
    func posts(of account: Account.ID, limit: Int) throws -> [CrossPost] {
        try transaction.rows(
            "SELECT \(Self.columns) FROM cross_posts WHERE account_id = $1 ORDER BY id DESC LIMIT $2",
            account, limit
        ) { try Self.found(from: $0).post }
    }

    /// Returns an account's cross-posts that haven't ended for good.
    func open(of account: Account.ID) throws -> [Found] {
        // cross_posts_open_by_account. At most as many as there are open contracts.
        try transaction.rows(
            """
            SELECT \(Self.columns) FROM cross_posts
            WHERE account_id = $1 AND (ending = '' OR ending = 'uncertain') ORDER BY id
            """, account
        ) { try Self.found(from: $0) }
    }

    /// Returns the cross-posts of all accounts that haven't ended for good, for the copy in a backup.
    func allOpen() throws -> [Found] {
        try transaction.rows(
            "SELECT \(Self.columns) FROM cross_posts WHERE ending = '' OR ending = 'uncertain' ORDER BY id"
        ) { try Self.found(from: $0) }
    }

    /// Deletes some of an account's cross-posts, and schedules the erasure of their pictures. Returns how many.
    func delete(of account: Account.ID, limit: Int) throws -> Int {
        let found = try transaction.rows(
            "SELECT id, blob_key FROM cross_posts WHERE account_id = $1 ORDER BY id LIMIT $2", account, limit
        ) { (id: try $0.int64("id"), picture: try $0.get("blob_key", as: BlobKey?.self)) }
        for post in found {
            try transaction.execute("DELETE FROM cross_posts WHERE id = $1", post.id)
            if let picture = post.picture { try transaction.eraseFile(picture) }
        }
        return found.count
    }
}
