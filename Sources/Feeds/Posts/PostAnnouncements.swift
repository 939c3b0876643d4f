import Core
import Foundation
import Logging
import Serving
import Storage
import Synchronization

extension EventSubject {
    /// Returns the posts of an account and the comments below them as a subject.
    static func posts(of account: Account.ID) -> Self { .all("posts", of: account) }
}

extension EventName {
    /// A post of someone whom the person follows.
    static let post = EventName("update")
    /// A post was edited.
    static let postChanged = EventName("status.update")
    /// A post is gone.
    static let postDeleted = EventName("delete")
    /// A post for everyone, sent to those who don’t follow its author.
    static let publicPost = EventName("tintype.status.public")
    /// A post of someone whose posts the person keeps in a list and out of Home, when it isn't for everyone.
    static let listedPost = EventName("tintype.status.listed")
    /// The numbers of likes and comments of a post have changed.
    static let postCounts = EventName("tintype.status.counts")
}

extension NewsKind {
    /// A new post: its id.
    static let post = NewsKind("post")
    /// A post's caption or photos have changed: its id.
    static let postEdited = NewsKind("post-edited")
    /// A post that everyone could see is now for followers.
    static let postHidden = NewsKind("post-hidden")
    /// A post is gone: its id, its author's, that of the post below which it was a comment or 0, and 1 if everyone could see
    /// it.
    static let postDeleted = NewsKind("post-deleted")
    /// The likes or comments of a post were counted: its id.
    static let postCounts = NewsKind("post-counts")
    /// An account has become private: its id.
    static let narrowed = NewsKind("narrowed")
}

/// Tells open pages and apps of posts as they come, change and go, once the transaction is committed.
final class PostAnnouncements: Sendable {
    private let database: Database
    private let events: EventBus
    private let statuses: PostEntities
    private let logger: Logger
    /// Posts whose counts will be sent in a moment.
    private let pending = Mutex<Set<Post.ID>>([])
    private let tasks = Atomic<Int>(0)

    /// Whether counts are still to be sent. Tests wait until all are.
    var isSendingCounts: Bool { tasks.load(ordering: .acquiring) > 0 }

    /// The time during which changed counts are collected: a hundred likes at once make one event, not a hundred.
    static let gathering = Duration.milliseconds(200)
    /// The most posts whose counts wait. The counts of any others are sent with their next change.
    private static let capacity = 10_000

    init(database: Database, events: EventBus, statuses: PostEntities, logger: Logger) {
        self.database = database
        self.events = events
        self.statuses = statuses
        self.logger = logger
    }

    /// Sends a new post to the home feeds of its author and followers, and a post for everyone to those of people who follow
    /// one of its hashtags, and to the list of all public posts.
    func posted(_ post: Post, _ transaction: Transaction) {
        transaction.afterCommit { [self] transaction in
            events.tell(.post, [post.id.rawValue])
            try publish(new: post, transaction)
        }
    }

    private func publish(new post: Post, _ transaction: Transaction) throws {
        guard let audience = audience(transaction) else { return }
        let all = try audience.unmutedViewers(of: post)
        var viewers =
            post.audience != .followers
            ? all.intersection(try audience.followers(of: post.author)) : all
        if post.audience == .server {
            viewers.formUnion(try TagStore(transaction).followersOfTags(in: post, among: all))
        }
        let atHome = try audience.keepingInHome(post.author.id, among: viewers)
        // Nobody can have liked or saved a new post.
        let content = try content(of: post, for: atHome, transaction)
        try publish(.post, to: atHome, content, of: post, transaction)
        let (name, others) =
            post.audience == .server
            ? (EventName.publicPost, all.subtracting(atHome)) : (.listedPost, viewers.subtracting(atHome))
        try publish(name, to: others, Self.name(of: post), of: post, transaction)
    }

    /// Returns the event for people to whose Home the post doesn't come: it says only that there is a new post.
    private static func name(of post: Post) -> EventContent {
        var json = JSONWriter(capacity: 48)
        json.object { $0.member("id", post.id) }
        return .bytes(json.bytes)
    }

    /// Sends a post or comment whose caption or photos have changed.
    func edited(_ id: Post.ID, _ transaction: Transaction) {
        transaction.afterCommit { [self] transaction in
            events.tell(.postEdited, [id.rawValue])
            try publish(edited: id, transaction)
        }
    }

    private func publish(edited id: Post.ID, _ transaction: Transaction) throws {
        guard let post = try PostRecords(transaction).unchecked(id) else { return }
        let viewers = try audience(transaction)?.unmutedViewers(of: post) ?? []
        let store = PostStore(transaction)
        let muting = try store.mutingThread(of: post, among: viewers)
        let liked = try store.marked(.like, id, among: viewers)
        let saved = try store.marked(.save, id, among: viewers)
        let content = try content(
            of: post, for: viewers, liked: liked, saved: saved, muting: muting, transaction)
        // Nobody gets the earlier version any more.
        events.here.replace(.thing(id), named: .post, of: viewers, by: content)
        try publish(.postChanged, to: viewers, content, of: post, transaction)
    }

    private func publish(
        _ name: EventName, to viewers: Set<Account.ID>, _ content: EventContent, of post: Post,
        _ transaction: Transaction
    ) throws {
        guard !viewers.isEmpty else { return }
        let subjects = try PostRecords(transaction).subjects(of: post)
        events.here.publish(name, to: viewers, content, about: subjects, replacing: .thing(post.id))
    }

    /// Returns a post as each of its viewers sees it: with their own picture signatures, likes and saves, with the
    /// mentioned people whom they may see, and with their filters that fit.
    private func content(
        of post: Post, for viewers: Set<Account.ID>, liked: Set<Account.ID> = [],
        saved: Set<Account.ID> = [], muting: Set<Account.ID> = [], _ transaction: Transaction
    ) throws -> EventContent {
        let named = Set(post.mentions.map(\.id) + [post.parentAuthor].compactMap { $0 })
        let visible =
            named.isEmpty
            ? [:]
            : Dictionary(
                uniqueKeysWithValues: try viewers.map {
                    ($0, try AccountRecords(transaction).visible(named, to: $0))
                })
        let filtered = try FilterRecords(transaction).matches(post, for: viewers)
        @Sendable func json(_ reader: Reader) -> [UInt8] {
            let viewer = reader.account
            var seen = post
            (seen.isLiked, seen.isSaved) = (liked.contains(viewer), saved.contains(viewer))
            seen.isThreadMuted = muting.contains(viewer)
            seen.filtered = filtered[viewer] ?? []
            if !named.isEmpty {
                let known = visible[viewer] ?? []
                seen.mentions.removeAll { !known.contains($0.id) }
                seen.parentAuthor = seen.parentAuthor.flatMap { known.contains($0) ? $0 : nil }
            }
            var json = JSONWriter(capacity: 4096)
            statuses.status(seen, viewer: reader, into: &json)
            return json.bytes
        }
        return .written(byteCount: json(Reader(post.author.id, in: ID(rawValue: .max))).count, json)
    }

    /// Returns the people who are listening, to find those whom a change concerns; nil when nobody is listening.
    private func audience(_ transaction: Transaction) -> PostAudience? {
        let listening = events.here.audience
        return listening.isEmpty ? nil : PostAudience(transaction: transaction, listening: listening)
    }

    /// Removes a post, which everyone could see, from the screens of people who don't follow its author.
    func hid(_ id: Post.ID, _ transaction: Transaction) {
        transaction.afterCommit { [self] transaction in
            events.tell(.postHidden, [id.rawValue])
            try publish(hidden: id, transaction)
        }
    }

    private func publish(hidden id: Post.ID, _ transaction: Transaction) throws {
        guard let post = try PostRecords(transaction).unchecked(id), let audience = audience(transaction)
        else {
            return
        }
        let followers = try audience.followers(of: post.author)
        let others = try audience.viewers(by: post.author, below: nil, isForAll: true).subtracting(followers)
        for account in others { events.here.forget([.thing(id)], of: account) }
        events.here.publish(.postDeleted, to: others, Self.deletion(of: id))
    }

    private static func deletion(of id: Post.ID) -> EventContent { .bytes(Array("\(id)".utf8)) }

    /// Sends the deletion of a post or comment.
    ///
    /// - Parameter replies: the comments that have gone with it, when it is one itself.
    func deleted(_ post: Post, with replies: [Post.ID], _ transaction: Transaction) {
        transaction.afterCommit { [self] transaction in
            events.forget(Set(([post.id] + replies).map(EventSubject.thing)))
            try publish(
                deleted: post.id, by: post.author, below: post.root, isForAll: post.audience != .followers,
                transaction)
            events.tell(
                .postDeleted,
                [
                    post.id.rawValue, post.author.id.rawValue, post.root?.rawValue ?? 0,
                    post.audience == .followers ? 0 : 1,
                ])
            if let root = post.root { count(root) }
        }
    }

    private func publish(
        deleted id: Post.ID, by author: Account, below root: Post.ID?, isForAll: Bool,
        _ transaction: Transaction
    ) throws {
        let viewers = try audience(transaction)?.viewers(by: author, below: root, isForAll: isForAll) ?? []
        events.here.publish(.postDeleted, to: viewers, Self.deletion(of: id))
    }

    /// Deletes the events about the posts of an account that is hidden from everyone.
    func left(_ author: Account.ID, _ transaction: Transaction) {
        transaction.afterCommit { [events] _ in events.forget([.posts(of: author)]) }
    }

    /// Removes an account's posts from the screens of people who don't follow the account, after it has become private.
    func narrowed(_ author: Account, _ transaction: Transaction) {
        transaction.afterCommit { [self] transaction in
            events.tell(.narrowed, [author.id.rawValue])
            try forget(narrowed: author, transaction)
        }
    }

    private func forget(narrowed author: Account, _ transaction: Transaction) throws {
        let holders = events.here.accounts(holding: .posts(of: author.id))
        let audience = PostAudience(transaction: transaction, listening: holders)
        for account in holders.subtracting(try audience.followers(of: author)) {
            events.here.forget([.posts(of: author.id)], of: account)
        }
    }

    /// Sends the counts of a post whose likes or comments have changed, in a moment.
    func counted(_ id: Post.ID, _ transaction: Transaction) {
        transaction.afterCommit { [self] _ in count(id) }
    }

    private func count(_ id: Post.ID) {
        let isFirst = pending.withLock { pending in
            pending.count < Self.capacity && pending.insert(id).inserted
        }
        guard isFirst else { return }
        tasks.wrappingAdd(1, ordering: .relaxed)
        Task {
            defer { tasks.wrappingSubtract(1, ordering: .releasing) }
            do {
                try await Task.sleep(for: Self.gathering)
                pending.withLock { _ = $0.remove(id) }
                // This transaction writes nothing. It runs after earlier writes, so that the last counts are sent last.
                try await database.write {
                    $0.afterCommit { [self] in
                        events.tell(.postCounts, [id.rawValue])
                        try sendCounts(of: id, $0)
                    }
                }
            } catch {
                pending.withLock { _ = $0.remove(id) }
                logger.warning("counts were not sent", metadata: ["post": "\(id)", "error": "\(error)"])
            }
        }
    }

    private func sendCounts(of id: Post.ID, _ transaction: Transaction) throws {
        guard let audience = audience(transaction), let post = try PostStore(transaction).post(id) else {
            return
        }
        var json = JSONWriter()
        json.object { json in
            json.member("id", post.id)
            json.member("favourites_count", post.likesCount)
            json.member("replies_count", post.commentsCount)
        }
        events.here.publish(
            .postCounts, to: try audience.viewers(of: post), .bytes(json.bytes),
            about: [.thing(id)], replacing: .thing(id))
    }

    /// Makes the events of what other nodes have changed.
    var news: [NewsKind: NewsKind.Handler] {
        [
            .post: { [self] ids, transaction in
                for id in ids {
                    guard let post = try PostRecords(transaction).unchecked(ID(rawValue: id)) else {
                        continue
                    }
                    try publish(new: post, transaction)
                }
            },
            .postEdited: { [self] ids, transaction in
                for id in ids { try publish(edited: ID(rawValue: id), transaction) }
            },
            .postHidden: { [self] ids, transaction in
                for id in ids { try publish(hidden: ID(rawValue: id), transaction) }
            },
            .postDeleted: { [self] ids, transaction in
                guard ids.count == 4,
                    let author = try AccountRecords(transaction).unchecked(ID(rawValue: ids[1]))
                else { return }
                try publish(
                    deleted: ID(rawValue: ids[0]), by: author,
                    below: ids[2] == 0 ? nil : ID(rawValue: ids[2]), isForAll: ids[3] == 1, transaction)
            },
            .postCounts: { [self] ids, transaction in
                for id in ids { try sendCounts(of: ID(rawValue: id), transaction) }
            },
            .narrowed: { [self] ids, transaction in
                for id in ids {
                    guard let author = try AccountRecords(transaction).unchecked(ID(rawValue: id)) else {
                        continue
                    }
                    try forget(narrowed: author, transaction)
                }
            },
        ]
    }
}
