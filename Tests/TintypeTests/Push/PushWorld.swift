import Crypto
import Foundation
import NIOCore
import Storage
import Synchronization
import Testing

@testable import Core
@testable import People
@testable import Tintype

/// A device that subscribes and decrypts what arrives, by its own reading of RFC 8291 and of its draft 4.
struct TestDevice: Sendable {
    let key = P256.KeyAgreement.PrivateKey()
    let secret = SymmetricKey(size: .bits128).withUnsafeBytes { Data($0) }

    var p256dh: String { base64URL(key.publicKey.x963Representation) }
    var auth: String { base64URL(secret) }

    /// Decrypts a push.
    func open(_ push: PushServer.Push) throws -> JSON { JSON(Array(try text(push))) }

    private func text(_ push: PushServer.Push) throws -> Data {
        let body = Data(push.body)
        if push.headers["content-encoding"] == "aes128gcm" {
            let length = Int(body[20])
            let sender = body[21..<(21 + length)]
            let input = try derive(
                shared(with: sender), secret,
                Data("WebPush: info\0".utf8) + key.publicKey.x963Representation + sender, 32)
            let record = try decrypt(
                body[(21 + length)...], input, salt: body[..<16], "aes128gcm", Data([0]))
            return record[..<(try #require(record.lastIndex(of: 2)))]
        }
        try #require(push.headers["content-encoding"] == "aesgcm")
        let salt = try value("salt", of: push.headers["encryption"])
        let sender = try value("dh", of: push.headers["crypto-key"])
        let input = try derive(shared(with: sender), secret, Data("Content-Encoding: auth\0".utf8), 32)
        let context =
            Data("\0P-256\0\0\u{41}".utf8) + key.publicKey.x963Representation + Data([0, 65]) + sender
        let record = try decrypt(body, input, salt: salt, "aesgcm", context)
        return record.dropFirst(2)
    }

    private func value(_ name: String, of header: String?) throws -> Data {
        let parts = (header ?? "").split(separator: ";").map { $0.split(separator: "=", maxSplits: 1) }
        let part = try #require(parts.first { $0.first?.trimmingCharacters(in: .whitespaces) == name })
        return try #require(Data(base64URL: String(part[1])))
    }

    private func shared(with sender: Data) throws -> SymmetricKey {
        try key.sharedSecretFromKeyAgreement(with: .init(x963Representation: sender))
            .withUnsafeBytes { SymmetricKey(data: $0) }
    }

    private func derive(_ input: SymmetricKey, _ salt: Data, _ info: Data, _ count: Int) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(inputKeyMaterial: input, salt: salt, info: info, outputByteCount: count)
    }

    private func decrypt(
        _ sealed: Data, _ input: SymmetricKey, salt: Data, _ coding: String, _ end: Data
    ) throws -> Data {
        let key = derive(input, salt, Data("Content-Encoding: \(coding)".utf8) + end, 16)
        let nonce = derive(input, salt, Data("Content-Encoding: nonce".utf8) + end, 12)
            .withUnsafeBytes { Data($0) }
        return try AES.GCM.open(.init(combined: nonce + sealed), using: key)
    }
}

/// A push service on loopback, which answers as a test wants.
final class PushServer: Sendable {
    /// One push.
    struct Push: Sendable {
        var path: String
        /// Headers by their names in lower case.
        var headers: [String: String]
        var body: [UInt8]
    }

    /// What a push is answered with.
    enum Reply: Sendable {
        case status(Int, headers: [(String, String)] = [])
        /// The connection ends without an answer.
        case silence
    }

    private struct State {
        var port = 0
        var pushes: [Push] = []
        var waiters: [(count: Int, answer: CheckedContinuation<Void, Never>)] = []
        var tasks: [Task<Void, Never>] = []
        var answer: @Sendable (Push) async -> Reply = { _ in .status(201) }
    }

    private let host: String
    private let state = Mutex(State())

    private init(host: String) { self.host = host }

    var url: String { "http://\(host):\(state.withLock { $0.port })" }
    /// The pushes so far.
    var pushes: [Push] { state.withLock { $0.pushes } }

    /// Answers pushes in a certain way from now on.
    func answer(_ answer: @escaping @Sendable (Push) async -> Reply) {
        state.withLock { $0.answer = answer }
    }

    /// Returns once so many pushes have come.
    func has(_ count: Int) async {
        await withCheckedContinuation { answer in
            let isThere = state.withLock { state in
                if state.pushes.count < count { state.waiters.append((count, answer)) }
                return state.pushes.count >= count
            }
            if isThere { answer.resume() }
        }
    }

    /// Runs a server while the closure does.
    static func with<Value: Sendable>(
        host: String = "127.0.0.1", _ body: @escaping @Sendable (PushServer) async throws -> Value
    ) async throws -> Value {
        let server = PushServer(host: host)
        return try await LoopbackListener.run(host: host, handler: { Reader(server: server) }) { port in
            server.state.withLock { $0.port = port }
            defer { for task in server.state.withLock({ $0.tasks }) { task.cancel() } }
            return try await body(server)
        }
    }

    /// Runs a server while the closure does, with two friends of whom the first has a device there.
    static func withFriends(
        _ body: @escaping @Sendable (PushServer, World, Person, Person, TestDevice) async throws -> Void
    ) async throws {
        try await with { server in
            let world = try await World.outward()
            let people = try await world.friends("ana", "ben")
            let device = try await people[0].device(on: server)
            try await body(server, world, people[0], people[1], device)
        }
    }

    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let server: PushServer
        private var received: [UInt8] = []

        init(server: PushServer) { self.server = server }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            received += Array(unwrapInboundIn(data).readableBytesView)
            guard let push = PushServer.push(received) else { return }
            received = []
            let (server, channel) = (server, context.channel)
            let task = Task { await server.serve(push, channel) }
            server.state.withLock { $0.tasks.append(task) }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    private func serve(_ push: Push, _ channel: any Channel) async {
        let (answer, waiters) = state.withLock { state in
            state.pushes.append(push)
            let waiters = state.waiters.filter { $0.count <= state.pushes.count }
            state.waiters.removeAll { $0.count <= state.pushes.count }
            return (state.answer, waiters)
        }
        for waiter in waiters { waiter.answer.resume() }
        if case .status(let status, let headers) = await answer(push) {
            var head = "HTTP/1.1 \(status) Whatever\r\nContent-Length: 0\r\nConnection: close\r\n"
            for (name, value) in headers { head += "\(name): \(value)\r\n" }
            try? await channel.writeAndFlush(ByteBuffer(string: head + "\r\n"))
        }
        channel.close(promise: nil)
    }

    private static func push(_ bytes: [UInt8]) -> Push? {
        guard let end = Data(bytes).range(of: Data("\r\n\r\n".utf8))?.upperBound else { return nil }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).components(separatedBy: "\r\n")
        let headers = Dictionary(
            lines.dropFirst().compactMap { line -> (String, String)? in
                let parts = line.split(separator: ":", maxSplits: 1)
                guard parts.count == 2 else { return nil }
                return (parts[0].lowercased(), parts[1].trimmingCharacters(in: .whitespaces))
            }
        ) { $1 }
        let length = Int(headers["content-length"] ?? "0") ?? 0
        guard bytes.count >= end + length else { return nil }
        let path = lines[0].split(separator: " ")[1]
        return Push(path: String(path), headers: headers, body: Array(bytes[end..<(end + length)]))
    }
}

extension Person {
    /// What a device sends to subscribe.
    func subscribe(
        _ device: TestDevice, at endpoint: String, _ more: [String: JSON] = [:]
    ) async throws -> Answer {
        let subscription: JSON = [
            "endpoint": .text(endpoint), "standard": true,
            "keys": ["p256dh": .text(device.p256dh), "auth": .text(device.auth)],
        ]
        return try await post(
            "/api/v1/push/subscription", json: .object(["subscription": subscription].merging(more) { $1 }))
    }

    /// Subscribes a new device in this log-in.
    func device(on server: PushServer, path: String = "/device") async throws -> TestDevice {
        let device = TestDevice()
        let answer = try await subscribe(device, at: server.url + path)
        try #require(answer.status == 200, "a subscription was refused: \(answer.text)")
        return device
    }
}

extension World {
    /// Changes somebody's preferences for notifications.
    func prefer(
        of person: Person, _ change: @escaping @Sendable (inout NotificationPreferences) -> Void
    ) async throws {
        try await tintype.database.write { transaction in
            let store = NotificationPreferencesStore(transaction)
            var preferences = try store.preferences(of: person.id)
            change(&preferences)
            try store.set(preferences, of: person.id)
        }
    }
}
