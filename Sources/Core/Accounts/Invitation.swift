import Foundation
import Storage

/// A code with which one new person can sign up.
struct Invitation: Sendable, Equatable {
    typealias ID = Core.ID<Invitation>

    /// The identifier; its time is when the invitation was made.
    let id: ID
    let code: String
    let expiresAt: Date
    /// The person who signed up with the code, and when.
    var usedBy: Account?
    var usedAt: Date?

    /// How long a code is valid, in seconds: 30 days.
    static let lifetime: TimeInterval = 30 * 86_400
    /// The most unused codes of one person.
    static let maximumWaiting = 20

    /// The characters of a code, without letters and digits that look alike on paper or sound alike when read aloud.
    private static let alphabet = Array("23456789ABCDEFGHJKMNPQRSTUVWXYZ")

    /// Returns a new code such as `7QF2-MRXA`: 31^8, about 8.5 × 10^11 possibilities.
    static func newCode() -> String {
        var generator = SystemRandomNumberGenerator()
        let characters = (0..<8).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] }
        return String(characters[..<4]) + "-" + String(characters[4...])
    }

    /// Returns a code in its stored form, from what someone typed.
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

    /// Returns whether a code is valid.
    func isGood(code: String) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 FROM invitations
            WHERE code = $1 AND used_at IS NULL AND revoked_at IS NULL AND expires_at > $2
            """, code, transaction.now
        ) { _ in true } ?? false
    }

    /// Uses an invitation. Returns whether it was valid. One conditional write makes sure that of two people with the
    /// same code only one can sign up.
    func use(code: String, by account: Account.ID) throws -> Bool {
        try transaction.execute(
            """
            UPDATE invitations SET used_by = $2, used_at = $3
            WHERE code = $1 AND used_at IS NULL AND revoked_at IS NULL AND expires_at > $3
            """, code, account, transaction.now) > 0
    }

    /// Returns a person's unused codes, and the newest codes that were used by people who are still here.
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

    /// Deletes an unused invitation. Returns whether there was one.
    func revoke(_ id: Invitation.ID, of creator: Account.ID) throws -> Bool {
        try transaction.execute(
            """
            UPDATE invitations SET revoked_at = $3
            WHERE id = $1 AND creator_id = $2 AND used_at IS NULL AND revoked_at IS NULL
            """, id, creator, transaction.now) > 0
    }
}
