import Core
import Foundation
import Hummingbird
import People
import Serving
import Storage

/// JSON routes of chats of two as Pixelfed's apps ask for them: by the other person, not by the chat
/// (Documentation/Interface.md, "Conversations, as Mastodon has them").
struct DirectThreadAPI {
    let chats: ChatService
    let messages: MessageService
    let relations: RelationshipService
    let entities: ChatEntities

    /// The most people that a search finds.
    private static let found = 20

    func add(to router: Router<AppContext>) {
        router.get("api/v1.1/direct/thread", use: thread)
        router.post("api/v1.1/direct/thread/send", use: send)
        router.delete("api/v1.1/direct/thread/message") { request, context in
            let viewer = try context.viewer
            let id: Message.ID = try await required("id", request, context)
            guard let seen = try await messages.seen(id, for: viewer) else { throw Refusal.notFound }
            try await messages.delete(id, in: seen.chat.id, by: viewer)
            return Response.json(for: request) { $0.emptyArray() }
        }
        router.post("api/v1.1/direct/thread/read") { request, context in
            let viewer = try context.viewer
            let person: Account.ID = try await required("pid", request, context)
            if let chat = try await chats.chat(with: person, for: viewer), let last = chat.lastMessage {
                try await chats.markRead(chat.id, through: last.id, by: viewer)
            }
            return Response.json(for: request) { $0.emptyArray() }
        }
        for (path, isOn) in [("mute", true), ("unmute", false)] {
            router.post("api/v1.1/direct/thread/\(path)") { request, context in
                let viewer = try context.viewer
                let person: Account.ID = try await required("id", request, context)
                guard let chat = try await chats.chat(with: person, for: viewer) else {
                    throw Refusal.conflict("You have no chat with this person yet.")
                }
                _ = try await isOn ? chats.mute(chat.id, by: viewer) : chats.unmute(chat.id, by: viewer)
                return Response.json(for: request) { $0.emptyArray() }
            }
        }
        router.post("api/v1.1/direct/lookup") { request, context in
            let viewer = try context.viewer
            let query = try await Input.read(request, context).text("q")
            guard !query.isEmpty else {
                throw Refusal.invalid("q", "ERR_BLANK", "Write a part of a name.")
            }
            let people = try await relations.search(query, for: viewer, limit: Self.found)
            return receivers(people.map(\.account), viewer, request)
        }
        router.get("api/v1.1/direct/compose/mutuals") { request, context in
            let viewer = try context.viewer
            let people = try await relations.search("", among: .friends, for: viewer, limit: Self.found)
            return receivers(people.map(\.account), viewer, request)
        }
    }

    private func thread(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = Input.query(request)
        let person: Account.ID = try Self.required("pid", input)
        let thread = try await messages.thread(with: person, for: viewer, page: PageRequest(input))
        return .json(for: request, capacity: 4096) {
            entities.thread(thread, viewer, context.reader, into: &$0)
        }
    }

    private func send(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let key = try MessageKey.read(request).map { "direct \($0)" }
        let input = try await Input.read(request, context)
        let person: Account.ID = try Self.required("to_id", input)
        let draft = MessageService.Draft(text: input.text("message"))
        let sent = try await messages.send(
            [.init(draft: draft, key: key)], toPeople: [person], by: viewer, key: nil)
        let seen = try await messages.seen(firstOf: sent, for: viewer)
        return .json(for: request) {
            entities.direct(seen.message, in: seen.chat, viewer, context.reader, into: &$0)
        }
    }

    private func required<Entity>(
        _ name: String, _ request: Request, _ context: AppContext
    ) async throws -> ID<Entity> {
        try Self.required(name, try await Input.read(request, context))
    }

    /// Returns an id of a parameter.
    ///
    /// - Throws: ``Refusal`` (422) without one, and for a text that is none.
    private static func required<Entity>(_ name: String, _ input: Input) throws -> ID<Entity> {
        guard let text = input.filled(name) else {
            throw Refusal.invalid(name, "ERR_BLANK", "Say whom or what you mean by its id.")
        }
        return try Input.id(text, in: name, of: "anything")
    }

    private func receivers(_ people: [Account], _ viewer: Account, _ request: Request) -> Response {
        .json(for: request) { json in
            json.array(people.filter { $0.id != viewer.id }) { json, account in
                json.object { json in
                    json.member("local", true)
                    json.member("id", account.id)
                    json.member("name", account.username)
                    json.member("privacy", account.approvesFollowers)
                    json.member("avatar", entities.entities.portraitURL(of: account))
                    json.key("account")
                    entities.entities.account(account, into: &json)
                }
            }
        }
    }
}

extension MessageService {
    /// The messages of two people, newest first.
    struct DirectThread: Sendable {
        let peer: Account
        /// The chat of the two; nil when there is none yet.
        let chat: Chat?
        let messages: [Message]
    }

    /// Returns one page of what the viewer and somebody have written each other. The messages count as delivered.
    ///
    /// - Throws: ``Refusal`` (404) for the viewer, and for someone who can't be seen.
    func thread(with peer: Account.ID, for viewer: Account, page: PageRequest) async throws -> DirectThread {
        let (thread, arrived) = try await database.read { transaction in
            guard peer != viewer.id else { throw Refusal.notFound }
            let account = try AccountRecords(transaction).account(peer, for: viewer)
            guard let chat = try ChatRecords(transaction).chat(with: peer, for: viewer) else {
                return (DirectThread(peer: account, chat: nil, messages: []), Message.ID?.none)
            }
            let member = try ChatRecords(transaction).member(chat.id, of: viewer)
            let (found, arrived) = try MessageRecords(transaction).messages(of: member, page: page)
            return (DirectThread(peer: account, chat: chat, messages: found), arrived)
        }
        if let arrived, let chat = thread.chat { await chats.arrived(chat.id, through: arrived, for: viewer) }
        return thread
    }
}

extension ChatService {
    /// Returns the viewer's chat with somebody; nil when there is none yet.
    ///
    /// - Throws: ``Refusal`` (404) for the viewer, and for someone who can't be seen.
    fileprivate func chat(with peer: Account.ID, for viewer: Account) async throws -> Chat? {
        try await database.read { transaction in
            guard peer != viewer.id else { throw Refusal.notFound }
            _ = try AccountRecords(transaction).account(peer, for: viewer)
            return try ChatRecords(transaction).chat(with: peer, for: viewer)
        }
    }
}

/// The JSON of chats of two, as Pixelfed's apps read it.
extension ChatEntities {
    /// Writes the messages of two people.
    func thread(
        _ thread: MessageService.DirectThread, _ viewer: Account, _ reader: Reader,
        into json: inout JSONWriter
    ) {
        let peer = thread.peer
        json.object { json in
            json.member("id", peer.id)
            json.member("name", peer.displayName)
            json.member("username", peer.username)
            json.member("avatar", entities.portraitURL(of: peer))
            json.member("url", entities.publicURL + AppPaths.profile(peer.username))
            json.member("muted", thread.chat?.mute != nil)
            json.member("isLocal", true)
            json.null("domain")
            json.member("created_at", peer.id.createdAt)
            json.member("updated_at", peer.id.createdAt)
            json.member("timeAgo", "")
            json.member("lastMessage", "")
            json.array("messages", thread.messages) { json, message in
                if let chat = thread.chat { direct(message, in: chat, viewer, reader, into: &json) }
            }
        }
    }

    /// Writes a message. A picture that may be seen once is a text that says so.
    func direct(
        _ message: Message, in chat: Chat, _ viewer: Account, _ reader: Reader, into json: inout JSONWriter
    ) {
        let isOwn = message.sender == viewer.id
        json.object { json in
            json.member("id", message.id)
            json.member("reportId", message.id)
            json.member("hidden", chat.isRequest)
            json.member("isAuthor", isOwn)
            json.member("type", message.photo == nil ? "text" : "photo")
            json.member("text", message.statusText(for: viewer.id))
            json.member("media", message.photo.map { entities.url($0.id, .large, viewer: reader) })
            json.array("carousel", [message.photo].compactMap { $0 }) {
                entities.media($1, viewer: reader, into: &$0)
            }
            json.member("created_at", message.id.createdAt)
            json.member("timeAgo", "")
            json.member("seen", message.id <= (isOwn ? chat.peerMarks.readThrough : chat.readThrough))
            json.null("meta")
        }
    }
}
