import Crypto
import Foundation
import Serving
import Storage

/// Encrypted text that only this server can read, in its stored form: AES-GCM with nonce and tag (NIST SP 800-38D), in
/// base64.
package struct SealedText: Sendable, Equatable {
    package let base64: String

    package init(base64: String) { self.base64 = base64 }
}

/// The key that encrypts secrets before they are stored in the database. It is in a file of its own, so that nobody can
/// use the secrets with the database or its backups alone.
package struct SecretsKey: Sendable {
    /// The purpose and owner of a secret. A sealed text can be opened for its own purpose only, so that nobody who can
    /// write to the database can swap secrets. Each feature declares its purposes in an extension.
    package struct Purpose: Sendable {
        private let text: String

        /// - Parameter text: the name of the purpose, followed by the id of the owner; different for every secret.
        package init(_ text: String) { self.text = text }

        fileprivate var authenticated: Data { Data(text.utf8) }
    }

    /// The file's name in the data folder.
    static let fileName = "secrets.key"

    private let key: SymmetricKey

    init(_ key: SymmetricKey) { self.key = key }

    /// Reads the key of a data folder, or creates it at the first start, readable by its owner only.
    ///
    /// - Throws: ``Refusal`` when the file can't be read or written, contains something else, or may be read by others.
    static func load(in folder: String) throws -> SecretsKey {
        let path = "\(folder)/\(fileName)"
        let fresh = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }.base64EncodedString() + "\n"
        let bytes: [UInt8]
        do {
            bytes = try PrivateFile.contents(of: path, orCreate: Array(fresh.utf8))
        } catch is PrivateFile.IsOpenToOthers {
            throw Refusal.malformed("Others can read \(path). Run `chmod 600` on it.")
        } catch {
            throw Refusal(
                .unavailable(retryAfter: 60), "The server’s key for secrets can’t be read. \(error).")
        }
        guard let key = Data(base64Encoded: String(decoding: bytes, as: UTF8.self).trimmed), key.count == 32
        else {
            throw Refusal.malformed("\(path) doesn’t hold a key. Restore it, or delete it for a new one.")
        }
        return SecretsKey(SymmetricKey(data: key))
    }

    /// Encrypts a secret.
    package func seal(_ secret: String, as purpose: Purpose) throws -> SealedText {
        let box = try AES.GCM.seal(Data(secret.utf8), using: key, authenticating: purpose.authenticated)
        // Without a nonce of our own the box has one of 12 bytes, and so a combined form.
        guard let combined = box.combined else { throw CryptoKitError.incorrectParameterSize }
        return SealedText(base64: combined.base64EncodedString())
    }

    /// Decrypts a secret. Returns nil when it was encrypted with another key or for another purpose, or was changed.
    package func unseal(_ sealed: SealedText, as purpose: Purpose) -> String? {
        guard let data = Data(base64Encoded: sealed.base64), let box = try? AES.GCM.SealedBox(combined: data),
            let secret = try? AES.GCM.open(box, using: key, authenticating: purpose.authenticated)
        else { return nil }
        return String(data: secret, encoding: .utf8)
    }
}
