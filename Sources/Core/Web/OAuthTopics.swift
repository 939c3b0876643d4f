/// The topics of permissions on this server: Mastodon's, and those of features.
package struct OAuthTopics: Sendable {
    /// The topics by name.
    private let byName: [String: OAuthScope.Topic]
    /// Every permission, the broad ones first.
    package let scopes: [OAuthScope]

    /// The most bytes of a list of permissions that is parsed.
    private static let maximumLength = 2_000

    /// Creates the list from the topics of the features. Each topic has a name of its own.
    package init(_ topics: [OAuthScope.Topic]) {
        let all = (OAuthScope.Topic.mastodon + topics).sorted { $0.name < $1.name }
        byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
        scopes =
            [.read(), .write(), .follow, .push]
            + all.filter(\.isRead).map { .read($0) } + all.filter { $0.changed != nil }.map { .write($0) }
    }

    /// Parses a permission. Returns nil for one that doesn't exist here.
    package func scope(_ text: some StringProtocol) -> OAuthScope? {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            return switch text {
            case "read": .read()
            case "write": .write()
            case "follow": .follow
            case "push": .push
            default: nil
            }
        }
        guard let topic = byName[String(parts[1])] else { return nil }
        return switch parts[0] {
        case "read" where topic.isRead: .read(topic)
        case "write" where topic.changed != nil: .write(topic)
        default: nil
        }
    }

    /// Parses a list separated by spaces. Permissions that don't exist here are left out, since apps ask for those of other
    /// servers, too (RFC 6749, 3.3). Returns nil when none is left.
    package func scopes(_ text: String) -> OAuthScopes? {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        let scopes = text.split(whereSeparator: \.isWhitespace).compactMap { scope($0) }
        return scopes.isEmpty ? nil : OAuthScopes(scopes)
    }

    /// Returns the list of a row of the database. Unreadable permissions count as none.
    package func scopes(ofRow text: String) -> OAuthScopes { scopes(text) ?? .nothing }

    /// Returns what a broad permission includes, a phrase for each topic, as a continuation of “This app may …”; nothing
    /// for a permission of one topic.
    package func parts(of scope: OAuthScope) -> [String] {
        switch scope {
        case .read(nil):
            scopes.compactMap { if case .read(.some) = $0 { $0.words } else { nil } }
        case .write(nil):
            scopes.compactMap {
                if case .write(let topic?) = $0, topic.isOfWrite { $0.words } else { nil }
            }
        default: []
        }
    }
}
