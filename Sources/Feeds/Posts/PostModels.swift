import Core
import People
import Serving
import Storage

/// A post with everything that its own pages show.
struct ShownPost: Sendable {
    let post: Post
    /// The viewer's relationship to the author.
    let relationship: Relationship
    /// Whether others may find the photos of the viewer's own post by their place; nil for posts of others, and when none
    /// of the photos has a place and a date.
    let isFindable: Bool?
}

/// A profile with one page of its posts.
package struct ShownProfile: Sendable {
    package let account: Account
    /// The viewer's relationship to the account.
    package let relationship: Relationship
    /// The posts that the viewer may see, without the pinned ones, newest first.
    package let posts: [Post]
    /// The pinned posts; empty on later pages.
    package let pinned: [Post]
    /// The hashtags on the profile, newest first.
    package let tags: [Hashtag]
    /// The people on the profile whom the viewer can see, newest first; nobody on later pages.
    package let featured: [Account]
}

extension PostService {
    /// Returns a post or comment with everything that its own pages show.
    ///
    /// - Throws: ``Refusal`` (404) if there is none or the viewer may not see it.
    func shown(_ id: Post.ID, to viewer: Account) async throws -> ShownPost {
        try await database.read { transaction in
            let post = try PostRecords(transaction).post(id, for: viewer)
            return ShownPost(
                post: post,
                relationship: try RelationshipRecords(transaction).relationship(
                    of: viewer.id, to: post.author.id),
                isFindable: post.author.id == viewer.id ? try PostRecords(transaction).isFindable(post) : nil)
        }
    }

    /// Returns somebody's profile, also of someone whom the viewer mutes.
    ///
    /// - Throws: ``Refusal`` (404) if there is nobody of that name whom the viewer may see.
    package func profile(
        of username: String, for viewer: Account, page: PageRequest
    ) async throws -> ShownProfile {
        try await database.read { [self] transaction in
            let account = try AccountRecords(transaction).account(username: username, for: viewer)
            let store = PostStore(transaction)
            let posts = try store.posts(by: account.id, unpinned: true, for: viewer.id, page: page)
            let pinned = page.olderThan == nil ? try store.pinned(by: account.id, for: viewer.id) : []
            return ShownProfile(
                account: account,
                relationship: try RelationshipRecords(transaction).relationship(
                    of: viewer.id, to: account.id),
                posts: try complete(posts, for: viewer.id, transaction),
                pinned: try complete(pinned, for: viewer.id, transaction),
                tags: page.olderThan == nil ? try TagRecords(transaction).featured(by: account.id) : [],
                featured: page.olderThan == nil
                    ? try RelationshipRecords(transaction).featured(by: account, for: viewer) : [])
        }
    }
}
