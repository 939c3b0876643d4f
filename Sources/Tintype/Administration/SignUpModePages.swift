import HTML
import Hummingbird

/// Administration → Sign-up: who may make an account on this server.
struct SignUpModePages {
    let frame: Frame
    let administration: AdministrationService

    func add(to router: Router<AppContext>) {
        router.get("administration/sign-up", use: show)
        router.post("administration/sign-up", use: change)
    }

    private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        let current = try await administration.signUp(for: context.viewer)
        return Page(
            title: "Sign-up", styles: [.accounts, .administration], link: .settings, bodyClass: "grouped"
        ).response(frame, request, context) {
            frame.bar("Sign-up", back: ("Administration", "/administration"))
            main(.id("content"), .class("settings")) {
                form(.class("form"), .method("post"), .action("/administration/sign-up")) {
                    fieldset {
                        legend(.class("group-title")) { "Who may make an account" }
                        div(.class("group")) {
                            for mode in SignUpMode.allCases {
                                frame.choice(
                                    "mode", mode.rawValue, isChosen: mode == current, mode.words,
                                    explanation: mode.explanation)
                            }
                        }
                    }
                    p(.class("note")) { "Whoever is here already stays. The change is recorded." }
                    button(.class("button primary tall")) { "Save" }
                }
            }
        }
    }

    private func change(_ request: Request, _ context: AppContext) async throws -> Response {
        let input = try await Input.read(request, context)
        guard let mode = input.string("mode").flatMap(SignUpMode.init) else {
            throw Refusal.invalid("mode", "ERR_BLANK", "Choose who may make an account.")
        }
        try await administration.setSignUp(mode, by: context.viewer)
        return .see("/administration", flash: .good("Sign-up: \(mode.words)."))
    }
}

extension SignUpMode {
    /// As a person reads it.
    var words: String {
        switch self {
        case .open: "Open"
        case .invitation: "Invite only"
        case .closed: "Closed"
        }
    }

    fileprivate var explanation: String {
        switch self {
        case .open: "Anyone who finds this server."
        case .invitation: "Whoever has a code from someone here."
        case .closed: "Nobody; codes wait until that changes."
        }
    }
}
