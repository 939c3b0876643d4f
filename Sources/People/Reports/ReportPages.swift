import Core
import HTML
import Hummingbird
import Serving

/// The screen on which anyone reports an account, or a thing of some feature.
struct ReportPages {
    let frame: Frame
    let reports: ReportService
    let kinds: Registry<any ReportKind>

    func add(to router: Router<AppContext>) {
        for kind in kinds.all {
            add(kind.path, to: router) { try await kind.screen($0) }
        }
    }

    private func add(
        _ path: RouterPath, to router: Router<AppContext>,
        _ subject: @escaping @Sendable (AppContext) async throws -> ReportScreen
    ) {
        router.get(path) { request, context in page(request, context, try await subject(context)) }
        router.post(path) { request, context in try await send(request, context, try await subject(context)) }
    }

    // MARK: The screen

    private func send(_ request: Request, _ context: AppContext, _ subject: ReportScreen) async throws
        -> Response
    {
        let viewer = try context.viewer
        let input = try await Input.read(request, context)
        let words = input.text("words")
        guard let reason = input.string("reason").flatMap(Report.Reason.init) else {
            let refusal = Refusal.invalid("reason", "ERR_BLANK", "Choose what is wrong with it.")
            return page(request, context, subject, words: words, refusal, status: .unprocessableContent)
        }
        do {
            _ = try await reports.report([subject.target], reason, words: words, by: viewer)
            return .see(subject.next, flash: .good("Thank you. The administrators will look at it."))
        } catch {
            return try await ErrorResponses.form(after: error, context) { refusal, status in
                page(request, context, subject, chosen: reason, words: words, refusal, status: status)
            }
        }
    }

    private func page(
        _ request: Request, _ context: AppContext, _ subject: ReportScreen, chosen: Report.Reason? = nil,
        words: String = "", _ refusal: Refusal? = nil, status: HTTPResponse.Status = .ok
    ) -> Response {
        Page(title: "Report", styles: [.accounts], tab: subject.tab, bodyClass: "grouped")
            .response(frame, request, context, status: status) {
                frame.bar("Report", back: subject.back)
                main(.id("content"), .class("settings")) {
                    about(subject)
                    form(.class("form"), .method("post"), .action(subject.path)) {
                        frame.alert(refusal)
                        fieldset {
                            legend(.class("group-title")) { "What is wrong with it?" }
                            div(.class("group")) {
                                for reason in Report.Reason.allCases {
                                    frame.choice(
                                        "reason", reason.rawValue, isChosen: reason == chosen, reason.words)
                                }
                            }
                            frame.problem("reason", refusal?.fields ?? [:])
                            frame.problem("account_id", refusal?.fields ?? [:])
                        }
                        div(.class("field")) {
                            label(.for("words")) { "In your own words (optional)" }
                            textarea(
                                .class("input"), .id("words"), .name("words"), .rows(3),
                                .maxlength(Report.wordsLength)
                            ) { words }
                            frame.problem("words", refusal?.fields ?? [:])
                        }
                        p(.class("note")) {
                            "The administrators of this server will read your report. \(subject.note)"
                            "\(subject.account?.username ?? "Its owner") won’t learn who sent it."
                        }
                        button(.class("button primary tall")) { "Send report" }
                    }
                }
            }
    }

    private func about(_ subject: ReportScreen) -> Node {
        div(.class("about-thing")) {
            if let photo = subject.photo {
                PhotoComponents.square(photo, alt: "")
            } else if let account = subject.account {
                frame.portrait(account, pixels: 48)
            }
            p {
                if let account = subject.account {
                    b { account.username }
                    " "
                }
                subject.words
            }
        }
    }
}
