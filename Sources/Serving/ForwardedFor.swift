import Foundation
import HTTPTypes

/// The addresses that proxies have written into the header `X-Forwarded-For`, the nearest one last.
///
/// A client may have made up everything to the left of what a trusted proxy wrote. So the list is read from the right,
/// and the first address that isn't a trusted proxy's is the client's.
package struct ForwardedFor: Sendable {
    /// The replacement of an entry that is no address. Nobody has this address, so it gives no access.
    static let unreadable = "unreadable"

    /// The entries from the nearest to the farthest, in their canonical spelling (``ClientNetwork/canonical(_:)``).
    private let entries: [String]

    /// Reads the header. When it comes several times, its lines are one list in their order (RFC 9110, 5.3).
    package init(_ headers: HTTPFields) {
        entries = headers[values: .forwardedFor].flatMap {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        .reversed().map { Self.address($0.trimmed) }
    }

    /// Returns the address of the client.
    ///
    /// - Parameters:
    ///   - connection: the address at the other end of the connection, in its canonical spelling.
    ///   - proxies: the addresses of trusted proxies, in their canonical spelling.
    package func client(behind connection: String, trusting proxies: Set<String>) -> String {
        var client = connection
        for entry in entries {
            guard proxies.contains(client) else { break }
            client = entry
        }
        return client
    }

    /// Returns every address that the request comes from or has passed through, except those of trusted proxies.
    package func untrusted(behind connection: String, trusting proxies: Set<String>) -> [String] {
        ([connection] + entries).filter { !proxies.contains($0) }
    }

    /// Reads one entry: an address, perhaps in brackets, in quotation marks or with a port, as some proxies write it.
    private static func address(_ entry: String) -> String {
        var text = Substring(entry)
        if text.count > 1, text.hasPrefix("\""), text.hasSuffix("\"") { text = text.dropFirst().dropLast() }
        if text.hasPrefix("[") {
            text = text.dropFirst().prefix { $0 != "]" }
        } else if text.filter({ $0 == ":" }).count == 1 {
            text = text.prefix { $0 != ":" }
        }
        let address = String(text)
        return ClientNetwork.isAddress(address) ? ClientNetwork.canonical(address) : unreadable
    }
}
