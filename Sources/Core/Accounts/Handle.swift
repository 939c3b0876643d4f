import Foundation
import Serving

/// The name of somebody on this server, as people write it and apps send it: `@ana`, `ana@photos.example.org` or
/// `https://photos.example.org/@ana`.
package struct Handle: Equatable, Sendable {
    package let username: String
    /// Whether the server is named, too, so that nobody else can be meant.
    package let namesServer: Bool

    /// Reads a handle.
    ///
    /// - Parameter publicURL: the address of this server.
    /// - Returns: nil for text that is none, and for somebody on another server.
    package init?(_ text: String, on publicURL: String) {
        let text = text.trimmed
        let profiles = publicURL + AppPaths.profile("")
        if text.hasPrefix(profiles) {
            self.init(String(text.dropFirst(profiles.count)), namesServer: true)
            return
        }
        let parts = (text.hasPrefix("@") ? text.dropFirst() : text[...]).split(
            separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        guard let username = parts.first else { return nil }
        if parts.count > 1 {
            guard let address = URLComponents(string: publicURL), let host = address.host?.lowercased() else {
                return nil
            }
            let hosts = [host, address.port.map { "\(host):\($0)" }]
            guard hosts.contains(parts[1].lowercased()) else { return nil }
        }
        self.init(String(username), namesServer: parts.count > 1)
    }

    private init?(_ username: String, namesServer: Bool) {
        guard !username.isEmpty, !username.contains(where: { ["/", "@", " "].contains($0) }) else {
            return nil
        }
        self.username = username
        self.namesServer = namesServer
    }
}
