import Core
import HTML
import Hummingbird
import Serving

/// The page on which a person who came by a log-in link chooses a password.
struct NewPasswordPage {
    let frame: Frame
    let links: LogInLinks
    let isSecure: Bool

    func add(to router: Router<AppContext>) {
        router.get("login/new-password") { request, context in
            // The page changes nothing: programs open links, too, to show what is behind them.
            let code = Input.query(request).text("code")
            return page(request, context, code, of: try await links.owner(of: code))
        }
        router.post("login/new-password", use: choose)
    }

    private func choose(_ request: Request, _ context: AppContext) async throws -> Response {
        let input = try await Input.read(request, context)
        let code = input.text("code")
        let owner = try await links.owner(of: code)
        do {
            let logIn = try await links.use(
                code, password: input.string("password") ?? "", device: Device.name(request),
                proofs: BrowserProofs(request, isSecure: isSecure))
            var response = Response.see(AppPaths.home, flash: .good("Welcome, \(owner.displayName)."))
            response.setCookie(Session.cookie(logIn.token, isSecure: isSecure))
            response.setCookie(logIn.proofs.cookie(isSecure: isSecure))
            return response
        } catch {
            return try await ErrorResponses.form(after: error, context) { refusal, status in
                page(request, context, code, of: owner, refusal, status: status)
            }
        }
    }

    private func page(
        _ request: Request, _ context: AppContext, _ code: String, of owner: Account,
        _ refusal: Refusal? = nil, status: HTTPResponse.Status = .ok
    ) -> Response {
        let problems = refusal?.fields ?? [:]
        return Page(title: "Choose a password", styles: [.accounts], bodyClass: "grouped bare")
            .response(frame, request, context, status: status) {
                main(.id("content"), .class("entrance")) {
                    header {
                        frame.logo
                        p { "Choose a password for @\(owner.username)." }
                        h1(.class("unseen")) { "Choose a password" }
                    }
                    form(.class("form"), .method("post"), .action(LogInLinks.path)) {
                        if let refusal, problems.isEmpty { frame.alert(refusal.message) }
                        input(.type("hidden"), .name("code"), .value(code))
                        // For the browser that keeps passwords, which has to know whose it is.
                        input(
                            .type("hidden"), .name("username"), .value(owner.username),
                            .autocomplete("username"))
                        frame.field(
                            "password", "Password", type: "password", problems: problems,
                            note: problems["password"] == nil
                                ? "At least 8 characters. Three or four words are good." : nil,
                            .autocomplete("new-password"), .attribute("passwordrules", "minlength: 8;"),
                            .required)
                        button(.class("button primary tall")) { "Log In" }
                    }
                }
            }
    }
}
