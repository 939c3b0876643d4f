import Foundation
import Storage

/// The SQL of log-ins, invitations and the values that the server makes for itself.
struct SessionStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    func insert(_ id: Session.ID, of account: Account.ID, kind: Session.Kind, tokenHash: String, device: String) throws {
        try transaction.execute(
            """
            INSERT INTO sessions (id, account_id, token_hash, kind, device, seen_at)
            VALUES ($1, $2, $3, $4, $5, $6)
            """, id, account, tokenHash, kind.rawValue, device, transaction.now)
    }

    /// The session of a token, with its account; nil for unknown tokens and suspended accounts.
    func session(tokenHash: String) throws -> (Session, seenAt: Date)? {
        try transaction.row(
            """
            SELECT s.id, s.kind, s.seen_at, \(AccountStore.columns)
            FROM sessions s JOIN accounts a ON a.id = s.account_id
            WHERE s.token_hash = $1 AND a.is_suspended = 0
            """, tokenHash
        ) { row in
            let session = Session(
                id: ID(rawValue: try row.int64(0)), kind: Session.Kind(rawValue: try row.string(1)) ?? .token,
                account: try AccountStore.account(from: row, at: 3))
            return (session, try row.date(2))
        }
    }

    func touch(_ session: Session.ID) throws {
        try transaction.execute("UPDATE sessions SET seen_at = $2 WHERE id = $1", session, transaction.now)
    }

    /// Ends a session; the hash of its token, so that caches can forget it.
    func delete(_ session: Session.ID, of account: Account.ID) throws -> String? {
        try transaction.row(
            "DELETE FROM sessions WHERE id = $1 AND account_id = $2 RETURNING token_hash", session, account
        ) { try $0.string(0) }
    }

    /// Ends every session of an account but one.
    func deleteAll(of account: Account.ID, but kept: Session.ID?) throws {
        try transaction.execute(
            "DELETE FROM sessions WHERE account_id = $1 AND id <> $2", account, kept?.rawValue ?? 0)
    }

    // MARK: Invitations

    func insertInvitation(code: String, creator: Account.ID?, expiresAt: Date) throws {
        try transaction.execute(
            "INSERT INTO invitations (id, code, creator_id, expires_at) VALUES ($1, $2, $3, $4)",
            transaction.newID(), code, creator, expiresAt)
    }

    /// Uses up an invitation; whether it was still good. One conditional write, so that of two people with
    /// the same code one gets in.
    func useInvitation(code: String, by account: Account.ID) throws -> Bool {
        try transaction.execute(
            """
            UPDATE invitations SET used_by = $2, used_at = $3
            WHERE code = $1 AND used_at IS NULL AND revoked_at IS NULL AND expires_at > $3
            """, code, account, transaction.now) > 0
    }

    // MARK: Server values

    func serverValue(_ name: String) throws -> String? {
        try transaction.row("SELECT value FROM server_values WHERE name = $1", name) { try $0.string(0) }
    }

    func setServerValue(_ name: String, _ value: String) throws {
        try transaction.execute(
            """
            INSERT INTO server_values (name, value) VALUES ($1, $2)
            ON CONFLICT (name) DO UPDATE SET value = $2
            """, name, value)
    }
}
