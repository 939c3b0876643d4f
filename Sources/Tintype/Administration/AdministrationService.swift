import Core
import Feeds
import Foundation
import People
import Serving
import Storage

/// The service of administrators: seeing reports, removing content, suspending and restoring accounts, and choosing who
/// may sign up. Every action is recorded. Everyone else gets 404.
final class AdministrationService: Sendable {
    private let database: Database
    private let features: Registry<any Feature>
    private let comeback: Registry<AccountListener>
    private let reports: ReportService
    private let sessions: SessionService
    private let events: EventBus
    private let signUps: SignUpPolicy
    private let gauges: ServerGauges

    /// The most reported things and accounts that the queue shows at once.
    static let queueLength = 50

    init(
        database: Database, features: Registry<any Feature>,
        comeback: Registry<AccountListener>, reports: ReportService,
        sessions: SessionService, events: EventBus, signUps: SignUpPolicy, gauges: ServerGauges
    ) {
        self.database = database
        self.features = features
        self.comeback = comeback
        self.reports = reports
        self.sessions = sessions
        self.events = events
        self.signUps = signUps
        self.gauges = gauges
    }

    private static func check(_ viewer: Account) throws {
        guard viewer.isAdmin else { throw Refusal.notFound }
    }

    // MARK: Looking

    /// The numbers of accounts, posts and files on the server.
    struct Counts: Sendable {
        var accounts: Int
        /// The number of posts, without comments.
        var posts: Int
        var photos: Int
    }

    /// The content of the first screen.
    struct Overview: Sendable {
        var counts: Counts
        var storage: ServerGauges.Storage
        var health: ServerGauges.Health
        var signUp: SignUpMode
        var openCount: Int
        var queue: [ReportedSubject]
    }

    /// Returns the server's numbers and the open reports.
    ///
    /// - Throws: ``Refusal`` (404) for everyone but administrators, like all functions here.
    func overview(for viewer: Account) async throws -> Overview {
        try Self.check(viewer)
        let storage = try await gauges.storage()
        return try await database.read { [signUps, reports, gauges] transaction in
            Overview(
                counts: Counts(
                    accounts: try AccountRecords(transaction).count(),
                    posts: try PostRecords(transaction).count(),
                    photos: try PhotoRecords(transaction).count()),
                storage: storage, health: try gauges.health(transaction),
                signUp: try signUps.mode(transaction),
                openCount: try reports.openCount(transaction),
                queue: try reports.queue(limit: Self.queueLength, transaction))
        }
    }

    /// Counts the things and accounts that have open reports.
    func openCount(for viewer: Account, _ transaction: Transaction) throws -> Int {
        try Self.check(viewer)
        return try reports.openCount(transaction)
    }

    /// Returns who may sign up.
    func signUp(for viewer: Account) async throws -> SignUpMode {
        try Self.check(viewer)
        return try await signUps.mode()
    }

    /// Returns one page of accounts by name, including suspended ones, with the bytes that their files use.
    func accounts(_ query: String, after username: String, limit: Int, for viewer: Account) async throws
        -> [(account: Account, storage: Int)]
    {
        try Self.check(viewer)
        return try await database.read { transaction in
            let found = try AccountRecords(transaction).everyone(query, after: username, limit: limit)
            let storage = try PhotoRecords(transaction).storage(of: found.map(\.id))
            return found.map { ($0, storage[$0.id] ?? 0) }
        }
    }

    /// Returns one page of the activity log, newest first.
    func records(_ page: PageRequest, for viewer: Account) async throws -> [AdministrationRecord] {
        try Self.check(viewer)
        return try await database.read { try AdministrationRecordStore($0).records(page) }
    }

    /// Returns all administrators, by username.
    func administrators(for viewer: Account) async throws -> [Account] {
        try Self.check(viewer)
        return try await database.read { try AccountRecords($0).administrators() }
    }

    // MARK: Acting

    /// Runs an action in a transaction, after checking there that the viewer is still an administrator.
    /// Someone who was just suspended or demoted can no longer act. Nobody can suspend or demote themselves,
    /// so the acting administrator remains, and a server always has one.
    private func act<Value: Sendable>(
        as viewer: Account, _ body: @escaping @Sendable (Account, Transaction) throws -> Value
    ) async throws -> Value {
        try Self.check(viewer)
        return try await database.write { transaction in
            guard let viewer = try AccountRecords(transaction).unchecked(viewer.id), !viewer.isSuspended
            else {
                throw Refusal.notFound
            }
            try Self.check(viewer)
            return try body(viewer, transaction)
        }
    }

    /// Removes the subject of a report, closes the report and records the action, in one transaction.
    func remove(_ id: Report.ID, by viewer: Account) async throws {
        try await act(as: viewer) { [self] viewer, transaction in
            let report = try reports.open(id, transaction)
            let kind = try reports.remove(report, transaction)
            try reports.close(report, transaction)
            try note(.removed, kind, report, viewer, transaction)
        }
    }

    private func note(
        _ action: AdministrationRecord.Action, _ kind: String, _ report: Report, _ viewer: Account,
        _ transaction: Transaction
    ) throws {
        guard let account = try AccountRecords(transaction).unchecked(report.account) else {
            throw Refusal.notFound
        }
        try AdministrationRecordStore(transaction).insert(
            action, by: viewer, to: "a \(kind) by @\(account.username)", because: report.reason.words)
    }

    /// Chooses who may sign up from now on. This overrides the operator's setting.
    func setSignUp(_ mode: SignUpMode, by viewer: Account) async throws {
        try await act(as: viewer) { [signUps] viewer, transaction in
            let before = try signUps.mode(transaction)
            guard mode != before else { return }
            try signUps.set(mode, transaction)
            try AdministrationRecordStore(transaction).insert(
                .changed, by: viewer, to: "who can sign up",
                because: "From “\(before.words)” to “\(mode.words)”")
        }
    }

    /// Closes a report without any other action.
    func dismiss(_ id: Report.ID, by viewer: Account) async throws {
        try await act(as: viewer) { [reports] viewer, transaction in
            let report = try reports.open(id, transaction)
            guard let account = try AccountRecords(transaction).unchecked(report.account) else {
                throw Refusal.notFound
            }
            try reports.close(report, transaction)
            try AdministrationRecordStore(transaction).insert(
                .dismissed, by: viewer, to: "a report about @\(account.username)",
                because: report.reason.words)
        }
    }

    /// Suspends the account that a report is about.
    func suspend(reported id: Report.ID, by viewer: Account) async throws {
        try await act(as: viewer) { viewer, transaction in
            let report = try self.reports.open(id, transaction)
            try self.setSuspended(true, report.account, because: report.reason.words, by: viewer, transaction)
        }
    }

    /// Suspends an account, which hides it and ends its log-ins, or restores it.
    ///
    /// - Throws: ``Refusal``: 404 for an unknown account, 422 for the viewer's own.
    func setSuspended(_ isSuspended: Bool, _ id: Account.ID, because reason: String, by viewer: Account)
        async throws
    {
        try await act(as: viewer) { viewer, transaction in
            try self.setSuspended(isSuspended, id, because: reason, by: viewer, transaction)
        }
    }

    private func setSuspended(
        _ isSuspended: Bool, _ id: Account.ID, because reason: String, by viewer: Account,
        _ transaction: Transaction
    ) throws {
        guard id != viewer.id else {
            throw Refusal.invalid("id", "ERR_INVALID", "You can’t suspend yourself.")
        }
        guard let account = try AccountRecords(transaction).unchecked(id) else { throw Refusal.notFound }
        guard account.isSuspended != isSuspended else { return }
        try AccountRecords(transaction).setSuspended(isSuspended, id, events)
        if isSuspended {
            try features.leave(id, transaction)
            try reports.closeAll(about: id, transaction)
        } else {
            for resume in comeback.all { try resume(id, transaction) }
        }
        try AdministrationRecordStore(transaction).insert(
            isSuspended ? .suspended : .restored, by: viewer, to: "@\(account.username)", because: reason)
    }

    /// Makes someone an administrator, or ends this role.
    ///
    /// - Throws: ``Refusal``: 404 for an unknown username, 409 for a suspended account, for the viewer's own,
    ///   and for the last administrator.
    func setAdministrator(_ isAdmin: Bool, username: String, by viewer: Account) async throws {
        let changed = try await act(as: viewer) { viewer, transaction -> Account.ID? in
            let account = try AccountRecords(transaction).setAdministrator(isAdmin, username: username)
            guard let account else { return nil }
            guard account.id != viewer.id else {
                throw Refusal.conflict("Only another administrator can remove you.")
            }
            try AdministrationRecordStore(transaction).insert(
                isAdmin ? .promoted : .demoted, by: viewer, to: "@\(account.username)",
                because: isAdmin ? "Made an administrator" : "Removed as an administrator")
            return account.id
        }
        if let changed { sessions.refresh(changed) }
    }
}
