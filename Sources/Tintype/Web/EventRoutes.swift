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
            let counts = String(decoding: try await badges.json(for: context.viewer), as: UTF8.self)
            let greeting = "retry: 1000\n\nevent: tintype.counts\ndata: \(counts)\n\n"
            return try stream(
                context, after: last.flatMap { Int($0) }, greeting: greeting, heartbeat: ":\n\n"
            ) {
                event, buffer in
                buffer.writeString("event: \(event.name)\n")
                if let number = event.number { buffer.writeString("id: \(number)\n") }
                return true
            }
        }
        router.get("api/v1/streaming/user") { _, context in
            // Only what Mastodon knows, and every block with an `event:` line (CLIENTS.md, 4).
            try stream(context, after: nil, greeting: ":)\n", heartbeat: ":thump\n") { event, buffer in
                guard !event.name.hasPrefix("tintype."), event.name != "reset" else { return false }
                buffer.writeString("event: \(event.name)\n")
                return true
            }
        }
        router.get("api/v1/streaming/health") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "text/plain"],
                body: .init(byteBuffer: ByteBuffer(string: "OK")))
        }
    }

    /// - Parameter writeHead: writes the lines before the data; false leaves the event out.
    private func stream(
        _ context: AppContext, after last: Int?, greeting: String, heartbeat: StaticString,
        _ writeHead: @escaping @Sendable (EventBus.Event, inout ByteBuffer) -> Bool
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
            try await writer.write(ByteBuffer(string: greeting))
            try await withGracefulShutdownHandler {
                for await event in subscription.stream {
                    var buffer = ByteBuffer()
                    if event.name.isEmpty {
                        buffer.writeStaticString(heartbeat)
                    } else {
                        guard writeHead(event, &buffer) else { continue }
                        buffer.writeStaticString("data: ")
                        buffer.writeBytes(event.data)
                        buffer.writeStaticString("\n\n")
                    }
                    try await writer.write(buffer)
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
