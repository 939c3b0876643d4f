import Foundation

/// What a person is told: somebody did something that concerns them.
struct Notification: Sendable {
    /// The notification's identifier; its time is when it happened.
    typealias ID = Tintype.ID<Notification>

    /// What happened.
    enum Kind: String, Sendable, CaseIterable {
        /// Somebody follows.
        case follow
        /// Somebody asks to follow.
        case followRequest = "follow_request"
        /// Somebody likes a post or comment.
        case like
        /// Somebody commented on a post, or answered a comment.
        case comment
        /// Somebody named the person in a caption or comment.
        case mention
        /// Somebody wrote a message that has not been read.
        case message
        /// A friend posted a snap that has not been opened.
        case snap
        /// Somebody saved a photo that the person had sent them.
        case saved
        /// What the person asked for is ready: all of their data in one file.
        case download

        /// Whether Mastodon has such a thing; its apps are not told of others unless they ask.
        var isMastodons: Bool { ![.message, .snap, .saved, .download].contains(self) }

        /// Mastodon's name of it: a comment is a status that mentions the one it answers.
        var mastodonType: String {
            switch self {
            case .follow, .followRequest, .mention: rawValue
            case .like: "favourite"
            case .message, .snap, .saved, .download: "tintype.\(rawValue)"
            case .comment: "mention"
            }
        }
    }

    let id: ID
    let kind: Kind
    /// What it is told together with others by: the post of likes and comments, the poster of snaps, else the
    /// notification itself.
    let group: Int64
    /// Who did it; oneself for what one asked for.
    var actor: Account
    /// The post liked, the comment written, the post or comment that mentions; nil for follows.
    var post: Post?
    /// The snap that waits; nil for all else.
    var snap: Snap?
}

/// Notifications that are told together: "ana and 3 others liked your post".
struct NotificationGroup: Sendable {
    /// The newest of them.
    var newest: Notification
    /// Who did it before the newest one's actor, if anyone.
    var second: Account?
    /// How many there are.
    var count: Int
    /// How many different people did it.
    var peopleCount: Int
    /// Whether the newest came after the person last looked.
    var isUnread: Bool
    /// For a comment: the post at the top; else the post itself.
    var top: Post?
}
