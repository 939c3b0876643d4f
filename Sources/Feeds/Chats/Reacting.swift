import Core
import Serving
import Storage

// Reacting to a message with an emoji.
extension MessageService {
    /// Sets the viewer's reaction to a message, in place of an earlier one.
    ///
    /// - Parameter emoji: one emoji; nil takes the reaction back.
    /// - Returns: the message with all reactions.
    /// - Throws: ``Refusal``: 404 for a message that the viewer doesn't see, 409 in a request that they have not
    ///   accepted, because its sender would learn that they were there, 422 for anything but one emoji.
    package func react(
        _ emoji: String?, to id: Message.ID, in chat: Chat.ID, by viewer: Account
    ) async throws -> Message {
        try await database.write { [events] transaction in
            let message = try MessageRecords(transaction).visible(id, in: chat, for: viewer)
            guard message.event == nil else { throw Refusal.notFound }
            if let emoji, !MessageRules.isSingleEmoji(emoji) {
                throw Refusal.invalid("emoji", "ERR_INVALID", "Choose one emoji.")
            }
            let member = try ChatRecords(transaction).member(chat, of: viewer)
            guard !member.isRequest else { throw Refusal.conflict("Accept the request first.") }
            let hasChanged = try MessageStore(transaction).setReaction(emoji, to: id, by: viewer.id)
            guard hasChanged else { return message }
            let changed = try MessageRecords(transaction).visible(id, in: chat, for: viewer)
            let haveIt = try ChatStore(transaction).members(of: chat).filter { $0.has(id) }
            events.reacted(
                changed, of: member.peer.map { [viewer.id, $0] } ?? [viewer.id], for: haveIt.map(\.account),
                transaction)
            return changed
        }
    }
}
