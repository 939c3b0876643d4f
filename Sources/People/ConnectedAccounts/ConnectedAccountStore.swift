import Core
import Foundation
import Storage

/// The SQL of connected accounts and of their servers.
struct ConnectedAccountStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    // MARK: Servers

    private static let serverColumns = """
        s.id AS server_id, s.origin AS server_origin, s.client_id AS server_client_id,
        s.sealed_secret AS server_sealed_secret
        """

    private static func server(from row: Row) throws -> OutsideServer {
        OutsideServer(
            id: ID(rawValue: try row.int64("server_id")), origin: try row.string("server_origin"),
            clientID: try row.string("server_client_id"),
            sealedSecret: SealedText(base64: try row.string("server_sealed_secret")))
    }

    /// Returns the registration at a server, and whether it is in use or younger than `oldest`. Servers delete
    /// registrations with which nobody has logged in.
    func server(origin: String, newerThan oldest: Date) throws -> (server: OutsideServer, isFresh: Bool)? {
        try transaction.row(
            """
            SELECT \(Self.serverColumns), (s.registered_at > $2 OR EXISTS (
                SELECT 1 FROM connected_accounts c WHERE c.server_id = s.id AND c.sealed_token <> '')) AS is_fresh
            FROM connected_servers s WHERE s.origin = $1
            """, origin, oldest
        ) { (server: try Self.server(from: $0), isFresh: try $0.bool("is_fresh")) }
    }

    /// Stores a registration in place of an older one with the same id, unless another process has stored a new one
    /// meanwhile. Returns the stored registration.
    func keep(_ server: OutsideServer) throws -> OutsideServer {
        try transaction.execute(
            """
            INSERT INTO connected_servers (id, origin, client_id, sealed_secret, registered_at)
            VALUES ($1, $2, $3, $4, $5) ON CONFLICT (origin) DO UPDATE
            SET client_id = $3, sealed_secret = $4, registered_at = $5 WHERE connected_servers.id = $1
            """, server.id, server.origin, server.clientID, server.sealedSecret.base64, transaction.now)
        return try transaction.row(
            "SELECT \(Self.serverColumns) FROM connected_servers s WHERE s.origin = $1", server.origin
        ) { try Self.server(from: $0) } ?? server
    }

    /// Deletes a few registrations from before `oldest` that nobody uses.
    func forgetUnused(before oldest: Date) throws {
        // connected_servers_by_age; those in use are few.
        try transaction.execute(
            """
            DELETE FROM connected_servers WHERE id IN (
                SELECT s.id FROM connected_servers s WHERE s.registered_at <= $1
                    AND NOT EXISTS (SELECT 1 FROM connected_accounts c WHERE c.server_id = s.id)
                    AND NOT EXISTS (SELECT 1 FROM connection_attempts t WHERE t.server_id = s.id AND t.expires_at > $2)
                ORDER BY s.registered_at LIMIT 8)
            """, oldest, transaction.now)
    }

    /// Deletes a registration that its server has deleted, unless somebody's account uses it.
    func forget(_ server: OutsideServer.ID) throws {
        try transaction.execute(
            """
            DELETE FROM connected_servers WHERE id = $1
                AND NOT EXISTS (SELECT 1 FROM connected_accounts c WHERE c.server_id = $1)
            """, server)
    }

    // MARK: Attempts

    /// A person's attempt to connect an account, between leaving for another server and coming back.
    struct Attempt: Sendable {
        var session: Session.ID
        var server: OutsideServer
        var stateHash: String
        var sealedVerifier: SealedText
        var expiresAt: Date
    }

    /// Begins an attempt, which replaces the one before.
    func begin(_ attempt: Attempt, of account: Account.ID) throws {
        try transaction.execute(
            """
            INSERT INTO connection_attempts (account_id, session_id, server_id, state_hash, sealed_verifier, expires_at)
            VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (account_id) DO UPDATE
            SET session_id = $2, server_id = $3, state_hash = $4, sealed_verifier = $5, expires_at = $6
            """, account, attempt.session, attempt.server.id, attempt.stateHash,
            attempt.sealedVerifier.base64,
            attempt.expiresAt)
    }

    func attempt(of account: Account.ID) throws -> Attempt? {
        try transaction.row(
            """
            SELECT \(Self.serverColumns), t.session_id, t.state_hash, t.sealed_verifier, t.expires_at
            FROM connection_attempts t JOIN connected_servers s ON s.id = t.server_id WHERE t.account_id = $1
            """, account
        ) { row in
            Attempt(
                session: ID(rawValue: try row.int64("session_id")), server: try Self.server(from: row),
                stateHash: try row.string("state_hash"),
                sealedVerifier: SealedText(base64: try row.string("sealed_verifier")),
                expiresAt: try row.date("expires_at"))
        }
    }

    /// Ends an attempt. Returns whether it was still open.
    func endAttempt(of account: Account.ID, stateHash: String) throws -> Bool {
        try transaction.execute(
            "DELETE FROM connection_attempts WHERE account_id = $1 AND state_hash = $2", account, stateHash)
            > 0
    }

    // MARK: Accounts

    /// A connected account with its secrets.
    struct Found: Sendable {
        var account: ConnectedAccount
        var remoteID: String
        var server: OutsideServer
        /// The encrypted token; empty when the server no longer accepts it.
        var sealedToken: SealedText
    }

    private static func found(from row: Row) throws -> Found {
        let server = try server(from: row)
        let token = SealedText(base64: try row.string("sealed_token"))
        return Found(
            account: ConnectedAccount(
                id: ID(rawValue: try row.int64("connected_id")),
                owner: ID(rawValue: try row.int64("account_id")),
                server: server.host, username: try row.string("username"),
                profileURL: try row.string("profile_url"), isUsable: !token.base64.isEmpty),
            remoteID: try row.string("remote_id"), server: server, sealedToken: token)
    }

    private static let connected = """
        SELECT c.id AS connected_id, c.account_id, c.remote_id, c.username, c.profile_url, c.sealed_token,
            \(serverColumns)
        FROM connected_accounts c JOIN connected_servers s ON s.id = c.server_id
        """

    func account(of owner: Account.ID) throws -> Found? {
        try transaction.row("\(Self.connected) WHERE c.account_id = $1", owner) { try Self.found(from: $0) }
    }

    func account(_ id: ConnectedAccount.ID) throws -> Found? {
        try transaction.row("\(Self.connected) WHERE c.id = $1", id) { try Self.found(from: $0) }
    }

    func insert(_ found: Found) throws {
        try transaction.execute(
            """
            INSERT INTO connected_accounts (id, account_id, server_id, remote_id, username, profile_url, sealed_token)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """, found.account.id, found.account.owner, found.server.id, found.remoteID,
            found.account.username,
            found.account.profileURL, found.sealedToken.base64)
    }

    /// Deletes the token of an account whose server no longer accepts it.
    func dropToken(of id: ConnectedAccount.ID) throws {
        try transaction.execute("UPDATE connected_accounts SET sealed_token = '' WHERE id = $1", id)
    }

    func delete(_ id: ConnectedAccount.ID) throws {
        try transaction.execute("DELETE FROM connected_accounts WHERE id = $1", id)
    }

    /// Deletes all secrets, for the copy in a backup, whose reader may not have the key.
    func forgetSecrets() throws {
        try transaction.execute("DELETE FROM connection_attempts")
        try transaction.execute("UPDATE connected_accounts SET sealed_token = ''")
        try transaction.execute(
            "UPDATE connected_servers SET sealed_secret = '', client_id = '', registered_at = 0")
    }
}
