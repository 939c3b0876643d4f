import Core
import HTML
import Hummingbird
import Serving

/// The pages of Settings → Apps: the apps that a person has allowed, what they may do, and how to disconnect them.
struct AppPages {
    let frame: Frame
    let oauth: OAuthService

    private static let path = "/settings/apps"
    private var screen: SettingsScreen { SettingsScreen(frame: frame) }

    func add(to router: Router<AppContext>) {
        router.get("settings/apps", use: list)
        router.post("settings/apps/:id/revoke", use: revoke)
    }

    private func list(_ request: Request, _ context: AppContext) async throws -> Response {
        let apps = try await oauth.apps(of: context.viewer)
        return screen.response("Apps", styles: [.oauth], request, context) {
            if apps.isEmpty {
                frame.empty("phone", "No app is logged in. Log in from an app, and it appears here.")
            } else {
                p(.class("lead")) {
                    "These apps are logged in as you. Revoking one logs it out at once, everywhere."
                }
                for app in apps { section(app) }
            }
        }
    }

    private func section(_ connected: ConnectedApp) -> Node {
        let id = "app-\(connected.app.id)"
        return HTML.section(.attribute("aria-labelledby", "\(id)-title")) {
            h2(.class("group-title"), .id("\(id)-title")) { connected.app.name }
            ul(.class("group")) {
                li(.class("choice")) {
                    frame.icon("phone")
                    screen.text(
                        .text(connected.logIns == 1 ? "Logged in" : connected.logIns.of("log-in")),
                        note: Node.list([.text("Last used "), frame.time(connected.usedAt)]))
                    button(
                        .class("button small danger"), .type("button"),
                        .attribute("popovertarget", "\(id)-question"),
                        .label("Revoke \(connected.app.name)")
                    ) { "Revoke" }
                }
            }
            h3(.class("group-title"), .id("\(id)-may")) { "\(connected.app.name) may" }
            ul(.class("group"), .attribute("aria-labelledby", "\(id)-may")) {
                let row = PermissionRow(frame: frame, topics: oauth.topics)
                for scope in connected.scopes.all { row.draw(scope) }
            }
            p(.class("note")) {
                "Allowed on \(Timestamp.dayInWords(connected.since))."
                if let website = connected.app.website {
                    " Its website, which nobody has checked: \(website)"
                }
            }
            frame.question(
                id: "\(id)-question", title: "Revoke \(connected.app.name)?",
                explanation: "It is logged out at once and can no longer see or do anything as you.",
                action: "\(Self.path)/\(connected.app.id)/revoke", yes: "Revoke", no: "Keep")
        }
    }

    private func revoke(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        try await oauth.revoke(context.id("id"), for: viewer)
        return .see(Self.path, flash: .good("The app is logged out."))
    }
}
