import Core
import HTML
import Hummingbird
import Serving

/// Administration → Sign-up: the choice of who may create an account on this server.
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
            frame.bar("Sign-up", back: ("Administration", AdministrationPaths.overview))
            main(.id("content"), .class("settings")) {
                form(.class("form"), .method("post"), .action(AdministrationPaths.signUp)) {
                    fieldset {
                        legend(.class("group-title")) { "Who can sign up" }
                        div(.class("group")) {
                            for mode in SignUpMode.allCases {
                                frame.choice(
                                    "mode", mode.rawValue, isChosen: mode == current, mode.words,
                                    explanation: mode.explanation)
                            }
                        }
                    }
                    p(.class("note")) {
                        "Existing accounts aren’t affected. The change appears in the activity log."
                    }
                    button(.class("button primary tall")) { "Save" }
                }
            }
        }
    }

    private func change(_ request: Request, _ context: AppContext) async throws -> Response {
        let input = try await Input.read(request, context)
        guard let mode = input.string("mode").flatMap(SignUpMode.init) else {
            throw Refusal.invalid("mode", "ERR_BLANK", "Choose who can sign up.")
        }
        try await administration.setSignUp(mode, by: context.viewer)
        return .see(AdministrationPaths.overview, flash: .good("Sign-up: \(mode.words)."))
    }
}

extension SignUpMode {
    /// The mode in words for people.
    var words: String {
        switch self {
        case .open: "Open"
        case .invitation: "Invite only"
        case .closed: "Closed"
        }
    }

    fileprivate var explanation: String {
        switch self {
        case .open: "Anyone who knows the address of this server."
        case .invitation: "People who have an invitation code."
        case .closed: "Nobody. Invitation codes don’t work until you change this."
        }
    }
}
