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
        package var words: PostWords
        package var photos: [Photo.ID]
        package var visibility: Post.Visibility = .followers
        /// Whether others may find the photos by the place where they were taken.
        var isFindable = false
        /// New descriptions for some of the photos.
        var descriptions: [Photo.ID: String] = [:]

        package init(
            caption: String, photos: [Photo.ID], visibility: Post.Visibility = .followers
        ) {
            self.init(words: PostWords(caption: caption), photos: photos, visibility: visibility)
        }

        package init(
            words: PostWords, photos: [Photo.ID], visibility: Post.Visibility, isFindable: Bool = false,
            descriptions: [Photo.ID: String] = [:]
        ) {
            self.words = words
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
            words.check(into: &problems)
            PostRules.check(photosOfPost: photos, with: files, into: &problems)
            PostRules.check(descriptions: descriptions.values, into: &problems)
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
            var draft = draft
            draft.words = try PostStore(transaction).written(draft.words, by: viewer.id)
            let post = try self.post(draft, by: viewer, transaction)
            try key?.record(post.id.rawValue, transaction, viewer.id)
            return post
        }
    }

    /// Posts photos of the author's library, inside a transaction of another service, which has checked the draft.
    package func post(_ draft: Draft, by author: Account, _ transaction: Transaction) throws -> Post {
        try change(
            draft.photos, draft.descriptions.mapValues { PhotoChange(description: $0) }, by: author,
            transaction)
        let id = Post.ID(rawValue: transaction.newID())
        try PostStore(transaction).insert(
            id, author: author.id, words: draft.words,
            visibility: author.approvesFollowers ? .followers : draft.visibility, photos: draft.photos)
        let post = try PostRecords(transaction).post(id, for: author)
        if draft.isFindable { try PostRecords(transaction).setFindable(true, post) }
        announcements.posted(post, transaction)
        try noteMentions(in: post, except: [], transaction)
        return post
    }

    /// Adds an older post of the author, inside a transaction of another service. Nobody is notified of it, and no open
    /// screen shows it at once: it is at its place in time when a list is read again.
    ///
    /// - Parameter date: when it was posted, to the second.
    /// - Throws: ``Refusal`` (422) with every wrong field.
    package func add(
        _ draft: Draft, postedAt date: Date, by author: Account, _ transaction: Transaction
    ) throws -> Post.ID {
        try draft.check()
        try PostRecords(transaction).checkOwnership(of: draft.photos, by: author)
        let store = PostStore(transaction)
        let photos = Set(draft.photos.map(\.rawValue))
        let id: Post.ID = try transaction.newID(madeAt: date) { id in
            if photos.contains(id.rawValue) { return true }
            return try store.author(of: id) != nil
        }
        try store.insert(
            id, author: author.id, words: draft.words,
            visibility: author.approvesFollowers ? .followers : draft.visibility, photos: draft.photos)
        return id
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

    /// Checks that photos are the author's own, and changes some of them.
    private func change(
        _ ids: [Photo.ID], _ changes: [Photo.ID: PhotoChange], by author: Account, _ transaction: Transaction
    ) throws {
        for photo in try PostRecords(transaction).checkOwnership(of: ids, by: author) {
            guard let change = changes[photo.id] else { continue }
            _ = try photos.change(photo, change, transaction)
        }
    }

    /// Changes the viewer's post or comment, and notifies the people whom only the new caption mentions.
    ///
    /// - Throws: ``Refusal``: 404 for somebody else's, 422 with every wrong field.
    func edit(_ id: Post.ID, _ change: PostChange, by viewer: Account) async throws -> Post {
        try await database.write { [announcements] transaction in
            let before = try PostRecords(transaction).complete(
                PostRecords(transaction).own(id, of: viewer), for: viewer.id)
            let words = change.words(after: before.words).kept
            let visibility =
                change.visibility.map { viewer.approvesFollowers ? .followers : $0 } ?? before.visibility
            let photos = change.photos ?? before.photos.map(\.id)
            try Self.check(words, photos, change, of: before)
            let store = PostStore(transaction)
            try self.change(photos, change.photoChanges, by: viewer, transaction)
            let hasOtherPhotos = photos != before.photos.map(\.id)
            if hasOtherPhotos { try self.setPhotos(photos, of: before, transaction) }
            guard words != before.words || visibility != before.visibility || hasOtherPhotos else {
                return try PostRecords(transaction).post(id, for: viewer)
            }
            if words != before.words { try store.keepVersion(of: before) }
            try store.set(words, visibility, of: id)
            announcements.edited(id, transaction)
            let post = try PostRecords(transaction).post(id, for: viewer)
            if before.audience != .followers, post.audience == .followers {
                announcements.hid(id, transaction)
            }
            try self.noteMentions(in: post, except: Set(before.mentions.map(\.id)), transaction)
            return post
        }
    }

    /// Checks what a post or comment would be after a change.
    ///
    /// - Throws: ``Refusal`` (422) with every wrong field.
    private static func check(
        _ words: PostWords, _ photos: [Photo.ID], _ change: PostChange, of post: Post
    ) throws {
        var problems = Problems()
        words.check(into: &problems)
        PostRules.check(descriptions: change.photoChanges.values.compactMap(\.description), into: &problems)
        if !change.photoChanges.keys.allSatisfy(photos.contains) {
            problems.add("media_attributes", "ERR_INVALID", "Only photos of the post can be changed with it.")
        }
        if post.root == nil {
            PostRules.check(photosOfPost: photos, into: &problems)
        } else {
            PostRules.check(photos: photos, into: &problems)
            if words.caption.isEmpty, photos.isEmpty {
                problems.add("status", "ERR_BLANK", "Write something, or delete the comment.")
            }
            if change.visibility != nil {
                problems.add(
                    "visibility", "ERR_INVALID",
                    "A comment is seen by those who see the post. It can’t be changed.")
            }
        }
        try problems.throwIfAny()
    }

    /// Puts other photos into a post. Whether photos are found by their place stays as it is.
    private func setPhotos(
        _ photos: [Photo.ID], of post: Post, _ transaction: Transaction
    ) throws {
        let isFindable = try PostRecords(transaction).isFindable(post) ?? false
        try PostStore(transaction).setPhotos(photos, of: post.id)
        guard isFindable else { return }
        var changed = post
        changed.photos = try PostStore(transaction).photos(of: [post.id])[post.id] ?? []
        try PostRecords(transaction).setFindable(true, changed)
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
        let found = try PostStore(transaction).postsAndComments(ids, for: viewer.id)
        return try complete(found, for: viewer.id, transaction)
    }

    /// Returns one page of the home feed, newest first.
    func home(for viewer: Account, page: PageRequest) async throws -> [Post] {
        try await read(for: viewer) { try HomeFeed($0).page(page, for: viewer.id) }
    }

    /// Returns one of the viewer's lists with one page of the posts of its people, newest first.
    ///
    /// - Throws: ``Refusal`` (404) for anyone else's list.
    func feed(
        of list: PeopleList.ID, for viewer: Account, page: PageRequest
    ) async throws -> (list: PeopleList, posts: [Post]) {
        try await database.read { [self] transaction in
            let found = try RelationshipRecords(transaction).list(list, of: viewer)
            let posts = try HomeFeed(transaction, of: list).page(page, for: viewer.id)
            return (found, try complete(posts, for: viewer.id, transaction))
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
            _ = try AccountRecords(transaction).account(author, for: viewer)
            return try PostStore(transaction).posts(
                by: author, unpinned: unpinned, for: viewer.id, page: page)
        }
    }

    /// Returns one page of somebody's posts with a hashtag that the viewer may see.
    func posts(
        by author: Account.ID, tagged tag: Hashtag, for viewer: Account, page: PageRequest
    ) async throws -> [Post] {
        try await read(for: viewer) { transaction in
            _ = try AccountRecords(transaction).account(author, for: viewer)
            return try PostStore(transaction).posts(by: author, tagged: tag, for: viewer.id, page: page)
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
