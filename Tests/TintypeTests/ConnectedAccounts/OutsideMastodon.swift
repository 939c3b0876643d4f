import Crypto
import Foundation
import NIOCore
import Synchronization
import Testing

@testable import Core

/// A server on loopback that speaks Mastodon's OAuth and publishes posts for one account, as badly as a test wants. It
/// counts what was published.
///
/// ```swift
/// try await OutsideMastodon.with { server in
///     server.misbehave = { $0.creates ? .lostAnswer : nil }
///     …
///     #expect(server.posts.count == 1)
/// }
/// ```
final class OutsideMastodon: Sendable {
    /// One request.
    struct Call: Sendable {
        var method: String
        var path: String
        /// The parameters of query and form.
        var parameters: [String: String]
        var headers: [String: String]
        var body: [UInt8]

        var token: String? {
            headers["authorization"].flatMap { $0.hasPrefix("Bearer ") ? String($0.dropFirst(7)) : nil }
        }
        /// Whether it creates a post.
        var creates: Bool { method == "POST" && path == "/api/v1/statuses" }
        /// Whether it uploads a picture.
        var uploads: Bool { path == "/api/v2/media" }
        /// Whether it asks for an upload.
        var checks: Bool { path.hasPrefix("/api/v1/media/") }
        /// Whether it lists posts.
        var lists: Bool { method == "GET" && path.hasSuffix("/statuses") }
    }

    /// How a request is treated badly.
    enum Fault: Sendable {
        /// The connection breaks, and nothing is done.
        case cutOff
        /// It is done, and the connection breaks before the answer.
        case lostAnswer
        /// Nothing is done but this answer.
        case answers(Int, retryAfter: String? = nil, String = "{\"error\":\"No.\"}")
        /// It is done, and the answer is this.
        case answersAfter(Int, String)
        /// It is done, and the answer never comes.
        case silence
        /// It is done, and the answer never ends.
        case endless
        /// Nothing is done, and the answer leads elsewhere.
        case redirects(String)
    }

    /// A post of the account.
    struct Status: Sendable, Equatable {
        var id: String
        var text: String
        var media: [String]
        var isOurs: Bool
    }

    private struct Media: Sendable {
        var polls: Int
        var isTaken = false
    }

    private struct Code: Sendable {
        var client: String
        var redirect: String
        var challenge: String
        var scope: String
    }

    private struct State {
        var port = 0
        var calls: [Call] = []
        var statuses: [Status] = []
        var media: [String: Media] = [:]
        var keys: [String: String] = [:]
        var clients: [String: String] = [:]
        var codes: [String: Code] = [:]
        var tokens: Set<String> = []
        var next = 109_000
        var posted = 0
        var fault: @Sendable (Call) -> Fault? = { _ in nil }
        var hasKeys = true
        var polls = 0
        var renumbersMedia = false
        var repeats: Int?
        var scope: String?
        var username = "ana"
    }

    private let address: String
    private let state = Mutex(State())

    private init(address: String) { self.address = address }

    var port: Int { state.withLock { $0.port } }
    var url: String { "http://\(host)" }
    var host: String { "\(address):\(port)" }
    var calls: [Call] { state.withLock { $0.calls } }
    /// The account's posts, newest first.
    var posts: [Status] { state.withLock { $0.statuses.reversed() } }
    /// How many posts were ever published for Tintype, those deleted since included.
    var publishedCount: Int { state.withLock { $0.posted } }
    /// The tokens that are good.
    var tokens: Set<String> { state.withLock { $0.tokens } }
    var registrations: Int { state.withLock { $0.clients.count } }

    /// Treats some requests badly.
    func misbehave(_ fault: @escaping @Sendable (Call) -> Fault?) { state.withLock { $0.fault = fault } }

    /// Treats the first such request badly.
    func misbehaveOnce(_ fault: @escaping @Sendable (Call) -> Fault?) {
        let isDone = Mutex(false)
        misbehave { call in
            guard let fault = fault(call) else { return nil }
            return isDone.withLock { isDone in
                defer { isDone = true }
                return isDone ? nil : fault
            }
        }
    }

    func behave() { misbehave { _ in nil } }
    /// Whether an `Idempotency-Key` is remembered.
    func remembersKeys(_ value: Bool) { state.withLock { $0.hasKeys = value } }
    /// How often uploads have to be asked for before they are ready.
    func takesPolls(_ count: Int) { state.withLock { $0.polls = count } }
    /// Keeps connections open, and sends every answer once more after some milliseconds. The server takes longer than that
    /// to answer, so that the next request on a connection meets the copy first.
    func repeatsAnswers(afterMilliseconds gap: Int) { state.withLock { $0.repeats = gap } }
    /// Whether attachments of posts have other ids than the uploads.
    func renumbersMedia(_ value: Bool) { state.withLock { $0.renumbersMedia = value } }
    /// The scopes that tokens get; by default those that were asked for.
    func grants(_ scope: String?) { state.withLock { $0.scope = scope } }
    func forgetMedia() { state.withLock { $0.media = [:] } }
    func forgetClients() { state.withLock { $0.clients = [:] } }
    func revokeTokens() { state.withLock { $0.tokens = [] } }
    func deletePosts() { state.withLock { $0.statuses = [] } }

    /// Publishes posts that have nothing to do with Tintype.
    func write(_ texts: [String], media: [String] = []) {
        state.withLock { state in
            for text in texts {
                state.next += 1
                state.statuses.append(
                    Status(id: "\(state.next)", text: text, media: media, isOurs: false))
            }
        }
    }

    /// What the person does in their browser: allows the access. Returns the path and query to which they are sent.
    func allow(_ url: String) throws -> String {
        let parts = try #require(URLComponents(string: url))
        let items = Dictionary((parts.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { $1 }
        try #require(parts.path == "/oauth/authorize")
        try #require(items["code_challenge_method"] == "S256" && items["response_type"] == "code")
        let code = UUID().uuidString
        let client = items["client_id"] ?? ""
        try #require(state.withLock { $0.clients[client] } != nil)
        let granted = Code(
            client: client, redirect: items["redirect_uri"] ?? "", challenge: items["code_challenge"] ?? "",
            scope: items["scope"] ?? "")
        state.withLock { $0.codes[code] = granted }
        let redirect = try #require(URLComponents(string: items["redirect_uri"] ?? ""))
        return "\(redirect.path)?code=\(code)&state=\(items["state"] ?? "")"
    }

    // MARK: Running

    /// Runs a server while the closure does.
    static func with<Value: Sendable>(
        address: String = "127.0.0.1", _ body: @escaping @Sendable (OutsideMastodon) async throws -> Value
    ) async throws -> Value {
        let server = OutsideMastodon(address: address)
        return try await LoopbackListener.run(host: address, handler: { Reader(server: server) }) { port in
            server.state.withLock { $0.port = port }
            return try await body(server)
        }
    }

    /// Gathers a request, and answers it on its event loop.
    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let server: OutsideMastodon
        private var received: [UInt8] = []

        init(server: OutsideMastodon) { self.server = server }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            received += Array(unwrapInboundIn(data).readableBytesView)
            guard let call = OutsideMastodon.call(received) else { return }
            received = []
            let (bytes, fault) = server.answer(call)
            let channel = context.channel
            if let gap = server.state.withLock({ $0.repeats }) {
                for time in [gap + 20, gap + 20 + gap] {
                    channel.eventLoop.scheduleTask(in: .milliseconds(Int64(time))) {
                        channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
                    }
                }
                return
            }
            let isWritten = channel.writeAndFlush(ByteBuffer(bytes: bytes))
            switch fault {
            case .silence?: return
            case .endless?: Self.write(channel)
            default: isWritten.whenComplete { _ in channel.close(promise: nil) }
            }
        }

        /// Writes for as long as anyone reads.
        private static func write(_ channel: any Channel) {
            let more = ByteBuffer(repeating: 0x20, count: 64 * 1024)
            channel.writeAndFlush(more).whenSuccess { write(channel) }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    private static func call(_ bytes: [UInt8]) -> Call? {
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
        let body = Array(bytes[end..<(end + length)])
        let words = lines[0].split(separator: " ").map(String.init)
        let target = URLComponents(string: words[1])
        var parameters = Dictionary((target?.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { $1 }
        if headers["content-type"] == "application/x-www-form-urlencoded" {
            var form = URLComponents()
            form.percentEncodedQuery = String(decoding: body, as: UTF8.self)
            for item in form.queryItems ?? [] { parameters[item.name] = item.value ?? "" }
        }
        return Call(
            method: words[0], path: target?.path ?? "", parameters: parameters, headers: headers, body: body)
    }

    // MARK: Answering

    /// Does what is asked for. Returns the bytes to send, none when the connection breaks.
    private func answer(_ call: Call) -> ([UInt8], Fault?) {
        let judge = state.withLock { state in
            state.calls.append(call)
            return state.fault
        }
        let fault = judge(call)
        switch fault {
        case .cutOff: return ([], fault)
        case .answers(let status, let wait, let text):
            return (Self.reply(status, text, headers: wait.map { [("Retry-After", $0)] } ?? []), fault)
        case .redirects(let location): return (Self.reply(302, "", headers: [("Location", location)]), fault)
        default: break
        }
        let (status, json) = state.withLock { Self.handle(call, &$0) }
        switch fault {
        case .lostAnswer, .silence: return ([], fault)
        case .answersAfter(let status, let text): return (Self.reply(status, text), fault)
        case .endless:
            let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{"
            return (Array(head.utf8), fault)
        default:
            let keepsOpen = state.withLock { $0.repeats != nil }
            return (Self.reply(status, json.text, keepsOpen: keepsOpen), fault)
        }
    }

    private static func reply(
        _ status: Int, _ text: String, headers: [(String, String)] = [], keepsOpen: Bool = false
    ) -> [UInt8] {
        var head = "HTTP/1.1 \(status) Whatever\r\nContent-Type: application/json\r\n"
        if !keepsOpen { head += "Connection: close\r\n" }
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        return Array("\(head)Content-Length: \(text.utf8.count)\r\n\r\n\(text)".utf8)
    }

    private static func handle(_ call: Call, _ state: inout State) -> (Int, JSON) {
        let parameters = call.parameters
        switch (call.method, call.path) {
        case ("POST", "/api/v1/apps"):
            let id = "client-\(state.clients.count + 1)"
            state.clients[id] = "secret of \(id)".replacing(" ", with: "-")
            return (
                200, ["id": "1", "client_id": .text(id), "client_secret": .text(state.clients[id] ?? "")]
            )
        case ("POST", "/oauth/token"): return token(parameters, &state)
        case ("POST", "/oauth/revoke"):
            guard state.clients[parameters["client_id"] ?? ""] == parameters["client_secret"] else {
                return (403, ["error": "unauthorized_client"])
            }
            state.tokens.remove(parameters["token"] ?? "")
            return (200, .object([:]))
        default: break
        }
        guard let token = call.token, state.tokens.contains(token) else {
            return (401, ["error": "The access token is invalid"])
        }
        switch (call.method, call.path) {
        case ("GET", "/api/v1/accounts/verify_credentials"):
            return (
                200,
                [
                    "id": "42", "username": .text(state.username), "acct": .text(state.username),
                    "url": .text("http://127.0.0.1:\(state.port)/@\(state.username)"),
                ]
            )
        case ("POST", "/api/v2/media"):
            state.next += 1
            let id = "\(state.next)"
            state.media[id] = Media(polls: state.polls)
            return (state.polls > 0 ? 202 : 200, media(id, state))
        case ("GET", let path) where path.hasPrefix("/api/v1/media/"):
            let id = String(path.dropFirst(14))
            guard let found = state.media[id], !found.isTaken else {
                return (404, ["error": "Record not found"])
            }
            if found.polls > 0 {
                state.media[id]?.polls -= 1
                return (206, media(id, state))
            }
            return (200, media(id, state))
        case ("POST", "/api/v1/statuses"): return create(call, &state)
        case ("GET", "/api/v1/accounts/42/statuses"):
            let limit = Int(parameters["limit"] ?? "") ?? 20
            let last = parameters["max_id"].flatMap { Int($0) } ?? .max
            let found = state.statuses.reversed().filter { Int($0.id) ?? 0 < last }.prefix(limit)
            return (200, .list(found.map { status($0, state) }))
        default: return (404, ["error": "Not found"])
        }
    }

    private static func token(_ parameters: [String: String], _ state: inout State) -> (Int, JSON) {
        guard let client = parameters["client_id"], let secret = state.clients[client],
            secret == parameters["client_secret"]
        else { return (401, ["error": "invalid_client"]) }
        guard let code = state.codes.removeValue(forKey: parameters["code"] ?? ""), code.client == client,
            code.redirect == parameters["redirect_uri"],
            base64URL(Data(SHA256.hash(data: Data((parameters["code_verifier"] ?? "").utf8))))
                == code.challenge
        else { return (400, ["error": "invalid_grant"]) }
        let token = UUID().uuidString
        state.tokens.insert(token)
        return (
            200,
            [
                "access_token": .text(token), "token_type": "Bearer",
                "scope": .text(state.scope ?? code.scope),
                "created_at": 1_790_000_000,
            ]
        )
    }

    private static func create(_ call: Call, _ state: inout State) -> (Int, JSON) {
        if state.hasKeys, let known = state.keys[call.headers["idempotency-key"] ?? ""],
            let found = state.statuses.first(where: { $0.id == known })
        {
            return (200, status(found, state))
        }
        let id = call.parameters["media_ids[]"] ?? ""
        guard let upload = state.media[id], !upload.isTaken, upload.polls == 0 else {
            return (422, ["error": "Validation failed: Media not found"])
        }
        guard call.parameters["visibility"] == "public" else { return (422, ["error": "visibility"]) }
        state.media[id]?.isTaken = true
        state.next += 1
        let post = Status(
            id: "\(state.next)", text: call.parameters["status"] ?? "", media: [id], isOurs: true)
        state.statuses.append(post)
        state.posted += 1
        if let key = call.headers["idempotency-key"] { state.keys[key] = post.id }
        return (200, status(post, state))
    }

    private static func media(_ id: String, _ state: State, renumbered: Bool = false) -> JSON {
        let isReady = state.media[id]?.polls == 0
        return [
            "id": .text(renumbered ? "9\(id)" : id), "type": "image",
            "url": isReady
                ? .text("http://127.0.0.1:\(state.port)/media/\(id).jpg?signature=\(state.next)") : .null,
        ]
    }

    private static func status(_ post: Status, _ state: State) -> JSON {
        [
            "id": .text(post.id),
            "url": .text("http://127.0.0.1:\(state.port)/@\(state.username)/\(post.id)"),
            "account": ["id": "42", "username": .text(state.username)],
            "content": .text("<p>\(post.text.replacing("&", with: "&amp;"))</p>"),
            "media_attachments": .list(post.media.map { media($0, state, renumbered: state.renumbersMedia) }),
        ]
    }
}

/// Answers to other requests than the one that gets them.
extension OutsideMastodon {
    /// A media attachment.
    static let upload = #"{"id":"999","type":"image","url":"https://other.example/999.jpg"}"#

    /// A post of an account.
    static func post(of account: String) -> String {
        #"{"id":"999","url":"https://other.example/@x/999","content":"<p>x</p>","account":{"id":"\#(account)"},"#
            + #""media_attachments":[\#(upload)]}"#
    }
}
