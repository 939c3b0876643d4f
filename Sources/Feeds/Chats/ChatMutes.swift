import Core
import Foundation
import People
import Serving
import Storage

/// The way in which a person mutes one of their chats: its messages are counted in the list of chats only, and nothing
/// announces them. The other person doesn't learn of it.
struct ChatMute: Sendable, Equatable {
    /// The time at which the mute ends; nil for never.
    var endsAt: Date?
}

extension JobKind {
    /// Clears the mute of a chat at its end, and sends that to the pages that show it. The mute itself ends by the
    /// clock.
    static let endChatMute = JobKind("end-chat-mute", .short)
}

// Muting chats.
extension ChatService {
    /// Mutes one of the viewer's chats. Muting again replaces the earlier end.
    ///
    /// - Parameter seconds: the seconds after which the mute ends; 0 for never.
    /// - Throws: ``Refusal``: 404 for anyone else's chat, and if either of the two blocks the other; 422 for a time
    ///   beyond a year.
    func mute(_ id: Chat.ID, for seconds: Int = 0, by viewer: Account) async throws -> Chat {
        try await database.write { [self] transaction in
            _ = try ChatRecords(transaction).member(id, of: viewer)
            let end = try Mute.end(after: seconds, from: transaction.now)
            return try set(ChatMute(endsAt: end), of: id, by: viewer, transaction)
        }
    }

    /// Ends the mute of a chat. Has no effect when there is none.
    ///
    /// - Throws: ``Refusal`` (404) as ``mute(_:for:by:)`` does.
    func unmute(_ id: Chat.ID, by viewer: Account) async throws -> Chat {
        try await database.write { [self] transaction in
            try set(nil, of: id, by: viewer, transaction)
        }
    }

    private func set(
        _ mute: ChatMute?, of id: Chat.ID, by viewer: Account, _ transaction: Transaction
    ) throws -> Chat {
        let old = try ChatRecords(transaction).member(id, of: viewer)
        let payload = "\(viewer.id)-\(id)"
        if let end = old.mute?.endsAt {
            try JobOutbox(transaction).cancel(.endChatMute, payload: payload, runAt: end)
        }
        if let end = mute?.endsAt { try transaction.schedule(.endChatMute, payload: payload, at: end) }
        try ChatStore(transaction).setMute(mute, of: id, by: viewer.id)
        events.muted(id, mute, by: viewer.id, transaction)
        return try ChatRecords(transaction).chat(id, for: viewer)
    }

    /// Performs ``JobKind/endChatMute``. A mute that was renewed meanwhile and ends later stays.
    func endMute(_ job: Job) async throws {
        let ids = job.payload.split(separator: "-").compactMap { Int64($0) }
        guard ids.count == 2 else { return }
        let (account, chat) = (Account.ID(rawValue: ids[0]), Chat.ID(rawValue: ids[1]))
        try await database.write { [events] transaction in
            let store = ChatStore(transaction)
            guard try store.member(chat, account)?.mute == nil, try store.clearMute(of: chat, by: account)
            else { return }
            events.muted(chat, nil, by: account, transaction)
        }
    }
}
