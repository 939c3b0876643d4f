import Foundation

/// Somebody says that a post or an account should not be here.
struct Report: Sendable {
    /// The report's identifier; its time is when it was sent.
    typealias ID = Tintype.ID<Report>

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
    /// Whose post it is, or who is reported.
    var account: Account.ID
    /// The post or comment; nil when the account itself is reported.
    var post: Post.ID?
    var reason: Reason
    var words: String
}

/// Everything that is open about one post or account, as the queue shows it.
struct ReportedSubject: Sendable {
    /// The newest report.
    var newest: Report
    var reporter: Account
    /// How many others reported the same.
    var othersCount: Int
    var account: Account
    var post: Post?
}
