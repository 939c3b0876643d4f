import Core
import People
import Storage

/// The accounts that are listening at this moment and are sent an event about a post.
///
/// However many people follow an author, only those with an open stream, or one that may be resumed, are sent an event.
struct PostAudience {
    let transaction: Transaction
    /// The accounts that are listening.
    let listening: Set<Account.ID>

    /// The most placeholders in one statement; both engines take many more.
    private static let batch = 400

    /// Returns the author and the followers, who have posts of `author` in their home feeds.
    func followers(of author: Account) throws -> Set<Account.ID> {
        var audience = try followersListening(author)
        if listening.contains(author.id) { audience.insert(author.id) }
        return audience
    }

    /// Returns the accounts that may have the post or comment on their screen.
    func viewers(of post: Post) throws -> Set<Account.ID> {
        try viewers(by: post.author, below: post.root, isForAll: post.audience != .followers)
    }

    /// Returns the accounts that may have a post or comment on their screen, also when it is gone.
    ///
    /// - Parameters:
    ///   - root: the post below which it is a comment; nil for a post.
    ///   - isForAll: whether everyone could see it, if it is a post.
    func viewers(by author: Account, below root: Post.ID?, isForAll: Bool) throws -> Set<Account.ID> {
        guard let root else { return try readers(by: author, isForAll: isForAll) }
        guard let top = try PostStore(transaction).post(root) else { return [] }
        return try readers(by: top.author, isForAll: top.audience != .followers).subtracting(
            blocked(author.id))
    }

    /// Returns the accounts that may have the post or comment on their screen and don't mute its author.
    func unmutedViewers(of post: Post) throws -> Set<Account.ID> {
        let viewers = try viewers(of: post)
        return viewers.subtracting(
            try RelationshipRecords(transaction).muting(post.author.id, among: viewers))
    }

    /// Returns those of some people who have posts of `author` in Home, and not only in a list.
    func keepingInHome(_ author: Account.ID, among people: Set<Account.ID>) throws -> Set<Account.ID> {
        people.subtracting(try RelationshipRecords(transaction).withoutInHome(author, among: people))
    }

    /// Returns the accounts that may see a post, by the same rule as ``PostStore/visible``.
    private func readers(by author: Account, isForAll: Bool) throws -> Set<Account.ID> {
        guard isForAll else { return try followers(of: author) }
        return listening.subtracting(try blocked(author.id))
    }

    private func followersListening(_ author: Account) throws -> Set<Account.ID> {
        guard author.followersCount > listening.count else {
            let all = try transaction.values(
                "SELECT follower_id FROM \(FollowRow.table) WHERE followee_id = $1 AND is_accepted = 1",
                author.id, as: Account.ID.self)
            return listening.intersection(all)
        }
        // follows' primary key: one look for each candidate.
        let found = try transaction.rows(for: listening, after: [author.id], of: Self.batch) { places in
            """
            SELECT follower_id FROM \(FollowRow.table)
            WHERE follower_id IN (\(places)) AND followee_id = $1 AND is_accepted = 1
            """
        } map: {
            Account.ID(rawValue: try $0.int64("follower_id"))
        }
        return Set(found)
    }

    private func blocked(_ author: Account.ID) throws -> [Account.ID] {
        try AccountRecords(transaction).separatedByBlock(from: author)
    }
}
