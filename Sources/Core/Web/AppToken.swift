/// The token of an app without a logged-in person (client credentials: RFC 6749, 4.4).
///
/// Such a token gives access to what is public, and to the description of the app.
package struct AppToken: Sendable {
    /// The app's identifier.
    package let clientID: String
    package let scopes: OAuthScopes

    package init(clientID: String, scopes: OAuthScopes) {
        self.clientID = clientID
        self.scopes = scopes
    }

    /// The beginning of every such token. The token of a log-in has no dot, so each token is looked up in one place
    /// only.
    package static let prefix = "app."
}
