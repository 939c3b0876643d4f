import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// A connection that has become a WebSocket (RFC 6455).
///
/// A WebSocket begins with a request like any other, with log-in, limits and log line. Then the answer's body is what
/// the server sends, frame by frame, as fast as the client reads, and ``WebSocketReader`` reads what the client sends.
package struct WebSocket: Sendable {
    /// Why a WebSocket ends (RFC 6455, 7.4.1).
    package enum End: UInt16, Sendable {
        /// The server stops.
        case goingAway = 1001
        case protocolError = 1002
        /// A message of a kind that the server doesn't read, such as a picture.
        case unsupported = 1003
        /// The log-in has ended, or the client sends too many requests.
        case policyViolation = 1008
        case tooLarge = 1009
    }

    /// What the server does with a connection besides sending messages.
    enum Command: Sendable {
        /// Some seconds have passed: the client is asked whether it is still there.
        case beat
        case end(End)
    }

    /// A function that reads a text of the client, and returns the answer to it, if any. It is called on the
    /// connection's event loop, so it must be quick.
    package typealias TextHandler = @Sendable (_ text: ByteBuffer) -> [UInt8]?

    /// The most bytes in one message of the client, and in one frame.
    static let messageBytes = 4_096
    /// The most frames of the client between two beats.
    static let framesPerBeat = 100
    /// The most beats in a row during which the client may be silent.
    static let silentBeats = 4
    /// How long the client may take to answer the closing frame. If the server closed the connection at once while
    /// bytes of the client were still unread, the connection would be reset, and the closing frame lost.
    static let goodbyeTime = TimeAmount.seconds(1)

    private let channel: any Channel

    /// Turns a connection into a WebSocket, with the next answer that is sent.
    ///
    /// - Returns: the WebSocket, and the answer's headers.
    /// - Throws: ``Refusal`` (400) when the request doesn't ask for a WebSocket as RFC 6455 requires.
    package static func accept(
        _ request: Request, on channel: any Channel, handleText: @escaping TextHandler
    ) async throws -> (socket: WebSocket, headers: HTTPFields) {
        guard request.method == .get, request.asksForWebSocket,
            let key = request.headers[.secWebSocketKey], Data(base64Encoded: key)?.count == 16
        else { throw Refusal.malformed("Open a WebSocket at this address.") }
        let isAdded = try await channel.eventLoop.submit {
            // Next to the network: what the client sends no longer reaches the decoder of requests, and the frames that
            // the reader sends don't pass through the encoder of answers, which would take them for parts of an answer.
            let pipeline = channel.pipeline.syncOperations
            guard let encoder = try? pipeline.handler(type: HTTPResponseEncoder.self) else { return false }
            try pipeline.addHandlers(
                [
                    ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: messageBytes)),
                    WebSocketReader(handleText: handleText),
                ], position: .before(encoder))
            return true
        }.get()
        // HTTP/2 has another way, which no app uses (RFC 8441).
        guard isAdded else { throw Refusal.malformed("A WebSocket begins with HTTP/1.1.") }
        var headers: HTTPFields = [
            .upgrade: "websocket", .connection: "Upgrade", .secWebSocketAccept: answer(to: key),
        ]
        headers[.secWebSocketProtocol] = request.webSocketProtocol
        return (WebSocket(channel: channel), headers)
    }

    /// Returns the proof that the server has read the opening request (RFC 6455, 4.2.2).
    private static func answer(to key: String) -> String {
        let text = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        return Data(Insecure.SHA1.hash(data: Data(text.utf8))).base64EncodedString()
    }

    /// Returns a message of the server as one frame. Servers don't mask frames (RFC 6455, 5.1).
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

    /// Asks the client whether it is still there, and ends the connection when it has been silent for too long.
    package func beat() { channel.triggerUserOutboundEvent(Command.beat, promise: nil) }

    /// Sends a closing frame and closes the connection. A second call has no effect.
    package func end(_ end: End) { channel.triggerUserOutboundEvent(Command.end(end), promise: nil) }
}

/// Reads a client's frames, answers pings, and ends the connection.
///
/// The reader is between the network and the handlers that read requests and write answers: the former receive nothing
/// any more, and the frames of an answer's body pass through the reader as bytes.
private final class WebSocketReader: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private let handleText: WebSocket.TextHandler
    /// The part of a text in several frames that has arrived.
    private var text: ByteBuffer?
    /// The number of frames since the last beat.
    private var framesCount = 0
    /// The number of beats since the last frame.
    private var silentBeats = 0
    private var hasEnded = false

    init(handleText: @escaping WebSocket.TextHandler) {
        self.handleText = handleText
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
        // A frame without a mask isn't from a client, and no extension was agreed on (RFC 6455, 5.1 and 5.2).
        guard frame.maskKey != nil, !frame.rsv1, !frame.rsv2, !frame.rsv3 else {
            return end(.protocolError, context)
        }
        let content = frame.unmaskedData
        switch frame.opcode {
        case .ping: send(.pong, Array(buffer: content), context)
        case .pong: break
        case .connectionClose:
            // The client's closing frame is returned unchanged.
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
        guard isLast, let answer = handleText(whole) else { return }
        send(.text, answer, context)
    }

    /// Writes data, or drops what comes after the closing frame.
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
        // Nothing is added to what waits for a client that doesn't read.
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

    /// The first protocol that the client of a WebSocket offers, which is the one agreed on.
    package var webSocketProtocol: String? {
        headers[.secWebSocketProtocol]?.split(separator: ",").first?.trimmed
    }
}
