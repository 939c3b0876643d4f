import Core
import Foundation
import People
import Serving
import Storage

/// The deletion of an account: it is hidden at once, and then everything of it is erased in batches.
final class AccountDeletion: Sendable {
    private let database: Database
    private let sessions: SessionService
    private let events: EventBus
    private let features: Registry<any Feature>

    init(
        database: Database, sessions: SessionService, events: EventBus, features: Registry<any Feature>
    ) {
        self.features = features
        self.database = database
        self.sessions = sessions
        self.events = events
    }

    /// The numbers of things that are deleted with an account.
    struct Extent: Sendable {
        var posts: Int
        var photos: Int
    }

    /// Counts what would be deleted with an account.
    func extent(of viewer: Account) async throws -> Extent {
        try await database.read { transaction in
            let photos = try PhotoRecords(transaction).originals(of: viewer.id).count
            return Extent(
                posts: try AccountRecords(transaction).unchecked(viewer.id)?.postsCount ?? 0, photos: photos)
        }
    }

    /// Deletes the account of a log-in.
    ///
    /// - Throws: ``Refusal``: 422 for a wrong password, 429 after too many attempts, 409 for an administrator
    ///   without whom nobody could look after the others.
    func delete(in session: Session, password: String) async throws {
        guard try await sessions.confirm(password, in: session) else {
            throw Refusal.invalid("password", "ERR_INVALID", "That isn’t your password.")
        }
        let id = session.account.id
        try await database.write { [events, features] transaction in
            // The account is read again: it may have become the only administrator a moment ago.
            guard let account = try AccountRecords(transaction).unchecked(id) else { throw Refusal.notFound }
            if account.isAdmin, try AccountRecords(transaction).isLastAdministrator(id) {
                throw Refusal.conflict(
                    "You are the only administrator here. Make someone else an administrator first.")
            }
            try AccountRecords(transaction).abandon(id)
            // Before anything is erased, so that it is still known who has to be sent which events.
            try features.leave(id, transaction)
            AccountRecords(transaction).forget(id, events)
            try transaction.schedule(.eraseAccount, payload: id.description)
        }
    }
}

/// The erasure of deleted accounts.
struct AccountEraser: Sendable {
    let database: Database
    /// The features, which erase their data about the account.
    let features: Registry<any Feature>

    /// Erases a batch, and in the same transaction schedules the next batch or deletes the account's own row.
    ///
    /// The row is deleted in a transaction that has found nothing else. Data that a running request still adds is
    /// either added before and found, or added after and refused.
    func erase(_ job: Job) async throws {
        guard let account = Account.ID(job.payload) else { return }
        try await database.write { [features] transaction in
            guard try AccountRecords(transaction).unchecked(account) != nil else { return }
            for part in features.accountData {
                guard try part.erase(account, transaction) else {
                    try transaction.schedule(.eraseAccount, payload: job.payload)
                    return
                }
            }
            try AccountRecords(transaction).deleteRow(of: account)
        }
    }
}
