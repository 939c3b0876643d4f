import Core
import Foundation
import Serving
import Storage

/// The service of filters: what a person doesn't want to see.
final class FilterService: Sendable {
    private let database: Database

    init(database: Database) {
        self.database = database
    }

    // MARK: Filters

    /// Returns the viewer's filters, oldest first.
    func filters(of viewer: Account) async throws -> [PostFilter] {
        try await database.read { try FilterStore($0).filters(of: viewer.id) }
    }

    /// Returns one of the viewer's filters.
    ///
    /// - Throws: ``Refusal`` (404) for anyone else's.
    func filter(_ id: PostFilter.ID, of viewer: Account) async throws -> PostFilter {
        try await database.read { try Self.filter(id, of: viewer, FilterStore($0)) }
    }

    private static func filter(
        _ id: PostFilter.ID, of viewer: Account, _ store: FilterStore
    ) throws -> PostFilter {
        guard let filter = try store.filter(id, of: viewer.id) else { throw Refusal.notFound }
        return filter
    }

    /// Returns one of the viewer's filters, and those of its single posts that the viewer may see.
    ///
    /// - Throws: ``Refusal`` (404) for anyone else's filter.
    func shown(
        _ id: PostFilter.ID, to viewer: Account
    ) async throws -> (filter: PostFilter, posts: [Post.ID: Post]) {
        try await database.read { transaction in
            let filter = try Self.filter(id, of: viewer, FilterStore(transaction))
            let posts = try PostRecords(transaction).posts(filter.singles.map(\.post), for: viewer)
            return (filter, Dictionary(uniqueKeysWithValues: posts.map { ($0.id, $0) }))
        }
    }

    /// Makes a filter.
    ///
    /// - Parameter post: a single post that the filter has from the beginning.
    /// - Throws: ``Refusal``: 404 for a post that the viewer can't see, 422 with every wrong field, and beyond
    ///   ``FilterRules/most`` filters.
    func make(
        _ change: FilterChange, with post: Post.ID? = nil, by viewer: Account
    ) async throws -> PostFilter {
        try await database.write { transaction in
            let store = FilterStore(transaction)
            guard try store.count(of: viewer.id) < FilterRules.most else {
                throw Refusal.invalid(
                    "title", "ERR_TOO_MANY",
                    "You already have \(FilterRules.most) filters, which is the limit.")
            }
            let new = PostFilter(
                id: ID(rawValue: transaction.newID()), title: "", contexts: [], action: .fold)
            var filter = try self.save(change, of: new, isNew: true, by: viewer, store)
            if let post { filter.singles = [try self.add(post, to: filter, by: viewer, store)] }
            return filter
        }
    }

    /// Changes a filter.
    ///
    /// - Throws: ``Refusal``: 404 for anyone else's, 422 with every wrong field.
    func change(
        _ id: PostFilter.ID, _ change: FilterChange, by viewer: Account
    ) async throws -> PostFilter {
        try await database.write { transaction in
            let store = FilterStore(transaction)
            let filter = try Self.filter(id, of: viewer, store)
            return try self.save(change, of: filter, isNew: false, by: viewer, store)
        }
    }

    private func save(
        _ change: FilterChange, of old: PostFilter, isNew: Bool, by viewer: Account, _ store: FilterStore
    ) throws -> PostFilter {
        var filter = change.applied(to: old, now: store.transaction.now)
        filter.words = try words(change.words, of: old, store.transaction)
        var problems = Problems()
        FilterRules.check(filter, into: &problems)
        try problems.throwIfAny()
        let others = try store.wordCount(of: viewer.id) - old.words.count
        guard others + filter.words.count <= FilterRules.mostWordsInAll else {
            throw Refusal.invalid(
                "keyword", "ERR_TOO_MANY",
                "All your filters together have at most \(FilterRules.mostWordsInAll) words.")
        }
        if isNew { try store.insert(filter, of: viewer.id) } else { try store.update(filter) }
        let before = Dictionary(uniqueKeysWithValues: old.words.map { ($0.id, $0) })
        let kept = Set(filter.words.map(\.id))
        for word in old.words where !kept.contains(word.id) { try store.delete(word.id) }
        for word in filter.words {
            guard let known = before[word.id] else {
                try store.insert(word, into: filter.id)
                continue
            }
            if known != word { try store.update(word) }
        }
        return filter
    }

    /// Returns the words of a filter after a change.
    private func words(
        _ change: FilterChange.Words, of filter: PostFilter, _ transaction: Transaction
    ) throws -> [PostFilter.Word] {
        func new(_ text: String, _ isWhole: Bool) -> PostFilter.Word {
            PostFilter.Word(id: ID(rawValue: transaction.newID()), text: text, isWhole: isWhole)
        }
        switch change {
        case .all(let wanted):
            var left = filter.words
            return wanted.map { text, isWhole in
                guard let place = left.firstIndex(where: { $0.text == text }) else {
                    return new(text, isWhole)
                }
                var word = left.remove(at: place)
                word.isWhole = isWhole
                return word
            }
        case .some(let changes):
            var words = filter.words
            for change in changes {
                let text = change.text.map(FilterRules.cleaned)
                guard let id = change.id else {
                    if !change.isRemoved { words.append(new(text ?? "", change.isWhole ?? true)) }
                    continue
                }
                guard let place = words.firstIndex(where: { $0.id == id }) else { throw Refusal.notFound }
                if change.isRemoved {
                    words.remove(at: place)
                } else {
                    words[place].text = text ?? words[place].text
                    words[place].isWhole = change.isWhole ?? words[place].isWhole
                }
            }
            return words
        }
    }

    /// Deletes a filter with its words.
    func delete(_ id: PostFilter.ID, by viewer: Account) async throws {
        try await database.write { transaction in
            let store = FilterStore(transaction)
            _ = try Self.filter(id, of: viewer, store)
            try store.delete(id)
        }
    }

    // MARK: Words

    /// Returns the filter that has a word, and the word.
    ///
    /// - Throws: ``Refusal`` (404) for anyone else's word.
    func word(
        _ id: PostFilter.Word.ID, of viewer: Account
    ) async throws -> (filter: PostFilter, word: PostFilter.Word) {
        try await database.read { transaction in
            let store = FilterStore(transaction)
            guard
                let filter = try store.filter(with: id, of: viewer.id).map({
                    try Self.filter($0, of: viewer, store)
                }),
                let word = filter.words.first(where: { $0.id == id })
            else { throw Refusal.notFound }
            return (filter, word)
        }
    }

    // MARK: Single posts

    /// Returns a single post of one of the viewer's filters.
    ///
    /// - Throws: ``Refusal`` (404) for anyone else's.
    func single(_ id: PostFilter.Single.ID, of viewer: Account) async throws -> PostFilter.Single {
        try await database.read { try Self.single(id, of: viewer, FilterStore($0)) }
    }

    private static func single(
        _ id: PostFilter.Single.ID, of viewer: Account, _ store: FilterStore
    ) throws -> PostFilter.Single {
        guard let single = try store.single(id, of: viewer.id) else { throw Refusal.notFound }
        return single
    }

    /// Puts a post into a filter. Doing it twice has no further effect.
    ///
    /// - Throws: ``Refusal``: 404 for anyone else's filter and for a post that the viewer can't see, 422 beyond
    ///   ``FilterRules/mostSingles`` posts.
    func add(
        _ post: Post.ID, to id: PostFilter.ID, by viewer: Account
    ) async throws -> PostFilter.Single {
        try await database.write { transaction in
            let store = FilterStore(transaction)
            return try self.add(post, to: Self.filter(id, of: viewer, store), by: viewer, store)
        }
    }

    private func add(
        _ post: Post.ID, to filter: PostFilter, by viewer: Account, _ store: FilterStore
    ) throws -> PostFilter.Single {
        _ = try PostRecords(store.transaction).visible(post, for: viewer)
        if let known = filter.singles.first(where: { $0.post == post }) { return known }
        guard filter.singles.count < FilterRules.mostSingles else {
            throw Refusal.invalid(
                "status_id", "ERR_TOO_MANY", "A filter has at most \(FilterRules.mostSingles) single posts.")
        }
        let single = PostFilter.Single(id: ID(rawValue: store.transaction.newID()), post: post)
        try store.insert(single, into: filter.id, of: viewer.id)
        return single
    }

    /// Returns a post that filters of the viewer can have, and the filters.
    ///
    /// - Throws: ``Refusal`` (404) for a post that the viewer can't see, and for the viewer's own, which are never filtered.
    func filtering(
        _ id: Post.ID, for viewer: Account
    ) async throws -> (post: Post, filters: [PostFilter]) {
        try await database.read { transaction in
            let post = try PostRecords(transaction).post(id, for: viewer)
            guard post.author.id != viewer.id else { throw Refusal.notFound }
            return (post, try FilterStore(transaction).filters(of: viewer.id))
        }
    }

    /// Returns a post that a filter of the viewer can have.
    ///
    /// - Throws: ``Refusal`` (404) for a post that the viewer can't see, and for the viewer's own.
    func filterable(_ id: Post.ID, for viewer: Account) async throws -> Post {
        try await filtering(id, for: viewer).post
    }

    /// Takes a post out of one of the viewer's filters. Doing it twice has no further effect.
    ///
    /// - Throws: ``Refusal`` (404) for anyone else's filter.
    func remove(
        _ single: PostFilter.Single.ID?, from id: PostFilter.ID, by viewer: Account
    ) async throws -> PostFilter {
        try await database.write { transaction in
            let store = FilterStore(transaction)
            var filter = try Self.filter(id, of: viewer, store)
            guard let place = filter.singles.firstIndex(where: { $0.id == single }) else { return filter }
            try store.delete(filter.singles.remove(at: place).id)
            return filter
        }
    }

    /// Takes a post out of a filter. Returns it.
    func remove(_ id: PostFilter.Single.ID, by viewer: Account) async throws -> PostFilter.Single {
        try await database.write { transaction in
            let store = FilterStore(transaction)
            let single = try Self.single(id, of: viewer, store)
            try store.delete(id)
            return single
        }
    }
}
