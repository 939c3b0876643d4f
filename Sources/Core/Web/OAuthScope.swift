import Serving

/// A permission that a person gives to an app (RFC 6749, 3.3), as Mastodon's apps name them.
///
/// `read` and `write` are for everything, `read:statuses` for one topic; `follow` is Mastodon's older name for six
/// permissions about people. Features add topics of their own (``OAuthTopics``).
package enum OAuthScope: Hashable, Sendable {
    /// Seeing what the person can see: everything, or one topic.
    case read(Topic? = nil)
    /// Changing what the person can change: one topic, or all of them that ``Topic/isOfWrite`` includes.
    case write(Topic? = nil)
    /// Reading and changing follows, blocks and mutes.
    case follow
    /// Announcements of notifications on a phone.
    case push

    /// The permission as apps write it.
    package var text: String {
        switch self {
        case .read(nil): "read"
        case .read(let topic?): "read:\(topic.name)"
        case .write(nil): "write"
        case .write(let topic?): "write:\(topic.name)"
        case .follow: "follow"
        case .push: "push"
        }
    }

    /// The words for what the permission allows, as a continuation of “This app may …”. ``OAuthTopics/parts(of:)`` has
    /// what a broad permission includes.
    package var words: String {
        switch self {
        case .read(nil): "see everything you can see"
        case .write(nil): "act for you"
        case .follow: "see and change who you follow, block and mute"
        case .push: "send notifications to your device"
        case .read(let topic?): "see \(topic.seen)"
        case .write(let topic?): topic.changed ?? ""
        }
    }
}

/// The permissions that an app has or asks for, in the order in which it named them.
package struct OAuthScopes: Hashable, Sendable {
    /// The permissions, each once.
    package let all: [OAuthScope]

    /// A list without permissions.
    package static let nothing = OAuthScopes([])

    /// Creates a list. A permission that occurs again is left out.
    package init(_ scopes: [OAuthScope]) {
        all = scopes.withoutRepeats()
    }

    /// The list as apps write it.
    package var text: String { all.map(\.text).joined(separator: " ") }

    /// Returns whether these permissions include one.
    func allows(_ scope: OAuthScope) -> Bool {
        if all.contains(scope) { return true }
        return switch scope {
        case .read(let topic?): all.contains(.read()) || isPartOfFollow(topic)
        case .write(let topic?): topic.isOfWrite && all.contains(.write()) || isPartOfFollow(topic)
        default: false
        }
    }

    /// Returns whether these permissions include all of some others.
    package func allow(_ others: OAuthScopes) -> Bool { others.all.allSatisfy(allows) }

    /// The permissions without those that a person gives only after reading about them, such as agreeing to contracts.
    package var withoutOwnConsent: OAuthScopes {
        OAuthScopes(all.filter { if case .write(let topic?) = $0 { topic.isOfWrite } else { true } })
    }

    private func isPartOfFollow(_ topic: OAuthScope.Topic) -> Bool {
        topic.isOfFollow && all.contains(.follow)
    }
}

extension Refusal {
    package static func outOfScope(_ scope: OAuthScope) -> Refusal {
        Refusal(
            .outOfScope(scope.text),
            "This action is outside the authorized scopes: this app needs the permission “\(scope.text)”.")
    }
}
