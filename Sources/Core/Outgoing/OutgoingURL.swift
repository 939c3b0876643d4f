import Foundation
import Serving

/// A URL that the server may send requests to: `http` or `https`, with a host and without a user name.
package struct OutgoingURL: Sendable, Hashable {
    /// The longest accepted URL, in bytes.
    static let mostBytes = 4_000

    /// The URL as it is requested.
    package let text: String
    /// The host in lower case, without brackets.
    package let host: String
    /// Whether the connection is encrypted.
    package let isSecure: Bool
    private let url: URL

    /// Parses a URL.
    ///
    /// - Throws: ``OutgoingError/badURL``.
    package init(_ text: String) throws {
        guard text.utf8.count <= Self.mostBytes, let url = URL(string: text) else {
            throw OutgoingError.badURL
        }
        try self.init(url)
    }

    private init(_ given: URL) throws {
        guard var parts = URLComponents(url: given.absoluteURL, resolvingAgainstBaseURL: true),
            let scheme = parts.scheme?.lowercased(), scheme == "http" || scheme == "https",
            parts.user == nil, parts.password == nil,
            let host = parts.encodedHost?.lowercased(), !host.isEmpty
        else { throw OutgoingError.badURL }
        let plain = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        // No host has characters that a resolver and the client could read differently, such as percent signs.
        guard plain.utf8.allSatisfy(Self.isOfHost), plain == host || NetworkAddress(plain) != nil else {
            throw OutgoingError.badURL
        }
        // A port that is no number has a range and no value.
        guard parts.rangeOfPort == nil || parts.port.map((1...65_535).contains) == true else {
            throw OutgoingError.badURL
        }
        parts.scheme = scheme
        parts.encodedHost = host
        parts.fragment = nil
        guard let url = parts.url else { throw OutgoingError.badURL }
        self.url = url
        self.host = plain
        text = url.absoluteString
        isSecure = scheme == "https"
    }

    /// The scheme, host and port, as a browser writes an origin (RFC 6454, 6.1).
    package var origin: String {
        let scheme = isSecure ? "https" : "http"
        let name = host.contains(":") ? "[\(host)]" : host
        guard let port = url.port, port != (isSecure ? 443 : 80) else { return "\(scheme)://\(name)" }
        return "\(scheme)://\(name):\(port)"
    }

    /// Returns the URL that a redirect leads to.
    ///
    /// - Throws: ``OutgoingError/badRedirect`` when the redirect leaves encryption, ``OutgoingError/badURL``.
    func redirected(to location: String) throws -> OutgoingURL {
        guard location.utf8.count <= Self.mostBytes, let target = URL(string: location, relativeTo: url)
        else {
            throw OutgoingError.badURL
        }
        let next = try OutgoingURL(target)
        guard next.isSecure || !isSecure else { throw OutgoingError.badRedirect }
        return next
    }

    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ":"):
            true
        default: false
        }
    }
}
