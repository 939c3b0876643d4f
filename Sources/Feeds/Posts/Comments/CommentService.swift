import Core
import Foundation
import People
import Serving
import Storage

/// The service that writes and reads comments. Comments are liked and deleted like posts.
package final class CommentService: Sendable {
    private let database: Database
    private let announcements: PostAnnouncements
    private let posts: PostService

    /// The most comments in one answer.
    static let contextLimit = 1_000
    /// The most levels of replies that are followed upwards or downwards from a comment.
    static let contextDepth = 100

    init(database: Database, announcements: PostAnnouncements, posts: PostService) {
        self.database = database
        self.announcements = announcements
        self.posts = posts
    }

    // MARK: Writing

    /// A comment that is being written.
    package struct Draft: Sendable {
        /// The post or comment that this comment answers.
        package var parent: Post.ID
        package var words: PostWords
        var photos: [Photo.ID] = []
        /// Who may see the comment, as an app shows it to its author; nil when the app says nothing. Those who see the post see
        /// the comment, so it can't be fewer.
        var visibility: Post.Visibility?

        package init(parent: Post.ID, text: String, photos: [Photo.ID] = []) {
            self.init(parent: parent, words: PostWords(caption: text), photos: photos)
        }

        init(
            parent: Post.ID, words: PostWords, photos: [Photo.ID] = [], visibility: Post.Visibility? = nil
        ) {
            self.parent = parent
            self.words = words
            self.photos = photos
            self.visibility = visibility
        }
    }

    /// Writes a comment, notifies the people concerned, and counts the comment.
    ///
    /// - Parameter key: the idempotency key. A second call with the key within 24 hours returns the comment of the
    ///   first.
    /// - Throws: ``Refusal``: 404 if the post can't be seen, 410 if the key's comment was deleted, 422 with every wrong
    ///   field.
    package func comment(
        _ draft: Draft, by viewer: Account, key: IdempotencyKey? = nil
    ) async throws -> Post {
        var problems = Problems()
        draft.words.check(into: &problems)
        if draft.words.caption.isEmpty, draft.photos.isEmpty {
            problems.add("status", "ERR_BLANK", "Write something first.")
        }
        PostRules.check(photos: draft.photos, into: &problems)
        try problems.throwIfAny()
        return try await database.write { [announcements] transaction in
            if let known = try PostRecords(transaction).made(with: key, by: viewer) { return known }
            let parent = try PostRecords(transaction).visible(draft.parent, for: viewer)
            // Otherwise an app would show a lock on what everyone reads. Apps begin an answer with what the author's posts
            // begin with, so that alone is no choice, and the answer to the app says who sees the comment.
            if draft.visibility == .followers, parent.audience != .followers,
                try PostStore(transaction).defaults(of: viewer.id).visibility != .followers
            {
                throw Refusal.invalid(
                    "visibility", "ERR_INVALID",
                    "A comment is seen by those who see the post, and this post is for everyone here. Choose public, or write a private message."
                )
            }
            try PostRecords(transaction).checkOwnership(of: draft.photos, by: viewer)
            let words = try PostStore(transaction).written(draft.words, by: viewer.id)
            let store = CommentStore(transaction)
            let id = Post.ID(rawValue: transaction.newID())
            let thread = parent.root == nil ? id : try store.thread(of: parent.id) ?? parent.id
            try store.insert(
                id, author: viewer.id, words: words, photos: draft.photos, parent: parent,
                thread: thread)
            try key?.record(id.rawValue, transaction, viewer.id)
            let comment = try PostRecords(transaction).post(id, for: viewer)
            if let root = comment.root { announcements.counted(root, transaction) }
            try self.note(comment, answering: parent, transaction)
            return comment
        }
    }

    /// Notifies the post's author, the author of the answered comment, and the people whom the comment
    /// mentions, each once.
    private func note(_ comment: Post, answering parent: Post, _ transaction: Transaction) throws {
        var notified: Set<Account.ID> = []
        let root = try comment.root.flatMap { try PostStore(transaction).post($0) }
        for account in [root?.author.id, parent.author.id].compactMap({ $0 })
        where notified.insert(account).inserted {
            try posts.note(
                .comment, to: account, from: comment.author.id, about: comment, group: root?.id, transaction)
        }
        try posts.noteMentions(in: comment, except: notified, transaction)
    }

    // MARK: Reading

    /// A part of a thread.
    enum Part: Sendable {
        case first
        case after(CommentStore.Threaded.Place)
        case before(CommentStore.Threaded.Place)
        /// The part that contains a comment, with some comments before it; the first part if the comment isn't in the
        /// thread.
        case around(Post.ID)
        /// The comments that are newer than a given comment, oldest first.
        case newer(Int64)
    }

    /// A page of a thread.
    struct Page: Sendable {
        var post: Post
        var comments: [CommentStore.Threaded]
        var hasEarlier = false
        var hasLater = false
        /// Whether the thread has comments that can't be shown to the viewer, which is known on its last page, or the page has
        /// comments that the viewer's filters hide.
        var hidesSome = false
        /// The newest comment of the whole thread, 0 if there is none.
        var newest: Int64 = 0
        /// The comment that the viewer is about to answer; nil if there is none or it can't be seen.
        var answered: Post?
    }

    /// The number of comments shown before the requested comment.
    private static let lead = 10

    /// Returns one page of a post's comments, each followed by its replies.
    ///
    /// - Parameter answered: the comment under the post that the viewer is about to answer.
    func comments(
        of id: Post.ID, for viewer: Account, _ part: Part, limit: Int, answering answered: Post.ID? = nil
    ) async throws -> Page {
        try await database.read { transaction in
            let post = try PostRecords(transaction).post(id, for: viewer)
            var page = try Self.page(part, of: post, for: viewer.id, limit: limit, CommentStore(transaction))
            page.answered = try answered.flatMap { try PostStore(transaction).post($0, for: viewer.id) }
            if page.answered?.root != id { page.answered = nil }
            let whole = try PostRecords(transaction).complete(page.comments.map(\.comment), for: viewer.id)
            for (index, comment) in whole.enumerated() { page.comments[index].comment = comment }
            // Comments that the viewer's filters hide stay in the page, since the next page begins behind its last comment.
            if whole.contains(where: { $0.isHidden(in: .thread) }) { page.hidesSome = true }
            return page
        }
    }

    private static func page(
        _ part: Part, of post: Post, for viewer: Account.ID, limit: Int, _ store: CommentStore
    ) throws -> Page {
        // The page ends at a cut, begins at it, or contains it.
        var cut: CommentStore.Threaded.Place?
        var before = 0
        switch part {
        case .first: break
        case .after(let place): cut = place
        case .before(let place): (cut, before) = (place.before, limit)
        case .around(let comment):
            cut = try store.place(of: comment, under: post.id)?.before
            if cut != nil { before = lead }
        case .newer(let newest):
            let found = try store.comments(of: post.id, for: viewer, newerThan: newest, limit: limit + 1)
            return Page(post: post, comments: Array(found.prefix(limit)), hasLater: found.count > limit)
        }
        let after = limit - before
        // Reads one more on either side, to find out whether there are more.
        var (earlier, later): ([CommentStore.Threaded], [CommentStore.Threaded]) = ([], [])
        if let cut, before > 0 {
            earlier = try store.comments(of: post.id, for: viewer, through: cut, limit: before + 1)
        }
        if after > 0 {
            later = try store.comments(of: post.id, for: viewer, after: cut, limit: after + 1)
        }
        var page = Page(
            post: post, comments: Array(earlier.suffix(before) + later.prefix(after)),
            hasEarlier: before == 0 ? cut != nil : earlier.count > before,
            hasLater: after == 0 || later.count > after, newest: try store.newest(of: post.id))
        if !page.hasLater {
            let shown = cut == nil ? page.comments.count : try store.count(of: post.id, for: viewer)
            page.hidesSome = shown < post.commentsCount
        }
        return page
    }

    /// The posts and comments above and below a post or comment.
    struct Context: Sendable {
        var ancestors: [Post]
        var descendants: [Post]
    }

    /// Returns the thread around a post or comment: at most ``contextLimit`` comments below it,
    /// ``contextDepth`` levels deep, and as many above it, with the post at the top. Comments of people who
    /// can't be seen are left out.
    func context(of id: Post.ID, for viewer: Account) async throws -> Context {
        try await database.read { transaction in
            let post = try PostRecords(transaction).visible(id, for: viewer)
            let store = CommentStore(transaction)
            let above =
                post.root == nil ? [] : try store.ancestors(of: id, for: viewer.id, depth: Self.contextDepth)
            let below =
                post.root == nil
                ? try store.comments(of: id, for: viewer.id, after: nil, limit: Self.contextLimit).map(
                    \.comment)
                : try store.replies(
                    below: id, for: viewer.id, depth: Self.contextDepth, limit: Self.contextLimit)
            return Context(
                ancestors: try PostRecords(transaction).complete(above, for: viewer.id),
                descendants: try PostRecords(transaction).complete(below, for: viewer.id))
        }
    }
}
