import Core
import People
import Storage

/// The words with which a device announces the messages of a chat.
struct MessageAnnouncement {
    private let transaction: Transaction
    private let shared: SharedThings

    /// - Parameter shared: the things that messages share.
    init(_ transaction: Transaction, _ shared: SharedThings) {
        self.transaction = transaction
        self.shared = shared
    }

    /// The number of messages among which the other person's newest is looked for.
    private static let lookedThrough = 20

    /// Returns the newest message of a chat; nil when nothing is unread, or the chat is muted. A picture that may be seen
    /// once is never described, and its text stays hidden with it.
    func text(of group: NotificationGroup, for reader: Account) throws -> Announcement.Text? {
        let sender = group.newest.actor
        guard let member = try ChatStore(transaction).member(of: reader.id, with: sender.id),
            member.unreadCount > 0, !member.isRequest, member.mute == nil
        else { return nil }
        let messages = try MessageRecords(transaction).messages(
            of: member, page: PageRequest(limit: Self.lookedThrough)
        ).found
        guard let message = messages.first(where: { $0.sender == sender.id }) else { return nil }
        let body = message.once == nil ? message.summary(for: reader.id, shared) : "Photo to view once"
        return Announcement.Text(title: sender.username, body: body)
    }
}
