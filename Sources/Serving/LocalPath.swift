import Foundation
import HTTPTypes
import Hummingbird

/// The path and query of a page of this server: the only thing that a redirect may be given from outside.
///
/// Browsers take `//host` and `/\host` for another site, and drop tabs and line ends from a URL before they
/// read it (WHATWG URL Standard, 4.4), so that a slash, a tab and `/host` would lead away, too.
package struct LocalPath: Sendable, Equatable {
    /// Printable ASCII that begins with one slash.
    package let text: String

    private static let maximumBytes = 4_000

    /// Takes a path; nil for anything that could lead elsewhere.
    package init?(_ text: String) {
        let bytes = text.utf8
        guard bytes.first == UInt8(ascii: "/"), bytes.dropFirst().first != UInt8(ascii: "/"),
            bytes.count <= Self.maximumBytes,
            bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") })
        else { return nil }
        self.text = text
    }

    /// The page of this server that an address names; nil for an address elsewhere.
    ///
    /// - Parameter server: how people reach the server: `https://photos.example`.
    package init?(url: String, of server: String) {
        guard url.hasPrefix(server) else { return nil }
        self.init(url == server ? "/" : String(url.dropFirst(server.count)))
    }

    /// The page of ours whose form sent this request; nil when it came from nowhere, from another site, or
    /// from the request's own path, to which going back would mean going in circles.
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
