import Core
import Foundation
import Logging
import People
import Serving
import Storage

/// The service of chats: listing, opening, accepting, dropping requests, marking as read.
package final class ChatService: Sendable {
    let database: Database
    let events: ChatEvents
    private let logger: Logger

    init(database: Database, events: ChatEvents, logger: Logger) {
        self.database = database
        self.events = events
        self.logger = logger
    }

    // MARK: Looking

    /// Returns one page of chats, newest first.
    ///
    /// - Parameters:
    ///   - requests: true for the waiting requests, false for the other chats.
    ///   - query: finds only chats with people whose names have words that begin with these.
    func chats(of viewer: Account, requests: Bool, query: String = "", page: PageRequest) async throws
        -> [Chat]
    {
        try await database.read {
            try Self.chats(of: viewer, requests: requests, query: query, page: page, $0)
        }
    }

    static func chats(
        of viewer: Account, requests: Bool, query: String, page: PageRequest, _ transaction: Transaction
    ) throws -> [Chat] {
        let terms = AccountRules.searchTerms(query)
        guard query.isEmpty || !terms.isEmpty else { return [] }
        return try ChatStore(transaction).listed(
            of: viewer.id, requests: requests, terms: terms, page: page
        ).map(chat)
    }

    /// Returns one of the viewer's chats.
    ///
    /// - Throws: ``Refusal`` (404) for anyone else's chat, and if either of the two blocks the other.
    package func chat(_ id: Chat.ID, for viewer: Account) async throws -> Chat {
        try await database.read { try Self.chat(id, for: viewer, $0) }
    }

    package static func chat(_ id: Chat.ID, for viewer: Account, _ transaction: Transaction) throws -> Chat {
        let (member, peer) = try member(id, of: viewer, transaction)
        return try chat(member, peer: peer, transaction)
    }

    /// Returns the member rows of `viewer` and the other person in a chat, inside a transaction of this
    /// feature.
    static func member(
        _ id: Chat.ID, of viewer: Account, _ transaction: Transaction
    ) throws -> (ChatStore.Member, peer: Account) {
        guard let member = try ChatStore(transaction).member(id, viewer.id) else { throw Refusal.notFound }
        return (member, try AccountService.account(member.peer, for: viewer, transaction))
    }

    static func chat(
        _ member: ChatStore.Member, peer: Account, _ transaction: Transaction
    ) throws -> Chat {
        let store = ChatStore(transaction)
        let other = try store.member(member.chat, member.peer)
        let last =
            try member.lastMessage.rawValue == 0
            ? nil
            : MessageStore(transaction).message(member.lastMessage, in: member.chat)?
                .seen(after: member.clearedThrough)
        return chat(
            .init(
                member: member, peer: peer,
                // While the other person hasn't accepted the request, the viewer doesn't learn whether it was read.
                peerMarks: other.map { $0.isRequest ? .none : $0.marks } ?? .none,
                messagesCount: try store.messagesCount(member.chat), lastMessage: last))
    }

    private static func chat(_ listed: ChatStore.Listed) -> Chat {
        let member = listed.member
        return Chat(
            id: member.chat, peer: listed.peer, isRequest: member.isRequest && listed.lastMessage != nil,
            messagesCount: listed.messagesCount, unreadCount: member.unreadCount,
            lastMessage: listed.lastMessage, readThrough: member.marks.readThrough,
            peerMarks: listed.peerMarks, mute: member.mute)
    }

    /// Returns the number of the viewer's unread messages for the badge, without requests and muted chats.
    func unreadCount(of viewer: Account, _ transaction: Transaction) throws -> Int {
        try ChatStore(transaction).unreadCount(of: viewer.id)
    }

    /// Returns one page of the viewer's library, newest first, to choose photos from for a chat.
    ///
    /// - Throws: ``Refusal`` (404) for anyone else's chat, and if either of the two blocks the other.
    func library(of viewer: Account, for id: Chat.ID, page: PageRequest) async throws -> [Photo] {
        try await database.read { transaction in
            _ = try Self.member(id, of: viewer, transaction)
            return try PhotoService.library(of: viewer, kinds: [], page: page, transaction)
        }
    }

    // MARK: Opening, taking, dropping

    /// Returns the chat with somebody. A dropped request is opened again. If there is no chat, creates an empty one,
    /// which nobody sees until it has a message.
    ///
    /// - Throws: ``Refusal``: 404 for someone who can't be seen, 422 for the viewer.
    package func open(with peer: Account.ID, by viewer: Account) async throws -> Chat {
        guard peer != viewer.id else {
            throw Refusal.invalid("account_id", "ERR_INVALID", "You can’t write to yourself.")
        }
        let known = try await database.read { transaction -> Chat? in
            let account = try AccountService.account(peer, for: viewer, transaction)
            guard let member = try ChatStore(transaction).member(of: viewer.id, with: peer), !member.isDropped
            else { return nil }
            return try Self.chat(member, peer: account, transaction)
        }
        if let known { return known }
        return try await database.write { transaction in
            let account = try AccountService.account(peer, for: viewer, transaction)
            let store = ChatStore(transaction)
            if let known = try store.member(of: viewer.id, with: peer) {
                if known.isDropped { try store.reopen(known.chat, viewer.id) }
            } else {
                let friends = try Self.areFriends(viewer.id, peer, transaction)
                _ = try store.insert(viewer.id, peer, isRequest: !friends)
            }
            guard let member = try store.member(of: viewer.id, with: peer) else { throw Refusal.notFound }
            return try Self.chat(member, peer: account, transaction)
        }
    }

    /// Returns the other person of a chat that both have accepted, inside a transaction of another service.
    ///
    /// - Throws: ``Refusal``: 404 for a chat of others, 422 for one that still waits as a request.
    package static func peer(
        in id: Chat.ID, of viewer: Account, _ transaction: Transaction
    ) throws -> Account {
        let (member, peer) = try member(id, of: viewer, transaction)
        let other = try ChatStore(transaction).member(id, peer.id)
        guard !member.isRequest, other?.isRequest == false else {
            throw Refusal.invalid(
                "chat_id", "ERR_INVALID", "This chat is still a request. Wait until it is accepted.")
        }
        return peer
    }

    /// Returns whether two people follow each other.
    package static func areFriends(
        _ one: Account.ID, _ other: Account.ID, _ transaction: Transaction
    ) throws -> Bool {
        try RelationshipService.relationship(of: one, to: other, transaction).areFriends
    }

    /// Accepts a request. The chat becomes a normal chat, and the other person learns which messages have arrived and
    /// were read.
    func accept(_ id: Chat.ID, by viewer: Account) async throws -> Chat {
        try await database.write { [events] transaction in
            let store = ChatStore(transaction)
            let (before, peer) = try Self.member(id, of: viewer, transaction)
            if before.isDropped { try store.reopen(id, viewer.id) }
            try store.accept(id, viewer.id)
            let (member, _) = try Self.member(id, of: viewer, transaction)
            events.answered(id, isAccepted: true, by: viewer.id, transaction)
            if before.isRequest {
                events.caughtUp(id, member.marks, by: viewer.id, to: peer.id, transaction)
            }
            events.counted(for: viewer.id, transaction)
            return try Self.chat(member, peer: peer, transaction)
        }
    }

    /// Drops a request, or hides a chat from the viewer's list until there is a new message. The
    /// other person keeps everything.
    func clear(_ id: Chat.ID, by viewer: Account) async throws {
        try await database.write { [events] transaction in
            let (member, _) = try Self.member(id, of: viewer, transaction)
            try ChatStore(transaction).clear(id, viewer.id)
            events.cleared(id, by: viewer.id, transaction)
            if member.isRequest { events.answered(id, isAccepted: false, by: viewer.id, transaction) }
            events.counted(for: viewer.id, transaction)
            try Self.dismissNotification(of: member, events, transaction)
        }
    }

    /// Removes the notification of messages that an account has not read, if there is one, and sends the new count.
    private static func dismissNotification(
        of member: ChatStore.Member, _ events: ChatEvents, _ transaction: Transaction
    ) throws {
        guard try removeNotification(of: member, transaction) else { return }
        try events.notifications.changed(for: [member.account], transaction)
    }

    /// Removes the notification of messages that an account has not read. Returns whether there was one.
    static func removeNotification(
        of member: ChatStore.Member, _ transaction: Transaction
    ) throws -> Bool {
        // Only one of the two can exist, but a request may have been accepted since.
        try [Notification.Kind.message, .messageRequest].contains { kind in
            try NotificationService.remove(kind, to: member.account, from: member.peer, transaction)
        }
    }

    // MARK: Marks

    /// Records that everything up to a message has arrived on one of the viewer's devices.
    func markDelivered(_ id: Chat.ID, through message: Message.ID, by viewer: Account) async throws {
        try await database.write { [events] transaction in
            let (member, _) = try Self.member(id, of: viewer, transaction)
            let through = min(message, member.lastMessage)
            let hasMoved = try ChatStore(transaction).markDelivered(id, viewer.id, through: through)
            guard hasMoved, !member.isRequest else { return }
            events.delivered(id, through: through, by: viewer.id, to: member.peer, transaction)
        }
    }

    /// Records that messages which a page is about to show have arrived. A failed write is ignored, because
    /// people must be able to read on a full disk too. The next visit records it.
    func arrived(_ id: Chat.ID, through message: Message.ID, for viewer: Account) async {
        do {
            try await markDelivered(id, through: message, by: viewer)
        } catch {
            logger.warning("messages were not marked as delivered", metadata: ["error": "\(error)"])
        }
    }

    /// Records that the viewer has read everything up to a message.
    package func markRead(_ id: Chat.ID, through message: Message.ID, by viewer: Account) async throws {
        try await database.write { [events] transaction in
            let (member, _) = try Self.member(id, of: viewer, transaction)
            let through = min(message, member.lastMessage)
            guard try ChatStore(transaction).markRead(id, viewer.id, through: through) else { return }
            events.read(
                id, through: through, at: transaction.now, by: viewer.id,
                to: member.isRequest ? nil : member.peer, transaction)
            events.counted(for: viewer.id, transaction)
            try Self.dismissNotification(of: member, events, transaction)
        }
    }

    /// Sends to the other person that the viewer is typing, if both have accepted the chat.
    func type(in id: Chat.ID, by viewer: Account) async throws {
        let peer = try await database.read { transaction in
            let (member, peer) = try Self.member(id, of: viewer, transaction)
            let other = try ChatStore(transaction).member(id, member.peer)
            return !member.isRequest && other?.isRequest == false ? peer.id : nil
        }
        if let peer { events.typing(id, by: viewer.id, to: peer) }
    }
}
