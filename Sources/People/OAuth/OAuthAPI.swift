import Core
import Foundation
import HTTPTypes
import Hummingbird
import Serving

/// The calls by which apps register, get tokens and revoke them (Documentation/Interface.md, "Apps and the server").
struct OAuthAPI {
    let oauth: OAuthService
    /// The address of this server, which is its name among OAuth servers.
    let publicURL: String
    let entities: Entities
    let takenNames: TakenNames
    let registrationMembers: Registry<@Sendable (inout JSONWriter) -> Void>

    func add(to router: Router<AppContext>) {
        router.post("api/v1/apps", use: register)
        router.get("api/v1/apps/verify_credentials", use: verify)
        router.post("oauth/token") { request, context in
            try await answer(request) { try await token(request, context) }
        }
        router.post("oauth/revoke") { request, context in
            try await answer(request) { try await revoke(request, context) }
        }
        for method in [HTTPRequest.Method.get, .post] {
            router.on("oauth/userinfo", method: method) { request, context in
                person(try context.viewer, request)
            }
        }
        router.get(".well-known/oauth-authorization-server") { request, _ in metadata(request) }
    }

    // MARK: Apps

    private func register(_ request: Request, _ context: AppContext) async throws -> Response {
        let input = try await Input.read(request, context)
        let registered = try await oauth.register(
            AppRegistration(
                name: input.text("client_name"), website: input.text("website"),
                redirects: input.list("redirect_uris"), scopes: input.list("scopes").joined(separator: " "),
                topics: oauth.topics, taken: takenNames),
            from: context.address)
        return Response.json(for: request) { json in
            json.object { json in
                Self.write(registered.app, into: &json)
                json.member("client_id", registered.app.clientID)
                json.member("client_secret", registered.secret)
                json.member("client_secret_expires_at", 0)
                for write in registrationMembers.all { write(&json) }
            }
        }.unkept
    }

    private func verify(_ request: Request, _ context: AppContext) async throws -> Response {
        let app: OAuthApp?
        if let own = context.app {
            app = try await oauth.app(clientID: own.clientID)
        } else {
            app = try await oauth.app(of: context.ownSession.id)
        }
        // A browser, or a token of the operator.
        guard let app else { throw Refusal(.unauthenticated, "This isn’t the access token of an app.") }
        return .json(for: request) { json in json.object { Self.write(app, into: &$0) } }
    }

    private static func write(_ app: OAuthApp, into json: inout JSONWriter) {
        json.member("id", app.id)
        json.member("name", app.name)
        json.member("website", app.website)
        json.member("redirect_uri", app.redirects.map(\.text).joined(separator: "\n"))
        json.array("redirect_uris", app.redirects) { $0.value($1.text) }
        json.array("scopes", app.scopes.all) { $0.value($1.text) }
    }

    // MARK: Tokens

    private func token(_ request: Request, _ context: AppContext) async throws -> Response {
        let input = try await Input.read(request, context)
        let client = try Self.client(request, input)
        let token: OAuthService.Token
        switch input.string("grant_type") {
        case "authorization_code":
            guard let code = input.string("code"), let redirect = input.string("redirect_uri") else {
                throw OAuthFailure(.invalidRequest, "The parameters code and redirect_uri are needed.")
            }
            // Some web clients take all that follows `?code=` for the code, `&iss=…` included.
            let ownCode = String(code.prefix { $0 != "&" })
            // The call's `scope` is ignored: the person has decided (Documentation/Interface.md, "What apps need").
            token = try await oauth.token(
                for: .init(code: ownCode, redirect: redirect, verifier: input.string("code_verifier")),
                to: client)
        case "client_credentials":
            token = try await oauth.appToken(input.text("scope"), to: client)
        default:
            throw OAuthFailure(
                .unsupportedGrantType,
                "The only grant types here are authorization_code and client_credentials.")
        }
        return .json(for: request, token)
    }

    private func revoke(_ request: Request, _ context: AppContext) async throws -> Response {
        let input = try await Input.read(request, context)
        let client = try Self.client(request, input)
        guard let token = input.filled("token") else {
            throw OAuthFailure(.invalidRequest, "The parameter token is needed.")
        }
        try await oauth.revoke(token, by: client, from: context.address)
        return .json(for: request) { json in json.object { _ in } }
    }

    /// Returns the app's identification, from the header or the body (RFC 6749, 2.3.1). An address may be logged, so a
    /// secret in the query is refused.
    private static func client(_ request: Request, _ input: Input) throws -> OAuthService.Client {
        let query = Input.query(request)
        guard
            !["client_secret", "code", "code_verifier", "token"].contains(where: { query.string($0) != nil })
        else {
            throw OAuthFailure(
                .invalidRequest, "Send secrets in the body of the request, not in its address.")
        }
        let twice = [
            "client_id", "client_secret", "code", "code_verifier", "grant_type", "redirect_uri", "token",
        ]
        .first { input.list($0).count > 1 }
        if let twice { throw OAuthFailure(.invalidRequest, "The parameter \(twice) came more than once.") }
        if let header = request.headers[.authorization], header.lowercased().hasPrefix("basic ") {
            guard let data = Data(base64Encoded: String(header.dropFirst(6)).trimmed) else {
                throw OAuthFailure.invalidClient
            }
            let parts = String(decoding: data, as: UTF8.self).split(
                separator: ":", maxSplits: 1, omittingEmptySubsequences: false
            ).compactMap { String($0).removingPercentEncoding }
            guard parts.count == 2 else { throw OAuthFailure.invalidClient }
            return OAuthService.Client(id: parts[0], secret: parts[1])
        }
        guard let id = input.string("client_id"), let secret = input.string("client_secret") else {
            throw OAuthFailure.invalidClient
        }
        return OAuthService.Client(id: id, secret: secret)
    }

    // MARK: Answers

    /// Answers with the result of a call, or with the error in OAuth's form. No cache may keep either.
    private func answer(
        _ request: Request, _ call: () async throws -> Response
    ) async throws -> Response {
        do {
            return try await call().unkept
        } catch let failure as OAuthFailure {
            var response = Response.json(status: failure.code.status, for: request) { json in
                json.object { json in
                    json.member("error", failure.code.rawValue)
                    json.member("error_description", failure.description)
                }
            }
            if failure.code == .invalidClient {
                response.headers[.wwwAuthenticate] = "Basic realm=\"Tintype\""
            }
            return response.unkept
        }
    }

    /// Answers with who is logged in, in the words of OpenID Connect Core 1.0, 5.1. The id, unlike the username, is never
    /// given to anyone else.
    private func person(_ viewer: Account, _ request: Request) -> Response {
        .json(for: request) { json in
            json.object { json in
                json.member("iss", publicURL)
                json.member("sub", viewer.id)
                json.member("name", viewer.displayName)
                json.member("preferred_username", viewer.username)
                json.member("profile", publicURL + AppPaths.profile(viewer.username))
                json.member("picture", entities.portraitURL(of: viewer))
            }
        }
    }

    /// Answers with the metadata that programs read before they log someone in (RFC 8414, 2).
    private func metadata(_ request: Request) -> Response {
        .json(for: request) { json in
            json.object { json in
                json.member("issuer", publicURL)
                json.member("authorization_endpoint", publicURL + "/oauth/authorize")
                json.member("token_endpoint", publicURL + "/oauth/token")
                json.member("revocation_endpoint", publicURL + "/oauth/revoke")
                json.member("userinfo_endpoint", publicURL + AppPaths.userInfo)
                json.member("app_registration_endpoint", publicURL + "/api/v1/apps")
                json.array("scopes_supported", oauth.topics.scopes) { $0.value($1.text) }
                json.array("response_types_supported", ["code"]) { $0.value($1) }
                json.array("response_modes_supported", ["query"]) { $0.value($1) }
                json.array("grant_types_supported", ["authorization_code", "client_credentials"]) {
                    $0.value($1)
                }
                let methods = ["client_secret_basic", "client_secret_post"]
                json.array("token_endpoint_auth_methods_supported", methods) { $0.value($1) }
                json.array("revocation_endpoint_auth_methods_supported", methods) { $0.value($1) }
                json.array("code_challenge_methods_supported", ["S256"]) { $0.value($1) }
                json.member("authorization_response_iss_parameter_supported", true)
            }
        }
    }
}
