import AsyncHTTPClient
import Logging
import NIOCore
import NIOHTTP1
import ServiceLifecycle
import Testing

@testable import Core
@testable import Serving
@testable import Tintype

/// A stop as after SIGTERM, with clients whose requests would go on for ten minutes.
@Suite("A server that stops", .timeLimit(.minutes(5)))
struct ShutdownTests {
    /// A server whose patience alone ends slow requests.
    private func world(_ transport: Transport) async throws -> World {
        try await World(sharesProcessor: false) {
            transport.configure(&$0)
            $0.port = 0
            $0.shutdownPatience = .milliseconds(300)
            $0.limits.bodyPatience = 600
            $0.readingPace.window = .minutes(10)
            $0.handshakeTime = .minutes(10)
        }
    }

    @Test("doesn’t wait for a client that sends slowly", arguments: Transport.allCases)
    func slowSender(transport: Transport) async throws {
        let world = try await world(transport)
        let ana = try await world.account("ana")
        let (body, rest) = AsyncStream<ByteBuffer>.makeStream()
        try await transport.withClient { client in
            let answer = try await world.runAndStop { server in
                try await transport.greet(server, with: client)
                let request = transport.request(
                    .POST, "/posts", on: server, as: ana,
                    form: .stream(body, length: .known(Int64(1_000_000))))
                rest.yield(FormPart.body([.file("file", [7])]))
                let answer = Task { try await client.execute(request, timeout: .minutes(10)) }
                while world.openRequestCount(of: ana) == 0 { await Task.yield() }
                return answer
            }
            rest.finish()
            let status = try? await answer.value.status
            #expect(status == nil || status == .requestTimeout)
        }
    }

    @Test("doesn’t wait for a client that reads slowly", arguments: Transport.allCases)
    func slowReader(transport: Transport) async throws {
        let world = try await world(transport)
        let ana = try await world.account("ana")
        let file = TestPicture.tiff(width: 3200, height: 2400)
        let upload = try await ana.post("/api/v2/media", multipart: [.file("file", file)])
        let id = try #require(upload["id"].string)
        try await transport.withClient { client in
            let answer = try await world.runAndStop { server in
                let request = transport.request(
                    .GET, "/api/v1/photos/\(id)/original", on: server, as: ana)
                let answer = try await client.execute(request, timeout: .minutes(10))
                #expect(world.openRequestCount(of: ana) == 1)
                return answer
            }
            await #expect(throws: (any Error).self) {
                for try await _ in answer.body {}
            }
        }
    }

    @Test("doesn’t wait for a client that says nothing", arguments: Transport.allCases)
    func silence(transport: Transport) async throws {
        let world = try await world(transport)
        try await transport.withClient { client in
            let (connected, connection) = AsyncStream<Void>.makeStream()
            let silent = try await world.runAndStop { server in
                let silent = Task {
                    try await server.connect { silent in
                        connection.finish()
                        for try await _ in silent.inbound {}
                    }
                }
                for await _ in connected {}
                // The server has both connections when it answers over the later one.
                try await transport.greet(server, with: client)
                return silent
            }
            // It ends since the server has closed it.
            _ = await silent.result
        }
    }
}

extension World {
    fileprivate func openRequestCount(of person: Person) -> Int {
        tintype.openRequests.count(.account(person.id))
    }

    /// Runs the server as `tintype serve` does, and stops it as SIGTERM does when the closure has returned.
    ///
    /// - Returns: what the closure has returned, once the server has ended without an error.
    fileprivate func runAndStop<Value: Sendable>(
        after body: (LiveServer) async throws -> Value
    ) async throws -> Value {
        let (ports, port) = AsyncStream<Int>.makeStream()
        let service = RunningServer(tintype: tintype, port: port)
        let group = ServiceGroup(services: [service], logger: Logger(label: "test"))
        async let end: Void = group.run()
        var value: Value?
        for await port in ports {
            value = try await body(LiveServer(port: port))
            break
        }
        await group.triggerGracefulShutdown()
        try await end
        return try #require(value)
    }
}

private struct RunningServer: Service {
    let tintype: TintypeApplication
    let port: AsyncStream<Int>.Continuation

    func run() async throws {
        defer { port.finish() }
        try await tintype.run { port.yield($0) }
    }
}
