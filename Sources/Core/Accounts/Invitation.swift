import Foundation
import Storage

/// A code that lets one new person in.
struct Invitation: Sendable, Equatable {
    typealias ID = Core.ID<Invitation>

    /// Identifier; its time is when the invitation was made.
    let id: ID
    let code: String
    let expiresAt: Date
    /// Who signed up with it, and when.
    var usedBy: Account?
    var usedAt: Date?

    /// How long a code is good, in seconds: 30 days.
    static let lifetime: TimeInterval = 30 * 86_400
    /// The most codes of one person that wait at once.
    static let maximumWaiting = 20

    /// No letters or digits that look alike when read aloud or copied from paper.
    private static let alphabet = Array("23456789ABCDEFGHJKMNPQRSTUVWXYZ")

    /// A new code such as `7QF2-MRXA`: 31^8, about 8.5 × 10^11 possibilities.
    static func newCode() -> String {
        var generator = SystemRandomNumberGenerator()
        let characters = (0..<8).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] }
        return String(characters[..<4]) + "-" + String(characters[4...])
    }

    /// A code as it is stored, from what someone typed.
    static func normalized(_ typed: String) -> String {
        let characters = typed.uppercased().filter { $0.isLetter || $0.isNumber }
        return characters.count == 8 ? "\(characters.prefix(4))-\(characters.suffix(4))" : characters
    }
}

/// The SQL of invitations.
struct InvitationStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    func insert(code: String, creator: Account.ID?) throws {
        try transaction.execute(
            "INSERT INTO invitations (id, code, creator_id, expires_at) VALUES ($1, $2, $3, $4)",
            transaction.newID(), code, creator, transaction.now.addingTimeInterval(Invitation.lifetime))
    }

    /// Whether a code would let someone in.
    func isGood(code: String) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 FROM invitations
            WHERE code = $1 AND used_at IS NULL AND revoked_at IS NULL AND expires_at > $2
            """, code, transaction.now
        ) { _ in true } ?? false
    }

    /// Uses up an invitation; whether it was still good. One conditional write, so that of two people with
    /// the same code one gets in.
    func use(code: String, by account: Account.ID) throws -> Bool {
        try transaction.execute(
            """
            UPDATE invitations SET used_by = $2, used_at = $3
            WHERE code = $1 AND used_at IS NULL AND revoked_at IS NULL AND expires_at > $3
            """, code, account, transaction.now) > 0
    }

    /// What a person has invited with: codes that wait, and the newest that were used by people still here.
    func invitations(of creator: Account.ID) throws -> [Invitation] {
        try transaction.rows(
            """
            SELECT i.id, i.code, i.expires_at, \(AccountRow.columns), i.used_at
            FROM invitations i LEFT JOIN accounts a ON a.id = i.used_by
            WHERE i.creator_id = $1 AND i.revoked_at IS NULL
                AND ((i.used_at IS NULL AND i.expires_at > $2) OR i.used_by IS NOT NULL)
            ORDER BY i.id DESC LIMIT 100
            """, creator, transaction.now
        ) { row in
            Invitation(
                id: ID(rawValue: try row.int64("id")), code: try row.string("code"),
                expiresAt: try row.date("expires_at"),
                usedBy: row.isNull("account_id") ? nil : try AccountRow.account(from: row),
                usedAt: try row.optionalDate("used_at"))
        }
    }

    func waitingCount(of creator: Account.ID) throws -> Int {
        try transaction.value(
            """
            SELECT count(*) FROM invitations
            WHERE creator_id = $1 AND used_at IS NULL AND revoked_at IS NULL AND expires_at > $2
            """, creator, transaction.now) ?? 0
    }

    /// Takes back an invitation that nobody used; whether there was one.
    func revoke(_ id: Invitation.ID, of creator: Account.ID) throws -> Bool {
        try transaction.execute(
            """
            UPDATE invitations SET revoked_at = $3
            WHERE id = $1 AND creator_id = $2 AND used_at IS NULL AND revoked_at IS NULL
            """, id, creator, transaction.now) > 0
    }
}
