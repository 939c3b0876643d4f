import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// A connection that has become a WebSocket (RFC 6455).
///
/// Its opening is a request like any other, with log-in, limits and log line. From then on the answer's body is what the
/// server sends, frame by frame, at the pace at which the client reads, and ``WebSocketReader`` takes what the client
/// sends.
package struct WebSocket: Sendable {
    /// Why a WebSocket ends (RFC 6455, 7.4.1).
    package enum End: UInt16, Sendable {
        /// The server stops.
        case goingAway = 1001
        case protocolError = 1002
        /// A message of a kind that isn't read here, such as a picture.
        case unsupported = 1003
        /// The log-in has ended, or the client asks too much.
        case policyViolation = 1008
        case tooLarge = 1009
    }

    /// What the server does beside sending messages.
    enum Command: Sendable {
        /// Some seconds have passed: asks the client whether it is there.
        case beat
        case end(End)
    }

    /// Reads a text that the client has sent, and returns the answer to it, if any. It is called on the connection's event
    /// loop, and takes no time.
    package typealias Heed = @Sendable (_ text: ByteBuffer) -> [UInt8]?

    /// The most bytes of one message of the client, and of one frame.
    static let messageBytes = 4_096
    /// The most frames of the client between two beats.
    static let framesPerBeat = 100
    /// The most beats in a row without a sign of life from the client.
    static let silentBeats = 4
    /// How long the client may take to answer the server's goodbye. Closed at once, a connection on which something has
    /// come that nobody has read would be reset, and the goodbye lost.
    static let goodbyeTime = TimeAmount.seconds(1)

    private let channel: any Channel

    /// Lets a connection become a WebSocket, with the next answer that is sent.
    ///
    /// - Returns: the WebSocket, and the answer's headers.
    /// - Throws: ``Refusal`` (400) when the request doesn't ask for one as RFC 6455 says.
    package static func accept(
        _ request: Request, on channel: any Channel, heed: @escaping Heed
    ) async throws -> (socket: WebSocket, headers: HTTPFields) {
        guard request.method == .get, request.asksForWebSocket,
            let key = request.headers[.secWebSocketKey], Data(base64Encoded: key)?.count == 16
        else { throw Refusal.malformed("Open a WebSocket at this address.") }
        let isAdded = try await channel.eventLoop.submit {
            // Next to the network: what the client sends no longer reaches the decoder of requests, and the frames that
            // the reader sends don't pass through the encoder of answers, which would take them for parts of one.
            let pipeline = channel.pipeline.syncOperations
            guard let encoder = try? pipeline.handler(type: HTTPResponseEncoder.self) else { return false }
            try pipeline.addHandlers(
                [
                    ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: messageBytes)),
                    WebSocketReader(heed: heed),
                ], position: .before(encoder))
            return true
        }.get()
        // HTTP/2 has another way, which no app takes (RFC 8441).
        guard isAdded else { throw Refusal.malformed("A WebSocket begins with HTTP/1.1.") }
        var headers: HTTPFields = [
            .upgrade: "websocket", .connection: "Upgrade", .secWebSocketAccept: answer(to: key),
        ]
        headers[.secWebSocketProtocol] = request.webSocketProtocol
        return (WebSocket(channel: channel), headers)
    }

    /// Proves that the server has read the opening (RFC 6455, 4.2.2).
    private static func answer(to key: String) -> String {
        let text = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        return Data(Insecure.SHA1.hash(data: Data(text.utf8))).base64EncodedString()
    }

    /// A message of the server as one frame; servers mask nothing (RFC 6455, 5.1).
    package static func frame(_ content: [UInt8], _ opcode: WebSocketOpcode = .text) -> ByteBuffer {
        var frame = ByteBuffer()
        frame.reserveCapacity(content.count + 10)
        frame.writeInteger(0x80 | UInt8(webSocketOpcode: opcode))
        switch content.count {
        case ...125: frame.writeInteger(UInt8(content.count))
        case ...Int(UInt16.max):
            frame.writeInteger(UInt8(126))
            frame.writeInteger(UInt16(content.count))
        default:
            frame.writeInteger(UInt8(127))
            frame.writeInteger(UInt64(content.count))
        }
        frame.writeBytes(content)
        return frame
    }

    /// Asks the client whether it is there, and ends the connection when it has long been silent.
    package func beat() { channel.triggerUserOutboundEvent(Command.beat, promise: nil) }

    /// Says goodbye and closes the connection. A second end has no effect.
    package func end(_ end: End) { channel.triggerUserOutboundEvent(Command.end(end), promise: nil) }
}

/// Reads a client's frames, answers pings, and ends the connection.
///
/// It is between the network and what reads requests and writes answers: the one gets nothing any more, and the frames of
/// an answer's body pass the reader as bytes.
private final class WebSocketReader: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private let heed: WebSocket.Heed
    /// What has come of a text in several frames.
    private var text: ByteBuffer?
    /// Frames since the last beat.
    private var framesCount = 0
    /// Beats since the last frame.
    private var silentBeats = 0
    private var hasEnded = false

    init(heed: @escaping WebSocket.Heed) {
        self.heed = heed
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        guard !hasEnded else {
            if frame.opcode == .connectionClose { context.close(promise: nil) }
            return
        }
        framesCount += 1
        silentBeats = 0
        guard framesCount <= WebSocket.framesPerBeat else { return end(.policyViolation, context) }
        // Without a mask it isn't from a client, and no extension was agreed on (RFC 6455, 5.1 and 5.2).
        guard frame.maskKey != nil, !frame.rsv1, !frame.rsv2, !frame.rsv3 else {
            return end(.protocolError, context)
        }
        let content = frame.unmaskedData
        switch frame.opcode {
        case .ping: send(.pong, Array(buffer: content), context)
        case .pong: break
        case .connectionClose:
            // The goodbye is returned as it came.
            hasEnded = true
            send(.connectionClose, Array(content.readableBytesView.prefix(2)), context)
            context.close(promise: nil)
        case .text where text == nil: take(content, isLast: frame.fin, context)
        case .continuation where text != nil: take(content, isLast: frame.fin, context)
        case .binary: end(.unsupported, context)
        default: end(.protocolError, context)
        }
    }

    private func take(_ part: ByteBuffer, isLast: Bool, _ context: ChannelHandlerContext) {
        var whole = text ?? ByteBuffer()
        whole.writeImmutableBuffer(part)
        guard whole.readableBytes <= WebSocket.messageBytes else { return end(.tooLarge, context) }
        text = isLast ? nil : whole
        guard isLast, let answer = heed(whole) else { return }
        send(.text, answer, context)
    }

    /// After the goodbye comes nothing.
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !hasEnded else {
            promise?.succeed()
            return
        }
        context.write(data, promise: promise)
    }

    func triggerUserOutboundEvent(
        context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
    ) {
        switch event as? WebSocket.Command {
        case .beat where silentBeats >= WebSocket.silentBeats: end(.goingAway, context)
        case .beat:
            framesCount = 0
            silentBeats += 1
            send(.ping, [], context)
        case .end(let reason): end(reason, context)
        case nil: return context.triggerUserOutboundEvent(event, promise: promise)
        }
        promise?.succeed()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error as? NIOWebSocketError {
        case .invalidFrameLength: end(.tooLarge, context)
        case .some: end(.protocolError, context)
        case nil: context.fireErrorCaught(error)
        }
    }

    private func send(_ opcode: WebSocketOpcode, _ content: [UInt8], _ context: ChannelHandlerContext) {
        // What waits for a client that doesn't read isn't added to.
        guard context.channel.isWritable || opcode == .connectionClose else { return }
        context.writeAndFlush(
            wrapOutboundOut(.byteBuffer(WebSocket.frame(content, opcode))), promise: nil)
    }

    private func end(_ reason: WebSocket.End, _ context: ChannelHandlerContext) {
        guard !hasEnded else { return }
        hasEnded = true
        send(.connectionClose, withUnsafeBytes(of: reason.rawValue.bigEndian) { Array($0) }, context)
        let channel = context.channel
        _ = channel.eventLoop.scheduleTask(in: WebSocket.goodbyeTime) { channel.close(promise: nil) }
    }
}

extension Request {
    /// Whether the request asks for a WebSocket.
    package var asksForWebSocket: Bool {
        headers[.upgrade]?.lowercased().contains("websocket") == true
            && headers[.connection]?.lowercased().contains("upgrade") == true
    }

    /// The first protocol that a WebSocket's client offers, which is the one agreed on.
    package var webSocketProtocol: String? {
        headers[.secWebSocketProtocol]?.split(separator: ",").first?.trimmed
    }
}
