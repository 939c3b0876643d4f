import Foundation
import Synchronization

/// A place where a socket listens.
enum SocketPlace: Sendable {
    case file(String)
    /// A port of this computer; 0 for any that is free.
    case port(UInt16)

    /// Opens a socket of this kind.
    func open() -> CInt {
        switch self {
        case .file: socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        case .port: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        }
    }

    /// Calls a function with the place as the system's calls take it.
    func withAddress<T>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> T) -> T {
        func call<Address>(_ address: inout Address) -> T {
            withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<Address>.size))
                }
            }
        }
        switch self {
        case .file(let path):
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            return call(&address)
        case .port(let port):
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            address.sin_port = port.bigEndian
            return call(&address)
        }
    }
}

/// A proxy before a server of the tests, which cuts connections or keeps what is sent when a test says so.
final class SocketProxy: Sendable {
    /// The connection between a client and the server.
    struct Link: Sendable {
        let client: CInt
        let server: CInt
    }

    /// What becomes of bytes.
    enum Decision: Sendable {
        case pass
        /// They don't arrive, and the connection stays.
        case swallow
        /// They don't arrive, and the connection ends.
        case cut
    }

    /// The port on which the proxy listens, if it listens on one.
    let port: UInt16
    /// Where the next connection leads.
    private let server: @Sendable () -> SocketPlace
    private let listener: CInt
    /// Decide about what a client sends and gets.
    private let sends: @Sendable ([UInt8], Link) -> Decision
    private let gets: @Sendable ([UInt8], Link) -> Decision
    private let state = Mutex(State())

    private struct State {
        var isClosed = false
        /// Whether the server hears nothing of what becomes of its clients.
        var isUnheard = false
        var clients: Set<CInt> = []
        var servers: Set<CInt> = []
    }

    init(
        at place: SocketPlace, before server: @autoclosure @escaping @Sendable () -> SocketPlace,
        sends: @escaping @Sendable ([UInt8], Link) -> Decision = { _, _ in .pass },
        gets: @escaping @Sendable ([UInt8], Link) -> Decision = { _, _ in .pass }
    ) throws {
        self.server = server
        self.sends = sends
        self.gets = gets
        let listener = place.open()
        self.listener = listener
        guard place.withAddress({ bind(listener, $0, $1) }) == 0, listen(listener, 64) == 0 else {
            throw POSIXError(.EADDRNOTAVAIL)
        }
        var bound = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &bound) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &size) }
        }
        port = UInt16(bigEndian: bound.sin_port)
        Thread { [weak self] in
            while case let client = accept(listener, nil, nil), client >= 0 { self?.serve(client) }
        }.start()
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        cutAll()
    }

    /// Whether nobody gets through, and those who are connected are cut off.
    var isClosed: Bool {
        get { state.withLock { $0.isClosed } }
        set {
            state.withLock { $0.isClosed = newValue }
            if newValue { cutAll() }
        }
    }

    private func cutAll() {
        state.withLock { state in
            for socket in state.clients.union(state.servers) { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    /// Cuts the clients off. The server doesn't hear of it, as when a network fails.
    func cutClients() {
        state.withLock { state in
            state.isUnheard = true
            for client in state.clients { shutdown(client, Int32(SHUT_RDWR)) }
        }
    }

    private func serve(_ client: CInt) {
        let server = server()
        let upstream = server.open()
        guard server.withAddress({ connect(upstream, $0, $1) }) == 0, !isClosed else {
            close(client)
            close(upstream)
            return
        }
        let link = Link(client: client, server: upstream)
        state.withLock { state in
            state.clients.insert(client)
            state.servers.insert(upstream)
        }
        let finished = Atomic(0)
        // The second of both directions to end closes the sockets.
        let end: @Sendable () -> Void = { [weak self] in
            shutdown(client, Int32(SHUT_RDWR))
            if self?.state.withLock({ $0.isUnheard }) != true { shutdown(upstream, Int32(SHUT_RDWR)) }
            guard finished.add(1, ordering: .sequentiallyConsistent).newValue == 2 else { return }
            self?.state.withLock { state in
                state.clients.remove(client)
                state.servers.remove(upstream)
            }
            for socket in [client, upstream] { close(socket) }
        }
        Thread { [sends] in
            Self.copy(client, upstream) { sends($0, link) }
            end()
        }.start()
        Thread { [gets] in
            Self.copy(upstream, client) { gets($0, link) }
            end()
        }.start()
    }

    private static func copy(_ source: CInt, _ target: CInt, decide: ([UInt8]) -> Decision) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(source, &buffer, buffer.count), count > 0 {
            switch decide(Array(buffer[..<count])) {
            case .pass: break
            case .swallow: continue
            case .cut: return
            }
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
}
