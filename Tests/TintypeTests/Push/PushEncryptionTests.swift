import Crypto
import Foundation
import Testing

@testable import Core
@testable import People

@Suite("The encryption of announcements")
struct PushEncryptionTests {
    private static func bytes(_ text: String) throws -> Data { try #require(Data(base64URL: text)) }

    @Test("Is that of the example of RFC 8291, byte for byte")
    func example() throws {
        // RFC 8291, 5 and Appendix A.
        let receiver = try #require(
            PushReceiver(
                p256dh:
                    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
                auth: "BTBZMqHH6r4Tts7J_aSIgg"))
        let sender = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: Self.bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
        let sealed = try PushEncryption.seal(
            Array("When I grow up, I want to be a watermelon".utf8), for: receiver, as: .aes128gcm,
            sender: sender, salt: Self.bytes("DGv6ra1nlYgDCS1FRnbzlw"))
        #expect(
            base64URL(Data(sealed.body))
                == """
                DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml\
                mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT\
                pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN
                """)
    }

    @Test("Is read by its receiver alone, in both forms", arguments: ["aes128gcm", "aesgcm"])
    func receiver(coding: String) throws {
        let device = TestDevice()
        let receiver = try #require(PushReceiver(p256dh: device.p256dh, auth: device.auth))
        let form = try #require(PushEncryption.Coding(rawValue: coding))
        for text in [#"{"title":"lena"}"#, "{\"title\":\"\(String(repeating: "ä", count: 1_490))\"}"] {
            let sealed = try PushEncryption.seal(Array(text.utf8), for: receiver, as: form)
            let push = PushServer.Push(
                path: "/",
                headers: [
                    "content-encoding": coding, "encryption": "salt=\(base64URL(sealed.salt))",
                    "crypto-key": "dh=\(base64URL(sealed.senderKey));p256ecdsa=x",
                ], body: sealed.body)
            #expect(try device.open(push) == JSON(Array(text.utf8)))
            #expect(throws: (any Error).self) { try TestDevice().open(push) }
            // Each has a key and a salt of its own.
            #expect(try PushEncryption.seal(Array(text.utf8), for: receiver, as: form) != sealed)
        }
    }

    @Test("Takes only points of the curve, and secrets of 16 bytes")
    func keys() throws {
        let device = TestDevice()
        #expect(PushReceiver(p256dh: device.p256dh, auth: device.auth) != nil)
        // With padding, and in plain base64.
        let plain = device.key.publicKey.x963Representation.base64EncodedString()
        #expect(PushReceiver(p256dh: plain, auth: device.secret.base64EncodedString()) != nil)
        var offCurve = device.key.publicKey.x963Representation
        offCurve[64] ^= 1
        let compressed = device.key.publicKey.compressedRepresentation
        for key in [offCurve, compressed, Data(), Data(repeating: 4, count: 65), offCurve + [0]] {
            #expect(PushReceiver(p256dh: base64URL(key), auth: device.auth) == nil)
        }
        for length in [0, 15, 17, 32] {
            let secret = base64URL(Data(repeating: 7, count: length))
            #expect(PushReceiver(p256dh: device.p256dh, auth: secret) == nil)
        }
        #expect(PushReceiver(p256dh: "not base64!", auth: device.auth) == nil)
    }

    @Test("A push service can check who sends, for twelve hours and for itself alone")
    func identity() throws {
        let key = P256.Signing.PrivateKey()
        let identity = PushIdentity(key: key, contact: "https://photos.example.org")
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        let token = try identity.token(for: "https://push.example.net", at: now)
        let parts = token.split(separator: ".").map(String.init)
        try #require(parts.count == 3)
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: Self.bytes(parts[2]))
        #expect(key.publicKey.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8)))
        #expect(JSON(Array(try Self.bytes(parts[0]))) == ["typ": "JWT", "alg": "ES256"])
        let claims = JSON(Array(try Self.bytes(parts[1])))
        #expect(claims["aud"] == "https://push.example.net" && claims["sub"] == "https://photos.example.org")
        #expect(claims["exp"] == .number(1_790_000_000 + 12 * 3600))
        // The token is used again until its last hour.
        #expect(try identity.token(for: "https://push.example.net", at: now + 10 * 3600) == token)
        #expect(try identity.token(for: "https://push.example.net", at: now + 11.5 * 3600) != token)
        #expect(try identity.token(for: "https://other.example.net", at: now) != token)
    }

    @Test("Lets a few jobs of one person wait for a place, and sends the others away at once")
    func waiting() async throws {
        let clock = TestClock()
        let gate = PushGate { clock.now }
        for _ in 1...PushGate.perPerson { #expect(await gate.enter("fast", 20) == .admitted) }
        let pauses = await withTaskGroup(of: TimeInterval?.self) { group in
            for _ in 1...20 {
                group.addTask {
                    guard case .later(let date) = await gate.enter("fast", 20) else { return nil }
                    return date.timeIntervalSince(clock.now)
                }
            }
            return await group.reduce(into: [TimeInterval?]()) { $0.append($1) }
        }.compactMap(\.self)
        #expect(pauses.count == 20)
        #expect(pauses.filter { $0 <= 5 }.count >= 12 && pauses.contains { $0 > 5 })
        // Nobody waits any more, and what is given back is taken.
        gate.leave("fast", 20, .answered)
        #expect(await gate.enter("fast", 20) == .admitted)
    }

    @Test("Pauses for a push service that is silent, and lets it have one request until it answers")
    func gate() async throws {
        let clock = TestClock()
        let gate = PushGate { clock.now }
        for person in 1...16 {
            #expect(await gate.enter("slow", Int64(person)) == .admitted)
        }
        // The seventeenth finds no place, and another host has some.
        guard case .later = await gate.enter("slow", 17) else {
            Issue.record("more than 16 requests to one host")
            return
        }
        for _ in 1...4 { #expect(await gate.enter("fast", 20) == .admitted) }
        guard case .later = await gate.enter("fast", 20) else {
            Issue.record("more than four requests for one person")
            return
        }
        for person in 1...16 { gate.leave("slow", Int64(person), .silent) }
        guard case .later(let end) = await gate.enter("slow", 1) else {
            Issue.record("no pause after a silence")
            return
        }
        #expect(end.timeIntervalSince(clock.now) >= 5 && end.timeIntervalSince(clock.now) <= 15)
        clock.advance(seconds: 6)
        #expect(await gate.enter("slow", 1) == .admitted)
        guard case .later = await gate.enter("slow", 2) else {
            Issue.record("a second request before the answer to the first")
            return
        }
        gate.leave("slow", 1, .answered)
        for person in 1...16 { #expect(await gate.enter("slow", Int64(person)) == .admitted) }
        gate.leave("slow", 1, .paused(until: clock.now.addingTimeInterval(60)))
        clock.advance(seconds: 59)
        guard case .later = await gate.enter("slow", 1) else {
            Issue.record("a request in a pause")
            return
        }
        clock.advance(seconds: 2)
        #expect(await gate.enter("slow", 1) == .admitted)
    }
}
