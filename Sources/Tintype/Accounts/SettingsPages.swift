import HTML
import Hummingbird

/// Settings itself, and the screens of privacy and blocked people.
struct SettingsPages {
    let frame: Frame
    let accounts: AccountService
    let sessions: SessionService
    let photos: PhotoService
    let administration: AdministrationService

    private var screen: SettingsScreen { SettingsScreen(frame: frame) }

    func add(to router: Router<AppContext>) {
        router.get("settings", use: settings)
        router.get("settings/privacy", use: privacy)
        router.post("settings/privacy", use: savePrivacy)
        router.get("settings/blocked", use: blocked)
    }

    private func settings(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let blockedCount = try await accounts.blockedCount(by: viewer)
        let reportsCount = viewer.isAdmin ? try await administration.openCount(for: viewer) : 0
        let storage = try await photos.storage(of: viewer)
        let devicesCount = try await sessions.devices(of: viewer).count
        return Page(title: "Settings", styles: [.accounts], link: .settings, bodyClass: "grouped")
            .response(frame, request, context) {
                frame.menuBar("Settings")
                main(.id("content"), .class("settings")) {
                    div(.class("group")) {
                        a(.class("row"), .href("/settings/profile")) {
                            frame.portrait(viewer, pixels: 40)
                            span(.class("text")) {
                                b { viewer.displayName }
                                span { "@\(viewer.username) · portrait, name, bio" }
                            }
                            frame.icon("chevron-right", class: "icon chevron")
                        }
                    }
                    div(.class("group")) {
                        screen.line(
                            "Privacy", "lock", href: "/settings/privacy",
                            value: viewer.approvesFollowers ? "Private" : "Open")
                        screen.line(
                            "Blocked people", "person-x", href: "/settings/blocked",
                            value: blockedCount == 0 ? nil : blockedCount.grouped)
                        screen.line(
                            "Devices", "phone", href: "/settings/devices", value: devicesCount.grouped)
                        screen.line("Password", "key", href: "/settings/password")
                        screen.line("Who can see what", "eye", href: PrivacyNoticePages.path)
                    }
                    div(.class("group")) {
                        screen.line("Invitations", "envelope", href: "/settings/invitations")
                        if viewer.isAdmin {
                            screen.line(
                                "Administration", "shield-check", href: "/administration",
                                value: reportsCount == 0 ? nil : reportsCount.of("report"))
                        }
                    }
                    div(.class("group")) {
                        screen.line("Storage", "hdd", href: "/library", value: storage.words)
                        screen.line("Download my data", "download", href: "/settings/data")
                        screen.line(
                            "Delete account", "trash", href: "/settings/delete", class: "choice danger")
                    }
                    form(.method("post"), .action("/logout")) {
                        button(.class("button danger tall")) { "Log Out" }
                    }
                    p(.class("note")) { "Tintype \(tintypeVersion). Free software under AGPL-3.0." }
                }
            }
    }

    // MARK: Privacy

    private func privacy(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let waiting = try await accounts.followRequestsCount(to: viewer)
        return screen.response("Privacy", request, context) {
            form(.method("post"), .action("/settings/privacy")) {
                section {
                    div(.class("group")) {
                        label(.class("choice")) {
                            span { "Approve new followers" }
                            input(
                                .type("checkbox"), .role("switch"), .name("locked"), .value("true"),
                                .checked(viewer.approvesFollowers))
                        }
                    }
                    p(.class("note")) {
                        "When this is on, only people you approve can follow you and see your posts. Turning it off accepts everyone who is waiting."
                    }
                }
                button(.class("button primary tall")) { "Save" }
            }
            if waiting > 0 {
                div(.class("group")) {
                    screen.line("Follow requests", "person-plus", href: "/requests", value: waiting.grouped)
                }
            }
        }
    }

    private func savePrivacy(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        // A check box that is off sends nothing.
        let asks = try await Input.read(request, context).bool("locked") ?? false
        _ = try await accounts.update(.init(approvesFollowers: asks), portrait: nil, of: viewer)
        return .see(
            "/settings",
            flash: .good(asks ? "New followers now need your approval." : "Anyone here can follow you now."))
    }

    // MARK: Blocked people

    private func blocked(_ request: Request, _ context: AppContext) async throws -> Response {
        let page = try PageRequest(Input.query(request))
        let rows = try await accounts.blocked(by: context.viewer, page: page)
        let next = rows.count == page.limit ? rows.last.map { "/settings/blocked?max_id=\($0.0)" } : nil
        let nodes = rows.map { _, account in
            screen.person(
                account, "@\(account.username)",
                action: screen.action("Unblock", "/accounts/\(account.id)/unblock"))
        }
        if request.wantsFragment { return .html(Node.list(nodes + [frame.more(next)]), for: request) }
        return screen.response("Blocked people", request, context) {
            if nodes.isEmpty {
                frame.empty("person-x", "You haven’t blocked anyone.")
            } else {
                p(.class("lead")) { "You and the people you block don’t see, find or contact each other." }
                element("endless-list", .attribute("data-next", next)) {
                    ul(.class("group"), .flag("data-items")) { nodes }
                    frame.more(next)
                }
            }
        }
    }
}
