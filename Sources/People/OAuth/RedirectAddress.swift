import Foundation
import Serving

/// An address of an app to which the person returns from the page on which they allow the app (RFC 6749, 3.1.2).
///
/// Addresses are compared character by character, never by parts. Programs without a page of their own show the code
/// instead (``outOfBand``).
struct RedirectAddress: Sendable, Equatable {
    /// The address as the app wrote it.
    let text: String
    /// The scheme in lower case, without its colon.
    let scheme: String
    /// The host and port of a web address; nil for the scheme of a program.
    private let authority: String?

    /// The address of programs without one: the code is shown to the person, who types it into the program.
    static let outOfBand = "urn:ietf:wg:oauth:2.0:oob"
    /// The most bytes of an address.
    static let maximumBytes = 2_000

    /// Takes an address. Returns nil for one that an app may not have.
    init?(_ text: String) {
        // Characters that are always escaped in an address (RFC 3986, 2): they could end a header or a policy.
        let forbidden = Set("\"<>\\^`{|}#".utf8)
        guard text.utf8.count <= Self.maximumBytes,
            text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) && !forbidden.contains($0) }),
            let colon = text.firstIndex(of: ":")
        else { return nil }
        self.text = text
        scheme = text[..<colon].lowercased()
        let rest = text[text.index(after: colon)...]
        if text == Self.outOfBand {
            self.authority = nil
            return
        }
        guard let first = scheme.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first),
            scheme.utf8.allSatisfy({ $0.isLetterOrDigit || "+-.".utf8.contains($0) })
        else { return nil }
        guard scheme == "http" || scheme == "https" else {
            guard PrivateScheme.mayBeApp(scheme, rest: rest) else { return nil }
            self.authority = nil
            return
        }
        guard rest.hasPrefix("//") else { return nil }
        let authority = String(rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" }).lowercased()
        guard Self.isHost(authority), scheme == "https" || Self.isOwnDevice(authority) else { return nil }
        self.authority = authority
    }

    /// Whether the code is shown instead of sent.
    var isOutOfBand: Bool { text == Self.outOfBand }

    /// Whether the address opens an app on the device and not a page.
    var isApp: Bool { authority == nil && !isOutOfBand }

    /// The place to which people are sent, in words for them: a host, or the scheme of an app on the device.
    var words: String { authority ?? scheme }

    /// Returns the address with an answer to the app added to its query (RFC 6749, 4.1.2).
    func adding(_ answer: KeyValuePairs<String, String?>) -> String {
        let query = URLEncodedForm.text(answer.compactMap { name, value in value.map { (name, $0) } })
        let separator =
            !text.contains("?") ? "?" : text.hasSuffix("?") || text.hasSuffix("&") ? "" : "&"
        return text + separator + query
    }

    /// Returns whether a text is a name or an IP address, perhaps with a port, and nothing else: no user, no empty
    /// label.
    private static func isHost(_ authority: String) -> Bool {
        guard let match = authority.wholeMatch(of: /(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::([0-9]{1,5}))?/) else {
            return false
        }
        let port = match.2.flatMap { Int($0) } ?? 1
        let name = match.1
        return (1...65_535).contains(port)
            && (name.hasPrefix("[")
                || name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty })
    }

    /// Returns whether a host is the device itself (RFC 8252, 7.3), where nobody listens in, so that no HTTPS is
    /// needed.
    private static func isOwnDevice(_ authority: String) -> Bool {
        let name =
            authority.hasPrefix("[") ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
        return ["localhost", "127.0.0.1", "[::1]"].contains(name)
    }
}
