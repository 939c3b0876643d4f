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
        ///   - title: at most 100 characters and 400 bytes; what is longer is cut off.
        ///   - body: at most 300 characters and 1,200 bytes; what is longer is cut off.
        package init(title: String, body: String) {
            self.title = Self.line(title, characters: 100)
            self.body = Self.line(body, characters: 300)
        }

        /// Returns text in one line of bounded length: a character may have any number of bytes, and a push may not.
        private static func line(_ text: String, characters: Int) -> String {
            let line = PlainText.oneLine(text, limit: characters)
            var rest = 4 * characters
            guard line.utf8.count > rest else { return line }
            rest -= "…".utf8.count
            let kept = line.prefix { character in
                rest -= character.utf8.count
                return rest >= 0
            }
            return kept.isEmpty ? "" : kept + "…"
        }
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
            newest: group.newest,
            // Some texts have nothing that can be read in one line.
            text: text.body.isEmpty ? .init(title: text.title, body: kind.topic.preview.body) : text,
            path: kind.path?(group) ?? AppPaths.notifications)
    }

    /// Returns whether notifications of a kind that are shown together, or their news, are unread and visible.
    ///
    /// - Parameter place: the place of the newest (``NotificationNote/place``).
    func isUnread(
        _ kind: Notification.Kind, _ group: Int64, at place: Int64, of account: Account.ID,
        _ transaction: Transaction
    ) throws -> Bool {
        let lastRead = try MarkerStore(transaction).marker(.notifications, of: account)?.lastRead ?? 0
        guard place > lastRead else { return false }
        // A notification that was read in the list may have news.
        return try NotificationStore(transaction).has(
            kind, group, of: account, visible: visible, after: kinds[kind]?.hasNews == true ? 0 : lastRead)
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
                kind, id, of: reader.id, visible: kinds.visible, heard: kinds.heard)
        else { return nil }
        return try groups([found], for: reader, lastRead: 0, transaction).first
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
