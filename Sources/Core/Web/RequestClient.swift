import Hummingbird
import NIOCore
import Serving
import Synchronization

/// The client that waits for the answer to a request.
///
/// A request is completed even if its client has left: it may be in the middle of a transaction, and a retry finds what
/// it made. Only costly work that can be done again, on pictures, is ended early (``whileItWaits(_:)``).
///
/// A client of HTTP/1.1 that closes its half of the connection counts as gone, although it might still read: the server
/// can't distinguish the two before it writes. Go's `net/http` and nginx decide in the same way.
package struct RequestClient: Sendable {
    /// The client of the request whose task reads this; nil for background work.
    @TaskLocal static var current: RequestClient?

    /// The notice of the connection's end; nil without a connection, as in tests.
    private let connection: ClientDeparture?
    /// The request's stream of HTTP/2, which may end before the connection.
    private let stream: (any Channel)?

    /// Finds the client of a request. Called on the event loop of its channel, where requests are answered
    /// (``OnConnectionLoop``).
    fileprivate init(_ channel: any Channel) {
        stream = channel.isStream ? channel : nil
        let pipeline = (channel.isStream ? channel.parent : channel)?.pipeline
        connection =
            channel.eventLoop.inEventLoop
            ? try? pipeline?.syncOperations.handler(type: ClientDeparture.self) : nil
    }

    /// Does work that is cancelled when the client leaves.
    ///
    /// - Throws: ``Refusal`` (408) if the client has left, and what the work throws.
    func whileItWaits<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let connection else { return try await work() }
        let task = Task { try await work() }
        let departure = ClientDeparture()
        _ = departure.whenGone { task.cancel() }
        let number = connection.whenGone { departure.leave() }
        stream?.closeFuture.whenComplete { _ in departure.leave() }
        defer { connection.forget(number) }
        do {
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch is CancellationError where departure.hasGone {
            throw Refusal(.brokenOff, "The connection was closed before the picture was ready.")
        }
    }

    /// The middleware that makes the client of each request known to the request's task.
    package struct Middleware: MiddlewareProtocol {
        package init() {}

        package func handle(
            _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
        ) async throws -> Response {
            try await RequestClient.$current.withValue(RequestClient(context.channel)) {
                try await next(request, context)
            }
        }
    }
}

extension Channel {
    /// Whether the channel is a stream within a connection of HTTP/2. The parent of a connection is the channel that
    /// listens.
    var isStream: Bool { parent?.parent != nil }
}
