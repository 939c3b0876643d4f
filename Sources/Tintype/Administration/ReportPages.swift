import HTML
import Hummingbird

/// The screen on which anyone reports a post, a comment or an account.
struct ReportPages {
    let frame: Frame
    let reports: ReportService
    let posts: PostService
    let accounts: AccountService

    func add(to router: Router<AppContext>) {
        router.get("posts/:id/report") { request, context in
            page(request, context, try await subject(post: context))
        }
        router.post("posts/:id/report") { request, context in
            try await send(request, context, try await subject(post: context))
        }
        router.get("accounts/:id/report") { request, context in
            page(request, context, try await subject(account: context))
        }
        router.post("accounts/:id/report") { request, context in
            try await send(request, context, try await subject(account: context))
        }
    }

    /// What is reported, and how the screen names it.
    private struct Subject {
        var what: ReportService.Subject
        var account: Account
        var post: Post?
        var path: String
        var back: (name: String, path: String)
    }

    private func subject(post context: AppContext) async throws -> Subject {
        let post = try await posts.post(context.id("id"), for: context.viewer)
        let back =
            post.root.map { ("Comments", "/posts/\($0)/comments") } ?? (
                "Options", "/posts/\(post.id)/options"
            )
        return Subject(
            what: .post(post.id), account: post.author, post: post, path: "/posts/\(post.id)/report",
            back: back)
    }

    private func subject(account context: AppContext) async throws -> Subject {
        let account = try await accounts.account(context.id("id", of: Account.self), for: context.viewer)
        return Subject(
            what: .account(account.id), account: account, path: "/accounts/\(account.id)/report",
            back: (account.username, "/@\(account.username)"))
    }

    private func send(_ request: Request, _ context: AppContext, _ subject: Subject) async throws -> Response
    {
        let viewer = try context.viewer
        let input = try await Input.read(request)
        let words = input.text("words")
        guard let reason = input.string("reason").flatMap(Report.Reason.init) else {
            let problem = Refusal.Problem(code: "ERR_BLANK", sentence: "Say what is wrong with it.")
            return page(
                request, context, subject, words: words, problems: ["reason": problem],
                status: .unprocessableContent)
        }
        do {
            _ = try await reports.report(subject.what, reason, words: words, by: viewer)
            return .see("/home", flash: .good("Thank you. The administrators will look at it."))
        } catch let refusal as Refusal where refusal.kind == .invalid {
            return page(
                request, context, subject, chosen: reason, words: words, problems: refusal.fields,
                status: .unprocessableContent)
        }
    }

    private func page(
        _ request: Request, _ context: AppContext, _ subject: Subject, chosen: Report.Reason? = nil,
        words: String = "", problems: [String: Refusal.Problem] = [:], status: HTTPResponse.Status = .ok
    ) -> Response {
        Page(title: "Report", styles: [.posts, .comments, .accounts], tab: .home, bodyClass: "grouped")
            .response(frame, request, context, status: status) {
                frame.bar("Report", back: subject.back)
                main(.id("content"), .class("settings")) {
                    about(subject)
                    form(.class("form"), .method("post"), .action(subject.path)) {
                        fieldset {
                            legend(.class("group-title")) { "What is wrong with it?" }
                            div(.class("group")) {
                                for reason in Report.Reason.allCases {
                                    choice(reason, isChosen: reason == chosen)
                                }
                            }
                            frame.problem("reason", problems)
                            frame.problem("account_id", problems)
                        }
                        div(.class("field")) {
                            label(.for("words")) { "In your words, if you like" }
                            textarea(
                                .class("input"), .id("words"), .name("words"), .rows(3),
                                .maxlength(Report.wordsLength)
                            ) { words }
                            frame.problem("words", problems)
                        }
                        p(.class("note")) {
                            "The administrators of this server read it. "
                            "\(subject.account.username) doesn’t learn who reported."
                        }
                        button(.class("button primary tall")) { "Send report" }
                    }
                }
            }
    }

    private func about(_ subject: Subject) -> Node {
        div(.class("about-post")) {
            if let photo = subject.post?.photos.first {
                PhotoComponents.square(photo, alt: "")
            } else {
                frame.portrait(subject.account, pixels: 48)
            }
            p {
                b { subject.account.username }
                " \(subject.post?.caption ?? subject.account.displayName)"
            }
        }
    }

    private func choice(_ reason: Report.Reason, isChosen: Bool) -> Node {
        label(.class("choice")) {
            input(.type("radio"), .name("reason"), .value(reason.rawValue), .required, .checked(isChosen))
            span { reason.words }
            frame.icon("check-lg")
        }
    }
}
