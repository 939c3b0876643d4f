import Core
import Foundation
import People
import Serving
import Storage

/// The service of messages: sending, reading, deleting, saving a photo.
package final class MessageService: Sendable {
    let database: Database
    let events: ChatEvents
    let chats: ChatService
    private let copies: PhotoCopies
    let snaps: SnapService
    let onceCopies: OnceCopies
    let notifications: NotificationService
    /// What other features have for private feeds.
    let sources: Registry<ExchangeSource>

    init(
        database: Database, events: ChatEvents, chats: ChatService, copies: PhotoCopies,
        snaps: SnapService, onceCopies: OnceCopies, notifications: NotificationService,
        sources: Registry<ExchangeSource>
    ) {
        self.database = database
        self.events = events
        self.chats = chats
        self.copies = copies
        self.snaps = snaps
        self.onceCopies = onceCopies
        self.notifications = notifications
        self.sources = sources
    }

    // MARK: Looking

    /// Returns one page of a chat, newest first. The returned messages count as delivered.
    package func messages(of id: Chat.ID, for viewer: Account, page: PageRequest) async throws -> [Message] {
        let (found, arrived) = try await database.read { transaction in
            let member = try ChatRecords(transaction).member(id, of: viewer)
            return try MessageRecords(transaction).messages(of: member, page: page)
        }
        if let arrived { await chats.arrived(id, through: arrived, for: viewer) }
        return found
    }

    /// Returns one message of the viewer's chats.
    func message(_ id: Message.ID, in chat: Chat.ID, for viewer: Account) async throws -> Message {
        try await database.read { try MessageRecords($0).visible(id, in: chat, for: viewer) }
    }

    /// A message with the members who have read it, and the people who have opened its view-once picture, for its sender in a
    /// group.
    struct SentMessage: Sendable {
        let message: Message
        let readers: [Account]
        let lookers: [Account]
    }

    /// Returns one message of the viewer's chats with the members of a group who have seen it; nobody for messages of
    /// others and in chats of two.
    func sentMessage(_ id: Message.ID, in chat: Chat.ID, for viewer: Account) async throws -> SentMessage {
        try await database.read { transaction in
            let message = try MessageRecords(transaction).visible(id, in: chat, for: viewer)
            guard message.sender == viewer.id,
                let group = try ChatRecords(transaction).chat(chat, for: viewer).group
            else { return SentMessage(message: message, readers: [], lookers: []) }
            return SentMessage(
                message: message, readers: group.readers(of: id, besides: viewer.id),
                lookers: (message.once?.lookers ?? []).compactMap { message.faces[$0]?.account })
        }
    }

    /// A message with a photo, for the page of that photo.
    struct PhotoMessage: Sendable {
        let message: Message
        let photo: Photo
        /// The person who sent it; nil for the viewer.
        let sender: Account?
        /// The messages with photos before and after this one.
        let older: Message.ID?
        let newer: Message.ID?
        /// The photo's copy in the viewer's library.
        let saved: Photo.ID?
    }

    /// Returns a message with a photo.
    ///
    /// - Throws: ``Refusal`` (404) also for a message without one.
    func photoMessage(
        _ id: Message.ID, in chat: Chat.ID, for viewer: Account
    ) async throws -> PhotoMessage {
        try await database.read { transaction in
            let message = try MessageRecords(transaction).visible(id, in: chat, for: viewer)
            guard let photo = message.photo else { throw Refusal.notFound }
            let member = try ChatRecords(transaction).member(chat, of: viewer)
            let store = MessageStore(transaction)
            let (older, newer) = try store.neighbours(of: id, for: member)
            return PhotoMessage(
                message: message, photo: photo,
                sender: message.sender == viewer.id
                    ? nil : try AccountRecords(transaction).unchecked(message.sender),
                older: older, newer: newer,
                saved: try store.saved(id, by: viewer.id))
        }
    }

    // MARK: Deleting and saving

    /// Deletes a message of the viewer's for everyone.
    func delete(_ id: Message.ID, in chat: Chat.ID, by viewer: Account) async throws {
        try await database.write { [events] transaction in
            let message = try MessageRecords(transaction).visible(id, in: chat, for: viewer)
            guard message.sender == viewer.id, message.event == nil else { throw Refusal.notFound }
            try MessageRecords(transaction).delete(id, in: chat, events)
        }
    }

    /// Deletes anyone's message for everyone, inside a transaction of the administration.
    func remove(_ id: Message.ID, in chat: Chat.ID, _ transaction: Transaction) throws {
        try MessageRecords(transaction).delete(id, in: chat, events)
    }

    /// Returns one message of the viewer's chats with its sender, as the viewer may see them.
    func messageAndSender(
        _ id: Message.ID, in chat: Chat.ID, for viewer: Account
    ) async throws -> (message: Message, sender: Account) {
        try await database.read { transaction in
            let message = try MessageRecords(transaction).visible(id, in: chat, for: viewer)
            // In a group, also somebody whom the viewer blocks can be reported.
            if let face = message.faces[message.sender] { return (message, face.account) }
            return (message, try AccountRecords(transaction).account(message.sender, for: viewer))
        }
    }

    /// Copies a message's photo into the viewer's library. The sender is notified, unless the message is in a
    /// waiting request: then they must not learn that it was seen, or they mute the chat. Saving twice has no further effect.
    func save(_ id: Message.ID, in chat: Chat.ID, by viewer: Account) async throws -> Photo {
        let (message, known) = try await database.read { transaction in
            let message = try MessageRecords(transaction).visible(id, in: chat, for: viewer)
            return (message, try MessageRecords(transaction).saved(id, by: viewer))
        }
        guard let photo = message.photo else { throw Refusal.notFound }
        // The viewer's own photo is already in the library.
        if let known = photo.owner == viewer.id ? photo : known { return known }
        return try await copies.copy(photo, to: viewer.id, kind: .saved) { transaction in
            _ = try MessageRecords(transaction).visible(id, in: chat, for: viewer)
            return try MessageRecords(transaction).saved(id, by: viewer)
        } note: { [notifications] transaction, copy in
            try MessageStore(transaction).insertSaved(copy.id, of: id, by: viewer.id)
            guard try !ChatRecords(transaction).member(chat, of: viewer).isRequest,
                try ChatStore(transaction).member(chat, message.sender)?.mute == nil
            else { return }
            try notifications.note(.saved, to: message.sender, from: viewer.id, transaction)
        }
    }
}

/// The use of photos in chats: the people of a chat see its photos and its picture, and a deleted photo leaves both.
struct ChatsPhotoUse: PhotoUse {
    let events: ChatEvents

    func shows(_ photo: Photo.ID, to viewer: Account.ID, _ transaction: Transaction) throws -> Bool {
        let store = MessageStore(transaction)
        return try store.shows(photo, to: viewer) || store.isPicture(photo, ofGroupOf: viewer)
    }

    func uses(of photo: Photo.ID, _ transaction: Transaction) throws -> PhotoUses? {
        let store = MessageStore(transaction)
        switch try store.messages(with: photo).count {
        case 0:
            return try store.groups(pictured: photo).isEmpty ? nil : PhotoUses(places: "a group’s picture")
        case 1: return PhotoUses(places: "one message")
        case let count: return PhotoUses(places: "\(count) messages")
        }
    }

    func release(_ photo: Photo.ID, _ transaction: Transaction) throws {
        for (id, chat) in try MessageStore(transaction).messages(with: photo) {
            try MessageRecords(transaction).delete(id, in: chat, events)
        }
        for chat in try MessageStore(transaction).groups(pictured: photo) {
            try GroupStore(transaction).setPicture(nil, of: chat)
            events.changed(chat, for: try GroupStore(transaction).accounts(in: chat), transaction)
        }
    }

    func changed(_ photo: Photo.ID, _ transaction: Transaction) throws {}
}
