import Core
import Crypto
import Foundation

/// The keys of the device to which an announcement is encrypted, as its browser or app made them.
struct PushReceiver: Sendable {
    /// The device's public key on the curve P-256.
    let publicKey: P256.KeyAgreement.PublicKey
    /// The secret of 16 bytes that only the device and this server know (RFC 8291, 3.2).
    let secret: Data

    static let secretLength = 16

    /// Reads both from base64url. Returns nil for a key that is no point of the curve, and for a secret of another
    /// length.
    init?(p256dh: String, auth: String) {
        guard let point = Self.key(p256dh), let secret = Self.secret(auth) else { return nil }
        self.init(publicKey: point, secret: secret)
    }

    init(publicKey: P256.KeyAgreement.PublicKey, secret: Data) {
        self.publicKey = publicKey
        self.secret = secret
    }

    /// Reads an uncompressed point of 65 bytes (SEC 1, 2.3.3). Returns nil for a point that isn't on the curve.
    static func key(_ text: String) -> P256.KeyAgreement.PublicKey? {
        guard let bytes = bytes(text), bytes.count == 65 else { return nil }
        return try? P256.KeyAgreement.PublicKey(x963Representation: bytes)
    }

    /// Reads a secret. Returns nil for one of another length.
    static func secret(_ text: String) -> Data? {
        bytes(text).flatMap { $0.count == secretLength ? $0 : nil }
    }

    /// Reads base64url. Some apps send the padding, or plain base64.
    private static func bytes(_ text: String) -> Data? {
        guard text.utf8.count <= 200 else { return nil }
        return Data(base64URL: text.replacing("=", with: ""))
    }

    var p256dh: String { base64URL(publicKey.x963Representation) }
    var auth: String { base64URL(secret) }
}

/// The encryption of announcements, so that no push service can read them.
enum PushEncryption {
    /// How an announcement is encrypted.
    enum Coding: String, Sendable {
        /// RFC 8291, which all push services and browsers know today.
        case aes128gcm
        /// Its fourth draft (draft-ietf-webpush-encryption-04), for which Mastodon's older apps are made.
        case aesgcm
    }

    /// An encrypted announcement.
    struct Sealed: Sendable, Equatable {
        let body: [UInt8]
        /// The random bytes from which the key of this announcement was derived.
        let salt: Data
        /// The public key that the server made for this announcement.
        let senderKey: Data
    }

    /// The most bytes of text that fit into one record of 4,096 bytes, whose end all push services accept (RFC 8291,
    /// 4).
    static let mostBytes = 3_993
    private static let recordSize: UInt32 = 4_096

    /// Encrypts an announcement.
    ///
    /// - Parameters:
    ///   - sender: a key that is used for this announcement alone.
    ///   - salt: 16 random bytes.
    /// - Throws: `CryptoKitError`, also for a text that is too long (``mostBytes``).
    static func seal(
        _ text: [UInt8], for receiver: PushReceiver, as coding: Coding,
        sender: P256.KeyAgreement.PrivateKey = .init(),
        salt: Data = SymmetricKey(size: .bits128).withUnsafeBytes { Data($0) }
    ) throws -> Sealed {
        guard text.count <= mostBytes else { throw CryptoKitError.incorrectParameterSize }
        let senderKey = sender.publicKey.x963Representation
        let shared = try sender.sharedSecretFromKeyAgreement(with: receiver.publicKey)
            .withUnsafeBytes { SymmetricKey(data: $0) }
        let body: [UInt8]
        switch coding {
        case .aes128gcm:
            let key = derive(
                from: shared, receiver.secret,
                Data("WebPush: info\0".utf8) + receiver.publicKey.x963Representation + senderKey, 32)
            let sealed = try encrypt(text + [2], key, salt, context: Data(), coding)
            var size = recordSize.bigEndian
            // The header of RFC 8188, 2.1: the salt, the size of a record, the sender's key with its length.
            let header = salt + Data(bytes: &size, count: 4) + [UInt8(senderKey.count)] + senderKey
            body = Array(header) + sealed
        case .aesgcm:
            let key = derive(from: shared, receiver.secret, Data("Content-Encoding: auth\0".utf8), 32)
            let receiverKey = receiver.publicKey.x963Representation
            let context =
                Data("P-256\0".utf8) + [0, UInt8(receiverKey.count)] + receiverKey
                + [0, UInt8(senderKey.count)] + senderKey
            // The text follows the length of its padding, which is 0.
            body = try encrypt([0, 0] + text, key, salt, context: Data([0]) + context, coding)
        }
        return Sealed(body: body, salt: salt, senderKey: senderKey)
    }

    /// Encrypts the only record of a message (RFC 8188, 2.2 and 2.3).
    private static func encrypt(
        _ record: [UInt8], _ input: SymmetricKey, _ salt: Data, context: Data, _ coding: Coding
    ) throws -> [UInt8] {
        // RFC 8188 ends the name with a zero byte; the draft begins the context with it.
        let end = coding == .aes128gcm ? Data([0]) : context
        let key = derive(from: input, salt, Data("Content-Encoding: \(coding.rawValue)".utf8) + end, 16)
        let nonce = derive(from: input, salt, Data("Content-Encoding: nonce".utf8) + end, 12)
        let box = try AES.GCM.seal(
            record, using: key, nonce: nonce.withUnsafeBytes { try AES.GCM.Nonce(data: Data($0)) })
        return Array(box.ciphertext + box.tag)
    }

    private static func derive(
        from input: SymmetricKey, _ salt: Data, _ info: Data, _ count: Int
    ) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(inputKeyMaterial: input, salt: salt, info: info, outputByteCount: count)
    }
}
