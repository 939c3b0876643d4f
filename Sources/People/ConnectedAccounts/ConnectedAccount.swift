import Core
import Foundation
import Serving
import Storage

/// A person's account on another server that supports Mastodon's interface. Each person has at most one.
package struct ConnectedAccount: Sendable, Equatable {
    typealias ID = Core.ID<ConnectedAccount>

    /// The identifier; its time is when the account was connected.
    let id: ID
    /// The person's account on this server.
    let owner: Account.ID
    /// The host of the server, such as `mastodon.social`, with a port unless it is the default one.
    let server: String
    /// The username on that server, without the server.
    let username: String
    /// The address of the profile, an `http` or `https` URL.
    let profileURL: String
    /// Whether the server still accepts our access, as far as is known. Otherwise nothing can be published.
    package let isUsable: Bool

    /// The full name, such as `@ana@mastodon.social`.
    package var handle: String { "@\(username)@\(server)" }

    /// The permissions that Tintype asks for, as few as it needs (RFC 9700, 2.3).
    static let scopes = ["read:accounts", "read:statuses", "write:statuses", "write:media"]
}

/// This server's registration at another server.
struct OutsideServer: Sendable, Equatable {
    typealias ID = Core.ID<OutsideServer>

    let id: ID
    /// The scheme and host, such as `https://mastodon.social`.
    let origin: String
    let clientID: String
    let sealedSecret: SealedText

    /// The host, with a port unless it is the default one.
    var host: String { Self.host(of: origin) }

    /// Returns the host of an origin.
    static func host(of origin: String) -> String {
        origin.replacing(/^https?:\/\//, with: "")
    }

    /// Returns the path that the server sends people back to. Each server has a path of its own, so that no server can
    /// pass on another server's answer (RFC 9700, 4.4.2).
    static func callbackPath(_ id: ID) -> String { "/settings/connected/callback/\(id)" }
}

/// The parser for the name of a server as a person types it.
enum ServerName {
    /// The longest accepted name, in bytes.
    static let mostBytes = 200

    /// Returns the origin of a server, such as `https://mastodon.social`: from its name, its URL, or the name of an
    /// account on it.
    ///
    /// - Parameter allowsPrivate: whether servers in private networks are allowed, which may have no HTTPS:
    ///   `http://127.0.0.1:8081`.
    /// - Returns: the origin; nil for a text that names no server.
    static func origin(_ text: String, allowsPrivate: Bool) -> String? {
        var name = text.trimmed.lowercased()
        guard name.utf8.count <= mostBytes else { return nil }
        var scheme = "https"
        if name.hasPrefix("https://") {
            name.removeFirst(8)
        } else if name.hasPrefix("http://") {
            name.removeFirst(7)
            if allowsPrivate { scheme = "http" }
        }
        name = String(name.prefix { $0 != "/" && $0 != "?" && $0 != "#" })
        // The server of a name such as @ana@mastodon.social.
        if let at = name.lastIndex(of: "@") { name = String(name[name.index(after: at)...]) }
        guard let url = try? OutgoingURL("\(scheme)://\(name)"), url.host.contains(".") || allowsPrivate,
            url.text == "\(scheme)://\(name)"
        else { return nil }
        return url.text
    }
}
