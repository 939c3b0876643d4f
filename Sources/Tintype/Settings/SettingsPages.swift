import Core
import Foundation
import HTML
import Hummingbird
import People
import Serving
import Storage

/// Settings, with the lines of all features, and the screens about privacy, blocked and muted people.
struct SettingsPages {
    let frame: Frame
    let accounts: AccountService
    let relations: RelationshipService
    let features: Registry<any Feature>
    let database: Database

    private var screen: SettingsScreen { SettingsScreen(frame: frame) }

    func add(to router: Router<AppContext>) {
        router.get("settings", use: settings)
        router.get("settings/privacy", use: privacy)
        router.post("settings/privacy", use: savePrivacy)
        router.get("settings/blocked", use: blocked)
        router.get("settings/muted", use: muted)
    }

    private func settings(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let lines = try await database.read { [features] transaction in
            try features.all.flatMap { try $0.settings(for: viewer, transaction) }
        }
        return Page(title: "Settings", styles: [.accounts], link: .settings, bodyClass: "grouped")
            .response(frame, request, context) {
                frame.menuBar("Settings")
                main(.id("content"), .class("settings")) {
                    div(.class("group")) {
                        a(.class("row"), .href(ProfilePaths.edit)) {
                            frame.portrait(viewer, pixels: 40)
                            span(.class("text")) {
                                b { viewer.displayName }
                                span { "@\(viewer.username) · portrait, banner, name, bio" }
                            }
                            frame.icon("chevron-right", class: "icon chevron")
                        }
                    }
                    for group in SettingsLine.Group.allCases {
                        div(.class("group")) {
                            for line in lines.filter({ $0.group == group }).sorted(by: {
                                $0.position < $1.position
                            }) {
                                screen.line(
                                    line.title, line.symbol, href: line.path, value: line.value,
                                    class: line.isDanger ? "choice danger" : "choice")
                            }
                        }
                    }
                    form(.method("post"), .action(AppPaths.logOut)) {
                        button(.class("button danger tall")) { "Log Out" }
                    }
                    p(.class("note")) { "Tintype \(tintypeVersion). Free software under AGPL-3.0." }
                }
            }
    }

    // MARK: Privacy

    private func privacy(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let waiting = try await relations.followRequestsCount(to: viewer)
        return screen.response("Privacy", request, context) {
            form(.method("post"), .action(AppPaths.privacy)) {
                section {
                    div(.class("group")) {
                        frame.toggle("locked", isOn: viewer.approvesFollowers, "Approve new followers")
                    }
                    p(.class("note")) {
                        "When this is on, only people you approve can follow you and see your posts. Turning it off accepts everyone who is waiting."
                    }
                }
                section {
                    div(.class("group")) {
                        frame.toggle("discoverable", isOn: viewer.isDiscoverable, "Suggest me to others")
                    }
                    p(.class("note")) {
                        "When this is on, apps may suggest you to people who follow your followers."
                    }
                }
                button(.class("button primary tall")) { "Save" }
            }
            if waiting > 0 {
                div(.class("group")) {
                    screen.line(
                        "Follow requests", "person-plus", href: RelationshipPaths.requests,
                        value: waiting.grouped)
                }
            }
        }
    }

    private func savePrivacy(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        // A checkbox that is off sends nothing.
        let input = try await Input.read(request, context)
        let asks = input.bool("locked") ?? false
        _ = try await accounts.update(
            .init(approvesFollowers: asks, isDiscoverable: input.bool("discoverable") ?? false), of: viewer)
        return .see(
            AppPaths.settings,
            flash: .good(
                asks == viewer.approvesFollowers
                    ? "Privacy saved."
                    : asks ? "New followers now need your approval." : "Anyone here can follow you now."))
    }

    // MARK: Blocked and muted people

    private func blocked(_ request: Request, _ context: AppContext) async throws -> Response {
        let people = PeopleList(
            title: "Blocked people", path: RelationshipPaths.blocked, symbol: "person-x",
            none: "You haven’t blocked anyone.",
            meaning: "You and the people you block don’t see, find or contact each other.",
            undo: ("Unblock", "unblock"))
        return try await list(people, request, context) { viewer, page in
            try await relations.blocked(by: viewer, page: page).map { ($0, $1, nil) }
        }
    }

    private func muted(_ request: Request, _ context: AppContext) async throws -> Response {
        let people = PeopleList(
            title: "Muted people", path: RelationshipPaths.muted, symbol: "bell-slash",
            none: "You haven’t muted anyone.",
            meaning: "You don’t see posts, comments and notifications of people you mute. They don’t know.",
            undo: ("Unmute", "unmute"))
        return try await list(people, request, context) { viewer, page in
            try await relations.muted(by: viewer, page: page).map { ($0, $1, $2.endsAt) }
        }
    }

    /// The words of a list of people.
    private struct PeopleList {
        var title: String
        var path: String
        var symbol: StaticString
        /// The sentence of an empty list.
        var none: String
        /// The sentence above the list.
        var meaning: String
        /// The button beside each person, and the last part of its path.
        var undo: (title: String, verb: String)
    }

    /// Draws a list of people, each with a button that removes them from it.
    ///
    /// - Parameter find: returns one page of the viewer's list, with the id that each person is paged by, and the time
    ///   at which they leave the list by themselves.
    private func list(
        _ people: PeopleList, _ request: Request, _ context: AppContext,
        find: (Account, PageRequest) async throws -> [(Int64, Account, until: Date?)]
    ) async throws -> Response {
        let page = try PageRequest(Input.query(request))
        let rows = try await find(context.viewer, page)
        let next = rows.count == page.limit ? rows.last.map { "\(people.path)?max_id=\($0.0)" } : nil
        let nodes = rows.map { _, account, until in
            screen.person(
                account,
                until.map { Node.list([.text("@\(account.username) · until "), frame.date($0)]) }
                    ?? .text("@\(account.username)"),
                action: screen.action(
                    people.undo.title, RelationshipPaths.change(account.id, people.undo.verb)))
        }
        if request.wantsFragment { return .html(Node.list(nodes + [frame.more(next)]), for: request) }
        return screen.response(people.title, request, context) {
            if nodes.isEmpty {
                frame.empty(people.symbol, people.none)
            } else {
                p(.class("lead")) { people.meaning }
                frame.endlessList("group", next: next) { nodes }
            }
        }
    }
}
