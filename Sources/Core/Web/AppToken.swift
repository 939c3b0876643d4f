/// The token of an app with which nobody is logged in (client credentials: RFC 6749, 4.4).
///
/// It opens what is public, and tells the app about itself.
package struct AppToken: Sendable {
    /// The app's identifier.
    package let clientID: String
    package let scopes: OAuthScopes

    package init(clientID: String, scopes: OAuthScopes) {
        self.clientID = clientID
        self.scopes = scopes
    }

    /// How such a token begins. No log-in's token has a dot, so each is looked for in one place only.
    package static let prefix = "app."
}
