import Core
import Foundation
import People
import Serving

/// An event in Mastodon's form.
struct StreamMessage: Sendable {
    /// The event's name: `update`, `status.update`, `delete`, `notification` or `conversation`.
    var name: String
    /// The event's payload: JSON on one line, or for `delete` an id.
    var payload: [UInt8]
}

/// The translation of Tintype's events into events of Mastodon's streams.
struct StreamTranslation: Sendable {
    let posts: PostService
    let statuses: PostEntities
    let chats: ChatService
    let conversations: ChatEntities

    /// The members of a status that decide whether the list of public posts, or that of a hashtag, contains it.
    private struct Status: Decodable {
        struct Tag: Decodable { var name: String }

        var visibility: String
        var in_reply_to_id: String?
        var tags: [Tag]
    }

    private struct Reference: Decodable { var id: String }
    private struct Message: Decodable { var chat_id: String }

    /// A post for everyone, or its deletion, as streams report it.
    private struct PublicPost {
        let message: StreamMessage
        /// The names of the post's hashtags; nil for a deletion, which all streams report.
        let tags: Set<String>?

        /// Returns the message on a stream; nil when the stream is one of a hashtag that the post doesn't have.
        func message(on stream: StreamSubscription) -> StreamMessage? {
            guard let tag = stream.tag, let tags else { return message }
            return tags.contains(tag.name) ? message : nil
        }
    }

    /// Returns the messages for an event on some streams of a client, in the order of the streams. Left out are streams
    /// to which the event doesn't belong, and all whose subject the viewer can't see any more.
    func messages(
        _ event: EventBus.Event, on streams: [StreamSubscription], for session: Session
    ) async throws -> [(stream: StreamSubscription, message: StreamMessage)] {
        // A client may listen to many hashtags, so the post is looked up once for all streams.
        let hasPublicPosts = streams.contains { $0.name.isOfPublicPosts }
        let post = hasPublicPosts ? try await publicPost(event, for: session) : nil
        var messages: [(stream: StreamSubscription, message: StreamMessage)] = []
        for stream in streams {
            let message: StreamMessage? =
                switch stream.name {
                // Apps see messages as statuses.
                case .user where event.name == .messageDeleted, .direct where event.name == .messageDeleted:
                    deletion(event)
                case .user: own(event)
                case .userNotification: event.name == .notification ? own(event) : nil
                case .everyone, .everyoneMedia, .everyoneLocal, .everyoneLocalMedia, .hashtag, .hashtagLocal:
                    post?.message(on: stream)
                case .direct: try await conversation(event, for: session)
                case .everyoneRemote, .everyoneRemoteMedia, .list: nil
                }
            if let message { messages.append((stream: stream, message: message)) }
        }
        return messages
    }

    /// Translates the events that Mastodon knows (Documentation/Interface.md, "Streams").
    private func own(_ event: EventBus.Event) -> StreamMessage? {
        guard let name = event.name, !name.isOwn, name != .reset else { return nil }
        return StreamMessage(name: name.description, payload: event.data)
    }

    /// Translates the deletion of a message.
    private func deletion(_ event: EventBus.Event) -> StreamMessage? {
        Self.reference(event).map { StreamMessage(name: "delete", payload: Array($0.id.utf8)) }
    }

    /// Translates events about posts for everyone; nil for other events, and for a post that the viewer can't see any
    /// more.
    private func publicPost(_ event: EventBus.Event, for session: Session) async throws -> PublicPost? {
        switch event.name {
        case .postDeleted: return own(event).map { PublicPost(message: $0, tags: nil) }
        case .post, .postChanged:
            let status = try? JSONDecoder().decode(Status.self, from: Data(event.data))
            guard let status, status.visibility == "public", status.in_reply_to_id == nil else { return nil }
            return own(event).map { PublicPost(message: $0, tags: Set(status.tags.map(\.name))) }
        case .publicPost:
            // People who don't follow the author learn only that there is a post.
            guard let id = Self.reference(event)?.id, let id = Post.ID(id) else { return nil }
            return try await seen {
                let post = try await posts.post(id, for: session.account)
                let message = StreamMessage(name: "update") {
                    statuses.status(post, viewer: Reader(session), into: &$0)
                }
                return PublicPost(message: message, tags: Set(Caption.tags(post.caption).map(\.name)))
            }
        default: return nil
        }
    }

    private func conversation(_ event: EventBus.Event, for session: Session) async throws -> StreamMessage? {
        guard event.name == .message,
            let message = try? JSONDecoder().decode(Message.self, from: Data(event.data)),
            let id = Chat.ID(message.chat_id)
        else { return nil }
        return try await seen {
            let chat = try await chats.chat(id, for: session.account)
            // A chat that waits as a request is in the list of requests, and not among the conversations.
            guard !chat.isRequest else { return nil }
            return StreamMessage(name: "conversation") {
                conversations.conversation(chat, session.account, reader: Reader(session), into: &$0)
            }
        }
    }

    private static func reference(_ event: EventBus.Event) -> Reference? {
        try? JSONDecoder().decode(Reference.self, from: Data(event.data))
    }

    /// Returns what streams report of something that may be deleted by the time they read it; nil when it is.
    private func seen<T: Sendable>(_ look: () async throws -> T?) async throws -> T? {
        do {
            return try await look()
        } catch let refusal as Refusal where refusal == .notFound {
            return nil
        }
    }
}

extension StreamMessage {
    fileprivate init(name: String, _ write: (inout JSONWriter) -> Void) {
        var json = JSONWriter(capacity: 4096)
        write(&json)
        self.init(name: name, payload: json.bytes)
    }

    /// Returns the text of a WebSocket's message. Apps require all three members (Documentation/Interface.md, "What
    /// apps need").
    func text(on stream: StreamSubscription) -> [UInt8] {
        var json = JSONWriter(capacity: payload.count + payload.count / 8 + 100)
        json.object { json in
            json.array("stream", stream.parts) { $0.value($1) }
            json.member("event", name)
            json.member("payload", String(decoding: payload, as: UTF8.self))
        }
        return json.bytes
    }
}
