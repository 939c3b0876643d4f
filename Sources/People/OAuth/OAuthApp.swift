import Core
import Foundation
import Serving

/// An app that people may log in with: a client, in OAuth's words (RFC 6749, 2).
///
/// Anyone can register one, so its name proves nothing: the page where a person lets it in also says where they are
/// sent to.
struct OAuthApp: Sendable, Equatable {
    typealias ID = Core.ID<OAuthApp>

    /// Identifier; its time is when the app was registered.
    let id: ID
    /// What the app calls itself by in requests.
    let clientID: String
    let name: String
    let website: String?
    /// Where the app may have people sent back to, as it wrote them.
    let redirects: [RedirectAddress]
    /// The most that the app may ask for.
    let scopes: OAuthScopes

    static let nameLength = 1...60
    /// The most addresses of one app.
    static let maximumRedirects = 10
    /// How long an app is kept that nobody lets in, in seconds: a day.
    static let newLifetime: TimeInterval = 86_400

    /// When a new app is looked at for the first time, to be erased unless somebody has let it in.
    static func firstLook(at id: ID) -> Date { id.createdAt.addingTimeInterval(newLifetime) }

    /// How long an app is kept after its last log-in was last seen open, in seconds: 90 days, since programs keep their
    /// identifiers for the next log-in. Open log-ins are looked for every day.
    static let usedLifetime: TimeInterval = 90 * 86_400
    /// The most apps that nobody has let in yet; the oldest are erased first.
    static let maximumNew = 10_000
    /// The most tokens of an app without a person; the oldest ends first.
    static let maximumAppTokens = 10
}

/// What an app says of itself when it registers.
struct AppRegistration: Sendable {
    let name: String
    let website: String?
    let redirects: [RedirectAddress]
    let scopes: OAuthScopes

    /// Checks what an app sent.
    ///
    /// - Parameters:
    ///   - redirects: the addresses, in one text with lines or in several.
    ///   - scopes: permissions with spaces between; empty for `read`.
    ///   - topics: what permissions are about.
    ///   - taken: the names that no app may have.
    /// - Throws: ``Refusal`` (422) with all that is wrong.
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
            problems.add("scopes", "ERR_INVALID", "One of these permissions doesn’t exist here.")
        }
        try problems.throwIfAny()
        self.name = name
        self.website = website.isEmpty ? nil : website
        self.redirects = addresses
        self.scopes = granted ?? .nothing
    }

    /// Whether a text is a web address without a trap in it, such as a user's name before the host.
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
    /// What its log-ins may do together.
    let scopes: OAuthScopes
    /// When the person first let it in, of the log-ins that are left.
    let since: Date
    /// When it was last used, to about ten minutes.
    let usedAt: Date
    /// How many log-ins it has.
    let logIns: Int
}
