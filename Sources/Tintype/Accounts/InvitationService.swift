import Storage

/// Letting people in by invitation: making, seeing and revoking codes.
final class InvitationService: Sendable {
    private let database: Database
    private let signUps: SignUpPolicy

    init(database: Database, signUps: SignUpPolicy) {
        self.database = database
        self.signUps = signUps
    }

    /// Who may make an account on this server now, which says what invitations are good for.
    func mode() async throws -> SignUpMode { try await signUps.mode() }

    /// Makes a code that is good once, for 30 days.
    ///
    /// - Parameter creator: nil for the server itself, whose codes are not counted.
    /// - Throws: ``Refusal`` (409) when 20 of theirs wait already.
    func invite(by creator: Account.ID?) async throws -> String {
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

    /// A person's codes that wait, and whom they have let in, newest first.
    func invitations(of creator: Account) async throws -> [Invitation] {
        try await database.read { try InvitationStore($0).invitations(of: creator.id) }
    }

    /// Takes back a code that nobody used.
    ///
    /// - Throws: ``Refusal`` (404) when it isn't theirs or was used.
    func revoke(_ id: Invitation.ID, by creator: Account) async throws {
        let isRevoked = try await database.write { try InvitationStore($0).revoke(id, of: creator.id) }
        guard isRevoked else { throw Refusal.notFound }
    }
}
