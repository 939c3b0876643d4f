import Crypto
import Foundation
import Storage

/// Logging in and out, and finding out who asks.
final class SessionService: Sendable {
    /// A fresh log-in: the token is told once and kept only as a hash.
    struct LogIn: Sendable {
        var account: Account
        var token: String
    }

    private struct CachedSession: Sendable {
        var session: Session
        var readAt: Date
    }

    private let database: Database
    private let hasher: PasswordHasher
    private let events: EventBus
    private let logInAttempts: RateLimiter
    private let now: @Sendable () -> Date
    private let cache = Cache<String, CachedSession>(capacity: 10_000)

    /// How long a session may be answered from memory. Log-out and changes through this process are seen at
    /// once; the time bounds what another process (`tintype account`) may change unseen.
    private static let cacheSeconds: TimeInterval = 30
    /// `seen_at` is written at most this often.
    private static let touchSeconds: TimeInterval = 600

    init(database: Database, hasher: PasswordHasher, events: EventBus, now: @escaping @Sendable () -> Date) {
        self.events = events
        self.database = database
        self.hasher = hasher
        self.now = now
        logInAttempts = RateLimiter(limit: 10, per: 300, capacity: 20_000, now: now)
    }

    /// Logs a person in.
    ///
    /// - Parameters:
    ///   - address: where the request comes from; guesses are counted by account and by address.
    ///   - device: what the person will recognise the log-in by, such as the browser's name.
    /// - Throws: ``Refusal``: 401 for a wrong name or password (never told which), 429 after ten
    ///   attempts in five minutes.
    func logIn(
        username: String, password: String, address: String, device: String, kind: Session.Kind = .browser
    ) async throws -> LogIn {
        let folded = AccountRules.folded(username: username)
        for key in ["account \(folded)", "address \(address)"] {
            guard logInAttempts.take(key).isAllowed else {
                let wait = logInAttempts.secondsUntilReset(key)
                throw Refusal(
                    .tooOften(retryAfter: wait), "Too many attempts. Try again in \(Self.minutes(wait)).")
            }
        }
        let found = try await database.read { transaction -> (Account, String)? in
            let store = AccountStore(transaction)
            guard let account = try store.account(username: username),
                let hash = try store.password(of: account.id)
            else { return nil }
            return (account, hash)
        }
        guard try await hasher.verify(password, against: found?.1), let account = found?.0 else {
            throw Refusal(.unauthenticated, "That username and password don't go together.")
        }
        guard !account.isSuspended else {
            throw Refusal(.unauthenticated, "This account is suspended. Ask the person who runs this server.")
        }
        logInAttempts.forget("account \(folded)")
        let token = try await start(for: account.id, device: device, kind: kind)
        return LogIn(account: account, token: token)
    }

    private static func minutes(_ seconds: Int) -> String {
        let minutes = max(1, (seconds + 59) / 60)
        return minutes == 1 ? "a minute" : "\(minutes) minutes"
    }

    /// Opens a session without a password, for someone just signed up and for `tintype token create`.
    func start(for account: Account.ID, device: String, kind: Session.Kind) async throws -> String {
        let token = Session.newToken()
        try await database.write { transaction in
            try SessionStore(transaction).insert(
                ID(rawValue: transaction.newID()), of: account, kind: kind,
                tokenHash: Session.hash(ofToken: token), device: String(device.prefix(200)))
        }
        return token
    }

    /// Who holds this token; nil when nobody does.
    func session(token: String) async throws -> Session? {
        let hash = Session.hash(ofToken: token)
        let instant = now()
        if let cached = cache[hash], instant.timeIntervalSince(cached.readAt) < Self.cacheSeconds {
            return cached.session
        }
        guard
            let (session, seenAt) = try await database.read({
                try SessionStore($0).session(tokenHash: hash)
            })
        else {
            cache[hash] = nil
            return nil
        }
        cache[hash] = CachedSession(session: session, readAt: instant)
        if instant.timeIntervalSince(seenAt) > Self.touchSeconds {
            try await database.write { try SessionStore($0).touch(session.id) }
        }
        return session
    }

    /// Ends one of a person's sessions.
    ///
    /// - Throws: ``Refusal`` (404) when it isn't theirs.
    func end(_ session: Session.ID, of account: Account.ID) async throws {
        let hash = try await database.write { try SessionStore($0).delete(session, of: account) }
        guard let hash else { throw Refusal.notFound }
        cache[hash] = nil
        events.end(session)
    }

    /// Forgets what memory holds of a person's sessions, after their account or sessions changed.
    func refresh(_ account: Account.ID) {
        cache.removeAll { $1.session.account.id == account }
    }

    /// Checks the password of someone already logged in, before a change that matters.
    func confirm(_ password: String, of account: Account) async throws -> Bool {
        guard logInAttempts.take("account \(AccountRules.folded(username: account.username))").isAllowed else {
            throw Refusal(.tooOften(retryAfter: 300), "Too many attempts. Try again in a few minutes.")
        }
        let hash = try await database.read { try AccountStore($0).password(of: account.id) }
        return try await hasher.verify(password, against: hash)
    }
}
