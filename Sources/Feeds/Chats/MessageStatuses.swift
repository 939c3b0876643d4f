import Core
import Hummingbird
import People
import Serving
import Storage

/// The messages of chats as statuses, in Mastodon's calls about statuses (Documentation/Interface.md, "Conversations, as
/// Mastodon has them").
///
/// An app needs the permissions of chats besides those of statuses.
struct MessageStatuses: Sendable {
    let chats: ChatService
    let messages: MessageService
    let entities: ChatEntities

    /// What posts have to know.
    var asOthers: OtherStatuses {
        OtherStatuses(kind: MessageReports.kind, answer: answer, write: write, find: find) {
            id, viewer, transaction in
            try MessageRecords(transaction).seen(ID(rawValue: id), for: viewer).map {
                ($0.message.sender, MessageReports.subject($0.message, in: $0.chat.id))
            }
        }
    }

    // MARK: One message

    @Sendable private func answer(
        _ call: OtherStatuses.Call, _ id: Int64, _ request: Request, _ context: AppContext
    ) async throws -> Response? {
        let viewer = try context.viewer
        guard let seen = try await messages.seen(ID(rawValue: id), for: viewer) else { return nil }
        let (message, chat) = (seen.message, seen.chat)
        switch call {
        case .look:
            try context.require(.read(.chats))
            return status(message, of: chat, viewer, request, context)
        case .context:
            try context.require(.read(.chats))
            return try await thread(of: message, in: chat, viewer, request, context)
        case .likers:
            try context.require(.read(.chats))
            let likers = message.likers
            return .json(for: request) { json in
                json.array(chat.people(viewer).filter { likers.contains($0.id) }) {
                    entities.entities.account($1, into: &$0)
                }
            }
        case .boosters, .history:
            try context.require(.read(.chats))
            return .json(for: request) { $0.emptyArray() }
        case .delete:
            try context.require(.write(.chats))
            try await messages.delete(message.id, in: chat.id, by: viewer)
            return status(message, of: chat, viewer, request, context)
        case .like(let isOn):
            try context.require(.write(.chats))
            return try await like(isOn, message, in: chat, viewer, request, context)
        case .source, .edit:
            throw Refusal(.invalid, "A message can’t be changed. Delete it, and write another one.")
        case .save:
            throw Refusal(
                .invalid, "Messages can’t be saved. Save the photo of a message to your library in Tintype.")
        case .pin: throw Refusal(.invalid, "A message can’t be pinned. Only posts are shown on a profile.")
        case .muteThread: throw Refusal(.invalid, "A message can’t be muted. Mute the whole chat in Tintype.")
        }
    }

    /// Sets the heart of the viewer, in place of another reaction, or takes it back. Another reaction stays then.
    private func like(
        _ isOn: Bool, _ message: Message, in chat: Chat, _ viewer: Account, _ request: Request,
        _ context: AppContext
    ) async throws -> Response {
        var changed = message
        if isOn || message.likers.contains(viewer.id) {
            changed = try await messages.react(
                isOn ? Message.heart : nil, to: message.id, in: chat.id, by: viewer)
        }
        return status(changed, of: chat, viewer, request, context)
    }

    private func thread(
        of message: Message, in chat: Chat, _ viewer: Account, _ request: Request, _ context: AppContext
    ) async throws -> Response {
        let thread = try await messages.thread(around: message.id, in: chat.id, for: viewer)
        return .json(for: request, capacity: 8192) { json in
            json.object { json in
                for (name, part) in [
                    ("ancestors" as StaticString, thread.before), ("descendants", thread.after),
                ] {
                    json.array(name, part) {
                        entities.status($1, of: chat, viewer, context.reader, into: &$0)
                    }
                }
            }
        }
    }

    private func status(
        _ message: Message, of chat: Chat, _ viewer: Account, _ request: Request, _ context: AppContext
    ) -> Response {
        // An app that may only write can refer to a message that it has never read.
        let shown =
            context.allows(.read(.chats))
            ? message : message.sender == viewer.id ? message.withoutQuote : message.withoutContent
        return .json(for: request, capacity: 4096) {
            entities.status(shown, of: chat, viewer, context.reader, into: &$0)
        }
    }

    // MARK: Finding

    @Sendable private func find(
        _ text: String, _ page: PageRequest, _ context: AppContext
    ) async throws -> [OtherStatuses.Found] {
        guard context.allows(.read(.chats)) else { return [] }
        let (viewer, reader) = (try context.viewer, context.reader)
        return try await messages.search(MessageQuery(text), for: viewer, page: page).all.map { seen in
            OtherStatuses.Found(id: seen.message.id.rawValue) {
                entities.status(seen.message, of: seen.chat, viewer, reader, into: &$0)
            }
        }
    }

    // MARK: Writing

    @Sendable private func write(
        _ input: Input, _ parent: Int64?, _ request: Request, _ context: AppContext
    ) async throws -> Response? {
        let viewer = try context.viewer
        let key = try MessageKey.read(request).map { "status \($0)" }
        let form = MessageStatusForm(input, key: key, at: entities.entities.publicURL)
        // What was sent before is answered again, also when the answered message is deleted since.
        if let key, let known = try await messages.sent(withKey: key, by: viewer) {
            try context.require(.write(.chats))
            return status(known.message, of: known.chat, viewer, request, context)
        }
        let sent: [Message]
        if let parent {
            guard let answered = try await messages.seen(ID(rawValue: parent), for: viewer) else {
                return nil
            }
            try context.require(.write(.chats))
            try form.check()
            let receivers = Set(
                answered.chat.people(viewer).map { AccountRules.folded(username: $0.username) })
            let parts = try form.parts(for: receivers, answering: answered.message.id)
            sent = try await messages.send(parts, to: answered.chat.id, by: viewer)
        } else {
            try context.require(.write(.chats))
            try form.check()
            let people = try await chats.receivers(of: form.addressing, by: viewer)
            let parts = try form.parts(
                for: Set(people.keys).union([AccountRules.folded(username: viewer.username)]))
            sent = try await messages.send(
                parts, toPeople: people.values.map(\.id), by: viewer,
                key: IdempotencyKey.read(request, scope: "status group"))
        }
        let seen = try await messages.seen(firstOf: sent, for: viewer)
        return status(seen.message, of: seen.chat, viewer, request, context)
    }
}

extension AppContext {
    /// Checks a permission that a call needs for some of its things only.
    ///
    /// - Throws: ``Refusal`` (403) for an app that doesn't have it.
    fileprivate func require(_ scope: OAuthScope) throws {
        guard allows(scope) else { throw Refusal.outOfScope(scope) }
    }
}

extension Message {
    /// The reaction that apps know as a favourite.
    static let heart = "❤️"

    /// Those who reacted with a heart, with or without the sign that asks for a coloured one (U+FE0F).
    var likers: Set<Account.ID> {
        Set(reactions.filter { ["\u{2764}", "\u{2764}\u{FE0F}"].contains($0.emoji) }.map(\.account))
    }
}

extension Chat {
    /// Returns all people of the chat.
    ///
    /// - Parameter viewer: the person who sees the chat, who is one of them.
    func people(_ viewer: Account) -> [Account] { [viewer] + others }
}

// MARK: Reading

extension MessageService {
    /// A message with its chat, as somebody sees both.
    struct Seen: Sendable {
        let message: Message
        let chat: Chat
    }

    /// Returns a message of any of the viewer's chats; nil when there is none with the id that the viewer sees.
    func seen(_ id: Message.ID, for viewer: Account) async throws -> Seen? {
        try await database.read { try MessageRecords($0).seen(id, for: viewer) }
    }

    /// Returns the first of some messages that the viewer has sent, with its chat.
    ///
    /// - Throws: ``Refusal`` (410) when it was deleted since.
    func seen(firstOf sent: [Message], for viewer: Account) async throws -> Seen {
        guard let first = sent.first, let found = try await seen(first.id, for: viewer) else {
            throw Refusal.messageDeleted
        }
        return found
    }

    /// Returns the message that the viewer sent with a key; nil when there is none.
    ///
    /// - Throws: ``Refusal`` (410) when it was deleted since, or can't be seen any more.
    func sent(withKey key: String, by viewer: Account) async throws -> Seen? {
        try await database.read { transaction in
            guard let made = try MessageStore(transaction).made(by: viewer.id, key: key) else { return nil }
            guard let seen = try MessageRecords(transaction).seen(made.id, for: viewer) else {
                throw Refusal.messageDeleted
            }
            return seen
        }
    }

    /// The most messages on each side of one, in an answer.
    private static let threadLimit = 40

    /// Returns the messages right before and right after a message, each oldest first. They count as delivered.
    func thread(
        around id: Message.ID, in chat: Chat.ID, for viewer: Account
    ) async throws -> (before: [Message], after: [Message]) {
        let (before, after, arrived) = try await database.read { transaction in
            let member = try ChatRecords(transaction).member(chat, of: viewer)
            let records = MessageRecords(transaction)
            let before = try records.messages(
                of: member, page: PageRequest(limit: Self.threadLimit, olderThan: id.rawValue))
            let after = try records.messages(
                of: member, page: PageRequest(limit: Self.threadLimit, rightAbove: id.rawValue))
            return (before.found, after.found, after.arrived ?? before.arrived)
        }
        if let arrived { await chats.arrived(chat, through: arrived, for: viewer) }
        return (before.reversed(), after.reversed())
    }
}

extension MessageRecords {
    /// Returns a message of any of the viewer's chats; nil when there is none with the id that the viewer sees.
    fileprivate func seen(_ id: Message.ID, for viewer: Account) throws -> MessageService.Seen? {
        guard let place = try MessageStore(transaction).chat(of: id),
            let found = try ChatRecords(transaction).visible([place], to: viewer)[place]
        else { return nil }
        return try ifVisible(id, to: found.member).map { .init(message: $0, chat: found.chat) }
    }
}
