import Core
import Foundation
import People

/// A picture that friends see once.
public struct Snap: Sendable, Equatable {
    /// The snap's identifier; its time is when it was posted.
    public typealias ID = Core.ID<Snap>

    /// Identifier.
    public let id: ID
    /// Who posted it.
    public let poster: Account
    /// The feed that it was posted to.
    public let feed: SnapFeed
    /// What the picture shows, for those who can't see it; told only to those who have it open.
    let description: String
    /// From then on nobody can open it.
    public let expiresAt: Date
    /// How many have opened it, the poster not counted.
    public let viewersCount: Int
    /// When its picture was erased; nil while it is there.
    let pictureErasedAt: Date?
}

/// A feed that snaps are posted to, such as `dog spots`.
public struct SnapFeed: Sendable, Hashable {
    /// The name as the operator wrote it.
    public let title: String

    /// Takes a name.
    public init(title: String) { self.title = title }

    /// The name in URLs, JSON and element ids: lower case, with a hyphen for what is neither letter nor digit.
    public var id: String {
        title.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
    }
}

/// A snap as one viewer finds it in a list.
struct ListedSnap: Sendable {
    var snap: Snap
    var state: OnceState
    var isOwn: Bool

    /// Whether it waits to be opened and is somebody else's.
    var isNew: Bool { !isOwn && state == .unopened }
}

/// Someone who has seen a snap.
struct SnapViewer: Sendable {
    var account: Account
    var openedAt: Date
}

/// A feed with the snaps that one viewer finds in it, unread first, then newest first.
struct SnapSection: Sendable {
    var feed: SnapFeed
    var snaps: [ListedSnap]

    var unreadCount: Int { snaps.count { $0.isNew } }

    /// Every configured feed, in order, then those that are configured no longer but still have snaps.
    static func sections(_ snaps: [ListedSnap], feeds: [SnapFeed]) -> [SnapSection] {
        // By id: a feed that is only written in another way is the same.
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
