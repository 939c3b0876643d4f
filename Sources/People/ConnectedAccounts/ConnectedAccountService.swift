import Core
import Foundation
import Logging
import Serving
import Storage

extension JobKind {
    /// Revokes an access token at its server; the payload is a ``Revocation``.
    static let revokeConnection = JobKind("revoke-connection", .outward)
}

/// The service that connects an account on another server, and disconnects it.
package final class ConnectedAccountService: Sendable {
    private let database: Database
    private let access: OutsideAccess
    private let secrets: SecretsKey
    private let listeners: CrossPostListeners
    private let publicURL: String
    private let allowsPrivate: Bool
    private let logger: Logger

    /// How long a person may take to go to another server and come back, in seconds.
    static let attemptLifetime: TimeInterval = 600
    /// How long an unused registration is trusted, in seconds. Mastodon keeps one for a day.
    private static let registrationLifetime: TimeInterval = 3600
    /// The most attempts to revoke a token, over about half an hour.
    private static let mostRevocations = 12

    init(_ app: AppParts, listeners: CrossPostListeners) {
        database = app.database
        access = OutsideAccess(http: app.outgoing)
        secrets = app.secrets
        self.listeners = listeners
        publicURL = app.configuration.publicURL
        allowsPrivate = app.configuration.allowsPrivateAddresses
        logger = app.logger
    }

    // MARK: What others ask

    /// Returns a person's connected account, including one whose server no longer accepts our access.
    package func account(of viewer: Account) async throws -> ConnectedAccount? {
        try await database.read { try self.account(of: viewer, $0) }
    }

    /// Returns a person's connected account, inside a transaction of another service.
    package func account(of viewer: Account, _ transaction: Transaction) throws -> ConnectedAccount? {
        try ConnectedAccountStore(transaction).account(of: viewer.id)?.account
    }

    /// Returns a person's connected account, as their page shows it, with their newest cross-posts.
    func overview(of viewer: Account) async throws -> (account: ConnectedAccount?, posts: [CrossPost]) {
        try await database.read { [self] transaction in
            (try account(of: viewer, transaction), try CrossPostRecords(transaction).posts(of: viewer))
        }
    }

    // MARK: Connecting

    /// The address at which a person allows the access.
    struct Departure: Sendable {
        /// The server's host.
        var server: String
        var url: String
    }

    /// The parameters that the other server adds when the person comes back (RFC 6749, 4.1.2; RFC 9207).
    struct Return: Sendable {
        var state: String
        var code: String
        /// The reason why there is no code, such as `access_denied`; empty when there is one.
        var error: String
        /// The server that answers; empty when the answer doesn't name it.
        var issuer: String
    }

    /// Registers with a server, unless that was done before, and begins an attempt that belongs to the log-in.
    ///
    /// - Throws: ``Refusal``: 422 for a text that names no usable server, 409 when an account is connected already.
    func begin(_ name: String, in session: Session) async throws -> Departure {
        guard let origin = ServerName.origin(name, allowsPrivate: allowsPrivate) else {
            throw Self.refusal("Enter the name of a server, such as mastodon.social.")
        }
        guard origin != publicURL else {
            throw Self.refusal("This is the server you are on. Connect an account on another one.")
        }
        let connected = try await database.read { try self.account(of: session.account, $0) }
        if connected?.isUsable == true { throw Self.alreadyConnected }
        let server: OutsideServer
        do {
            server = try await registration(at: origin)
        } catch let failure as OutsideFailure {
            throw Self.refusal(for: failure, OutsideServer.host(of: origin))
        }
        let (state, verifier) = (Session.newToken(), Session.newToken())
        let sealed = try secrets.seal(verifier, as: .verifier(session.account.id))
        try await database.write { transaction in
            let store = ConnectedAccountStore(transaction)
            try store.begin(
                .init(
                    session: session.id, server: server, stateHash: Session.hash(ofToken: state),
                    sealedVerifier: sealed,
                    expiresAt: transaction.now.addingTimeInterval(Self.attemptLifetime)),
                of: session.account.id)
        }
        return Departure(
            server: server.host,
            url: OutsideAccess.authorizationURL(
                at: origin, client: server.clientID, redirect: redirect(server.id), state: state,
                challenge: CodeChallenge(of: verifier)))
    }

    private func redirect(_ server: OutsideServer.ID) -> String {
        publicURL + OutsideServer.callbackPath(server)
    }

    private func registration(at origin: String) async throws -> OutsideServer {
        let (known, id) = try await database.write { transaction in
            let store = ConnectedAccountStore(transaction)
            let oldest = transaction.now.addingTimeInterval(-Self.registrationLifetime)
            try store.forgetUnused(before: oldest.addingTimeInterval(-86_400))
            let known = try store.server(origin: origin, newerThan: oldest)
            return (known, known?.server.id ?? ID(rawValue: transaction.newID()))
        }
        if let known, known.isFresh, secret(of: known.server) != nil { return known.server }
        let client = try await access.register(at: origin, redirect: redirect(id), website: publicURL)
        let server = OutsideServer(
            id: id, origin: origin, clientID: client.id,
            sealedSecret: try secrets.seal(client.secret, as: .clientSecret(id)))
        return try await database.write { try ConnectedAccountStore($0).keep(server) }
    }

    private func secret(of server: OutsideServer) -> String? {
        secrets.unseal(server.sealedSecret, as: .clientSecret(server.id))
    }

    /// Connects the account for which the person has allowed the access.
    ///
    /// - Parameter id: the server of the address that the person came back to.
    /// - Throws: ``Refusal``: 409 when the attempt belongs to another log-in, is over or was finished before, or when
    ///   an account is connected already; 422 when the server's answers can't be used.
    func finish(_ answer: Return, at id: OutsideServer.ID, in session: Session) async throws
        -> ConnectedAccount
    {
        let attempt = try await takeAttempt(answer, at: id, in: session)
        let server = attempt.server
        guard answer.issuer.isEmpty || answer.issuer == server.origin else {
            throw Refusal.conflict("The answer came from a server other than \(server.host). Start again.")
        }
        guard answer.error.isEmpty, !answer.code.isEmpty, answer.code.utf8.count <= 4_000 else {
            throw Refusal.conflict(
                answer.error == "access_denied"
                    ? "Nothing was connected, because access wasn’t allowed."
                    : "\(server.host) didn’t allow the access. Start again.")
        }
        guard let verifier = secrets.unseal(attempt.sealedVerifier, as: .verifier(session.account.id)),
            let secret = secret(of: server)
        else { throw Self.staleAttempt }
        let client = OutsideAccess.Client(id: server.clientID, secret: secret)
        do {
            let token = try await access.token(
                at: server.origin, client: client, code: answer.code, redirect: redirect(id),
                verifier: verifier)
            do {
                let profile = try await access.profile(at: server.origin, token: token)
                return try await connect(profile, token: token, server, session.account.id)
            } catch {
                await access.revoke(token, at: server.origin, client: client)
                throw error
            }
        } catch let failure as OutsideFailure {
            if failure == .unknownClient {
                try await database.write { try ConnectedAccountStore($0).forget(id) }
            }
            throw Self.refusal(for: failure, server.host)
        }
    }

    /// Ends the attempt that an answer belongs to. Each attempt is valid for one answer, to the log-in that began it.
    private func takeAttempt(
        _ answer: Return, at id: OutsideServer.ID, in session: Session
    ) async throws -> ConnectedAccountStore.Attempt {
        let hash = Session.hash(ofToken: answer.state)
        let found = try await database.read { transaction -> ConnectedAccountStore.Attempt? in
            guard let attempt = try ConnectedAccountStore(transaction).attempt(of: session.account.id),
                attempt.session == session.id, attempt.server.id == id, attempt.stateHash == hash,
                attempt.expiresAt > transaction.now
            else { return nil }
            return attempt
        }
        guard let found,
            try await database.write({
                try ConnectedAccountStore($0).endAttempt(of: session.account.id, stateHash: hash)
            })
        else { throw Self.staleAttempt }
        return found
    }

    private func connect(
        _ profile: OutsideAccess.Profile, token: String, _ server: OutsideServer, _ owner: Account.ID
    ) async throws -> ConnectedAccount {
        try await database.write { [self] transaction in
            let store = ConnectedAccountStore(transaction)
            if let old = try store.account(of: owner) {
                if old.account.isUsable { throw Self.alreadyConnected }
                // Posts that waited for the lost access aren't published with the new one.
                try CrossPostRecords(transaction).stop(of: owner, listeners)
                try store.delete(old.account.id)
            }
            let id = ConnectedAccount.ID(rawValue: transaction.newID())
            let account = ConnectedAccount(
                id: id, owner: owner, server: server.host, username: profile.username,
                profileURL: profile.url,
                isUsable: true)
            try store.insert(
                .init(
                    account: account, remoteID: profile.remoteID, server: server,
                    sealedToken: try secrets.seal(token, as: .token(id))))
            return account
        }
    }

    // MARK: Disconnecting

    /// Disconnects a person's account: here at once, and at its server as soon as the server can be reached.
    ///
    /// - Throws: ``Refusal`` (404) when no account is connected.
    func disconnect(by viewer: Account) async throws {
        try await database.write { [listeners] transaction in
            guard try ConnectedAccountRecords(transaction).disconnect(viewer.id, listeners) else {
                throw Refusal.notFound
            }
        }
    }

    /// Performs ``JobKind/revokeConnection``, as far as the other server allows.
    func revoke(_ job: Job) async throws {
        guard let revocation = Revocation(job.payload),
            let token = secrets.unseal(revocation.sealedToken, as: .token(revocation.account)),
            let secret = secret(of: revocation.server)
        else { return logger.warning("a token can't be revoked: its key is gone") }
        let server = revocation.server
        let client = OutsideAccess.Client(id: server.clientID, secret: secret)
        if await access.revoke(token, at: server.origin, client: client) { return }
        guard job.attempts < Self.mostRevocations else {
            return logger.warning(
                "a token wasn't taken back by its server", metadata: ["server": "\(server.host)"])
        }
        throw RevocationFailure(server: server.host)
    }

    // MARK: Refusals

    private static let alreadyConnected = Refusal.conflict(
        "An account is connected already. Disconnect it first.")
    private static let staleAttempt = Refusal.conflict(
        "This attempt has expired, or it was started in another log-in. Start again.")

    private static func refusal(_ sentence: String) -> Refusal {
        Refusal.invalid("server", "ERR_INVALID", sentence)
    }

    private static func refusal(for failure: OutsideFailure, _ host: String) -> Refusal {
        switch failure {
        case .unreachable: refusal("\(host) can’t be reached. Check the name, or try again later.")
        case .forbidden:
            refusal("\(host) has an address in a private network, which isn’t allowed here.")
        case .busy: refusal("\(host) is busy. Try again in a few minutes.")
        case .nonsense:
            refusal("\(host) doesn’t answer like a Mastodon-compatible server. Check the server’s name.")
        case .unknownClient: refusal("\(host) didn’t recognise Tintype. Start again.")
        case .refused: refusal("\(host) didn’t allow everything that publishing needs. Start again.")
        }
    }
}

/// A token that has to be revoked, as the payload of a job. It includes the registration that the token belongs to,
/// which may be deleted or replaced before the job runs.
struct Revocation: Sendable {
    var account: ConnectedAccount.ID
    var server: OutsideServer
    var sealedToken: SealedText

    init(account: ConnectedAccount.ID, server: OutsideServer, sealedToken: SealedText) {
        self.account = account
        self.server = server
        self.sealedToken = sealedToken
    }

    init?(_ payload: String) {
        let parts = payload.split(separator: " ").map(String.init)
        guard parts.count == 6, let account = ConnectedAccount.ID(parts[0]),
            let server = OutsideServer.ID(parts[1]), let client = Data(base64Encoded: parts[3])
        else { return nil }
        let registration = OutsideServer(
            id: server, origin: parts[2], clientID: String(decoding: client, as: UTF8.self),
            sealedSecret: SealedText(base64: parts[4]))
        self.init(account: account, server: registration, sealedToken: SealedText(base64: parts[5]))
    }

    var payload: String {
        // The other server chose the client's id, which may contain spaces.
        let client = Data(server.clientID.utf8).base64EncodedString()
        return
            "\(account) \(server.id) \(server.origin) \(client) \(server.sealedSecret.base64) \(sealedToken.base64)"
    }
}

/// The error of a token that couldn't be revoked this time.
struct RevocationFailure: Error {
    var server: String
}
