import Core
import Foundation
import Storage

/// The SQL of filters.
struct FilterStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    private static let columns = "f.id, f.account_id, f.title, f.contexts, f.action, f.ends_at"

    private static func filter(from row: Row) throws -> PostFilter {
        PostFilter(
            id: ID(rawValue: try row.int64("id")), title: try row.string("title"),
            contexts: try row.string("contexts").split(separator: " ").compactMap {
                PostFilter.Context(rawValue: String($0))
            },
            action: PostFilter.Action(rawValue: try row.string("action")) ?? .fold,
            endsAt: try row.optionalDate("ends_at"))
    }

    // MARK: Reading

    /// Returns the filters of a person, oldest first, with their words and posts.
    func filters(of account: Account.ID) throws -> [PostFilter] {
        // post_filters_by_account
        let found = try transaction.rows(
            "SELECT \(Self.columns) FROM post_filters f WHERE f.account_id = $1 ORDER BY f.id", account,
            map: Self.filter)
        return try complete(found)
    }

    /// Returns a filter of a person with its words and posts; nil for anyone else's.
    func filter(_ id: PostFilter.ID, of account: Account.ID) throws -> PostFilter? {
        let found = try transaction.rows(
            "SELECT \(Self.columns) FROM post_filters f WHERE f.id = $1 AND f.account_id = $2", id, account,
            map: Self.filter)
        return try complete(found).first
    }

    private func complete(_ filters: [PostFilter]) throws -> [PostFilter] {
        guard !filters.isEmpty else { return [] }
        let words = try words(of: filters.map(\.id))
        let singles = try transaction.rows(for: filters.map(\.id)) { places in
            "SELECT id, filter_id, post_id FROM filter_posts WHERE filter_id IN (\(places)) ORDER BY id"
        } map: {
            (
                filter: PostFilter.ID(rawValue: try $0.int64("filter_id")),
                single: try Self.single(from: $0)
            )
        }
        let byFilter = Dictionary(grouping: singles, by: \.filter)
        return filters.map { filter in
            var filter = filter
            filter.words = words[filter.id] ?? []
            filter.singles = byFilter[filter.id]?.map(\.single) ?? []
            return filter
        }
    }

    private func words(of filters: [PostFilter.ID]) throws -> [PostFilter.ID: [PostFilter.Word]] {
        let found = try transaction.rows(for: filters) { places in
            "SELECT id, filter_id, text, is_whole FROM filter_words WHERE filter_id IN (\(places)) ORDER BY id"
        } map: {
            (
                filter: PostFilter.ID(rawValue: try $0.int64("filter_id")),
                word: PostFilter.Word(
                    id: ID(rawValue: try $0.int64("id")), text: try $0.string("text"),
                    isWhole: try $0.bool("is_whole"))
            )
        }
        return Dictionary(grouping: found, by: \.filter).mapValues { $0.map(\.word) }
    }

    /// Returns the filters of some people that count at present, with their words.
    func counting(for accounts: Set<Account.ID>) throws -> [Account.ID: [PostFilter]] {
        // post_filters_by_account: one look for each who has none.
        let found = try transaction.rows(for: accounts, after: [transaction.now], of: 400) { places in
            """
            SELECT \(Self.columns) FROM post_filters f
            WHERE f.account_id IN (\(places)) AND (f.ends_at IS NULL OR f.ends_at > $1) ORDER BY f.id
            """
        } map: {
            (account: Account.ID(rawValue: try $0.int64("account_id")), filter: try Self.filter(from: $0))
        }
        guard !found.isEmpty else { return [:] }
        let words = try words(of: found.map(\.filter.id))
        return Dictionary(grouping: found, by: \.account).mapValues { rows in
            rows.map { row in
                var filter = row.filter
                filter.words = words[filter.id] ?? []
                return filter
            }
        }
    }

    /// Returns which filters of a person have which of some posts.
    func singles(
        of account: Account.ID, among posts: Set<Post.ID>
    ) throws -> [Post.ID: Set<PostFilter.ID>] {
        // filter_posts_by_account
        let found = try transaction.rows(for: posts, after: [account]) { places in
            "SELECT filter_id, post_id FROM filter_posts WHERE account_id = $1 AND post_id IN (\(places))"
        } map: {
            (
                post: Post.ID(rawValue: try $0.int64("post_id")),
                filter: PostFilter.ID(rawValue: try $0.int64("filter_id"))
            )
        }
        return Dictionary(grouping: found, by: \.post).mapValues { Set($0.map(\.filter)) }
    }

    /// Returns which filters of some people have a post.
    func filters(
        with post: Post.ID, of accounts: Set<Account.ID>
    ) throws -> [Account.ID: Set<PostFilter.ID>] {
        // filter_posts_by_account
        let found = try transaction.rows(for: accounts, after: [post], of: 400) { places in
            "SELECT account_id, filter_id FROM filter_posts WHERE account_id IN (\(places)) AND post_id = $1"
        } map: {
            (
                account: Account.ID(rawValue: try $0.int64("account_id")),
                filter: PostFilter.ID(rawValue: try $0.int64("filter_id"))
            )
        }
        return Dictionary(grouping: found, by: \.account).mapValues { Set($0.map(\.filter)) }
    }

    /// Returns the filter of a person that has a word.
    func filter(with word: PostFilter.Word.ID, of account: Account.ID) throws -> PostFilter.ID? {
        try transaction.value(
            """
            SELECT w.filter_id FROM filter_words w JOIN post_filters f ON f.id = w.filter_id
            WHERE w.id = $1 AND f.account_id = $2
            """, word, account)
    }

    /// Returns a single post of one of a person's filters; nil for anyone else's.
    func single(_ id: PostFilter.Single.ID, of account: Account.ID) throws -> PostFilter.Single? {
        try transaction.row(
            "SELECT id, post_id FROM filter_posts WHERE id = $1 AND account_id = $2", id, account
        ) { try Self.single(from: $0) }
    }

    private static func single(from row: Row) throws -> PostFilter.Single {
        PostFilter.Single(id: ID(rawValue: try row.int64("id")), post: ID(rawValue: try row.int64("post_id")))
    }

    func count(of account: Account.ID) throws -> Int {
        try transaction.value("SELECT count(*) FROM post_filters WHERE account_id = $1", account) ?? 0
    }

    /// Returns how many words all filters of a person have.
    func wordCount(of account: Account.ID) throws -> Int {
        try transaction.value(
            """
            SELECT count(*) FROM post_filters f JOIN filter_words w ON w.filter_id = f.id
            WHERE f.account_id = $1
            """, account) ?? 0
    }

    // MARK: Writing

    func insert(_ filter: PostFilter, of account: Account.ID) throws {
        try transaction.execute(
            """
            INSERT INTO post_filters (id, account_id, title, contexts, action, ends_at)
            VALUES ($1, $2, $3, $4, $5, $6)
            """, filter.id, account, filter.title, Self.text(filter.contexts), filter.action.rawValue,
            filter.endsAt)
    }

    func update(_ filter: PostFilter) throws {
        try transaction.execute(
            "UPDATE post_filters SET title = $2, contexts = $3, action = $4, ends_at = $5 WHERE id = $1",
            filter.id, filter.title, Self.text(filter.contexts), filter.action.rawValue, filter.endsAt)
    }

    private static func text(_ contexts: [PostFilter.Context]) -> String {
        contexts.map(\.rawValue).joined(separator: " ")
    }

    func delete(_ id: PostFilter.ID) throws {
        try transaction.execute("DELETE FROM post_filters WHERE id = $1", id)
    }

    func insert(_ word: PostFilter.Word, into filter: PostFilter.ID) throws {
        try transaction.execute(
            "INSERT INTO filter_words (id, filter_id, text, is_whole) VALUES ($1, $2, $3, $4)", word.id,
            filter, word.text, word.isWhole)
    }

    func update(_ word: PostFilter.Word) throws {
        try transaction.execute(
            "UPDATE filter_words SET text = $2, is_whole = $3 WHERE id = $1", word.id, word.text, word.isWhole
        )
    }

    func delete(_ word: PostFilter.Word.ID) throws {
        try transaction.execute("DELETE FROM filter_words WHERE id = $1", word)
    }

    func insert(_ single: PostFilter.Single, into filter: PostFilter.ID, of account: Account.ID) throws {
        try transaction.execute(
            "INSERT INTO filter_posts (id, filter_id, account_id, post_id) VALUES ($1, $2, $3, $4)",
            single.id, filter, account, single.post)
    }

    func delete(_ single: PostFilter.Single.ID) throws {
        try transaction.execute("DELETE FROM filter_posts WHERE id = $1", single)
    }
}

/// The filters of people inside a transaction, for posts that are shown to them.
struct FilterRecords {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    /// Adds to posts which of the viewer's filters fit them. Own posts are never filtered.
    func mark(_ posts: inout [Post], for viewer: Account.ID) throws {
        guard posts.contains(where: { $0.author.id != viewer }),
            let filters = try FilterStore(transaction).counting(for: [viewer])[viewer]
        else { return }
        try mark(&posts, for: viewer, with: filters)
    }

    private func mark(_ posts: inout [Post], for viewer: Account.ID, with filters: [PostFilter]) throws {
        let others = Set(posts.filter { $0.author.id != viewer }.map(\.id))
        let matcher = FilterMatcher(filters)
        let singles = try FilterStore(transaction).singles(of: viewer, among: others)
        for index in posts.indices where others.contains(posts[index].id) {
            posts[index].filtered = matcher.matches(
                in: FilterMatcher.text(of: posts[index]), singles: singles[posts[index].id] ?? [])
        }
    }

    /// Returns whether filters of somebody keep notifications about a post or comment away, by its own words or by those of
    /// the post above it.
    func hidesNotifications(about post: Post, from reader: Account.ID) throws -> Bool {
        // Most people have no filters, and then the post above isn't read.
        guard let filters = try FilterStore(transaction).counting(for: [reader])[reader] else { return false }
        let top = try post.root.flatMap { try PostRecords(transaction).unchecked($0) }
        var thread = [post] + (top.map { [$0] } ?? [])
        try mark(&thread, for: reader, with: filters)
        return thread.contains { $0.isHidden(in: .notifications) }
    }

    /// Returns which filters of some people fit a post that isn't theirs; nothing for those without.
    func matches(_ post: Post, for viewers: Set<Account.ID>) throws -> [Account.ID: [FilterMatch]] {
        let store = FilterStore(transaction)
        let filters = try store.counting(for: viewers.subtracting([post.author.id]))
        guard !filters.isEmpty else { return [:] }
        let singles = try store.filters(with: post.id, of: Set(filters.keys))
        let text = FilterMatcher.text(of: post)
        return filters.reduce(into: [:]) { found, one in
            let matches = FilterMatcher(one.value).matches(in: text, singles: singles[one.key] ?? [])
            if !matches.isEmpty { found[one.key] = matches }
        }
    }
}
