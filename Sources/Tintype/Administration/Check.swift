import Foundation
import Storage

/// Looks for damage: in the database's file, in counters, and between rows and files of pictures.
///
/// It may run beside the server. What is only just being written or erased is looked at twice, so that it isn't
/// taken for damage.
struct Check {
    let database: Database
    let blobs: BlobFolder

    /// A counter that is kept beside what it counts.
    private struct Counter {
        /// What it is called in a sentence.
        var name: String
        /// Gives the id, the number that is kept, and the number that is right, for rows where they differ.
        var sql: String
    }

    private static let counters = [
        counter(
            "posts", of: "accounts", "posts_count",
            "SELECT count(*) FROM posts p WHERE p.author_id = o.id AND p.parent_id IS NULL"),
        counter(
            "followers", of: "accounts", "followers_count",
            "SELECT count(*) FROM follows f WHERE f.followee_id = o.id AND f.is_accepted = 1"),
        counter(
            "people followed", of: "accounts", "following_count",
            "SELECT count(*) FROM follows f WHERE f.follower_id = o.id AND f.is_accepted = 1"),
        counter("likes", of: "posts", "likes_count", "SELECT count(*) FROM likes l WHERE l.post_id = o.id"),
        counter(
            "comments", of: "posts", "comments_count",
            """
            SELECT count(*) FROM posts c
            WHERE c.root_id = o.id AND o.parent_id IS NULL OR c.parent_id = o.id AND o.parent_id IS NOT NULL
            """),
        counter(
            "messages", of: "chats", "messages_count",
            "SELECT count(*) FROM messages m WHERE m.chat_id = o.id AND m.is_deleted = 0"),
        counter(
            "newest message", of: "chats", "last_number",
            "SELECT coalesce(max(m.number), 0) FROM messages m WHERE m.chat_id = o.id"),
        counter(
            "unread messages", of: "chat_members", id: "chat_id", "unread_count",
            """
            SELECT count(*) FROM messages m WHERE m.chat_id = o.chat_id AND m.is_deleted = 0
                AND m.sender_id <> o.account_id AND m.id > o.read_through AND m.id > o.cleared_through
                AND o.is_dropped = 0
            """),
        counter(
            "last message", of: "chat_members", id: "chat_id", "last_message_id",
            """
            SELECT coalesce(max(m.id), 0) FROM messages m
            WHERE m.chat_id = o.chat_id AND m.is_deleted = 0 AND m.id > o.cleared_through
                AND o.is_dropped = 0
            """),
        counter(
            "viewers", of: "snaps", "viewers_count",
            "SELECT count(*) FROM snap_views v WHERE v.snap_id = o.id AND v.viewer_id <> o.poster_id"),
        counter(
            "newest post", of: "accounts", "newest_post_id",
            "SELECT coalesce(max(p.id), 0) FROM posts p WHERE p.author_id = o.id AND p.parent_id IS NULL"),
        Counter(
            name: "the storage of account",
            // The files are summed up once for all accounts.
            sql: """
                SELECT a.id, COALESCE(u.byte_count, 0), COALESCE(f.byte_count, 0) FROM accounts a
                LEFT JOIN storage_uses u ON u.account_id = a.id
                LEFT JOIN (SELECT owner_id, sum(byte_count) AS byte_count FROM blobs GROUP BY owner_id) f
                    ON f.owner_id = a.id
                WHERE COALESCE(u.byte_count, 0) <> COALESCE(f.byte_count, 0)
                ORDER BY a.id LIMIT \(maximumProblems)
                """),
    ]

    /// - Parameters:
    ///   - id: the column that tells a row to the operator.
    ///   - count: gives the right number for a row `o`.
    private static func counter(
        _ name: String, of table: String, id: String = "id", _ column: String, _ count: String
    ) -> Counter {
        Counter(
            name: "the \(name) of \(table.dropLast())",
            sql: """
                SELECT id, kept, counted FROM (SELECT o.\(id) AS id, o.\(column) AS kept, (\(count)) AS counted FROM \(table) o) AS both_counts
                WHERE kept <> counted ORDER BY id LIMIT \(maximumProblems)
                """)
    }

    /// A damaged disk shouldn't fill the terminal.
    private static let maximumProblems = 100
    private static let page = 500

    /// A sentence for each problem; empty when all is well.
    ///
    /// - Throws: when the database or the folder can't be read at all.
    func problems() async throws -> [String] {
        var problems = try await database.integrityProblems()
        problems += try await wrongCounters()
        problems += try await unownedRows()
        problems += try await wrongFiles()
        problems += try await unknownFiles()
        return problems
    }

    private func wrongCounters() async throws -> [String] {
        try await database.read { transaction in
            try Self.counters.flatMap { counter in
                try transaction.rows(counter.sql) { row in
                    "\(counter.name) \(try row.int64(0)) is kept as \(try row.int64(1)) but is \(try row.int64(2))"
                }
            }
        }
    }

    /// Rows of files that no picture names.
    private func unownedRows() async throws -> [String] {
        try await database.read { transaction in
            try BlobRecordStore(transaction).unowned(limit: Self.maximumProblems).map {
                "the file \($0.rawValue) belongs to no picture"
            }
        }
    }

    /// Files that are missing, shorter or longer than they were, or changed.
    private func wrongFiles() async throws -> [String] {
        var problems: [String] = []
        var after = ""
        while true {
            let last = after
            let page = try await database.read { try BlobRecordStore($0).page(after: last, limit: Self.page) }
            guard let end = page.last else { return problems }
            after = end.key.rawValue
            for blob in page where problems.count < Self.maximumProblems {
                if let problem = try await problem(of: blob), try await isKnown(blob.key) {
                    problems.append(problem)
                }
            }
        }
    }

    private func problem(of blob: StoredBlob) async throws -> String? {
        do {
            guard let count = try await blobs.byteCount(of: blob.key) else {
                return "the file \(blob.key.rawValue) is missing"
            }
            guard count == blob.byteCount else {
                return "the file \(blob.key.rawValue) has \(count) bytes instead of \(blob.byteCount)"
            }
            guard try await blobs.sha256(of: blob.key) == blob.sha256 else {
                return "the file \(blob.key.rawValue) has changed"
            }
            return nil
        } catch BlobError.notFound {
            return "the file \(blob.key.rawValue) is missing"
        }
    }

    /// Files that no row names, and that nobody is storing or erasing.
    private func unknownFiles() async throws -> [String] {
        var problems: [String] = []
        var after: BlobKey?
        while true {
            let page = try await blobs.keys(after: after, limit: Self.page)
            guard let end = page.last else { return problems }
            after = end
            // Marks before rows: a file loses its mark only after its row is there.
            let unkept = try await blobs.unkeptKeys()
            let unknown = try await database.read { transaction in
                let (records, jobs) = (BlobRecordStore(transaction), JobStore(transaction))
                return try page.filter { key in
                    try !records.exists(key) && !jobs.isScheduled(.eraseBlob, payload: key.rawValue)
                }
            }
            for key in unknown where problems.count < Self.maximumProblems && !unkept.contains(key) {
                // One that was erased since the folder was read is none.
                if try await blobs.byteCount(of: key) != nil {
                    problems.append("the file \(key.rawValue) has no row")
                }
            }
        }
    }

    private func isKnown(_ key: BlobKey) async throws -> Bool {
        try await database.read { try BlobRecordStore($0).exists(key) }
    }
}
