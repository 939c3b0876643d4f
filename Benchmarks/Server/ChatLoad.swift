import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// People who write to each other, from outside of the server: one thread for all their connections, so that the
/// client takes as little as it can of the processors that it shares with the server.
struct ChatLoad {
    /// The people of a chat: one sends, others listen to their event streams.
    struct Room: Sendable {
        /// The values of session cookies.
        var sender: String
        var receivers: [String]
        /// The id of their chat.
        var chat: String
    }

    /// What a measurement found.
    struct Result: Sendable {
        /// Messages that were acknowledged.
        var acknowledged = 0
        /// Seconds from the moment before a message was sent to its arrival at the last receiver, ascending.
        var seconds: [Double] = []

        mutating func add(_ other: Self) {
            acknowledged += other.acknowledged
            seconds = (seconds + other.seconds).sorted()
        }

        /// A quantile in milliseconds.
        func milliseconds(_ quantile: Double) -> Double {
            guard !seconds.isEmpty else { return .nan }
            return seconds[min(seconds.count - 1, Int(Double(seconds.count) * quantile))] * 1000
        }
    }

    let port: Int
    let rooms: [Room]

    /// Reads chats as lines `SENDER RECEIVER… CHAT`.
    init(port: Int, lines: some Sequence<String>) {
        self.port = port
        rooms = lines.compactMap { line in
            let parts = line.split(separator: " ").map(String.init)
            guard parts.count > 2 else { return nil }
            return Room(
                sender: parts[0], receivers: Array(parts[1..<(parts.count - 1)]), chat: parts[parts.count - 1]
            )
        }
    }

    /// Lets people write for some time.
    ///
    /// - Parameters:
    ///   - rooms: the chats in which they write.
    ///   - lanes: over how many connections each sender sends at once.
    ///   - pause: how long each waits between an answer and its next message; nil for not at all.
    /// - Throws: when the server refuses anything or goes away.
    func measure(_ rooms: some Collection<Room>, lanes: Int = 1, pause: TimeAmount?, seconds: Int64)
        async throws -> Result
    {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        defer { group.shutdownGracefully { _ in } }
        let bootstrap = ClientBootstrap(group: group).channelOption(.tcpOption(.tcp_nodelay), value: 1)
        let ledger = Ledger()
        var listeners: [any Channel] = []
        for receiver in rooms.flatMap(\.receivers) {
            let ready = group.next().makePromise(of: Void.self)
            let request = Self.request("GET", "/api/v1/events", receiver)
            listeners.append(
                try await bootstrap.channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(
                            Listener(request: request, ready: ready, ledger: ledger))
                    }
                }.connect(host: "127.0.0.1", port: port).get())
            try await ready.futureResult.get()
        }
        let end = NIODeadline.now() + .seconds(seconds)
        var senders: [EventLoopFuture<Void>] = []
        for (index, room) in rooms.enumerated() {
            for lane in 0..<lanes {
                let done = group.next().makePromise(of: Void.self)
                senders.append(done.futureResult)
                let name = "m\(index)-\(lane)-"
                _ = try await bootstrap.channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(
                            Sender(room, name: name, pause: pause, end: end, ledger: ledger, done: done))
                    }
                }.connect(host: "127.0.0.1", port: port).get()
            }
        }
        for sender in senders { try await sender.get() }
        try await ledger.settle()
        for listener in listeners { try await listener.close() }
        return ledger.result
    }

    fileprivate static func request(_ method: String, _ path: String, _ token: String, body: String = "")
        -> ByteBuffer
    {
        ByteBuffer(
            string: """
                \(method) \(path) HTTP/1.1\r
                Host: localhost\r
                Cookie: tintype_session=\(token)\r
                Sec-Fetch-Site: same-origin\r
                Content-Type: application/json\r
                Content-Length: \(body.utf8.count)\r
                \r
                \(body)
                """)
    }
}

/// When each message left and how long it took.
private final class Ledger: Sendable {
    private struct State {
        /// By text, when a message was sent and how many haven't got it yet.
        var waiting: [String: (sentAt: NIODeadline, receivers: Int)] = [:]
        var result = ChatLoad.Result()
    }

    private let state = Mutex(State())

    func sent(_ text: String, to receivers: Int) {
        state.withLock { $0.waiting[text] = (.now(), receivers) }
    }

    func acknowledged() {
        state.withLock { $0.result.acknowledged += 1 }
    }

    func arrived(_ text: String) {
        let now = NIODeadline.now()
        state.withLock { state in
            guard var message = state.waiting[text] else { return }
            message.receivers -= 1
            state.waiting[text] = message.receivers > 0 ? message : nil
            if message.receivers == 0 {
                state.result.seconds.append(Double((now - message.sentAt).nanoseconds) / 1e9)
            }
        }
    }

    /// Waits until all that was sent has arrived, at most ten seconds.
    func settle() async throws {
        for _ in 0..<1000 where !state.withLock(\.waiting.isEmpty) {
            try await Task.sleep(for: .milliseconds(10))
        }
        let missing = state.withLock { $0.waiting.keys.sorted() }
        guard missing.isEmpty else {
            throw LoadError(
                "\(missing.count) messages did not arrive: \(missing.prefix(10).joined(separator: ", "))")
        }
    }

    var result: ChatLoad.Result {
        state.withLock { state in
            state.result.seconds.sort()
            return state.result
        }
    }
}

private struct LoadError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// One connection that sends, each message after the answer to the one before.
private final class Sender: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let room: ChatLoad.Room
    private let name: String
    private let pause: TimeAmount?
    private let end: NIODeadline
    private let ledger: Ledger
    private let done: EventLoopPromise<Void>
    private var number = 0
    private var answer = ByteBuffer()

    init(
        _ room: ChatLoad.Room, name: String, pause: TimeAmount?, end: NIODeadline, ledger: Ledger,
        done: EventLoopPromise<Void>
    ) {
        self.room = room
        self.name = name
        self.pause = pause
        self.end = end
        self.ledger = ledger
        self.done = done
    }

    func channelActive(context: ChannelHandlerContext) { send(context) }

    private func send(_ context: ChannelHandlerContext) {
        guard NIODeadline.now() < end else {
            done.succeed()
            context.close(promise: nil)
            return
        }
        number += 1
        let text = "\(name)\(number)"
        let request = ChatLoad.request(
            "POST", "/api/v1/chats/\(room.chat)/messages", room.sender, body: #"{"text":"\#(text)"}"#)
        ledger.sent(text, to: room.receivers.count)
        context.writeAndFlush(wrapOutboundOut(request), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        answer.writeBuffer(&bytes)
        guard let length = answer.lengthOfAnswer else { return }
        guard answer.readableBytesView.starts(with: "HTTP/1.1 201".utf8) else {
            done.fail(LoadError("a message was refused: \(String(buffer: answer).prefix(200))"))
            context.close(promise: nil)
            return
        }
        answer.moveReaderIndex(forwardBy: length)
        answer.discardReadBytes()
        ledger.acknowledged()
        guard let pause else { return send(context) }
        context.eventLoop.assumeIsolated().scheduleTask(in: pause) { self.send(context) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        done.fail(LoadError("the server closed a connection"))
    }
}

/// One event stream.
private final class Listener: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let request: ByteBuffer
    private let ready: EventLoopPromise<Void>
    private let ledger: Ledger
    private var unread = ByteBuffer()

    init(request: ByteBuffer, ready: EventLoopPromise<Void>, ledger: Ledger) {
        self.request = request
        self.ready = ready
        self.ledger = ledger
    }

    func channelActive(context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(request), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        unread.writeBuffer(&bytes)
        while let end = unread.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) {
            let line = unread.readableBytesView[..<end]
            if line.starts(with: "event: tintype.counts".utf8) { ready.succeed() }
            if let text = line.text { ledger.arrived(text) }
            unread.moveReaderIndex(to: end + 1)
        }
        unread.discardReadBytes()
    }

    func channelInactive(context: ChannelHandlerContext) {
        ready.fail(LoadError("the server closed a stream"))
    }
}

extension ByteBuffer {
    /// How many bytes the first HTTP answer has, by its `Content-Length`; nil while some are missing.
    fileprivate var lengthOfAnswer: Int? {
        let view = readableBytesView
        guard let head = view.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: view[..<head.lowerBound], as: UTF8.self).lowercased()
        guard let field = lines.split(separator: "\r\n").first(where: { $0.hasPrefix("content-length:") }),
            let length = Int(field.dropFirst(15).trimmingCharacters(in: .whitespaces))
        else { return nil }
        let total = view.distance(from: view.startIndex, to: head.upperBound) + length
        return view.count >= total ? total : nil
    }
}

extension ByteBufferView {
    /// The text of the message in a line of an event; nil in any other line.
    fileprivate var text: String? {
        guard starts(with: "data: {\"id\"".utf8) else { return nil }
        // The bytes themselves: to find it in the view took longer than the server takes for the event.
        return withUnsafeBytes { line -> String? in
            let member = Array(#""text":"m"#.utf8)
            let start = line.indices.first { line[$0] == member[0] && line[$0...].starts(with: member) }
            guard let start else { return nil }
            let text = line[(start + member.count - 1)...]
            return text.firstIndex(of: UInt8(ascii: "\"")).map {
                String(decoding: text[..<$0], as: UTF8.self)
            }
        }
    }
}
