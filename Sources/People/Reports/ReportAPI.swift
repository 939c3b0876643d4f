import Core
import Hummingbird
import Serving

/// The JSON route of reports, in Mastodon's form.
struct ReportAPI {
    let reports: ReportService
    let accounts: AccountService
    let entities: Entities
    let kinds: Registry<any ReportKind>

    func add(to router: Router<AppContext>) {
        router.post("api/v1/reports", use: report)
    }

    /// Creates one report for each thing that the parameters name, or else one for the account.
    private func report(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = try await Input.read(request, context)
        let reason: Report.Reason = input.string("category") == "spam" ? .spam : .other
        var sent: [Report] = []
        for target in try targets(input) {
            sent.append(try await reports.report(target, reason, words: input.text("comment"), by: viewer))
        }
        guard let first = sent.first else { throw Refusal.notFound }
        let person: Account?
        do {
            person = try await accounts.account(first.account, for: viewer)
        } catch let refusal as Refusal where refusal == .notFound {
            // After a block, what happened between the two can still be reported.
            person = nil
        }
        return .json(for: request) { json in
            json.object { json in
                json.member("id", first.id)
                json.member("action_taken", false)
                json.null("action_taken_at")
                json.member("category", first.reason.category)
                json.member("comment", first.words)
                json.member("forwarded", false)
                json.member("created_at", first.id.createdAt)
                json.null("rule_ids")
                for kind in kinds.all { kind.write(sent, into: &json) }
                json.key("target_account")
                if let person { entities.account(person, into: &json) } else { json.null() }
            }
        }
    }

    /// Returns the things that the parameters name, or else the account: Mastodon's apps send the account in any case.
    private func targets(_ input: Input) throws -> [ReportTarget] {
        for kind in kinds.all.reversed() {
            let targets = try kind.targets(input)
            if !targets.isEmpty { return targets }
        }
        throw Refusal.invalid("account_id", "ERR_BLANK", "Say whom you report.")
    }
}
