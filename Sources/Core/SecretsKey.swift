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

/// The key that encrypts secrets before they are stored in the database. It is never in the database as it is, so that
/// nobody can use the secrets with the database or its backups alone: beside a SQLite file it is in a file of its own, and
/// in a PostgreSQL database it is a row, sealed with the key of a file that the operator gives to every server.
package struct SecretsKey: Sendable {
    /// The purpose and owner of a secret. A sealed text can be opened for its own purpose only, so that nobody who can
    /// write to the database can swap secrets. Each feature declares its purposes in an extension.
    package struct Purpose: Sendable {
        private let text: String

        /// - Parameter text: the name of the purpose, followed by the id of the owner; different for every secret.
        package init(_ text: String) { self.text = text }

        fileprivate var authenticated: Data { Data(text.utf8) }

        /// The key for secrets itself, sealed with the operator's key.
        fileprivate static let secretsKey = Self("secrets key")
    }

    /// The name of the key's file in the data folder of a SQLite file.
    package static let fileName = "secrets.key"
    /// The name of the sealed key among the values of the server.
    static let valueName = "secrets-key"

    private let key: SymmetricKey

    init(_ key: SymmetricKey) { self.key = key }

    /// Returns the key for the secrets of a database. At the first start there is none, and one is made; of servers that
    /// start at once all get the same.
    ///
    /// - Throws: ``Refusal`` when the key can't be read, or is sealed with another key than the operator's.
    static func load(for database: Database, _ configuration: ServerConfiguration) async throws -> SecretsKey
    {
        guard configuration.database != nil else { return try load(in: configuration.data) }
        let outer = try operators(configuration.secretsKeyFile)
        let fresh = SecretsKey(SymmetricKey(size: .bits256))
        let sealed = try outer.seal(fresh.base64, as: .secretsKey)
        return try await database.write { transaction in
            if let known = try transaction.sealedSecretsKey() { return try outer.open(known) }
            try transaction.setSealedSecretsKey(sealed)
            return fresh
        }
    }

    /// Reads the key of a data folder, or creates it at the first start, readable by its owner only.
    ///
    /// - Throws: ``Refusal`` when the file can't be read or written, contains something else, or may be read by others.
    package static func load(in folder: String) throws -> SecretsKey {
        let path = "\(folder)/\(fileName)"
        let fresh = SecretsKey(SymmetricKey(size: .bits256))
        let key = try read(path) {
            try PrivateFile.contents(of: path, orCreate: Array("\(fresh.base64)\n".utf8))
        }
        guard let key else {
            throw Refusal.malformed("\(path) doesn’t hold a key. Restore it, or delete it for a new one.")
        }
        return key
    }

    /// Reads the key with which the operator seals the key for secrets.
    ///
    /// - Parameter path: the file; nil for none.
    /// - Throws: ``Refusal`` when there is no file, or when the file contains something else or may be read by others.
    package static func operators(_ path: String?) throws -> SecretsKey {
        let advice = "Make one with `(umask 077; head -c 32 /dev/urandom | base64 > FILE)`."
        guard let path else {
            throw Refusal.malformed(
                """
                A PostgreSQL database needs --secrets-key-file, a file with a key that all servers of the database have. \
                \(advice)
                """)
        }
        guard FileManager.default.fileExists(atPath: path) else {
            throw Refusal.malformed(
                "There is no file \(path), which --secrets-key-file names. Copy it from the other servers. \(advice)"
            )
        }
        guard let key = try read(path, { try PrivateFile.contents(of: path) }) else {
            throw Refusal.malformed("\(path) doesn’t hold a key of 32 bytes in base64. \(advice)")
        }
        return key
    }

    /// Returns the key in a private file; nil when the file holds something else.
    private static func read(_ path: String, _ contents: () throws -> [UInt8]) throws -> SecretsKey? {
        let bytes: [UInt8]
        do {
            bytes = try contents()
        } catch is PrivateFile.IsOpenToOthers {
            throw Refusal.malformed("Others can read \(path). Run `chmod 600` on it.")
        } catch {
            throw Refusal(
                .unavailable(retryAfter: 60), "The server’s key for secrets can’t be read. \(error).")
        }
        guard let key = Data(base64Encoded: String(decoding: bytes, as: UTF8.self).trimmed), key.count == 32
        else { return nil }
        return SecretsKey(SymmetricKey(data: key))
    }

    private var base64: String { key.withUnsafeBytes { Data($0) }.base64EncodedString() }

    // MARK: Moving

    /// Stores the key of a data folder, if there is one, in the folder's own database, sealed with the operator's key: the
    /// rows move with it.
    ///
    /// - Throws: ``Refusal`` when the folder's key can't be read.
    package static func seal(of folder: String, in database: Database, with outer: SecretsKey) async throws {
        guard FileManager.default.fileExists(atPath: "\(folder)/\(fileName)") else { return }
        let sealed = try outer.seal(load(in: folder).base64, as: .secretsKey)
        try await database.write { try $0.setSealedSecretsKey(sealed) }
    }

    /// Takes the sealed key, if there is one, out of a database that was copied, and writes it into the file of a folder.
    ///
    /// - Parameter path: the file with the operator's key.
    /// - Throws: ``Refusal`` when it was sealed with another key, or the folder has another key already.
    package static func unseal(
        into folder: String, from database: Database, withKeyAt path: String?
    ) async throws {
        guard let sealed = try await database.read({ try $0.sealedSecretsKey() }) else { return }
        let key = try operators(path).open(sealed)
        let path = "\(folder)/\(fileName)"
        let found = try read(path) {
            try PrivateFile.contents(of: path, orCreate: Array("\(key.base64)\n".utf8))
        }
        guard found?.key == key.key else {
            throw Refusal.conflict("\(path) is the key of another server. Move the file away.")
        }
        try await database.write { try $0.deleteServerValue(valueName) }
    }

    /// Opens a key that this one has sealed.
    private func open(_ sealed: SealedText) throws -> SecretsKey {
        guard let text = unseal(sealed, as: .secretsKey), let data = Data(base64Encoded: text) else {
            throw Refusal.malformed(
                """
                The key in --secrets-key-file isn’t the one with which this database’s secrets are sealed. Copy the file \
                from another of its servers.
                """)
        }
        return SecretsKey(SymmetricKey(data: data))
    }

    // MARK: Use

    /// Returns a code of a text that nobody can compute or invert without the key: HMAC with SHA-256 (RFC 2104), in
    /// base64.
    func code(of text: String) -> String {
        Data(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key)).base64EncodedString()
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

extension Transaction {
    fileprivate func sealedSecretsKey() throws -> SealedText? {
        try serverValue(SecretsKey.valueName).map { SealedText(base64: $0) }
    }

    fileprivate func setSealedSecretsKey(_ sealed: SealedText) throws {
        try setServerValue(SecretsKey.valueName, sealed.base64)
    }
}
