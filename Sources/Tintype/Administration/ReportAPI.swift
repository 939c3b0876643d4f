import Hummingbird

/// The JSON route of reports, in Mastodon's form.
struct ReportAPI {
    let reports: ReportService
    let accounts: AccountService
    let entities: Entities

    func add(to router: Router<AppContext>) {
        router.post("api/v1/reports", use: report)
    }

    /// One report for each post named, or one for the account.
    private func report(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = try await Input.read(request)
        guard let account = input.id("account_id", of: Account.self) else {
            throw Refusal.invalid("account_id", "ERR_BLANK", "Say whom you report.")
        }
        let person = try await accounts.account(account, for: viewer)
        let posts = input.list("status_ids").prefix(10).compactMap { Post.ID($0) }
        let subjects: [ReportService.Subject] = posts.isEmpty ? [.account(account)] : posts.map { .post($0) }
        let reason: Report.Reason = input.string("category") == "spam" ? .spam : .other
        var sent: [Report] = []
        for subject in subjects {
            sent.append(try await reports.report(subject, reason, words: input.text("comment"), by: viewer))
        }
        guard let first = sent.first else { throw Refusal.notFound }
        return .json(for: request) { json in
            json.object { json in
                json.member("id", first.id)
                json.member("action_taken", false)
                json.null("action_taken_at")
                json.member("category", first.reason.category)
                json.member("comment", first.words)
                json.member("forwarded", false)
                json.member("created_at", first.id.createdAt)
                json.array("status_ids", sent.compactMap(\.post)) { $0.value($1.description) }
                json.null("rule_ids")
                json.key("target_account")
                entities.account(person, into: &json)
            }
        }
    }
}
