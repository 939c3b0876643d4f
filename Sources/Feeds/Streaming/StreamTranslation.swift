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

    /// Returns the message for an event on a stream; nil when the event doesn't belong there, or the viewer can't see
    /// its subject any more.
    func message(
        _ event: EventBus.Event, on stream: StreamSubscription, for session: Session
    ) async throws -> StreamMessage? {
        switch stream.name {
        // Apps see messages as statuses.
        case .user where event.name == .messageDeleted, .direct where event.name == .messageDeleted:
            deletion(event)
        case .user: own(event)
        case .userNotification: event.name == .notification ? own(event) : nil
        case .everyone, .everyoneMedia, .everyoneLocal, .everyoneLocalMedia, .hashtag, .hashtagLocal:
            try await publicPost(event, with: stream.tag, for: session)
        case .direct: try await conversation(event, for: session)
        case .everyoneRemote, .everyoneRemoteMedia, .list: nil
        }
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

    /// Translates events about posts for everyone.
    ///
    /// - Parameter tag: the hashtag that the posts have in their captions; nil for all posts.
    private func publicPost(
        _ event: EventBus.Event, with tag: Hashtag?, for session: Session
    ) async throws -> StreamMessage? {
        switch event.name {
        case .postDeleted: return own(event)
        case .post, .postChanged:
            let status = try? JSONDecoder().decode(Status.self, from: Data(event.data))
            guard let status, status.visibility == "public", status.in_reply_to_id == nil,
                tag.map({ tag in status.tags.contains { $0.name == tag.name } }) ?? true
            else { return nil }
            return own(event)
        case .publicPost:
            // People who don't follow the author learn only that there is a post.
            guard let id = Self.reference(event)?.id, let id = Post.ID(id) else { return nil }
            return try await seen {
                let post = try await posts.post(id, for: session.account)
                if let tag, !Caption.tags(post.caption).contains(where: { $0.name == tag.name }) {
                    return nil
                }
                return StreamMessage(name: "update") {
                    statuses.status(post, viewer: Reader(session), into: &$0)
                }
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

    /// Returns a message about something that may be deleted by the time the stream reads it; nil when it is.
    private func seen(_ look: () async throws -> StreamMessage?) async throws -> StreamMessage? {
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
