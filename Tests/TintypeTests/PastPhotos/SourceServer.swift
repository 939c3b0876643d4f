import Foundation
import NIOCore
import Synchronization
import Testing

/// A server on loopback that answers as a source of photos does, or as badly as a test wants.
///
/// ```swift
/// try await SourceServer.with({ call in .json(…) }) { server in
///     … http.get("\(server.url)/flickr") …
/// }
/// ```
final class SourceServer: Sendable {
    /// One request.
    struct Call: Sendable {
        /// The path without the query.
        var path: String
        /// The query's parameters.
        var parameters: [String: String]
        /// Headers by their names in lower case.
        var headers: [String: String]
        /// How many requests came before.
        var number: Int
    }

    /// One answer.
    struct Reply: Sendable {
        /// What comes after the body's bytes.
        enum Ending: Sendable {
            /// The connection is closed, and the length was true.
            case whole
            /// The connection is closed before the length that the header names.
            case cutOff
            /// Further bytes for as long as anyone reads.
            case endless
            /// Nothing, and the connection stays.
            case silence
            /// The whole answer once more after some milliseconds, on a connection that stays for further requests.
            case again(milliseconds: Int)
        }

        var status = 200
        var headers: [(String, String)] = []
        var body: [UInt8] = []
        var type = "application/json"
        /// The length that the header names; nil for the body's own.
        var length: Int?
        var ending = Ending.whole

        static func json(_ json: JSON) -> Reply { Reply(body: Array(json.text.utf8)) }
        static func text(_ text: String, status: Int = 200) -> Reply {
            Reply(status: status, body: Array(text.utf8))
        }
        static func picture(_ bytes: [UInt8], type: String = "image/jpeg") -> Reply {
            Reply(body: bytes, type: type)
        }
        static func error(_ status: Int, retryAfter: String? = nil) -> Reply {
            Reply(status: status, headers: retryAfter.map { [("Retry-After", $0)] } ?? [])
        }
        static func redirect(_ location: String, status: Int = 302) -> Reply {
            Reply(status: status, headers: [("Location", location)])
        }
    }

    private struct State {
        var port = 0
        var calls: [Call] = []
        var waiting: [(path: String?, answer: CheckedContinuation<Void, Never>)] = []
        var open = 0
        var mostOpen = 0
        var tasks: [Task<Void, Never>] = []
    }

    private let answer: @Sendable (Call) async throws -> Reply
    private let state = Mutex(State())

    var port: Int { state.withLock { $0.port } }

    var url: String { "http://127.0.0.1:\(port)" }
    /// The requests so far.
    var calls: [Call] { state.withLock { $0.calls } }
    /// The most requests that were answered at the same time.
    var mostOpen: Int { state.withLock { $0.mostOpen } }

    /// Returns once a request has come.
    ///
    /// - Parameter path: the path of the request; nil for any.
    func isAsked(for path: String? = nil) async {
        await withCheckedContinuation { answer in
            let isThere = state.withLock { state in
                let isThere = state.calls.contains { path == nil || $0.path == path }
                if !isThere { state.waiting.append((path, answer)) }
                return isThere
            }
            if isThere { answer.resume() }
        }
    }

    private init(answer: @escaping @Sendable (Call) async throws -> Reply) { self.answer = answer }

    /// Runs a server while the closure does.
    ///
    /// - Parameter host: the address that it listens on.
    static func with<Value: Sendable>(
        _ answer: @escaping @Sendable (Call) async throws -> Reply, host: String = "127.0.0.1",
        _ body: @escaping @Sendable (SourceServer) async throws -> Value
    ) async throws -> Value {
        let server = SourceServer(answer: answer)
        return try await LoopbackListener.run(host: host, handler: { HeadReader(server: server) }) { port in
            server.state.withLock { $0.port = port }
            defer { for task in server.state.withLock({ $0.tasks }) { task.cancel() } }
            return try await body(server)
        }
    }

    /// Reads the head of a request, and has it answered.
    private final class HeadReader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let server: SourceServer
        private var received = ""

        init(server: SourceServer) { self.server = server }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            received += String(buffer: unwrapInboundIn(data))
            guard let end = received.range(of: "\r\n\r\n")?.upperBound else { return }
            let (server, channel, head) = (server, context.channel, String(received[..<end]))
            received.removeSubrange(..<end)
            let task = Task { await server.serve(head, channel) }
            server.state.withLock { $0.tasks.append(task) }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    /// Answers a request. What breaks on the way is the test's intent, or seen by the one who asks.
    private func serve(_ head: String, _ channel: any Channel) async {
        let (call, waiting) = state.withLock { state in
            let call = Self.call(head, number: state.calls.count)
            state.calls.append(call)
            state.open += 1
            state.mostOpen = max(state.mostOpen, state.open)
            let waiting = state.waiting.filter { $0.path == nil || $0.path == call.path }
            state.waiting.removeAll { $0.path == nil || $0.path == call.path }
            return (call, waiting)
        }
        for one in waiting { one.answer.resume() }
        do {
            let reply = try await answer(call)
            state.withLock { $0.open -= 1 }
            try await write(reply, to: channel)
        } catch {
            channel.close(promise: nil)
        }
    }

    private func write(_ reply: Reply, to channel: any Channel) async throws {
        var head = "HTTP/1.1 \(reply.status) Whatever\r\nContent-Type: \(reply.type)\r\n"
        if case .again = reply.ending {} else { head += "Connection: close\r\n" }
        for (name, value) in reply.headers { head += "\(name): \(value)\r\n" }
        let length: Int? =
            switch reply.ending {
            case .whole, .again: reply.length ?? reply.body.count
            case .cutOff: reply.length ?? reply.body.count + 1_000
            case .silence: reply.length ?? 1_000_000
            case .endless: nil
            }
        if let length { head += "Content-Length: \(length)\r\n" }
        let whole = ByteBuffer(bytes: Array("\(head)\r\n".utf8) + reply.body)
        try await channel.writeAndFlush(whole)
        switch reply.ending {
        case .whole, .cutOff: try await channel.close()
        case .endless:
            let more = ByteBuffer(repeating: 0x20, count: 64 * 1024)
            while !Task.isCancelled { try await channel.writeAndFlush(more) }
        case .silence: return
        case .again(let milliseconds):
            try await Task.sleep(for: .milliseconds(milliseconds))
            try await channel.writeAndFlush(whole)
        }
    }

    private static func call(_ head: String, number: Int) -> Call {
        let lines = head.components(separatedBy: "\r\n")
        let target = lines[0].split(separator: " ").dropFirst().first.map(String.init) ?? "/"
        let parts = URLComponents(string: target)
        let parameters = (parts?.queryItems ?? []).map { ($0.name, $0.value ?? "") }
        let headers = lines.dropFirst().compactMap { line -> (String, String)? in
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            return (parts[0].lowercased(), parts[1].trimmingCharacters(in: .whitespaces))
        }
        return Call(
            path: parts?.path ?? "/", parameters: Dictionary(parameters) { $1 },
            headers: Dictionary(headers) { $1 }, number: number)
    }
}
