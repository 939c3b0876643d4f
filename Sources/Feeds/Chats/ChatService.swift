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
    /// What other features do when somebody leaves a group.
    let departures: Registry<ChatOffers.Departure>
    private let logger: Logger

    init(
        database: Database, events: ChatEvents, departures: Registry<ChatOffers.Departure>, logger: Logger
    ) {
        self.database = database
        self.events = events
        self.departures = departures
        self.logger = logger
    }

    // MARK: Looking

    /// Returns one page of chats, newest first.
    ///
    /// - Parameters:
    ///   - requests: true for the waiting requests, false for the other chats.
    ///   - query: finds only chats with people whose names have words that begin with these.
    ///   - members: how many are read of groups.
    func chats(
        of viewer: Account, requests: Bool, query: String = "", page: PageRequest, members: Group.Extent
    ) async throws -> [Chat] {
        try await database.read {
            try ChatRecords($0).chats(
                of: viewer, requests: requests, query: query, page: page, members: members)
        }
    }

    /// Returns one of the viewer's chats.
    ///
    /// - Throws: ``Refusal`` (404) for anyone else's chat, and if either of the two blocks the other.
    package func chat(_ id: Chat.ID, for viewer: Account) async throws -> Chat {
        try await database.read { try ChatRecords($0).chat(id, for: viewer) }
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
            _ = try ChatRecords(transaction).member(id, of: viewer)
            return try PhotoRecords(transaction).library(of: viewer, kinds: [], page: page)
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
            guard let member = try ChatStore(transaction).member(of: viewer.id, with: peer), !member.isDropped
            else { return nil }
            return try ChatRecords(transaction).chat(member.chat, for: viewer)
        }
        if let known { return known }
        return try await database.write { transaction in
            _ = try AccountRecords(transaction).account(peer, for: viewer)
            let store = ChatStore(transaction)
            if let known = try store.member(of: viewer.id, with: peer) {
                if known.isDropped { try store.reopen(known.chat, viewer.id) }
            } else {
                let friends = try ChatRecords(transaction).areFriends(viewer.id, peer)
                _ = try store.insert(viewer.id, peer, isRequest: !friends)
            }
            guard let member = try store.member(of: viewer.id, with: peer) else { throw Refusal.notFound }
            return try ChatRecords(transaction).chat(member.chat, for: viewer)
        }
    }

    /// Accepts a request or an invitation. The chat becomes a normal chat, and the others learn which messages have arrived
    /// and were read.
    func accept(_ id: Chat.ID, by viewer: Account) async throws -> Chat {
        try await database.write { [self, events] transaction in
            let store = ChatStore(transaction)
            let before = try ChatRecords(transaction).member(id, of: viewer)
            if before.isDropped { try store.reopen(id, viewer.id) }
            try store.accept(id, viewer.id)
            let member = try ChatRecords(transaction).member(id, of: viewer)
            events.answered(id, isAccepted: true, by: viewer.id, transaction)
            if before.isRequest {
                if member.isGroup { try happen(.joined, in: id, by: viewer, transaction) }
                try ChatRecords(transaction).dismissNotification(of: before, events)
                let others = try others(of: member, transaction)
                if member.isGroup { events.changed(id, for: others, transaction) }
                events.caughtUp(id, member.marks, by: viewer.id, to: others, transaction)
            }
            events.counted(for: [viewer.id], transaction)
            return try ChatRecords(transaction).chat(id, for: viewer)
        }
    }

    /// Drops a request or an invitation, or hides a chat from the viewer's list until there is a new message. The others
    /// keep everything.
    ///
    /// - Returns: whether the chat is a group.
    @discardableResult
    func clear(_ id: Chat.ID, by viewer: Account) async throws -> Bool {
        try await database.write { [self, events] transaction in
            let member = try ChatRecords(transaction).member(id, of: viewer)
            if member.isGroup, member.isRequest {
                try depart(viewer.id, from: id, transaction)
            } else {
                try MessageWordStore(transaction).forgetCleared(in: id) {
                    guard member.isGroup else { return try ChatStore(transaction).clear(id, viewer.id) }
                    try GroupStore(transaction).clear(id, viewer.id, through: member.lastMessage)
                }
                // They can't look any more at what was sent to them.
                if member.isGroup { try OncePictureRecords(transaction).eraseSeen(in: id) }
            }
            events.cleared(id, by: viewer.id, transaction)
            if member.isRequest { events.answered(id, isAccepted: false, by: viewer.id, transaction) }
            events.counted(for: [viewer.id], transaction)
            try ChatRecords(transaction).dismissNotification(of: member, events)
            return member.isGroup
        }
    }

    // MARK: Marks

    /// Records that everything up to a message has arrived on one of the viewer's devices.
    func markDelivered(_ id: Chat.ID, through message: Message.ID, by viewer: Account) async throws {
        try await database.write { [self, events] transaction in
            let member = try ChatRecords(transaction).member(id, of: viewer)
            let through = min(message, member.lastMessage)
            let hasMoved = try ChatStore(transaction).markDelivered(id, viewer.id, through: through)
            guard hasMoved, !member.isRequest else { return }
            let others = try others(of: member, transaction)
            events.delivered(id, through: through, by: viewer.id, to: others, transaction)
        }
    }

    /// Returns everyone else of a chat.
    func others(of member: ChatStore.Member, _ transaction: Transaction) throws -> [Account.ID] {
        if let peer = member.peer { return [peer] }
        return try GroupStore(transaction).accounts(in: member.chat).filter { $0 != member.account }
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
        try await database.write { [self, events] transaction in
            let member = try ChatRecords(transaction).member(id, of: viewer)
            let through = min(message, member.lastMessage)
            guard try ChatStore(transaction).markRead(id, viewer.id, through: through) else { return }
            events.read(
                id, through: through, at: transaction.now, by: viewer.id,
                to: member.isRequest ? [] : try others(of: member, transaction), transaction)
            events.counted(
                for: [viewer.id], after: member.isGroup ? .messages(of: id) : .noGroup, transaction)
            try ChatRecords(transaction).dismissNotification(of: member, events)
        }
    }

    /// Sends to those who have accepted the chat that the viewer is typing, if the viewer has, too.
    func type(in id: Chat.ID, by viewer: Account) async throws {
        let others = try await database.read { transaction -> [Account.ID] in
            guard try !ChatRecords(transaction).member(id, of: viewer).isRequest else { return [] }
            return try ChatStore(transaction).members(of: id).filter {
                $0.account != viewer.id && !$0.isRequest
            }.map(\.account)
        }
        if !others.isEmpty { events.typing(id, by: viewer.id, to: others) }
    }
}
