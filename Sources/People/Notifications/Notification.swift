import Core
import HTML
import Serving
import Storage

/// A notification to a person that somebody did something that concerns them.
package struct Notification: Sendable {
    /// The notification's identifier; its time is when it happened.
    package typealias ID = Core.ID<Notification>

    /// The kind of what happened, by its name in the database. Each feature declares its kinds in an extension, and
    /// registers their descriptions (``NotificationKind``).
    package struct Kind: Sendable, Hashable {
        package let name: String

        package init(_ name: String) { self.name = name }

        /// Somebody follows the person.
        static let follow = Kind("follow")
        /// Somebody asks to follow the person.
        static let followRequest = Kind("follow_request")
    }

    package let id: ID
    package let kind: NotificationKind
    /// The id by which notifications are shown together, such as that of a post that several people like; the
    /// notification's own id if it is shown alone.
    package let group: Int64
    /// The person who acted; the reader, for something that the reader asked for.
    package var actor: Account
    /// The subject, as the reader may see it; nil for what people do to each other.
    package var subject: (any NotificationSubject)?
}

/// The subject of a notification.
package protocol NotificationSubject: Sendable {
    /// The picture at the end of the notification's row.
    var picture: Node { get }
    /// Whether one of the reader's filters hides the notification from the screen.
    var isFilteredOut: Bool { get }
    /// Returns the subjects of the notification's event, with which the event is deleted.
    func eventSubjects(_ transaction: Transaction) throws -> [EventSubject]
    /// Writes the subject's member of the notification's JSON object.
    func write(for viewer: Reader, into json: inout JSONWriter)
    /// The id of the post or comment; nil for any other subject.
    var statusID: Int64? { get }
    /// Writes the post or comment. Called only for a subject with a ``statusID``.
    func writeStatus(for viewer: Reader, into json: inout JSONWriter)
}

extension NotificationSubject {
    package var isFilteredOut: Bool { false }
    package var statusID: Int64? { nil }
    package func writeStatus(for viewer: Reader, into json: inout JSONWriter) { json.null() }
}

/// A kind of notification: its name for apps, who may see it, and how its row looks.
package struct NotificationKind: Sendable {
    /// The kind's name in the database.
    package let kind: Notification.Kind
    /// The topic by which people switch announcements of the kind on and off.
    package let topic: NotificationTopic
    /// Mastodon's name for the kind. Kinds that Mastodon doesn't have are called `tintype.NAME`, and apps get them only
    /// when they ask for them by name.
    package let mastodonType: String
    /// The names of the badge's colour (notifications.css) and of its symbol.
    package let colour: String
    package let symbol: StaticString
    /// Looks up subjects by their ids.
    package typealias Subjects =
        @Sendable ([Int64], Account, Transaction) throws -> [Int64: any NotificationSubject]
    /// Looks up those of some subjects that the reader may see; nil for kinds without a subject.
    package var subjects: Subjects?
    /// The member that the subject adds to the notification's JSON object, as in ``EntitySchema``; nil for none.
    package var member: String?
    /// The condition in SQL that the reader, `$1`, may see the subject of the row `n`; nil for always.
    package var isVisible: String?
    /// Whether a mute of the actor hides the notification; false for what has a deadline.
    package let isHiddenByMutes: Bool
    /// Whether no policy puts the notifications aside: what strangers send waits for an answer elsewhere, as messages do, or it
    /// has a deadline, or it is about a photo that the person gave to the actor.
    package let isAlwaysHeard: Bool
    /// Whether Mastodon's apps show the notifications about one subject together, as "ana and 3 others".
    package var isGroupedInApps = false
    /// Whether the row names its actor.
    package var namesActor = true
    /// The sentence after the names.
    package let words: @Sendable (NotificationGroup) -> Node
    /// The path to which the row leads. A row without a path has buttons.
    package var path: (@Sendable (NotificationGroup) -> String)?
    /// The buttons of a row.
    var buttons: (@Sendable (Frame, NotificationGroup, Relationship) -> Node)?
    /// The words of an announcement on a device; nil for the sentence of the row. The closure returns nil when there is
    /// nothing to announce any more.
    package typealias AnnouncementWords =
        @Sendable (NotificationGroup, Account, Transaction) throws -> Announcement.Text?
    package var announcement: AnnouncementWords?
    /// Whether a notification may have news (``NotificationService/noteNews(of:to:from:group:_:)``), so that one that was
    /// read in the list is announced again.
    package var hasNews = false

    package init(
        kind: Notification.Kind, topic: NotificationTopic, mastodonType: String, colour: String,
        symbol: StaticString,
        subjects: Subjects? = nil,
        member: String? = nil, isVisible: String? = nil, isHiddenByMutes: Bool = true,
        isAlwaysHeard: Bool = false,
        isGroupedInApps: Bool = false,
        namesActor: Bool = true, words: @escaping @Sendable (NotificationGroup) -> Node,
        path: (@Sendable (NotificationGroup) -> String)? = nil,
        buttons: (@Sendable (Frame, NotificationGroup, Relationship) -> Node)? = nil,
        announcement: AnnouncementWords? = nil, hasNews: Bool = false
    ) {
        self.kind = kind
        self.topic = topic
        self.mastodonType = mastodonType
        self.colour = colour
        self.symbol = symbol
        self.subjects = subjects
        self.member = member
        self.isVisible = isVisible
        self.isHiddenByMutes = isHiddenByMutes
        self.isAlwaysHeard = isAlwaysHeard || !isHiddenByMutes
        self.isGroupedInApps = isGroupedInApps
        self.namesActor = namesActor
        self.words = words
        self.path = path
        self.buttons = buttons
        self.announcement = announcement
        self.hasNews = hasNews
    }

    /// Returns a closure that looks up subjects one by one, for kinds of which a page has few.
    ///
    /// - Parameter subject: throws ``Refusal`` (404) for a subject that the reader may not see.
    package static func oneByOne(
        _ subject: @escaping @Sendable (Int64, Account, Transaction) throws -> any NotificationSubject
    ) -> Subjects {
        { ids, reader, transaction in
            var found: [Int64: any NotificationSubject] = [:]
            for id in ids {
                do {
                    found[id] = try subject(id, reader, transaction)
                } catch let refusal as Refusal where refusal == .notFound {
                    continue
                }
            }
            return found
        }
    }

    /// Whether Mastodon has such a kind.
    package var isMastodons: Bool { !mastodonType.hasPrefix("tintype.") }
}

/// Notifications that are shown together: "ana and 3 others liked your post".
package struct NotificationGroup: Sendable {
    /// The newest notification.
    package var newest: Notification
    /// The person who acted before the actor of the newest notification, if anyone.
    var second: Account?
    /// The number of notifications.
    package var count: Int
    /// The number of different people who acted.
    package var peopleCount: Int
    /// Whether the newest notification came after the person last looked.
    var isUnread: Bool
}
