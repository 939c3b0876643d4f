import Foundation
import Hummingbird
import NIOCore
import ServiceLifecycle

/// Server-sent events (HTML Living Standard, 9.2): ours for pages, and Mastodon's dialect for apps.
struct EventRoutes {
    let events: EventBus
    let sessions: SessionService
    let badges: Badges

    func add(to router: Router<AppContext>) {
        router.get("api/v1/events") { request, context in
            let last = request.headers[.lastEventID] ?? Input.query(request).string("last_event_id")
            let (badges, viewer) = (badges, try context.viewer)
            return try stream(context, after: last.flatMap { Int($0) }) {
                let counts = String(decoding: try await badges.json(for: viewer), as: UTF8.self)
                return "retry: 1000\n\nevent: tintype.counts\ndata: \(counts)\n\n"
            } write: { event, buffer in
                if !event.name.isEmpty { buffer.writeString("event: \(event.name)\n") }
                // A block of nothing but an id is no event, and moves the place that a browser takes up from.
                if let number = event.number { buffer.writeString("id: \(number)\n") }
                buffer.writeData(of: event)
            }
        }
        router.get("api/v1/streaming/user") { _, context in
            // Only what Mastodon knows, and every block with an `event:` line (CLIENTS.md, 4).
            try stream(context, after: nil) {
                ":)\n"
            } write: { event, buffer in
                if event.name.isEmpty {
                    buffer.writeStaticString(":thump\n")
                } else if !event.name.hasPrefix("tintype."), event.name != "reset" {
                    buffer.writeString("event: \(event.name)\n")
                    buffer.writeData(of: event)
                }
            }
        }
        router.get("api/v1/streaming/health") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "text/plain"],
                body: .init(byteBuffer: ByteBuffer(string: "OK")))
        }
    }

    /// - Parameters:
    ///   - greet: what comes first. It is asked once nothing can be missed any more: else what happens between its
    ///     look and the stream's beginning would be in neither.
    ///   - write: writes an event, or nothing to leave it out.
    private func stream(
        _ context: AppContext, after last: Int?, greet: @escaping @Sendable () async throws -> String,
        write: @escaping @Sendable (EventBus.Event, inout ByteBuffer) -> Void
    ) throws -> Response {
        guard let session = context.session else { throw Refusal.logInFirst }
        let (account, sessionID, channel) = (session.account.id, session.id, context.channel)
        let (events, sessions) = (events, sessions)
        let body = ResponseBody { writer in
            let subscription = events.subscribe(account, session: sessionID, after: last) {
                channel.close(promise: nil)
            }
            defer { events.unsubscribe(subscription) }
            // A log-in that ended between the check of its token and here has found no stream to end.
            guard try await sessions.isOpen(sessionID) else { return try await writer.finish(nil) }
            // In a task of its own, whose memory goes when it is done (see `StreamResponder`).
            async let greeting = greet()
            try await writer.write(ByteBuffer(string: greeting))
            try await withGracefulShutdownHandler {
                for await event in subscription.stream {
                    var buffer = ByteBuffer()
                    write(event, &buffer)
                    if buffer.readableBytes > 0 { try await writer.write(buffer) }
                }
            } onGracefulShutdown: {
                // Else the server would wait for a stream that has no end.
                events.unsubscribe(subscription)
            }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: body)
    }
}

extension ByteBuffer {
    /// The end of an event's block: its data, if it has any, and an empty line.
    fileprivate mutating func writeData(of event: EventBus.Event) {
        let data = event.data
        if !data.isEmpty {
            writeStaticString("data: ")
            writeBytes(data)
            writeStaticString("\n")
        }
        writeStaticString("\n")
    }
}
