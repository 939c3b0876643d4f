import NIOCore
import NIOPosix

/// A server on a real port, talked to byte by byte.
struct LiveServer: Sendable {
    let port: Int

    /// Opens a connection, lets the closure use it, and closes it.
    ///
    /// - Parameter receiving: about how many bytes the kernel keeps for this side; by default as many as it likes.
    func connect<Value: Sendable>(
        receiving: Int? = nil, _ body: @escaping @Sendable (LiveConnection) async throws -> Value
    ) async throws -> Value {
        var bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        if let receiving {
            bootstrap = bootstrap.channelOption(
                ChannelOptions.socketOption(.so_rcvbuf), value: SocketOptionValue(receiving))
        }
        let channel =
            try await bootstrap
            .connect(host: "localhost", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await body(LiveConnection(inbound: inbound, outbound: outbound))
        }
    }

    /// Sends a form over a connection of its own; the beginning of the status line.
    func post(_ path: String, as person: Person, form: String = "") async throws -> String {
        try await connect { connection in
            let lines = [
                "POST \(path) HTTP/1.1", "Host: localhost", person.credentialLines.joined(separator: "\r\n"),
                "Content-Type: application/x-www-form-urlencoded", "Content-Length: \(form.utf8.count)",
                "", form,
            ]
            try await connection.write(lines.joined(separator: "\r\n"))
            return String(try await connection.read(until: "\r\n").prefix(12))
        }
    }
}

/// One connection to a ``LiveServer``.
struct LiveConnection: Sendable {
    let inbound: NIOAsyncChannelInboundStream<ByteBuffer>
    let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>

    func write(_ text: String) async throws {
        try await outbound.write(ByteBuffer(string: text))
    }

    func write(_ bytes: some Sequence<UInt8>) async throws {
        try await outbound.write(ByteBuffer(bytes: bytes))
    }

    /// Asks for a path with GET.
    ///
    /// - Parameter headers: further lines, without line ends.
    func get(_ path: String, as person: Person, headers: [String] = []) async throws {
        let lines = ["GET \(path) HTTP/1.1", "Host: localhost"] + person.credentialLines
        try await write((lines + headers + ["", ""]).joined(separator: "\r\n"))
    }

    /// Adds what came, without the lengths between the chunks of an answer (RFC 9112, 7.1): they stand in the middle of its
    /// lines.
    private func add(_ buffer: ByteBuffer, to received: inout String) {
        // A length, too, may come in parts.
        let last = received.suffix(10)
        let next = last + String(buffer: buffer)
        received.removeLast(last.count)
        received += next.replacing(/\r\n[0-9a-f]{1,8}\r\n/, with: "")
    }

    /// Reads until what came contains `text`; everything that came, also when the connection ended before.
    func read(until text: String) async throws -> String {
        var received = ""
        for try await buffer in inbound {
            add(buffer, to: &received)
            if received.contains(text) { break }
        }
        return received
    }

    /// Reads until what came contains `first`, lets something happen, and reads on to the end of the event that
    /// contains `last`: the network may bring an event in parts.
    ///
    /// - Returns: everything that came after `first`.
    func read(
        until first: String, then happens: () async throws -> Void, until last: String
    ) async throws -> String {
        var received = ""
        var hasHappened = false
        for try await buffer in inbound {
            add(buffer, to: &received)
            if !hasHappened, received.contains(first) {
                hasHappened = true
                received = ""
                try await happens()
            } else if hasHappened, let place = received.firstRange(of: last),
                received[place.upperBound...].contains("\n\n")
            {
                break
            }
        }
        return received
    }
}

extension Person {
    /// Listens to this person's events while something happens; all that came until `text`.
    func receives(until text: String, _ happens: @escaping @Sendable () async throws -> Void) async throws
        -> String
    {
        try await world.live { server in
            try await server.connect { stream in
                try await stream.get("/api/v1/events", as: self)
                return try await stream.read(until: "tintype.counts", then: happens, until: text)
            }
        }
    }
}
