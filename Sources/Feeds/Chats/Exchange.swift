import Core
import Foundation
import People
import Storage

/// A photo of the private feed.
package struct Exchange: Sendable {
    /// The number by which the feed is ordered: the message's id, or an id of the feature that has the photo.
    let id: Int64
    let place: Place
    let photo: Photo
    let sender: Account
    /// The person to whom it was sent; nil for several.
    let recipient: Account?
    /// The chat whose messages are counted beside the photo; nil for none.
    let chat: Chat?

    /// The place in which a photo was sent.
    enum Place: Sendable {
        case message(Message.ID, in: Chat)
        /// A thing of another feature, with its id and the words for it after "Sent to:".
        case thing(SharedKind, id: Int64, title: String)
    }

    /// When the photo was sent.
    var createdAt: Date { ID<Exchange>(rawValue: id).createdAt }

    /// The name of the chat, or the words for the thing.
    var title: String {
        switch place {
        case .message(_, let chat): chat.title
        case .thing(_, _, let title): title
        }
    }

    /// Creates a photo that was sent in a message; nil if one of its parts is missing.
    init?(_ message: Message, in chat: Chat?, from sender: Account?, to viewer: Account) {
        guard let photo = message.photo, let chat, let sender, !sender.isSuspended else { return nil }
        id = message.id.rawValue
        place = .message(message.id, in: chat)
        (self.photo, self.sender, self.chat) = (photo, sender, chat)
        recipient = sender.id == viewer.id ? chat.peer : chat.peer == nil ? nil : viewer
    }

    /// Creates a photo that was put into a thing of another feature.
    ///
    /// - Parameters:
    ///   - id: an id that was made when the photo was put in.
    ///   - title: the words for the thing after "Sent to:".
    ///   - chat: the chat whose messages are counted.
    package init(
        _ id: Int64, of kind: SharedKind, _ thing: Int64, title: String, photo: Photo, from sender: Account,
        chat: Chat?
    ) {
        self.id = id
        place = .thing(kind, id: thing, title: title)
        (self.photo, self.sender, self.chat) = (photo, sender, chat)
        recipient = nil
    }
}

/// The photos of one kind of thing in private feeds. The feature of the kind registers them (``ChatOffers/exchanges``).
package struct ExchangeSource: Sendable {
    let kind: SharedKind
    /// The event of a thing that has changed. Its `id` names the thing, which is gone if its `state` is `deleted`.
    let event: EventName
    /// Reads a page of the photos that somebody gave or got, newest first, as they may see them.
    package typealias Read =
        @Sendable (_ viewer: Account, _ page: PageRequest, _ transaction: Transaction) throws -> [Exchange]
    let read: Read

    package init(kind: SharedKind, event: EventName, read: @escaping Read) {
        (self.kind, self.event, self.read) = (kind, event, read)
    }
}

extension MessageService {
    /// Returns one page of the private feed: photos that the viewer sent or received, newest first.
    func exchanges(of viewer: Account, page: PageRequest) async throws -> [Exchange] {
        try await database.read { [sources] transaction in
            let found = try MessageStore(transaction).exchanges(of: viewer.id, page: page)
            var chats: [Chat.ID: Chat] = [:]
            for chat in Set(found.map(\.chat)) {
                chats[chat] = try ChatRecords(transaction).chat(chat, for: viewer)
            }
            let senders = try AccountRecords(transaction).unchecked(Set(found.map(\.sender)))
            let sent = found.compactMap {
                Exchange($0, in: chats[$0.chat], from: senders[$0.sender], to: viewer)
            }
            return try sources.all.reduce(sent) { sent, source in
                page.merged(sent, try source.read(viewer, page, transaction)) { $0.id }
            }
        }
    }
}
