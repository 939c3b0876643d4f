import Core
import Foundation
import People
import Serving
import Storage

// Sending messages, and notifying their receivers.
extension MessageService {
    /// The values of a new message.
    package struct Draft: Sendable {
        package var text: String
        package var picture = Picture.none
        /// The message of this chat that the new message answers.
        package var reply: Message.ID?
        /// The snap of the other person that the new message answers. A message answers at most one of both.
        var snap: Snap.ID?

        package init(text: String, picture: Picture = Picture.none, reply: Message.ID? = nil) {
            self.text = text
            self.picture = picture
            self.reply = reply
        }

        /// The picture of a message. A message has at most one.
        package enum Picture: Sendable {
            case none
            /// A photo of the sender's library.
            case photo(Photo.ID)
            /// An uploaded picture that can be seen once.
            case once(SingleUseMedia.ID)
            /// A copy of a photo of the sender's library. The copy can be seen once.
            case onceCopy(of: Photo.ID)
            /// A copy that is made unless the message was sent before. It can be seen once.
            case onceMade(by: @Sendable () async throws -> OnceCopies.Copy)
        }

        func check() throws {
            var problems = Problems()
            // The limit isn't in characters: a single character may be as long as a book.
            let length = text.unicodeScalars.count
            if text.isEmpty, case .none = picture {
                problems.add("text", "ERR_BLANK", "Write something, or choose a photo.")
            } else if length > MessageRules.textLength {
                problems.add("text", "ERR_TOO_LONG", "That is \(length) characters; the limit is 5,000.")
            }
            if reply != nil, snap != nil {
                problems.add("snap_id", "ERR_INVALID", "A message answers a message or a snap, not both.")
            }
            try problems.throwIfAny()
        }
    }

    /// The way in which a message reaches its receiver.
    enum Arrival: Sendable {
        /// As a message of a chat.
        case chat
        /// As part of a request, which the receiver has to accept.
        case request
        /// Not at all, because the receiver has dropped the request. Only the sender sees the message until the
        /// receiver reopens the chat.
        case dropped
    }

    /// Sends a message. It is safely stored on the disk when this returns.
    ///
    /// - Parameter key: the idempotency key. A second call with the key, however much later, returns the message of the
    ///   first.
    /// - Throws: ``Refusal``: 404 for a chat of others, 410 when the key's message was deleted, 422 with every wrong
    ///   field, and when the other person hasn't accepted a request of twenty messages.
    package func send(
        _ draft: Draft, to chat: Chat.ID, by viewer: Account, key: String? = nil
    ) async throws -> Message {
        let sent = try await send([Part(draft: draft, key: key)], to: chat, by: viewer)
        guard let message = sent.first else { throw Refusal.notFound }
        return message
    }

    /// Sends a message to several people, each in their own chat.
    ///
    /// - Parameter key: the key of the form, so that sending the form twice sends each message once.
    /// - Throws: ``Refusal`` as ``send(_:to:by:key:)`` does. The people before the failing one have received the
    ///   message then.
    package func send(
        _ draft: Draft, toEach people: [Account.ID], by viewer: Account, key: String?, _ chats: ChatService
    ) async throws {
        for person in people {
            let chat = try await chats.open(with: person, by: viewer)
            _ = try await send(
                draft, to: chat.id, by: viewer, key: key.map { "share \(person) \($0.prefix(100))" })
        }
    }

    /// One of several messages that are sent together.
    struct Part: Sendable {
        var draft: Draft
        var key: String?
    }

    /// Sends several messages in their order. When one of them is refused, sends none.
    ///
    /// - Throws: ``Refusal`` as ``send(_:to:by:key:)`` does for one.
    func send(_ parts: [Part], to chat: Chat.ID, by viewer: Account) async throws -> [Message] {
        for part in parts { try part.draft.check() }
        var copies: [OnceCopies.Copy?] = []
        let sent: [Sent]
        do {
            for part in parts {
                copies.append(try await copy(for: part.draft, to: chat, by: viewer, key: part.key))
            }
            sent = try await commit(Array(zip(parts, copies)), by: viewer) { _ in chat }
        } catch {
            for copy in copies { await onceCopies.discard(copy, after: error) }
            throw error
        }
        for (copy, one) in zip(copies, sent) {
            if one.isNew { await onceCopies.keep(copy) } else { await onceCopies.discard(copy) }
        }
        return sent.map(\.message)
    }

    /// Sends several messages to people: to one in the chat of the two, to several in a new group. When one of them is
    /// refused, sends none and makes no group.
    ///
    /// - Parameter key: the idempotency key of the group.
    /// - Throws: ``Refusal`` as ``ChatService/open(with:by:)``, ``ChatService/makeGroup(_:title:by:key:)`` and
    ///   ``send(_:to:by:key:)`` do. A picture that is copied to be seen once is refused (404).
    func send(
        _ parts: [Part], toPeople people: [Account.ID], by viewer: Account, key: IdempotencyKey?
    ) async throws -> [Message] {
        for part in parts { try part.draft.check() }
        if people.count == 1, let person = people.first {
            return try await send(parts, to: chats.open(with: person, by: viewer).id, by: viewer)
        }
        return try await commit(parts.map { ($0, nil) }, by: viewer) { [chats] transaction in
            try chats.makeGroup(people, by: viewer, key: key, transaction).id
        }.map(\.message)
    }

    /// Sends messages in one transaction.
    ///
    /// - Parameter chat: finds the chat, or makes it.
    private func commit(
        _ parts: [(Part, OnceCopies.Copy?)], by viewer: Account,
        in chat: @escaping @Sendable (Transaction) throws -> Chat.ID
    ) async throws -> [Sent] {
        @Sendable func sendAll(_ transaction: Transaction) throws -> [Sent] {
            let chat = try chat(transaction)
            return try parts.map { part, copy in
                try self.send(part.draft, copy, to: chat, by: viewer, key: part.key, transaction)
            }
        }
        do {
            return try await database.write(sendAll)
        } catch DatabaseError.uniqueViolation where parts.contains(where: { $0.0.key != nil }) {
            // The message arrived twice at one moment, on two nodes.
            return try await database.write(sendAll)
        }
    }

    /// Returns whether messages with all of these keys were sent.
    ///
    /// - Parameter chat: the chat to which they were sent; nil for any.
    func wereSent(_ keys: [String], to chat: Chat.ID? = nil, by viewer: Account) async throws -> Bool {
        try await database.read { transaction in
            let store = MessageStore(transaction)
            return try keys.allSatisfy { key in
                try store.made(by: viewer.id, key: key).map { chat == nil || $0.chat == chat } ?? false
            }
        }
    }

    /// Copies the files of a picture that is sent to be seen once and stays where it is; returns nil for any other picture,
    /// and for a message that was sent before.
    private func copy(
        for draft: Draft, to chat: Chat.ID, by viewer: Account, key: String?
    ) async throws -> OnceCopies.Copy? {
        let make: () async throws -> OnceCopies.Copy
        switch draft.picture {
        case .none, .photo, .once: return nil
        case .onceMade(let by): make = by
        case .onceCopy(let photo):
            make = { try await Self.fromLibrary { try await self.onceCopies.copy(of: photo, by: viewer) } }
        }
        // A message that was sent before needs no copy, and its photo may have been deleted since.
        return try await database.once { transaction -> OnceCopies.Copy?? in
            _ = try ChatRecords(transaction).member(chat, of: viewer)
            let made = try key.flatMap { try MessageStore(transaction).made(by: viewer.id, key: $0) }
            return made == nil ? nil : .some(nil)
        } make: {
            try await make()
        }
    }

    private struct Sent: Sendable {
        var message: Message
        var isNew = true
    }

    private func send(
        _ draft: Draft, _ copy: OnceCopies.Copy?, to id: Chat.ID,
        by viewer: Account, key: String?, _ transaction: Transaction
    ) throws -> Sent {
        let member = try ChatRecords(transaction).member(id, of: viewer)
        let store = MessageStore(transaction)
        if let key, let known = try store.made(by: viewer.id, key: key) {
            guard known.chat == id else {
                throw Refusal.conflict("This key was used in another chat.")
            }
            guard !known.isDeleted, let message = try store.message(known.id, in: id) else {
                throw Refusal.messageDeleted
            }
            return Sent(message: message, isNew: false)
        }
        let message =
            if let peer = member.peer {
                try sendToPeer(peer, draft, copy, from: member, by: viewer, key: key, transaction)
            } else {
                try sendToGroup(draft, copy, from: member, by: viewer, key: key, transaction)
            }
        return Sent(message: message)
    }

    private func sendToPeer(
        _ peer: Account.ID, _ draft: Draft, _ copy: OnceCopies.Copy?, from member: ChatStore.Member,
        by viewer: Account, key: String?, _ transaction: Transaction
    ) throws -> Message {
        let (id, chats) = (member.chat, ChatStore(transaction))
        guard var receiver = try chats.member(id, peer) else { throw Refusal.notFound }
        let arrival = try MessageRecords(transaction).arrival(to: receiver, from: viewer.id)
        // An answer accepts a request, and so does a friendship.
        for accepting in [member] + (arrival == .chat ? [receiver] : []) where accepting.isRequest {
            try ChatRecords(transaction).dismissNotification(of: accepting, events)
        }
        receiver.isRequest = arrival != .chat
        let message = try insert(draft, copy, from: member, by: viewer, key: key, transaction)
        if message.photo != nil {
            try MessageStore(transaction).insertExchange(message.id, seenBy: [viewer.id, peer])
        }
        try chats.noteMessage(message.id, in: id, from: viewer.id, arrival)
        if member.isDropped { try chats.reopen(id, viewer.id) }
        try events.sent(message, to: peer, arrival, transaction)
        guard arrival != .dropped else { return message }
        if receiver.isDropped { try chats.reopen(id, peer) }
        try announce(message, to: receiver, transaction)
        return message
    }

    /// Sends a message in a group. It writes the message, the row of the chat, that of the sender and jobs, however many
    /// members there are.
    private func sendToGroup(
        _ draft: Draft, _ copy: OnceCopies.Copy?, from member: ChatStore.Member, by viewer: Account,
        key: String?, _ transaction: Transaction
    ) throws -> Message {
        guard !member.isRequest else { throw Refusal.conflict("Accept the invitation first.") }
        let message = try insert(draft, copy, from: member, by: viewer, key: key, transaction)
        try GroupStore(transaction).noteMessage(number: message.number, in: member.chat, from: viewer.id)
        if message.photo != nil {
            try MessageStore(transaction).insertExchange(message.id, seenBy: [viewer.id])
            try transaction.schedule(.spreadPhoto, payload: message.id.description)
        }
        events.sentInGroup(message, transaction)
        try transaction.schedule(
            .notifyGroup, payload: message.id.description,
            at: transaction.now.addingTimeInterval(Self.patience))
        return try MessageRecords(transaction).named([message], for: viewer.id).first ?? message
    }

    /// Stores a new message.
    private func insert(
        _ draft: Draft, _ copy: OnceCopies.Copy?, from member: ChatStore.Member, by viewer: Account,
        key: String?, _ transaction: Transaction
    ) throws -> Message {
        let reply = try reply(of: draft, from: member, by: viewer, transaction)
        let (photo, once) = try picture(draft, copy, by: viewer, transaction)
        let (id, number) = try ChatStore(transaction).newMessage(in: member.chat)
        let message = Message(
            id: id, chat: member.chat, number: number, sender: viewer.id, text: draft.text, photo: photo,
            once: once.map { _ in Message.Once() }, key: key, reply: reply)
        try MessageStore(transaction).insert(
            id, in: member.chat, number: number, from: viewer.id, key: key, text: draft.text,
            photo: photo?.id, isOnce: once != nil, reply: reply)
        if once == nil { try MessageWordStore(transaction).insert(draft.text, of: id, in: member.chat) }
        if let once { try MessageRecords(transaction).keep(once, of: id, for: snaps.settings.lifetime) }
        return message
    }

    /// Returns what a new message answers.
    ///
    /// - Throws: ``Refusal`` (422) for a message of another chat, and for a snap that the viewer hasn't looked at, that isn't
    ///   the other person's, or that is gone.
    private func reply(
        of draft: Draft, from member: ChatStore.Member, by viewer: Account, _ transaction: Transaction
    ) throws -> Message.Reply? {
        if let message = draft.reply { return try MessageRecords(transaction).reply(to: message, in: member) }
        guard let snap = draft.snap else { return nil }
        guard try snaps.canAnswer(snap, of: member.peer, by: viewer, transaction) else {
            throw Refusal.invalid("snap_id", "ERR_INVALID", "There is no such snap to answer any more.")
        }
        return .snap(snap)
    }

    /// Schedules the notification of a new message, unless its receiver mutes the chat. The list of notifications names a
    /// chat once, but a device announces each further message of a friend.
    private func announce(
        _ message: Message, to receiver: ChatStore.Member, _ transaction: Transaction
    ) throws {
        guard receiver.mute == nil else { return }
        // What is unread may have come while the chat was muted, and has no notification then.
        guard try receiver.unreadCount > 0 && MessageRecords(transaction).isNotified(receiver) else {
            return try transaction.schedule(
                .notifyOfMessage, payload: message.id.description,
                at: transaction.now.addingTimeInterval(Self.patience))
        }
        guard !receiver.isRequest else { return }
        try notifications.noteNews(
            of: .message, to: receiver.account, from: message.sender, group: receiver.chat.rawValue,
            transaction)
    }

    /// Returns the picture of a new message: either a library photo or a view-once picture.
    private func picture(
        _ draft: Draft, _ copy: OnceCopies.Copy?, by viewer: Account, _ transaction: Transaction
    ) throws -> (Photo?, OncePictureStore.New?) {
        switch draft.picture {
        case .none: return (nil, nil)
        case .photo(let id):
            return (try Self.fromLibrary { try PhotoRecords(transaction).own(id, of: viewer) }, nil)
        case .once(let id):
            let media = try SingleUseMediaRecords(transaction).use(id, for: .viewOnce, by: viewer)
            return (
                nil,
                .init(
                    description: media.description, width: media.width, height: media.height,
                    files: media.files.map { ($0.variant, $0.key) })
            )
        case .onceCopy, .onceMade:
            guard let copy else { throw Refusal.notFound }
            try onceCopies.insert(copy, of: viewer.id, transaction)
            return (
                nil,
                .init(
                    description: copy.description, width: copy.width, height: copy.height,
                    files: copy.files.map { ($0.variant, $0.blob.key) })
            )
        }
    }

    private static func notInLibrary(_ error: any Error) -> any Error {
        error as? Refusal == .notFound
            ? Refusal.invalid("photo_id", "ERR_INVALID", "This photo isn’t in your library.") : error
    }

    /// Turns a missing photo into an error about the field, so that the answer isn't 404.
    private static func fromLibrary<Found>(_ find: () throws -> Found) throws -> Found {
        do { return try find() } catch { throw notInLibrary(error) }
    }

    private static func fromLibrary<Found>(_ find: () async throws -> Found) async throws -> Found {
        do { return try await find() } catch { throw notInLibrary(error) }
    }

    // MARK: Telling those who aren't there

    /// The seconds within which a person who has the chat open has read a message.
    private static let patience: TimeInterval = 2

    /// Performs ``JobKind/notifyOfMessage``: adds a notification about messages that are unread a moment after the first
    /// of them arrived. A person who reads or drops the chat within that time gets no notification.
    static func notify(_ job: Job, in database: Database, _ notifications: NotificationService) async throws {
        guard let id = Message.ID(job.payload),
            try await database.read({ try MessageRecords($0).receiverToNotify(since: id) }) != nil
        else { return }
        try await database.write { transaction in
            guard let member = try MessageRecords(transaction).receiverToNotify(since: id),
                let peer = member.peer
            else { return }
            try notifications.note(
                member.notificationKind, to: member.account, from: peer, group: member.chat.rawValue,
                transaction)
        }
    }
}

extension MessageRecords {
    /// Returns the message that a new message answers. It may have been deleted meanwhile: the new message, which may
    /// have waited for the network, is sent nevertheless.
    fileprivate func reply(to id: Message.ID, in member: ChatStore.Member) throws -> Message.Reply {
        guard id > member.clearedThrough,
            let reply = try MessageStore(transaction).reply(to: id, in: member.chat)
        else {
            throw Refusal.invalid(
                "reply_to_id", "ERR_INVALID", "The message that you reply to isn’t in this chat.")
        }
        return reply
    }

    /// Stores a view-once picture, which waits for its receivers.
    ///
    /// - Parameter lifetime: how long it waits, in seconds.
    fileprivate func keep(
        _ picture: OncePictureStore.New, of message: Message.ID, for lifetime: TimeInterval
    ) throws {
        let end = transaction.now.addingTimeInterval(lifetime)
        try OncePictureStore(transaction).insert(picture, of: message, expiresAt: end)
        try transaction.schedule(.closeOncePicture, payload: message.description, at: end)
    }

    /// Returns the way in which a message arrives. Messages of people who aren't friends arrive as a request, as long
    /// as the receiver hasn't accepted the chat.
    fileprivate func arrival(
        to receiver: ChatStore.Member, from sender: Account.ID
    ) throws -> MessageService.Arrival {
        guard receiver.isRequest else { return .chat }
        let relationship = try RelationshipRecords(transaction).relationship(
            of: receiver.account, to: sender)
        guard !relationship.areFriends else { return .chat }
        // Deleted messages count, too: each of them was delivered.
        guard try ChatStore(transaction).lastNumber(of: receiver.chat) < MessageRules.requestLength else {
            throw Refusal.invalid(
                "text", "ERR_TOO_MANY",
                "They haven’t accepted your request yet. You can write more when they do.")
        }
        return receiver.isDropped && !relationship.follows ? .dropped : .request
    }

    /// Returns whether a member has a notification of unread messages.
    fileprivate func isNotified(_ member: ChatStore.Member) throws -> Bool {
        guard let peer = member.peer else { return false }
        return try NotificationRecords(transaction).isNoted(
            member.notificationKind, to: member.account, from: peer)
    }

    /// Returns the receiver of a message that is unread, like all messages after it, if they haven't been notified of
    /// any of them and don't mute the chat; otherwise nil.
    fileprivate func receiverToNotify(since id: Message.ID) throws -> ChatStore.Member? {
        guard let member = try ChatStore(transaction).receivers(of: id).first, member.unreadCount > 0,
            member.marks.readThrough < id, member.clearedThrough < id,
            member.mute == nil, try !isNotified(member)
        else { return nil }
        return member
    }
}

extension ChatStore.Member {
    /// The kind of the notification of unread messages.
    fileprivate var notificationKind: People.Notification.Kind { isRequest ? .messageRequest : .message }
}

extension Refusal {
    /// The refusal (410) of what was sent before.
    static var messageDeleted: Refusal { Refusal(.gone, "This message was sent and then deleted.") }
}
