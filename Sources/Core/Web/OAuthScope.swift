import Serving

/// A permission that a person gives to an app (RFC 6749, 3.3), as Mastodon's apps name them.
///
/// `read` and `write` are for everything, `read:statuses` for one topic; `follow` is Mastodon's older name for six
/// permissions about people. Tintype adds topics of its own: chats, snaps, contracts, collages and pairs.
/// `write` doesn't include contracts: no app of Mastodon's needs them, and a move may publish a photo.
package enum OAuthScope: Hashable, Sendable {
    /// What a permission is about.
    package enum Topic: String, CaseIterable, Sendable {
        case accounts, blocks, bookmarks, chats, collages, contracts, conversations, favourites, filters,
            follows
        case lists, media, mutes, notifications, photos,
            pairs = "rephotographs", reports, search, snaps, statuses

        /// The topics of the permission `follow`.
        static let ofFollow: Set<Topic> = [.blocks, .follows, .mutes]
        private static let neverRead: Set<Topic> = [.conversations, .reports]
        private static let neverWritten: Set<Topic> = [.search]

        /// What the topic is, for the person who is asked.
        var words: String {
            switch self {
            case .accounts: "your profile and the profiles you can see"
            case .blocks: "who you block"
            case .bookmarks: "your saved posts"
            case .chats: "your chats and messages"
            case .collages: "your collages"
            case .contracts: "your contracts"
            case .conversations: "which chats are read"
            case .favourites: "your likes"
            case .filters: "your filters"
            case .follows: "who you follow, and who asks to follow you"
            case .lists: "your lists"
            case .media: "your uploads"
            case .mutes: "who you mute"
            case .notifications: "your notifications"
            case .photos: "the photos of your library"
            case .pairs: "your Then & Now pairs and searches"
            case .reports: "your reports"
            case .search: "who is here, by search"
            case .snaps: "snaps"
            case .statuses: "posts and comments"
            }
        }

        /// What a change of the topic is, for the person who is asked.
        var changes: String {
            switch self {
            case .accounts: "change your profile, and pin posts to it"
            case .blocks: "block people"
            case .bookmarks: "save posts"
            case .chats: "write messages, send photos and open view-once photos in your chats"
            case .collages: "make and change collages"
            case .contracts: "make contracts and answer them, with your photos as stakes"
            case .conversations: "mark chats as read, and remove them from your list"
            case .favourites: "like posts"
            case .filters: "change your filters"
            case .follows: "follow people, and answer those who ask to follow you"
            case .lists: "change your lists"
            case .media: "upload and describe photos"
            case .mutes: "mute people and threads"
            case .notifications: "dismiss your notifications"
            case .photos: "delete photos of your library"
            case .pairs: "make and change Then & Now pairs"
            case .reports: "send reports to the people who run this server"
            case .search: "change searches"
            case .snaps: "post snaps, and open those of your friends"
            case .statuses: "post and comment as you, and edit and delete what you posted"
            }
        }

        /// Whether there is a permission to read it.
        var isRead: Bool { !Self.neverRead.contains(self) }
        /// Whether there is a permission to change it.
        var isWritten: Bool { !Self.neverWritten.contains(self) }
    }

    /// Seeing what the person can see: all of it, or one topic.
    case read(Topic? = nil)
    /// Changing what the person can change: all of it but contracts, or one topic.
    case write(Topic? = nil)
    /// Reading and changing follows, blocks and mutes.
    case follow
    /// Notifications on a phone.
    case push

    /// Reads a permission; nil for one that doesn't exist here.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            switch text {
            case "read": self = .read()
            case "write": self = .write()
            case "follow": self = .follow
            case "push": self = .push
            default: return nil
            }
            return
        }
        guard let topic = Topic(rawValue: String(parts[1])) else { return nil }
        switch parts[0] {
        case "read" where topic.isRead: self = .read(topic)
        case "write" where topic.isWritten: self = .write(topic)
        default: return nil
        }
    }

    /// The permission as apps write it.
    package var text: String {
        switch self {
        case .read(nil): "read"
        case .read(let topic?): "read:\(topic.rawValue)"
        case .write(nil): "write"
        case .write(let topic?): "write:\(topic.rawValue)"
        case .follow: "follow"
        case .push: "push"
        }
    }

    /// What the permission allows, as it continues “This app may …”.
    package var words: String {
        switch self {
        case .read(nil):
            "see everything you can see: photos, posts, messages, snaps, contracts and notifications"
        case .write(nil):
            """
            act for you: post, comment and make links for guests, send messages and snaps, open snaps and view-once \
            photos, upload and delete photos, follow and block people, and change your profile
            """
        case .follow: "see and change who you follow, block and mute"
        case .push: "ask for push notifications, which this server doesn’t send"
        case .read(let topic?): "see \(topic.words)"
        case .write(let topic?): topic.changes
        }
    }

    /// Every permission that there is, the broad ones first.
    package static let all: [OAuthScope] =
        [.read(), .write(), .follow, .push]
        + Topic.allCases.filter(\.isRead).map { .read($0) }
        + Topic.allCases.filter(\.isWritten).map { .write($0) }
}

/// The permissions that an app has or asks for, in the order in which it named them.
package struct OAuthScopes: Hashable, Sendable {
    /// Each once.
    package let all: [OAuthScope]

    /// None.
    package static let nothing = OAuthScopes([])
    /// The most characters of a list that is read.
    private static let maximumLength = 2_000

    /// Takes permissions; one that comes again is left out.
    package init(_ scopes: [OAuthScope]) {
        var seen: Set<OAuthScope> = []
        all = scopes.filter { seen.insert($0).inserted }
    }

    /// Reads a list with spaces between; nil when one doesn't exist here, or there is none.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        let words = text.split(whereSeparator: \.isWhitespace)
        let scopes = words.compactMap { OAuthScope($0) }
        guard !words.isEmpty, scopes.count == words.count else { return nil }
        self.init(scopes)
    }

    /// The list as apps write it.
    package var text: String { all.map(\.text).joined(separator: " ") }

    /// Whether these permissions include one.
    func allows(_ scope: OAuthScope) -> Bool {
        if all.contains(scope) { return true }
        return switch scope {
        case .read(let topic?): all.contains(.read()) || isPartOfFollow(topic)
        case .write(.contracts?): false
        case .write(let topic?): all.contains(.write()) || isPartOfFollow(topic)
        default: false
        }
    }

    /// Whether these permissions include all of others.
    package func allow(_ others: OAuthScopes) -> Bool { others.all.allSatisfy(allows) }

    private func isPartOfFollow(_ topic: OAuthScope.Topic) -> Bool {
        all.contains(.follow) && OAuthScope.Topic.ofFollow.contains(topic)
    }
}

extension Refusal {
    package static func outOfScope(_ scope: OAuthScope) -> Refusal {
        Refusal(
            .outOfScope(scope.text),
            "This action is outside the authorized scopes: this app needs the permission “\(scope.text)”.")
    }
}
