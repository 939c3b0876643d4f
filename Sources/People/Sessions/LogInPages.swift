import Core
import Foundation
import HTML
import Hummingbird
import Imaging
import Serving
import Storage

/// The pages for logging in, signing up and logging out.
struct LogInPages {
    let frame: Frame
    let accounts: AccountService
    let sessions: SessionService
    let blobs: any BlobStore
    let policy: SignUpPolicy
    let configuration: ServerConfiguration
    /// The name and password that the log-in page of a demo shows, as `USERNAME:PASSWORD`; nil on other servers.
    let demoAccount: String?
    let signUps: SignUpLimit

    func add(to router: Router<AppContext>) {
        router.get("/") { _, context in
            Response.see(context.session == nil ? AppPaths.logIn : AppPaths.home)
        }
        router.get("login") { request, context in
            guard context.session == nil else { return Response.see(AppPaths.home) }
            return try await logInPage(request, context, LogInForm(next: Input.query(request).text("next")))
        }
        router.post("login", use: logIn)
        router.get("signup") { request, context in
            guard context.session == nil else { return Response.see(AppPaths.home) }
            let form = SignUpForm(invitationCode: Input.query(request).text("code"))
            return try await signUpPage(request, context, form)
        }
        router.post("signup", use: signUp)
        router.post("logout", use: logOut)
    }

    // MARK: Log in

    private struct LogInForm {
        var username = ""
        var next = ""
        var message: String?
    }

    private func logIn(_ request: Request, _ context: AppContext) async throws -> Response {
        let input = try await Input.read(request, context)
        var form = LogInForm(username: input.text("username"), next: input.text("next"))
        do {
            let logIn = try await sessions.logIn(
                username: form.username, password: input.string("password") ?? "", address: context.address,
                device: Device.name(request), proofs: BrowserProofs(request, isSecure: isSecure))
            // A browser has one log-in, so its earlier one ends.
            if let earlier = context.session {
                try await sessions.endIfOpen(earlier.id, of: earlier.account.id)
            }
            var response = Response.see(LocalPath(form.next)?.text ?? AppPaths.home)
            setCookies(of: logIn, in: &response)
            return response
        } catch {
            return try await ErrorResponses.form(after: error, context) { refusal, status in
                form.message = refusal.message
                return try await logInPage(request, context, form, status: status)
            }
        }
    }

    private var isSecure: Bool { configuration.publicURL.hasPrefix("https") }

    private func setCookies(of logIn: SessionService.LogIn, in response: inout Response) {
        response.setCookie(Session.cookie(logIn.token, isSecure: isSecure))
        response.setCookie(logIn.proofs.cookie(isSecure: isSecure))
    }

    private func logInPage(
        _ request: Request, _ context: AppContext, _ form: LogInForm, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let mode = try await policy.mode()
        return Page(title: "Log in", styles: [.accounts], bodyClass: "grouped bare")
            .response(frame, request, context, status: status) {
                main(.id("content"), .class("entrance")) {
                    entranceHeader("Log in")
                    HTML.form(.class("form"), .method("post"), .action(AppPaths.logIn)) {
                        frame.alert(form.message)
                        frame.field(
                            "username", "Username", value: form.username, .autocomplete("username"),
                            .attribute("autocapitalize", "none"), .attribute("spellcheck", "false"), .required
                        )
                        frame.field(
                            "password", "Password", type: "password", .autocomplete("current-password"),
                            .required)
                        if !form.next.isEmpty { input(.type("hidden"), .name("next"), .value(form.next)) }
                        button(.class("button primary tall")) { "Log In" }
                    }
                    if mode != .closed {
                        a(.class("button plain"), .href(AppPaths.signUp)) { "Create an account" }
                    }
                    if let demo = demoAccount?.split(separator: ":"), demo.count == 2 {
                        p(.class("hint")) {
                            "This is a demo. Look around as "
                            code { String(demo[0]) }
                            " with the password "
                            code { String(demo[1]) }
                            "."
                        }
                    }
                }
            }
    }

    private func entranceHeader(_ title: String) -> Node {
        header {
            frame.logo
            p { "Photos among friends." }
            h1(.class("unseen")) { title }
        }
    }

    // MARK: Sign up

    private struct SignUpForm {
        var username = ""
        var displayName = ""
        var invitationCode = ""
        var problems: [String: Refusal.Problem] = [:]
        var message: String?
    }

    private func signUp(_ request: Request, _ context: AppContext) async throws -> Response {
        let network = ClientNetwork.key(context.address)
        // A stranger's file is written only once it is known that they may sign up.
        let input = await Input.readForm(
            request, context,
            files: .init(blobs: blobs, most: 1) { [accounts, signUps] fields in
                try await signUps.check(network)
                try await accounts.checkAdmission(fields.text("invitation_code"))
            })
        var form = SignUpForm(
            username: input.text("username"), displayName: input.text("display_name"),
            invitationCode: input.text("invitation_code"))
        do {
            try input.checkWhole()
            try await signUps.take(network)
            let account = try await accounts.signUp(
                .init(
                    username: form.username, displayName: form.displayName,
                    password: input.string("password") ?? "", invitationCode: form.invitationCode),
                portrait: PortraitService.Upload(input), from: network)
            await input.discardFiles(in: blobs)
            let logIn = try await sessions.start(
                for: account, device: Device.name(request),
                proofs: BrowserProofs(request, isSecure: isSecure))
            var response = Response.see(AppPaths.home, flash: .good("Welcome, \(account.displayName)."))
            setCookies(of: logIn, in: &response)
            return response
        } catch {
            await input.discardFiles(in: blobs)
            return try await ErrorResponses.form(after: error, context) { refusal, status in
                form.problems = refusal.fields
                if refusal.fields.isEmpty { form.message = refusal.message }
                return try await signUpPage(request, context, form, status: status)
            }
        }
    }

    private func signUpPage(
        _ request: Request, _ context: AppContext, _ form: SignUpForm, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let needsInvitation = try await accounts.needsInvitation()
        return Page(title: "Create an account", styles: [.accounts, .controls], bodyClass: "grouped bare")
            .response(frame, request, context, status: status) {
                main(.id("content"), .class("entrance")) {
                    entranceHeader("Create an account")
                    element("portrait-form", .attribute("data-then", AppPaths.home)) {
                        HTML.form(.class("form"), .method("post"), .action(AppPaths.signUp), .multipart) {
                            frame.alert(form.message)
                            // Before the file, which the server accepts only from people who may sign up.
                            if needsInvitation {
                                frame.field(
                                    "invitation_code", "Invitation code", value: form.invitationCode,
                                    problems: form.problems, .autocomplete("off"),
                                    .attribute("autocapitalize", "characters"), .required)
                            }
                            PortraitPicker(frame: frame).node(
                                current: span(.class("portrait"), .decorative) { frame.icon("person") },
                                label: "Portrait, optional")
                            frame.problem("portrait", form.problems)
                            frame.field(
                                "username", "Username", value: form.username, problems: form.problems,
                                .autocomplete("username"), .attribute("autocapitalize", "none"),
                                .attribute("spellcheck", "false"), .required)
                            frame.field(
                                "display_name", "Name", value: form.displayName, problems: form.problems,
                                .autocomplete("name"), .required)
                            frame.field(
                                "password", "Password", type: "password", problems: form.problems,
                                note: form.problems["password"] == nil ? "At least 8 characters." : nil,
                                .autocomplete("new-password"),
                                .attribute("passwordrules", "minlength: 8;"), .required)
                            button(.class("button primary tall")) { "Create Account" }
                        }
                    }
                    a(.class("button plain"), .href(AppPaths.logIn)) { "I have an account" }
                    p(.class("hint")) {
                        a(.href(Frame.whoCanSeeWhat)) { "Who can see what on this server" }
                    }
                }
            }
    }

    // MARK: Log out

    private func logOut(_ request: Request, _ context: AppContext) async throws -> Response {
        if let session = context.session {
            try await sessions.endIfOpen(session.id, of: session.account.id)
        }
        // The page that someone wants to open with another account.
        let next = LocalPath(try await Input.read(request, context).text("next"))
        var response = Response.see(AppPaths.logIn + (next.map { "?next=\($0.text.queryEncoded)" } ?? ""))
        response.setCookie(Session.cookie(nil, isSecure: isSecure))
        response.headers[.clearSiteData] = "\"cache\", \"storage\""
        return response
    }
}

/// The control that chooses a portrait and its square.
package struct PortraitPicker {
    package let frame: Frame

    package init(frame: Frame) {
        self.frame = frame
    }

    package func node(current: Node, label: String) -> Node {
        element("portrait-picker") {
            HTML.label(.class("portrait-picker")) {
                input(
                    .class("cover"), .type("file"), .name("portrait"), .accept("image/*"), .label(label))
                current
                span(.class("sign")) { frame.icon("image-fill") }
            }
            // The input that isn't empty counts.
            PhotoInputs(frame: frame).shot(
                "button plain small", words: "Take a photo", name: "portrait", with: .front)
            for name in ["crop_x", "crop_y", "crop_size"] {
                input(.type("hidden"), .name(name))
            }
        }
    }
}

extension PortraitService.Upload {
    /// Reads the banner of a form or call. Returns nil when none was chosen.
    package init?(bannerOf input: Input) {
        guard let file = input.files.first(where: { $0.name == "header" }) else { return nil }
        self.init(file: file.blob)
    }

    /// Reads the portrait of a form. Returns nil when none was chosen.
    package init?(_ input: Input) {
        guard let file = input.files.first(where: { $0.name == "portrait" || $0.name == "avatar" }) else {
            return nil
        }
        var crop: CropSquare?
        if let x = input.number("crop_x"), let y = input.number("crop_y"),
            let size = input.number("crop_size")
        {
            crop = CropSquare(x: x, y: y, size: size)
        }
        self.init(file: file.blob, crop: crop)
    }
}
