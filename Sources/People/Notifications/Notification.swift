import Core
import HTML
import Serving
import Storage

/// A notification to a person: somebody did something that concerns them.
package struct Notification: Sendable {
    /// The notification's identifier; its time is when it happened.
    typealias ID = Core.ID<Notification>

    /// What happened, by the name that the database has for it. Each feature declares its kinds in an extension, and
    /// hands over what they are and how they look (``NotificationKind``).
    package struct Kind: Sendable, Hashable {
        let name: String

        package init(_ name: String) { self.name = name }

        /// Somebody follows.
        static let follow = Kind("follow")
        /// Somebody asks to follow.
        static let followRequest = Kind("follow_request")
    }

    let id: ID
    let kind: NotificationKind
    /// What it is shown together with others by, such as the post that several people like; else the notification's
    /// own id.
    let group: Int64
    /// Who did it; the reader, for what the reader asked for.
    package var actor: Account
    /// What it is about, as the reader sees it; nil for what people do to each other.
    package var subject: (any NotificationSubject)?
}

/// What a notification is about.
package protocol NotificationSubject: Sendable {
    /// A picture at the end of the notification's row.
    var picture: Node { get }
    /// What the event of the notification is about, so that the event goes with it.
    func eventSubjects(_ transaction: Transaction) throws -> [EventSubject]
    /// Writes its member of the notification's JSON object.
    func write(for viewer: Reader, into json: inout JSONWriter)
    /// The id of the post or comment that it is; nil for anything else.
    var statusID: Int64? { get }
    /// Writes the post or comment; called only where there is a ``statusID``.
    func writeStatus(for viewer: Reader, into json: inout JSONWriter)
}

extension NotificationSubject {
    package var statusID: Int64? { nil }
    package func writeStatus(for viewer: Reader, into json: inout JSONWriter) { json.null() }
}

/// A kind of notification: what it is to apps, who may see it, and how its row looks.
package struct NotificationKind: Sendable {
    /// What the database calls it.
    package let kind: Notification.Kind
    /// Mastodon's name for it. What Mastodon doesn't know is called `tintype.NAME`, and apps get it only when they ask
    /// for it by that name.
    package let mastodonType: String
    /// The names of the badge's colour (notifications.css) and of its symbol.
    package let colour: String
    package let symbol: StaticString
    /// Looks up what it is about with the reader's eyes; nil when it is about nothing else than its actor.
    ///
    /// It throws ``Refusal`` (404) for what the reader may not see.
    package var subject: (@Sendable (Int64, Account, Transaction) throws -> any NotificationSubject)?
    /// The member of the notification's JSON object that its subject writes, as ``EntitySchema`` has it; nil for none.
    package var member: String?
    /// Whether the reader, `$1`, may see what the row `n` is about, as a condition in SQL; nil for always.
    package var isVisible: String?
    /// Whether someone who mutes the actor doesn't get it; false for what has a deadline.
    package var heedsMutes = true
    /// Whether Mastodon's apps show those about one thing together, as "ana and 3 others".
    package var isGroupedInApps = false
    /// Whether the row names its actor.
    package var namesActor = true
    /// The sentence behind the names.
    package let words: @Sendable (NotificationGroup) -> Node
    /// Where the row leads. A row without a path has buttons.
    package var path: (@Sendable (NotificationGroup) -> String)?
    /// The buttons of a row.
    var buttons: (@Sendable (Frame, NotificationGroup, Relationship) -> Node)?

    package init(
        kind: Notification.Kind, mastodonType: String, colour: String, symbol: StaticString,
        subject: (@Sendable (Int64, Account, Transaction) throws -> any NotificationSubject)? = nil,
        member: String? = nil, isVisible: String? = nil, heedsMutes: Bool = true,
        isGroupedInApps: Bool = false,
        namesActor: Bool = true, words: @escaping @Sendable (NotificationGroup) -> Node,
        path: (@Sendable (NotificationGroup) -> String)? = nil,
        buttons: (@Sendable (Frame, NotificationGroup, Relationship) -> Node)? = nil
    ) {
        self.kind = kind
        self.mastodonType = mastodonType
        self.colour = colour
        self.symbol = symbol
        self.subject = subject
        self.member = member
        self.isVisible = isVisible
        self.heedsMutes = heedsMutes
        self.isGroupedInApps = isGroupedInApps
        self.namesActor = namesActor
        self.words = words
        self.path = path
        self.buttons = buttons
    }

    /// Whether Mastodon has such a thing.
    var isMastodons: Bool { !mastodonType.hasPrefix("tintype.") }
}

/// Notifications that are shown together: "ana and 3 others liked your post".
package struct NotificationGroup: Sendable {
    /// The newest of them.
    package var newest: Notification
    /// Who did it before the newest one's actor, if anyone.
    var second: Account?
    /// How many there are.
    package var count: Int
    /// How many different people did it.
    package var peopleCount: Int
    /// Whether the newest came after the person last looked.
    var isUnread: Bool
}
