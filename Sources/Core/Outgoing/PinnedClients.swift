import AsyncHTTPClient
import Foundation
import NIOCore
import NIOPosix
import Serving
import Synchronization

/// HTTP clients that each connect to one address of one host, even if the host's name has another address by then: a
/// name whose address changes after the check leads nowhere else. A connection carries one request
/// (``OutgoingHTTP/request(_:_:)``).
///
/// All clients share the event loops of the process.
final class PinnedClients: Sendable {
    struct Key: Hashable {
        var host: String
        var address: NetworkAddress
    }

    private struct Entry {
        var client: HTTPClient
        var users: Int
        var usedAt: ContinuousClock.Instant
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var isClosed = false
    }

    /// The most clients that are kept without being used.
    private static let mostIdle = 16
    /// How long an unused client is kept.
    private static let idleTime = Duration.seconds(60)

    private let pace: OutgoingPace
    private let state = Mutex(State())

    init(pace: OutgoingPace) { self.pace = pace }

    deinit { close() }

    /// Runs a closure with the client of an address.
    ///
    /// - Throws: ``OutgoingError/stopped``, and what the closure throws.
    func with<Value>(_ key: Key, _ body: (HTTPClient) async throws -> Value) async throws -> Value {
        let (client, old) = try state.withLock { state in
            guard !state.isClosed else { throw OutgoingError.stopped }
            var entry =
                state.entries[key]
                ?? Entry(client: makeClient(key), users: 0, usedAt: .now)
            entry.users += 1
            state.entries[key] = entry
            return (entry.client, Self.removeIdle(from: &state))
        }
        for client in old { Self.shutDown(client) }
        defer {
            state.withLock { state in
                state.entries[key]?.users -= 1
                state.entries[key]?.usedAt = .now
            }
        }
        return try await body(client)
    }

    /// Ends all connections; requests under way fail.
    func close() {
        let entries = state.withLock { state in
            state.isClosed = true
            defer { state.entries = [:] }
            return Array(state.entries.values)
        }
        for entry in entries { Self.shutDown(entry.client) }
    }

    private static func removeIdle(from state: inout State) -> [HTTPClient] {
        let idle = state.entries.filter { $0.value.users == 0 }.sorted { $0.value.usedAt > $1.value.usedAt }
        let end = ContinuousClock.now - idleTime
        let old = idle.enumerated().filter { $0.offset >= mostIdle || $0.element.value.usedAt < end }
        for (_, entry) in old { state.entries[entry.key] = nil }
        return old.map(\.element.value.client)
    }

    /// Shuts a client down. The client keeps itself alive until its connections are closed.
    private static func shutDown(_ client: HTTPClient) {
        client.shutdown(queue: .global()) { _ in }
    }

    private func makeClient(_ key: Key) -> HTTPClient {
        var settings = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(
                connect: .milliseconds(Int64(pace.connect * 1000)),
                read: .milliseconds(Int64(pace.idle * 1000)), write: .seconds(10)),
            decompression: .disabled)
        settings.httpVersion = .http1Only
        settings.dnsOverride = [key.host: key.address.description]
        settings.connectionPool.idleTimeout = .seconds(20)
        settings.connectionPool.retryConnectionEstablishment = false
        // No more than the places for one host (``OutgoingHTTP``), and no fewer: requests wait there, and not here.
        settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 16
        let address = key.address
        // Whatever the client made of the host, nothing is sent to an address other than the checked one.
        settings.http1_1ConnectionDebugInitializer = { channel in
            let remote = channel.remoteAddress?.ipAddress.flatMap { NetworkAddress($0) }
            return channel.eventLoop.makeCompletedFuture {
                guard remote == address else { throw OutgoingError.forbiddenAddress }
            }
        }
        return HTTPClient(
            eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup.singleton), configuration: settings)
    }
}
