/// The token of an app with which nobody is logged in (client credentials: RFC 6749, 4.4).
///
/// It opens what is public, and tells the app about itself.
struct AppToken: Sendable {
    /// The app's identifier.
    let clientID: String
    let scopes: OAuthScopes

    /// How such a token begins. No log-in's token has a dot, so each is looked for in one place only.
    static let prefix = "app."
}
