import Foundation
import People
import Serving

/// A link that shows one post, or one photo of a library, to anyone who has it, for seven days or until it is revoked.
struct GuestLink: Sendable {
    /// The post or photo that a link shows.
    enum Subject: Sendable, Hashable {
        case post(Post.ID)
        case photo(Photo.ID)
    }

    /// The secret of 256 random bits that gives access.
    var token: String
    var expiresAt: Date

    /// How long a link lasts.
    static let lifetime: TimeInterval = 7 * 86_400

    /// Returns how long the link still works, as in "7 days left": rounded up, so that a new link has its 7 days.
    func remaining(at now: Date) -> String {
        let hours = max(1, Int((expiresAt.timeIntervalSince(now) / 3600).rounded(.up)))
        return hours < 48 ? "\(hours.of("hour")) left" : "\((hours + 23) / 24) days left"
    }

    /// The path of the link.
    var path: String { "/guest/\(token)" }
}
