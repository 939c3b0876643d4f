import Core
import Crypto
import Foundation
import Serving
import Storage

/// Links with which a person logs in without a password, by choosing a new one. The operator makes them: for the first
/// account of a server, and for people who have forgotten their password.
///
/// A link says whose it is, when it ends and which password it replaces, sealed with the server's key for secrets. So only
/// the server can make one, it works once, and no list of links is kept.
package struct LogInLinks: Sendable {
    /// The page to which a link leads.
    static let path = "/login/new-password"
    /// How long a link works, in seconds.
    private static let lifetime: TimeInterval = 24 * 3600

    private let database: Database
    private let secrets: SecretsKey
    private let sessions: SessionService
    private let publicURL: String
    private let now: @Sendable () -> Date

    init(
        database: Database, secrets: SecretsKey, sessions: SessionService, publicURL: String,
        now: @escaping @Sendable () -> Date
    ) {
        self.database = database
        self.secrets = secrets
        self.sessions = sessions
        self.publicURL = publicURL
        self.now = now
    }

    /// Returns the address of a new link.
    ///
    /// - Throws: ``Refusal`` (404) when nobody is called so.
    package func make(for username: String) async throws -> String {
        let (account, hash) = try await database.read { transaction in
            let records = AccountRecords(transaction)
            let account = try records.called(username)
            return (account, try records.passwordHash(of: account.id) ?? "")
        }
        let end = Int(now().timeIntervalSince1970 + Self.lifetime)
        let sealed = try secrets.seal("\(account.id) \(end) \(Self.digest(of: hash))", as: .logInLink)
        let code = Data(base64Encoded: sealed.base64).map { base64URL($0) } ?? ""
        return "\(publicURL)\(Self.path)?code=\(code)"
    }

    /// Returns the person to whom a link belongs.
    ///
    /// - Parameter code: the code in the link's address.
    /// - Throws: ``Refusal``: 410 for a link that was used, is too old or isn't the server's.
    func owner(of code: String) async throws -> Account {
        guard let data = Data(base64URL: code),
            let text = secrets.unseal(SealedText(base64: data.base64EncodedString()), as: .logInLink)
        else { throw Self.ended }
        let parts = text.split(separator: " ").map(String.init)
        guard parts.count == 3, let id = Account.ID(parts[0]), let end = TimeInterval(parts[1]),
            now().timeIntervalSince1970 < end
        else { throw Self.ended }
        return try await database.read { transaction in
            let records = AccountRecords(transaction)
            guard let account = try records.unchecked(id), !account.isSuspended,
                let hash = try records.passwordHash(of: id), Self.digest(of: hash) == parts[2]
            else { throw Self.ended }
            return account
        }
    }

    /// Sets the password of the person to whom a link belongs, ends all their log-ins, and logs them in.
    ///
    /// - Throws: ``Refusal``: 410 for a link that doesn't work, 422 for an unfit password.
    func use(
        _ code: String, password: String, device: String, proofs: BrowserProofs
    ) async throws -> SessionService.LogIn {
        let account = try await owner(of: code)
        try await sessions.setPassword(password, of: account)
        return try await sessions.start(for: account, device: device, proofs: proofs)
    }

    private static let ended = Refusal(
        .gone, "This link was used already, or is too old. Ask the person who runs this server for another.")

    /// Returns what a link says of a password's hash, from which nobody learns the hash.
    private static func digest(of hash: String) -> String {
        base64URL(Data(SHA256.hash(data: Data(hash.utf8))))
    }
}

extension SecretsKey.Purpose {
    /// What a link to log in says.
    fileprivate static let logInLink = Self("log-in link")
}
