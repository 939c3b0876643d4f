import Foundation
import Storage

/// What everyone can do about what should not be here: report it.
final class ReportService: Sendable {
    private let database: Database
    private let attempts: RateLimiter

    init(database: Database, now: @escaping @Sendable () -> Date) {
        self.database = database
        attempts = RateLimiter(limit: 30, per: 3_600, capacity: 20_000, now: now)
    }

    /// What is reported.
    enum Subject: Sendable {
        case account(Account.ID)
        case post(Post.ID)
    }

    /// Reports a post, comment or account. Reporting the same again while it is open changes nothing.
    ///
    /// - Throws: ``Refusal``: 404 for what can't be seen, 422 for one's own, 429 after thirty in an hour.
    func report(_ subject: Subject, _ reason: Report.Reason, words: String, by viewer: Account) async throws
        -> Report
    {
        guard words.count <= Report.wordsLength else {
            throw Refusal.invalid("words", "ERR_TOO_LONG", "That is \(words.count) characters; 1,000 fit.")
        }
        guard attempts.take("\(viewer.id)").isAllowed else {
            let wait = attempts.secondsUntilReset("\(viewer.id)")
            throw Refusal(.tooOften(retryAfter: wait), "You have sent many reports. Try again later.")
        }
        return try await database.write { transaction in
            let account: Account.ID
            var post: Post.ID?
            switch subject {
            case .account(let id): account = try AccountService.account(transaction, id, for: viewer).id
            case .post(let id):
                account = try PostService.visible(transaction, id, for: viewer).author.id
                post = id
            }
            guard account != viewer.id else {
                throw Refusal.invalid(
                    "account_id", "ERR_INVALID", "What is your own you can delete yourself.")
            }
            let store = ReportStore(transaction)
            if let known = try store.open(by: viewer.id, about: account, post) { return known }
            let report = Report(
                id: ID(rawValue: transaction.newID()), reporter: viewer.id, account: account, post: post,
                reason: reason, words: words)
            try store.insert(report)
            return report
        }
    }
}

/// Administrators see the photos of posts with an open report, and nothing else that isn't theirs.
struct ReportsPhotoUse: PhotoUse {
    func shows(_ photo: Photo.ID, to viewer: Account.ID, _ transaction: Transaction) throws -> Bool {
        guard try AccountService.account(transaction, viewer)?.isAdmin == true else { return false }
        return try PostStore(transaction).posts(with: photo).contains { post in
            try ReportStore(transaction).isReported(post.id)
        }
    }

    func uses(of photo: Photo.ID, _ transaction: Transaction) throws -> String? { nil }
    func release(_ photo: Photo.ID, _ transaction: Transaction) throws {}
    func changed(_ photo: Photo.ID, _ transaction: Transaction) throws {}
}
