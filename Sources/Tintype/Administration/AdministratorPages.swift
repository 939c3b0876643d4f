import Core
import HTML
import Hummingbird
import Serving

/// Administration → Administrators: the people who administer this server.
struct AdministratorPages {
    let frame: Frame
    let administration: AdministrationService

    func add(to router: Router<AppContext>) {
        router.get("administration/administrators") { request, context in
            try await page(request, context)
        }
        router.post("administration/administrators", use: promote)
        router.post("administration/administrators/:username/remove", use: demote)
    }

    private func promote(_ request: Request, _ context: AppContext) async throws -> Response {
        let username = try await Input.read(request, context).text("username")
        do {
            try await administration.setAdministrator(true, username: username, by: context.viewer)
            return .see(AdministrationPaths.administrators, flash: .good("Administrator added."))
        } catch {
            return try await ErrorResponses.form(after: error, context) { refusal, status in
                try await page(
                    request, context, username: username,
                    problem: .init(code: "ERR_INVALID", sentence: refusal.message), status: status)
            }
        }
    }

    private func demote(_ request: Request, _ context: AppContext) async throws -> Response {
        try await administration.setAdministrator(
            false, username: context.parameters.require("username"), by: context.viewer)
        return .see(AdministrationPaths.administrators, flash: .good("Administrator removed."))
    }

    private func page(
        _ request: Request, _ context: AppContext, username: String = "", problem: Refusal.Problem? = nil,
        status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let viewer = try context.viewer
        let administrators = try await administration.administrators(for: viewer)
        let screen = SettingsScreen(frame: frame)
        return Page(
            title: "Administrators", styles: [.accounts, .administration], link: .settings,
            bodyClass: "grouped"
        ).response(frame, request, context, status: status) {
            frame.bar("Administrators", back: ("Administration", AdministrationPaths.overview))
            main(.id("content"), .class("settings")) {
                screen.section("administrators", "Administrators of this server") {
                    for account in administrators {
                        screen.person(
                            account,
                            .text(
                                "@\(account.username)" + (account.id == viewer.id ? " · you" : "")
                                    + (account.isSuspended ? " · suspended" : "")),
                            action: account.id == viewer.id
                                ? .empty
                                : screen.action(
                                    "Remove", AdministrationPaths.removeAdministrator(account.username),
                                    class: "button small danger"))
                    }
                }
                form(.class("form"), .method("post"), .action(AdministrationPaths.administrators)) {
                    frame.field(
                        "username", "Make someone an administrator", value: username,
                        problems: problem.map { ["username": $0] } ?? [:],
                        note:
                            "Administrators see reports, remove content, suspend accounts and choose who can sign up.",
                        .placeholder("Username"), .autocomplete("off"),
                        .attribute("autocapitalize", "none"), .attribute("spellcheck", "false"), .required)
                    button(.class("button primary tall")) { "Make administrator" }
                }
            }
        }
    }
}
