import Core
import Foundation
import People

/// A picture that friends see once.
public struct Snap: Sendable, Equatable {
    /// The snap's identifier; its time is when it was posted.
    public typealias ID = Core.ID<Snap>

    /// Identifier.
    public let id: ID
    /// The account that posted the snap.
    public let poster: Account
    /// The feed that the snap was posted to.
    public let feed: SnapFeed
    /// A description of the picture for people who can't see it. It is sent only to people who have the snap open.
    let description: String
    /// The time from which nobody can open the snap any more.
    public let expiresAt: Date
    /// The number of people who have opened the snap, without the poster.
    public let viewersCount: Int
    /// When the picture was erased; nil while it exists.
    let pictureErasedAt: Date?
}

/// A feed that snaps are posted to, such as `dog spots`.
public struct SnapFeed: Sendable, Hashable {
    /// The name as the operator wrote it.
    public let title: String

    /// Creates a feed with a name.
    public init(title: String) { self.title = title }

    /// The name in URLs, JSON and element ids: lower case, with a hyphen in place of each character that is neither
    /// letter nor digit.
    public var id: String {
        title.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
    }
}

/// A snap as one viewer sees it in a list.
struct ListedSnap: Sendable {
    var snap: Snap
    var state: OnceState
    var isOwn: Bool

    /// Whether the snap belongs to someone else and hasn't been opened.
    var isNew: Bool { !isOwn && state == .unopened }
}

/// Someone who has seen a snap.
struct SnapViewer: Sendable {
    var account: Account
    var openedAt: Date
}

/// A feed with the snaps that one viewer sees in it, unread first, then newest first.
struct SnapSection: Sendable {
    var feed: SnapFeed
    var snaps: [ListedSnap]

    var unreadCount: Int { snaps.count { $0.isNew } }

    /// Returns every configured feed, in order, then the feeds that aren't configured any more but still have snaps.
    static func sections(_ snaps: [ListedSnap], feeds: [SnapFeed]) -> [SnapSection] {
        // Feeds are compared by id, because a title may have been written in another way.
        let byFeed = Dictionary(grouping: snaps, by: \.snap.feed.id)
        let configured = Set(feeds.map(\.id))
        let former = byFeed.values.compactMap(\.first?.snap.feed).filter { !configured.contains($0.id) }
        return (feeds + former.sorted { $0.title < $1.title }).map { feed in
            SnapSection(feed: feed, snaps: (byFeed[feed.id] ?? []).sorted(by: isBefore))
        }
    }

    private static func isBefore(_ one: ListedSnap, _ other: ListedSnap) -> Bool {
        one.state.isRead == other.state.isRead ? one.snap.id > other.snap.id : other.state.isRead
    }
}
