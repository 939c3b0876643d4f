import Foundation
import Hummingbird
import NIOCore

/// Server-sent events (HTML Living Standard, 9.2): ours for pages, and Mastodon's dialect for apps.
struct EventRoutes {
    let events: EventBus
    let sessions: SessionService

    private static let heartbeatSeconds = 15.0

    func add(to router: Router<AppContext>) {
        router.get("api/v1/events") { request, context in
            let last = request.headers[.lastEventID] ?? Input.query(request).string("last_event_id")
            return try stream(
                context, after: last.flatMap { Int($0) }, greeting: "retry: 1000\n\n", heartbeat: ":\n\n"
            ) { event in
                var text = "event: \(event.name)\n"
                if let number = event.number { text += "id: \(number)\n" }
                return text + "data: "
            }
        }
        router.get("api/v1/streaming/user") { _, context in
            // Only what Mastodon knows, and every block with an `event:` line (CLIENTS.md, 4).
            try stream(context, after: nil, greeting: ":)\n", heartbeat: ":thump\n") { event in
                event.name.hasPrefix("tintype.") || event.name == "reset"
                    ? nil : "event: \(event.name)\ndata: "
            }
        }
        router.get("api/v1/streaming/health") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "text/plain"],
                body: .init(byteBuffer: ByteBuffer(string: "OK")))
        }
    }

    private func stream(
        _ context: AppContext, after last: Int?, greeting: String, heartbeat: String,
        _ prefix: @escaping @Sendable (EventBus.Event) -> String?
    ) throws -> Response {
        guard let session = context.session else { throw Refusal.logInFirst }
        let (events, sessions) = (events, sessions)
        let body = ResponseBody { writer in
            let subscription = events.subscribe(session.account.id, session: session.id, after: last)
            defer { events.unsubscribe(subscription) }
            // A log-in that ended between the check of its token and here has ended no stream.
            guard try await sessions.isOpen(session.id) else { return try await writer.finish(nil) }
            try await writer.write(ByteBuffer(string: greeting))
            for await event in Self.withHeartbeat(subscription) {
                guard let event else {
                    try await writer.write(ByteBuffer(string: heartbeat))
                    continue
                }
                guard let prefix = prefix(event) else { continue }
                var buffer = ByteBuffer()
                buffer.writeString(prefix)
                buffer.writeBytes(event.data)
                buffer.writeString("\n\n")
                try await writer.write(buffer)
            }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: body)
    }

    /// The events, and nil whenever it is time for a sign of life: a dead connection is found by writing.
    private static func withHeartbeat(_ subscription: EventBus.Subscription) -> AsyncStream<EventBus.Event?> {
        let (stream, continuation) = AsyncStream.makeStream(of: EventBus.Event?.self)
        let task = Task {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await event in subscription.stream { continuation.yield(event) }
                    continuation.finish()
                }
                group.addTask {
                    while (try? await Task.sleep(for: .seconds(heartbeatSeconds))) != nil {
                        continuation.yield(nil)
                    }
                }
                await group.next()
                group.cancelAll()
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }
}
