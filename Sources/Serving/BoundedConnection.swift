import Foundation
import HummingbirdCore
import Logging
import NIOCore
import NIOSSL
import Synchronization

/// Bounds what one connection and one network can hold of the server.
///
/// - A network (``ClientNetwork``) may have a limited number of connections; a further one is closed at once. The
///   connections of a trusted proxy carry the requests of many people, so their requests are counted instead
///   (``OpenRequests``).
/// - What waits for a client to read is kept small: 16 kB here, and 128 kB that the kernel hasn't sent yet. Without the
///   second limit the kernel holds up to 4 MB for a client that reads nothing, and reports it late.
/// - A client that disconnects is noticed at once (``ClientDeparture``).
package struct BoundedConnection<Base: ServerChildChannel>: ServerChildChannel {
    package let base: Base
    package let networks: NetworkConnections
    /// How long a connection with TLS may stay open without a request; nil for one without TLS, where HTTP's own limits
    /// hold from the beginning.
    package var patience: TimeAmount?

    package init(base: Base, networks: NetworkConnections, patience: TimeAmount? = nil) {
        self.base = base
        self.networks = networks
        self.patience = patience
    }

    private static var writeBuffer: ChannelOptions.Types.WriteBufferWaterMark {
        .init(low: 8 * 1024, high: 16 * 1024)
    }
    private static var unsentBytes: SocketOptionValue { 128 * 1024 }

    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        do {
            try networks.open(channel)
            try channel.syncOptions?.setOption(.writeBufferWaterMark, value: Self.writeBuffer)
            let unsent = ChannelOptions.tcpOption(NIOBSDSocket.Option(rawValue: TCP_NOTSENT_LOWAT))
            try channel.syncOptions?.setOption(unsent, value: Self.unsentBytes)
            if let patience {
                try channel.pipeline.syncOperations.addHandler(RequestDeadline(patience: patience))
            }
            let value = base.setup(channel: channel, logger: logger)
            // A client with TLS announces within TLS that it leaves, and may wait for an answer before it closes the
            // connection.
            let tls = try? channel.pipeline.syncOperations.handler(type: NIOSSLServerHandler.self)
            try channel.pipeline.syncOperations.addHandler(
                ClientDeparture(), position: tls.map { .after($0) } ?? .first)
            return value
        } catch {
            channel.close(promise: nil)
            return channel.eventLoop.makeFailedFuture(error)
        }
    }

    package func handle(value: Base.Value, logger: Logger) async {
        // Cancelled when requests have had their time after SIGTERM. A task that waits for a client, such as for the
        // first bytes of TLS, may not notice by itself.
        await withTaskCancellationHandler {
            await base.handle(value: value, logger: logger)
        } onCancel: {
            value.channel.close(promise: nil)
        }
    }
}

/// Counts the open connections of each network.
package final class NetworkConnections: Sendable {
    /// The error of a network that already has as many connections as it may have.
    struct TooMany: Error {}

    private let limit: Int
    private let proxies: Set<String>
    private let counts = Mutex<[String: Int]>([:])

    /// - Parameters:
    ///   - limit: the most connections of one network.
    ///   - proxies: addresses whose connections don't count.
    package init(limit: Int, proxies: Set<String>) {
        self.limit = limit
        self.proxies = Set(proxies.map(ClientNetwork.canonical))
    }

    /// Counts a connection until it is closed.
    ///
    /// - Throws: ``TooMany``.
    func open(_ channel: any Channel) throws {
        guard let address = channel.remoteAddress?.ipAddress.map(ClientNetwork.canonical),
            !proxies.contains(address)
        else { return }
        let network = ClientNetwork.key(address)
        try counts.withLock { counts in
            guard counts[network, default: 0] < limit else { throw TooMany() }
            counts[network, default: 0] += 1
        }
        channel.closeFuture.whenComplete { [self] _ in
            counts.withLock { counts in
                let count = counts[network] ?? 0
                counts[network] = count > 1 ? count - 1 : nil
            }
        }
    }
}
