import Core
import People
import Serving
import Storage

/// The messages with a view-once picture, inside a transaction.
struct OncePictureRecords {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    /// Returns a view-once message that the viewer received. The sender can't open it.
    func received(
        _ id: Message.ID, in chat: Chat.ID, by viewer: Account
    ) throws -> (Message, peer: Account.ID) {
        let message = try MessageRecords(transaction).visible(id, in: chat, for: viewer)
        guard message.once != nil, message.sender != viewer.id else { throw Refusal.notFound }
        return (message, message.sender)
    }

    /// Sends that a picture has expired unopened, to the people of its chat who still have the message.
    func sendExpiry(_ id: Message.ID, _ events: ChatEvents) throws {
        guard let receiver = try ChatStore(transaction).receiver(of: id),
            let message = try MessageStore(transaction).message(id, in: receiver.chat),
            message.once == .expired,
            try AccountRecords(transaction).mayMeet(receiver.account, receiver.peer)
        else { return }
        let members = [receiver.account, message.sender]
        let hasIt = id > receiver.clearedThrough && !receiver.isDropped
        try events.changed(message, of: members, for: hasIt ? members : [message.sender], transaction)
    }
}
