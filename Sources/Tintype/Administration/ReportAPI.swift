import Hummingbird

/// The JSON route of reports, in Mastodon's form.
struct ReportAPI {
    let reports: ReportService
    let accounts: AccountService
    let entities: Entities

    func add(to router: Router<AppContext>) {
        router.post("api/v1/reports", use: report)
    }

    /// One report for each post named, or one for the snap or message, else one for the account. `snap_id`, and
    /// `message_id` with its `chat_id`, are Tintype's own; whose it is, the server knows by itself.
    private func report(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = try await Input.read(request, context)
        let reason: Report.Reason = input.string("category") == "spam" ? .spam : .other
        var sent: [Report] = []
        for target in try Self.targets(input) {
            sent.append(try await reports.report(target, reason, words: input.text("comment"), by: viewer))
        }
        guard let first = sent.first else { throw Refusal.notFound }
        let person = try await accounts.account(first.account, for: viewer)
        return .json(for: request) { json in
            json.object { json in
                json.member("id", first.id)
                json.member("action_taken", false)
                json.null("action_taken_at")
                json.member("category", first.reason.category)
                json.member("comment", first.words)
                json.member("forwarded", false)
                json.member("created_at", first.id.createdAt)
                json.array("status_ids", sent.compactMap(Self.post)) { $0.value($1.description) }
                json.null("rule_ids")
                if case .snap(let id, _) = first.subject { json.member("snap_id", id) }
                if case .message(let id, let chat, _) = first.subject {
                    json.member("message_id", id)
                    json.member("chat_id", chat)
                }
                json.key("target_account")
                entities.account(person, into: &json)
            }
        }
    }

    private static func targets(_ input: Input) throws -> [ReportService.Target] {
        if let snap = input.id("snap_id", of: Snap.self) { return [.snap(snap)] }
        if let message = input.id("message_id", of: Message.self) {
            guard let chat = input.id("chat_id", of: Chat.self) else {
                throw Refusal.invalid("chat_id", "ERR_BLANK", "Say in which conversation the message is.")
            }
            return [.message(message, in: chat)]
        }
        let posts = input.list("status_ids").prefix(10).compactMap { Post.ID($0) }
        if !posts.isEmpty { return posts.map { .post($0) } }
        guard let account = input.id("account_id", of: Account.self) else {
            throw Refusal.invalid("account_id", "ERR_BLANK", "Say whom you report.")
        }
        return [.account(account)]
    }

    private static func post(_ report: Report) -> Post.ID? {
        if case .post(let id, _, _) = report.subject { id } else { nil }
    }
}
