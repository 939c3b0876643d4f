import Foundation
import Storage

/// What administrators can do: see what is reported, remove posts, suspend and restore accounts. Everything
/// they do is recorded. For everyone else there is nothing here.
final class AdministrationService: Sendable {
    private let database: Database
    private let posts: PostService
    private let sessions: SessionService

    /// The most reported posts and accounts that the queue shows at once.
    static let queueLength = 50

    init(database: Database, posts: PostService, sessions: SessionService) {
        self.database = database
        self.posts = posts
        self.sessions = sessions
    }

    private static func check(_ viewer: Account) throws {
        guard viewer.isAdmin else { throw Refusal.notFound }
    }

    // MARK: Looking

    /// What the server holds.
    struct Figures: Sendable {
        var accounts: Int
        /// Comments not counted.
        var posts: Int
        /// All sizes of all photos and portraits.
        var photoBytes: Int64
    }

    /// What stands on the first screen.
    struct Overview: Sendable {
        var figures: Figures
        var openCount: Int
        var queue: [ReportedSubject]
    }

    /// What the server holds and what is reported.
    ///
    /// - Throws: ``Refusal`` (404) for everyone but administrators, as all functions here.
    func overview(for viewer: Account) async throws -> Overview {
        try Self.check(viewer)
        return try await database.read { transaction in
            let store = ReportStore(transaction)
            let queue = try store.queue(limit: Self.queueLength).compactMap { id, reporters in
                try store.report(id).flatMap { try Self.subject($0, reporters: reporters, transaction) }
            }
            return Overview(figures: try store.figures(), openCount: try store.openCount(), queue: queue)
        }
    }

    private static func subject(
        _ report: Report, reporters: Int, _ transaction: Transaction
    ) throws -> ReportedSubject? {
        guard let reporter = try AccountService.account(transaction, report.reporter),
            let account = try AccountService.account(transaction, report.account)
        else { return nil }
        return ReportedSubject(
            newest: report, reporter: reporter, othersCount: reporters - 1, account: account,
            post: try report.post.flatMap { try PostService.unchecked(transaction, $0) })
    }

    /// One page of accounts by name, the suspended too.
    func accounts(_ query: String, after username: String, limit: Int, for viewer: Account) async throws
        -> [Account]
    {
        try Self.check(viewer)
        return try await database.read { transaction in
            try AccountService.everyone(transaction, query, after: username, limit: limit)
        }
    }

    /// One page of what was done, newest first.
    func records(_ page: PageRequest, for viewer: Account) async throws -> [AdministrationRecord] {
        try Self.check(viewer)
        return try await database.read { try ReportStore($0).records(page) }
    }

    // MARK: Acting

    /// Removes the post or comment that a report is about.
    func remove(_ id: Report.ID, by viewer: Account) async throws {
        try Self.check(viewer)
        let report = try await open(id)
        guard let post = report.post else { throw Refusal.notFound }
        // The report goes with its post: the record is written first, in words.
        try await database.write { transaction in
            guard let post = try PostService.unchecked(transaction, post) else { throw Refusal.notFound }
            let kind = post.root == nil ? "post" : "comment"
            try ReportStore(transaction).insert(
                .removed, by: viewer, to: "a \(kind) by @\(post.author.username)",
                because: report.reason.words)
        }
        _ = try await posts.remove(post)
    }

    /// Closes a report: there is nothing wrong.
    func dismiss(_ id: Report.ID, by viewer: Account) async throws {
        try Self.check(viewer)
        let report = try await open(id)
        try await database.write { transaction in
            let store = ReportStore(transaction)
            guard let account = try AccountService.account(transaction, report.account) else {
                throw Refusal.notFound
            }
            try store.close(report)
            try store.insert(
                .dismissed, by: viewer, to: "a report about @\(account.username)",
                because: report.reason.words)
        }
    }

    /// Suspends the account that a report is about.
    func suspend(reported id: Report.ID, by viewer: Account) async throws {
        try Self.check(viewer)
        let report = try await open(id)
        try await setSuspended(true, report.account, because: report.reason.words, by: viewer)
    }

    /// Takes an account out of sight and ends its log-ins, or brings it back.
    ///
    /// - Throws: ``Refusal``: 404 for nobody, 422 for oneself.
    func setSuspended(_ isSuspended: Bool, _ id: Account.ID, because reason: String, by viewer: Account)
        async throws
    {
        try Self.check(viewer)
        guard id != viewer.id else {
            throw Refusal.invalid("id", "ERR_INVALID", "You can't suspend yourself.")
        }
        try await database.write { transaction in
            guard let account = try AccountService.account(transaction, id) else { throw Refusal.notFound }
            guard account.isSuspended != isSuspended else { return }
            try AccountService.setSuspended(isSuspended, id, transaction)
            let store = ReportStore(transaction)
            if isSuspended { try store.closeAll(about: id) }
            try store.insert(
                isSuspended ? .suspended : .restored, by: viewer, to: "@\(account.username)", because: reason)
        }
        sessions.forget(id)
    }

    private func open(_ id: Report.ID) async throws -> Report {
        try await database.read { transaction in
            guard let report = try ReportStore(transaction).report(id) else { throw Refusal.notFound }
            return report
        }
    }
}
