import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOExtras
import NIOHTTP1
import NIOPosix
import ServiceLifecycle

/// How connections are served, made for what answers their requests.
package typealias ServedConnections =
    @Sendable (@escaping HTTPChannelHandler.Responder) throws -> any ServerChildChannel

/// A server at a socket on which another program listens already, such as systemd. Hummingbird's own `Application` always
/// opens a socket itself; otherwise this type does the same.
package struct InheritedServer<Responder: HTTPResponder>: Service
where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
    let socket: CInt
    let responder: Responder
    let connections: ServedConnections
    /// The most connections that are open at once.
    let mostConnections: Int
    let onRunning: @Sendable (any Channel) async -> Void
    let logger: Logger

    package init(
        socket: CInt, responder: Responder, connections: @escaping ServedConnections, mostConnections: Int,
        onRunning: @escaping @Sendable (any Channel) async -> Void, logger: Logger
    ) {
        self.socket = socket
        self.responder = responder
        self.connections = connections
        self.mostConnections = mostConnections
        self.onRunning = onRunning
        self.logger = logger
    }

    /// The error of an answer that couldn't be sent, because its request couldn't be read to the end.
    private struct UnreadableRequest: Error {}

    package func run() async throws {
        let children = try connections {
            [responder, logger] (request, writer: consuming ResponseWriter, channel) in
            var logger = logger
            logger[metadataKey: "hb.request.id"] = .stringConvertible(RequestID())
            let context = Responder.Context(source: .init(channel: channel, logger: logger))
            var response: Response
            do {
                response = try await responder.respond(to: request, context: context)
            } catch let error as HTTPParserError {
                throw error
            } catch {
                logger.error("a request failed", metadata: ["error": "\(error)"])
                response = Response(status: .internalServerError)
            }
            response.headers[.date] = HTTPDate.text(Date())
            do {
                try await writer.write(response: response.head, body: response.body)
            } catch is HTTPParserError {
                // The parser's own error would be answered once more.
                throw UnreadableRequest()
            }
        }
        try await serve(children)
    }

    private func serve<Child: ServerChildChannel>(_ children: Child) async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let quiescing = ServerQuiescingHelper(group: group)
        let listening = try await ServerBootstrap(group: group)
            .serverChannelInitializer { [mostConnections] channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(
                        AvailableConnectionsChannelHandler(
                            delegate: MaximumAvailableConnections(mostConnections)))
                    try pipeline.addHandler(quiescing.makeServerChannelHandler(channel: channel))
                }
            }
            .childChannelOption(ChannelOptions.allowRemoteHalfClosure, value: true)
            .bind(socket) { [logger] channel in children.setup(channel: channel, logger: logger) }
        await withGracefulShutdownHandler {
            await onRunning(listening.channel)
            await withDiscardingTaskGroup { [logger] group in
                do {
                    try await listening.executeThenClose { inbound in
                        for try await child in inbound {
                            group.addTask { await children.handle(value: child, logger: logger) }
                        }
                    }
                } catch {
                    logger.error("the server takes no more connections", metadata: ["error": "\(error)"])
                }
            }
        } onGracefulShutdown: {
            // Closes this process's descriptor of the socket, on which systemd goes on listening.
            quiescing.initiateShutdown(promise: nil)
        }
    }
}

/// Dates in headers of HTTP (RFC 9110, 5.6.7).
enum HTTPDate {
    /// Returns a date such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func text(_ date: Date) -> String {
        var seconds = time_t(date.timeIntervalSince1970)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let capacity = 32
        var text = [CChar](repeating: 0, count: capacity)
        let count = strftime(&text, capacity, "%a, %d %b %Y %H:%M:%S GMT", &parts)
        return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
