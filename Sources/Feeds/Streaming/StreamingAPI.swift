import Core
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import People
import ServiceLifecycle
import Serving

/// Live events for Mastodon's apps: over a WebSocket, and as server-sent events
/// (Documentation/Interface.md, "Streams").
struct StreamingAPI {
    let events: EventBus
    let sessions: SessionService
    let translation: StreamTranslation

    /// The most heartbeats, of 15 seconds each, for which a WebSocket stays open without a subscription.
    private static let idleBeats = 8

    func add(to router: Router<AppContext>) {
        router.get("api/v1/streaming", use: webSocket)
        for stream in StreamName.allCases {
            router.get(RouterPath("api/v1/streaming/\(stream.path)")) { request, context in
                try await serverSentEvents(stream, request, context)
            }
        }
        router.get("api/v1/streaming/health") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "text/plain"],
                body: .init(byteBuffer: ByteBuffer(string: "OK")))
        }
    }

    /// Sends a stream as server-sent events. Every block has a line `event:`, and every line ends with a line feed
    /// alone (Documentation/Interface.md, "What apps need").
    private func serverSentEvents(
        _ name: StreamName, _ request: Request, _ context: AppContext
    ) async throws -> Response {
        let (session, translation) = (try context.ownSession, translation)
        let stream = try await subscription(name, Input.query(request), for: session)
        return try EventStreams(events: events, sessions: sessions).response(context, after: nil) {
            ":)\n"
        } write: { event, buffer in
            if event.name == nil {
                buffer.writeStaticString(":thump\n")
            } else {
                for (_, message) in try await translation.messages(event, on: [stream], for: session) {
                    buffer.writeString("event: \(message.name)\n")
                    buffer.writeEventData(message.payload)
                }
            }
        }
    }

    /// - Throws: ``Refusal``: 400 for a stream of hashtags or of a list that names none, 404 for a list of someone else's.
    private func subscription(
        _ name: StreamName, _ input: Input, for session: Session
    ) async throws -> StreamSubscription {
        let stream = try StreamSubscription(name, tag: input.string("tag"), list: input.string("list"))
        if let list = stream.list { _ = try await translation.relations.list(list, of: session.account) }
        return stream
    }

    private func webSocket(_ request: Request, _ context: AppContext) async throws -> Response {
        let (session, channel) = (try context.ownSession, context.channel)
        guard request.asksForWebSocket else {
            throw Refusal.malformed("Open a WebSocket at this address, or ask for /api/v1/streaming/user.")
        }
        guard request.headers[.secWebSocketVersion] == "13" else {
            return Response(status: .upgradeRequired, headers: [.secWebSocketVersion: "13"])
        }
        var streams: Set<StreamSubscription> = []
        let input = Input.query(request)
        if let name = input.filled("stream") {
            guard let stream = StreamName(rawValue: name) else {
                throw Refusal.invalid("stream", "ERR_INVALID", "There is no stream of this name.")
            }
            streams.insert(try await subscription(stream, input, for: session))
        }
        let subscriptions = StreamSubscriptions(streams)
        let (socket, headers) = try await WebSocket.accept(request, on: channel) {
            subscriptions.handle(Array(buffer: $0))
        }
        // The stream starts before the answer, so that no event after the answer is missed.
        let subscription = events.subscribe(session.account.id, session: session.id, after: nil) {
            socket.end(.policyViolation)
        }
        channel.closeFuture.whenComplete { [events] _ in events.unsubscribe(subscription) }
        let body = ResponseBody { [self] writer in
            try await send(subscription, subscriptions, socket, session, &writer)
            try await writer.finish(nil)
        }
        return Response(status: .switchingProtocols, headers: headers, body: body)
    }

    /// Sends events until their stream ends, and then closes the WebSocket.
    private func send(
        _ subscription: EventBus.Subscription, _ subscriptions: StreamSubscriptions, _ socket: WebSocket,
        _ session: Session, _ writer: inout any ResponseBodyWriter
    ) async throws {
        // A log-in that ended after the check of its token had no stream to end then.
        guard try await sessions.isOpen(session.id) else { return socket.end(.policyViolation) }
        var (beats, idleBeats) = (0, 0)
        try await withGracefulShutdownHandler {
            for await event in subscription.stream {
                let streams = subscriptions.streams
                guard event.name != nil else {
                    beats += 1
                    guard try await sessions.isStillOpen(session.id, atBeat: beats) else { break }
                    idleBeats = streams.isEmpty ? idleBeats + 1 : 0
                    guard idleBeats < Self.idleBeats else { return socket.end(.policyViolation) }
                    socket.beat()
                    continue
                }
                for (stream, message) in try await translation.messages(event, on: streams, for: session) {
                    try await writer.write(WebSocket.frame(message.text(on: stream)))
                }
            }
        } onGracefulShutdown: { [events] in
            socket.end(.goingAway)
            // Without this, the server would wait for a stream that has no end.
            events.unsubscribe(subscription)
        }
        // The log-in has ended, or newer streams have replaced this one.
        socket.end(.policyViolation)
    }
}
