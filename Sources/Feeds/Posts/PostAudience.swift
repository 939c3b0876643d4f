import Core
import People
import Storage

/// Who, of those that listen at this moment, has to be told of what happens to a post.
///
/// However many people follow an author, no more are told than have a stream open or may take one up again.
struct PostAudience {
    let transaction: Transaction
    /// The accounts that listen.
    let listening: Set<Account.ID>

    /// Placeholders in one statement; both engines take many more.
    private static let batch = 400

    /// The author and the followers: those in whose home feed a post of `author` stands.
    func followers(of author: Account) throws -> Set<Account.ID> {
        var audience = try followersListening(author)
        if listening.contains(author.id) { audience.insert(author.id) }
        return audience
    }

    /// Those who may have the post or comment on their screen.
    func viewers(of post: Post) throws -> Set<Account.ID> {
        guard let root = post.root else { return try readers(of: post) }
        guard let top = try PostStore(transaction).post(root) else { return [] }
        return try readers(of: top).subtracting(blocked(post.author.id))
    }

    /// Those who may have the post or comment on their screen and don't mute its author.
    func unmutedViewers(of post: Post) throws -> Set<Account.ID> {
        let viewers = try viewers(of: post)
        return viewers.subtracting(
            try RelationshipService.muting(post.author.id, among: viewers, transaction))
    }

    /// Those who may see a post, by the same rule as ``PostStore/visible``.
    private func readers(of post: Post) throws -> Set<Account.ID> {
        guard post.audience == .server else { return try followers(of: post.author) }
        return listening.subtracting(try blocked(post.author.id))
    }

    private func followersListening(_ author: Account) throws -> Set<Account.ID> {
        guard author.followersCount > listening.count else {
            let all = try transaction.values(
                "SELECT follower_id FROM \(FollowRow.table) WHERE followee_id = $1 AND is_accepted = 1",
                author.id, as: Account.ID.self)
            return listening.intersection(all)
        }
        var found: Set<Account.ID> = []
        let candidates = Array(listening)
        for start in stride(from: 0, to: candidates.count, by: Self.batch) {
            let few = candidates[start..<min(start + Self.batch, candidates.count)]
            let places = few.indices.map { "$\($0 - start + 2)" }.joined(separator: ", ")
            // follows' primary key: one look for each candidate.
            found.formUnion(
                try transaction.values(
                    """
                    SELECT follower_id FROM \(FollowRow.table)
                    WHERE follower_id IN (\(places)) AND followee_id = $1 AND is_accepted = 1
                    """, arguments: [author.id] + few.map { $0 as (any SQLConvertible)? }))
        }
        return found
    }

    private func blocked(_ author: Account.ID) throws -> [Account.ID] {
        try AccountService.separatedByBlock(from: author, transaction)
    }
}
