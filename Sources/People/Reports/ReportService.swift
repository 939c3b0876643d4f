import Core
import Foundation
import HTML
import Hummingbird
import Serving
import Storage

/// What everyone can do about what should not be here: report it.
package final class ReportService: Sendable {
    private let database: Database
    /// What of all features can be reported.
    package let kinds: Registry<any ReportKind>
    private let attempts: RateLimiter

    init(database: Database, kinds: Registry<any ReportKind>, now: @escaping @Sendable () -> Date) {
        self.database = database
        self.kinds = kinds
        attempts = RateLimiter(limit: 30, per: 3_600, capacity: 20_000, now: now)
    }

    /// Reports an account, or a thing of some feature. Reporting the same again while it is open changes
    /// nothing.
    ///
    /// - Throws: ``Refusal``: 404 for what can't be seen, 422 for what is the viewer's own, 429 after thirty
    ///   reports in an hour.
    func report(_ target: ReportTarget, _ reason: Report.Reason, words: String, by viewer: Account)
        async throws
        -> Report
    {
        let count = words.unicodeScalars.count
        guard count <= Report.wordsLength else {
            throw Refusal.invalid("words", "ERR_TOO_LONG", "That is \(count) characters; the limit is 1,000.")
        }
        guard attempts.take("\(viewer.id)").isAllowed else {
            let wait = attempts.secondsUntilReset("\(viewer.id)")
            throw Refusal(.tooOften(retryAfter: wait), "You have sent many reports. Try again later.")
        }
        guard let kind = Self.kind(target.kind, kinds) else { throw Refusal.notFound }
        return try await database.write { transaction in
            let (account, subject) = try kind.reported(target, for: viewer, transaction)
            guard account != viewer.id else {
                throw Refusal.invalid(
                    "account_id", "ERR_INVALID", "This is yours, so you can delete it yourself.")
            }
            let store = ReportStore(transaction)
            if let known = try store.open(by: viewer.id, about: account, subject) { return known }
            let report = Report(
                id: ID(rawValue: transaction.newID()), reporter: viewer.id, account: account,
                subject: subject, reason: reason, words: words)
            try store.insert(report)
            return report
        }
    }

    /// Returns the kind that has a name.
    private static func kind(_ name: String, _ kinds: Registry<any ReportKind>) -> (any ReportKind)? {
        kinds.all.first { $0.kinds.contains(name) }
    }

    // MARK: For the administration, which has checked that it may

    /// Returns what is reported, the newest report of each and how many people reported it; the newest first.
    package func queue(limit: Int, _ transaction: Transaction) throws -> [ReportedSubject] {
        let store = ReportStore(transaction)
        return try store.queue(limit: limit).compactMap { id, reporters in
            guard let report = try store.report(id),
                let reporter = try AccountService.unchecked(report.reporter, transaction),
                let account = try AccountService.unchecked(report.account, transaction),
                let kind = Self.kind(report.subject.kind, kinds)
            else { return nil }
            return ReportedSubject(
                newest: report, reporter: reporter, othersCount: reporters - 1, account: account,
                evidence: try kind.evidence(report.subject, of: account, transaction))
        }
    }

    /// Returns how many things and accounts are reported.
    package func openCount(_ transaction: Transaction) throws -> Int {
        try ReportStore(transaction).openCount()
    }

    /// Returns an open report.
    ///
    /// - Throws: ``Refusal`` (404) when it is closed or was never there.
    package func open(_ id: Report.ID, _ transaction: Transaction) throws -> Report {
        guard let report = try ReportStore(transaction).report(id) else { throw Refusal.notFound }
        return report
    }

    /// Removes what a report is about. Returns the kind of what was removed.
    ///
    /// - Throws: ``Refusal`` (404) when the report is about an account.
    package func remove(_ report: Report, _ transaction: Transaction) throws -> String {
        guard let kind = Self.kind(report.subject.kind, kinds) else { throw Refusal.notFound }
        try kind.remove(report.subject, transaction)
        return report.subject.kind
    }

    /// Closes all that is open about the subject of a report.
    package func close(_ report: Report, _ transaction: Transaction) throws {
        try ReportStore(transaction).close(report)
    }

    /// Closes all that is open about an account and what it posted and sent.
    package func closeAll(about account: Account.ID, _ transaction: Transaction) throws {
        try ReportStore(transaction).closeAll(about: account)
    }
}

/// Accounts as something to report.
struct AccountReports: ReportKind {
    let accounts: AccountService
    let kinds = ["account"]
    let noun = "a person"
    let parameters = "account_id"
    let path: RouterPath = "accounts/:id/report"

    func screen(_ context: AppContext) async throws -> ReportScreen {
        let account = try await accounts.account(context.id("id", of: Account.self), for: context.viewer)
        return ReportScreen(
            target: .init(kind: "account", id: account.id.rawValue), account: account,
            words: account.displayName, path: "/accounts/\(account.id)/report",
            back: (account.username, "/@\(account.username)"))
    }

    func targets(_ input: Input) throws -> [ReportTarget] {
        input.id("account_id", of: Account.self).map { [.init(kind: "account", id: $0.rawValue)] } ?? []
    }

    func reported(
        _ target: ReportTarget, for viewer: Account, _ transaction: Transaction
    ) throws -> (account: Account.ID, subject: Report.Subject) {
        (try AccountService.account(ID(rawValue: target.id), for: viewer, transaction).id, .account)
    }

    func evidence(
        _ subject: Report.Subject, of account: Account, _ transaction: Transaction
    ) throws -> ReportEvidence {
        ReportEvidence(words: "account · \(account.displayName)")
    }

    func remove(_ subject: Report.Subject, _ transaction: Transaction) throws { throw Refusal.notFound }
}

/// Administrators see the photos of what has an open report, and no others that aren't theirs.
struct ReportsPhotoUse: PhotoUse {
    let kinds: Registry<any ReportKind>

    func shows(_ photo: Photo.ID, to viewer: Account.ID, _ transaction: Transaction) throws -> Bool {
        guard try AccountService.unchecked(viewer, transaction)?.isAdmin == true else { return false }
        let store = ReportStore(transaction)
        return try kinds.all.contains { kind in
            try kind.showing(photo, transaction).contains { try store.isReported($0) }
        }
    }

    func uses(of photo: Photo.ID, _ transaction: Transaction) throws -> PhotoUses? { nil }
    func release(_ photo: Photo.ID, _ transaction: Transaction) throws {}
    func changed(_ photo: Photo.ID, _ transaction: Transaction) throws {}
}
