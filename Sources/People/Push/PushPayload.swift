import Core
import Foundation
import Serving

/// The text of a push, before it is encrypted (Documentation/Interface.md, "Announcements on devices").
enum PushPayload {
    /// What is announced. Its words are bounded (``Announcement/Text``), so that it fits into a push
    /// (``PushEncryption/mostBytes``).
    struct Content: Sendable {
        var id: String
        var tag: String
        var text: Announcement.Text
        var path: String
        var icon: String?
        /// Mastodon's name for the kind of notification.
        var type: String
        /// The number of unread notifications.
        var badge: Int
        var at: Date
    }

    /// Returns the text for a browser.
    static func browser(_ content: Content) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("id", content.id)
            json.member("tag", content.tag)
            json.member("title", content.text.title)
            json.member("body", content.text.body)
            json.member("path", content.path)
            json.member("icon", content.icon)
            json.member("badge", content.badge)
            json.member("at", content.at)
        }
        return json.bytes
    }

    /// Returns the text that removes an announcement from a browser's device.
    static func closing(_ tag: String, badge: Int) -> [UInt8] {
        var json = JSONWriter(capacity: 200)
        json.object { json in
            json.array("close", [tag]) { $0.value($1) }
            json.member("badge", badge)
        }
        return json.bytes
    }

    /// Returns the text for an app, in Mastodon's form.
    ///
    /// - Parameter icon: the URL of the icon, which Mastodon always sends.
    static func app(_ content: Content, token: String, icon: String) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("access_token", token)
            json.member("preferred_locale", "en")
            // A number, as in Mastodon: IceCubes reads nothing else.
            json.member("notification_id", Int(content.id) ?? 0)
            json.member("notification_type", content.type)
            json.member("icon", icon)
            json.member("title", content.text.title)
            json.member("body", content.text.body)
        }
        return json.bytes
    }
}
