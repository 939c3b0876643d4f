import Foundation

/// Somebody says that something here, or somebody, should not be here.
struct Report: Sendable {
    /// The report's identifier; its time is when it was sent.
    typealias ID = Tintype.ID<Report>

    /// What is reported.
    enum Subject: Sendable, Equatable {
        case account
        /// A post or comment, with its caption as it was: deleting it doesn't take it back from the report.
        case post(Post.ID, isComment: Bool, caption: String)
        /// A snap and its feed. Its picture is for those whom it was sent to, once, and for nobody else.
        case snap(Snap.ID, feed: String)
        /// A message, with its text as it was: deleting it doesn't take it back from the report.
        case message(Message.ID, chat: Chat.ID, text: String)
    }

    /// What is wrong.
    enum Reason: String, Sendable, CaseIterable {
        case spam, mean, naked, mine, other

        /// As a person reads it.
        var words: String {
            switch self {
            case .spam: "Spam"
            case .mean: "Bullying or hate"
            case .naked: "Naked or sexual"
            case .mine: "My photo, without my consent"
            case .other: "Something else"
            }
        }

        /// Mastodon's `category`.
        var category: String { self == .spam ? "spam" : self == .other ? "other" : "violation" }
    }

    /// The most characters that a person may add.
    static let wordsLength = 1_000

    let id: ID
    var reporter: Account.ID
    /// Whose it is, or who is reported.
    var account: Account.ID
    var subject: Subject
    var reason: Reason
    var words: String
}

/// Everything that is open about one thing or account, as the queue shows it.
struct ReportedSubject: Sendable {
    /// What an administrator gets to see of it.
    enum Content: Sendable {
        case account
        /// What a post or comment said, and it with its photos while it isn't deleted.
        case post(isComment: Bool, caption: String, Post?)
        /// Where and when a snap was posted, and whether it is still there; never its picture.
        case snap(feed: String, postedAt: Date, isThere: Bool)
        /// What a message said, and the message while it isn't deleted; nothing of the conversation around it.
        case message(text: String, Message?)
    }

    /// The newest report.
    var newest: Report
    var reporter: Account
    /// How many others reported the same.
    var othersCount: Int
    var account: Account
    var content: Content
}
