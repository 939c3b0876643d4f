extension OAuthScope {
    /// The topic of a permission. Mastodon's topics are here; a feature declares its own in its folder
    /// (``Feature/topics``).
    package struct Topic: Hashable, Sendable {
        /// The topic as apps write it.
        let name: String
        /// The words for what there is to see, as a continuation of “see …”.
        let seen: String
        /// The words for changing the topic, for the person who is asked; nil for a topic that nobody changes.
        let changed: String?
        /// Whether there is a permission to read the topic.
        let isRead: Bool
        /// Whether `write`, the permission for everything, includes changes of the topic.
        let isOfWrite: Bool
        /// Whether `follow` includes the topic.
        let isOfFollow: Bool

        /// Declares a topic.
        ///
        /// - Parameters:
        ///   - name: the topic as apps write it.
        ///   - seen: the words for what there is to see, as a continuation of “see …”.
        ///   - changed: the words for changing the topic, as a continuation of “This app may …”; nil for a topic that
        ///     nobody changes.
        ///   - isRead: whether there is a permission to read the topic.
        ///   - isOfWrite: whether `write` includes changes of the topic; false where an app must ask for them by name.
        ///   - isOfFollow: whether `follow` includes the topic.
        package init(
            _ name: String, seen: String, changed: String?, isRead: Bool = true,
            isOfWrite: Bool = true, isOfFollow: Bool = false
        ) {
            self.name = name
            self.seen = seen
            self.changed = changed
            self.isRead = isRead
            self.isOfWrite = isOfWrite
            self.isOfFollow = isOfFollow
        }
    }
}

extension OAuthScope.Topic {
    package static let accounts = Self(
        "accounts", seen: "your profile and the profiles you can see",
        changed: "change your profile, and pin posts to it")
    package static let blocks = Self(
        "blocks", seen: "who you block", changed: "block people", isOfFollow: true)
    package static let bookmarks = Self("bookmarks", seen: "your saved posts", changed: "save posts")
    package static let conversations = Self(
        "conversations", seen: "which chats are read",
        changed: "mark chats as read, and remove them from your list", isRead: false)
    package static let favourites = Self("favourites", seen: "your likes", changed: "like posts")
    package static let filters = Self(
        "filters", seen: "your filters", changed: "change your filters")
    package static let follows = Self(
        "follows", seen: "who you follow, and who asks to follow you",
        changed: "follow people, and answer those who ask to follow you", isOfFollow: true)
    package static let lists = Self(
        "lists", seen: "your lists of people", changed: "make and change lists of people")
    package static let media = Self("media", seen: "your uploads", changed: "upload and describe photos")
    package static let mutes = Self(
        "mutes", seen: "who you mute", changed: "mute people and threads", isOfFollow: true)
    package static let notifications = Self(
        "notifications", seen: "your notifications", changed: "dismiss your notifications")
    package static let reports = Self(
        "reports", seen: "your reports", changed: "send reports to the people who run this server",
        isRead: false)
    package static let search = Self("search", seen: "who is here, by search", changed: nil)
    package static let statuses = Self(
        "statuses", seen: "posts and comments",
        changed: "post and comment as you, edit and delete what you posted, and make links for guests")

    /// The topics that Mastodon's apps know.
    static let mastodon: [Self] = [
        .accounts, .blocks, .bookmarks, .conversations, .favourites, .filters, .follows, .lists, .media,
        .mutes, .notifications, .reports, .search, .statuses,
    ]
}
