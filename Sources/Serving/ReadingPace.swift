import Logging
import NIOCore
import NIOHTTPTypes

/// Closes the connection of a client that reads its answer too slowly, or not at all.
///
/// While something waits to be sent, the client has to read ``Limit/bytes`` in each ``Limit/window``. Time in which
/// nothing waits, as between the events of a stream, doesn't count. Each connection of HTTP/1.1 has a handler of this
/// type, and each stream of HTTP/2, whose clients can let one stream wait and read the others.
package final class ReadingPace: ChannelOutboundHandler, RemovableChannelHandler {
    package typealias OutboundIn = HTTPResponsePart
    package typealias OutboundOut = HTTPResponsePart

    /// The pace at which a client has to read.
    package struct Limit: Sendable {
        /// The least number of bytes in each window.
        var bytes = 30_000
        /// The length of a window.
        var window = TimeAmount.seconds(60)

        package init(bytes: Int = 30_000, window: TimeAmount = TimeAmount.seconds(60)) {
            self.bytes = bytes
            self.window = window
        }
    }

    /// The size of the pieces in which longer parts are sent, in bytes, so that it is known how much of them was read.
    private static let piece = 32 * 1024

    private let limit: Limit
    private let logger: Logger
    /// Bytes that were handed to the connection and not sent yet.
    private var waiting = 0
    /// Bytes sent since the window began.
    private var taken = 0
    /// The time at which the window ends; nil while nothing waits.
    private var deadline: NIODeadline?
    private var timer: Scheduled<Void>?

    package init(limit: Limit, logger: Logger) {
        self.limit = limit
        self.logger = logger
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .body(var rest) = unwrapOutboundIn(data), rest.readableBytes > 0 else {
            return context.write(data, promise: promise)
        }
        while let piece = rest.readSlice(length: min(Self.piece, rest.readableBytes)) {
            let isLast = rest.readableBytes == 0
            let sent = (isLast ? promise : nil) ?? context.eventLoop.makePromise()
            let count = piece.readableBytes
            waiting += count
            sent.futureResult.assumeIsolated().whenComplete { _ in
                self.waiting -= count
                self.taken += count
                if self.waiting == 0 { self.deadline = nil }
            }
            context.write(wrapOutboundOut(.body(piece)), promise: sent)
            if isLast { return }
        }
    }

    package func flush(context: ChannelHandlerContext) {
        context.flush()
        guard waiting > 0, deadline == nil else { return }
        beginWindow(context)
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
    }

    private func beginWindow(_ context: ChannelHandlerContext) {
        let deadline = context.eventLoop.now + limit.window
        self.deadline = deadline
        taken = 0
        if timer == nil { schedule(at: deadline, context) }
    }

    private func schedule(at deadline: NIODeadline, _ context: ChannelHandlerContext) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) {
            self.timer = nil
            self.check(context)
        }
    }

    private func check(_ context: ChannelHandlerContext) {
        guard let deadline else { return }
        guard deadline <= context.eventLoop.now else {
            // Everything had been sent meanwhile, and something else has waited since.
            return schedule(at: deadline, context)
        }
        guard taken < limit.bytes else { return beginWindow(context) }
        logger.info("a client that doesn't read was cut off", metadata: ["bytes": "\(taken)"])
        context.close(promise: nil)
    }
}
