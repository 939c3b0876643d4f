import Core
import Foundation
import HTML
import Hummingbird
import Serving
import Storage

/// Somebody says that something here, or somebody, should not be here.
package struct Report: Sendable {
    /// The report's identifier; its time is when it was sent.
    package typealias ID = Core.ID<Report>

    /// What is reported: a thing of some feature, or an account itself.
    package struct Subject: Sendable, Equatable {
        /// Its kind, by the name that the database has for it (``ReportKind/kinds``).
        package var kind: String
        /// Its id; 0 for an account. No two things share an id.
        package var id: Int64
        /// The id of what holds it, such as the chat of a message; 0 for nothing.
        package var holder: Int64 = 0
        /// Its words as they were: deleting it doesn't take them back from the report.
        package var quote = ""

        package init(kind: String, id: Int64, holder: Int64 = 0, quote: String = "") {
            self.kind = kind
            self.id = id
            self.holder = holder
            self.quote = quote
        }

        /// The account alone.
        static let account = Subject(kind: "account", id: 0)
    }

    /// What is wrong.
    package enum Reason: String, Sendable, CaseIterable {
        case spam, mean, naked, mine, other

        /// As a person reads it.
        package var words: String {
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
    package var account: Account.ID
    package var subject: Subject
    package var reason: Reason
    var words: String
}

/// Everything that is open about one thing or account, as the queue shows it.
package struct ReportedSubject: Sendable {
    /// The newest report.
    var newest: Report
    var reporter: Account
    /// How many others reported the same.
    var othersCount: Int
    var account: Account
    var evidence: ReportEvidence
}

/// What an administrator gets to see of something that is reported.
package struct ReportEvidence: Sendable {
    /// What it is and says.
    package var words: String
    /// When it was posted, where that has to be said.
    package var postedAt: Date?
    /// What has become of it since; empty when nothing has.
    package var since = ""
    /// Its photos, where administrators may see them.
    package var photos: [Photo] = []
    /// What the button takes away, such as `comment`; nil when nothing is left to remove.
    package var removable: String?

    package init(
        words: String, postedAt: Date? = nil, since: String = "", photos: [Photo] = [],
        removable: String? = nil
    ) {
        self.words = words
        self.postedAt = postedAt
        self.since = since
        self.photos = photos
        self.removable = removable
    }
}

/// Something of a feature that can be reported.
package protocol ReportKind: Sendable {
    /// The names that the database has for it, such as `post` and `comment`.
    var kinds: [String] { get }
    /// What the description of the JSON interface calls it, such as `a snap`.
    var noun: String { get }
    /// The parameters that name it (``targets(_:)``), as ``Operation`` has them.
    var parameters: String { get }
    /// Its members of a report's JSON object (``write(_:into:)``), as ``EntitySchema`` has them.
    var members: String { get }
    /// The path of the screen on which it is reported.
    var path: RouterPath { get }

    /// Returns what the screen of a report shows, for someone who may see it.
    ///
    /// - Throws: ``Refusal`` (404) for what the viewer may not see.
    func screen(_ context: AppContext) async throws -> ReportScreen
    /// Returns what the parameters of the JSON interface name of this kind; empty for none of it.
    func targets(_ input: Input) throws -> [ReportTarget]
    /// Returns whose it is, and what the report keeps, after the check that the viewer may see it.
    func reported(
        _ target: ReportTarget, for viewer: Account, _ transaction: Transaction
    ) throws -> (account: Account.ID, subject: Report.Subject)
    /// Writes its members of a report's JSON object.
    func write(_ reports: [Report], into json: inout JSONWriter)
    /// Returns what an administrator gets to see.
    func evidence(
        _ subject: Report.Subject, of account: Account, _ transaction: Transaction
    ) throws -> ReportEvidence
    /// Removes it, in a transaction of the administration.
    func remove(_ subject: Report.Subject, _ transaction: Transaction) throws
    /// Returns the ids of those of its kind that show a photo.
    func showing(_ photo: Photo.ID, _ transaction: Transaction) throws -> [Int64]
}

extension ReportKind {
    package var members: String { "" }
    package func targets(_ input: Input) throws -> [ReportTarget] { [] }
    package func write(_ reports: [Report], into json: inout JSONWriter) {}
    package func showing(_ photo: Photo.ID, _ transaction: Transaction) throws -> [Int64] { [] }
}

/// What someone points at.
package struct ReportTarget: Sendable {
    /// The kind, by the first of its names.
    package var kind: String
    package var id: Int64
    /// The id of what holds it; 0 for nothing.
    package var holder: Int64 = 0

    package init(kind: String, id: Int64, holder: Int64 = 0) {
        self.kind = kind
        self.id = id
        self.holder = holder
    }
}

/// What the screen of a report shows.
package struct ReportScreen: Sendable {
    package var target: ReportTarget
    /// Whose it is; nil for someone whom the viewer may not see, such as after a block.
    package var account: Account?
    package var photo: Photo?
    /// What it says, or what it is.
    package var words: String
    /// What administrators get to see, where that isn't plain.
    package var note = ""
    package var path: String
    package var tab = Page.Tab.home
    package var back: (name: String, path: String)
    /// Where it leads once it is sent.
    package var next = "/home"

    package init(
        target: ReportTarget, account: Account? = nil, photo: Photo? = nil, words: String, note: String = "",
        path: String, tab: Page.Tab = Page.Tab.home, back: (name: String, path: String),
        next: String = "/home"
    ) {
        self.target = target
        self.account = account
        self.photo = photo
        self.words = words
        self.note = note
        self.path = path
        self.tab = tab
        self.back = back
        self.next = next
    }
}
