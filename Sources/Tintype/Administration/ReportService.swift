import Foundation
import Storage

/// Reports: what everyone can do about content that should not be here.
final class ReportService: Sendable {
    private let database: Database
    private let snapSettings: SnapSettings
    private let attempts: RateLimiter

    init(database: Database, snapSettings: SnapSettings, now: @escaping @Sendable () -> Date) {
        self.database = database
        self.snapSettings = snapSettings
        attempts = RateLimiter(limit: 30, per: 3_600, capacity: 20_000, now: now)
    }

    /// The thing that is reported.
    enum Target: Sendable {
        case account(Account.ID)
        case post(Post.ID)
        case snap(Snap.ID)
        case message(Message.ID, in: Chat.ID)
    }

    /// Reports an account, post, comment, snap or message. Reporting it again while the report is open
    /// changes nothing.
    ///
    /// - Throws: ``Refusal``: 404 for what the viewer can't see, 422 for what is their own, 429 after thirty
    ///   in an hour.
    func report(_ target: Target, _ reason: Report.Reason, words: String, by viewer: Account) async throws
        -> Report
    {
        let count = words.unicodeScalars.count
        guard count <= Report.wordsLength else {
            throw Refusal.invalid("words", "ERR_TOO_LONG", "That is \(count) characters; the limit is 1,000.")
        }
        guard attempts.take("\(viewer.id)").isAllowed else {
            let wait = attempts.secondsUntilReset("\(viewer.id)")
            throw Refusal(.tooOften(retryAfter: wait), "You have sent many reports. Try again later.")
        }
        return try await database.write { [snapSettings] transaction in
            let (account, subject) = try Self.subject(target, for: viewer, snapSettings, transaction)
            guard account != viewer.id else {
                throw Refusal.invalid(
                    "account_id", "ERR_INVALID", "This is yours, so you can delete it yourself.")
            }
            let store = ReportStore(transaction)
            if let known = try store.open(by: viewer.id, about: account, subject) { return known }
            let report = Report(
                id: ID(rawValue: transaction.newID()), reporter: viewer.id, account: account,
                subject: subject, reason: reason, words: words)
            try store.insert(report)
            return report
        }
    }

    /// Checks that the viewer may see the target, and returns its author and the text to keep with the
    /// report.
    private static func subject(
        _ target: Target, for viewer: Account, _ snapSettings: SnapSettings, _ transaction: Transaction
    ) throws -> (Account.ID, Report.Subject) {
        switch target {
        case .account(let id):
            return (try AccountService.account(transaction, id, for: viewer).id, .account)
        case .post(let id):
            let post = try PostService.visible(transaction, id, for: viewer)
            return (post.author.id, .post(id, isComment: post.root != nil, caption: post.caption))
        case .snap(let id):
            let snap = try SnapService.visible(transaction, id, for: viewer, snapSettings)
            return (snap.poster.id, .snap(id, feed: snap.feed.title))
        case .message(let id, let chat):
            let message = try MessageService.visible(transaction, id, in: chat, for: viewer)
            return (message.sender, .message(id, chat: chat, text: message.text))
        }
    }
}

/// Administrators see the photos of posts and messages with an open report, and no other photos of other
/// people.
struct ReportsPhotoUse: PhotoUse {
    func shows(_ photo: Photo.ID, to viewer: Account.ID, _ transaction: Transaction) throws -> Bool {
        guard try AccountService.account(transaction, viewer)?.isAdmin == true else { return false }
        let store = ReportStore(transaction)
        return try PostService.holding(photo, transaction).contains { try store.isReported($0) }
            || MessageService.holding(photo, transaction).contains { try store.isReported($0) }
    }

    func uses(of photo: Photo.ID, _ transaction: Transaction) throws -> PhotoUses? { nil }
    func release(_ photo: Photo.ID, _ transaction: Transaction) throws {}
    func changed(_ photo: Photo.ID, _ transaction: Transaction) throws {}
}
