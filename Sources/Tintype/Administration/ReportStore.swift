import Foundation
import Storage

/// The SQL of reports and of what administrators did.
struct ReportStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    private static let columns = "r.id, r.reporter_id, r.account_id, r.post_id, r.reason, r.words"

    private static func report(from row: Row) throws -> Report {
        Report(
            id: ID(rawValue: try row.int64(0)), reporter: ID(rawValue: try row.int64(1)),
            account: ID(rawValue: try row.int64(2)), post: try row.optionalInt64(3).map { ID(rawValue: $0) },
            reason: Report.Reason(rawValue: try row.string(4)) ?? .other, words: try row.string(5))
    }

    // MARK: Reports

    func insert(_ report: Report) throws {
        try transaction.execute(
            """
            INSERT INTO reports (id, reporter_id, account_id, post_id, reason, words)
            VALUES ($1, $2, $3, $4, $5, $6)
            """, report.id, report.reporter, report.account, report.post, report.reason.rawValue, report.words
        )
    }

    /// The open report that someone has already sent about the same.
    func open(by reporter: Account.ID, about account: Account.ID, _ post: Post.ID?) throws -> Report? {
        try transaction.row(
            """
            SELECT \(Self.columns) FROM reports r WHERE r.reporter_id = $1 AND r.account_id = $2
                AND COALESCE(r.post_id, 0) = $3 AND r.closed_at IS NULL
            """, reporter, account, post?.rawValue ?? 0
        ) { try Self.report(from: $0) }
    }

    func report(_ id: Report.ID) throws -> Report? {
        try transaction.row(
            "SELECT \(Self.columns) FROM reports r WHERE r.id = $1 AND r.closed_at IS NULL", id
        ) { try Self.report(from: $0) }
    }

    /// What is reported, the newest report of each and how many people reported it; the newest first.
    func queue(limit: Int) throws -> [(newest: Report.ID, reporters: Int)] {
        // reports_open
        try transaction.rows(
            """
            SELECT max(r.id), count(DISTINCT r.reporter_id) FROM reports r WHERE r.closed_at IS NULL
            GROUP BY r.account_id, r.post_id ORDER BY 1 DESC LIMIT $1
            """, limit
        ) { (ID(rawValue: try $0.int64(0)), try $0.int(1)) }
    }

    /// How many posts and accounts are reported.
    func openCount() throws -> Int {
        try transaction.row(
            """
            SELECT count(*) FROM (SELECT 1 FROM reports r WHERE r.closed_at IS NULL
                GROUP BY r.account_id, r.post_id) AS subjects
            """
        ) { try $0.int(0) } ?? 0
    }

    /// Closes all that is open about the subject of a report.
    func close(_ report: Report) throws {
        try transaction.execute(
            """
            UPDATE reports SET closed_at = $3
            WHERE account_id = $1 AND COALESCE(post_id, 0) = $2 AND closed_at IS NULL
            """, report.account, report.post?.rawValue ?? 0, transaction.now)
    }

    /// Closes all that is open about an account and its posts.
    func closeAll(about account: Account.ID) throws {
        try transaction.execute(
            "UPDATE reports SET closed_at = $2 WHERE account_id = $1 AND closed_at IS NULL", account,
            transaction.now)
    }

    /// Whether a post has an open report.
    func isReported(_ post: Post.ID) throws -> Bool {
        try transaction.row(
            "SELECT 1 FROM reports r WHERE r.post_id = $1 AND r.closed_at IS NULL LIMIT 1", post
        ) { _ in true } ?? false
    }

    // MARK: Record

    func insert(
        _ deed: AdministrationRecord.Deed, by administrator: Account, to subject: String,
        because reason: String
    ) throws {
        try transaction.execute(
            """
            INSERT INTO administration_records (id, administrator, deed, subject, reason)
            VALUES ($1, $2, $3, $4, $5)
            """, transaction.newID(), administrator.username, deed.rawValue, subject, reason)
    }

    /// One page of what was done, newest first.
    func records(_ page: PageRequest) throws -> [AdministrationRecord] {
        try page.rows(
            transaction, idColumn: "d.id",
            """
            SELECT d.id, d.administrator, d.deed, d.subject, d.reason FROM administration_records d WHERE d.id > 0
            """, arguments: []
        ) { row -> AdministrationRecord? in
            guard let deed = AdministrationRecord.Deed(rawValue: try row.string(2)) else { return nil }
            return AdministrationRecord(
                id: ID(rawValue: try row.int64(0)), administrator: try row.string(1), deed: deed,
                subject: try row.string(3), reason: try row.string(4))
        }.compactMap { $0 }
    }

    /// What the server holds. Every row is counted; only administrators ask, now and then.
    func figures() throws -> AdministrationService.Figures {
        try transaction.row(
            """
            SELECT (SELECT count(*) FROM accounts), (SELECT count(*) FROM posts WHERE parent_id IS NULL),
                (SELECT COALESCE(sum(byte_count), 0) FROM blobs)
            """
        ) { .init(accounts: try $0.int(0), posts: try $0.int(1), photoBytes: try $0.int64(2)) }
            ?? .init(accounts: 0, posts: 0, photoBytes: 0)
    }
}

/// Something that an administrator did, in words that stay true when the accounts are gone.
struct AdministrationRecord: Sendable {
    /// The record's identifier; its time is when it was done.
    typealias ID = Tintype.ID<AdministrationRecord>

    enum Deed: String, Sendable {
        case removed, suspended, restored, dismissed
    }

    let id: ID
    var administrator: String
    var deed: Deed
    var subject: String
    var reason: String
}
