import Core
import Foundation
import HTML
import Serving
import Storage

/// What a device says about notifications that are shown together, in plain text.
package struct Announcement: Sendable {
    /// The words of an announcement.
    package struct Text: Sendable, Equatable {
        package let title: String
        package let body: String

        /// - Parameters:
        ///   - title: at most 100 characters; what is longer is cut off.
        ///   - body: at most ``mostCharacters``; what is longer is cut off.
        package init(title: String, body: String) {
            self.title = PlainText.oneLine(title, limit: 100)
            self.body = PlainText.oneLine(body, limit: Self.mostCharacters)
        }

        /// The most characters of a body.
        private static let mostCharacters = 300
    }

    /// The newest of the notifications.
    package let newest: Notification
    package let text: Text
    /// The path to which the announcement leads.
    package let path: String
}

extension NotificationService {
    /// Returns the announcement of the notifications of a kind that are shown together, in the words of the list; nil
    /// when there are none that the reader may see.
    package func announcement(
        of kind: Notification.Kind, _ group: Int64, for reader: Account, _ transaction: Transaction
    ) throws -> Announcement? {
        guard let group = try self.group(kind, group, of: reader, transaction) else { return nil }
        let kind = group.newest.kind
        let text: Announcement.Text
        if let words = kind.announcement {
            guard let found = try words(group, reader, transaction) else { return nil }
            text = found
        } else {
            text = Announcement.Text(title: kind.topic.title, body: group.plainSentence)
        }
        return Announcement(
            newest: group.newest, text: text,
            path: kind.path?(group) ?? AppPaths.notifications)
    }

    /// Returns whether notifications of a kind that are shown together, or their news, are unread.
    ///
    /// - Parameter place: the place of the newest (``NotificationNote/place``).
    func isUnread(
        _ kind: Notification.Kind, _ group: Int64, at place: Int64, of account: Account.ID,
        _ transaction: Transaction
    ) throws -> Bool {
        let lastRead = try MarkerStore(transaction).marker(.notifications, of: account)?.lastRead ?? 0
        return try place > lastRead
            && NotificationStore(transaction).has(
                kind, group, of: account, after: kinds[kind]?.hasNews == true ? 0 : lastRead)
    }

    /// Returns a person's preferences, in a transaction of another service.
    func preferences(of account: Account.ID, _ transaction: Transaction) throws -> NotificationPreferences {
        try NotificationPreferencesStore(transaction).preferences(of: account)
    }

    private func group(
        _ kind: Notification.Kind, _ id: Int64, of reader: Account, _ transaction: Transaction
    ) throws -> NotificationGroup? {
        let store = NotificationStore(transaction)
        guard
            let found = try store.group(
                kind, id, of: reader.id, visible: kinds.visible, unmuted: kinds.unmuted)
        else { return nil }
        return try group(found, for: reader, lastRead: 0, transaction)
    }
}

extension NotificationGroup {
    /// The sentence of the group: who acted, and what they did.
    @NodeBuilder var sentence: Node {
        if newest.kind.namesActor { b { newest.actor.username } }
        if peopleCount > 1 {
            " and "
            b { (peopleCount - 1).of("other") }
        }
        newest.kind.words(self)
    }

    /// The sentence as plain text.
    fileprivate var plainSentence: String {
        PlainText.of(String(decoding: sentence.rendered(), as: UTF8.self))
    }
}

extension NotificationTopic {
    /// The words of an announcement for a person who wants none of its content on a locked screen.
    package var preview: Announcement.Text { Announcement.Text(title: "Tintype", body: news) }
}
