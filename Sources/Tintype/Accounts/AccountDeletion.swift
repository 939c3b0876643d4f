import Foundation
import Storage

/// Giving an account up: it is out of sight at once, and then everything of it is erased, batch by batch.
final class AccountDeletion: Sendable {
    private let database: Database
    private let sessions: SessionService
    private let events: EventBus
    private let jobs: JobRunner

    init(database: Database, sessions: SessionService, events: EventBus, jobs: JobRunner) {
        self.database = database
        self.sessions = sessions
        self.events = events
        self.jobs = jobs
    }

    /// What goes with an account, in numbers.
    struct Extent: Sendable {
        var posts: Int
        var photos: Int
    }

    /// What would go with an account.
    func extent(of viewer: Account) async throws -> Extent {
        try await database.read { transaction in
            let photos = try PhotoStore(transaction).size(of: viewer.id).photos
            return Extent(
                posts: try AccountStore(transaction).account(viewer.id)?.postsCount ?? 0, photos: photos)
        }
    }

    /// Deletes the account that someone is logged in to.
    ///
    /// - Throws: ``Refusal``: 422 for a wrong password, 429 after too many attempts, 409 for an administrator
    ///   without whom nobody could look after the others.
    func delete(in session: Session, password: String) async throws {
        guard try await sessions.confirm(password, in: session) else {
            throw Refusal.invalid("password", "ERR_INVALID", "That isn’t your password.")
        }
        let id = session.account.id
        try await database.write { [events] transaction in
            let store = AccountStore(transaction)
            // As it is now: it may have become the last administrator's a moment ago.
            guard let account = try store.account(id) else { throw Refusal.notFound }
            if account.isAdmin, try store.isLastAdministrator(id) {
                throw Refusal.conflict(
                    "You are the only administrator here. Make someone else an administrator first.")
            }
            try store.abandon(id)
            try SessionStore(transaction).deleteAll(of: id, but: nil)
            // Before anything of it is erased: then it is still known what is gone for whom.
            try SnapService.leave(id, transaction)
            AccountService.forget(id, events, transaction)
            try JobStore(transaction).insert(.eraseAccount, payload: id.description)
        }
        sessions.forget(id)
        jobs.wake()
    }
}

/// Erases what accounts that were given up have left.
struct AccountEraser: Sendable {
    let database: Database
    /// What each feature keeps, those first that use what later ones keep.
    let data: [any AccountData]

    /// Erases a batch, and in the same transaction schedules the next one or deletes the account's own row.
    ///
    /// The row goes in a transaction that has found nothing else: what a request under way still adds comes
    /// before that and is found, or after it and fails.
    func erase(_ job: Job) async throws {
        guard let account = Account.ID(job.payload) else { return }
        let data = data
        try await database.write { transaction in
            guard try AccountStore(transaction).account(account) != nil else { return }
            for part in data {
                guard try part.erase(account, transaction) else {
                    try JobStore(transaction).insert(.eraseAccount, payload: job.payload)
                    return
                }
            }
            try AccountStore(transaction).delete(account)
        }
    }
}
