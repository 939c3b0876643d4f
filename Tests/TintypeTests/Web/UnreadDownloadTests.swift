import HTTPTypes
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import Core
@testable import Serving
@testable import Tintype

@Suite("A client that doesn’t read", .timeLimit(.minutes(15)))
struct UnreadDownloadTests {
    @Test("is cut off when its time is up, and the server had read little of the photo for it")
    func download() async throws {
        let world = try await World { $0.readingPace = .init(bytes: 30_000, window: .milliseconds(300)) }
        let ana = try await world.account("ana")
        let file = TestPicture.tiff(width: 1600, height: 1200)
        let upload = try await ana.post("/api/v2/media", multipart: [.file("file", file)])
        let id = try #require(upload["id"].string)
        let requests = world.tintype.openRequests
        try await world.live { server in
            try await server.connect(receiving: 64 * 1024) { stuck in
                try await stuck.get("/api/v1/photos/\(id)/original", as: ana)
                var rest = stuck.inbound.makeAsyncIterator()
                var received = try #require(try await rest.next()).readableBytes
                // The request is under way until the client was cut off, and then no longer.
                while requests.count(.account(ana.id)) > 0 { await Task.yield() }
                // Now come what the kernels held, and the end.
                while let buffer = try await rest.next() { received += buffer.readableBytes }
                #expect(received < file.count / 2)
            }
        }
    }

    @Test("is found by what it takes in a minute, however slowly, and however large the answer is")
    func pace() throws {
        let (channel, held) = try slowChannel()
        try write(100_000, to: channel)
        for _ in 1...3 {
            channel.embeddedEventLoop.advanceTime(by: .seconds(59))
            held.take(1)
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
            #expect(channel.isActive, "32 kB in a minute are enough")
        }
        channel.embeddedEventLoop.advanceTime(by: .seconds(59))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive, "nothing in a minute isn't")
    }

    @Test("isn’t who waits for the next event")
    func quiet() throws {
        let (channel, held) = try slowChannel()
        for _ in 1...10 {
            try write(100, to: channel)
            channel.embeddedEventLoop.advanceTime(by: .seconds(15))
            held.take(1)
            channel.embeddedEventLoop.advanceTime(by: .seconds(40))
        }
        #expect(channel.isActive)
    }

    private func slowChannel() throws -> (EmbeddedChannel, Held) {
        let held = Held()
        let pace = ReadingPace(limit: .init(), logger: .init(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let channel = EmbeddedChannel(handlers: [held, pace])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).wait()
        return (channel, held)
    }

    private func write(_ count: Int, to channel: EmbeddedChannel) throws {
        channel.write(HTTPResponsePart.body(ByteBuffer(repeating: 0, count: count)), promise: nil)
        channel.flush()
    }

    /// A connection whose other side takes what is written only when the test says so.
    private final class Held: ChannelOutboundHandler {
        typealias OutboundIn = HTTPResponsePart
        private var waiting: [EventLoopPromise<Void>] = []

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            if let promise { waiting.append(promise) }
        }

        func take(_ count: Int) {
            for _ in 0..<min(count, waiting.count) { waiting.removeFirst().succeed() }
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            for promise in waiting { promise.fail(ChannelError.ioOnClosedChannel) }
        }
    }
}

@Suite("Bounds of connections and requests", .timeLimit(.minutes(15)))
struct ConnectionBoundsTests {
    @Test("A network’s connections beyond its bound are closed, and a new one is served when one has gone")
    func connections() async throws {
        // One is that of the test's own client.
        let world = try await World { $0.networkConnections = 3 }
        let ana = try await world.account("ana")
        try await world.live { server in
            try await server.connect { first in
                try await first.get("/healthz", as: ana)
                #expect(try await first.read(until: "ok\n").contains("200"))
                try await server.connect { second in
                    try await second.get("/healthz", as: ana)
                    #expect(try await second.read(until: "ok\n").contains("200"))
                    #expect(try await !served(server, ana))
                }
            }
            while try await !served(server, ana) {}
        }
    }

    /// Whether a new connection gets an answer.
    private func served(_ server: LiveServer, _ person: Person) async throws -> Bool {
        do {
            return try await server.connect { connection in
                try await connection.get("/healthz", as: person)
                return try await connection.read(until: "ok\n").contains("200")
            }
        } catch is IOError {
            return false
        } catch is ChannelError {
            return false
        }
    }

    @Test("The connections of a trusted proxy are not counted")
    func proxy() async throws {
        let world = try await World {
            $0.networkConnections = 1
            $0.trustedProxies = ["127.0.0.1", "::1"]
        }
        let ana = try await world.account("ana")
        try await world.live { server in
            try await server.connect { first in
                try await first.get("/healthz", as: ana)
                #expect(try await first.read(until: "ok\n").contains("200"))
                #expect(try await served(server, ana))
            }
        }
    }

    @Test("Beyond what a person or a network may have under way, requests are answered with 429")
    func requests() async throws {
        let world = try await World { $0.networkConnections = 300 }
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        let requests = world.tintype.openRequests
        var places = (0..<OpenRequests.perAccount).map { _ in requests.take([.account(ana.id)]) }
        let refused = try await ana.get("/api/v1/timelines/home")
        #expect(refused.status == 429)
        #expect(refused.headers[.retryAfter] == "1")
        #expect(try await ben.get("/api/v1/timelines/home").status == 200)
        places.removeLast()
        #expect(try await ana.get("/api/v1/timelines/home").status == 200)
        // As the tests' requests, which come over no network, are counted.
        places = (0..<300).map { _ in requests.take([.network("unknown")]) }
        #expect(try await ben.get("/api/v1/timelines/home").status == 429)
        places = []
        #expect(try await ben.get("/api/v1/timelines/home").status == 200)
        #expect(requests.count(.network("unknown")) == 0)
    }

    @Test("A connection with TLS on which no request is open has ninety seconds")
    func handshake() throws {
        let silent = try channel()
        silent.embeddedEventLoop.advanceTime(by: .seconds(90))
        #expect(!silent.isActive)

        let used = try channel()
        let stay = RequestDeadline.Stay()
        try used.pipeline.syncOperations.addHandler(stay)
        used.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(used.isActive)
        used.pipeline.syncOperations.removeHandler(stay, promise: nil)
        used.embeddedEventLoop.advanceTime(by: .seconds(90))
        #expect(!used.isActive)
    }

    private func channel() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: RequestDeadline(patience: .seconds(90)))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).wait()
        return channel
    }
}
