import Core
import Foundation
import Hummingbird
import NIOCore
import ServiceLifecycle
import Serving

/// The server-sent events for pages (HTML Living Standard, 9.2). Those for Mastodon's apps are in Streaming.
struct EventRoutes {
    let events: EventBus
    let sessions: SessionService
    let badges: Badges

    func add(to router: Router<AppContext>) {
        router.get("api/v1/events") { request, context in
            let query = Input.query(request)
            let last = request.headers[.lastEventID] ?? query.string("last_event_id")
            let (badges, viewer) = (badges, try context.viewer)
            // A browser connects again by itself, also from a page that stayed open after somebody else had logged in.
            if let account = query.string("account"), account != viewer.id.description {
                throw Refusal.conflict("Somebody else is logged in here now. Load the page again.")
            }
            return try EventStreams(events: events, sessions: sessions).response(
                context, after: last.flatMap { Int($0) }
            ) {
                let counts = String(decoding: try await badges.json(for: viewer), as: UTF8.self)
                return "retry: 1000\n\nevent: tintype.counts\ndata: \(counts)\n\n"
            } write: { event, buffer in
                if let name = event.name { buffer.writeString("event: \(name)\n") }
                // A block with only an id is no event, but moves the place from which a browser resumes.
                if let number = event.number { buffer.writeString("id: \(number)\n") }
                buffer.writeEventData(event.data)
            }
        }
    }
}

/// Answers that are streams of an account's events.
package struct EventStreams {
    package let events: EventBus
    package let sessions: SessionService

    /// The bytes of events after which they are written before more are taken.
    private static let mostBytes = 65_536

    package init(events: EventBus, sessions: SessionService) {
        self.events = events
        self.sessions = sessions
    }

    /// Answers with a stream of the viewer's events.
    ///
    /// - Parameters:
    ///   - greet: returns what comes first. It is called after the stream has begun: otherwise, what happens between
    ///     the call and the beginning of the stream would be in neither.
    ///   - write: writes an event, or nothing to leave it out.
    package func response(
        _ context: AppContext, after last: Int?, greet: @escaping @Sendable () async throws -> String,
        write: @escaping @Sendable (EventBus.Event, inout ByteBuffer) async throws -> Void
    ) throws -> Response {
        guard let session = context.session else { throw Refusal.logInFirst }
        let (account, sessionID, channel) = (session.account.id, session.id, context.channel)
        let (events, sessions) = (events, sessions)
        let body = ResponseBody { writer in
            let subscription = events.subscribe(account, session: sessionID, after: last) {
                channel.close(promise: nil)
            }
            defer { events.unsubscribe(subscription) }
            // A log-in that ended after the check of its token had no stream yet that could be ended.
            guard try await sessions.isOpen(sessionID) else { return try await writer.finish(nil) }
            // In a task of its own, whose memory is freed when it is done (see `StreamResponder`).
            async let greeting = greet()
            try await writer.write(ByteBuffer(string: greeting))
            try await withGracefulShutdownHandler {
                var beats = 0
                for await event in subscription.stream {
                    if event.name == nil {
                        beats += 1
                        guard try await sessions.isStillOpen(sessionID, atBeat: beats) else { break }
                    }
                    var buffer = ByteBuffer()
                    try await write(event, &buffer)
                    // What has come meanwhile goes with it: a message and its count are one write then.
                    while buffer.readableBytes < Self.mostBytes, let next = subscription.stream.takeWaiting()
                    {
                        try await write(next, &buffer)
                    }
                    if buffer.readableBytes > 0 { try await writer.write(buffer) }
                }
            } onGracefulShutdown: {
                // Otherwise the server would wait for a stream that has no end.
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
    /// Writes the end of an event's block: its data, if it has any, and an empty line.
    package mutating func writeEventData(_ data: [UInt8]) {
        if !data.isEmpty {
            writeStaticString("data: ")
            writeBytes(data)
            writeStaticString("\n")
        }
        writeStaticString("\n")
    }
}
