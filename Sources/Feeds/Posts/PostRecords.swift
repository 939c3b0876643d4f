import Core
import People
import Serving
import Storage

/// The posts and comments inside a transaction, with their photos and the people whom they mention.
package struct PostRecords {
    let transaction: Transaction

    package init(_ transaction: Transaction) { self.transaction = transaction }

    /// Returns the post or comment that was made with a key; nil if there is none.
    ///
    /// - Throws: ``Refusal`` (410) if the post or comment was deleted.
    func made(with key: IdempotencyKey?, by viewer: Account) throws -> Post? {
        try key?.made(by: viewer.id, gone: "This was posted and is already gone.", transaction) {
            try post(ID(rawValue: $0), for: viewer)
        }
    }

    /// Returns photos of the viewer's library by their ids.
    ///
    /// - Throws: ``Refusal`` (422) if one of them isn't in the library.
    @discardableResult
    func checkOwnership(of ids: [Photo.ID], by viewer: Account) throws -> [Photo] {
        let own = try PhotoRecords(transaction).own(ids, of: viewer)
        let photos = Dictionary(uniqueKeysWithValues: own.map { ($0.id, $0) })
        return try ids.map { id in
            guard let photo = photos[id] else {
                throw Refusal.invalid(
                    "media_ids", "ERR_INVALID", "One of these photos isn’t in your library.")
            }
            return photo
        }
    }

    /// Returns the subjects of an event that shows a post or comment.
    func subjects(of post: Post) throws -> [EventSubject] {
        let subjects: [EventSubject] = [.thing(post.id), .person(post.author.id)]
        guard let root = post.root else { return subjects + [.posts(of: post.author.id)] }
        guard let host = try PostStore(transaction).author(of: root) else { return subjects }
        return subjects + [.thing(root), .person(host), .posts(of: host)]
    }

    /// Returns whether an account may see a post or comment.
    func maySee(_ id: Post.ID, _ account: Account) throws -> Bool {
        do {
            _ = try visible(id, for: account)
            return true
        } catch let refusal as Refusal where refusal == .notFound {
            return false
        }
    }

    /// Deletes a post or comment with everything below it, and sends events to the people who see it.
    func delete(_ post: Post, _ announcements: PostAnnouncements) throws {
        let store = PostStore(transaction)
        let replies = post.root == nil ? [] : try CommentStore(transaction).replies(below: post.id)
        try store.delete(post.id)
        announcements.deleted(post, with: replies, transaction)
    }

    /// Returns a post or comment of the viewer's, without photos.
    ///
    /// - Throws: ``Refusal`` (404) for anyone else's.
    func own(_ id: Post.ID, of viewer: Account) throws -> Post {
        let post = try visible(id, for: viewer)
        guard post.author.id == viewer.id else { throw Refusal.notFound }
        return post
    }

    /// Returns a post or comment with its photos.
    func post(_ id: Post.ID, for viewer: Account) throws -> Post {
        try complete(visible(id, for: viewer), for: viewer.id)
    }

    /// Returns those of some posts and comments that the viewer may see, with their photos, in the order of `ids`.
    func posts(_ ids: [Post.ID], for viewer: Account) throws -> [Post] {
        let found = try PostStore(transaction).postsAndComments(ids, for: viewer.id)
        return found.isEmpty ? [] : try complete(found, for: viewer.id)
    }

    /// Returns a post with its photos without checking access. The calling service makes this check.
    func unchecked(_ id: Post.ID) throws -> Post? {
        try PostStore(transaction).post(id).map { try complete($0, for: nil) }
    }

    /// Adds the photos, and the mentioned people whom the viewer may see. Without a viewer, adds all mentioned people.
    func complete(_ post: Post, for viewer: Account.ID?) throws -> Post {
        let whole = try complete([post], with: contents(of: [post]), for: viewer)
        return whole[0]
    }

    /// Returns the values of posts that their revisions determine, in the same order.
    func contents(of posts: [Post]) throws -> [PostService.Kept] {
        let store = PostStore(transaction)
        let photos = try store.photos(of: posts.map(\.id))
        let authors = try store.authors(of: posts.compactMap(\.parent))
        return posts.map { post in
            PostService.Kept(
                revision: post.revision, photos: photos[post.id] ?? [],
                names: post.caption.contains("@") ? PostService.names(in: post.caption) : [],
                parentAuthor: post.parent.flatMap { authors[$0] })
        }
    }

    /// Returns the people behind some folded names whom the viewer may see.
    func people(named names: [String], for viewer: Account.ID?) throws -> [String: Account] {
        guard !names.isEmpty else { return [:] }
        return try AccountRecords(transaction).accounts(foldedUsernames: Set(names), for: viewer)
    }

    /// Counts the posts, without comments. Reads every row.
    package func count() throws -> Int { try PostStore(transaction).count() }

    /// Returns the posts and comments that contain a photo.
    func holding(_ photo: Photo.ID) throws -> [Post.ID] {
        try PostStore(transaction).places(of: photo).map(\.post)
    }

    /// Returns a post without photos, after checking that the viewer may see it and, for a comment, its thread.
    func visible(_ id: Post.ID, for viewer: Account) throws -> Post {
        guard let post = try PostStore(transaction).post(id, for: viewer.id) else { throw Refusal.notFound }
        return post
    }

    /// Completes posts or comments that aren't cached.
    func complete(_ posts: [Post], for viewer: Account.ID) throws -> [Post] {
        try complete(posts, with: contents(of: posts), for: viewer)
    }

    /// Adds the photos, the people whom the viewer may see, and the viewer's filters that fit, to posts whose contents are
    /// known.
    func complete(_ posts: [Post], with contents: [PostService.Kept], for viewer: Account.ID?) throws
        -> [Post]
    {
        let names = Set(contents.flatMap(\.names))
        let people =
            names.isEmpty
            ? [:] : try AccountRecords(transaction).mentions(foldedUsernames: names, for: viewer)
        let answered = try AccountRecords(transaction).visible(
            Set(contents.compactMap(\.parentAuthor)), to: viewer)
        var whole = zip(posts, contents).map { post, content in
            var post = post
            post.photos = content.photos
            post.mentions = content.names.compactMap { people[$0] }
            post.parentAuthor = content.parentAuthor.flatMap { answered.contains($0) ? $0 : nil }
            return post
        }
        if let viewer { try FilterRecords(transaction).mark(&whole, for: viewer) }
        return whole
    }
}
