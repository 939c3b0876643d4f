import Core
import Foundation
import People
import Serving
import Synchronization

/// A stream of Mastodon's interface (docs.joinmastodon.org/methods/streaming). Clients can subscribe to streams of other
/// servers' posts, and receive no events from them, since there are none.
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

    /// Whether the stream is one for each hashtag.
    var isOfTag: Bool { self == .hashtag || self == .hashtagLocal }

    /// What an address of the stream takes besides the token; nil for nothing.
    var parameter: String? { isOfTag ? "tag" : self == .list ? "list" : nil }

    /// Whether the stream has posts for everyone, or those of them with a hashtag.
    var isOfPublicPosts: Bool {
        switch self {
        case .everyone, .everyoneMedia, .everyoneLocal, .everyoneLocalMedia, .hashtag, .hashtagLocal: true
        case .user, .userNotification, .everyoneRemote, .everyoneRemoteMedia, .list, .direct: false
        }
    }
}

/// A stream that a client listens to.
struct StreamSubscription: Hashable, Sendable {
    let name: StreamName
    /// The hashtag; nil for a stream of anything else.
    let tag: Hashtag?
    /// The list, which may be anyone's; nil for a stream of anything else.
    let list: PeopleList.ID?

    /// - Throws: ``Refusal`` (400) for a stream of hashtags without one, and for that of a list without its id.
    init(_ name: StreamName, tag: String?, list: String?) throws {
        self.name = name
        self.tag = name.isOfTag ? tag.flatMap { Hashtag($0) } : nil
        self.list = name == .list ? list.flatMap { PeopleList.ID($0) } : nil
        if name.isOfTag, self.tag == nil {
            throw Refusal.malformed("Name a hashtag for this stream, as in tag=dogs.")
        }
        if name == .list, self.list == nil {
            throw Refusal.malformed("Name a list for this stream by its id, as in list=1.")
        }
    }

    /// The stream as messages name it: its name, then the hashtag or the list.
    var parts: [String] {
        [name.rawValue] + (tag.map { [$0.name] } ?? []) + (list.map { ["\($0)"] } ?? [])
    }
}

/// The streams to which the client of a WebSocket subscribes with messages such as
/// `{"type":"subscribe","stream":"user"}`.
final class StreamSubscriptions: Sendable {
    private struct Command: Decodable {
        var type: String
        var stream: String
        var tag: String?
        var list: String?
    }

    /// The most streams of one client.
    private static let most = 40

    private let state: Mutex<Set<StreamSubscription>>

    init(_ streams: Set<StreamSubscription>) { state = Mutex(streams) }

    /// The subscribed streams, each once, in a stable order.
    var streams: [StreamSubscription] {
        let streams = state.withLock { $0 }
        guard streams.count > 1 else { return Array(streams) }
        return StreamName.allCases.flatMap { name in
            streams.filter { $0.name == name }.sorted { $0.parts.lexicographicallyPrecedes($1.parts) }
        }
    }

    /// Handles a message of the client. Returns an error as JSON; nil when the message is valid.
    func handle(_ text: [UInt8]) -> [UInt8]? {
        guard let command = try? JSONDecoder().decode(Command.self, from: Data(text)),
            command.type == "subscribe" || command.type == "unsubscribe"
        else { return Self.refusal("Send {\"type\": \"subscribe\", \"stream\": \"user\"}.") }
        guard let name = StreamName(rawValue: command.stream) else {
            return Self.refusal("There is no stream of this name.")
        }
        guard let stream = try? StreamSubscription(name, tag: command.tag, list: command.list) else {
            let (what, example) =
                name.isOfTag ? ("hashtag", "\"tag\": \"dogs\"") : ("list", "\"list\": \"1\"")
            return Self.refusal("Name a \(what) for this stream, as in \(example).")
        }
        let isFull = state.withLock { streams in
            guard command.type == "subscribe" else {
                streams.remove(stream)
                return false
            }
            guard streams.count < Self.most || streams.contains(stream) else { return true }
            streams.insert(stream)
            return false
        }
        return isFull ? Self.refusal("A connection has at most \(Self.most) streams.") : nil
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
