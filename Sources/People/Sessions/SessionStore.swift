import Core
import Foundation
import Storage

/// The SQL of log-ins.
struct SessionStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    func insert(
        _ id: Session.ID, of account: Account.ID, kind: Session.Kind, tokenHash: String, device: String,
        scopes: OAuthScopes? = nil
    ) throws {
        try transaction.execute(
            """
            INSERT INTO sessions (id, account_id, token_hash, kind, device, seen_at, scopes)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """, id, account, tokenHash, kind.rawValue, device, transaction.now, scopes?.text)
        try transaction.execute(
            """
            DELETE FROM sessions WHERE account_id = $1 AND (seen_at <= $2
                OR id NOT IN (SELECT id FROM sessions WHERE account_id = $1 ORDER BY seen_at DESC, id DESC LIMIT $3))
            """, account, transaction.now.addingTimeInterval(-Session.lifetime), Self.maximumCount)
    }

    /// The most log-ins of one account; the least recently used are deleted.
    static let maximumCount = 100

    /// A log-in as it is stored in the database.
    struct Found: Sendable {
        var session: Session
        var seenAt: Date
        var pictureEpoch: Int64
        var sightEpochs: Sight.Epochs
    }

    /// Returns the session of a token, with its account; nil for unknown tokens, suspended accounts, and log-ins that
    /// were unused for too long.
    func session(tokenHash: String, _ topics: OAuthTopics) throws -> Found? {
        try transaction.row(
            """
            SELECT s.id, s.kind, s.scopes, \(AccountRow.columns), s.seen_at, a.picture_epoch, \(Sight.Epochs.columns)
            FROM sessions s JOIN \(AccountRow.table) a ON a.id = s.account_id
            WHERE s.token_hash = $1 AND a.is_suspended = 0 AND s.seen_at > $2
            """, tokenHash, transaction.now.addingTimeInterval(-Session.lifetime)
        ) { row in
            let session = Session(
                id: ID(rawValue: try row.int64("id")),
                kind: Session.Kind(rawValue: try row.string("kind")) ?? .token,
                scopes: try row.optionalString("scopes").map(topics.scopes(ofRow:)),
                account: try AccountRow.account(from: row))
            return Found(
                session: session, seenAt: try row.date("seen_at"),
                pictureEpoch: try row.int64("picture_epoch"),
                sightEpochs: try Sight.Epochs(from: row))
        }
    }

    /// Returns an account's log-ins except those of apps, the most recently used first.
    func devices(of account: Account.ID) throws -> [Device] {
        try transaction.rows(
            """
            SELECT id, kind, device, seen_at FROM sessions WHERE account_id = $1 AND seen_at > $2 AND kind <> 'app'
            ORDER BY seen_at DESC, id DESC
            """, account, transaction.now.addingTimeInterval(-Session.lifetime)
        ) { row in
            Device(
                session: ID(rawValue: try row.int64("id")),
                kind: Session.Kind(rawValue: try row.string("kind")) ?? .token,
                name: try row.string("device"), seenAt: try row.date("seen_at"))
        }
    }

    /// Returns the names of all log-ins of an account.
    func names(of account: Account.ID) throws -> [Session.ID: String] {
        let names = try transaction.rows("SELECT id, device FROM sessions WHERE account_id = $1", account) {
            (Session.ID(rawValue: try $0.int64("id")), try $0.string("device"))
        }
        return Dictionary(names) { first, _ in first }
    }

    /// Returns an account's log-ins of apps, the most recently used first.
    func appLogIns(of account: Account.ID, _ topics: OAuthTopics) throws -> [AppLogIn] {
        try transaction.rows(
            """
            SELECT id, scopes, seen_at FROM sessions WHERE account_id = $1 AND seen_at > $2 AND kind = 'app'
            ORDER BY seen_at DESC, id DESC
            """, account, transaction.now.addingTimeInterval(-Session.lifetime)
        ) { row in
            AppLogIn(
                session: ID(rawValue: try row.int64("id")),
                scopes: try row.optionalString("scopes").map(topics.scopes(ofRow:)) ?? .nothing,
                seenAt: try row.date("seen_at"))
        }
    }

    /// Returns the owner of a log-in; nil for a log-in that has ended, or that was unused for too long.
    func account(of session: Session.ID) throws -> Account.ID? {
        try transaction.row(
            "SELECT account_id FROM sessions WHERE id = $1 AND seen_at > $2", session,
            transaction.now.addingTimeInterval(-Session.lifetime)
        ) { ID(rawValue: try $0.int64("account_id")) }
    }

    /// Returns the owner of a log-in and their picture epoch; nil for a log-in that has ended.
    func pictureEpoch(of session: Session.ID) throws -> (account: Account.ID, epoch: Int64)? {
        try transaction.row(
            """
            SELECT s.account_id, a.picture_epoch FROM sessions s JOIN \(AccountRow.table) a ON a.id = s.account_id
            WHERE s.id = $1
            """, session
        ) { (ID(rawValue: try $0.int64("account_id")), try $0.int64("picture_epoch")) }
    }

    func touch(_ session: Session.ID) throws {
        try transaction.execute("UPDATE sessions SET seen_at = $2 WHERE id = $1", session, transaction.now)
    }

    /// Ends a session. Returns the hash of its token, which caches have to remove.
    func delete(_ session: Session.ID, of account: Account.ID) throws -> String? {
        try transaction.value(
            "DELETE FROM sessions WHERE id = $1 AND account_id = $2 RETURNING token_hash", session, account)
    }

    /// Ends every session of an account except one, and with them all picture URLs that were signed for the account and
    /// all proofs of other browsers.
    ///
    /// - Returns: the account's new picture epoch.
    @discardableResult
    func deleteAll(of account: Account.ID, but kept: Session.ID?) throws -> Int64 {
        try transaction.execute(
            "DELETE FROM sessions WHERE account_id = $1 AND id <> $2", account, kept?.rawValue ?? 0)
        try deleteProofs(of: account, but: kept)
        return try AccountRecords(transaction).beginPictureEpoch(of: account)
    }
}
