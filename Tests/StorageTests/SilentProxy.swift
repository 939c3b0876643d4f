import Foundation
import Synchronization

/// A proxy before the PostgreSQL server of the tests that ends connections without a word, as a network does.
final class SilentProxy: Sendable {
    private struct State {
        var clients: [CInt] = []
        var servers: [CInt] = []
        var isSilent = false
    }

    private let folder: String
    private let server: String
    private let listener: CInt
    private let state = Mutex(State())

    /// - Parameter server: the folder with the server's socket.
    init(before server: String) throws {
        self.server = server
        folder = "/tmp/tintype-silent-\(UInt32.random(in: .min ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard Self.with(folder, { bind(listener, $0, $1) }) == 0, listen(listener, 64) == 0 else {
            throw POSIXError(.EADDRNOTAVAIL)
        }
        Thread { [listener, weak self] in
            while case let client = accept(listener, nil, nil), client >= 0 { self?.serve(client) }
        }.start()
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        state.withLock { for socket in $0.clients + $0.servers { shutdown(socket, Int32(SHUT_RDWR)) } }
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Returns the parameters of an address.
    var parameters: String { "host=\(folder)&user=postgres" }

    /// Cuts the clients off. The server doesn't hear of it.
    func cutClients() {
        state.withLock { state in
            for client in state.clients { shutdown(client, Int32(SHUT_RDWR)) }
        }
    }

    /// Lets nothing more through, and keeps all connections.
    func fallSilent() {
        state.withLock { $0.isSilent = true }
    }

    private func serve(_ client: CInt) {
        let upstream = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard Self.with(server, { connect(upstream, $0, $1) }) == 0 else {
            close(client)
            close(upstream)
            return
        }
        state.withLock { state in
            state.clients.append(client)
            state.servers.append(upstream)
        }
        Thread { [weak self] in self?.copy(client, upstream) }.start()
        Thread { [weak self] in
            self?.copy(upstream, client)
            shutdown(client, Int32(SHUT_RDWR))
        }.start()
    }

    private func copy(_ source: CInt, _ target: CInt) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(source, &buffer, buffer.count), count > 0 {
            guard !state.withLock({ $0.isSilent }) else { continue }
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

    private static func with(_ folder: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: "\(folder)/.s.PGSQL.5432".utf8) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
