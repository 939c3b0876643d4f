import Core
import HTML
import Hummingbird
import Serving

/// The pages of Settings → Devices and Settings → Password: a person's log-ins and their password.
struct DevicePages {
    let frame: Frame
    let sessions: SessionService

    private var screen: SettingsScreen { SettingsScreen(frame: frame) }

    func add(to router: Router<AppContext>) {
        router.get("settings/devices", use: devices)
        router.post("settings/devices/end", use: endOthers)
        router.post("settings/devices/:id/end", use: end)
        router.get("settings/password") { request, context in
            _ = try context.viewer
            return passwordPage(request, context)
        }
        router.post("settings/password", use: changePassword)
    }

    // MARK: Devices

    private func devices(_ request: Request, _ context: AppContext) async throws -> Response {
        let session = try context.ownSession
        let devices = try await sessions.devices(of: session.account)
        let others = devices.filter { $0.session != session.id }
        return screen.response("Devices", request, context) {
            screen.section("this", "This device") {
                for device in devices where device.session == session.id { row(device, isThis: true) }
            }
            if !others.isEmpty {
                screen.section("others", "Other devices") {
                    for device in others { row(device, isThis: false) }
                }
                form(.method("post"), .action("/settings/devices/end")) {
                    button(.class("button danger tall")) { "Log out everywhere else" }
                }
            }
        }
    }

    private func row(_ device: Device, isThis: Bool) -> Node {
        li(.class("choice")) {
            frame.icon(device.isHandheld ? "phone" : "laptop")
            screen.text(
                .text(device.name),
                note: Node.list([
                    isThis ? .text("Active now") : frame.time(device.seenAt),
                    device.kind == .token ? .text(" · app token") : .empty,
                ]))
            if !isThis { screen.action("Log out", "/settings/devices/\(device.session)/end") }
        }
    }

    private func end(_ request: Request, _ context: AppContext) async throws -> Response {
        let session = try context.ownSession
        let id = try context.id("id", of: Session.self)
        try await sessions.end(id, of: session.account.id)
        return .see(
            id == session.id ? AppPaths.logIn : "/settings/devices",
            flash: .good("That device is logged out."))
    }

    private func endOthers(_ request: Request, _ context: AppContext) async throws -> Response {
        let session = try context.ownSession
        try await sessions.endAll(of: session.account.id, but: session.id)
        return .see("/settings/devices", flash: .good("All other devices are logged out."))
    }

    // MARK: Password

    private func changePassword(_ request: Request, _ context: AppContext) async throws -> Response {
        let session = try context.ownSession
        let input = try await Input.read(request, context)
        do {
            try await sessions.changePassword(
                in: session, from: input.string("current_password") ?? "",
                to: input.string("new_password") ?? "")
            return .see(
                AppPaths.settings, flash: .good("Password changed. Your other devices are logged out."))
        } catch {
            return try await ErrorResponses.form(after: error, context) { refusal, status in
                passwordPage(request, context, refusal, status: status)
            }
        }
    }

    private func passwordPage(
        _ request: Request, _ context: AppContext, _ refusal: Refusal? = nil,
        status: HTTPResponse.Status = .ok
    ) -> Response {
        let problems = refusal?.fields ?? [:]
        return screen.response("Password", request, context, status: status) {
            form(.class("form"), .method("post"), .action("/settings/password")) {
                frame.alert(refusal)
                frame.field(
                    "current_password", "Current password", type: "password", problems: problems,
                    .autocomplete("current-password"), .required)
                frame.field(
                    "new_password", "New password", type: "password", problems: problems,
                    note: "At least 8 characters. Three or four words are good.",
                    .autocomplete("new-password"), .attribute("passwordrules", "minlength: 8;"), .required)
                button(.class("button primary tall")) { "Change password" }
            }
            p(.class("note")) { "Your other devices will be logged out." }
        }
    }
}
