import Crypto
import Foundation
import Hummingbird

/// A log-in on one device: a browser's cookie or a program's bearer token.
package struct Session: Sendable {
    package typealias ID = Core.ID<Session>

    package enum Kind: String, Sendable {
        /// A browser, by cookie.
        case browser
        /// A program of the operator's, by `Authorization: Bearer`.
        case token
        /// An app that the person has let in (OAuth), by `Authorization: Bearer`.
        case app

        /// Where the token of such a log-in belongs. In any other place it is worth nothing: who has got hold of a
        /// cookie can't use it past the checks for cookies, and a page can't be opened with an app's token.
        package var place: TokenPlace {
            switch self {
            case .browser: .cookie
            case .token, .app: .header
            }
        }
    }

    /// Where a request carries a token.
    package enum TokenPlace: Sendable {
        /// In the session cookie.
        case cookie
        /// In the header `Authorization`, or where apps put it that can't send this header.
        case header
    }

    package let id: ID
    package let kind: Kind
    /// What the log-in may do; nil for everything. An app has a list.
    package let scopes: OAuthScopes?
    /// The person, as they were when the session was last read from the database. It says who asks and what they may
    /// do; counts have changed since, so what is shown of them is read again.
    package var account: Account

    package init(id: ID, kind: Kind, scopes: OAuthScopes?, account: Account) {
        self.id = id
        self.kind = kind
        self.scopes = scopes
        self.account = account
    }

    /// After so long without a sign of life a log-in has ended, in seconds: 400 days, the longest that browsers
    /// keep a cookie.
    package static let lifetime: TimeInterval = 400 * 86_400

    /// The name of the cookie that carries a browser's token. Under `__Host-` a browser takes it only over HTTPS
    /// and from this very host (RFC 6265bis, 4.1.3.2), so that no neighbour in the domain can plant one.
    package static func cookieName(isSecure: Bool) -> String {
        isSecure ? "__Host-tintype_session" : "tintype_session"
    }

    /// The cookie with a token; nil takes it back.
    package static func cookie(_ token: String?, isSecure: Bool) -> Cookie {
        Cookie(
            name: cookieName(isSecure: isSecure), value: token ?? "",
            maxAge: token == nil ? 0 : Int(lifetime),
            path: "/", secure: isSecure, httpOnly: true, sameSite: .lax)
    }

    /// A new secret token: 256 random bits in base64url (RFC 4648, 5).
    package static func newToken() -> String {
        SymmetricKey(size: .bits256).withUnsafeBytes { base64URL(Data($0)) }
    }

    /// What is stored of a token. A fast hash is enough: the token is random, not a password.
    package static func hash(ofToken token: String) -> String {
        SHA256.hash(data: Data(token.utf8)).map { byte in
            let hex = String(byte, radix: 16)
            return byte < 16 ? "0" + hex : hex
        }.joined()
    }
}

/// Base64 with `-` and `_` and without padding (RFC 4648, 5).
package func base64URL(_ data: Data) -> String {
    data.base64EncodedString()
        .replacingOccurrences(of: "+", with: "-")
        .replacingOccurrences(of: "/", with: "_")
        .replacingOccurrences(of: "=", with: "")
}
