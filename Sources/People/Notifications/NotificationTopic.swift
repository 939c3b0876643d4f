/// A topic of notifications, which people switch on and off in Settings → Notifications. Each feature declares the
/// topics of its kinds in an extension.
package struct NotificationTopic: Sendable, Hashable {
    /// The topic's name in the database and in forms: small letters, without spaces.
    package let name: String
    /// The title of the topic's switch.
    package let title: String
    /// The place of the topic's switch among the others.
    let position: Int
    /// The words of an announcement that says nothing more than the topic, such as "New message".
    let news: String
    /// Whether somebody waits for an answer, so that even a phone that saves power is woken.
    package let isUrgent: Bool

    package init(
        _ name: String, title: String, position: Int, news: String = "Something new", isUrgent: Bool = false
    ) {
        self.name = name
        self.title = title
        self.position = position
        self.news = news
        self.isUrgent = isUrgent
    }

    /// Follows, and requests to follow.
    static let follows = NotificationTopic(
        "follows", title: "New followers", position: 40, news: "New follower or request")
    /// Everything that is too rare for a switch of its own.
    package static let other = NotificationTopic("other", title: "Everything else", position: 100)
}
