import Core
import HTML
import Hummingbird
import People
import Serving
import Storage

/// Reports about posts and comments.
struct PostReports: ReportKind {
    let posts: PostService
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
        input.list("status_ids").prefix(10).compactMap { Post.ID($0) }
            .map { .init(kind: "post", id: $0.rawValue) }
    }

    func reported(
        _ target: ReportTarget, for viewer: Account, _ transaction: Transaction
    ) throws -> (account: Account.ID, subject: Report.Subject) {
        let post = try PostRecords(transaction).visible(ID(rawValue: target.id), for: viewer)
        let kind = post.root == nil ? "post" : "comment"
        return (post.author.id, .init(kind: kind, id: target.id, quote: post.caption))
    }

    func write(_ reports: [Report], into json: inout JSONWriter) {
        json.array("status_ids", reports.filter { kinds.contains($0.subject.kind) }) {
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
