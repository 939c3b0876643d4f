import Serving

/// The addresses of the main screens, to which pages of every feature lead. The features that add their routes are above
/// Core.
package enum AppPaths {
    /// The page that an account opens first.
    package static let home = "/home"
    /// The page to log in.
    package static let logIn = "/login"
    /// The action that ends a log-in.
    package static let logOut = "/logout"
    /// The page to create an account.
    package static let signUp = "/signup"
    /// The settings.
    package static let settings = "/settings"
    /// The settings of privacy.
    package static let privacy = "/settings/privacy"
    /// The page to find people.
    package static let users = "/users"
    /// The notifications of the viewer.
    package static let notifications = "/notifications"
    /// The list of chats.
    package static let messages = "/messages"
    /// The viewer's own photos.
    package static let library = "/library"
    /// Who is logged in, for apps.
    package static let userInfo = "/oauth/userinfo"
    /// What a browser needs to install the app.
    package static let manifest = "/manifest.webmanifest"

    /// Returns the address to sign up with an invitation.
    package static func signUp(code: String) -> String { "\(signUp)?code=\(code)" }

    /// Returns the address of a person's profile.
    package static func profile(_ username: String) -> String { "/@\(username)" }

    /// Returns the address of the posts with a hashtag.
    ///
    /// - Parameter tag: the hashtag in any spelling, without `#`.
    package static func tag(_ tag: String) -> String { "/tags/\(tag.queryEncoded)" }
}
