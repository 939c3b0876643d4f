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
        return Announcement.Text(title: sender.username, body: body(of: message, for: reader))
    }

    private func body(of message: Message, for reader: Account) -> String {
        message.once == nil ? message.words(for: reader.id, shared) : "Photo to view once"
    }

    /// Returns the newest message of somebody in a group; nil when nothing is unread, or the group is muted.
    ///
    /// - Parameter isMention: whether the reader is mentioned, who then hears of it although they mute the group.
    func text(ofGroup group: NotificationGroup, for reader: Account, isMention: Bool) throws -> Announcement
        .Text?
    {
        guard let subject = group.newest.subject as? GroupSubject,
            let member = try ChatStore(transaction).member(subject.chat, reader.id),
            member.unreadCount > 0, !member.isRequest, isMention || member.mute == nil
        else { return nil }
        let messages = try MessageRecords(transaction).messages(
            of: member, page: PageRequest(limit: Self.lookedThrough)
        ).found
        let message = messages.first { message in
            // A mention is by the person of the notification. Others write on under one notification.
            let isMeant = isMention ? message.sender == group.newest.actor.id : message.sender != reader.id
            return isMeant && message.event == nil && !message.isFolded && !message.isOfSuspended
        }
        guard let message,
            let sender = try AccountRecords(transaction).unchecked([message.sender])[message.sender]
        else { return nil }
        return Announcement.Text(
            title: subject.title, body: "\(sender.displayName): \(body(of: message, for: reader))")
    }
}
