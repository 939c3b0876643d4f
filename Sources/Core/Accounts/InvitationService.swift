import Serving
import Storage

/// The service of invitations: creating, listing and revoking codes.
package final class InvitationService: Sendable {
    private let database: Database
    private let signUps: SignUpPolicy

    init(database: Database, signUps: SignUpPolicy) {
        self.database = database
        self.signUps = signUps
    }

    /// Creates a code that can be used once, within 30 days.
    ///
    /// - Parameter creator: the person who invites; nil for the server itself, whose codes have no limit.
    /// - Throws: ``Refusal`` (409) if the person has 20 unused codes already.
    package func invite(by creator: Account.ID?) async throws -> String {
        let code = Invitation.newCode()
        try await database.write { transaction in
            let store = InvitationStore(transaction)
            if let creator, try store.waitingCount(of: creator) >= Invitation.maximumWaiting {
                throw Refusal.conflict("You already have 20 unused invitations. Revoke one to make another.")
            }
            try store.insert(code: code, creator: creator)
        }
        return code
    }

    /// Returns a person's unused codes, and the people who joined with their codes, newest first; and who may sign up on
    /// this server now, which decides whether invitations are needed.
    func overview(of creator: Account) async throws -> (invitations: [Invitation], mode: SignUpMode) {
        try await database.read { [signUps] transaction in
            (try InvitationStore(transaction).invitations(of: creator.id), try signUps.mode(transaction))
        }
    }

    /// Revokes an unused code.
    ///
    /// - Throws: ``Refusal`` (404) if the code belongs to somebody else or was used.
    func revoke(_ id: Invitation.ID, by creator: Account) async throws {
        let isRevoked = try await database.write { try InvitationStore($0).revoke(id, of: creator.id) }
        guard isRevoked else { throw Refusal.notFound }
    }
}
