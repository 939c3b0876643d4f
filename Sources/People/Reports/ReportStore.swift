import Core
import Foundation
import Storage

/// The SQL of reports.
struct ReportStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    private static let columns = """
        r.id, r.reporter_id, r.account_id, r.subject_kind, r.subject_id, r.holder_id, r.quote, r.reason, r.words
        """

    private static func report(from row: Row) throws -> Report {
        Report(
            id: ID(rawValue: try row.int64("id")), reporter: ID(rawValue: try row.int64("reporter_id")),
            account: ID(rawValue: try row.int64("account_id")),
            subject: .init(
                kind: try row.string("subject_kind"), id: try row.int64("subject_id"),
                holder: try row.int64("holder_id"), quote: try row.string("quote")),
            reason: Report.Reason(rawValue: try row.string("reason")) ?? .other,
            words: try row.string("words"))
    }

    // MARK: Reports

    func insert(_ report: Report) throws {
        try transaction.execute(
            """
            INSERT INTO reports (id, reporter_id, account_id, reason, words, subject_kind, subject_id, holder_id, quote)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """, report.id, report.reporter, report.account, report.reason.rawValue, report.words,
            report.subject.kind, report.subject.id, report.subject.holder, report.subject.quote)
    }

    /// Returns the open report that someone has already sent about a subject.
    func open(by reporter: Account.ID, about account: Account.ID, _ subject: Report.Subject) throws
        -> Report?
    {
        try transaction.row(
            """
            SELECT \(Self.columns) FROM reports r WHERE r.reporter_id = $1 AND r.account_id = $2
                AND r.subject_id = $3 AND r.closed_at IS NULL
            """, reporter, account, subject.id
        ) { try Self.report(from: $0) }
    }

    func report(_ id: Report.ID) throws -> Report? {
        try transaction.row(
            "SELECT \(Self.columns) FROM reports r WHERE r.id = $1 AND r.closed_at IS NULL", id
        ) { try Self.report(from: $0) }
    }

    /// Returns the reported things, each with its newest report and how many people reported it, newest first.
    func queue(limit: Int) throws -> [(newest: Report.ID, reporters: Int)] {
        // reports_open
        try transaction.rows(
            """
            SELECT max(r.id) AS newest, count(DISTINCT r.reporter_id) AS reporters
            FROM reports r WHERE r.closed_at IS NULL
            GROUP BY r.account_id, r.subject_id ORDER BY newest DESC LIMIT $1
            """, limit
        ) { (ID(rawValue: try $0.int64("newest")), try $0.int("reporters")) }
    }

    /// Returns how many things and accounts have open reports.
    func openCount() throws -> Int {
        try transaction.value(
            """
            SELECT count(*) FROM (SELECT 1 FROM reports r WHERE r.closed_at IS NULL
                GROUP BY r.account_id, r.subject_id) AS subjects
            """) ?? 0
    }

    /// Closes all open reports about the subject of a report.
    func close(_ report: Report) throws {
        try transaction.execute(
            """
            UPDATE reports AS r SET closed_at = $3, quote = ''
            WHERE r.account_id = $1 AND r.subject_id = $2 AND r.closed_at IS NULL
            """, report.account, report.subject.id, transaction.now)
    }

    /// Closes all open reports about an account and what it posted and sent.
    func closeAll(about account: Account.ID) throws {
        try transaction.execute(
            "UPDATE reports SET closed_at = $2, quote = '' WHERE account_id = $1 AND closed_at IS NULL",
            account,
            transaction.now)
    }

    /// Returns whether something has an open report.
    func isReported(_ subject: Int64) throws -> Bool {
        // reports_by_subject
        try transaction.row(
            """
            SELECT 1 FROM reports r WHERE r.subject_id = $1 AND r.subject_id <> 0 AND r.closed_at IS NULL LIMIT 1
            """, subject
        ) { _ in true } ?? false
    }
}
