import Core
import Foundation
import HTML
import Hummingbird
import Serving
import Storage

/// A report that something, or somebody, should not be here.
package struct Report: Sendable {
    /// The report's identifier; its time is when it was sent.
    package typealias ID = Core.ID<Report>

    /// The subject of a report: a thing of some feature, or an account itself.
    package struct Subject: Sendable, Equatable {
        /// The kind, by its name in the database (``ReportKind/kinds``).
        package var kind: String
        /// The thing's id; 0 for an account. No two things share an id.
        package var id: Int64
        /// The id of what contains the thing, such as the chat of a message; 0 for nothing.
        package var holder: Int64 = 0
        /// The words of the thing when it was reported: deleting the thing doesn't remove them from the report.
        package var quote = ""

        package init(kind: String, id: Int64, holder: Int64 = 0, quote: String = "") {
            self.kind = kind
            self.id = id
            self.holder = holder
            self.quote = quote
        }

        /// The account itself.
        static let account = Subject(kind: "account", id: 0)
    }

    /// The reason of a report.
    package enum Reason: String, Sendable, CaseIterable {
        case spam, mean, naked, mine, other

        /// The reason, in words for people.
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
    /// The reported account, or the owner of the reported thing.
    package var account: Account.ID
    package var subject: Subject
    package var reason: Reason
    var words: String
}

/// All open reports about one thing or account, as the queue shows them.
package struct ReportedSubject: Sendable {
    /// The newest report.
    var newest: Report
    var reporter: Account
    /// How many other people reported the thing.
    var othersCount: Int
    var account: Account
    var evidence: ReportEvidence

    /// Whether the thing's owner has changed it after the newest report.
    var isChangedSince: Bool { evidence.changedAt.map { $0 > newest.id.createdAt } ?? false }
}

/// What an administrator may see of a reported thing.
package struct ReportEvidence: Sendable {
    /// The thing's kind and its words.
    package var words: String
    /// The time of the post, where it has to be shown.
    package var postedAt: Date?
    /// What has happened to the thing since; empty when nothing has.
    package var since = ""
    /// When the thing was last changed by its owner; nil when it never was. What an administrator sees may be something else
    /// than what was reported before.
    package var changedAt: Date?
    /// The thing's photos, where administrators may see them.
    package var photos: [Photo] = []
    /// The word for what the button removes, such as `comment`; nil when nothing is left to remove.
    package var removable: String?

    package init(
        words: String, postedAt: Date? = nil, since: String = "", changedAt: Date? = nil,
        photos: [Photo] = [],
        removable: String? = nil
    ) {
        self.words = words
        self.postedAt = postedAt
        self.since = since
        self.changedAt = changedAt
        self.photos = photos
        self.removable = removable
    }
}

/// A kind of thing of a feature that can be reported.
package protocol ReportKind: Sendable {
    /// The kind's names in the database, such as `post` and `comment`.
    var kinds: [String] { get }
    /// What the description of the JSON interface calls it, such as `a snap`.
    var noun: String { get }
    /// The parameters that name it (``targets(_:)``), as ``Operation`` has them.
    var parameters: String { get }
    /// Its members of a report's JSON object (``write(_:into:)``), as ``EntitySchema`` has them.
    var members: String { get }
    /// The path of the screen on which it is reported.
    var path: RouterPath { get }

    /// Returns what the screen of a report shows, for someone who may see the thing.
    ///
    /// - Throws: ``Refusal`` (404) for a thing that the viewer may not see.
    func screen(_ context: AppContext) async throws -> ReportScreen
    /// Returns the things of this kind that the parameters of the JSON interface name; empty for none.
    func targets(_ input: Input) throws -> [ReportTarget]
    /// Returns the thing's owner and what the report stores, after the check that the viewer may see the thing.
    func reported(
        _ target: ReportTarget, for viewer: Account, _ transaction: Transaction
    ) throws -> (account: Account.ID, subject: Report.Subject)
    /// Writes the kind's members of a report's JSON object.
    func write(_ reports: [Report], into json: inout JSONWriter)
    /// Returns what an administrator may see of a thing.
    func evidence(
        _ subject: Report.Subject, of account: Account, _ transaction: Transaction
    ) throws -> ReportEvidence
    /// Removes a thing, in a transaction of the administration.
    func remove(_ subject: Report.Subject, _ transaction: Transaction) throws
    /// Returns the ids of the things of this kind that show a photo.
    func showing(_ photo: Photo.ID, _ transaction: Transaction) throws -> [Int64]
}

extension ReportKind {
    package var members: String { "" }
    package func targets(_ input: Input) throws -> [ReportTarget] { [] }
    package func write(_ reports: [Report], into json: inout JSONWriter) {}
    package func showing(_ photo: Photo.ID, _ transaction: Transaction) throws -> [Int64] { [] }
}

/// The thing that someone reports.
package struct ReportTarget: Sendable {
    /// The kind, by the first of its names.
    package var kind: String
    package var id: Int64
    /// The id of what contains the thing; 0 for nothing.
    package var holder: Int64 = 0

    package init(kind: String, id: Int64, holder: Int64 = 0) {
        self.kind = kind
        self.id = id
        self.holder = holder
    }
}

/// The content of a report's screen.
package struct ReportScreen: Sendable {
    package var target: ReportTarget
    /// The owner of the thing; nil for someone whom the viewer may not see, such as after a block.
    package var account: Account?
    package var photo: Photo?
    /// The thing's words, or a description of it.
    package var words: String
    /// A note about what administrators can see, where it isn't obvious.
    package var note = ""
    package var path: String
    package var tab = Page.Tab.home
    package var back: (name: String, path: String)
    /// The page that follows once the report is sent.
    package var next = AppPaths.home

    package init(
        target: ReportTarget, account: Account? = nil, photo: Photo? = nil, words: String, note: String = "",
        path: String, tab: Page.Tab = Page.Tab.home, back: (name: String, path: String),
        next: String = AppPaths.home
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
