import Core
import People
import Serving
import Storage

/// The messages with a view-once picture, inside a transaction.
struct OncePictureRecords {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    /// Returns a view-once message that the viewer received. The sender can't open it.
    func received(_ id: Message.ID, in chat: Chat.ID, by viewer: Account) throws -> Message {
        let message = try MessageRecords(transaction).visible(id, in: chat, for: viewer)
        guard message.once != nil, message.sender != viewer.id else { throw Refusal.notFound }
        return message
    }

    /// Erases a picture that every receiver who may open it has seen. Returns whether it did.
    @discardableResult
    func eraseIfSeen(_ picture: OncePicture) throws -> Bool {
        let views = try OncePictureStore(transaction).views(of: picture.message)
        let receivers = try ChatStore(transaction).receivers(of: picture.message).filter {
            // Somebody who joined later, or hasn't accepted an invitation, can't open it.
            !$0.isGroup || (!$0.isRequest && $0.has(picture.message))
        }
        let isSeen = receivers.allSatisfy { receiver in
            guard let view = views[receiver.account] else { return false }
            return picture.state(for: view, at: transaction.now) == .closed
        }
        guard isSeen else { return false }
        try OncePictureStore(transaction).erase(picture.message)
        return true
    }

    /// Erases the pictures of a chat that all have seen who are still in it.
    func eraseSeen(in chat: Chat.ID) throws {
        let store = OncePictureStore(transaction)
        for picture in try store.pictures(in: chat).compactMap({ try store.picture(of: $0) }) {
            _ = try eraseIfSeen(picture)
        }
    }

    /// Erases a picture whose time is over.
    func expire(_ picture: OncePicture, _ events: ChatEvents) throws {
        try OncePictureStore(transaction).erase(picture.message)
        try sendExpiry(picture.message, events)
    }

    /// Sends that a picture has expired, to the people of its chat who still have the message.
    private func sendExpiry(_ id: Message.ID, _ events: ChatEvents) throws {
        let receivers = try ChatStore(transaction).receivers(of: id)
        guard let first = receivers.first,
            let message = try MessageStore(transaction).message(id, in: first.chat),
            message.once?.isOver == true
        else { return }
        if first.isGroup { return events.changedInGroup(message, transaction) }
        guard message.once?.lookers.isEmpty == true,
            try AccountRecords(transaction).mayMeet(first.account, message.sender)
        else { return }
        let members = [first.account, message.sender]
        try events.changed(message, of: members, for: first.has(id) ? members : [message.sender], transaction)
    }
}
