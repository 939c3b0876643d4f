import Foundation
import Logging
import Storage
import Synchronization

/// Tells open pages and apps of posts as they come, change and go, after the commit.
///
/// A failure is logged, no more: the deed is done, and pages that were not told find it when they fetch anew.
final class PostAnnouncements: Sendable {
    private let database: Database
    private let events: EventBus
    private let entities: Entities
    private let logger: Logger
    /// Posts whose counts will be told in a moment.
    private let pending = Mutex<Set<Post.ID>>([])

    /// How long counts are gathered before they are told: a hundred likes at once make one event, not a hundred.
    static let gathering = Duration.milliseconds(200)
    /// The most posts whose counts wait; those beyond it are told with their next change.
    private static let capacity = 10_000

    init(database: Database, events: EventBus, entities: Entities, logger: Logger) {
        self.database = database
        self.events = events
        self.entities = entities
        self.logger = logger
    }

    /// A new post: it comes into the home feeds of its author and followers.
    func posted(_ id: Post.ID, by author: Account) async {
        await tell("update", id) { try $0.followers(of: author) }
    }

    /// A caption has changed.
    func edited(_ post: Post) async {
        await tell("status.update", post.id) { try $0.viewers(of: post) }
    }

    private func tell(
        _ name: String, _ id: Post.ID,
        _ audience: @escaping @Sendable (PostAudience) throws -> Set<Account.ID>
    ) async {
        let listening = events.audience
        guard !listening.isEmpty else { return }
        do {
            let posts = try await database.read { transaction -> [(Account.ID, Post)] in
                let store = PostStore(transaction)
                guard let whole = try PostService.unchecked(transaction, id) else { return [] }
                return try audience(PostAudience(transaction: transaction, listening: listening)).compactMap {
                    viewer in
                    // With each viewer's eyes: what they liked and saved is theirs.
                    try store.post(id, for: viewer).map { post in
                        // Who is named in it is not for everyone to see.
                        let isSameForAll = whole.mentions.isEmpty && whole.parentAuthor == nil
                        return isSameForAll
                            ? (viewer, post.withContent(of: whole))
                            : (viewer, try PostService.complete(post, for: viewer, transaction))
                    }
                }
            }
            for (viewer, post) in posts {
                var json = JSONWriter(capacity: 4096)
                entities.status(post, viewer: viewer, into: &json)
                events.publish(name, to: viewer, data: json.bytes)
            }
        } catch {
            logger.warning("open pages were not told", metadata: ["post": "\(id)", "error": "\(error)"])
        }
    }

    /// Whom to tell of a deletion, found in the transaction that deletes.
    func viewers(of post: Post, _ transaction: Transaction) throws -> Set<Account.ID> {
        try PostAudience(transaction: transaction, listening: events.audience).viewers(of: post)
    }

    /// A post or comment is gone.
    func deleted(_ post: Post, told viewers: Set<Account.ID>) {
        for viewer in viewers { events.publish("delete", to: viewer, data: Array("\(post.id)".utf8)) }
        if let root = post.root { counted(root) }
    }

    /// Likes or comments of a post have changed; the counts are told in a moment.
    func counted(_ id: Post.ID) {
        let isFirst = pending.withLock { pending in
            pending.count < Self.capacity && pending.insert(id).inserted
        }
        guard isFirst else { return }
        Task {
            do {
                try await Task.sleep(for: Self.gathering)
                pending.withLock { _ = $0.remove(id) }
                try await tellCounts(of: id)
            } catch {
                pending.withLock { _ = $0.remove(id) }
                logger.warning("counts were not told", metadata: ["post": "\(id)", "error": "\(error)"])
            }
        }
    }

    private func tellCounts(of id: Post.ID) async throws {
        let listening = events.audience
        guard !listening.isEmpty else { return }
        let found = try await database.read { transaction -> (Post, Set<Account.ID>)? in
            guard let post = try PostStore(transaction).post(id) else { return nil }
            return (post, try PostAudience(transaction: transaction, listening: listening).viewers(of: post))
        }
        guard let (post, viewers) = found else { return }
        var json = JSONWriter()
        json.object { json in
            json.member("id", post.id)
            json.member("favourites_count", post.likesCount)
            json.member("replies_count", post.commentsCount)
        }
        for viewer in viewers {
            events.publish("tintype.status.counts", to: viewer, data: json.bytes, replacing: id.rawValue)
        }
    }
}
