import Foundation
import HTTPTypes
import Hummingbird

/// The path and query of a page of this server: the only kind of redirect target that a request may name.
///
/// Browsers read `//host` and `/\host` as another site, and drop tabs and line ends from a URL before they read it
/// (WHATWG URL Standard, 4.4), so that a slash, a tab and `/host` would lead to another site, too.
package struct LocalPath: Sendable, Equatable {
    /// The path and query: printable ASCII that begins with exactly one slash.
    package let text: String

    private static let maximumBytes = 4_000

    /// Takes a path; nil for any text that could lead to another site.
    package init?(_ text: String) {
        let bytes = text.utf8
        guard bytes.first == UInt8(ascii: "/"), bytes.dropFirst().first != UInt8(ascii: "/"),
            bytes.count <= Self.maximumBytes,
            bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") })
        else { return nil }
        self.text = text
    }

    /// Creates the path from an address of this server; nil for an address of another server.
    ///
    /// - Parameter server: the address of this server, such as `https://photos.example`.
    package init?(url: String, of server: String) {
        guard url.hasPrefix(server) else { return nil }
        self.init(url == server ? "/" : String(url.dropFirst(server.count)))
    }

    /// Finds the page whose form sent this request. nil when the request came from nowhere, from another site, or from
    /// its own path, since going back there would be a circle.
    package init?(referrerOf request: Request) {
        guard let referrer = request.headers[.referer], let url = URLComponents(string: referrer),
            let host = url.host, !url.percentEncodedPath.isEmpty
        else { return nil }
        let origin = host + (url.port.map { ":\($0)" } ?? "")
        let isOurs = request.headers[.fetchSite] == "same-origin" || origin == request.head.authority
        guard isOurs, url.percentEncodedPath != request.uri.path else { return nil }
        self.init(url.percentEncodedPath + (url.percentEncodedQuery.map { "?\($0)" } ?? ""))
    }
}
