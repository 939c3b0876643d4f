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
        router.post("api/v1.1/report", use: reportOne)
    }

    /// The names under which Pixelfed's apps report a person, a post and a snap, which they call a story, with the names
    /// of the parameters here.
    private static let types = ["user": "account_id", "post": "status_ids[]", "story": "snap_id"]

    /// Creates a report as Pixelfed's apps send it.
    private func reportOne(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = try await Input.read(request, context)
        guard let name = Self.types[input.string("object_type") ?? ""] else {
            throw Refusal.invalid("object_type", "ERR_INVALID", "A user, a post or a story can be reported.")
        }
        guard let words = input.filled("report_type") else {
            throw Refusal.invalid("report_type", "ERR_BLANK", "Say what is wrong with it.")
        }
        let reason: Report.Reason =
            switch words {
            case "spam", "scam": .spam
            case "abusive", "violence", "terrorism": .mean
            case "sensitive": .naked
            default: .other
            }
        let targets = try targets(Input(values: [name: [input.text("object_id")]]))
        _ = try await reports.report(targets, reason, words: words, by: viewer)
        return .json(for: request) { json in
            json.object { json in
                json.member("code", 200)
                json.member("msg", "Report sent")
            }
        }
    }

    /// Creates one report for each thing that the parameters name, or else one for the account.
    private func report(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = try await Input.read(request, context)
        let reason: Report.Reason = input.string("category") == "spam" ? .spam : .other
        let sent = try await reports.report(targets(input), reason, words: input.text("comment"), by: viewer)
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
