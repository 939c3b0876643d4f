import Core
import HTML
import HTTPTypes
import Hummingbird
import Serving

/// The page on which a person allows an app to access their account, or declines (RFC 6749, 3.1), and the page that
/// shows a code.
///
/// An app opens the page in a browser. Nothing is granted and nobody is redirected before the person has pressed a
/// button: anyone can register an app, so anyone can make a link to this page.
struct AuthorizationPages {
    let frame: Frame
    let oauth: OAuthService
    /// The address of this server, which is its name in answers to apps (RFC 9207).
    let publicURL: String

    private static let path = "/oauth/authorize"

    func add(to router: Router<AppContext>) {
        router.get("oauth/authorize", use: ask)
        router.post("oauth/authorize", use: decide)
    }

    // MARK: Asking

    private func ask(_ request: Request, _ context: AppContext) async throws -> Response {
        // After logging in, the person returns to this address, so one that is too long for that is refused now.
        guard LocalPath(request.uri.string) != nil else {
            throw Refusal.malformed(
                "The app’s request is too long, or has characters that an address can’t have.")
        }
        let session = try context.ownSession
        let input = Input.query(request)
        let app = try await oauth.app(clientID: input.text("client_id"))
        do {
            let asked = try AuthorizationRequest(input, app: app, topics: oauth.topics)
            return consentPage(asked, session.account, request, context)
        } catch let refused as AuthorizationRequest.Refused {
            return refusalPage(refused, app, request, context)
        }
    }

    private func decide(_ request: Request, _ context: AppContext) async throws -> Response {
        let session = try context.ownSession
        let input = try await Input.read(request, context)
        let app = try await oauth.app(clientID: input.text("client_id"))
        do {
            let asked = try AuthorizationRequest(input, app: app, topics: oauth.topics)
            guard input.string("decision") == "allow" else { return cancelled(asked) }
            let code = try await oauth.authorize(asked, in: session)
            guard !asked.redirect.isOutOfBand else { return codePage(code, app, request, context) }
            return leave(
                to: asked.redirect, ["code": code, "state": asked.state, "iss": publicURL])
        } catch let refused as AuthorizationRequest.Refused {
            return refusalPage(refused, app, request, context)
        }
    }

    private func cancelled(_ asked: AuthorizationRequest) -> Response {
        guard !asked.redirect.isOutOfBand else {
            return .see(AppPaths.home, flash: .good("\(asked.app.name) has no access to your account."))
        }
        let failure = OAuthFailure(.accessDenied, "The person didn’t allow access.")
        return leave(to: asked.redirect, Self.answer(failure, asked.state, from: publicURL))
    }

    private static func answer(
        _ failure: OAuthFailure, _ state: String?, from server: String
    ) -> KeyValuePairs<String, String?> {
        [
            "error": failure.code.rawValue, "error_description": failure.description, "state": state,
            "iss": server,
        ]
    }

    /// Returns the person to the app. The redirect is a 303, so that the browser never sends this server's form to the
    /// app (RFC 9700, 4.12).
    private func leave(to redirect: RedirectAddress, _ answer: KeyValuePairs<String, String?>) -> Response {
        Response(
            status: .seeOther, headers: [.location: redirect.adding(answer), .cacheControl: "no-store"])
    }

    // MARK: Pages

    private func consentPage(
        _ asked: AuthorizationRequest, _ viewer: Account, _ request: Request, _ context: AppContext
    ) -> Response {
        var response = page("Log in to \(asked.app.name)", request, context) {
            entranceHeader("Allow access?")
            p { "\(asked.app.name) asks for access to your account." }
            div(.class("group")) {
                div(.class("row")) {
                    frame.portrait(viewer, pixels: 40)
                    span(.class("text")) {
                        b { viewer.displayName }
                        span { "@\(viewer.username)" }
                    }
                    form(.method("post"), .action(AppPaths.logOut)) {
                        input(.type("hidden"), .name("next"), .value(request.uri.string))
                        button(.class("button small")) { "Not you?" }
                    }
                }
            }
            permissions(of: asked)
            p(.class("note")) {
                if asked.redirect.isOutOfBand {
                    "You will get a code to type into the app. "
                } else {
                    asked.redirect.isApp ? "You will be sent to the app " : "You will be sent to "
                    b { asked.redirect.words }
                    asked.redirect.isApp ? " on this device. " : ". "
                }
                "Allow only apps that you know and have just opened yourself. You can revoke access in Settings → Apps at any time."
            }
            form(.class("form"), .method("post"), .action(Self.path)) {
                hidden(asked)
                button(.class("button primary tall"), .name("decision"), .value("allow")) { "Allow" }
                button(.class("button tall"), .name("decision"), .value("deny")) { "Cancel" }
            }
        }
        // Browsers check every redirect after a form against `form-action`, and an app's page may redirect people to
        // anywhere; some addresses can't even be written there, such as http://[::1]:80. The forms here are this page's
        // own: since everything is escaped and no foreign script runs, nobody can add a form.
        response.headers[.contentSecurityPolicy] = ContentSecurityPolicy.text(formsLeadAway: true)
        return response
    }

    private func permissions(of asked: AuthorizationRequest) -> Node {
        HTML.section(.attribute("aria-labelledby", "permissions-title")) {
            h2(.class("group-title"), .id("permissions-title")) { "\(asked.app.name) may" }
            ul(.class("group")) {
                let row = PermissionRow(frame: frame, topics: oauth.topics)
                for scope in asked.scopes.all { row.draw(scope) }
            }
            if let website = asked.app.website {
                p(.class("note")) { "It names \(website) as its website. Nobody has checked that." }
            }
        }
    }

    private func hidden(_ asked: AuthorizationRequest) -> [Node] {
        let values: KeyValuePairs<String, String?> = [
            "client_id": asked.app.clientID, "redirect_uri": asked.redirect.text, "response_type": "code",
            "scope": asked.scopes.text, "state": asked.state, "code_challenge": asked.challenge?.text,
            "code_challenge_method": asked.challenge == nil ? nil : "S256",
        ]
        return values.compactMap { name, value in
            value.map { HTML.input(.type("hidden"), .name(name), .value($0)) }
        }
    }

    /// Returns a page that tells the person what is wrong with an app's request, and lets them return to the app with
    /// the error.
    private func refusalPage(
        _ refused: AuthorizationRequest.Refused, _ app: OAuthApp, _ request: Request, _ context: AppContext
    ) -> Response {
        page("That didn’t work", request, context, status: .badRequest) {
            entranceHeader("\(app.name) can’t get access")
            p(.class("error"), .role("alert")) { refused.failure.description }
            if !refused.redirect.isOutOfBand {
                let back = refused.redirect.adding(
                    Self.answer(refused.failure, refused.state, from: publicURL))
                a(.class("button primary tall"), .href(back)) { "Back to \(refused.redirect.words)" }
            }
            a(.class("button plain"), .href(AppPaths.home)) { "Go to Home" }
        }
    }

    private func codePage(
        _ code: String, _ app: OAuthApp, _ request: Request, _ context: AppContext
    ) -> Response {
        page("Code for \(app.name)", request, context) {
            entranceHeader("Your code")
            p { "Paste this code into \(app.name) within ten minutes. It works once." }
            div(.class("group")) {
                element("copy-link", .class("copy-field"), .attribute("data-code", code)) {
                    input(.flag("readonly"), .id("code"), .value(code), .label("Code"))
                    button(.class("button small"), .type("button")) { "Copy" }
                }
            }
            p(.class("note")) { "Don’t share this code: anyone who has it can log in as you." }
            a(.class("button plain"), .href(AppPaths.home)) { "Go to Home" }
        }
    }

    private func entranceHeader(_ title: String) -> Node {
        header {
            frame.logo
            h1 { title }
        }
    }

    /// Returns a page that no cache keeps.
    private func page(
        _ title: String, _ request: Request, _ context: AppContext, status: HTTPResponse.Status = .ok,
        @NodeBuilder content: () -> Node
    ) -> Response {
        let content = content()
        var response = Page(title: title, styles: [.accounts, .controls, .oauth], bodyClass: "grouped bare")
            .response(frame, request, context, status: status) {
                main(.id("content"), .class("entrance authorization")) { content }
            }
        response.headers[.cacheControl] = "no-store"
        return response
    }
}

extension Page.Style {
    static let oauth = Page.Style(name: "oauth")
}
