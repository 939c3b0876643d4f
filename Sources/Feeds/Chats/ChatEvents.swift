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
    /// The number of an account's unread messages has changed: what has changed (``GroupUnreadCounts/Change``), and the ids of
    /// accounts.
    static let unreadMessages = NewsKind("unread-messages")
}

/// Tells the people of a chat what a transaction did in it, once that is committed (Documentation/Interface.md, "Events").
struct ChatEvents: Sendable {
    let events: EventBus
    let entities: ChatEntities
    let notifications: NotificationService
    private let groups = GroupUnreadCounts()

    /// Sends a new message to both people, also to the sender's other devices. A dropped request is sent only to these.
    func sent(
        _ message: Message, to peer: Account.ID, _ arrival: MessageService.Arrival, _ transaction: Transaction
    ) throws {
        for account in arrival == .dropped ? [message.sender] : [peer, message.sender] {
            let isRequest = arrival == .request && account == peer
            try publish(message, to: account, of: [message.sender, peer], isRequest: isRequest, transaction)
        }
        if arrival == .chat { counted(for: [peer], after: .noGroup, transaction) }
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
        let members = try ChatStore(transaction).members(of: chat)
        let readers = members.filter { $0.has(id) && events.here.reaches($0.account) }
        if isNew { groups.forget(members.map(\.account).filter { !events.here.isListening($0) }) }
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
        // The message is written once for all who see the same.
        let sights = Dictionary(grouping: readers) { reader in
            Sight(
                reader: message.isPersonal || reader.account == message.sender ? reader.account : nil,
                isRequest: isNew ? reader.isRequest : nil,
                hasQuote: message.seen(after: reader.clearedThrough).isQuoting,
                blocked: message.authors.filter { blockers[$0]?.contains(reader.account) == true })
        }
        if isNew {
            // One wake-up and one write to each page.
            let others = readers.map(\.account).filter { $0 != message.sender }
            try publishCounts(to: others, after: .messages(of: chat), isFollowed: true, transaction)
        }
        for (sight, readers) in sights {
            var seen = sight.hasQuote ? message : message.withoutQuote
            seen.faces = faces.mapValues {
                Message.Face(account: $0, isBlocked: sight.blocked.contains($0.id))
            }
            publish(seen.asShown, to: readers.map(\.account), isRequest: sight.isRequest)
        }
    }

    /// What makes a group's message look different to its readers, beside its pictures, whose addresses are each reader's
    /// own.
    private struct Sight: Hashable {
        /// The reader, if what is written depends on who that is: its sender gets its key back.
        var reader: Account.ID?
        var isRequest: Bool?
        var hasQuote: Bool
        /// The authors whom the reader blocks.
        var blocked: Set<Account.ID>
    }

    /// Makes the event of a message for readers who see the same of it.
    private func publish(_ message: Message, to accounts: [Account.ID], isRequest: Bool?) {
        guard let first = accounts.first else { return }
        let (content, remainder) = contents(of: message, for: first, isRequest)
        events.here.publish(
            .message, to: Set(accounts), content, about: subjects(of: message, [message.sender]),
            leaving: remainder)
    }

    /// Returns what the event of a message says, and what it says once the message that it answers is deleted.
    private func contents(
        of message: Message, for account: Account.ID, _ isRequest: Bool?
    ) -> (EventContent, EventRemainder?) {
        func content(_ message: Message) -> EventContent {
            .written(for: account, hasPictures: message.hasPictures) { [entities] reader, json in
                entities.message(message, viewer: reader, isRequest: isRequest, into: &json)
            }
        }
        guard case .quoting(let quote) = message.reply else { return (content(message), nil) }
        let remainder = EventRemainder(
            without: .thing(quote.id), .person(quote.sender), content: content(message.withoutQuote))
        return (content(message), remainder)
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
        var seen = message
        if let answered = message.reply?.message,
            let member = try ChatStore(transaction).member(message.chat, account)
        {
            seen.reply = try MessageStore(transaction).reply(to: answered, in: message.chat)
            seen = seen.seen(after: member.clearedThrough)
        }
        let (content, remainder) = contents(of: seen, for: account, isRequest)
        let subjects = subjects(of: message, members)
        return { [events] in
            events.here.publish(.message, to: [account], content, about: subjects, leaving: remainder)
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
                guard let change = ids.first else { return }
                try publishCounts(
                    to: ids.dropFirst().map { Account.ID(rawValue: $0) }, after: .init(change), transaction)
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
        publish(
            .reaction, to: accounts, about: subjects(of: message, members), replacing: .thing(message.id),
            transaction
        ) { json in
            json.member("chat_id", message.chat)
            json.member("id", message.id)
            entities.reactions(message, into: &json)
        }
    }

    /// Sends the deletion of a message to everyone.
    ///
    /// - Parameter losesNotification: those whose notification of unread messages was taken back with it.
    func removed(
        _ message: Message.ID, in chat: Chat.ID, for accounts: [Account.ID], losesNotification: [Account.ID],
        _ transaction: Transaction
    ) throws {
        gone([message], in: chat, for: accounts, transaction)
        try notifications.changed(for: losesNotification, transaction)
    }

    /// Sends to the members of groups that messages of or about an erased account are gone. Where many are, their pages load
    /// everything again, so that the events of these messages don't displace all others.
    func erased(_ messages: [Chat.ID: [Message.ID]], _ transaction: Transaction) throws {
        for (chat, messages) in messages {
            let members = try GroupStore(transaction).accounts(in: chat)
            guard messages.count <= Self.mostDeletions else {
                transaction.afterCommit { [events] _ in for member in members { events.reset(member) } }
                counted(for: members, after: .messages(of: chat), transaction)
                continue
            }
            gone(messages, in: chat, for: members, transaction)
        }
    }

    private func gone(
        _ messages: [Message.ID], in chat: Chat.ID, for accounts: [Account.ID], _ transaction: Transaction
    ) {
        transaction.afterCommit { [events] _ in
            events.forget(Set(messages.map { EventSubject.thing($0) }))
        }
        for message in messages {
            publish(.messageDeleted, to: accounts, transaction) { json in
                json.member("chat_id", chat)
                json.member("id", message)
            }
        }
        counted(for: accounts, after: .messages(of: chat), transaction)
    }

    /// The most messages of a chat that are deleted at once with an event for each.
    private static let mostDeletions = 50

    /// Sends to an account's other pages that it has removed all messages from its own view.
    func cleared(_ chat: Chat.ID, by account: Account.ID, _ transaction: Transaction) {
        transaction.afterCommit { [events] _ in events.forget([.thing(chat)], of: account) }
    }

    /// Sends to others how far messages have arrived on an account's devices. Only the last such event of each reader is
    /// kept.
    func delivered(
        _ chat: Chat.ID, through message: Message.ID, by reader: Account.ID, to others: [Account.ID],
        _ transaction: Transaction
    ) {
        publish(
            .delivered, to: others, about: [.thing(chat)], replacing: .marks(of: reader, in: chat),
            transaction
        ) { json in
            json.member("chat_id", chat)
            json.member("account_id", reader)
            json.member("last_delivered_id", message)
        }
    }

    /// Sends how far an account has read. Only the last such event of each reader is kept.
    ///
    /// - Parameter others: the others of the chat; nobody when they don't learn of it. The reader's other devices always
    ///   do.
    func read(
        _ chat: Chat.ID, through message: Message.ID, at date: Date, by reader: Account.ID,
        to others: [Account.ID], _ transaction: Transaction
    ) {
        publish(
            .read, to: others + [reader], about: [.thing(chat)], replacing: .marks(of: reader, in: chat),
            transaction
        ) { json in
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
        publish(.chatRequest, to: [account], transaction) { json in
            json.member("chat_id", chat)
            json.member("accepted", isAccepted)
        }
    }

    /// Sends how an account mutes a chat, to the account's own pages; nil for not any more. Sends the new number of its
    /// unread messages, too.
    func muted(_ chat: Chat.ID, _ mute: ChatMute?, by account: Account.ID, _ transaction: Transaction) {
        publish(.chatMute, to: [account], transaction) { json in
            json.member("chat_id", chat)
            ChatEntities.mute(mute, into: &json)
        }
        counted(for: [account], transaction)
    }

    /// Sends that a group has another name, picture or other members.
    func changed(_ chat: Chat.ID, for accounts: [Account.ID], _ transaction: Transaction) {
        publish(.chatChanged, to: accounts, transaction) { json in json.member("chat_id", chat) }
    }

    /// Takes everything of a group from somebody who is no longer in it.
    func left(_ chat: Chat.ID, _ account: Account.ID, _ transaction: Transaction) {
        cleared(chat, by: account, transaction)
        changed(chat, for: [account], transaction)
        counted(for: [account], transaction)
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

    /// Sends to each of some accounts the new number of its unread messages.
    func counted(
        for accounts: [Account.ID], after change: GroupUnreadCounts.Change = .anything,
        _ transaction: Transaction
    ) {
        transaction.afterCommit { transaction in
            events.tell(.unreadMessages, [change.number] + accounts.map(\.rawValue))
            try publishCounts(to: accounts, after: change, transaction)
        }
    }

    /// - Parameter isFollowed: whether another event to the same accounts follows at once.
    private func publishCounts(
        to accounts: [Account.ID], after change: GroupUnreadCounts.Change = .anything,
        isFollowed: Bool = false,
        _ transaction: Transaction
    ) throws {
        let listening = accounts.filter(events.here.isListening)
        groups.forget(accounts.filter { !listening.contains($0) })
        guard !listening.isEmpty else { return }
        let inGroups = try groups.counts(of: listening, after: change, transaction)
        let inTwos = Dictionary(
            try ChatStore(transaction).unreadCountsOfTwos(of: listening), uniquingKeysWith: +)
        for account in listening {
            let count = (inGroups[account] ?? 0) + (inTwos[account] ?? 0)
            events.here.publishCount(count, of: "friends", to: account, isFollowed: isFollowed)
        }
    }

    private func publish(
        _ name: EventName, to accounts: [Account.ID], about subjects: [EventSubject] = [],
        replacing subject: EventSubject? = nil, _ transaction: Transaction,
        _ body: (inout JSONWriter) -> Void
    ) {
        var json = JSONWriter(capacity: 160)
        json.object(body)
        let data = json.bytes
        transaction.afterCommit { [events] _ in
            events.publish(name, to: Set(accounts), data: data, about: subjects, replacing: subject)
        }
    }
}

extension EventSubject {
    /// How far an account has got in a chat.
    fileprivate static func marks(of account: Account.ID, in chat: Chat.ID) -> Self {
        .all("marks in \(chat)", of: account)
    }
}
