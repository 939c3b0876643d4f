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
    let relations: RelationshipService

    /// The members of a status that decide which streams besides the person's own have it.
    private struct Status: Decodable {
        struct Tag: Decodable { var name: String }
        struct Author: Decodable { var id: String }

        var account: Author
        var visibility: String
        var in_reply_to_id: String?
        var tags: [Tag]
    }

    private struct Reference: Decodable { var id: String }
    private struct Message: Decodable { var chat_id: String }

    /// A post, or its deletion, as streams report it.
    private struct StreamedPost {
        let message: StreamMessage
        /// What decides which streams have the post; nil for a deletion, which all report.
        var facts: Facts?

        struct Facts {
            let isForEveryone: Bool
            /// The names of the post's hashtags.
            let tags: Set<String>
            /// The viewer's lists in which the author is.
            let lists: Set<PeopleList.ID>
        }

        /// Returns the message on a stream; nil when the stream doesn't have the post.
        func message(on stream: StreamSubscription) -> StreamMessage? {
            guard let facts else { return message }
            if let list = stream.list { return facts.lists.contains(list) ? message : nil }
            guard facts.isForEveryone else { return nil }
            return stream.tag.map { facts.tags.contains($0.name) } ?? true ? message : nil
        }
    }

    /// Returns the messages for an event on some streams of a client, in the order of the streams. Left out are streams
    /// to which the event doesn't belong, and all whose subject the viewer can't see any more.
    func messages(
        _ event: EventBus.Event, on streams: [StreamSubscription], for session: Session
    ) async throws -> [(stream: StreamSubscription, message: StreamMessage)] {
        // A client may listen to many hashtags and lists, so the post is looked up once for all streams.
        let hasLists = streams.contains { $0.list != nil }
        let hasPosts = hasLists || streams.contains { $0.name.isOfPublicPosts }
        let post = hasPosts ? try await post(event, for: session, withLists: hasLists) : nil
        var messages: [(stream: StreamSubscription, message: StreamMessage)] = []
        for stream in streams {
            let message: StreamMessage? =
                switch stream.name {
                // Apps see messages as statuses.
                case .user where event.name == .messageDeleted, .direct where event.name == .messageDeleted:
                    deletion(event)
                case .user: own(event)
                case .userNotification: event.name == .notification ? own(event) : nil
                case .everyone, .everyoneMedia, .everyoneLocal, .everyoneLocalMedia, .hashtag, .hashtagLocal,
                    .list:
                    post?.message(on: stream)
                case .direct: try await conversation(event, for: session)
                case .everyoneRemote, .everyoneRemoteMedia: nil
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

    /// Translates events about posts; nil for other events and comments, and for a post that the viewer can't see any
    /// more.
    private func post(
        _ event: EventBus.Event, for session: Session, withLists: Bool
    ) async throws -> StreamedPost? {
        func facts(_ author: Account.ID?, isForEveryone: Bool, tags: [String]) async throws
            -> StreamedPost.Facts
        {
            var lists: Set<PeopleList.ID> = []
            if withLists, let author {
                lists = try await relations.lists(of: session.account.id, with: author)
            }
            return StreamedPost.Facts(isForEveryone: isForEveryone, tags: Set(tags), lists: lists)
        }
        switch event.name {
        case .postDeleted: return own(event).map { StreamedPost(message: $0) }
        case .post, .postChanged:
            let status = try? JSONDecoder().decode(Status.self, from: Data(event.data))
            guard let status, status.in_reply_to_id == nil, let message = own(event) else { return nil }
            return StreamedPost(
                message: message,
                facts: try await facts(
                    Account.ID(status.account.id), isForEveryone: status.visibility == "public",
                    tags: status.tags.map(\.name)))
        case .publicPost, .listedPost:
            // People to whose Home a post doesn't come learn only that there is one.
            guard let id = Self.reference(event)?.id, let id = Post.ID(id) else { return nil }
            return try await seen {
                let post = try await posts.post(id, for: session.account)
                let message = StreamMessage(name: "update") {
                    statuses.status(post, viewer: Reader(session), into: &$0)
                }
                return StreamedPost(
                    message: message,
                    facts: try await facts(
                        post.author.id, isForEveryone: event.name == .publicPost,
                        tags: Caption.tags(post.caption).map(\.name)))
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
