import Core
import Foundation
import People
import Serving
import Storage

/// The service of posts: posting, viewing, liking, saving, editing, deleting.
package final class PostService: Sendable {
    let database: Database
    private let photos: PhotoService
    let notifications: NotificationService
    let announcements: PostAnnouncements
    private let kept = Cache<Post.ID, Kept>(capacity: 20_000, bytes: 3_000_000) { $0.byteCount }

    /// The values that a post's revision determines. The revision grows with every change of caption and
    /// photos. The people whom the caption names are looked up each time, because they can rename or delete
    /// their accounts.
    struct Kept: Sendable {
        var revision: Int
        var photos: [Photo]
        var names: [String]
        var parentAuthor: Account.ID?

        /// The approximate size in memory.
        var byteCount: Int {
            photos.reduce(100 + 50 * names.count) { $0 + 300 + $1.description.utf8.count }
        }
    }

    init(
        database: Database, photos: PhotoService, notifications: NotificationService,
        announcements: PostAnnouncements
    ) {
        self.database = database
        self.photos = photos
        self.notifications = notifications
        self.announcements = announcements
    }

    // MARK: Posting

    /// The values that a person fills in for a post.
    package struct Draft: Sendable {
        package var caption: String
        package var photos: [Photo.ID]
        package var visibility: Post.Visibility = .followers
        /// Whether others may find the photos by the place where they were taken.
        var isFindable = false
        /// New descriptions for some of the photos.
        var descriptions: [Photo.ID: String] = [:]

        package init(
            caption: String, photos: [Photo.ID], visibility: Post.Visibility = .followers,
            isFindable: Bool = false, descriptions: [Photo.ID: String] = [:]
        ) {
            self.caption = caption
            self.photos = photos
            self.visibility = visibility
            self.isFindable = isFindable
            self.descriptions = descriptions
        }

        /// Checks everything that can be checked without reading the photos.
        ///
        /// - Parameter files: the number of photos that will follow as files of the form.
        /// - Throws: ``Refusal`` (422) with every wrong field.
        func check(with files: Int = 0) throws {
            var problems = Problems()
            PostRules.check(caption: caption, into: &problems)
            if photos.isEmpty, files == 0 {
                problems.add("media_ids", "ERR_BLANK", "Choose at least one photo. Tintype is for pictures.")
            }
            PostRules.check(photos: photos, with: files, into: &problems)
            for description in descriptions.values
            where description.unicodeScalars.count > Photo.descriptionLength {
                problems.add("description", "ERR_TOO_LONG", "A description has at most 1,500 characters.")
            }
            try problems.throwIfAny()
        }
    }

    /// Posts one to ten photos of the viewer's library. Posts of people who approve followers are for followers only.
    ///
    /// - Parameter key: the idempotency key. A second call with the key within 24 hours returns the post of the first.
    /// - Throws: ``Refusal``: 410 if the key's post was deleted, 422 with every wrong field.
    package func post(_ draft: Draft, by viewer: Account, key: IdempotencyKey? = nil) async throws -> Post {
        try draft.check()
        return try await database.write { [self] transaction in
            if let known = try PostRecords(transaction).made(with: key, by: viewer) { return known }
            let post = try self.post(draft, by: viewer, transaction)
            try key?.record(post.id.rawValue, transaction, viewer.id)
            return post
        }
    }

    /// Posts photos of the author's library, inside a transaction of another service, which has checked the draft.
    package func post(_ draft: Draft, by author: Account, _ transaction: Transaction) throws -> Post {
        for photo in try PostRecords(transaction).checkOwnership(of: draft.photos, by: author) {
            guard let description = draft.descriptions[photo.id] else { continue }
            _ = try photos.describe(photo, description, transaction)
        }
        let id = Post.ID(rawValue: transaction.newID())
        try PostStore(transaction).insert(
            id, author: author.id, caption: draft.caption,
            visibility: author.approvesFollowers ? .followers : draft.visibility, photos: draft.photos)
        let post = try PostRecords(transaction).post(id, for: author)
        if draft.isFindable { try PostRecords(transaction).setFindable(true, post) }
        announcements.posted(post, transaction)
        try noteMentions(in: post, except: [], transaction)
        return post
    }

    /// Notifies the people whom a post or comment mentions and who may see it.
    func noteMentions(
        in post: Post, except notified: Set<Account.ID>, _ transaction: Transaction
    ) throws {
        let mentioned = Self.names(in: post.caption)
        let people = try PostRecords(transaction).people(named: mentioned, for: nil)
        for account in mentioned.compactMap({ people[$0] })
        where try !notified.contains(account.id) && PostRecords(transaction).maySee(post.id, account) {
            try note(.mention, to: account.id, from: post.author.id, about: post, transaction)
        }
    }

    /// Changes the caption of the viewer's post or comment, and notifies the people whom only the new caption
    /// mentions.
    func edit(_ id: Post.ID, caption: String, by viewer: Account) async throws -> Post {
        var problems = Problems()
        PostRules.check(caption: caption, into: &problems)
        try problems.throwIfAny()
        return try await database.write { [announcements] transaction in
            let before = try PostRecords(transaction).complete(
                PostRecords(transaction).own(id, of: viewer), for: viewer.id)
            if caption.isEmpty, before.root != nil, before.photos.isEmpty {
                throw Refusal.invalid("status", "ERR_BLANK", "Write something, or delete the comment.")
            }
            guard before.caption != caption else { return try PostRecords(transaction).post(id, for: viewer) }
            let store = PostStore(transaction)
            try store.keepVersion(of: before)
            try store.setCaption(caption, of: id)
            announcements.edited(id, transaction)
            let post = try PostRecords(transaction).post(id, for: viewer)
            try self.noteMentions(in: post, except: Set(before.mentions.map(\.id)), transaction)
            return post
        }
    }

    /// Deletes a post or comment of the viewer's and returns it. Its photos stay in the library.
    func delete(_ id: Post.ID, by viewer: Account) async throws -> Post {
        try await database.write { [announcements] transaction in
            let post = try PostRecords(transaction).complete(
                PostRecords(transaction).own(id, of: viewer), for: viewer.id)
            try PostRecords(transaction).delete(post, announcements)
            return post
        }
    }

    /// Deletes a post or comment of any author, inside a transaction of the administration.
    func remove(_ id: Post.ID, _ transaction: Transaction) throws {
        guard let post = try PostStore(transaction).post(id) else { throw Refusal.notFound }
        try PostRecords(transaction).delete(post, announcements)
    }

    // MARK: Looking

    /// Returns a post or comment with its photos.
    ///
    /// - Throws: ``Refusal`` (404) if there is none or the viewer may not see it.
    func post(_ id: Post.ID, for viewer: Account) async throws -> Post {
        try await database.read { try PostRecords($0).post(id, for: viewer) }
    }

    /// Returns the folded names that a caption mentions.
    static func names(in caption: String) -> [String] {
        Caption.mentions(caption).map(AccountRules.folded(username:))
    }

    /// Returns the posts and comments among `ids` that the viewer may see, with their photos.
    func posts(_ ids: [Post.ID], for viewer: Account) async throws -> [Post] {
        try await database.read { try self.posts(ids, for: viewer, $0) }
    }

    /// Returns the posts and comments among `ids` that the viewer may see, inside a transaction of another service.
    func posts(_ ids: [Post.ID], for viewer: Account, _ transaction: Transaction) throws -> [Post] {
        let found = try ids.compactMap { try PostStore(transaction).post($0, for: viewer.id) }
        return try complete(found, for: viewer.id, transaction)
    }

    /// Returns one page of the home feed, newest first.
    func home(for viewer: Account, page: PageRequest) async throws -> [Post] {
        try await read(for: viewer) { try HomeFeed($0).page(page, for: viewer.id) }
    }

    /// Returns one page of the posts for everyone on this server, without those that the viewer has hidden.
    func publicPosts(for viewer: Account, page: PageRequest) async throws -> [Post] {
        try await read(for: viewer) { try PostStore($0).publicPosts(for: viewer.id, page: page) }
    }

    /// Returns one page of somebody's posts that the viewer may see, also of someone whom the viewer mutes.
    ///
    /// - Parameter unpinned: leaves out the pinned ones.
    package func posts(
        by author: Account.ID, unpinned: Bool = false, for viewer: Account, page: PageRequest
    ) async throws -> [Post] {
        try await read(for: viewer) { transaction in
            _ = try AccountRecords(transaction).account(author, for: viewer)
            return try PostStore(transaction).posts(
                by: author, unpinned: unpinned, for: viewer.id, page: page)
        }
    }

    func read(
        for viewer: Account, _ posts: @escaping @Sendable (Transaction) throws -> [Post]
    ) async throws -> [Post] {
        try await database.read { transaction in
            try self.complete(posts(transaction), for: viewer.id, transaction)
        }
    }

    /// Adds texts and pictures to posts, from the cache unless they have changed. Looks up the mentioned people in one
    /// statement each time, because people change their names.
    func complete(
        _ posts: [Post], for viewer: Account.ID, _ transaction: Transaction
    ) throws -> [Post] {
        var contents = posts.map { post in kept[post.id].flatMap { $0.revision == post.revision ? $0 : nil } }
        let unknown = posts.indices.filter { contents[$0] == nil }
        for (index, content) in zip(
            unknown, try PostRecords(transaction).contents(of: unknown.map { posts[$0] }))
        {
            contents[index] = content
            kept[posts[index].id] = content
        }
        return try PostRecords(transaction).complete(posts, with: contents.compactMap(\.self), for: viewer)
    }
}
