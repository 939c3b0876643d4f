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
    private let homeFeeds: HomeFeedCache
    private let kept = Cache<Post.ID, Kept>(capacity: 20_000, bytes: 3_000_000) { $0.byteCount }

    /// The values that a post's revision determines. The revision grows with every change of caption and
    /// photos. The people whom the caption names are looked up each time, because they can rename or delete
    /// their accounts.
    private struct Kept: Sendable {
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
        homeFeeds = HomeFeedCache(database.changes)
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
            if let known = try Self.made(with: key, by: viewer, transaction) { return known }
            let post = try self.post(draft, by: viewer, transaction)
            try key?.record(post.id.rawValue, transaction, viewer.id)
            return post
        }
    }

    /// Returns the post or comment that was made with a key; nil if there is none.
    ///
    /// - Throws: ``Refusal`` (410) if the post or comment was deleted.
    static func made(
        with key: IdempotencyKey?, by viewer: Account, _ transaction: Transaction
    ) throws -> Post? {
        try key?.made(by: viewer.id, gone: "This was posted and is already gone.", transaction) {
            try post(ID(rawValue: $0), for: viewer, transaction)
        }
    }

    /// Posts photos of the author's library, inside a transaction of another service, which has checked the draft.
    package func post(_ draft: Draft, by author: Account, _ transaction: Transaction) throws -> Post {
        for photo in try Self.checkOwnership(of: draft.photos, by: author, transaction) {
            guard let description = draft.descriptions[photo.id] else { continue }
            _ = try photos.describe(photo, description, transaction)
        }
        let id = Post.ID(rawValue: transaction.newID())
        try PostStore(transaction).insert(
            id, author: author.id, caption: draft.caption,
            visibility: author.approvesFollowers ? .followers : draft.visibility, photos: draft.photos)
        let post = try Self.post(id, for: author, transaction)
        if draft.isFindable { try PostPlaces.setFindable(true, post, transaction) }
        announcements.posted(post, transaction)
        try noteMentions(in: post, except: [], transaction)
        return post
    }

    /// Returns photos of the viewer's library by their ids, inside a transaction of another service.
    ///
    /// - Throws: ``Refusal`` (422) if one of them isn't in the library.
    @discardableResult
    static func checkOwnership(
        of ids: [Photo.ID], by viewer: Account, _ transaction: Transaction
    ) throws -> [Photo] {
        let own = try PhotoService.own(ids, of: viewer, transaction)
        let photos = Dictionary(uniqueKeysWithValues: own.map { ($0.id, $0) })
        return try ids.map { id in
            guard let photo = photos[id] else {
                throw Refusal.invalid(
                    "media_ids", "ERR_INVALID", "One of these photos isn’t in your library.")
            }
            return photo
        }
    }

    /// Notifies the people whom a post or comment mentions and who may see it.
    func noteMentions(
        in post: Post, except notified: Set<Account.ID>, _ transaction: Transaction
    ) throws {
        let mentioned = Self.names(in: post.caption)
        let people = try Self.people(named: mentioned, for: nil, transaction)
        for account in mentioned.compactMap({ people[$0] })
        where try !notified.contains(account.id) && Self.maySee(post.id, account, transaction) {
            try note(.mention, to: account.id, from: post.author.id, about: post, transaction)
        }
    }

    /// Returns the subjects of an event that shows a post or comment.
    static func subjects(of post: Post, _ transaction: Transaction) throws -> [EventSubject] {
        let subjects: [EventSubject] = [.thing(post.id), .person(post.author.id)]
        guard let root = post.root else { return subjects + [.posts(of: post.author.id)] }
        guard let host = try PostStore(transaction).author(of: root) else { return subjects }
        return subjects + [.thing(root), .person(host), .posts(of: host)]
    }

    private static func maySee(_ id: Post.ID, _ account: Account, _ transaction: Transaction) throws -> Bool {
        do {
            _ = try visible(id, for: account, transaction)
            return true
        } catch let refusal as Refusal where refusal == .notFound {
            return false
        }
    }

    /// Changes the caption of the viewer's post or comment, and notifies the people whom only the new caption
    /// mentions.
    func edit(_ id: Post.ID, caption: String, by viewer: Account) async throws -> Post {
        var problems = Problems()
        PostRules.check(caption: caption, into: &problems)
        try problems.throwIfAny()
        return try await database.write { [announcements] transaction in
            let before = try Self.complete(Self.own(id, of: viewer, transaction), for: viewer.id, transaction)
            if caption.isEmpty, before.root != nil, before.photos.isEmpty {
                throw Refusal.invalid("status", "ERR_BLANK", "Write something, or delete the comment.")
            }
            guard before.caption != caption else { return try Self.post(id, for: viewer, transaction) }
            let store = PostStore(transaction)
            try store.keepVersion(of: before)
            try store.setCaption(caption, of: id)
            announcements.edited(id, transaction)
            let post = try Self.post(id, for: viewer, transaction)
            try self.noteMentions(in: post, except: Set(before.mentions.map(\.id)), transaction)
            return post
        }
    }

    /// Deletes a post or comment of the viewer's and returns it. Its photos stay in the library.
    func delete(_ id: Post.ID, by viewer: Account) async throws -> Post {
        try await database.write { [announcements] transaction in
            let post = try Self.complete(Self.own(id, of: viewer, transaction), for: viewer.id, transaction)
            try Self.delete(post, announcements, transaction)
            return post
        }
    }

    /// Deletes a post or comment of any author, inside a transaction of the administration.
    func remove(_ id: Post.ID, _ transaction: Transaction) throws {
        guard let post = try PostStore(transaction).post(id) else { throw Refusal.notFound }
        try Self.delete(post, announcements, transaction)
    }

    /// Deletes a post or comment with everything below it, inside a transaction, and sends events to the
    /// people who see it.
    static func delete(
        _ post: Post, _ announcements: PostAnnouncements, _ transaction: Transaction
    ) throws {
        let store = PostStore(transaction)
        let replies = post.root == nil ? [] : try CommentStore(transaction).replies(below: post.id)
        try store.delete(post.id)
        announcements.deleted(post, with: replies, transaction)
    }

    private static func own(_ id: Post.ID, of viewer: Account, _ transaction: Transaction) throws -> Post {
        let post = try visible(id, for: viewer, transaction)
        guard post.author.id == viewer.id else { throw Refusal.notFound }
        return post
    }

    // MARK: Looking

    /// Returns a post or comment with its photos.
    ///
    /// - Throws: ``Refusal`` (404) if there is none or the viewer may not see it.
    func post(_ id: Post.ID, for viewer: Account) async throws -> Post {
        try await database.read { try Self.post(id, for: viewer, $0) }
    }

    /// Returns a post or comment with its photos, inside a transaction of another service.
    static func post(_ id: Post.ID, for viewer: Account, _ transaction: Transaction) throws -> Post {
        try complete(visible(id, for: viewer, transaction), for: viewer.id, transaction)
    }

    /// Returns a post with its photos without checking access. The calling service makes this check.
    static func unchecked(_ id: Post.ID, _ transaction: Transaction) throws -> Post? {
        try PostStore(transaction).post(id).map { try complete($0, for: nil, transaction) }
    }

    /// Adds the photos, and the mentioned people whom the viewer may see. Without a viewer, adds all mentioned people.
    static func complete(
        _ post: Post, for viewer: Account.ID?, _ transaction: Transaction
    ) throws -> Post {
        let whole = try complete([post], with: [content(of: post, transaction)], for: viewer, transaction)
        return whole[0]
    }

    private static func content(of post: Post, _ transaction: Transaction) throws -> Kept {
        let store = PostStore(transaction)
        return Kept(
            revision: post.revision, photos: try store.photos(of: post.id),
            names: post.caption.contains("@") ? names(in: post.caption) : [],
            parentAuthor: try post.parent.flatMap { try store.author(of: $0) })
    }

    /// Returns the folded names that a caption mentions.
    private static func names(in caption: String) -> [String] {
        Caption.mentions(caption).map(AccountRules.folded(username:))
    }

    /// Returns the people behind some folded names whom the viewer may see.
    private static func people(
        named names: [String], for viewer: Account.ID?, _ transaction: Transaction
    ) throws -> [String: Account] {
        guard !names.isEmpty else { return [:] }
        return try AccountService.accounts(foldedUsernames: Set(names), for: viewer, transaction)
    }

    /// Counts the posts, without comments. Reads every row.
    package static func count(_ transaction: Transaction) throws -> Int { try PostStore(transaction).count() }

    /// Returns the posts and comments that contain a photo.
    static func holding(_ photo: Photo.ID, _ transaction: Transaction) throws -> [Post.ID] {
        try PostStore(transaction).places(of: photo).map(\.post)
    }

    /// Returns a post without photos, after checking that the viewer may see it and, for a comment, its
    /// thread.
    static func visible(_ id: Post.ID, for viewer: Account, _ transaction: Transaction) throws -> Post {
        guard let post = try PostStore(transaction).post(id, for: viewer.id) else { throw Refusal.notFound }
        return post
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
        try await read(for: viewer) { [homeFeeds] transaction in
            let ids = try homeFeeds.page(page, for: viewer.id, transaction)
            return try PostStore(transaction).posts(ids, for: viewer.id)
        }
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
            _ = try AccountService.account(author, for: viewer, transaction)
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
        let contents = try posts.map { post in
            if let known = kept[post.id], known.revision == post.revision { return known }
            let content = try Self.content(of: post, transaction)
            kept[post.id] = content
            return content
        }
        return try Self.complete(posts, with: contents, for: viewer, transaction)
    }

    /// Completes posts or comments that aren't cached.
    static func complete(
        _ posts: [Post], for viewer: Account.ID, _ transaction: Transaction
    ) throws -> [Post] {
        try complete(
            posts, with: posts.map { try content(of: $0, transaction) }, for: viewer, transaction)
    }

    private static func complete(
        _ posts: [Post], with contents: [Kept], for viewer: Account.ID?, _ transaction: Transaction
    ) throws -> [Post] {
        let people = try people(named: contents.flatMap(\.names), for: viewer, transaction)
        let answered = try AccountService.visible(
            Set(contents.compactMap(\.parentAuthor)), to: viewer, transaction)
        return zip(posts, contents).map { post, content in
            var post = post
            post.photos = content.photos
            post.mentions = content.names.compactMap { people[$0] }
            post.parentAuthor = content.parentAuthor.flatMap { answered.contains($0) ? $0 : nil }
            return post
        }
    }
}
