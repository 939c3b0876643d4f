import Core
import HTML
import Hummingbird
import Serving

/// The pages of Settings → Connected account: connecting an account on another server, what was published there, and
/// disconnecting.
struct ConnectedAccountPages {
    let frame: Frame
    let accounts: ConnectedAccountService
    let crossPosts: CrossPostService

    static let path = ConnectedAccountPaths.list
    private static let title = "Connected account"

    private var screen: SettingsScreen { SettingsScreen(frame: frame) }

    func add(to router: Router<AppContext>) {
        router.get("settings/connected") { request, context in
            try await page(request, context)
        }
        router.post("settings/connected", use: begin)
        router.post("settings/connected/disconnect", use: disconnect)
        router.get("settings/connected/callback/:id", use: finish)
        router.post("settings/connected/posts/:id/settle", use: settle)
    }

    // MARK: The page

    private func page(
        _ request: Request, _ context: AppContext, _ refusal: Refusal? = nil, typed: String = "",
        status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let viewer = try context.viewer
        let (account, posts) = try await accounts.overview(of: viewer)
        return screen.response(Self.title, request, context, status: status) {
            if let account { connected(account) } else { p(.class("lead")) { purpose } }
            // The form shows the sentence beside its field.
            if account?.isUsable == true { frame.alert(refusal) } else { connectForm(refusal, typed: typed) }
            if !posts.isEmpty {
                screen.section("posts", "Posts") { for post in posts { row(post) } }
            }
        }
    }

    private var purpose: String {
        "Connect your account on Mastodon or a compatible server. Tintype posts there only \(agreed)."
    }

    private var agreed: String { "what you agree to publish \(crossPosts.listeners.places)" }

    private func connected(_ account: ConnectedAccount) -> Node {
        Node.list([
            div(.class("group")) {
                a(
                    .class("choice"), .href(account.profileURL), .rel("noopener noreferrer"),
                    .attribute("target", "_blank")
                ) {
                    frame.icon("globe")
                    screen.text(
                        .text(account.handle),
                        note: Node.list([.text("Connected "), frame.time(account.id.createdAt)]))
                    frame.icon("chevron-right", class: "icon chevron")
                }
            },
            account.isUsable
                ? p(.class("note")) {
                    "Tintype can read this account and its posts, and post pictures in its name. It posts only \(agreed)."
                }
                : p(.class("error"), .role("alert")) {
                    "\(account.server) doesn’t accept Tintype’s access any more. Connect the account again, or disconnect it."
                },
            form(.method("post"), .action("\(Self.path)/disconnect")) {
                button(.class("button danger tall")) { "Disconnect" }
            },
            account.isUsable
                ? p(.class("note")) {
                    "After that, Tintype can’t post there any more."
                }
                : .empty,
        ])
    }

    private func connectForm(_ refusal: Refusal?, typed: String) -> Node {
        form(.class("form"), .method("post"), .action(Self.path)) {
            frame.alert(refusal)
            frame.field(
                "server", "Server", value: typed, problems: refusal?.fields ?? [:],
                note: "Such as mastodon.social", .autocomplete("off"), .attribute("inputmode", "url"),
                .attribute("autocapitalize", "none"), .attribute("spellcheck", "false"),
                .attribute("maxlength", "\(ServerName.mostBytes)"), .required)
            button(.class("button primary tall")) { "Continue" }
        }
    }

    // MARK: Connecting

    private func begin(_ request: Request, _ context: AppContext) async throws -> Response {
        let session = try context.ownSession
        let server = try await Input.read(request, context).text("server")
        let departure: ConnectedAccountService.Departure
        do {
            departure = try await accounts.begin(server, in: session)
        } catch {
            return try await ErrorResponses.form(after: error, context) { refusal, status in
                try await page(request, context, refusal, typed: server, status: status)
            }
        }
        // A link, since the pages' Content-Security-Policy allows no form to lead to another server.
        return screen.response(Self.title, request, context) {
            p(.class("lead")) {
                "Log in to \(departure.server) and allow Tintype to use your account. It asks for this, and nothing else:"
            }
            ul(.class("group")) {
                for (symbol, words) in Self.accesses {
                    li(.class("choice")) {
                        frame.icon(symbol)
                        span { words }
                    }
                }
            }
            a(.class("button primary tall"), .href(departure.url), .rel("noreferrer")) {
                "Continue to \(departure.server)"
            }
            p(.class("note")) {
                "You will come back here afterwards. You can disconnect the account at any time."
            }
        }
    }

    private static let accesses: KeyValuePairs<StaticString, String> = [
        "person": "See your account", "eye": "See your posts", "image": "Upload pictures",
        "send": "Publish posts",
    ]

    private func finish(_ request: Request, _ context: AppContext) async throws -> Response {
        let session = try context.ownSession
        let id = try context.id("id", of: OutsideServer.self)
        let input = Input.query(request)
        let answer = ConnectedAccountService.Return(
            state: input.string("state") ?? "", code: input.string("code") ?? "",
            error: input.string("error") ?? "", issuer: input.string("iss") ?? "")
        do {
            let account = try await accounts.finish(answer, at: id, in: session)
            return .see(Self.path, flash: .good("Connected as \(account.handle)."))
        } catch let refusal as Refusal {
            return .see(Self.path, flash: .error(refusal.message))
        }
    }

    private func disconnect(_ request: Request, _ context: AppContext) async throws -> Response {
        try await accounts.disconnect(by: context.viewer)
        return .see(Self.path, flash: .good("Your account is disconnected."))
    }

    // MARK: Posts

    private func row(_ post: CrossPost) -> Node {
        li(.class("choice")) {
            frame.icon("send")
            screen.text(
                .text(post.text.isEmpty ? "A picture" : PlainText.oneLine(post.text, limit: 80)),
                note: note(post))
            actions(post)
        }
    }

    private func note(_ post: CrossPost) -> Node {
        switch post.state {
        case .pending: .text("Being published on \(post.server)")
        case .retrying(let attempts, let next):
            .text(
                "Not published yet, after \(attempts.of("try", "tries")). Next try: \(Timestamp.long(next)). \(post.progress.reason)"
            )
        case .published(let url): published(post, url)
        case .failed(let reason): .text("Not published. \(reason)")
        case .uncertain:
            .text("This may have been published. Check your account on \(post.server), then choose.")
        case .revoked: .text("Not published, because the account was no longer connected.")
        }
    }

    @NodeBuilder private func published(_ post: CrossPost, _ url: String?) -> Node {
        if let url {
            a(.href(url), .rel("noopener noreferrer"), .attribute("target", "_blank")) {
                "Published on \(post.server)"
            }
        } else {
            Node.text("Published on \(post.server)")
        }
    }

    @NodeBuilder private func actions(_ post: CrossPost) -> Node {
        if post.state == .uncertain {
            for (value, words) in [("true", "It is there"), ("false", "It isn’t there")] {
                form(.method("post"), .action("\(Self.path)/posts/\(post.id)/settle")) {
                    input(.type("hidden"), .name("published"), .value(value))
                    button(.class("button small")) { words }
                }
            }
        }
    }

    private func settle(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let isPublished = try await Input.read(request, context).bool("published")
        try await crossPosts.settle(context.id("id"), isPublished: isPublished, by: viewer)
        return .see(
            Self.path,
            flash: .good(isPublished == true ? "Marked as published." : "Publishing starts again."))
    }
}
