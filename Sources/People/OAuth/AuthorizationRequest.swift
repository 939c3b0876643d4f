import Core
import Serving

/// The request of an app to access a person's account with some permissions (RFC 6749, 4.1.1).
struct AuthorizationRequest: Sendable, Equatable {
    let app: OAuthApp
    let redirect: RedirectAddress
    let scopes: OAuthScopes
    /// A text that the app gets back unchanged.
    let state: String?
    /// The S256 challenge of PKCE (RFC 7636); nil for old apps, which send none.
    let challenge: CodeChallenge?

    /// The names of all parameters that are read. Each may occur once (RFC 6749, 3.1).
    static let parameters = [
        "client_id", "redirect_uri", "response_type", "scope", "state", "code_challenge",
        "code_challenge_method",
    ]
    private static let maximumStateBytes = 1_000

    /// The error of a request that can't be granted. A page shows it to the person; the app gets it only if the person
    /// returns there, since a stranger may have made the link (RFC 9700, 4.11.2).
    struct Refused: Error, Equatable {
        let redirect: RedirectAddress
        let state: String?
        let failure: OAuthFailure
    }

    /// Returns the app's registered address that a request names.
    ///
    /// - Throws: ``Refusal`` (422) when the request names no address that can be trusted.
    static func redirect(in input: Input, of app: OAuthApp) throws -> RedirectAddress {
        guard let text = input.string("redirect_uri"),
            let redirect = app.redirects.first(where: { $0.text == text })
        else {
            throw Refusal(
                .invalid,
                "\(app.name) asked to send you to an address that it hasn’t registered, so it can’t get access."
            )
        }
        return redirect
    }

    /// Reads a request.
    ///
    /// - Parameter topics: what permissions are about.
    /// - Throws: ``Refusal`` (422) when the request names no registered address; ``Refused`` when something else is
    ///   wrong.
    init(_ input: Input, app: OAuthApp, topics: OAuthTopics) throws {
        let redirect = try Self.redirect(in: input, of: app)
        let state = input.string("state").flatMap { $0.utf8.count > Self.maximumStateBytes ? nil : $0 }
        func refuse(_ code: OAuthFailure.Code, _ description: String) -> Refused {
            Refused(redirect: redirect, state: state, failure: OAuthFailure(code, description))
        }
        if let twice = Self.parameters.first(where: { input.list($0).count > 1 }) {
            throw refuse(.invalidRequest, "The parameter \(twice) came more than once.")
        }
        if state != input.string("state") {
            throw refuse(.invalidRequest, "The parameter state has more than 1,000 bytes.")
        }
        guard input.string("response_type") == "code" else {
            throw refuse(.unsupportedResponseType, "The only response_type here is “code”.")
        }
        let asked = input.text("scope")
        guard let scopes = topics.scopes(asked.isEmpty ? "read" : asked), app.scopes.allow(scopes) else {
            throw refuse(.invalidScope, "It asked for a permission that it hasn’t registered for.")
        }
        let challenge = input.string("code_challenge")
        if challenge != nil || input.string("code_challenge_method") != nil {
            guard input.string("code_challenge_method") == "S256" else {
                throw refuse(.invalidRequest, "The only code_challenge_method here is “S256”.")
            }
            guard let proof = challenge.flatMap({ CodeChallenge($0) }) else {
                throw refuse(.invalidRequest, "The code_challenge isn’t a valid S256 challenge.")
            }
            self.challenge = proof
        } else {
            self.challenge = nil
        }
        self.app = app
        self.redirect = redirect
        self.scopes = scopes
        self.state = state
    }
}
