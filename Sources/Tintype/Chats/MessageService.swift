import Foundation
import Storage

/// What people can do with messages: send, look, delete, save a photo.
final class MessageService: Sendable {
    private let database: Database
    private let events: ChatEvents
    private let chats: ChatService
    private let copies: PhotoCopies
    private let notifications: NotificationService

    init(
        database: Database, events: ChatEvents, chats: ChatService, copies: PhotoCopies,
        notifications: NotificationService
    ) {
        self.database = database
        self.events = events
        self.chats = chats
        self.copies = copies
        self.notifications = notifications
    }

    // MARK: Sending

    /// What a person sends.
    struct Draft: Sendable {
        var text: String
        /// One of their own library photos.
        var photo: Photo.ID?
        /// A picture uploaded to be seen once.
        var once: SingleUseMedia.ID?

        func check() throws {
            var problems = Problems()
            if text.isEmpty, photo == nil, once == nil {
                problems.add("text", "ERR_BLANK", "Write something, or choose a photo.")
            } else if text.count > MessageRules.textLength {
                problems.add("text", "ERR_TOO_LONG", "That is \(text.count) characters; 5,000 fit.")
            }
            try problems.throwIfAny()
        }
    }

    /// Sends a message; it is safely on the disk when this returns.
    ///
    /// - Parameter key: the same key by the same person, however much later, gives the message first made.
    /// - Throws: ``Refusal``: 404 for a chat of others, 410 when the key's message was deleted, 422 with every wrong
    ///   field, and when the other has not taken a request of twenty messages.
    func send(_ draft: Draft, to chat: Chat.ID, by viewer: Account, key: String? = nil) async throws
        -> Message
    {
        try draft.check()
        let sent: Sent
        do {
            sent = try await database.write { try Self.send($0, draft, to: chat, by: viewer, key: key) }
        } catch DatabaseError.uniqueViolation where key != nil {
            // The same message came in twice at the same moment, on two nodes.
            sent = try await database.write { try Self.send($0, draft, to: chat, by: viewer, key: key) }
        }
        if sent.isNew {
            events.sent(sent.message, to: sent.peer, isRequest: sent.isRequest, unread: sent.unread)
            if let announcement = sent.announcement { notifications.announce(announcement) }
        }
        return sent.message
    }

    private struct Sent: Sendable {
        var message: Message
        var peer: Account.ID
        var isRequest = false
        var unread = 0
        var isNew = true
        /// The one notification of all that is unread, when this message began it.
        var announcement: NotificationService.Announcement?
    }

    private static func send(
        _ transaction: Transaction, _ draft: Draft, to id: Chat.ID, by viewer: Account, key: String?
    ) throws -> Sent {
        let (member, peer) = try ChatService.member(transaction, id, of: viewer)
        let store = MessageStore(transaction)
        if let key, let known = try store.made(by: viewer.id, key: key) {
            guard known.chat == id else {
                throw Refusal.conflict("This key was used in another conversation.")
            }
            guard !known.isDeleted, let message = try store.message(known.id, in: id) else {
                throw Refusal(.gone, "This message was sent and then deleted.")
            }
            return Sent(message: message, peer: peer.id, isNew: false)
        }
        let isRequest = try asks(transaction, id, viewer.id, peer.id)
        let photo = try draft.photo.map { try own($0, transaction, viewer) }
        let once = try draft.once.map {
            try SingleUseMediaService.use($0, for: .viewOnce, by: viewer, transaction)
        }
        let chats = ChatStore(transaction)
        let message = Message(
            id: ID(rawValue: transaction.newID()), chat: id, number: try chats.countMessage(in: id),
            sender: viewer.id, text: draft.text, photo: photo, once: once == nil ? nil : .unopened, key: key)
        try store.insert(
            message.id, in: id, number: message.number, from: viewer.id, key: key, text: draft.text,
            photo: photo?.id, isOnce: once != nil)
        if let once { try keep(once, of: message.id, transaction) }
        if photo != nil { try store.insertExchange(message.id, seenBy: [viewer.id, peer.id]) }
        let note =
            try chats.member(id, peer.id)?.unreadCount == 0
            ? NotificationService.note(.message, to: peer.id, from: viewer.id, transaction) : nil
        try chats.noteMessage(message.id, in: id, from: viewer.id, asRequest: isRequest)
        return Sent(
            message: message, peer: member.peer, isRequest: isRequest,
            unread: isRequest ? 0 : try chats.unreadCount(of: peer.id),
            announcement: try note.flatMap { try NotificationService.announcement(of: $0, transaction) })
    }

    /// Takes a view-once picture over; it waits for a day.
    private static func keep(_ media: SingleUseMedia, of message: Message.ID, _ transaction: Transaction)
        throws
    {
        let end = transaction.now.addingTimeInterval(OncePicture.lifetime)
        try OncePictureStore(transaction).insert(media, of: message, expiresAt: end)
        try JobStore(transaction).insert(.closeOncePicture, payload: message.description, runAt: end)
    }

    /// Whether a message to `peer` is a request, since they have not taken the chat and the two aren't friends.
    private static func asks(
        _ transaction: Transaction, _ chat: Chat.ID, _ sender: Account.ID, _ peer: Account.ID
    ) throws -> Bool {
        let chats = ChatStore(transaction)
        guard try chats.member(chat, peer)?.isRequest == true,
            try !ChatService.areFriends(transaction, sender, peer)
        else { return false }
        guard try chats.messagesCount(chat) < MessageRules.requestLength else {
            throw Refusal.invalid(
                "text", "ERR_TOO_MANY",
                "They have not taken your request yet. You can write more when they do.")
        }
        return true
    }

    private static func own(_ id: Photo.ID, _ transaction: Transaction, _ viewer: Account) throws -> Photo {
        do {
            return try PhotoService.own(transaction, id, of: viewer)
        } catch let refusal as Refusal where refusal == .notFound {
            throw Refusal.invalid("photo_id", "ERR_INVALID", "This photo isn't in your library.")
        }
    }

    // MARK: Looking

    /// One page of a chat, newest first. What comes to a device this way counts as delivered.
    func messages(of id: Chat.ID, for viewer: Account, page: PageRequest) async throws -> [Message] {
        let (found, arrived) = try await database.read { transaction in
            let (member, _) = try ChatService.member(transaction, id, of: viewer)
            let found = try MessageStore(transaction).messages(
                of: id, clearedThrough: member.clearedThrough, page: page)
            let newest = found.first { $0.sender != viewer.id }?.id
            let isNew = newest.map { $0 > member.marks.deliveredThrough } ?? false
            return (found, isNew ? newest : nil)
        }
        if let arrived { try await chats.markDelivered(id, through: arrived, by: viewer) }
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
        return message
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
        let removal = try await database.write { transaction in
            let message = try Self.visible(transaction, id, in: chat, for: viewer)
            guard message.sender == viewer.id else { throw Refusal.notFound }
            return try Self.delete(transaction, id, in: chat)
        }
        events.removed(removal)
    }

    /// Deletes, in a transaction of the administration, a message for both, whosever it is.
    ///
    /// - Returns: tells both, to be called after the commit.
    func remove(
        _ id: Message.ID, in chat: Chat.ID, _ transaction: Transaction
    ) throws -> @Sendable () async -> Void {
        guard try MessageStore(transaction).message(id, in: chat) != nil else { throw Refusal.notFound }
        let removal = try Self.delete(transaction, id, in: chat)
        return { [events] in events.removed(removal) }
    }

    /// A message as it is, for the administration, which has checked that it is reported; nil when it was deleted.
    static func reported(_ transaction: Transaction, _ id: Message.ID, in chat: Chat.ID) throws -> Message? {
        try MessageStore(transaction).message(id, in: chat)
    }

    /// The messages that a photo stands in.
    static func holding(_ photo: Photo.ID, _ transaction: Transaction) throws -> [Message.ID] {
        try MessageStore(transaction).messages(with: photo).map(\.id)
    }

    /// The same inside a transaction: the message goes, its key stays.
    ///
    /// - Returns: what ``ChatEvents/removed(_:)`` tells after the commit.
    static func delete(_ transaction: Transaction, _ id: Message.ID, in chat: Chat.ID) throws -> Removal {
        try OncePictureStore(transaction).erase(id)
        try MessageStore(transaction).delete(id)
        let store = ChatStore(transaction)
        try store.uncountMessage(in: chat)
        try store.recount(chat)
        let sides = try store.members(of: chat).map { member in
            // The last unread message takes its notification with it.
            let notifications =
                member.unreadCount == 0
                ? try NotificationService.takeBack(
                    .message, to: member.account, from: member.peer, transaction) : nil
            return Removal.Side(
                account: member.account, unread: try store.unreadCount(of: member.account),
                notifications: notifications)
        }
        return Removal(message: id, chat: chat, sides: sides)
    }

    /// A message that is gone for both.
    struct Removal: Sendable {
        /// What one of the two has left.
        struct Side: Sendable {
            var account: Account.ID
            /// Unread messages.
            var unread: Int
            /// Unread notifications, when that has changed.
            var notifications: Int?
        }

        var message: Message.ID
        var chat: Chat.ID
        var sides: [Side]
    }

    /// Puts a copy of a message's photo into one's own library; its sender is told. Saving twice is saving once.
    func save(_ id: Message.ID, in chat: Chat.ID, by viewer: Account) async throws -> Photo {
        let (message, known) = try await database.read { transaction in
            let message = try Self.visible(transaction, id, in: chat, for: viewer)
            return (message, try Self.saved(transaction, id, by: viewer))
        }
        guard let photo = message.photo else { throw Refusal.notFound }
        // One's own photo is in one's library already.
        if let known = photo.owner == viewer.id ? photo : known { return known }
        let (copy, told) = try await copies.copy(photo, to: viewer.id, kind: .saved) { transaction in
            _ = try Self.visible(transaction, id, in: chat, for: viewer)
            return try Self.saved(transaction, id, by: viewer)
        } note: { transaction, copy -> NotificationService.Announcement? in
            try MessageStore(transaction).insertSaved(copy.id, of: id, by: viewer.id)
            return try NotificationService.note(.saved, to: message.sender, from: viewer.id, transaction)
                .flatMap { try NotificationService.announcement(of: $0, transaction) }
        }
        if let announcement = told ?? nil { notifications.announce(announcement) }
        return copy
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

    func uses(of photo: Photo.ID, _ transaction: Transaction) throws -> String? {
        switch try MessageStore(transaction).messages(with: photo).count {
        case 0: nil
        case 1: "one message"
        case let count: "\(count) messages"
        }
    }

    func release(_ photo: Photo.ID, _ transaction: Transaction) throws -> (@Sendable () -> Void)? {
        let removals = try MessageStore(transaction).messages(with: photo).map { id, chat in
            try MessageService.delete(transaction, id, in: chat)
        }
        return { for removal in removals { events.removed(removal) } }
    }

    func changed(_ photo: Photo.ID, _ transaction: Transaction) throws {}
}
