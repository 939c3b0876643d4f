import Core
import Crypto
import Foundation

/// The hash of a secret. Only the app that began a log-in knows the secret, so a stolen code is useless to others (PKCE
/// with S256: RFC 7636).
struct CodeChallenge: Sendable, Equatable {
    /// The SHA-256 hash of the secret in base64url, 43 characters.
    let text: String

    /// Takes a challenge. Returns nil for a text that can't be one.
    init?(_ text: String) {
        guard text.utf8.count == 43, Data(base64URL: text)?.count == 32 else { return nil }
        self.text = text
    }

    /// Makes the challenge for a secret, which RFC 7636 calls the code verifier.
    init(of verifier: String) {
        text = base64URL(Data(SHA256.hash(data: Data(verifier.utf8))))
    }

    /// Returns whether a secret is the one that was hashed. It has 43 to 128 characters (RFC 7636, 4.1).
    func isMet(by verifier: String) -> Bool {
        (43...128).contains(verifier.utf8.count) && CodeChallenge(of: verifier) == self
    }
}
