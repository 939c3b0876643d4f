import Core
import Foundation
import Storage

/// The SQL of apps, codes and tokens.
struct OAuthStore {
    let transaction: Transaction
    private let topics: OAuthTopics

    /// - Parameter topics: what the permissions of apps are about.
    init(_ transaction: Transaction, _ topics: OAuthTopics) {
        self.transaction = transaction
        self.topics = topics
    }

    // MARK: Apps

    /// An app, and the stored hash of its secret.
    struct FoundApp: Sendable {
        let app: OAuthApp
        let secretHash: String
        /// The last time when someone was known to use the app; nil when nobody has allowed it yet.
        let usedAt: Date?
    }

    private static let appColumns = """
        p.id AS app_id, p.client_id, p.secret_hash, p.name, p.website, p.redirect_uris, p.scopes AS app_scopes,
        p.used_at
        """

    private func app(from row: Row) throws -> FoundApp {
        let app = OAuthApp(
            id: ID(rawValue: try row.int64("app_id")), clientID: try row.string("client_id"),
            name: try row.string("name"), website: try row.optionalString("website"),
            redirects: try row.string("redirect_uris").split(separator: "\n").compactMap {
                RedirectAddress(String($0))
            },
            scopes: topics.scopes(ofRow: try row.string("app_scopes")))
        return FoundApp(
            app: app, secretHash: try row.string("secret_hash"), usedAt: try row.optionalDate("used_at"))
    }

    func insert(_ id: OAuthApp.ID, clientID: String, secretHash: String, _ app: AppRegistration) throws {
        try transaction.execute(
            """
            INSERT INTO oauth_apps (id, client_id, secret_hash, name, website, redirect_uris, scopes)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """, id, clientID, secretHash, app.name, app.website,
            app.redirects.map(\.text).joined(separator: "\n"), app.scopes.text)
    }

    /// Deletes the oldest of the apps that nobody has allowed, if there are too many, and the jobs that wait for them.
    func eraseOldestNew(over maximum: Int) throws {
        // oauth_apps_by_use
        let last = try transaction.value(
            "SELECT id FROM oauth_apps WHERE used_at IS NULL ORDER BY id DESC LIMIT 1 OFFSET $1", maximum,
            as: Int64.self)
        guard let last else { return }
        let erased = try transaction.rows(
            "DELETE FROM oauth_apps WHERE used_at IS NULL AND id <= $1 RETURNING id", last
        ) { OAuthApp.ID(rawValue: try $0.int64("id")) }
        for id in erased {
            try JobOutbox(transaction).cancel(
                .eraseUnusedApp, payload: id.description, runAt: OAuthApp.firstLook(at: id))
        }
    }

    func app(clientID: String) throws -> FoundApp? {
        try transaction.row(
            "SELECT \(Self.appColumns) FROM oauth_apps p WHERE p.client_id = $1", clientID,
            map: { try app(from: $0) })
    }

    func app(_ id: OAuthApp.ID) throws -> FoundApp? {
        try transaction.row(
            "SELECT \(Self.appColumns) FROM oauth_apps p WHERE p.id = $1", id, map: { try app(from: $0) }
        )
    }

    /// Records that someone uses an app.
    func touch(_ id: OAuthApp.ID) throws {
        try transaction.execute("UPDATE oauth_apps SET used_at = $2 WHERE id = $1", id, transaction.now)
    }

    /// Returns whether anyone is logged in with an app.
    func hasLogIns(_ id: OAuthApp.ID) throws -> Bool {
        try transaction.row("SELECT 1 FROM oauth_grants WHERE app_id = $1 LIMIT 1", id) { _ in true } ?? false
    }

    func delete(_ id: OAuthApp.ID) throws {
        try transaction.execute("DELETE FROM oauth_apps WHERE id = $1", id)
    }

    // MARK: Codes

    /// A code that was given to an app.
    struct FoundCode: Sendable {
        let app: OAuthApp.ID
        let account: Account.ID
        let redirect: String
        let scopes: OAuthScopes
        let challenge: String?
        let expiresAt: Date
        let isUsed: Bool
        /// The log-in that was started with the code.
        let session: Session.ID?
    }

    /// The most codes of one person; used codes and the oldest are deleted first.
    private static let maximumCodes = 20

    func insertCode(
        hash: String, of account: Account.ID, _ request: AuthorizationRequest, in session: Session.ID,
        until end: Date
    ) throws {
        try transaction.execute(
            """
            INSERT INTO oauth_codes
                (code_hash, app_id, account_id, redirect_uri, scopes, challenge, expires_at, consent_session_id)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            """, hash, request.app.id, account, request.redirect.text, request.scopes.text,
            request.challenge?.text, end, session)
        try transaction.execute(
            """
            DELETE FROM oauth_codes WHERE account_id = $1 AND code_hash NOT IN (
                SELECT code_hash FROM oauth_codes WHERE account_id = $1
                ORDER BY CASE WHEN used_at IS NULL THEN 0 ELSE 1 END, expires_at DESC, code_hash LIMIT $2)
            """, account, Self.maximumCodes)
    }

    func code(hash: String) throws -> FoundCode? {
        try transaction.row(
            """
            SELECT app_id, account_id, redirect_uri, scopes, challenge, expires_at, used_at, session_id
            FROM oauth_codes WHERE code_hash = $1
            """, hash
        ) { row in
            FoundCode(
                app: ID(rawValue: try row.int64("app_id")),
                account: ID(rawValue: try row.int64("account_id")),
                redirect: try row.string("redirect_uri"),
                scopes: topics.scopes(ofRow: try row.string("scopes")),
                challenge: try row.optionalString("challenge"), expiresAt: try row.date("expires_at"),
                isUsed: !row.isNull("used_at"),
                session: try row.optionalInt64("session_id").map { ID(rawValue: $0) })
        }
    }

    /// Marks a code as used. It stays known, so that a second use is noticed.
    func useCode(hash: String) throws {
        try transaction.execute(
            "UPDATE oauth_codes SET used_at = $2, consent_session_id = NULL WHERE code_hash = $1", hash,
            transaction.now)
    }

    func setSession(_ session: Session.ID, ofCode hash: String) throws {
        try transaction.execute("UPDATE oauth_codes SET session_id = $2 WHERE code_hash = $1", hash, session)
    }

    func deleteCode(hash: String) throws {
        try transaction.execute("DELETE FROM oauth_codes WHERE code_hash = $1", hash)
    }

    func deleteCodes(of account: Account.ID) throws {
        try transaction.execute("DELETE FROM oauth_codes WHERE account_id = $1", account)
    }

    /// Deletes a person's unused codes of an app.
    func deleteUnusedCodes(of app: OAuthApp.ID, for account: Account.ID) throws {
        try transaction.execute(
            "DELETE FROM oauth_codes WHERE account_id = $1 AND app_id = $2 AND used_at IS NULL", account, app)
    }

    // MARK: Log-ins

    func insertGrant(_ session: Session.ID, of account: Account.ID, app: OAuthApp.ID) throws {
        try transaction.execute(
            "INSERT INTO oauth_grants (session_id, app_id, account_id) VALUES ($1, $2, $3)", session, app,
            account)
    }

    /// Returns a person's log-ins by app, those of each app in the order in which they were made.
    func grants(of account: Account.ID) throws -> [(app: OAuthApp, session: Session.ID)] {
        try transaction.rows(
            """
            SELECT \(Self.appColumns), g.session_id FROM oauth_grants g JOIN oauth_apps p ON p.id = g.app_id
            WHERE g.account_id = $1 ORDER BY g.app_id, g.session_id
            """, account
        ) { (try app(from: $0).app, ID(rawValue: try $0.int64("session_id"))) }
    }

    /// Returns a person's log-ins with one app.
    func sessions(of app: OAuthApp.ID, for account: Account.ID) throws -> [Session.ID] {
        try transaction.rows(
            "SELECT session_id FROM oauth_grants WHERE account_id = $1 AND app_id = $2", account, app
        ) { ID(rawValue: try $0.int64("session_id")) }
    }

    func app(of session: Session.ID) throws -> OAuthApp? {
        try transaction.row(
            """
            SELECT \(Self.appColumns) FROM oauth_grants g JOIN oauth_apps p ON p.id = g.app_id
            WHERE g.session_id = $1
            """, session, map: { try app(from: $0) })?.app
    }

    // MARK: Tokens of apps without a person

    func insertToken(hash: String, of app: OAuthApp.ID, scopes: OAuthScopes) throws {
        try transaction.execute(
            "INSERT INTO oauth_app_tokens (id, app_id, token_hash, scopes) VALUES ($1, $2, $3, $4)",
            transaction.newID(), app, hash, scopes.text)
        try transaction.execute(
            """
            DELETE FROM oauth_app_tokens WHERE app_id = $1 AND id NOT IN (
                SELECT id FROM oauth_app_tokens WHERE app_id = $1 ORDER BY id DESC LIMIT $2)
            """, app, OAuthApp.maximumAppTokens)
    }

    func appToken(hash: String) throws -> (app: OAuthApp.ID, token: AppToken)? {
        try transaction.row(
            """
            SELECT p.id AS app_id, p.client_id, t.scopes FROM oauth_app_tokens t JOIN oauth_apps p ON p.id = t.app_id
            WHERE t.token_hash = $1
            """, hash
        ) { row in
            (
                ID(rawValue: try row.int64("app_id")),
                AppToken(
                    clientID: try row.string("client_id"),
                    scopes: topics.scopes(ofRow: try row.string("scopes")))
            )
        }
    }

    func deleteToken(hash: String) throws {
        try transaction.execute("DELETE FROM oauth_app_tokens WHERE token_hash = $1", hash)
    }
}
