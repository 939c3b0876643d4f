import HTML
import Hummingbird

/// The screen on which anyone reports a post, a comment, an account, a snap or a message.
struct ReportPages {
    let frame: Frame
    let reports: ReportService
    let posts: PostService
    let accounts: AccountService
    let snaps: SnapService
    let messages: MessageService

    func add(to router: Router<AppContext>) {
        add("posts/:id/report", to: router) { try await post($0) }
        add("accounts/:id/report", to: router) { try await account($0) }
        add("snaps/:id/report", to: router) { try await snap($0) }
        add("messages/:id/:message/report", to: router) { try await message($0) }
    }

    private func add(
        _ path: RouterPath, to router: Router<AppContext>,
        _ subject: @escaping @Sendable (AppContext) async throws -> Subject
    ) {
        router.get(path) { request, context in page(request, context, try await subject(context)) }
        router.post(path) { request, context in try await send(request, context, try await subject(context)) }
    }

    // MARK: What is reported

    /// What is reported, and how the screen shows it.
    private struct Subject {
        var target: ReportService.Target
        var account: Account
        var photo: Photo?
        /// What it says, or what it is.
        var words: String
        /// What administrators get to see, where that isn't plain.
        var note = ""
        var path: String
        var tab = Page.Tab.home
        var back: (name: String, path: String)
        /// Where it leads once it is sent.
        var next = "/home"
    }

    private func post(_ context: AppContext) async throws -> Subject {
        let post = try await posts.post(context.id("id"), for: context.viewer)
        let back =
            post.root.map { ("Comments", "/posts/\($0)/comments") } ?? (
                "Options", "/posts/\(post.id)/options"
            )
        return Subject(
            target: .post(post.id), account: post.author, photo: post.photos.first, words: post.caption,
            path: "/posts/\(post.id)/report", back: back)
    }

    private func account(_ context: AppContext) async throws -> Subject {
        let account = try await accounts.account(context.id("id", of: Account.self), for: context.viewer)
        return Subject(
            target: .account(account.id), account: account, words: account.displayName,
            path: "/accounts/\(account.id)/report", back: (account.username, "/@\(account.username)"))
    }

    private func snap(_ context: AppContext) async throws -> Subject {
        let snap = try await snaps.snap(context.id("id"), for: context.viewer)
        return Subject(
            target: .snap(snap.id), account: snap.poster, words: "Snap in \(snap.feed.title)",
            note: "They don’t see the picture, because it can be seen only once. Describe what it showed. ",
            path: "/snaps/\(snap.id)/report", tab: .snaps, back: ("Snaps", "/snaps"), next: "/snaps")
    }

    private func message(_ context: AppContext) async throws -> Subject {
        let viewer = try context.viewer
        let chat = try context.id("id", of: Chat.self)
        let message = try await messages.message(context.id("message"), in: chat, for: viewer)
        let once = "They don’t see the photo, because it can be seen only once. Describe what it showed. "
        return Subject(
            target: .message(message.id, in: chat),
            account: try await accounts.account(message.sender, for: viewer), photo: message.photo,
            words: message.text.isEmpty ? "Photo" : message.text,
            note: "They see this message, but no other messages of your conversation. "
                + (message.once == nil ? "" : once),
            path: "/messages/\(chat)/\(message.id)/report", tab: .friends,
            back: ("Messages", "/messages/\(chat)"), next: "/messages/\(chat)")
    }

    // MARK: The screen

    private func send(_ request: Request, _ context: AppContext, _ subject: Subject) async throws -> Response
    {
        let viewer = try context.viewer
        let input = try await Input.read(request, context)
        let words = input.text("words")
        guard let reason = input.string("reason").flatMap(Report.Reason.init) else {
            let refusal = Refusal.invalid("reason", "ERR_BLANK", "Choose what is wrong with it.")
            return page(request, context, subject, words: words, refusal, status: .unprocessableContent)
        }
        do {
            _ = try await reports.report(subject.target, reason, words: words, by: viewer)
            return .see(subject.next, flash: .good("Thank you. The administrators will look at it."))
        } catch {
            return try await ErrorResponses.form(after: error, context) { refusal, status in
                page(request, context, subject, chosen: reason, words: words, refusal, status: status)
            }
        }
    }

    private func page(
        _ request: Request, _ context: AppContext, _ subject: Subject, chosen: Report.Reason? = nil,
        words: String = "", _ refusal: Refusal? = nil, status: HTTPResponse.Status = .ok
    ) -> Response {
        Page(title: "Report", styles: [.posts, .comments, .accounts], tab: subject.tab, bodyClass: "grouped")
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
                            "\(subject.account.username) won’t learn who sent it."
                        }
                        button(.class("button primary tall")) { "Send report" }
                    }
                }
            }
    }

    private func about(_ subject: Subject) -> Node {
        div(.class("about-post")) {
            if let photo = subject.photo {
                PhotoComponents.square(photo, alt: "")
            } else {
                frame.portrait(subject.account, pixels: 48)
            }
            p {
                b { subject.account.username }
                " \(subject.words)"
            }
        }
    }
}
