import Core
import Foundation
import Serving

/// An app with which people may log in: a client, in OAuth's words (RFC 6749, 2).
///
/// Anyone can register an app, so its name proves nothing: the page on which a person allows the app also says where
/// they are sent.
struct OAuthApp: Sendable, Equatable {
    typealias ID = Core.ID<OAuthApp>

    /// The identifier; its time is when the app was registered.
    let id: ID
    /// The name by which the app identifies itself in requests.
    let clientID: String
    let name: String
    let website: String?
    /// The addresses to which the app may redirect people, as it wrote them.
    let redirects: [RedirectAddress]
    /// The most permissions that the app may ask for.
    let scopes: OAuthScopes

    static let nameLength = 1...60
    /// The most addresses of one app.
    static let maximumRedirects = 10
    /// How long an app is kept that nobody allows, in seconds: a day.
    static let newLifetime: TimeInterval = 86_400

    /// Returns when a new app is checked for the first time, and erased unless somebody has allowed it.
    static func firstLook(at id: ID) -> Date { id.createdAt.addingTimeInterval(newLifetime) }

    /// How long an app is kept after its last log-in was last seen open, in seconds: 90 days, since programs keep their
    /// identifiers for the next log-in. Open log-ins are checked every day.
    static let usedLifetime: TimeInterval = 90 * 86_400
    /// The most apps that nobody has allowed yet; the oldest are erased first.
    static let maximumNew = 10_000
    /// The most tokens of an app without a person; the oldest ends first.
    static let maximumAppTokens = 10
}

/// The details that an app sends when it registers.
struct AppRegistration: Sendable {
    let name: String
    let website: String?
    let redirects: [RedirectAddress]
    let scopes: OAuthScopes

    /// Checks the details that an app sent.
    ///
    /// - Parameters:
    ///   - redirects: the addresses, in one text with several lines or in several texts.
    ///   - scopes: permissions separated by spaces; empty for `read`.
    ///   - topics: what permissions are about.
    ///   - taken: the names that no app may have.
    /// - Throws: ``Refusal`` (422) with everything that is wrong.
    init(
        name: String, website: String, redirects: [String], scopes: String, topics: OAuthTopics,
        taken: TakenNames
    ) throws {
        var problems = Problems()
        let name = name.trimmed
        taken.check(
            name, as: "The app’s name", field: "client_name", most: OAuthApp.nameLength.upperBound,
            blank: "The app needs a name.", into: &problems)
        let website = website.trimmed
        if !website.isEmpty, !Self.isWebsite(website) {
            problems.add(
                "website", "ERR_INVALID",
                "The app’s website must be an address that begins with http:// or https://.")
        }
        let texts = redirects.flatMap { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
        let addresses = texts.compactMap { RedirectAddress($0) }
        if texts.isEmpty {
            problems.add("redirect_uris", "ERR_BLANK", "The app needs an address to send people back to.")
        } else if texts.count > OAuthApp.maximumRedirects {
            problems.add("redirect_uris", "ERR_TOO_LONG", "An app has at most 10 redirect addresses.")
        } else if addresses.count != texts.count {
            problems.add(
                "redirect_uris", "ERR_INVALID",
                """
                A redirect address must be an https address, an app’s own scheme such as org.example.app:/oauth or \
                example://login, or \(RedirectAddress.outOfBand).
                """
            )
        }
        let granted = topics.scopes(scopes.trimmed.isEmpty ? "read" : scopes)
        if granted == nil {
            problems.add("scopes", "ERR_INVALID", "None of these permissions exists here.")
        }
        try problems.throwIfAny()
        self.name = name
        self.website = website.isEmpty ? nil : website
        self.redirects = addresses
        self.scopes = granted ?? .nothing
    }

    /// Returns whether a text is a web address without a trap, such as a username before the host.
    private static func isWebsite(_ text: String) -> Bool {
        guard text.utf8.count <= 500, text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }),
            let url = URLComponents(string: text), ["http", "https"].contains(url.scheme?.lowercased()),
            let host = url.host, !host.isEmpty, url.user == nil
        else { return false }
        return true
    }
}

/// An app that a person is logged in with.
struct ConnectedApp: Sendable, Equatable {
    let app: OAuthApp
    /// The permissions of all log-ins together.
    let scopes: OAuthScopes
    /// The time of the oldest log-in that still exists.
    let since: Date
    /// The time of the last use, to about ten minutes.
    let usedAt: Date
    /// The number of log-ins.
    let logIns: Int
}
