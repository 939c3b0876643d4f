import Core

/// The addresses of what people are to each other.
package enum RelationshipPaths {
    /// The follow requests that wait for the viewer.
    package static let requests = "/requests"
    /// The people whom the viewer has blocked: a list among the settings.
    package static let blocked = "/settings/blocked"
    /// The people whom the viewer has muted: a list among the settings.
    package static let muted = "/settings/muted"

    /// Returns the address of what the viewer can do about a person.
    package static func options(_ username: String) -> String { "/@\(username)/options" }

    /// Returns the action that changes what the viewer is to a person.
    ///
    /// - Parameter verb: `follow`, `unblock` and so on.
    package static func change(_ id: Account.ID, _ verb: String) -> String { "/accounts/\(id)/\(verb)" }

    /// Returns the action that unfollows a person and then leads to another page.
    package static func unfollow(_ id: Account.ID, next: String) -> String {
        "\(change(id, "unfollow"))?next=\(next)"
    }

    /// Returns the address of the page to report a person.
    package static func report(_ id: Account.ID) -> String { "/accounts/\(id)/report" }
}
