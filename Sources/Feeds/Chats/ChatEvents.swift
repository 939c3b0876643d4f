import Core
import Foundation
import People
import Serving
import Storage

extension EventName {
    /// A message was sent.
    static let message = EventName("tintype.message")
    /// A message is gone for both.
    static let messageDeleted = EventName("tintype.message.deleted")
    /// The reactions to a message have changed.
    static let reaction = EventName("tintype.message.reaction")
    /// Messages have arrived on a device of the other.
    static let delivered = EventName("tintype.delivered")
    /// Messages have been read.
    static let read = EventName("tintype.read")
    /// A message request was answered.
    static let chatRequest = EventName("tintype.request")
    /// The other is typing.
    static let typing = EventName(passing: "tintype.typing")
}

/// Tells the two of a chat what a transaction did in it, once that is committed (Documentation/Interface.md, "Events").
struct ChatEvents: Sendable {
    let events: EventBus
    let entities: ChatEntities
    let notifications: NotificationService

    /// A new message: both hear of it, the sender's other devices too; of a dropped request only those.
    func sent(
        _ message: Message, to peer: Account.ID, _ arrival: MessageService.Arrival, _ transaction: Transaction
    ) throws {
        for account in arrival == .dropped ? [message.sender] : [peer, message.sender] {
            let isRequest = arrival == .request && account == peer
            try publish(message, to: account, of: [message.sender, peer], isRequest: isRequest, transaction)
        }
        if arrival == .chat { counted(for: peer, transaction) }
    }

    /// A message that some of the two of its chat have, and that is now something else.
    func changed(
        _ message: Message, of members: [Account.ID], for accounts: [Account.ID], _ transaction: Transaction
    ) throws {
        for account in accounts { try publish(message, to: account, of: members, transaction) }
    }

    private func publish(
        _ message: Message, to account: Account.ID, of members: [Account.ID], isRequest: Bool? = nil,
        _ transaction: Transaction
    ) throws {
        func content(_ message: Message) -> EventContent {
            .written(for: account) { [entities] reader, json in
                entities.message(message, viewer: reader, isRequest: isRequest, into: &json)
            }
        }
        var seen = message
        if let reply = message.reply, let member = try ChatStore(transaction).member(message.chat, account) {
            seen.reply = try MessageStore(transaction).reply(to: reply.id, in: message.chat)
            seen = seen.seen(after: member.clearedThrough)
        }
        let whole = content(seen)
        let remainder: EventRemainder? =
            if case .quoting(let quote) = seen.reply {
                EventRemainder(without: .thing(quote.id), content: content(seen.withoutQuote))
            } else { nil }
        let subjects = subjects(of: message, members)
        transaction.afterCommit { [events] _ in
            events.publish(
                .message, to: [account], whole, about: subjects, leaving: remainder)
        }
    }

    private func subjects(of message: Message, _ members: [Account.ID]) -> [EventSubject] {
        [.thing(message.id), .thing(message.chat)] + members.map(EventSubject.person)
    }

    /// Reports all reactions to a message to those of the two who have it. Only the last such event is kept.
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
            for account in accounts {
                events.publish(
                    .reaction, to: account, data: data, about: subjects,
                    replacing: .thing(message.id))
            }
        }
    }

    /// A message is gone for both.
    ///
    /// - Parameter losesNotification: those whose notification of unread messages was taken back with it.
    func removed(
        _ message: Message.ID, in chat: Chat.ID, for accounts: [Account.ID], losesNotification: [Account.ID],
        _ transaction: Transaction
    ) {
        for account in accounts {
            transaction.afterCommit { [events] _ in events.forget([.thing(message)], of: account) }
            publish(.messageDeleted, to: account, transaction) { json in
                json.member("chat_id", chat)
                json.member("id", message)
            }
            counted(for: account, transaction)
        }
        notifications.sendCount(to: losesNotification, transaction)
    }

    /// An account has taken all that was said so far out of its own sight.
    func cleared(_ chat: Chat.ID, by account: Account.ID, _ transaction: Transaction) {
        transaction.afterCommit { [events] _ in events.forget([.thing(chat)], of: account) }
    }

    func delivered(
        _ chat: Chat.ID, through message: Message.ID, by reader: Account.ID, to peer: Account.ID,
        _ transaction: Transaction
    ) {
        publish(.delivered, to: peer, transaction) { json in
            json.member("chat_id", chat)
            json.member("account_id", reader)
            json.member("last_delivered_id", message)
        }
    }

    /// - Parameter peer: who wrote what was read; nil when they aren't told. The reader's other devices always are.
    func read(
        _ chat: Chat.ID, through message: Message.ID, at date: Date, by reader: Account.ID,
        to peer: Account.ID?, _ transaction: Transaction
    ) {
        for account in [peer, reader].compactMap({ $0 }) {
            publish(.read, to: account, transaction) { json in
                json.member("chat_id", chat)
                json.member("account_id", reader)
                json.member("last_read_id", message)
                json.member("read_at", date)
            }
        }
    }

    /// The reader has taken the chat: the other learns how far they have come by now.
    func caughtUp(
        _ chat: Chat.ID, _ marks: Chat.Marks, by reader: Account.ID, to peer: Account.ID,
        _ transaction: Transaction
    ) {
        if marks.deliveredThrough > Chat.Marks.none.deliveredThrough {
            delivered(chat, through: marks.deliveredThrough, by: reader, to: peer, transaction)
        }
        if let date = marks.readAt {
            read(chat, through: marks.readThrough, at: date, by: reader, to: peer, transaction)
        }
    }

    /// A request was taken or dropped: for the other pages of the one who did it.
    func answered(
        _ chat: Chat.ID, isAccepted: Bool, by account: Account.ID, _ transaction: Transaction
    ) {
        publish(.chatRequest, to: account, transaction) { json in
            json.member("chat_id", chat)
            json.member("accepted", isAccepted)
        }
    }

    /// Somebody is typing, which is told at once and never repeated.
    func typing(_ chat: Chat.ID, by account: Account.ID, to peer: Account.ID) {
        var json = JSONWriter(capacity: 128)
        json.object { json in
            json.member("chat_id", chat)
            json.member("account_id", account)
        }
        events.publish(.typing, to: peer, data: json.bytes)
    }

    /// How many messages an account has not read has changed.
    func counted(for account: Account.ID, _ transaction: Transaction) {
        transaction.afterCommit { [events] transaction in
            guard events.isListening(account) else { return }
            let count = try ChatStore(transaction).unreadCount(of: account)
            events.publishCount(count, of: "friends", to: account)
        }
    }

    private func publish(
        _ name: EventName, to account: Account.ID, _ transaction: Transaction,
        _ body: (inout JSONWriter) -> Void
    ) {
        var json = JSONWriter(capacity: 160)
        json.object(body)
        let data = json.bytes
        transaction.afterCommit { [events] _ in events.publish(name, to: account, data: data) }
    }
}
