import Foundation
import Storage
import Synchronization

/// A proxy before the PostgreSQL server of the tests, reached through a socket in a folder of its own, which cuts
/// connections when a test says so.
final class PostgresProxy: Sendable {
    /// What happens to connections.
    enum Mode: Sendable {
        case open
        /// Nobody gets through, and those who are connected are cut off.
        case closed
        /// The next COMMIT is passed on, and the connection is cut before its answer.
        case cutAfterCommit
        /// The connection is cut in place of the next COMMIT.
        case cutBeforeCommit
        /// Nothing more gets through, and all connections stay.
        case silent
    }

    /// The folder with the socket.
    private let folder: String
    private let proxy: SocketProxy
    private let state: State

    private final class State: Sendable {
        let mode = Mutex(Mode.open)
        /// The folder with the socket of the server to which the next connection leads.
        let server: Mutex<String>
        /// The server to which connections lead after the next commit that is cut; nil for the same.
        let next = Mutex<String?>(nil)

        init(_ server: String) { self.server = Mutex(server) }
    }

    /// - Parameters:
    ///   - server: the folder with the server's socket.
    init(before server: String) throws {
        // The path of a socket has at most 107 bytes.
        folder = "/tmp/tintype-proxy-\(UInt32.random(in: .min ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let state = State(server)
        self.state = state
        proxy = try SocketProxy(
            at: .file("\(folder)/\(Self.socket)"),
            before: .file("\(state.server.withLock { $0 })/\(Self.socket)"),
            sends: { bytes, link in Self.decide(bytes, link, state) },
            gets: { _, _ in state.mode.withLock { $0 } == .silent ? .swallow : .pass })
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private static let socket = ".s.PGSQL.5432"

    var mode: Mode {
        get { state.mode.withLock { $0 } }
        set {
            state.mode.withLock { $0 = newValue }
            proxy.isClosed = newValue == .closed
        }
    }

    /// The folder of the server to which new connections lead.
    var server: String {
        get { state.server.withLock { $0 } }
        set { state.server.withLock { $0 = newValue } }
    }

    /// Cuts the next commit off before its answer, after which connections lead to another server.
    func cutAfterCommit(then server: String) {
        state.next.withLock { $0 = server }
        mode = .cutAfterCommit
    }

    /// Returns the address of a database behind the proxy.
    func address(of database: String) throws -> PostgresAddress {
        try PostgresAddress("postgres:///\(database)?host=\(folder)&user=postgres")
    }

    /// Cuts the clients off. The server doesn't hear of it, as when a network fails.
    func cutClients() { proxy.cutClients() }

    /// Decides about what a client sends.
    private static func decide(
        _ bytes: [UInt8], _ link: SocketProxy.Link, _ state: State
    ) -> SocketProxy.Decision {
        if state.mode.withLock({ $0 }) == .silent { return .swallow }
        guard bytes.contains(Array("COMMIT\0".utf8)) else { return .pass }
        let mode = state.mode.withLock { mode in
            defer { if mode != .closed && mode != .silent { mode = .open } }
            return mode
        }
        switch mode {
        case .open, .closed: return .pass
        case .silent: return .swallow
        case .cutBeforeCommit: return .cut
        case .cutAfterCommit:
            if let next = state.next.withLock({ $0 }) { state.server.withLock { $0 = next } }
            // Nothing of the answer gets through, but the server sees the whole commit.
            shutdown(link.client, Int32(SHUT_RDWR))
            _ = bytes.withUnsafeBytes { send(link.server, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            // The server answers when the transaction is committed.
            var answer = [UInt8](repeating: 0, count: 64)
            _ = recv(link.server, &answer, answer.count, Int32(MSG_PEEK))
            return .cut
        }
    }
}
