import Foundation
import NIOCore
import NIOPosix
import Serving

/// The search for the addresses of a host.
enum HostResolver {
    /// The most addresses of one host that are used.
    private static let most = 8

    /// Returns the addresses of a host in the order of the system's preference (RFC 6724). Numbers in any notation that
    /// the system accepts, such as `0x7f.1`, are returned as the addresses that they mean.
    ///
    /// - Throws: ``OutgoingError/unreachable`` when there is none; `CancellationError` at once when the task is
    ///   cancelled, while the system may continue to search.
    static func addresses(of host: String) async throws -> [NetworkAddress] {
        if let address = NetworkAddress(host) { return [address] }
        let (answers, answer) = AsyncStream.makeStream(of: [NetworkAddress].self)
        NIOThreadPool.singleton.submit { state in
            if state == .active { answer.yield(lookUp(host)) }
            answer.finish()
        }
        let found = await answers.first { _ in true } ?? []
        try Task.checkCancellation()
        guard !found.isEmpty else { throw OutgoingError.unreachable }
        return found
    }

    private static func lookUp(_ host: String) -> [NetworkAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_ADDRCONFIG
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &first) == 0 else { return [] }
        defer { freeaddrinfo(first) }
        var found: [NetworkAddress] = []
        var next = first
        while let entry = next?.pointee, found.count < most {
            next = entry.ai_next
            guard let address = address(in: entry), !found.contains(address) else { continue }
            found.append(address)
        }
        return found
    }

    private static func address(in entry: addrinfo) -> NetworkAddress? {
        guard let pointer = UnsafeRawPointer(entry.ai_addr) else { return nil }
        switch entry.ai_family {
        case AF_INET:
            let address = pointer.loadUnaligned(as: sockaddr_in.self)
            return withUnsafeBytes(of: address.sin_addr) { NetworkAddress(bytes: Array($0)) }
        case AF_INET6:
            let address = pointer.loadUnaligned(as: sockaddr_in6.self)
            return withUnsafeBytes(of: address.sin6_addr) { NetworkAddress(bytes: Array($0)) }
        default:
            return nil
        }
    }
}
