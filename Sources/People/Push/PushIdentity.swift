import Core
import Crypto
import Foundation
import Logging
import Serving
import Storage

extension SecretsKey.Purpose {
    /// The key with which the server identifies itself to push services.
    static let pushIdentity = Self("push identity")
    /// The access token of an app's subscription.
    static func pushToken(_ id: PushSubscription.ID) -> Self { Self("push token \(id)") }
}

/// The identity of this server for push services (VAPID, RFC 8292): a key pair that is made at the first start. A
/// subscription belongs to the key with which it was made.
final class PushIdentity: Sendable {
    private struct Token: Sendable {
        var text: String
        var endsAt: Date
    }

    /// The name of the sealed key among the values of the server.
    static let valueName = "push-identity"
    /// The seconds for which a token is valid; RFC 8292, 2 allows a day.
    private static let tokenLifetime: TimeInterval = 12 * 3600
    /// The seconds before its end at which a token isn't used any more.
    private static let tokenMargin: TimeInterval = 3600

    /// The public key as browsers and apps get it: the uncompressed point in base64url.
    let publicKey: String
    private let key: P256.Signing.PrivateKey
    private let contact: String
    private let tokens = Cache<String, Token>(capacity: 200)

    /// - Parameter contact: the URL at which the operators of a push service find out who sends.
    init(key: P256.Signing.PrivateKey, contact: String) {
        self.key = key
        self.contact = contact
        publicKey = base64URL(key.publicKey.x963Representation)
    }

    /// Reads the identity from the database, or makes one at the first start. Without the file `secrets.key` with which
    /// it was sealed, as on another server, there is a new identity, and all subscriptions end, since push services
    /// accept each from its own identity only.
    static func load(_ app: AppParts) async throws -> PushIdentity {
        @Sendable func known(_ transaction: Transaction) throws -> (isThere: Bool, P256.Signing.PrivateKey?) {
            guard let sealed = try transaction.serverValue(valueName) else { return (false, nil) }
            let text = app.secrets.unseal(SealedText(base64: sealed), as: .pushIdentity)
            let bytes = text.flatMap { Data(base64Encoded: $0) }
            return (true, bytes.flatMap { try? P256.Signing.PrivateKey(rawRepresentation: $0) })
        }
        if let key = try await app.database.read({ try known($0).1 }) { return app.identity(key) }
        let fresh = P256.Signing.PrivateKey()
        // A command beside the server, such as a check of a folder whose `secrets.key` isn't back yet, ends nothing.
        guard app.isServer else { return app.identity(fresh) }
        let sealed = try app.secrets.seal(
            fresh.rawRepresentation.base64EncodedString(), as: .pushIdentity)
        let (key, ended) = try await app.database.write { transaction in
            // Another process may have made one meanwhile.
            let (isThere, key) = try known(transaction)
            if let key { return (key, 0) }
            try transaction.setServerValue(valueName, sealed.base64)
            return (fresh, isThere ? try PushStore(transaction).deleteAll() : 0)
        }
        if ended > 0 {
            app.logger.notice(
                "the key for push services was sealed with another secrets.key: there is a new one, and devices subscribe again",
                metadata: ["subscriptions": "\(ended)"])
        }
        return app.identity(key)
    }

    /// Returns the headers that identify the server, and those that the encryption needs.
    func headers(
        for endpoint: OutgoingURL, _ sealed: PushEncryption.Sealed, as coding: PushEncryption.Coding,
        at now: Date
    ) throws -> [(name: String, value: String)] {
        let token = try token(for: endpoint.origin, at: now)
        let encoding = ("Content-Encoding", coding.rawValue)
        switch coding {
        case .aes128gcm: return [encoding, ("Authorization", "vapid t=\(token), k=\(publicKey)")]
        case .aesgcm:
            let keys = "dh=\(base64URL(sealed.senderKey));p256ecdsa=\(publicKey)"
            return [
                encoding, ("Authorization", "WebPush \(token)"), ("Crypto-Key", keys),
                ("Encryption", "salt=\(base64URL(sealed.salt))"),
            ]
        }
    }

    /// Returns a signed statement for one push service that this server sends (RFC 8292, 2; RFC 7515).
    func token(for origin: String, at now: Date) throws -> String {
        if let known = tokens[origin], known.endsAt.timeIntervalSince(now) > Self.tokenMargin {
            return known.text
        }
        let end = now.addingTimeInterval(Self.tokenLifetime)
        var claims = JSONWriter()
        claims.object { json in
            json.member("aud", origin)
            json.member("exp", Int(end.timeIntervalSince1970))
            json.member("sub", contact)
        }
        let content =
            base64URL(Data(#"{"typ":"JWT","alg":"ES256"}"#.utf8)) + "." + base64URL(Data(claims.bytes))
        let signature = try key.signature(for: Data(content.utf8))
        let token = Token(text: "\(content).\(base64URL(signature.rawRepresentation))", endsAt: end)
        tokens[origin] = token
        return token.text
    }
}

extension AppParts {
    fileprivate func identity(_ key: P256.Signing.PrivateKey) -> PushIdentity {
        PushIdentity(key: key, contact: configuration.publicURL)
    }
}
