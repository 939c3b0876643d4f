import NIOCore

/// Closes a connection with TLS on which no request has been open for too long.
///
/// Hummingbird's time limits begin with HTTP. Without this one the TLS handshake could take for ever, and a client of
/// HTTP/2 that doesn't answer the server's goodbye after the idle time could stay connected for ever.
package final class RequestDeadline: ChannelInboundHandler {
    package typealias InboundIn = NIOAny

    private let patience: TimeAmount
    private var openCount = 0
    private var timer: Scheduled<Void>?

    init(patience: TimeAmount) {
        self.patience = patience
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        begin(context)
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
    }

    fileprivate func open() {
        openCount += 1
        timer?.cancel()
        timer = nil
    }

    fileprivate func close(_ context: ChannelHandlerContext) {
        openCount -= 1
        if openCount == 0 { begin(context) }
    }

    private func begin(_ context: ChannelHandlerContext) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: patience) {
            context.close(promise: nil)
        }
    }

    /// Reports to the ``RequestDeadline`` of a connection that HTTP/1.1, or a stream of HTTP/2, is open on it.
    package final class Stay: ChannelInboundHandler, RemovableChannelHandler {
        package typealias InboundIn = NIOAny

        private var deadline: (RequestDeadline, ChannelHandlerContext)?

        package init() {}

        package func handlerAdded(context: ChannelHandlerContext) {
            for pipeline in [context.pipeline, context.channel.parent?.pipeline].compactMap({ $0 }) {
                guard let found = try? pipeline.syncOperations.context(handlerType: RequestDeadline.self),
                    let handler = found.handler as? RequestDeadline
                else { continue }
                handler.open()
                deadline = (handler, found)
                return
            }
        }

        package func handlerRemoved(context: ChannelHandlerContext) {
            if let (handler, context) = deadline { handler.close(context) }
            deadline = nil
        }
    }
}
