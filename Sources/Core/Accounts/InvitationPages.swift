import HTML
import Hummingbird
import Serving

/// The pages of Settings → Invitations: making, seeing and revoking codes.
struct InvitationPages {
    let frame: Frame
    let invitations: InvitationService

    private var screen: SettingsScreen { SettingsScreen(frame: frame) }

    func add(to router: Router<AppContext>) {
        router.get("settings/invitations", use: list)
        router.post("settings/invitations", use: make)
        router.post("settings/invitations/:id/revoke", use: revoke)
    }

    private func list(_ request: Request, _ context: AppContext) async throws -> Response {
        let (all, mode) = try await invitations.overview(of: context.viewer)
        let waiting = all.filter { $0.usedBy == nil }
        return screen.response("Invitations", request, context) {
            p(.class("lead")) { Self.explanation(mode) }
            form(.method("post"), .action(InvitationPaths.list)) {
                button(.class("button primary tall")) { "Make an invitation" }
            }
            if !waiting.isEmpty {
                screen.section("waiting", "Waiting") {
                    for invitation in waiting {
                        li(.class("choice")) {
                            screen.text(
                                code { invitation.code },
                                note: .text("Valid until \(Timestamp.dayInWords(invitation.expiresAt))"))
                            element(
                                "copy-link", .attribute("data-url", AppPaths.signUp(code: invitation.code))
                            ) {
                                button(.class("button small"), .type("button")) { "Copy link" }
                            }
                            screen.action(
                                "Revoke", "/settings/invitations/\(invitation.id)/revoke",
                                class: "button small danger")
                        }
                    }
                }
            }
            if all.count > waiting.count {
                screen.section("used", "Used") {
                    for invitation in all {
                        if let account = invitation.usedBy {
                            screen.person(
                                account,
                                .text(
                                    "joined \(Timestamp.dayInWords(invitation.usedAt ?? account.id.createdAt))"
                                ))
                        }
                    }
                }
            }
        }
    }

    private static func explanation(_ mode: SignUpMode) -> String {
        switch mode {
        case .invitation: "Each code lets one person sign up."
        case .open:
            "Anyone can sign up here at the moment, with or without a code. Each code lets one person sign up."
        case .closed:
            "This server isn’t accepting new people at the moment. Codes will work when it does again."
        }
    }

    private func make(_ request: Request, _ context: AppContext) async throws -> Response {
        let code = try await invitations.invite(by: context.viewer.id)
        return .see(InvitationPaths.list, flash: .good("Your code is \(code)."))
    }

    private func revoke(_ request: Request, _ context: AppContext) async throws -> Response {
        try await invitations.revoke(context.id("id"), by: context.viewer)
        return .see(InvitationPaths.list, flash: .good("Invitation revoked."))
    }
}
