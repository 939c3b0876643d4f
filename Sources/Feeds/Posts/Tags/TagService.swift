import Core
import Foundation
import People
import Serving
import Storage

extension JobKind {
    /// Finds the hashtags of posts from before the server knew hashtags; the payload is the id below which to look.
    static let findHashtags = JobKind("find-hashtags", .short)
}

/// A question for posts with hashtags, by their folded names.
struct TagQuery: Sendable {
    /// The most further hashtags of each kind, as in Mastodon.
    static let most = 4

    /// The hashtags of which a post has one.
    var any: [String]
    /// The hashtags that a post has all of.
    var all: [String] = []
    /// The hashtags that a post has none of.
    var none: [String] = []

    init(_ name: String) { any = [name] }
}

/// A hashtag as a viewer sees it.
package struct ShownTag: Sendable {
    /// The posts of one day (UTC).
    struct Day: Sendable {
        /// The beginning of the day.
        var date: Date
        /// The posts that the viewer may see.
        var posts = 0
        var authors: Set<Account.ID> = []
    }

    package let tag: Hashtag
    let isFollowed: Bool
    let isFeatured: Bool
    /// The last seven days, today first.
    let days: [Day]
}

/// A hashtag on the profile of a person.
struct FeaturedTag: Sendable {
    let id: Int64
    let tag: Hashtag
    /// The posts of the person with the hashtag that the viewer may see, counted up to a thousand.
    let postsCount: Int
    let newest: Post.ID?
}

/// The service of hashtags: looking at their posts, finding, following and featuring them.
package final class TagService: Sendable {
    /// The most hashtags that one person can follow.
    static let mostFollowed = 100
    /// The most hashtags on one profile.
    package static let mostFeatured = 10
    /// The number of posts that one step of ``findOlder(_:)`` looks at.
    private static let step = 500

    private let database: Database
    private let posts: PostService

    init(database: Database, posts: PostService) {
        self.database = database
        self.posts = posts
    }

    // MARK: Looking

    /// Returns one page of the posts that match a query and that the viewer may see.
    func posts(_ query: TagQuery, for viewer: Account, page: PageRequest) async throws -> [Post] {
        try await posts.read(for: viewer) { try TagStore($0).posts(query, for: viewer.id, page: page) }
    }

    /// Returns one page of the posts with a hashtag, and whether the viewer follows it and has it on the profile.
    func shown(
        _ tag: Hashtag, to viewer: Account, page: PageRequest
    ) async throws -> (posts: [Post], isFollowed: Bool, isFeatured: Bool) {
        try await database.read { [posts] transaction in
            let store = TagStore(transaction)
            let found = try store.posts(TagQuery(tag.name), for: viewer.id, page: page)
            return (
                try posts.complete(found, for: viewer.id, transaction),
                try !store.known([tag.name], in: .followed, of: viewer.id).isEmpty,
                try !store.known([tag.name], in: .featured, of: viewer.id).isEmpty
            )
        }
    }

    func tag(_ tag: Hashtag, for viewer: Account) async throws -> ShownTag {
        try await database.read { try TagRecords($0).shown([tag], to: viewer)[0] }
    }

    /// Returns hashtags that begin with a text, with or without `#`, and have a post that the viewer may see.
    package func search(_ text: String, for viewer: Account, limit: Int) async throws -> [ShownTag] {
        try await database.read { transaction in
            let records = TagRecords(transaction)
            return try records.shown(records.search(text, for: viewer, limit: limit), to: viewer)
        }
    }

    /// A hashtag with the number of its newest posts.
    struct PopularTag: Sendable {
        let shown: ShownTag
        let postsCount: Int
    }

    /// Returns the hashtags of the newest hundred posts for everyone here that the viewer may see: those of most authors
    /// first, and then those of most posts. Posts that are covered don't count.
    func popular(for viewer: Account, limit: Int) async throws -> [PopularTag] {
        let newest = try await posts.publicPosts(for: viewer, page: PageRequest(limit: PopularPosts.among))
        var counts: [String: (tag: Hashtag, posts: Int, authors: Set<Account.ID>)] = [:]
        for post in newest where post.warning == nil && !post.isHidden(in: .everyone) {
            for tag in Caption.tags(post.caption) {
                counts[tag.name, default: (tag, 0, [])].posts += 1
                counts[tag.name]?.authors.insert(post.author.id)
            }
        }
        let found = counts.values.sorted {
            ($1.authors.count, $1.posts, $0.tag.name) < ($0.authors.count, $0.posts, $1.tag.name)
        }.prefix(limit)
        return try await database.read { transaction in
            zip(found, try TagRecords(transaction).shown(found.map(\.tag), to: viewer)).map {
                PopularTag(shown: $1, postsCount: $0.posts)
            }
        }
    }

    // MARK: Following

    /// Shows posts for everyone with a hashtag at the viewer's Home.
    ///
    /// - Throws: ``Refusal`` (422) beyond ``mostFollowed`` hashtags.
    func follow(_ tag: Hashtag, by viewer: Account) async throws -> ShownTag {
        try await add(
            tag, to: .followed, of: viewer, most: Self.mostFollowed,
            "You already follow \(Self.mostFollowed) hashtags, which is the limit. Unfollow one first.")
    }

    func unfollow(_ tag: Hashtag, by viewer: Account) async throws -> ShownTag {
        try await remove(tag, from: .followed, of: viewer)
    }

    /// Returns one page of the hashtags that the viewer follows, with the id by which each is paged.
    func followed(by viewer: Account, page: PageRequest) async throws -> [(Int64, ShownTag)] {
        try await database.read { transaction in
            let rows = try TagStore(transaction).tags(.followed, of: viewer.id, page: page)
            return Array(
                zip(rows.map(\.0), try TagRecords(transaction).shown(rows.map(\.1), to: viewer)))
        }
    }

    /// Returns all hashtags that the viewer follows, newest first.
    func allFollowed(by viewer: Account) async throws -> [Hashtag] {
        try await database.read {
            try TagStore($0).tags(.followed, of: viewer.id, page: PageRequest(limit: Self.mostFollowed)).map(
                \.1)
        }
    }

    // MARK: Featuring

    /// Puts a hashtag on the viewer's profile.
    ///
    /// - Throws: ``Refusal`` (422) beyond ``mostFeatured`` hashtags.
    func feature(_ tag: Hashtag, by viewer: Account) async throws -> ShownTag {
        try await add(
            tag, to: .featured, of: viewer, most: Self.mostFeatured,
            "Your profile already has \(Self.mostFeatured) hashtags, which is the limit. Remove one first.")
    }

    func unfeature(_ tag: Hashtag, by viewer: Account) async throws -> ShownTag {
        try await remove(tag, from: .featured, of: viewer)
    }

    /// Removes a hashtag from the viewer's profile by its place there.
    ///
    /// - Throws: ``Refusal`` (404) when there is none.
    func unfeature(_ id: Int64, by viewer: Account) async throws {
        try await database.write { transaction in
            let store = TagStore(transaction)
            let rows = try store.tags(.featured, of: viewer.id, page: PageRequest(limit: Self.mostFeatured))
            guard let (_, tag) = rows.first(where: { $0.0 == id }) else { throw Refusal.notFound }
            try store.delete(tag.name, from: .featured, of: viewer.id)
        }
    }

    /// Returns the hashtags on somebody's profile.
    ///
    /// - Throws: ``Refusal`` (404) for someone whom the viewer can't see.
    func featured(by id: Account.ID, for viewer: Account) async throws -> [FeaturedTag] {
        try await database.read { transaction in
            _ = try AccountRecords(transaction).account(id, for: viewer)
            let store = TagStore(transaction)
            return try store.tags(.featured, of: id, page: PageRequest(limit: Self.mostFeatured)).map {
                place, tag in
                let counted = try store.count(tag.name, by: id, for: viewer.id)
                return FeaturedTag(id: place, tag: tag, postsCount: counted.count, newest: counted.newest)
            }
        }
    }

    /// Returns the hashtags that the viewer uses most and doesn't feature.
    func suggestedToFeature(for viewer: Account) async throws -> [ShownTag] {
        try await database.read { transaction in
            let names = try TagStore(transaction).mostUsed(by: viewer.id, limit: Self.mostFeatured)
            return try TagRecords(transaction).shown(
                names.map { Hashtag(written: $0, name: $0) }, to: viewer)
        }
    }

    private func add(
        _ tag: Hashtag, to list: TagStore.List, of viewer: Account, most: Int, _ sentence: String
    ) async throws -> ShownTag {
        try await database.write { transaction in
            let store = TagStore(transaction)
            if try store.known([tag.name], in: list, of: viewer.id).isEmpty {
                guard try store.count(list, of: viewer.id) < most else {
                    throw Refusal.invalid("name", "ERR_TOO_MANY", sentence)
                }
                try store.insert(tag, into: list, of: viewer.id)
            }
            return try TagRecords(transaction).shown([tag], to: viewer)[0]
        }
    }

    private func remove(_ tag: Hashtag, from list: TagStore.List, of viewer: Account) async throws -> ShownTag
    {
        try await database.write { transaction in
            try TagStore(transaction).delete(tag.name, from: list, of: viewer.id)
            return try TagRecords(transaction).shown([tag], to: viewer)[0]
        }
    }

    // MARK: Posts from before

    /// Finds the hashtags of some posts that were written before there were hashtags, and schedules the next step.
    func findOlder(_ job: Job) async throws {
        try await database.performStep(of: job) { try TagStore($0).findTags(olderThan: $1, limit: Self.step) }
    }
}

/// The hashtags inside a transaction.
package struct TagRecords {
    private let transaction: Transaction

    package init(_ transaction: Transaction) { self.transaction = transaction }

    /// Returns some hashtags as the viewer sees them, in the same order.
    func shown(_ tags: [Hashtag], to viewer: Account) throws -> [ShownTag] {
        let store = TagStore(transaction)
        let names = tags.map(\.name)
        let followed = try store.known(names, in: .followed, of: viewer.id)
        let featured = try store.known(names, in: .featured, of: viewer.id)
        return try tags.map { tag in
            ShownTag(
                tag: tag, isFollowed: followed.contains(tag.name), isFeatured: featured.contains(tag.name),
                days: try days(of: tag, for: viewer))
        }
    }

    /// Returns the hashtags on somebody's profile, newest first. The calling service checks that the viewer may see it.
    func featured(by account: Account.ID) throws -> [Hashtag] {
        let page = PageRequest(limit: TagService.mostFeatured)
        return try TagStore(transaction).tags(.featured, of: account, page: page).map(\.1)
    }

    /// The most hashtags that a search looks at, however many of them the viewer can't see.
    private static let mostLookedAt = 200

    /// Returns the hashtags that begin with a text, with or without `#`, and have a post that the viewer may see among
    /// their newest.
    package func search(_ text: String, for viewer: Account, limit: Int) throws -> [Hashtag] {
        guard let prefix = Hashtag(text)?.name else { return [] }
        let store = TagStore(transaction)
        let batch = 2 * limit
        var (found, last): ([Hashtag], String?) = ([], nil)
        for _ in stride(from: 0, to: Self.mostLookedAt, by: batch) {
            let names = try store.names(from: prefix, behind: last, limit: batch)
            for name in names {
                guard let post = try store.newest(name, for: viewer.id).first else { continue }
                let tag = Caption.tags(post.caption).first { $0.name == name }
                found.append(tag ?? Hashtag(written: name, name: name))
                if found.count == limit { return found }
            }
            guard names.count == batch, let end = names.last else { break }
            last = end
        }
        return found
    }

    /// Counts the posts with a hashtag on each of the last seven days, of the newest that the viewer may see.
    private func days(of tag: Hashtag, for viewer: Account) throws -> [ShownTag.Day] {
        let day: TimeInterval = 86_400
        func number(_ date: Date) -> Double { (date.timeIntervalSince1970 / day).rounded(.down) }
        let today = number(transaction.now)
        var days = (0..<7).map { ShownTag.Day(date: Date(timeIntervalSince1970: (today - Double($0)) * day)) }
        let first = Post.ID(earliest: days[6].date)
        for post in try TagStore(transaction).newest(tag.name, for: viewer.id, newerThan: first.rawValue) {
            let age = Int(today - number(post.id.createdAt))
            guard days.indices.contains(age) else { continue }
            days[age].posts += 1
            days[age].authors.insert(post.author.id)
        }
        return days
    }
}
