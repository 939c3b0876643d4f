import Core
import HTML
import Hummingbird
import People
import Serving
import Storage

/// Reports about posts and comments, and about other statuses that apps report in the same way, such as messages.
struct PostReports: ReportKind {
    let posts: PostService
    let others: Registry<OtherStatuses>
    let kinds = ["post", "comment"]
    let noun = "posts"
    let parameters = "status_ids[]"
    let members = "status_ids:id[]"
    let path: RouterPath = "posts/:id/report"

    func screen(_ context: AppContext) async throws -> ReportScreen {
        let post = try await posts.post(context.id("id"), for: context.viewer)
        let back =
            post.root.map { ("Comments", "/posts/\($0)/comments") } ?? (
                "Options", "/posts/\(post.id)/options"
            )
        return ReportScreen(
            target: .init(kind: "post", id: post.id.rawValue), account: post.author,
            photo: post.photos.first, words: post.caption, path: "/posts/\(post.id)/report", back: back)
    }

    func targets(_ input: Input) throws -> [ReportTarget] {
        let names = input.list("status_ids").filter { !$0.isEmpty }
        guard names.count <= Self.most else {
            throw Refusal.invalid(
                "status_ids", "ERR_TOO_MANY", "Report at most \(Self.most) posts at a time.")
        }
        return try names.map { name in
            guard let id = Post.ID(name) else { throw Refusal.notFound }
            return .init(kind: "post", id: id.rawValue)
        }
    }

    /// The most posts in one call. Each is a report of its own.
    private static let most = 10

    func reported(
        _ target: ReportTarget, for viewer: Account, _ transaction: Transaction
    ) throws -> (account: Account.ID, subject: Report.Subject) {
        let post: Post
        do {
            post = try PostRecords(transaction).visible(ID(rawValue: target.id), for: viewer)
        } catch let refusal as Refusal where refusal == .notFound {
            for other in others.all {
                if let found = try other.reported(target.id, viewer, transaction) { return found }
            }
            throw refusal
        }
        let kind = post.root == nil ? "post" : "comment"
        return (post.author.id, .init(kind: kind, id: target.id, quote: post.caption))
    }

    func write(_ reports: [Report], into json: inout JSONWriter) {
        let statuses = kinds + others.all.map(\.kind)
        json.array("status_ids", reports.filter { statuses.contains($0.subject.kind) }) {
            $0.value(String($1.subject.id))
        }
    }

    func evidence(
        _ subject: Report.Subject, of account: Account, _ transaction: Transaction
    ) throws -> ReportEvidence {
        let post = try PostRecords(transaction).unchecked(ID(rawValue: subject.id))
        var since = ""
        if let post {
            if post.caption != subject.quote { since = ". Edited since, now “\(post.caption)”" }
        } else {
            since = " · deleted since"
        }
        return ReportEvidence(
            words: ReportCard.quoted(subject.kind, subject.quote), since: since,
            changedAt: since.isEmpty ? post?.editedAt : nil, photos: post?.photos ?? [],
            removable: post == nil ? nil : subject.kind)
    }

    func remove(_ subject: Report.Subject, _ transaction: Transaction) throws {
        try posts.remove(ID(rawValue: subject.id), transaction)
    }

    func showing(_ photo: Photo.ID, _ transaction: Transaction) throws -> [Int64] {
        try PostRecords(transaction).holding(photo).map(\.rawValue)
    }
}
