import Core
import Crypto
import Foundation
import Logging
import Serving
import Storage
import Synchronization

/// The service of sessions: logging in and out, and identifying the sender of a request.
package final class SessionService: Sendable {
    /// A new log-in of a browser. Its token is returned once and stored only as a hash.
    struct LogIn: Sendable {
        var account: Account
        var token: String
        /// The browser's proofs, including the new one for this account.
        var proofs: BrowserProofs
    }

    private struct CachedSession: Sendable {
        var session: Session
        var readAt: Date
    }

    private let database: Database
    /// The listeners that end what a person's log-ins have begun, in the transaction that ends all log-ins or all but
    /// one.
    let endings: Registry<AccountListener>
    private let hasher: PasswordHasher
    private let events: EventBus
    private let epochs: AccountEpochs
    private let sight: Sight
    private let topics: OAuthTopics
    private let attempts: PasswordAttempts
    private let wrongTokens: RateLimiter
    private let logger: Logger
    private let now: @Sendable () -> Date
    /// The sessions that were read by their tokens. Where other servers may end them, each request looks its session up all
    /// the same: then they say only which tokens were good, whose people a flood of wrong ones must not keep out.
    private let cache = Cache<String, CachedSession>(capacity: 10_000)
    /// The number of events that have invalidated cached sessions, so that a session read before such an event isn't
    /// cached after it.
    private let changes = Atomic<Int>(0)

    /// How long a session may be answered from memory. Changes made by this process take effect at once; this
    /// limit is for changes by a command (`tintype account`).
    private static let cacheSeconds: TimeInterval = 30
    /// The least time between two writes of `seen_at`.
    private static let touchSeconds: TimeInterval = 600

    /// - Parameters:
    ///   - attempts: the limits on wrong passwords.
    ///   - wrongTokensLimit: the number of unknown tokens that may come from one network in five minutes. Nobody can
    ///     guess a token, but each attempt costs a database lookup.
    init(
        database: Database, endings: Registry<AccountListener>,
        hasher: PasswordHasher, events: EventBus,
        epochs: AccountEpochs, sight: Sight, topics: OAuthTopics, attempts: PasswordAttempts,
        wrongTokensLimit: Int,
        logger: Logger,
        now: @escaping @Sendable () -> Date
    ) {
        self.events = events
        self.epochs = epochs
        self.sight = sight
        self.topics = topics
        self.logger = logger
        self.database = database
        self.endings = endings
        self.hasher = hasher
        self.now = now
        self.attempts = attempts
        wrongTokens = RateLimiter(limit: wrongTokensLimit, per: 300, capacity: 20_000, now: now)
    }

    // MARK: Logging in

    /// The account with the name that someone typed, if there is one.
    private struct Candidate: Sendable {
        var account: Account
        var passwordHash: String
        /// The hash of the proof that the browser has logged in to the account before.
        var proof: String?
    }

    /// Logs a person in.
    ///
    /// - Parameters:
    ///   - address: the address that sent the request; ``PasswordAttempts`` says how attempts are counted.
    ///   - device: the words by which the person recognizes the log-in, such as the browser's name.
    ///   - proofs: the browser's proofs of earlier log-ins.
    /// - Throws: ``Refusal``: 401 for a wrong name or password (without saying which), 429 after too many
    ///   attempts.
    func logIn(
        username: String, password: String, address: String, device: String, proofs: BrowserProofs
    ) async throws -> LogIn {
        let found = try await database.read { transaction -> Candidate? in
            guard let account = try AccountRecords(transaction).unchecked(username: username),
                let hash = try AccountRecords(transaction).passwordHash(of: account.id)
            else { return nil }
            let proof = try SessionStore(transaction).proof(among: proofs.hashes, of: account.id)
            return Candidate(account: account, passwordHash: hash, proof: proof)
        }
        let place =
            found?.proof.map { PasswordAttempts.Place.browser($0) } ?? .network(ClientNetwork.key(address))
        let isRight = try await isRight(
            password, for: .init(username: username, passwordHash: found?.passwordHash), from: place,
            hash: found?.passwordHash)
        guard isRight, let account = found?.account else {
            throw Refusal(.unauthenticated, "The username or password is wrong.")
        }
        guard !account.isSuspended else {
            throw Refusal(.unauthenticated, "This account is suspended. Ask the person who runs this server.")
        }
        return try await start(
            for: account, device: device, proofs: proofs,
            known: found?.proof.flatMap { proofs.token(withHash: $0) })
    }

    /// Checks a password, and counts the attempt if the password is wrong.
    ///
    /// - Parameter hash: the stored hash of the password; nil if there is none to compare with.
    /// - Throws: ``Refusal``: 429 after too many attempts, 503 if too many passwords are waiting to be
    ///   checked.
    private func isRight(
        _ password: String, for target: PasswordAttempts.Target, from place: PasswordAttempts.Place,
        hash: String?
    ) async throws -> Bool {
        let line: PasswordHasher.Line = if case .network = place { .strangers } else { .known }
        return try await attempts.check(target, from: place) { [hasher] in
            try await hasher.verify(password, against: hash, in: line)
        }
    }

    /// Starts a browser's log-in for someone who has just given their password, or has just signed up.
    ///
    /// - Parameters:
    ///   - proofs: the browser's proofs of earlier log-ins.
    ///   - known: the proof that belongs to this account.
    func start(
        for account: Account, device: String, proofs: BrowserProofs, known: String? = nil
    ) async throws -> LogIn {
        let token = Session.newToken()
        let proof = known ?? Session.newToken()
        try await database.write { transaction in
            let store = SessionStore(transaction)
            let id = Session.ID(rawValue: transaction.newID())
            try store.insert(
                id, of: account.id, kind: .browser, tokenHash: Session.hash(ofToken: token),
                device: String(device.prefix(200)))
            try store.keepProof(Session.hash(ofToken: proof), of: account.id, in: id)
        }
        return LogIn(account: account, token: token, proofs: proofs.using(proof))
    }

    /// Starts a session without a password, for `tintype token create`.
    package func start(for account: Account.ID, device: String, kind: Session.Kind) async throws -> String {
        let token = Session.newToken()
        try await database.write { transaction in
            try SessionStore(transaction).insert(
                ID(rawValue: transaction.newID()), of: account, kind: kind,
                tokenHash: Session.hash(ofToken: token), device: String(device.prefix(200)))
        }
        return token
    }

    // MARK: Apps

    /// Starts the log-in of an app, in the transaction that uses up the code for it.
    ///
    /// - Parameter name: the app's name.
    func startApp(
        named name: String, for account: Account.ID, scopes: OAuthScopes, _ transaction: Transaction
    ) throws -> (id: Session.ID, token: String) {
        let (id, token) = (Session.ID(rawValue: transaction.newID()), Session.newToken())
        try SessionStore(transaction).insert(
            id, of: account, kind: .app, tokenHash: Session.hash(ofToken: token),
            device: String(name.prefix(200)), scopes: scopes)
        return (id, token)
    }

    /// Returns a person's log-ins of apps, the most recently used first.
    func appLogIns(of account: Account.ID, _ transaction: Transaction) throws -> [AppLogIn] {
        try SessionStore(transaction).appLogIns(of: account, topics)
    }

    /// Ends log-ins in the caller's transaction: their tokens and open streams end with the commit, and so do all
    /// picture URLs that were signed for them, which the app may have stored.
    func revoke(_ sessions: [Session.ID], of account: Account.ID, _ transaction: Transaction) throws {
        let store = SessionStore(transaction)
        let ended = try sessions.filter { try store.delete($0, of: account) != nil }
        guard !ended.isEmpty else { return }
        transaction.afterCommit { [self] _ in
            refresh(account)
            for session in ended { events.end(session) }
        }
    }

    // MARK: Who asks

    /// Returns the session of a token; nil if there is none, and for a token in the wrong place of a request.
    ///
    /// - Parameters:
    ///   - place: where the token was in the request.
    ///   - address: the address that sent the request.
    /// - Throws: ``Refusal`` (429) after too many unknown tokens from this network.
    func session(token: String, in place: Session.TokenPlace, from address: String) async throws -> Session? {
        let instant = now()
        let cached = cache[token]
        if let cached, !database.isShared, cached.session.kind.place == place,
            instant.timeIntervalSince(cached.readAt) < Self.cacheSeconds
        {
            return cached.session
        }
        let network = ClientNetwork.key(address)
        guard cached != nil || wrongTokens.hasToken(network) else {
            throw Refusal(
                .tooOften(retryAfter: wrongTokens.secondsUntilReset(network)),
                "Too many invalid access tokens came from your network. Try again later.")
        }
        let hash = Session.hash(ofToken: token)
        let before = changes.load(ordering: .acquiring)
        guard
            let found = try await database.read({ [topics] in
                try SessionStore($0).session(tokenHash: hash, topics)
            }),
            found.session.kind.place == place
        else {
            cache[token] = nil
            _ = wrongTokens.take(network)
            return nil
        }
        epochs.note(found.pictureEpoch, of: found.session.account.id)
        sight.note(found.sightEpochs, of: found.session.account.id)
        cache[token] = CachedSession(session: found.session, readAt: instant)
        // A log-out between the read and this line didn't find the entry yet, so it is removed here.
        if changes.load(ordering: .acquiring) != before { cache[token] = nil }
        if instant.timeIntervalSince(found.seenAt) > Self.touchSeconds { touch(found.session.id) }
        return found.session
    }

    /// Records in the background that a log-in is in use. A failure is ignored, because people must be able to read on
    /// a full disk, too. The next read of the session tries again.
    private func touch(_ session: Session.ID) {
        Task { [database, logger] in
            do {
                try await database.write { try SessionStore($0).touch(session) }
            } catch {
                logger.warning("a log-in's last use was not recorded", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Returns whether a log-in still exists in the database, without using the cache. Notes the picture epoch, in which
    /// the log-in's stream is written: another server may have begun a new one.
    package func isOpen(_ session: Session.ID) async throws -> Bool {
        guard let found = try await database.read({ try SessionStore($0).pictureEpoch(of: session) })
        else { return false }
        epochs.note(found.epoch, of: found.account)
        return true
    }

    /// Returns whether a stream may continue after a heartbeat. Every second heartbeat checks the database, since a
    /// log-in may end without notice to the streams: by another process (`tintype account`), or when a newer log-in
    /// replaces it.
    ///
    /// - Parameter beats: the number of heartbeats of the stream so far.
    package func isStillOpen(_ session: Session.ID, atBeat beats: Int) async throws -> Bool {
        guard beats.isMultiple(of: 2) else { return true }
        return try await isOpen(session)
    }

    /// Removes a person's sessions from the cache, after their account or sessions changed.
    package func refresh(_ account: Account.ID) {
        changes.wrappingAdd(1, ordering: .acquiringAndReleasing)
        cache.removeAll { $1.session.account.id == account }
    }

    // MARK: Ending

    /// Returns a person's log-ins, the most recently used first.
    func devices(of account: Account) async throws -> [Device] {
        try await database.read { try self.devices(of: account, $0) }
    }

    func devices(of account: Account, _ transaction: Transaction) throws -> [Device] {
        try SessionStore(transaction).devices(of: account.id)
    }

    /// Returns the names by which a person recognises their log-ins, also those of apps.
    func names(of account: Account, _ transaction: Transaction) throws -> [Session.ID: String] {
        try SessionStore(transaction).names(of: account.id)
    }

    /// Ends one of a person's sessions, and closes its event streams at once. Its browser no longer counts as known to
    /// the account.
    ///
    /// - Throws: ``Refusal`` (404) if the session isn't theirs.
    func end(_ session: Session.ID, of account: Account.ID) async throws {
        let isEnded = try await end(session, of: account) { try $0.deleteProof(of: account, in: session) }
        guard isEnded else { throw Refusal.notFound }
    }

    /// Ends a log-in if it is still open. Its browser stays known to the account.
    func endIfOpen(_ session: Session.ID, of account: Account.ID) async throws {
        _ = try await end(session, of: account) { _ in }
    }

    /// Ends a session, together with a change in the same transaction. Returns whether the session was open.
    private func end(
        _ session: Session.ID, of account: Account.ID,
        also: @escaping @Sendable (SessionStore) throws -> Void
    ) async throws -> Bool {
        let wasOpen = try await database.write { transaction in
            let store = SessionStore(transaction)
            guard try store.delete(session, of: account) != nil else { return false }
            try also(store)
            return true
        }
        guard wasOpen else { return false }
        refresh(account)
        events.end(session)
        return true
    }

    /// Ends all sessions of a person except one.
    func endAll(of account: Account.ID, but kept: Session.ID?) async throws {
        let epoch = try await database.write { [self] in try logOut(account, but: kept, $0) }
        epochs.note(epoch, of: account)
        forget(account, but: kept)
    }

    /// Deletes all sessions of a person except one, with what they have begun. Returns the new picture epoch.
    private func logOut(
        _ account: Account.ID, but kept: Session.ID?, _ transaction: Transaction
    ) throws -> Int64 {
        for end in endings.all { try end(account, transaction) }
        return try SessionStore(transaction).deleteAll(of: account, but: kept)
    }

    /// Removes sessions of an account from the cache, after a transaction has deleted them.
    func forget(_ account: Account.ID, but kept: Session.ID? = nil) {
        refresh(account)
        events.end(account, but: kept)
    }

    // MARK: Passwords

    /// Checks the password of someone who is already logged in, before an important change. Each log-in has
    /// its own number of attempts, so neither strangers at the log-in page nor other devices can use them up.
    ///
    /// - Throws: ``Refusal`` (429) after too many attempts.
    package func confirm(_ password: String, in session: Session) async throws -> Bool {
        let account = session.account
        let hash = try await database.read { try AccountRecords($0).passwordHash(of: account.id) }
        return try await isRight(
            password, for: .init(username: account.username, passwordHash: hash), from: .session(session.id),
            hash: hash)
    }

    /// Changes a person's password and logs out all their other devices and apps.
    ///
    /// - Parameters:
    ///   - session: the session that stays.
    ///   - current: the current password.
    /// - Throws: ``Refusal``: 422 for a wrong current or an invalid new password, 429 after too many
    ///   attempts.
    func changePassword(in session: Session, from current: String, to new: String) async throws {
        let account = session.account
        var problems = Problems()
        AccountRules.check(password: new, field: "new_password", into: &problems)
        try problems.throwIfAny()
        guard try await confirm(current, in: session) else {
            throw Refusal.invalid("current_password", "ERR_INVALID", "That isn’t your current password.")
        }
        try await replacePassword(by: new, of: account.id, but: session.id)
    }

    /// Sets a new password for someone who forgot theirs, and ends all their log-ins.
    ///
    /// - Throws: ``Refusal`` (422) for an invalid password.
    package func setPassword(_ password: String, of account: Account) async throws {
        var problems = Problems()
        AccountRules.check(password: password, into: &problems)
        try problems.throwIfAny()
        try await replacePassword(by: password, of: account.id, but: nil)
    }

    private func replacePassword(by password: String, of account: Account.ID, but kept: Session.ID?)
        async throws
    {
        let hash = try await hasher.hash(password)
        let epoch = try await database.write { [self] transaction in
            try AccountRecords(transaction).setPasswordHash(hash, of: account)
            return try logOut(account, but: kept, transaction)
        }
        epochs.note(epoch, of: account)
        forget(account, but: kept)
    }
}
