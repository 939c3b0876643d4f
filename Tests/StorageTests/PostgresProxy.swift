import Foundation
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
    }

    /// The folder with the socket.
    let folder: String
    private let server: String
    private let listener: CInt
    private let state = Mutex<(mode: Mode, sockets: Set<CInt>)>((.open, []))

    /// - Parameters:
    ///   - server: the folder with the server's socket.
    init(before server: String) throws {
        self.server = server
        // The path of a socket has at most 107 bytes.
        folder = "/tmp/tintype-proxy-\(UInt32.random(in: .min ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.address(folder)
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0, listen(listener, 64) == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
        Thread { [listener, weak self] in
            while case let client = accept(listener, nil, nil), client >= 0 { self?.serve(client) }
        }.start()
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        cutAll()
        try? FileManager.default.removeItem(atPath: folder)
    }

    var mode: Mode {
        get { state.withLock { $0.mode } }
        set {
            state.withLock { $0.mode = newValue }
            if newValue == .closed { cutAll() }
        }
    }

    private func cutAll() {
        state.withLock { state in
            for socket in state.sockets { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    private func serve(_ client: CInt) {
        let upstream = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.address(server)
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(upstream, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard connected == 0, mode != .closed else {
            close(client)
            close(upstream)
            return
        }
        state.withLock { $0.sockets.formUnion([client, upstream]) }
        let finished = Atomic(0)
        // The second of both directions to end closes the sockets.
        let end: @Sendable () -> Void = { [weak self] in
            for socket in [client, upstream] { shutdown(socket, Int32(SHUT_RDWR)) }
            guard finished.add(1, ordering: .sequentiallyConsistent).newValue == 2 else { return }
            self?.state.withLock { $0.sockets.subtract([client, upstream]) }
            for socket in [client, upstream] { close(socket) }
        }
        Thread { [weak self] in
            Self.copy(client, upstream) { bytes in
                self?.passes(bytes, upstream: upstream, client: client) ?? false
            }
            end()
        }.start()
        Thread {
            Self.copy(upstream, client) { _ in true }
            end()
        }.start()
    }

    /// Decides about what a client sends. Returns whether to pass it on.
    private func passes(_ bytes: [UInt8], upstream: CInt, client: CInt) -> Bool {
        guard bytes.contains(Array("COMMIT\0".utf8)) else { return true }
        let mode = state.withLock { state in
            defer { if state.mode != .closed { state.mode = .open } }
            return state.mode
        }
        switch mode {
        case .open, .closed: return true
        case .cutBeforeCommit: return false
        case .cutAfterCommit:
            // Nothing of the answer gets through, but the server sees the whole commit.
            shutdown(client, Int32(SHUT_RDWR))
            _ = bytes.withUnsafeBytes { send(upstream, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            // The server answers when the transaction is committed.
            var answer = [UInt8](repeating: 0, count: 64)
            _ = recv(upstream, &answer, answer.count, Int32(MSG_PEEK))
            return false
        }
    }

    private static func copy(_ source: CInt, _ target: CInt, passes: ([UInt8]) -> Bool) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(source, &buffer, buffer.count), count > 0 {
            guard passes(Array(buffer[..<count])) else { return }
            var sent = 0
            while sent < count {
                let written = buffer[sent..<count].withUnsafeBytes {
                    send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard written > 0 else { return }
                sent += written
            }
        }
    }

    private static func address(_ folder: String) -> sockaddr_un {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: "\(folder)/.s.PGSQL.5432".utf8) }
        return address
    }
}
