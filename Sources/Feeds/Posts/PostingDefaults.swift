import Core
import People
import Serving
import Storage

/// What a person's new posts begin with.
package struct PostingDefaults: Sendable, Hashable {
    package var visibility = Post.Visibility.followers
    /// Whether the pictures are covered until a tap.
    package var isCovered = false
    /// The language of the texts, as a tag of BCP 47; nil when it isn't said.
    package var language: String?

    package init() {}
}

extension PostStore {
    /// Returns what the new posts of an account begin with.
    func defaults(of account: Account.ID) throws -> PostingDefaults {
        try transaction.row(
            "SELECT visibility, is_covered, language FROM posting_defaults WHERE account_id = $1", account
        ) { row in
            var defaults = PostingDefaults()
            defaults.visibility = Post.Visibility(rawValue: try row.string("visibility")) ?? .followers
            defaults.isCovered = try row.bool("is_covered")
            defaults.language = try row.optionalString("language")
            return defaults
        } ?? PostingDefaults()
    }

    /// Returns what an account writes, in its language unless it says another.
    func written(_ words: PostWords, by account: Account.ID) throws -> PostWords {
        var words = words
        words.language = try words.language ?? defaults(of: account).language
        return words.kept
    }

    /// Keeps what the new posts of an account begin with.
    func set(_ defaults: PostingDefaults, of account: Account.ID) throws {
        try transaction.execute(
            """
            INSERT INTO posting_defaults (account_id, visibility, is_covered, language) VALUES ($1, $2, $3, $4)
            ON CONFLICT (account_id) DO UPDATE SET visibility = $2, is_covered = $3, language = $4
            """, account, defaults.visibility.rawValue, defaults.isCovered, defaults.language)
    }
}

// What new posts begin with.
extension PostService {
    /// Returns what the viewer's new posts begin with.
    package func defaults(of viewer: Account) async throws -> PostingDefaults {
        try await database.read { try PostStore($0).defaults(of: viewer.id) }
    }

    /// Returns what a new post of the viewer's begins with, and photos to choose from.
    ///
    /// - Parameters:
    ///   - chosen: photos that are among them in any case.
    ///   - limit: the most others, which are the newest.
    func composing(
        by viewer: Account, chosen: [Photo.ID], limit: Int
    ) async throws -> (PostingDefaults, [Photo]) {
        try await database.read { transaction in
            (
                try PostStore(transaction).defaults(of: viewer.id),
                try PhotoRecords(transaction).choices(of: viewer, chosen: chosen, limit: limit)
            )
        }
    }

    /// Changes what the viewer's new posts begin with.
    ///
    /// - Throws: ``Refusal`` (422) for a language that isn't one.
    package func setDefaults(
        of viewer: Account, _ change: @escaping @Sendable (inout PostingDefaults) -> Void
    ) async throws -> PostingDefaults {
        try await database.write { transaction in
            let store = PostStore(transaction)
            var defaults = try store.defaults(of: viewer.id)
            change(&defaults)
            var problems = Problems()
            PostRules.check(language: defaults.language, into: &problems)
            try problems.throwIfAny()
            try store.set(defaults, of: viewer.id)
            return defaults
        }
    }
}
