import NIOCore
import NIOPosix
import Synchronization

/// A server on loopback for one test, which speaks whatever its handlers do.
enum LoopbackListener {
    /// The connections so far.
    private final class Connections: Sendable {
        private let channels = Mutex<[any Channel]>([])

        func add(_ channel: any Channel) { channels.withLock { $0.append(channel) } }
        func close() { for channel in channels.withLock({ $0 }) { channel.close(promise: nil) } }
    }

    /// Listens on a free port while the closure runs, then closes the port and all connections.
    ///
    /// - Parameters:
    ///   - handler: makes the handler of a connection.
    ///   - body: gets the port.
    static func run<Value: Sendable>(
        host: String = "127.0.0.1", handler: @escaping @Sendable () -> any ChannelHandler,
        _ body: @escaping @Sendable (Int) async throws -> Value
    ) async throws -> Value {
        let connections = Connections()
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                connections.add(channel)
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(handler())
                }
            }
            .bind(host: host, port: 0).get()
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(listener.localAddress?.port ?? 0))
        } catch {
            result = .failure(error)
        }
        try await listener.close()
        connections.close()
        return try result.get()
    }
}
