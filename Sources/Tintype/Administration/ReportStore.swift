import Foundation
import Storage

/// The SQL of reports and of what administrators did.
struct ReportStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    private static let columns = """
        r.id, r.reporter_id, r.account_id, r.reason, r.words, r.post_id, r.snap_id, r.message_id, r.chat_id, r.quote,
        r.is_comment
        """
    /// What a report is about: the account alone when 0. No two things share an id.
    private static let subject = "COALESCE(r.post_id, r.snap_id, r.message_id, 0)"

    private static func report(from row: Row) throws -> Report {
        Report(
            id: ID(rawValue: try row.int64(0)), reporter: ID(rawValue: try row.int64(1)),
            account: ID(rawValue: try row.int64(2)), subject: try subject(from: row),
            reason: Report.Reason(rawValue: try row.string(3)) ?? .other, words: try row.string(4))
    }

    private static func subject(from row: Row) throws -> Report.Subject {
        if let post = try row.optionalInt64(5) {
            return .post(ID(rawValue: post), isComment: try row.bool(10), caption: try row.string(9))
        }
        if let snap = try row.optionalInt64(6) {
            return .snap(ID(rawValue: snap), feed: try row.string(9))
        }
        if let message = try row.optionalInt64(7), let chat = try row.optionalInt64(8) {
            return .message(ID(rawValue: message), chat: ID(rawValue: chat), text: try row.string(9))
        }
        return .account
    }

    // MARK: Reports

    func insert(_ report: Report) throws {
        try transaction.execute(
            """
            INSERT INTO reports (id, reporter_id, account_id, reason, words, post_id, snap_id, message_id, chat_id, quote,
                is_comment) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            """, report.id, report.reporter, report.account, report.reason.rawValue, report.words,
            report.subject.post, report.subject.snap, report.subject.message, report.subject.chat,
            report.subject.quote, report.subject.isComment)
    }

    /// The open report that someone has already sent about the same.
    func open(by reporter: Account.ID, about account: Account.ID, _ subject: Report.Subject) throws
        -> Report?
    {
        try transaction.row(
            """
            SELECT \(Self.columns) FROM reports r WHERE r.reporter_id = $1 AND r.account_id = $2
                AND \(Self.subject) = $3 AND r.closed_at IS NULL
            """, reporter, account, subject.id
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
            GROUP BY r.account_id, \(Self.subject) ORDER BY 1 DESC LIMIT $1
            """, limit
        ) { (ID(rawValue: try $0.int64(0)), try $0.int(1)) }
    }

    /// How many things and accounts are reported.
    func openCount() throws -> Int {
        try transaction.row(
            """
            SELECT count(*) FROM (SELECT 1 FROM reports r WHERE r.closed_at IS NULL
                GROUP BY r.account_id, \(Self.subject)) AS subjects
            """
        ) { try $0.int(0) } ?? 0
    }

    /// Closes all that is open about the subject of a report.
    func close(_ report: Report) throws {
        try transaction.execute(
            """
            UPDATE reports AS r SET closed_at = $3, quote = ''
            WHERE r.account_id = $1 AND \(Self.subject) = $2 AND r.closed_at IS NULL
            """, report.account, report.subject.id, transaction.now)
    }

    /// Closes all that is open about an account and what it posted and sent.
    func closeAll(about account: Account.ID) throws {
        try transaction.execute(
            "UPDATE reports SET closed_at = $2, quote = '' WHERE account_id = $1 AND closed_at IS NULL",
            account,
            transaction.now)
    }

    /// Whether a post has an open report.
    func isReported(_ post: Post.ID) throws -> Bool {
        try transaction.row(
            "SELECT 1 FROM reports r WHERE r.post_id = $1 AND r.closed_at IS NULL LIMIT 1", post
        ) { _ in true } ?? false
    }

    /// Whether a message has an open report.
    func isReported(_ message: Message.ID) throws -> Bool {
        try transaction.row(
            "SELECT 1 FROM reports r WHERE r.message_id = $1 AND r.closed_at IS NULL LIMIT 1", message
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

    /// How many accounts, posts and photos there are. Every row is counted; only administrators ask, now and then.
    func counts() throws -> AdministrationService.Counts {
        try transaction.row(
            """
            SELECT (SELECT count(*) FROM accounts), (SELECT count(*) FROM posts WHERE parent_id IS NULL),
                (SELECT count(*) FROM photos)
            """
        ) { .init(accounts: try $0.int(0), posts: try $0.int(1), photos: try $0.int(2)) }
            ?? .init(accounts: 0, posts: 0, photos: 0)
    }
}

extension Report.Subject {
    fileprivate var post: Int64? { if case .post(let id, _, _) = self { id.rawValue } else { nil } }
    fileprivate var snap: Int64? { if case .snap(let id, _) = self { id.rawValue } else { nil } }
    fileprivate var message: Int64? { if case .message(let id, _, _) = self { id.rawValue } else { nil } }
    fileprivate var chat: Int64? { if case .message(_, let id, _) = self { id.rawValue } else { nil } }

    fileprivate var isComment: Bool { if case .post(_, let isComment, _) = self { isComment } else { false } }

    fileprivate var id: Int64 { post ?? snap ?? message ?? 0 }

    fileprivate var quote: String {
        switch self {
        case .account: ""
        case .post(_, _, let caption): caption
        case .snap(_, let feed): feed
        case .message(_, _, let text): text
        }
    }
}

/// Something that an administrator did, in words that stay true when the accounts are gone.
struct AdministrationRecord: Sendable {
    /// The record's identifier; its time is when it was done.
    typealias ID = Tintype.ID<AdministrationRecord>

    enum Deed: String, Sendable {
        case removed, suspended, restored, dismissed, changed, promoted, demoted
    }

    let id: ID
    var administrator: String
    var deed: Deed
    var subject: String
    var reason: String
}
