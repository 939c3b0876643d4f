import Crypto
import Foundation
import Storage

/// Text that only this server can read, as it is stored: AES-GCM with nonce and tag (NIST SP 800-38D), in base64.
struct SealedText: Sendable, Equatable {
    let base64: String
}

/// The key with which secrets are encrypted before they go into the database. It is in a file of its own, so that the
/// database and its backups are worth nothing for logging in elsewhere.
struct SecretsKey: Sendable {
    /// What a secret is, and whose. A sealed text can be opened as nothing else, so that nobody who can write the database
    /// can swap secrets.
    enum Purpose: Sendable {
        case clientSecret(OutsideServer.ID)
        case verifier(Account.ID)
        case token(ConnectedAccount.ID)

        fileprivate var authenticated: Data {
            switch self {
            case .clientSecret(let id): Data("client secret \(id)".utf8)
            case .verifier(let id): Data("code verifier \(id)".utf8)
            case .token(let id): Data("access token \(id)".utf8)
            }
        }
    }

    /// The file's name in the data folder.
    static let fileName = "secrets.key"

    private let key: SymmetricKey

    init(_ key: SymmetricKey) { self.key = key }

    /// Reads the key of a data folder; makes it at the first start, readable by its owner only.
    ///
    /// - Throws: ``Refusal`` when the file can't be read or written, has something else in it, or may be read by others.
    static func load(in folder: String) throws -> SecretsKey {
        let path = "\(folder)/\(fileName)"
        if access(path, F_OK) != 0 { try create(path) }
        guard let mayOthersUse = FilePermissions.mayOthersUse(path),
            let data = FileManager.default.contents(atPath: path)
        else { throw failure("\(path) can’t be read") }
        guard !mayOthersUse else {
            throw Refusal.malformed("Others can read \(path). Run `chmod 600` on it.")
        }
        guard let key = Data(base64Encoded: String(decoding: data, as: UTF8.self).trimmed), key.count == 32
        else {
            throw Refusal.malformed("\(path) doesn’t hold a key. Restore it, or delete it for a new one.")
        }
        return SecretsKey(SymmetricKey(data: key))
    }

    /// Writes a new key beside its place, whole and durable, and then gives it its name, unless another process has.
    private static func create(_ path: String) throws {
        let fresh = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }.base64EncodedString() + "\n"
        let unfinished = "\(path).\(UUID().uuidString)"
        let descriptor = open(unfinished, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("\(unfinished) can’t be made") }
        defer { unlink(unfinished) }
        let bytes = Array(fresh.utf8)
        let isWritten = write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
        close(descriptor)
        guard isWritten else { throw failure("\(unfinished) can’t be written") }
        guard link(unfinished, path) == 0 || errno == EEXIST else { throw failure("\(path) can’t be made") }
        let folder = open(URL(filePath: path).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { throw failure("\(path) can’t be made durable") }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw failure("\(path) can’t be made durable") }
    }

    private static func failure(_ what: String) -> Refusal {
        Refusal(.unavailable(retryAfter: 60), "\(what): \(String(cString: strerror(errno))).")
    }

    /// Encrypts a secret.
    func seal(_ secret: String, as purpose: Purpose) throws -> SealedText {
        let box = try AES.GCM.seal(Data(secret.utf8), using: key, authenticating: purpose.authenticated)
        // Without a nonce of our own the box has one of 12 bytes, and so a combined form.
        guard let combined = box.combined else { throw CryptoKitError.incorrectParameterSize }
        return SealedText(base64: combined.base64EncodedString())
    }

    /// Decrypts a secret. Returns nil when it was encrypted with another key or for another purpose, or was changed.
    func unseal(_ sealed: SealedText, as purpose: Purpose) -> String? {
        guard let data = Data(base64Encoded: sealed.base64), let box = try? AES.GCM.SealedBox(combined: data),
            let secret = try? AES.GCM.open(box, using: key, authenticating: purpose.authenticated)
        else { return nil }
        return String(data: secret, encoding: .utf8)
    }
}
