import Core
import Foundation
import People
import Serving
import Storage

extension EventName {
    /// A message was sent.
    static let message = EventName("tintype.message")
    /// A message is gone for everyone.
    static let messageDeleted = EventName("tintype.message.deleted")
    /// The reactions to a message have changed.
    static let reaction = EventName("tintype.message.reaction")
    /// Messages have arrived on a device of another.
    static let delivered = EventName("tintype.delivered")
    /// Messages have been read.
    static let read = EventName("tintype.read")
    /// A message request was answered.
    static let chatRequest = EventName("tintype.request")
    /// A chat was muted, or is no longer.
    static let chatMute = EventName("tintype.chat.mute")
    /// A group has another name, picture or other members.
    static let chatChanged = EventName("tintype.chat")
    /// Somebody else is typing.
    static let typing = EventName(passing: "tintype.typing")
}

extension NewsKind {
    /// A message was sent or has changed: its id and its chat's, 1 for a request, 2 for none and 0 when that says nothing,
    /// the account that is sent an event, and the members of the chat.
    static let message = NewsKind("message")
    /// A message was sent in a group or has changed: its id and its chat's, and 1 for a new one.
    static let groupMessage = NewsKind("group-message")
    /// The number of an account's unread messages has changed: the ids of accounts.
    static let unreadMessages = NewsKind("unread-messages")
}

/// Tells the people of a chat what a transaction did in it, once that is committed (Documentation/Interface.md, "Events").
struct ChatEvents: Sendable {
    let events: EventBus
    let entities: ChatEntities
    let notifications: NotificationService

    /// Sends a new message to both people, also to the sender's other devices. A dropped request is sent only to these.
    func sent(
        _ message: Message, to peer: Account.ID, _ arrival: MessageService.Arrival, _ transaction: Transaction
    ) throws {
        for account in arrival == .dropped ? [message.sender] : [peer, message.sender] {
            let isRequest = arrival == .request && account == peer
            try publish(message, to: account, of: [message.sender, peer], isRequest: isRequest, transaction)
        }
        if arrival == .chat { counted(for: peer, transaction) }
    }

    /// Sends a message of a group to the members who have it.
    func sentInGroup(_ message: Message, _ transaction: Transaction) {
        publishInGroup(message.id, in: message.chat, isNew: true, transaction)
    }

    /// Sends a message of a group that has changed, to the members who have it.
    func changedInGroup(_ message: Message, _ transaction: Transaction) {
        publishInGroup(message.id, in: message.chat, isNew: false, transaction)
    }

    private func publishInGroup(
        _ id: Message.ID, in chat: Chat.ID, isNew: Bool, _ transaction: Transaction
    ) {
        transaction.afterCommit { transaction in
            events.tell(.groupMessage, [id.rawValue, chat.rawValue, isNew ? 1 : 0])
            try publishInGroupHere(id, in: chat, isNew: isNew, transaction)
        }
    }

    /// Makes the events of a group's message on this node: only for the members who have a stream here.
    private func publishInGroupHere(
        _ id: Message.ID, in chat: Chat.ID, isNew: Bool, _ transaction: Transaction
    ) throws {
        let readers = try ChatStore(transaction).members(of: chat).filter {
            $0.has(id) && events.here.reaches($0.account)
        }
        guard !readers.isEmpty, let message = try MessageStore(transaction).message(id, in: chat) else {
            return
        }
        let faces = try AccountRecords(transaction).unchecked(message.named)
        var blockers: [Account.ID: Set<Account.ID>] = [:]
        for author in message.authors {
            let relationships = try RelationshipRecords(transaction).relationships(
                of: author, to: readers.map(\.account))
            blockers[author] = Set(relationships.values.filter(\.isBlockedBy).map(\.account))
        }
        for reader in readers {
            var seen = message.seen(after: reader.clearedThrough)
            seen.faces = faces.mapValues { face in
                Message.Face(account: face, isBlocked: blockers[face.id]?.contains(reader.account) == true)
            }
            publish(seen.withFoldedQuote, to: reader.account, isRequest: isNew ? reader.isRequest : nil)
        }
        // Nobody's message waits until the others' unread messages are counted.
        guard isNew else { return }
        for reader in readers where reader.account != message.sender {
            try publishCount(to: reader.account, transaction)
        }
    }

    private func publish(_ message: Message, to account: Account.ID, isRequest: Bool?) {
        func content(_ message: Message) -> EventContent {
            .written(for: account) { [entities] reader, json in
                entities.message(message, viewer: reader, isRequest: isRequest, into: &json)
            }
        }
        let remainder: EventRemainder? =
            if case .quoting(let quote) = message.reply {
                EventRemainder(without: .thing(quote.id), content: content(message.withoutQuote))
            } else { nil }
        events.here.publish(
            .message, to: [account], content(message), about: subjects(of: message, [message.sender]),
            leaving: remainder)
    }

    /// Sends a message that has changed, to the people of its chat who have it.
    func changed(
        _ message: Message, of members: [Account.ID], for accounts: [Account.ID], _ transaction: Transaction
    ) throws {
        for account in accounts { try publish(message, to: account, of: members, transaction) }
    }

    private func publish(
        _ message: Message, to account: Account.ID, of members: [Account.ID], isRequest: Bool? = nil,
        _ transaction: Transaction
    ) throws {
        let publish = try publication(of: message, to: account, of: members, isRequest, transaction)
        transaction.afterCommit { [events] _ in
            publish()
            let request: Int64 = isRequest.map { $0 ? 1 : 2 } ?? 0
            events.tell(
                .message,
                [message.id.rawValue, message.chat.rawValue, request, account.rawValue]
                    + members.map(\.rawValue))
        }
    }

    /// Returns what makes the event of a message on this node.
    private func publication(
        of message: Message, to account: Account.ID, of members: [Account.ID], _ isRequest: Bool?,
        _ transaction: Transaction
    ) throws -> @Sendable () -> Void {
        func content(_ message: Message) -> EventContent {
            .written(for: account) { [entities] reader, json in
                entities.message(message, viewer: reader, isRequest: isRequest, into: &json)
            }
        }
        var seen = message
        if let answered = message.reply?.message,
            let member = try ChatStore(transaction).member(message.chat, account)
        {
            seen.reply = try MessageStore(transaction).reply(to: answered, in: message.chat)
            seen = seen.seen(after: member.clearedThrough)
        }
        let whole = content(seen)
        let remainder: EventRemainder? =
            if case .quoting(let quote) = seen.reply {
                EventRemainder(without: .thing(quote.id), content: content(seen.withoutQuote))
            } else { nil }
        let subjects = subjects(of: message, members)
        return { [events] in
            events.here.publish(.message, to: [account], whole, about: subjects, leaving: remainder)
        }
    }

    /// Makes the events of what other nodes have changed.
    var news: [NewsKind: NewsKind.Handler] {
        [
            .message: { ids, transaction in
                guard ids.count > 4 else { return }
                let account = Account.ID(rawValue: ids[3])
                guard events.here.reaches(account),
                    let message = try MessageStore(transaction).message(
                        ID(rawValue: ids[0]), in: ID(rawValue: ids[1]))
                else { return }
                let members = ids.dropFirst(4).map { Account.ID(rawValue: $0) }
                let isRequest = ids[2] == 0 ? nil : ids[2] == 1
                try publication(of: message, to: account, of: members, isRequest, transaction)()
            },
            .groupMessage: { ids, transaction in
                guard ids.count == 3 else { return }
                try publishInGroupHere(
                    ID(rawValue: ids[0]), in: ID(rawValue: ids[1]), isNew: ids[2] == 1, transaction)
            },
            .unreadMessages: { ids, transaction in
                for id in ids { try publishCount(to: Account.ID(rawValue: id), transaction) }
            },
        ]
    }

    private func subjects(of message: Message, _ members: [Account.ID]) -> [EventSubject] {
        [.thing(message.id), .thing(message.chat)] + members.map(EventSubject.person)
    }

    /// Sends all reactions to a message, to the people of its chat who have it. Only the last such event is kept.
    func reacted(
        _ message: Message, of members: [Account.ID], for accounts: [Account.ID], _ transaction: Transaction
    ) {
        var json = JSONWriter(capacity: 160)
        json.object { json in
            json.member("chat_id", message.chat)
            json.member("id", message.id)
            entities.reactions(message, into: &json)
        }
        let (data, subjects) = (json.bytes, subjects(of: message, members))
        transaction.afterCommit { [events] _ in
            events.publish(
                .reaction, to: Set(accounts), data: data, about: subjects, replacing: .thing(message.id))
        }
    }

    /// Sends the deletion of a message to everyone.
    ///
    /// - Parameter losesNotification: those whose notification of unread messages was taken back with it.
    func removed(
        _ message: Message.ID, in chat: Chat.ID, for accounts: [Account.ID], losesNotification: [Account.ID],
        _ transaction: Transaction
    ) throws {
        for account in accounts {
            transaction.afterCommit { [events] _ in events.forget([.thing(message)], of: account) }
            publish(.messageDeleted, to: account, transaction) { json in
                json.member("chat_id", chat)
                json.member("id", message)
            }
            counted(for: account, transaction)
        }
        try notifications.changed(for: losesNotification, transaction)
    }

    /// Sends to an account's other pages that it has removed all messages from its own view.
    func cleared(_ chat: Chat.ID, by account: Account.ID, _ transaction: Transaction) {
        transaction.afterCommit { [events] _ in events.forget([.thing(chat)], of: account) }
    }

    /// Sends to others how far messages have arrived on an account's devices.
    func delivered(
        _ chat: Chat.ID, through message: Message.ID, by reader: Account.ID, to others: [Account.ID],
        _ transaction: Transaction
    ) {
        publish(.delivered, to: others, transaction) { json in
            json.member("chat_id", chat)
            json.member("account_id", reader)
            json.member("last_delivered_id", message)
        }
    }

    /// Sends how far an account has read.
    ///
    /// - Parameter others: the others of the chat; nobody when they don't learn of it. The reader's other devices always
    ///   do.
    func read(
        _ chat: Chat.ID, through message: Message.ID, at date: Date, by reader: Account.ID,
        to others: [Account.ID], _ transaction: Transaction
    ) {
        publish(.read, to: others + [reader], transaction) { json in
            json.member("chat_id", chat)
            json.member("account_id", reader)
            json.member("last_read_id", message)
            json.member("read_at", date)
        }
    }

    /// Sends to the others how far an account has read, after the account has accepted the chat.
    func caughtUp(
        _ chat: Chat.ID, _ marks: Chat.Marks, by reader: Account.ID, to peer: [Account.ID],
        _ transaction: Transaction
    ) {
        if marks.deliveredThrough > Chat.Marks.none.deliveredThrough {
            delivered(chat, through: marks.deliveredThrough, by: reader, to: peer, transaction)
        }
        if let date = marks.readAt {
            read(chat, through: marks.readThrough, at: date, by: reader, to: peer, transaction)
        }
    }

    /// Sends that a request was accepted or dropped, to the other pages of the account that did it.
    func answered(
        _ chat: Chat.ID, isAccepted: Bool, by account: Account.ID, _ transaction: Transaction
    ) {
        publish(.chatRequest, to: account, transaction) { json in
            json.member("chat_id", chat)
            json.member("accepted", isAccepted)
        }
    }

    /// Sends how an account mutes a chat, to the account's own pages; nil for not any more. Sends the new number of its
    /// unread messages, too.
    func muted(_ chat: Chat.ID, _ mute: ChatMute?, by account: Account.ID, _ transaction: Transaction) {
        publish(.chatMute, to: account, transaction) { json in
            json.member("chat_id", chat)
            ChatEntities.mute(mute, into: &json)
        }
        counted(for: account, transaction)
    }

    /// Sends that a group has another name, picture or other members.
    func changed(_ chat: Chat.ID, for accounts: [Account.ID], _ transaction: Transaction) {
        publish(.chatChanged, to: accounts, transaction) { json in json.member("chat_id", chat) }
    }

    /// Takes everything of a group from somebody who is no longer in it.
    func left(_ chat: Chat.ID, _ account: Account.ID, _ transaction: Transaction) {
        cleared(chat, by: account, transaction)
        changed(chat, for: [account], transaction)
        counted(for: account, transaction)
    }

    /// Sends that somebody is typing. The event is sent at once and never repeated.
    func typing(_ chat: Chat.ID, by account: Account.ID, to others: [Account.ID]) {
        var json = JSONWriter(capacity: 128)
        json.object { json in
            json.member("chat_id", chat)
            json.member("account_id", account)
        }
        events.publish(.typing, to: Set(others), data: json.bytes)
    }

    /// Sends the new number of an account's unread messages.
    func counted(for account: Account.ID, _ transaction: Transaction) {
        transaction.afterCommit { transaction in
            events.tell(.unreadMessages, [account.rawValue])
            try publishCount(to: account, transaction)
        }
    }

    private func publishCount(to account: Account.ID, _ transaction: Transaction) throws {
        guard events.here.isListening(account) else { return }
        let count = try ChatStore(transaction).unreadCount(of: account)
        events.here.publishCount(count, of: "friends", to: account)
    }

    private func publish(
        _ name: EventName, to account: Account.ID, _ transaction: Transaction,
        _ body: (inout JSONWriter) -> Void
    ) {
        publish(name, to: [account], transaction, body)
    }

    private func publish(
        _ name: EventName, to accounts: [Account.ID], _ transaction: Transaction,
        _ body: (inout JSONWriter) -> Void
    ) {
        var json = JSONWriter(capacity: 160)
        json.object(body)
        let data = json.bytes
        transaction.afterCommit { [events] _ in events.publish(name, to: Set(accounts), data: data) }
    }
}
