import Core
import HTML
import Hummingbird
import Serving

/// The pages on which people follow, mute and block each other without scripts, with their screens: a profile's
/// options, and the list of follow requests.
struct RelationshipPages {
    let frame: Frame
    let relations: RelationshipService

    private var screen: SettingsScreen { SettingsScreen(frame: frame) }

    func add(to router: Router<AppContext>) {
        router.post("accounts/:id/follow") { try await change($0, $1, relations.follow) }
        router.post("accounts/:id/unfollow", use: unfollow)
        router.post("accounts/:id/remove") { try await change($0, $1, relations.removeFollower) }
        router.post("accounts/:id/block") { request, context in
            _ = try await relations.block(context.id("id"), by: context.viewer)
            // Not back to the profile, which the viewer can't see any more.
            return Response.see(AppPaths.users, flash: .good("Blocked. You no longer see each other."))
        }
        router.post("accounts/:id/unblock") { try await change($0, $1, relations.unblock) }
        router.post("accounts/:id/mute") { request, context in
            _ = try context.viewer
            let seconds = try Mute.duration(await Input.read(request, context))
            return try await change(
                request, context, { try await relations.mute($0, for: seconds, by: $1) },
                flash: .good("\(MuteDuration.done(seconds)) You find everyone you mute in Settings."))
        }
        router.post("accounts/:id/unmute") {
            try await change(
                $0, $1, relations.unmute, flash: .good("No longer muted. You see their posts again."))
        }
        router.post("accounts/:id/feature") {
            try await change($0, $1, relations.feature, flash: .good("Now on your profile."))
        }
        router.post("accounts/:id/unfeature") {
            try await change($0, $1, relations.unfeature, flash: .good("No longer on your profile."))
        }
        router.get("@{username}/options", use: options)
        router.get("requests", use: requests)
        router.post("requests/:id/accept") {
            try await change($0, $1, relations.acceptFollow, back: RelationshipPaths.requests)
        }
        router.post("requests/:id/reject") {
            try await change($0, $1, relations.rejectFollow, back: RelationshipPaths.requests)
        }
    }

    /// Makes a change and returns to the page of the button, or to `next` where the viewer may not see that page any
    /// more.
    private func change(
        _ request: Request, _ context: AppContext,
        _ action: (Account.ID, Account) async throws -> Relationship, back: String = AppPaths.users,
        flash: Flash? = nil
    ) async throws -> Response {
        _ = try await action(context.id("id"), context.viewer)
        let next = LocalPath(Input.query(request).text("next")) ?? LocalPath(referrerOf: request)
        return .see(next?.text ?? back, flash: flash)
    }

    /// Stops following someone. A page first names what waits for both people, and has a button to continue.
    private func unfollow(_ request: Request, _ context: AppContext) async throws -> Response {
        let isSure = try await Input.read(request, context).bool("sure") ?? false
        do {
            return try await change(
                request, context,
                { try await relations.unfollow($0, unlessWaiting: !isSure, by: $1) })
        } catch let refusal as Refusal where refusal.kind == .conflict {
            let next = LocalPath(referrerOf: request)?.text ?? AppPaths.users
            return Page(title: "Unfollow", styles: [.accounts], bodyClass: "grouped")
                .response(frame, request, context, status: .conflict) {
                    frame.bar("Unfollow?", back: ("Back", next))
                    main(.id("content"), .class("settings")) {
                        p(.class("lead")) { refusal.message }
                        form(.method("post"), .action("\(request.uri.path)?next=\(next.queryEncoded)")) {
                            button(.class("button danger tall"), .name("sure"), .value("true")) { "Unfollow" }
                            a(.class("button plain"), .href(next)) { "Keep following" }
                        }
                    }
                }
        }
    }

    // MARK: Options

    private func options(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        guard let username = context.parameters.get("username") else { throw Refusal.notFound }
        let found = try await relations.accountToChange(username: username, for: viewer)
        let account = found.account
        guard account.id != viewer.id else { throw Refusal.notFound }
        let path = AppPaths.profile(account.username)
        let isBlocked = found.relationship.blocks
        return Page(title: "Options", styles: [.accounts], bodyClass: "grouped").response(
            frame, request, context
        ) {
            frame.bar("Options", back: isBlocked ? ("Users", AppPaths.users) : (account.username, path))
            main(.id("content"), .class("settings")) {
                ul(.class("group")) { screen.person(account, .text("@\(account.username)")) }
                if isBlocked {
                    p(.class("lead")) { "You blocked \(account.displayName). You don’t see each other." }
                    div(.class("group")) {
                        choice("Unblock \(account.username)", "person-check", "unblock", account)
                    }
                } else {
                    div(.class("group")) {
                        element("copy-link", .attribute("data-url", path)) {
                            button(.class("choice"), .type("button")) {
                                frame.icon("link-45deg")
                                span { "Copy link" }
                            }
                        }
                    }
                    if found.relationship.isFollowedBy {
                        div(.class("group")) {
                            choice(
                                "Remove \(account.username) from my followers", "person-x", "remove", account)
                        }
                    }
                    if found.relationship.follows {
                        div(.class("group")) {
                            screen.line("Lists", "list-ul", href: ListPaths.of(account.username))
                            if found.relationship.isFeatured {
                                choice("Remove from my profile", "pin-angle-fill", "unfeature", account)
                            } else {
                                choice("Feature on my profile", "pin-angle", "feature", account)
                            }
                        }
                    }
                    muting(account, found.relationship)
                    div(.class("group")) {
                        button(.class("choice danger"), .type("button"), .attribute("popovertarget", "block"))
                        {
                            frame.icon("slash-circle")
                            span { "Block \(account.username)" }
                        }
                        screen.line(
                            "Report", "flag", href: RelationshipPaths.report(account.id),
                            class: "choice danger")
                    }
                    frame.question(
                        id: "block", title: "Block \(account.displayName)?",
                        explanation:
                            "You will no longer see, find or contact each other, and you will stop following each other. They won’t be notified.",
                        action: "/accounts/\(account.id)/block", yes: "Block", no: "Don’t block")
                }
            }
        }
    }

    /// Returns the controls that mute a person, or end the mute.
    @NodeBuilder private func muting(_ account: Account, _ relationship: Relationship) -> Node {
        let controls = MuteComponents(frame: frame)
        if let mute = relationship.mute {
            section {
                controls.undo(
                    "Unmute \(account.username)", RelationshipPaths.change(account.id, "unmute"))
                if let end = mute.endsAt {
                    p(.class("note")) {
                        "You muted \(account.displayName) until "
                        frame.date(end)
                        "."
                    }
                }
            }
        } else {
            section(.attribute("aria-labelledby", "mute-title")) {
                h2(.class("group-title"), .id("mute-title")) { "Mute \(account.username)" }
                controls.choices(RelationshipPaths.change(account.id, "mute"))
                p(.class("note")) {
                    "You won’t see \(account.displayName)’s posts, comments and notifications. They won’t know, and can still write to you."
                }
            }
        }
    }

    private func choice(_ title: String, _ symbol: StaticString, _ verb: String, _ account: Account) -> Node {
        form(.method("post"), .action("/accounts/\(account.id)/\(verb)")) {
            button(.class("choice")) {
                frame.icon(symbol)
                span { title }
            }
        }
    }

    // MARK: Requests

    private func requests(_ request: Request, _ context: AppContext) async throws -> Response {
        let page = try PageRequest(Input.query(request))
        let rows = try await relations.followRequests(to: context.viewer, page: page)
        let next = rows.count == page.limit ? rows.last.map { "/requests?max_id=\($0.0)" } : nil
        let components = PeopleComponents(frame: frame)
        let nodes = rows.map { row in
            let account = row.1.account
            return li { components.waiting(account, at: "/requests/\(account.id)", declining: "reject") }
        }
        if request.wantsFragment { return .html(Node.list(nodes + [frame.more(next)]), for: request) }
        return Page(title: "Follow requests", styles: [.accounts, .notifications]).response(
            frame, request, context
        ) {
            frame.bar("Follow requests", back: ("Notifications", AppPaths.notifications))
            main(.id("content")) {
                if nodes.isEmpty {
                    frame.empty("person-plus", "No requests are waiting for your answer.")
                } else {
                    frame.endlessList("rows requests", next: next) { nodes }
                }
            }
        }
    }
}
