import Core
import Foundation
import HTTPTypes
import Hummingbird
import Serving

/// The call by which an app creates an account for a person (Documentation/Interface.md, "Accounts"). It accepts who the
/// sign-up page accepts.
struct SignUpAPI {
    let oauth: OAuthService
    let accounts: AccountService
    let limit: SignUpLimit

    func add(to router: Router<AppContext>) {
        router.post("api/v1/accounts", use: signUp)
    }

    private func signUp(_ request: Request, _ context: AppContext) async throws -> Response {
        if context.session != nil {
            throw Refusal.conflict(
                "You have an account already. An app asks for a new one without logging anyone in.")
        }
        guard let app = context.app else {
            throw Refusal(
                .unauthenticated,
                "Only an app can create an account in this way, with an access token of its own.")
        }
        let input = try await Input.read(request, context)
        let network = ClientNetwork.key(context.address)
        try await limit.take(network)
        guard input.bool("agreement") == true else {
            throw Refusal.invalid(
                "agreement", "ERR_ACCEPTED", "Show who can see what on this server, and agree to it first.")
        }
        let username = input.text("username")
        // Mastodon's call has no name to show. The person can change it in their profile.
        let account = try await accounts.signUp(
            .init(
                username: username, displayName: input.filled("display_name") ?? username,
                password: input.string("password") ?? "", invitationCode: input.text("invitation_code")),
            portrait: nil, from: network)
        return Response.json(for: request, try await oauth.token(for: account, to: app)).unkept
    }
}

extension Response {
    /// Returns an app's new token.
    static func json(for request: Request, _ token: OAuthService.Token) -> Response {
        .json(for: request) { json in
            json.object { json in
                json.member("access_token", token.text)
                json.member("token_type", "Bearer")
                json.member("scope", token.scopes.text)
                json.member("created_at", Int(token.createdAt.timeIntervalSince1970))
            }
        }
    }

    /// The response with the header that no cache may keep it.
    var unkept: Response {
        var response = self
        response.headers[.cacheControl] = "no-store"
        return response
    }
}
