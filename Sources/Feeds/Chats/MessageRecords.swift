import Core
import People
import Serving
import Storage

/// The messages of chats inside a transaction, as the members of the chats see them.
struct MessageRecords {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    /// Returns one page of a chat, newest first, as one of its members sees it. Also returns the newest of these
    /// messages that arrives for the first time, if there is one.
    func messages(
        of member: ChatStore.Member, page: PageRequest
    ) throws -> (found: [Message], arrived: Message.ID?) {
        let found = try MessageStore(transaction).messages(
            of: member.chat, clearedThrough: member.clearedThrough, page: page
        ).map { $0.seen(after: member.clearedThrough) }
        let newest = found.first { $0.sender != member.account }?.id
        let isNew = newest.map { $0 > member.marks.deliveredThrough } ?? false
        return (member.isGroup ? try named(found, for: member.account) : found, isNew ? newest : nil)
    }

    /// Returns messages of groups with the people whom they name, as a viewer sees them. Nothing is shown of what somebody
    /// sent who is suspended.
    func named(_ messages: [Message], for viewer: Account.ID) throws -> [Message] {
        var ids: Set<Account.ID> = []
        for message in messages { ids.formUnion(message.named) }
        let accounts = try AccountRecords(transaction).unchecked(ids)
        let relationships = try RelationshipRecords(transaction).relationships(of: viewer, to: ids)
        let faces = accounts.mapValues {
            Message.Face(account: $0, isBlocked: relationships[$0.id]?.blocks == true)
        }
        return messages.map { message in
            var message = message
            message.faces = faces.filter { message.named.contains($0.key) }
            return message.asShown
        }
    }

    /// Returns a message that the viewer may see.
    func visible(_ id: Message.ID, in chat: Chat.ID, for viewer: Account) throws -> Message {
        let member = try ChatRecords(transaction).member(chat, of: viewer)
        guard let message = try ifVisible(id, to: member) else { throw Refusal.notFound }
        return message
    }

    /// Returns a message of a chat that one of its members may see; nil when there is none.
    func ifVisible(_ id: Message.ID, to member: ChatStore.Member) throws -> Message? {
        guard id > member.clearedThrough,
            let message = try MessageStore(transaction).message(id, in: member.chat)
        else { return nil }
        let seen = message.seen(after: member.clearedThrough)
        return member.isGroup ? try named([seen], for: member.account).first : seen
    }

    /// Returns a message without checking access, for the administration, which has checked that the message is
    /// reported; nil if it was deleted.
    func unchecked(_ id: Message.ID, in chat: Chat.ID) throws -> Message? {
        try MessageStore(transaction).message(id, in: chat)
    }

    /// Returns the messages that contain a photo.
    func holding(_ photo: Photo.ID) throws -> [Message.ID] {
        try MessageStore(transaction).messages(with: photo).map(\.id)
    }

    /// Deletes a message for everyone, and sends them an event. Its idempotency key stays.
    ///
    /// - Throws: ``Refusal`` (404) for one that was deleted before.
    func delete(_ id: Message.ID, in chat: Chat.ID, _ events: ChatEvents) throws {
        guard let message = try MessageStore(transaction).message(id, in: chat) else {
            throw Refusal.notFound
        }
        try OncePictureStore(transaction).erase(id)
        try MessageStore(transaction).delete(id)
        let store = ChatStore(transaction)
        try store.uncount(message)
        let members = try store.members(of: chat)
        // Deleting the last unread message also removes its notification.
        let losesNotification = try members.filter { member in
            try member.unreadCount == 0
                && ChatRecords(transaction).removeNotification(of: member)
        }
        try events.removed(
            id, in: chat, for: members.map(\.account), losesNotification: losesNotification.map(\.account),
            transaction)
    }

    /// Returns the viewer's copy of a message's photo; nil if the viewer hasn't saved it.
    func saved(_ id: Message.ID, by viewer: Account) throws -> Photo? {
        guard let saved = try MessageStore(transaction).saved(id, by: viewer.id) else { return nil }
        return try PhotoRecords(transaction).own(saved, of: viewer)
    }
}
