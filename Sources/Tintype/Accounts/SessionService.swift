import Crypto
import Foundation
import Logging
import Storage
import Synchronization

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
    private let epochs: PictureEpochs
    private let attempts: RateLimiter
    private let wrongTokens: RateLimiter
    private let logger: Logger
    private let now: @Sendable () -> Date
    private let cache = Cache<String, CachedSession>(capacity: 10_000)
    /// Counts what made cached sessions untrue, so that a read from before is not cached after it.
    private let changes = Atomic<Int>(0)

    /// How long a session may be answered from memory. Log-out and changes through this process are seen at
    /// once; the time bounds what another process (`tintype account`) may change unseen.
    private static let cacheSeconds: TimeInterval = 30
    /// `seen_at` is written at most this often.
    private static let touchSeconds: TimeInterval = 600

    /// - Parameters:
    ///   - attemptsLimit: how many passwords may be tried in five minutes, by account and by address.
    ///   - wrongTokensLimit: how many tokens that nobody holds may come from one network in five minutes. None can be
    ///     guessed, but each costs a look into the database.
    init(
        database: Database, hasher: PasswordHasher, events: EventBus, epochs: PictureEpochs,
        attemptsLimit: Int, wrongTokensLimit: Int, logger: Logger, now: @escaping @Sendable () -> Date
    ) {
        self.events = events
        self.epochs = epochs
        self.logger = logger
        self.database = database
        self.hasher = hasher
        self.now = now
        attempts = RateLimiter(limit: attemptsLimit, per: 300, capacity: 20_000, now: now)
        wrongTokens = RateLimiter(limit: wrongTokensLimit, per: 300, capacity: 20_000, now: now)
    }

    // MARK: Logging in

    /// Logs a person in.
    ///
    /// - Parameters:
    ///   - address: where the request comes from; guesses are counted by account and by address.
    ///   - device: what the person will recognise the log-in by, such as the browser's name.
    /// - Throws: ``Refusal``: 401 for a wrong name or password (never told which), 429 after too many attempts.
    func logIn(
        username: String, password: String, address: String, device: String, kind: Session.Kind = .browser
    ) async throws -> LogIn {
        // No more of it than a username has: what is tried stays in memory for a while.
        let folded = String(
            AccountRules.folded(username: username).unicodeScalars
                .prefix(AccountRules.usernameLength.upperBound + 1))
        try takeAttempt("address \(ClientNetwork.key(address))")
        try takeAttempt("account \(folded)")
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
        attempts.forget("account \(folded)")
        return LogIn(account: account, token: try await start(for: account.id, device: device, kind: kind))
    }

    private func takeAttempt(_ key: String) throws {
        guard !attempts.take(key).isAllowed else { return }
        let wait = attempts.secondsUntilReset(key)
        throw Refusal(.tooOften(retryAfter: wait), "Too many attempts. Try again in \(Self.minutes(wait)).")
    }

    private static func minutes(_ seconds: Int) -> String {
        let minutes = max(1, (seconds + 59) / 60)
        return minutes == 1 ? "a minute" : "\(minutes) minutes"
    }

    /// Starts a session without a password, for someone just signed up and for `tintype token create`.
    func start(for account: Account.ID, device: String, kind: Session.Kind) async throws -> String {
        let token = Session.newToken()
        try await database.write { transaction in
            try SessionStore(transaction).insert(
                ID(rawValue: transaction.newID()), of: account, kind: kind,
                tokenHash: Session.hash(ofToken: token), device: String(device.prefix(200)))
        }
        return token
    }

    // MARK: Who asks

    /// Who holds this token; nil when nobody does.
    ///
    /// - Parameter address: where the request comes from.
    /// - Throws: ``Refusal`` (429) after too many tokens from there that nobody holds.
    func session(token: String, from address: String) async throws -> Session? {
        let instant = now()
        if let cached = cache[token], instant.timeIntervalSince(cached.readAt) < Self.cacheSeconds {
            return cached.session
        }
        let network = ClientNetwork.key(address)
        guard wrongTokens.hasToken(network) else {
            throw Refusal(
                .tooOften(retryAfter: wrongTokens.secondsUntilReset(network)),
                "Too many invalid access tokens came from your network. Try again later.")
        }
        let hash = Session.hash(ofToken: token)
        let before = changes.load(ordering: .acquiring)
        guard
            let found = try await database.read({ try SessionStore($0).session(tokenHash: hash) })
        else {
            cache[token] = nil
            _ = wrongTokens.take(network)
            return nil
        }
        epochs.note(found.pictureEpoch, of: found.session.account.id)
        cache[token] = CachedSession(session: found.session, readAt: instant)
        // A log-out between the read and here has looked for this entry in vain.
        if changes.load(ordering: .acquiring) != before { cache[token] = nil }
        if instant.timeIntervalSince(found.seenAt) > Self.touchSeconds { touch(found.session.id) }
        return found.session
    }

    /// Notes that a log-in is in use. Nobody waits for it, and nothing fails with it: on a full disk people can
    /// still look. It is tried again when the session is next read.
    private func touch(_ session: Session.ID) {
        Task { [database, logger] in
            do {
                try await database.write { try SessionStore($0).touch(session) }
            } catch {
                logger.warning("a log-in's last use was not noted", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Whether a log-in is still there, from the database and not from memory.
    func isOpen(_ session: Session.ID) async throws -> Bool {
        try await database.read { try SessionStore($0).exists(session) }
    }

    /// Forgets what memory holds of a person's sessions, after their account or sessions changed.
    func refresh(_ account: Account.ID) {
        changes.wrappingAdd(1, ordering: .acquiringAndReleasing)
        cache.removeAll { $1.session.account.id == account }
    }

    // MARK: Ending

    /// A person's log-ins, the one last used first.
    func devices(of account: Account) async throws -> [Device] {
        try await database.read { try SessionStore($0).devices(of: account.id) }
    }

    /// Ends one of a person's sessions, and its event streams at once.
    ///
    /// - Throws: ``Refusal`` (404) when it isn't theirs.
    func end(_ session: Session.ID, of account: Account.ID) async throws {
        guard try await endIfOpen(session, of: account) else { throw Refusal.notFound }
    }

    /// The same when it doesn't matter whether it has ended already; whether it had not.
    @discardableResult
    func endIfOpen(_ session: Session.ID, of account: Account.ID) async throws -> Bool {
        let epoch = try await database.write { transaction -> Int64? in
            let store = SessionStore(transaction)
            guard try store.delete(session, of: account) != nil else { return nil }
            // Whoever ends their last log-in is logged out of everything, picture URLs included.
            return try store.hasAny(of: account)
                ? 0 : AccountStore(transaction).beginPictureEpoch(of: account)
        }
        guard let epoch else { return false }
        epochs.note(epoch, of: account)
        refresh(account)
        events.end(session)
        return true
    }

    /// Ends every session of a person but one.
    func endAll(of account: Account.ID, but kept: Session.ID?) async throws {
        let epoch = try await database.write { try SessionStore($0).deleteAll(of: account, but: kept) }
        epochs.note(epoch, of: account)
        forget(account, but: kept)
    }

    /// What follows when sessions of an account were deleted by a transaction: they are answered no more.
    func forget(_ account: Account.ID, but kept: Session.ID? = nil) {
        refresh(account)
        events.end(account, but: kept)
    }

    // MARK: Passwords

    /// Checks the password of someone already logged in, before a change that matters. Strangers who guess at
    /// the log-in page don't use up these attempts.
    ///
    /// - Throws: ``Refusal`` (429) after too many attempts.
    func confirm(_ password: String, of account: Account) async throws -> Bool {
        let key = "confirm \(account.id)"
        try takeAttempt(key)
        let hash = try await database.read { try AccountStore($0).password(of: account.id) }
        guard try await hasher.verify(password, against: hash) else { return false }
        attempts.forget(key)
        return true
    }

    /// Changes a person's password and logs out all their other devices and apps.
    ///
    /// - Parameters:
    ///   - session: the one that stays.
    ///   - current: the password so far.
    /// - Throws: ``Refusal``: 422 for a wrong current or an unfit new one, 429 after too many attempts.
    func changePassword(in session: Session, from current: String, to new: String) async throws {
        let account = session.account
        var problems = Problems()
        AccountRules.check(password: new, field: "new_password", into: &problems)
        try problems.throwIfAny()
        guard try await confirm(current, of: account) else {
            throw Refusal.invalid("current_password", "ERR_INVALID", "That isn’t your current password.")
        }
        try await replacePassword(by: new, of: account.id, but: session.id)
    }

    /// Gives someone who forgot theirs a new password, and ends all their log-ins.
    ///
    /// - Throws: ``Refusal`` (422) for an unfit password.
    func setPassword(_ password: String, of account: Account) async throws {
        var problems = Problems()
        AccountRules.check(password: password, into: &problems)
        try problems.throwIfAny()
        try await replacePassword(by: password, of: account.id, but: nil)
    }

    private func replacePassword(by password: String, of account: Account.ID, but kept: Session.ID?)
        async throws
    {
        let hash = try await hasher.hash(password)
        let epoch = try await database.write { transaction in
            try AccountStore(transaction).setPassword(hash, of: account)
            return try SessionStore(transaction).deleteAll(of: account, but: kept)
        }
        epochs.note(epoch, of: account)
        forget(account, but: kept)
    }
}
