import Foundation
import Serving
import Synchronization

/// A stream of Mastodon's interface (docs.joinmastodon.org/methods/streaming). Clients can subscribe to streams that
/// Tintype doesn't have, such as hashtags and lists, and receive no events from them.
enum StreamName: String, Sendable, CaseIterable {
    case user
    case userNotification = "user:notification"
    case everyone = "public"
    case everyoneMedia = "public:media"
    case everyoneLocal = "public:local"
    case everyoneLocalMedia = "public:local:media"
    case everyoneRemote = "public:remote"
    case everyoneRemoteMedia = "public:remote:media"
    case hashtag
    case hashtagLocal = "hashtag:local"
    case list
    case direct

    /// The path of its server-sent events, below `/api/v1/streaming/`.
    var path: String { rawValue.replacingOccurrences(of: ":", with: "/") }
}

/// The streams to which the client of a WebSocket subscribes with messages such as
/// `{"type":"subscribe","stream":"user"}`.
final class StreamSubscriptions: Sendable {
    private struct Command: Decodable {
        var type: String
        var stream: String
    }

    private let state: Mutex<Set<StreamName>>

    init(_ streams: Set<StreamName>) { state = Mutex(streams) }

    /// The subscribed streams, each once, in a stable order.
    var streams: [StreamName] {
        let streams = state.withLock { $0 }
        return streams.count < 2 ? Array(streams) : StreamName.allCases.filter(streams.contains)
    }

    /// Handles a message of the client. Returns an error as JSON; nil when the message is valid.
    func handle(_ text: [UInt8]) -> [UInt8]? {
        guard let command = try? JSONDecoder().decode(Command.self, from: Data(text)),
            command.type == "subscribe" || command.type == "unsubscribe"
        else { return Self.refusal("Send {\"type\": \"subscribe\", \"stream\": \"user\"}.") }
        guard let stream = StreamName(rawValue: command.stream) else {
            return Self.refusal("There is no stream of this name.")
        }
        state.withLock { streams in
            if command.type == "subscribe" { streams.insert(stream) } else { streams.remove(stream) }
        }
        return nil
    }

    private static func refusal(_ sentence: String) -> [UInt8] {
        var json = JSONWriter(capacity: 100)
        json.object { json in
            json.member("error", sentence)
            json.member("status", 400)
        }
        return json.bytes
    }
}
