import Crypto
import Foundation
import Testing

@testable import People

@Suite("The encryption of announcements beside another implementation")
struct PushComparisonTests {
    /// A message as http-ece of PyPI encrypts it (Tests/push/with_http_ece.py), with all keys.
    private struct Message: Decodable {
        let text, receiver, secret, sender, salt: Data
        let aes128gcm, aesgcm: Data
    }

    @Test("Fifty messages are encrypted to the bytes of http-ece, in both forms")
    func sameBytes() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../push/messages.json")
        let messages = try JSONDecoder().decode([Message].self, from: Data(contentsOf: file.standardized))
        #expect(messages.count == 50)
        for message in messages {
            let receiver = try PushReceiver(
                publicKey: P256.KeyAgreement.PublicKey(x963Representation: message.receiver),
                secret: message.secret)
            let sender = try P256.KeyAgreement.PrivateKey(rawRepresentation: message.sender)
            let theirs: [PushEncryption.Coding: Data] = [
                .aes128gcm: message.aes128gcm, .aesgcm: message.aesgcm,
            ]
            for (coding, expected) in theirs {
                let sealed = try PushEncryption.seal(
                    Array(message.text), for: receiver, as: coding, sender: sender, salt: message.salt)
                #expect(Data(sealed.body) == expected, "\(coding), \(message.text.count) bytes")
            }
        }
    }
}
