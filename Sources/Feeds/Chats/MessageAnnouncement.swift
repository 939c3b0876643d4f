import Core
import People
import Storage

/// The words with which a device announces the messages of a chat.
enum MessageAnnouncement {
    /// Returns the newest message of a chat; nil when nothing is unread. A picture that may be seen once is never
    /// described, and its text stays hidden with it.
    static func text(
        of group: NotificationGroup, for reader: Account, _ shared: SharedThings, _ transaction: Transaction
    ) throws -> Announcement.Text? {
        let sender = group.newest.actor
        guard let member = try ChatStore(transaction).member(of: reader.id, with: sender.id),
            member.unreadCount > 0, !member.isRequest
        else { return nil }
        guard let message = try MessageService.newest(of: member, from: sender.id, transaction) else {
            return nil
        }
        let body = message.once == nil ? message.summary(for: reader.id, shared) : "Photo to view once"
        return Announcement.Text(title: sender.username, body: body)
    }
}
