import Core
import Foundation
import Serving
import Storage

/// The OAuth 2 server: apps register, people allow them, apps get tokens (RFC 6749, with RFC 9700).
package final class OAuthService: Sendable {
    /// An app that has just registered. Its secret is returned once and stored only as a hash.
    struct Registered: Sendable {
        let app: OAuthApp
        let secret: String
    }

    /// The identification that an app sends.
    struct Client: Sendable {
        let id: String
        let secret: String
    }

    /// A token that an app was given. It is returned once and stored only as a hash.
    struct Token: Sendable {
        let text: String
        let scopes: OAuthScopes
        let createdAt: Date
    }

    /// The details that an app sends to get a token for a code (RFC 6749, 4.1.3).
    struct CodeUse: Sendable {
        let code: String
        let redirect: String
        /// The secret of a ``CodeChallenge``; nil when the app sent none.
        let verifier: String?
    }

    /// How long a code can be used, in seconds.
    static let codeLifetime: TimeInterval = 600
    /// How long a code is remembered after that, in seconds, so that a second use is noticed.
    private static let codeMemory: TimeInterval = 86_400

    /// What permissions are about.
    let topics: OAuthTopics
    private let database: Database
    private let sessions: SessionService
    private let registrations: AttemptLimit
    /// The limit on all registrations together, under one key.
    private let allRegistrations: AttemptLimit
    private let wrongTokens: RateLimiter
    private let now: @Sendable () -> Date

    init(
        topics: OAuthTopics, database: Database, sessions: SessionService, limits: RateLimits,
        attempts: AttemptCounts, now: @escaping @Sendable () -> Date
    ) {
        self.topics = topics
        self.database = database
        self.sessions = sessions
        self.now = now
        registrations = AttemptLimit(
            "app registration", limit: limits.appRegistrations, per: 3600, in: attempts)
        allRegistrations = AttemptLimit(
            "app registration by anyone", limit: limits.allAppRegistrations, per: 3600, in: attempts)
        wrongTokens = RateLimiter(limit: limits.reads, per: 300, capacity: 20_000, now: now)
    }

    // MARK: Apps

    /// Registers an app. It is erased after a day unless someone allows it.
    ///
    /// - Parameter address: the address that sent the request.
    /// - Throws: ``Refusal`` (429) when too many apps were registered from the network, or by everyone.
    func register(_ registration: AppRegistration, from address: String) async throws -> Registered {
        let network = ClientNetwork.key(address)
        if let seconds = try await registrations.take(network) {
            throw Refusal(
                .tooOften(retryAfter: seconds),
                "Too many apps were registered from your network. Try again later.")
        }
        if let seconds = try await allRegistrations.take("") {
            throw Refusal(
                .tooOften(retryAfter: seconds),
                "Too many apps are being registered here. Try again in a few minutes.")
        }
        let (clientID, secret) = (Session.newToken(), Session.newToken())
        return try await database.write { [topics] transaction in
            let id = OAuthApp.ID(rawValue: transaction.newID())
            let store = OAuthStore(transaction, topics)
            try store.insert(
                id, clientID: clientID, secretHash: Session.hash(ofToken: secret), registration)
            try store.eraseOldestNew(over: OAuthApp.maximumNew)
            try transaction.schedule(
                .eraseUnusedApp, payload: id.description, at: OAuthApp.firstLook(at: id))
            let app = OAuthApp(
                id: id, clientID: clientID, name: registration.name, website: registration.website,
                redirects: registration.redirects, scopes: registration.scopes)
            return Registered(app: app, secret: secret)
        }
    }

    /// Returns the app with an identifier.
    ///
    /// - Throws: ``Refusal`` (404) when there is none.
    func app(clientID: String) async throws -> OAuthApp {
        let found = try await database.read { [topics] in try OAuthStore($0, topics).app(clientID: clientID) }
        guard let found else {
            throw Refusal(
                .notFound, "This app isn’t registered here any more. Go back to it and log in once more.")
        }
        return found.app
    }

    /// Returns the app of a log-in; nil when it belongs to no app.
    func app(of session: Session.ID) async throws -> OAuthApp? {
        try await database.read { [topics] in try OAuthStore($0, topics).app(of: session) }
    }

    /// Performs ``JobKind/eraseUnusedApp``: erases an app that nobody has used for long enough, or checks again later.
    ///
    /// While people are logged in with an app, the job checks every day, since log-ins end in many ways.
    func eraseUnusedApp(_ job: Job) async throws {
        guard let id = OAuthApp.ID(job.payload) else { return }
        try await database.write { [topics] transaction in
            let store = OAuthStore(transaction, topics)
            guard let found = try store.app(id) else { return }
            var next = transaction.now.addingTimeInterval(OAuthApp.newLifetime)
            if try store.hasLogIns(id) {
                try store.touch(id)
            } else {
                let end = found.usedAt?.addingTimeInterval(OAuthApp.usedLifetime)
                guard let end, end > transaction.now else { return try store.delete(id) }
                next = end
            }
            try transaction.schedule(.eraseUnusedApp, payload: job.payload, at: next)
        }
    }

    // MARK: Letting an app in

    /// Allows an app to access a person's account. Returns the code for the app, which can be used once, within ten
    /// minutes (RFC 6749, 4.1.2).
    ///
    /// - Parameter session: the log-in in which the person agreed; the unused code ends with it.
    func authorize(_ request: AuthorizationRequest, in session: Session) async throws -> String {
        let code = Session.newToken()
        let hash = Session.hash(ofToken: code)
        try await database.write { [topics] transaction in
            let end = transaction.now.addingTimeInterval(Self.codeLifetime)
            let store = OAuthStore(transaction, topics)
            try store.insertCode(hash: hash, of: session.account.id, request, in: session.id, until: end)
            // From now on no number of new apps can displace this one before it has its token.
            try store.touch(request.app.id)
            try transaction.schedule(
                .forgetCode, payload: hash, at: end.addingTimeInterval(Self.codeMemory))
        }
        return code
    }

    /// Performs ``JobKind/forgetCode``.
    func forgetCode(_ job: Job) async throws {
        try await database.write { [topics] in try OAuthStore($0, topics).deleteCode(hash: job.payload) }
    }

    /// Ends the codes of an account that is logged out or hidden.
    func endCodes(of account: Account.ID, _ transaction: Transaction) throws {
        try OAuthStore(transaction, topics).deleteCodes(of: account)
    }

    // MARK: Tokens

    /// Exchanges a code for a token.
    ///
    /// A code is used up by its app's first attempt, even if that fails. After a second attempt somebody else may have
    /// the code, so its token ends (RFC 6749, 4.1.2).
    /// - Throws: ``OAuthFailure``.
    func token(for use: CodeUse, to client: Client) async throws -> Token {
        let hash = Session.hash(ofToken: use.code)
        let result = try await database.write {
            [self] transaction -> Result<Token, OAuthFailure> in
            let store = OAuthStore(transaction, topics)
            guard let app = try Self.app(of: client, store) else { return .failure(.invalidClient) }
            guard let code = try store.code(hash: hash), code.app == app.id else {
                return .failure(.invalidGrant)
            }
            if code.isUsed {
                if let given = code.session { try sessions.revoke([given], of: code.account, transaction) }
                return .failure(.invalidGrant)
            }
            try store.useCode(hash: hash)
            guard code.expiresAt > transaction.now else { return .failure(.invalidGrant) }
            if let failure = Self.failure(of: use, against: code) { return .failure(failure) }
            let (session, token) = try logIn(code.account, with: app, code.scopes, transaction)
            try store.setSession(session, ofCode: hash)
            return .success(token)
        }
        return try result.get()
    }

    /// Returns what is wrong with the use of a code; nil when nothing is.
    private static func failure(of use: CodeUse, against code: OAuthStore.FoundCode) -> OAuthFailure? {
        guard use.redirect == code.redirect else {
            return OAuthFailure(.invalidGrant, "The redirect_uri isn’t the one that the code was sent to.")
        }
        guard let challenge = code.challenge else {
            // A verifier for a code without a challenge means that the code was put in place of another (RFC 9700,
            // 4.8.2).
            return use.verifier == nil
                ? nil : OAuthFailure(.invalidGrant, "The code was asked for without a code_challenge.")
        }
        guard let verifier = use.verifier, CodeChallenge(challenge)?.isMet(by: verifier) == true else {
            return OAuthFailure(.invalidGrant, "The code_verifier doesn’t match the code_challenge.")
        }
        return nil
    }

    /// Logs somebody in for whom an app has just created an account, with what the app may do without asking by name.
    ///
    /// - Throws: ``Refusal`` (401) when the app isn't registered any more.
    func token(for account: Account, to app: AppToken) async throws -> Token {
        try await database.write { [self] transaction in
            guard let found = try OAuthStore(transaction, topics).app(clientID: app.clientID) else {
                throw Refusal(.unauthenticated, "This app isn’t registered here any more.")
            }
            return try logIn(account.id, with: found.app, app.scopes.withoutOwnConsent, transaction).token
        }
    }

    /// Logs a person in with an app.
    private func logIn(
        _ account: Account.ID, with app: OAuthApp, _ scopes: OAuthScopes, _ transaction: Transaction
    ) throws -> (session: Session.ID, token: Token) {
        let (session, text) = try sessions.startApp(
            named: app.name, for: account, scopes: scopes, transaction)
        let store = OAuthStore(transaction, topics)
        try store.insertGrant(session, of: account, app: app.id)
        try store.touch(app.id)
        return (session, Token(text: text, scopes: scopes, createdAt: transaction.now))
    }

    /// Creates a token for the app itself, for public data and its own description (RFC 6749, 4.4).
    ///
    /// - Parameter scopes: the permissions that the app asks for; empty for `read`.
    /// - Throws: ``OAuthFailure``.
    func appToken(_ scopes: String, to client: Client) async throws -> Token {
        let text = AppToken.prefix + Session.newToken()
        let result = try await database.write { [topics] transaction -> Result<Token, OAuthFailure> in
            let store = OAuthStore(transaction, topics)
            guard let app = try Self.app(of: client, store) else { return .failure(.invalidClient) }
            guard let granted = topics.scopes(scopes.isEmpty ? "read" : scopes), app.scopes.allow(granted)
            else {
                return .failure(
                    OAuthFailure(
                        .invalidScope, "The app asked for a permission that it hasn’t registered for."))
            }
            try store.insertToken(hash: Session.hash(ofToken: text), of: app.id, scopes: granted)
            return .success(Token(text: text, scopes: granted, createdAt: transaction.now))
        }
        return try result.get()
    }

    /// Returns the app of a token without a person; nil for any other token.
    ///
    /// - Parameter address: the address that sent the request.
    /// - Throws: ``Refusal`` (429) after too many unknown tokens from this network.
    package func app(ofToken token: String, from address: String) async throws -> AppToken? {
        let network = ClientNetwork.key(address)
        guard wrongTokens.hasToken(network) else {
            throw Refusal(
                .tooOften(retryAfter: wrongTokens.secondsUntilReset(network)),
                "Too many invalid access tokens came from your network. Try again later.")
        }
        let hash = Session.hash(ofToken: token)
        let found = try await database.read { [topics] in try OAuthStore($0, topics).appToken(hash: hash) }
        if found == nil { _ = wrongTokens.take(network) }
        return found?.token
    }

    private static func app(of client: Client, _ store: OAuthStore) throws -> OAuthApp? {
        guard let found = try store.app(clientID: client.id),
            found.secretHash == Session.hash(ofToken: client.secret)
        else { return nil }
        return found.app
    }

    // MARK: Revoking

    /// Revokes a token for the app that has it (RFC 7009). An unknown token has already ended.
    ///
    /// - Parameter address: the address that sent the request.
    /// - Throws: ``OAuthFailure`` when the app isn't known, or the token belongs to another app; ``Refusal`` (429)
    ///   after too many unknown tokens from this network.
    func revoke(_ token: String, by client: Client, from address: String) async throws {
        let hash = Session.hash(ofToken: token)
        let (isKnown, isAppToken) = try await database.write { [topics] transaction -> (Bool, Bool) in
            let store = OAuthStore(transaction, topics)
            guard let app = try Self.app(of: client, store) else { return (false, false) }
            guard let found = try store.appToken(hash: hash), found.app == app.id else {
                return (true, false)
            }
            try store.deleteToken(hash: hash)
            return (true, true)
        }
        guard isKnown else { throw OAuthFailure.invalidClient }
        guard !isAppToken, let session = try await sessions.session(token: token, in: .header, from: address)
        else { return }
        guard try await app(of: session.id)?.clientID == client.id else {
            throw OAuthFailure(.unauthorizedClient, "This token belongs to another app.")
        }
        try await sessions.endIfOpen(session.id, of: session.account.id)
    }

    /// Returns the apps with which a person is logged in, the most recently used first.
    func apps(of account: Account) async throws -> [ConnectedApp] {
        try await database.read { try self.apps(of: account, $0) }
    }

    func apps(of account: Account, _ transaction: Transaction) throws -> [ConnectedApp] {
        let logIns = Dictionary(
            uniqueKeysWithValues: try sessions.appLogIns(of: account.id, transaction).map {
                ($0.session, $0)
            })
        let grants = try OAuthStore(transaction, topics).grants(of: account.id)
        let byApp = Dictionary(grouping: grants) { $0.app.id }
        return byApp.values.compactMap { grants -> ConnectedApp? in
            let open = grants.compactMap { logIns[$0.session] }
            guard let app = grants.first?.app, let first = open.map(\.session).min(),
                let usedAt = open.map(\.seenAt).max()
            else { return nil }
            return ConnectedApp(
                app: app, scopes: OAuthScopes(open.flatMap(\.scopes.all)), since: first.createdAt,
                usedAt: usedAt, logIns: open.count)
        }.sorted { ($0.usedAt, $0.app.id) > ($1.usedAt, $1.app.id) }
    }

    /// Ends all log-ins of an app for a person: its tokens, its open streams and its unused codes.
    ///
    /// - Throws: ``Refusal`` (404) when the person isn't logged in with the app.
    func revoke(_ app: OAuthApp.ID, for account: Account) async throws {
        try await database.write { [sessions, topics] transaction in
            let store = OAuthStore(transaction, topics)
            let open = try store.sessions(of: app, for: account.id)
            guard !open.isEmpty else { throw Refusal.notFound }
            try store.deleteUnusedCodes(of: app, for: account.id)
            try store.touch(app)
            try sessions.revoke(open, of: account.id, transaction)
        }
    }
}
