import Foundation
import NIOCore
import Testing

@testable import Tintype

/// The client's side of a WebSocket, byte by byte.
final class WebSocketClient {
    /// A frame of the server.
    enum Frame: Equatable {
        case text(String)
        case ping
        case pong(String)
        /// The end, with its code.
        case close(Int)
    }

    private let connection: LiveConnection
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private var received = ByteBuffer()
    private var hasSentClose = false
    /// The answer to the opening, up to the empty line.
    private(set) var head = ""

    /// Asks for a WebSocket.
    ///
    /// - Parameter headers: further lines, without line ends.
    init(
        _ connection: LiveConnection, path: String = "/api/v1/streaming", headers: [String] = []
    ) async throws {
        self.connection = connection
        inbound = connection.inbound.makeAsyncIterator()
        let lines = [
            "GET \(path) HTTP/1.1", "Host: localhost", "Connection: keep-alive, Upgrade",
            "Upgrade: websocket",
            // The key of RFC 6455, 1.3.
            "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        ]
        try await connection.write((lines + headers + ["", ""]).joined(separator: "\r\n"))
        while true {
            let view = received.readableBytesView
            if let end = String(decoding: view, as: UTF8.self).range(of: "\r\n\r\n") {
                let text = String(decoding: view, as: UTF8.self)
                head = String(text[..<end.lowerBound])
                received.moveReaderIndex(forwardBy: head.utf8.count + 4)
                return
            }
            guard try await readMore() else { return }
        }
    }

    /// The status of the answer to the opening.
    var status: Int { Int(head.dropFirst("HTTP/1.1 ".count).prefix(3)) ?? 0 }

    /// Sends a frame.
    ///
    /// - Parameters:
    ///   - first: the first byte: the bit of the last frame, and the kind.
    ///   - lengthBytes: in how many further bytes the length is: 0, 2 or 8; by default the fewest possible.
    func send(
        _ text: String, first: UInt8 = 0x81, isMasked: Bool = true, lengthBytes: Int? = nil
    ) async throws {
        if first == 0x88 { hasSentClose = true }
        let content = Array(text.utf8)
        var bytes = [first]
        let bit: UInt8 = isMasked ? 0x80 : 0
        let size = lengthBytes ?? (content.count < 126 ? 0 : content.count <= 0xFFFF ? 2 : 8)
        bytes.append(bit | (size == 0 ? UInt8(content.count) : size == 2 ? 126 : 127))
        bytes += (0..<size).reversed().map { UInt8(truncatingIfNeeded: content.count >> (8 * $0)) }
        let mask: [UInt8] = [7, 77, 177, 200]
        if isMasked { bytes += mask }
        bytes += content.enumerated().map { isMasked ? $0.element ^ mask[$0.offset % 4] : $0.element }
        try await connection.write(bytes)
    }

    /// Sends the head of a frame that says how long it is, and nothing of what it says.
    func sendHead(length: UInt64, first: UInt8 = 0x81) async throws {
        let bytes = (0..<8).reversed().map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
        try await connection.write([first, 0x80 | 127] + bytes + [7, 77, 177, 200])
    }

    /// Sends a message and waits until the server has read it. Returns the frames that came before the server said so.
    @discardableResult
    func say(_ text: String) async throws -> [Frame] {
        try await send(text)
        return try await catchUp()
    }

    /// Waits until the server has read all that was sent. Returns the frames that came before the server said so.
    @discardableResult
    func catchUp() async throws -> [Frame] {
        try await send("read?", first: 0x89)
        var frames: [Frame] = []
        while let frame = try await next() {
            if frame == .pong("read?") { break }
            frames.append(frame)
        }
        return frames
    }

    func subscribe(_ stream: String) async throws -> [Frame] {
        try await say("{\"type\":\"subscribe\",\"stream\":\"\(stream)\"}")
    }

    /// The next frame; nil at the end of the connection.
    func next() async throws -> Frame? {
        while true {
            if let frame = takeFrame() {
                // A closing frame is answered, unless it is an answer itself: the server has closed the connection then, and
                // would reset it. It may also have closed it for other reasons.
                if case .close = frame, !hasSentClose { try? await send("", first: 0x88) }
                return frame
            }
            guard try await readMore() else { return nil }
        }
    }

    /// The next text as JSON; anything else but pings fails.
    func text() async throws -> JSON {
        while let frame = try await next() {
            if case .text(let text) = frame { return JSON(Array(text.utf8)) }
            #expect(frame == .ping)
        }
        return .null
    }

    private func readMore() async throws -> Bool {
        guard let more = try await inbound.next() else { return false }
        received.writeImmutableBuffer(more)
        return true
    }

    private func takeFrame() -> Frame? {
        var rest = received
        guard let first = rest.readInteger(as: UInt8.self), let second = rest.readInteger(as: UInt8.self)
        else { return nil }
        // The server's frames are whole and have no mask.
        #expect(first & 0x80 != 0 && second & 0x80 == 0)
        var length = Int(second)
        if second == 126 {
            guard let long = rest.readInteger(as: UInt16.self) else { return nil }
            length = Int(long)
        } else if second == 127 {
            guard let long = rest.readInteger(as: UInt64.self) else { return nil }
            length = Int(long)
        }
        guard let content = rest.readSlice(length: length) else { return nil }
        received = rest
        let text = String(buffer: content)
        switch first & 0x0F {
        case 0x1: return .text(text)
        case 0x8:
            return .close(content.getInteger(at: content.readerIndex, as: UInt16.self).map(Int.init) ?? 0)
        case 0x9: return .ping
        case 0xA: return .pong(text)
        default:
            Issue.record("a frame of an unknown kind: \(first)")
            return nil
        }
    }
}

extension Person {
    /// Opens a WebSocket as this person while the closure runs.
    func webSocket<Value: Sendable>(
        _ path: String = "/api/v1/streaming", headers: [String]? = nil,
        _ body: @escaping @Sendable (WebSocketClient) async throws -> Value
    ) async throws -> Value {
        let headers = headers ?? credentialLines
        return try await world.live { server in
            try await server.connect { connection in
                try await body(try await WebSocketClient(connection, path: path, headers: headers))
            }
        }
    }
}
