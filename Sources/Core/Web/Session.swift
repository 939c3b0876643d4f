import Crypto
import Foundation
import Hummingbird
import Storage

/// A log-in on one device: a browser's cookie or a program's bearer token.
package struct Session: Sendable {
    package typealias ID = Core.ID<Session>

    package enum Kind: String, Sendable {
        /// A browser, by cookie.
        case browser
        /// A program of the operator, by `Authorization: Bearer`.
        case token
        /// An app that the person has allowed (OAuth), by `Authorization: Bearer`.
        case app

        /// The place in a request where the token of such a log-in counts. It is invalid in any other place: a stolen
        /// cookie can't be used past the checks for cookies, and a page can't be opened with an app's token.
        package var place: TokenPlace {
            switch self {
            case .browser: .cookie
            case .token, .app: .header
            }
        }
    }

    /// The place of a token in a request.
    package enum TokenPlace: Sendable {
        /// In the session cookie.
        case cookie
        /// In the header `Authorization`, or where apps put the token that can't send this header.
        case header
    }

    package let id: ID
    package let kind: Kind
    /// The permissions of the log-in; nil for everything. An app has a list.
    package let scopes: OAuthScopes?
    /// The person, as they were when the session was last read from the database: enough for who asks and what they may
    /// do. Counts may have changed since, so pages that show them read them again.
    package var account: Account

    package init(id: ID, kind: Kind, scopes: OAuthScopes?, account: Account) {
        self.id = id
        self.kind = kind
        self.scopes = scopes
        self.account = account
    }

    /// The time after which an unused log-in ends, in seconds: 400 days, the longest that browsers keep a cookie.
    package static let lifetime: TimeInterval = 400 * 86_400

    /// Returns the name of the cookie that carries a browser's token. With the prefix `__Host-`, a browser accepts the
    /// cookie only over HTTPS and from this very host (RFC 6265bis, 4.1.3.2), so that no other host of the domain can
    /// set it.
    package static func cookieName(isSecure: Bool) -> String {
        isSecure ? "__Host-tintype_session" : "tintype_session"
    }

    /// Returns the cookie with a token, or the cookie that deletes it when `token` is nil.
    package static func cookie(_ token: String?, isSecure: Bool) -> Cookie {
        Cookie(
            name: cookieName(isSecure: isSecure), value: token ?? "",
            maxAge: token == nil ? 0 : Int(lifetime),
            path: "/", secure: isSecure, httpOnly: true, sameSite: .lax)
    }

    /// Returns a new secret token: 256 random bits in base64url (RFC 4648, 5).
    package static func newToken() -> String {
        SymmetricKey(size: .bits256).withUnsafeBytes { base64URL(Data($0)) }
    }

    /// Returns the hash under which a token is stored. A fast hash is enough: the token is random, unlike a password.
    package static func hash(ofToken token: String) -> String {
        SHA256.hash(data: Data(token.utf8)).hex
    }
}

/// Returns Base64 with `-` and `_` and without padding (RFC 4648, 5).
package func base64URL(_ data: Data) -> String {
    data.base64EncodedString()
        .replacingOccurrences(of: "+", with: "-")
        .replacingOccurrences(of: "/", with: "_")
        .replacingOccurrences(of: "=", with: "")
}
