import Core
import Foundation
import HTML
import Hummingbird
import Serving
import Storage

/// The service with which everyone can report what should not be here.
package final class ReportService: Sendable {
    private let database: Database
    /// The kinds of things that can be reported, from all features.
    package let kinds: Registry<any ReportKind>
    private let attempts: RateLimiter

    init(database: Database, kinds: Registry<any ReportKind>, now: @escaping @Sendable () -> Date) {
        self.database = database
        self.kinds = kinds
        attempts = RateLimiter(limit: 30, per: 3_600, capacity: 20_000, now: now)
    }

    /// Reports accounts, or things of some features: all of them or none. Reporting a thing again while the report is
    /// open changes nothing.
    ///
    /// - Throws: ``Refusal``: 404 for what the viewer can't see, 422 for the viewer's own things, 429 after thirty
    ///   reports in an hour.
    func report(
        _ targets: [ReportTarget], _ reason: Report.Reason, words: String, by viewer: Account
    ) async throws -> [Report] {
        let count = words.unicodeScalars.count
        guard count <= Report.wordsLength else {
            throw Refusal.invalid("words", "ERR_TOO_LONG", "That is \(count) characters; the limit is 1,000.")
        }
        for _ in targets {
            guard attempts.take("\(viewer.id)").isAllowed else {
                let wait = attempts.secondsUntilReset("\(viewer.id)")
                throw Refusal(.tooOften(retryAfter: wait), "You have sent many reports. Try again later.")
            }
        }
        return try await database.write { [kinds] transaction in
            try targets.map { target in
                guard let kind = Self.kind(target.kind, kinds) else { throw Refusal.notFound }
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
    }

    /// Returns the kind that has a name.
    private static func kind(_ name: String, _ kinds: Registry<any ReportKind>) -> (any ReportKind)? {
        kinds.all.first { $0.kinds.contains(name) }
    }

    // MARK: For the administration, which has checked that it may

    /// Returns the reported things, each with its newest report and how many people reported it, newest first.
    package func queue(limit: Int, _ transaction: Transaction) throws -> [ReportedSubject] {
        let store = ReportStore(transaction)
        return try store.queue(limit: limit).compactMap { id, reporters in
            guard let report = try store.report(id),
                let reporter = try AccountRecords(transaction).unchecked(report.reporter),
                let account = try AccountRecords(transaction).unchecked(report.account),
                let kind = Self.kind(report.subject.kind, kinds)
            else { return nil }
            return ReportedSubject(
                newest: report, reporter: reporter, othersCount: reporters - 1, account: account,
                evidence: try kind.evidence(report.subject, of: account, transaction))
        }
    }

    /// Returns how many things and accounts have open reports.
    package func openCount(_ transaction: Transaction) throws -> Int {
        try ReportStore(transaction).openCount()
    }

    /// Returns an open report.
    ///
    /// - Throws: ``Refusal`` (404) when it is closed or never existed.
    package func open(_ id: Report.ID, _ transaction: Transaction) throws -> Report {
        guard let report = try ReportStore(transaction).report(id) else { throw Refusal.notFound }
        return report
    }

    /// Removes the subject of a report. Returns its kind.
    ///
    /// - Throws: ``Refusal`` (404) when the report is about an account.
    package func remove(_ report: Report, _ transaction: Transaction) throws -> String {
        guard let kind = Self.kind(report.subject.kind, kinds) else { throw Refusal.notFound }
        try kind.remove(report.subject, transaction)
        return report.subject.kind
    }

    /// Closes all open reports about the subject of a report.
    package func close(_ report: Report, _ transaction: Transaction) throws {
        try ReportStore(transaction).close(report)
    }

    /// Closes all open reports about an account and what it posted and sent.
    package func closeAll(about account: Account.ID, _ transaction: Transaction) throws {
        try ReportStore(transaction).closeAll(about: account)
    }
}

/// Accounts as a kind that can be reported.
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
            words: account.displayName, path: RelationshipPaths.report(account.id),
            back: (account.username, AppPaths.profile(account.username)))
    }

    func targets(_ input: Input) throws -> [ReportTarget] {
        input.id("account_id", of: Account.self).map { [.init(kind: "account", id: $0.rawValue)] } ?? []
    }

    func reported(
        _ target: ReportTarget, for viewer: Account, _ transaction: Transaction
    ) throws -> (account: Account.ID, subject: Report.Subject) {
        (try AccountRecords(transaction).account(ID(rawValue: target.id), for: viewer).id, .account)
    }

    func evidence(
        _ subject: Report.Subject, of account: Account, _ transaction: Transaction
    ) throws -> ReportEvidence {
        ReportEvidence(words: "account · \(account.displayName)")
    }

    func remove(_ subject: Report.Subject, _ transaction: Transaction) throws { throw Refusal.notFound }
}

/// The rule by which administrators see the photos of things with an open report, and no other photos of other people.
struct ReportsPhotoUse: PhotoUse {
    let kinds: Registry<any ReportKind>

    func shows(_ photo: Photo.ID, to viewer: Account.ID, _ transaction: Transaction) throws -> Bool {
        guard try AccountRecords(transaction).unchecked(viewer)?.isAdmin == true else { return false }
        let store = ReportStore(transaction)
        return try kinds.all.contains { kind in
            try kind.showing(photo, transaction).contains { try store.isReported($0) }
        }
    }

    func uses(of photo: Photo.ID, _ transaction: Transaction) throws -> PhotoUses? { nil }
    func release(_ photo: Photo.ID, _ transaction: Transaction) throws {}
    func changed(_ photo: Photo.ID, _ transaction: Transaction) throws {}
}
