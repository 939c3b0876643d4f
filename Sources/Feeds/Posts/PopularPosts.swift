import Core
import Foundation
import People
import Storage

/// The posts for everyone here that are liked most.
enum PopularPosts {
    /// The period from which posts are taken.
    enum Range: String, Sendable {
        case daily, monthly, yearly

        /// The length of the period in seconds.
        var length: TimeInterval {
            switch self {
            case .daily: 24 * 3600
            case .monthly: 30 * 24 * 3600
            case .yearly: 365 * 24 * 3600
            }
        }
    }

    /// The number of posts, the newest of all, among which the most liked are looked for.
    static let among = 100
    /// The most posts in an answer.
    static let limit = 20
}

extension PostService {
    /// Returns the most liked posts for everyone on this server, among the newest hundred, without those that the viewer has
    /// hidden. Of posts that are liked equally the newest come first.
    func popular(_ range: PopularPosts.Range, for viewer: Account) async throws -> [Post] {
        try await read(for: viewer) { transaction in
            let begin = transaction.now.addingTimeInterval(-range.length)
            let found = try PostStore(transaction).publicPosts(
                for: viewer.id, page: PageRequest(limit: PopularPosts.among)
            ).filter { $0.id.createdAt > begin }
            return Array(
                found.sorted { ($0.likesCount, $0.id) > ($1.likesCount, $1.id) }.prefix(PopularPosts.limit))
        }
    }
}
