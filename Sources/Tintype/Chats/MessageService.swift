import Foundation
import Storage

/// What people can do with messages: send, look, delete, save a photo.
final class MessageService: Sendable {
    let database: Database
    let events: ChatEvents
    private let chats: ChatService
    private let copies: PhotoCopies
    let onceCopies: OnceCopies
    private let notifications: NotificationService
    let jobs: JobRunner

    init(
        database: Database, events: ChatEvents, chats: ChatService, copies: PhotoCopies,
        onceCopies: OnceCopies, notifications: NotificationService, jobs: JobRunner
    ) {
        self.database = database
        self.events = events
        self.chats = chats
        self.copies = copies
        self.onceCopies = onceCopies
        self.notifications = notifications
        self.jobs = jobs
    }

    // MARK: Looking

    /// One page of a chat, newest first. What comes to a device this way counts as delivered.
    func messages(of id: Chat.ID, for viewer: Account, page: PageRequest) async throws -> [Message] {
        let (found, arrived) = try await database.read { transaction in
            let (member, _) = try ChatService.member(transaction, id, of: viewer)
            let found = try MessageStore(transaction).messages(
                of: id, clearedThrough: member.clearedThrough, page: page
            ).map { $0.seen(after: member.clearedThrough) }
            let newest = found.first { $0.sender != viewer.id }?.id
            let isNew = newest.map { $0 > member.marks.deliveredThrough } ?? false
            return (found, isNew ? newest : nil)
        }
        if let arrived { await chats.arrived(id, through: arrived, for: viewer) }
        return found
    }

    /// One message of one's own chats.
    func message(_ id: Message.ID, in chat: Chat.ID, for viewer: Account) async throws -> Message {
        try await database.read { try Self.visible($0, id, in: chat, for: viewer) }
    }

    /// A message with a photo, and the ones before and after it.
    func photoMessage(
        _ id: Message.ID, in chat: Chat.ID, for viewer: Account
    ) async throws -> (message: Message, older: Message.ID?, newer: Message.ID?, saved: Photo.ID?) {
        try await database.read { transaction in
            let message = try Self.visible(transaction, id, in: chat, for: viewer)
            guard message.photo != nil else { throw Refusal.notFound }
            let (member, _) = try ChatService.member(transaction, chat, of: viewer)
            let store = MessageStore(transaction)
            let (older, newer) = try store.neighbours(of: id, in: chat, clearedThrough: member.clearedThrough)
            return (message, older, newer, try store.saved(id, by: viewer.id))
        }
    }

    /// A message that the viewer may see, inside a transaction of this feature.
    static func visible(
        _ transaction: Transaction, _ id: Message.ID, in chat: Chat.ID, for viewer: Account
    ) throws -> Message {
        let (member, _) = try ChatService.member(transaction, chat, of: viewer)
        guard id > member.clearedThrough, let message = try MessageStore(transaction).message(id, in: chat)
        else {
            throw Refusal.notFound
        }
        return message.seen(after: member.clearedThrough)
    }

    /// One page of the private feed: photos that one sent or received, newest first.
    func exchanges(of viewer: Account, page: PageRequest) async throws -> [Exchange] {
        try await database.read { transaction in
            try MessageStore(transaction).exchanges(of: viewer.id, page: page).compactMap {
                message, peer, count in
                guard let photo = message.photo else { return nil }
                let isOwn = message.sender == viewer.id
                return Exchange(
                    message: message, photo: photo, sender: isOwn ? viewer : peer,
                    recipient: isOwn ? peer : viewer,
                    messagesCount: count)
            }
        }
    }

    // MARK: Deleting and saving

    /// Deletes one's own message for both.
    func delete(_ id: Message.ID, in chat: Chat.ID, by viewer: Account) async throws {
        try await database.write { [events] transaction in
            let message = try Self.visible(transaction, id, in: chat, for: viewer)
            guard message.sender == viewer.id else { throw Refusal.notFound }
            try Self.delete(transaction, id, in: chat, events)
        }
    }

    /// Deletes, in a transaction of the administration, a message of anyone for both.
    func remove(_ id: Message.ID, in chat: Chat.ID, _ transaction: Transaction) throws {
        guard try MessageStore(transaction).message(id, in: chat) != nil else { throw Refusal.notFound }
        try Self.delete(transaction, id, in: chat, events)
    }

    /// A message as it is, for the administration, which has checked that it is reported; nil when it was deleted.
    static func reported(_ transaction: Transaction, _ id: Message.ID, in chat: Chat.ID) throws -> Message? {
        try MessageStore(transaction).message(id, in: chat)
    }

    /// The messages that a photo stands in.
    static func holding(_ photo: Photo.ID, _ transaction: Transaction) throws -> [Message.ID] {
        try MessageStore(transaction).messages(with: photo).map(\.id)
    }

    /// Deletes a message for both, inside a transaction, and tells them; its key stays.
    static func delete(
        _ transaction: Transaction, _ id: Message.ID, in chat: Chat.ID, _ events: ChatEvents
    ) throws {
        try OncePictureStore(transaction).erase(id)
        try MessageStore(transaction).delete(id)
        let store = ChatStore(transaction)
        try store.uncountMessage(in: chat)
        try store.recount(chat)
        let members = try store.members(of: chat)
        // The last unread message takes its notification with it.
        let losesNotification = try members.filter { member in
            try member.unreadCount == 0
                && NotificationService.takeBack(.message, to: member.account, from: member.peer, transaction)
        }
        events.removed(
            id, in: chat, for: members.map(\.account), losesNotification: losesNotification.map(\.account),
            transaction)
    }

    /// Puts a copy of a message's photo into one's own library; its sender is told, unless it is in a request that
    /// waits: then they must not learn that it was seen. Saving twice is saving once.
    func save(_ id: Message.ID, in chat: Chat.ID, by viewer: Account) async throws -> Photo {
        let (message, known) = try await database.read { transaction in
            let message = try Self.visible(transaction, id, in: chat, for: viewer)
            return (message, try Self.saved(transaction, id, by: viewer))
        }
        guard let photo = message.photo else { throw Refusal.notFound }
        // One's own photo is in one's library already.
        if let known = photo.owner == viewer.id ? photo : known { return known }
        return try await copies.copy(photo, to: viewer.id, kind: .saved) { transaction in
            _ = try Self.visible(transaction, id, in: chat, for: viewer)
            return try Self.saved(transaction, id, by: viewer)
        } note: { [notifications] transaction, copy in
            try MessageStore(transaction).insertSaved(copy.id, of: id, by: viewer.id)
            guard try !ChatService.member(transaction, chat, of: viewer).0.isRequest else { return }
            try notifications.note(.saved, to: message.sender, from: viewer.id, transaction)
        }
    }

    private static func saved(_ transaction: Transaction, _ id: Message.ID, by viewer: Account) throws
        -> Photo?
    {
        guard let saved = try MessageStore(transaction).saved(id, by: viewer.id) else { return nil }
        return try PhotoService.own(transaction, saved, of: viewer)
    }
}

/// Chats show a photo to the two whose message it is in, and lose photos that are deleted.
struct ChatsPhotoUse: PhotoUse {
    let events: ChatEvents

    func shows(_ photo: Photo.ID, to viewer: Account.ID, _ transaction: Transaction) throws -> Bool {
        try MessageStore(transaction).shows(photo, to: viewer)
    }

    func uses(of photo: Photo.ID, _ transaction: Transaction) throws -> PhotoUses? {
        switch try MessageStore(transaction).messages(with: photo).count {
        case 0: nil
        case 1: PhotoUses(places: "one message")
        case let count: PhotoUses(places: "\(count) messages")
        }
    }

    func release(_ photo: Photo.ID, _ transaction: Transaction) throws {
        for (id, chat) in try MessageStore(transaction).messages(with: photo) {
            try MessageService.delete(transaction, id, in: chat, events)
        }
    }

    func changed(_ photo: Photo.ID, _ transaction: Transaction) throws {}
}
