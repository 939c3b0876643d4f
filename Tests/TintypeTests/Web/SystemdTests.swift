import Foundation
import Logging
import ServiceLifecycle
import Testing

@testable import Core
@testable import Serving
@testable import Tintype

@Suite("A server that systemd starts", .timeLimit(.minutes(5)))
struct SystemdTests {
    @Test("Variables count for the process to which they are addressed")
    func variables() throws {
        let given = [
            "LISTEN_PID": "7", "LISTEN_FDS": "1", "WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "7",
        ]
        let own = try Systemd(given, process: 7)
        #expect(own.listener == 3 && own.watchdog == .seconds(3))
        let child = try Systemd(given, process: 8)
        #expect(child.listener == nil && child.watchdog == nil)
        #expect(try Systemd([:], process: 7).listener == nil)
        #expect(throws: Systemd.SeveralSockets.self) {
            try Systemd(["LISTEN_PID": "7", "LISTEN_FDS": "2"], process: 7)
        }
    }

    @Test(
        "Systemd learns that the server is ready, that it works, and that it stops", arguments: [false, true])
    func notices(isAbstract: Bool) async throws {
        let reader = try NoticeReader(isAbstract: isAbstract)
        let world = try await World(sharesProcessor: false) { $0.port = 0 }
        let systemd = Systemd(listener: nil, watchdog: .milliseconds(30), notices: reader.name)
        let server = RunningServer(world.tintype, under: systemd)
        _ = try await server.port
        try await reader.wait(for: ["READY=1", "WATCHDOG=1"])
        await server.stop()
        try await reader.wait(for: ["STOPPING=1"])
        try await server.end()
    }

    @Test("A notice that nobody can take has a reason")
    func lost() {
        let systemd = Systemd(listener: nil, watchdog: nil, notices: "/nonexistent/socket")
        #expect(systemd.send(.ready) == ENOENT)
        let long = Systemd(listener: nil, watchdog: nil, notices: String(repeating: "a", count: 200))
        #expect(long.send(.ready) == ENAMETOOLONG)
        #expect(Systemd.none.send(.ready) == 0)
    }

    @Test("Who comes between two servers at systemd’s socket waits for the second one")
    func restart() async throws {
        let socket = try ListeningSocket()
        let world = try await World(sharesProcessor: false)
        let first = RunningServer(world.tintype, under: try socket.passedOn())
        #expect(try await first.port == socket.port)
        let answers = try await LiveServer(port: socket.port).connect { connection in
            try await connection.get("/healthz", as: world.stranger)
            return try await connection.read(until: "ok\n")
        }
        #expect(answers.hasPrefix("HTTP/1.1 200") && answers.lowercased().contains("\r\ndate: "))
        await first.stop()
        try await first.end()
        let port = socket.port
        let stranger = world.stranger
        try await LiveServer(port: port).connect { connection in
            // Nobody serves, and the connection is there.
            try await connection.get("/healthz", as: stranger)
            let next = try await World(folder: stranger.world.folder, sharesProcessor: false)
            let second = RunningServer(next.tintype, under: try socket.passedOn())
            _ = try await second.port
            #expect(try await connection.read(until: "ok\n").hasPrefix("HTTP/1.1 200"))
            await second.stop()
            try await second.end()
        }
    }

    @Test("A date in a header has the form of RFC 9110")
    func date() {
        #expect(HTTPDate.text(Date(timeIntervalSince1970: 784_111_777)) == "Sun, 06 Nov 1994 08:49:37 GMT")
    }
}

/// A server that runs as `tintype serve` runs it, until it is stopped as by SIGTERM.
private final class RunningServer: Sendable {
    private struct Running: Service {
        let tintype: TintypeApplication
        let systemd: Systemd
        let ports: AsyncStream<Int>.Continuation

        func run() async throws {
            defer { ports.finish() }
            try await tintype.run(under: systemd) { ports.yield($0) }
        }
    }

    private let group: ServiceGroup
    private let task: Task<Void, any Error>
    private let ports: AsyncStream<Int>

    init(_ tintype: TintypeApplication, under systemd: Systemd) {
        let (ports, port) = AsyncStream<Int>.makeStream()
        self.ports = ports
        let group = ServiceGroup(
            services: [Running(tintype: tintype, systemd: systemd, ports: port)],
            logger: Logger(label: "test"))
        self.group = group
        task = Task { try await group.run() }
    }

    /// The port, once the server listens.
    var port: Int {
        get async throws {
            for await port in ports { return port }
            try await task.value
            throw CancellationError()
        }
    }

    func stop() async { await group.triggerGracefulShutdown() }

    /// Waits for the end.
    func end() async throws { try await task.value }
}

/// A socket on which another program listens, as systemd does.
private final class ListeningSocket: Sendable {
    private struct Failure: Error { let code = errno }

    private let descriptor: CInt
    let port: Int

    init() throws {
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = descriptor
        let failure = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) != 0 || listen(socket, 64) != 0
                    || getsockname(socket, $0, &length) != 0
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        if failure { throw Failure() }
    }

    deinit { close(descriptor) }

    /// Returns what a server gets, which closes its descriptor in the end.
    func passedOn() throws -> Systemd {
        let copy = dup(descriptor)
        guard copy >= 0 else { throw Failure() }
        return Systemd(listener: copy, watchdog: nil, notices: nil)
    }
}

/// The reader of a service's notices, as systemd is.
private final class NoticeReader: Sendable {
    private struct Failure: Error { let code = errno }

    /// The name as in NOTIFY_SOCKET.
    let name: String
    private let descriptor: CInt
    private let path: String?

    /// - Parameter isAbstract: whether the socket is in no folder.
    init(isAbstract: Bool) throws {
        let file = "/tmp/notices-\(UUID().uuidString)"
        name = isAbstract ? "@\(file)" : file
        path = isAbstract ? nil : file
        descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array((isAbstract ? "\0" + file : file).utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let socket = descriptor
        let failure = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, length) != 0 }
        }
        if failure { throw Failure() }
    }

    deinit {
        close(descriptor)
        if let path { unlink(path) }
    }

    /// Waits until all of some notices have come.
    func wait(for notices: Set<String>) async throws {
        var missing = notices
        while !missing.isEmpty { missing.remove(try await next()) }
    }

    /// Returns the next notice. Waits on a thread of its own.
    private func next() async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { [descriptor] in
                var bytes = [UInt8](repeating: 0, count: 256)
                let count = recv(descriptor, &bytes, 256, 0)
                continuation.resume(
                    with: Result {
                        guard count > 0 else { throw Failure() }
                        return String(decoding: bytes.prefix(count), as: UTF8.self)
                    })
            }
        }
    }
}
