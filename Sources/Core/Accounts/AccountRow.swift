import Storage

/// The row of an account, for the statements of any feature, always as the table `a`. Nothing outside this folder names
/// the table.
package enum AccountRow {
    package static let table = "accounts"

    package static let columns = """
        a.newest_post_id AS account_newest_post_id, a.id AS account_id, a.username AS account_username,
        a.display_name AS account_display_name, a.bio AS account_bio, a.portrait_id AS account_portrait_id,
        a.banner_id AS account_banner_id, a.is_admin AS account_is_admin, a.approves_followers AS account_approves_followers,
        a.covering AS account_covering, a.is_suspended AS account_is_suspended, a.posts_count AS account_posts_count,
        a.followers_count AS account_followers_count, a.following_count AS account_following_count,
        a.fields AS account_fields, a.is_discoverable AS account_is_discoverable
        """

    /// Reads the account from the columns above.
    package static func account(from row: Row) throws -> Account {
        let newest = try row.int64("account_newest_post_id")
        return Account(
            id: ID(rawValue: try row.int64("account_id")),
            username: try row.string("account_username"),
            // Cleaned here, too: some names are older than the rule.
            displayName: ShownText.cleaned(try row.string("account_display_name")),
            bio: ShownText.cleaned(try row.string("account_bio"), hasLines: true),
            portrait: try row.optionalInt64("account_portrait_id").map { ID(rawValue: $0) },
            banner: try row.optionalInt64("account_banner_id").map { ID(rawValue: $0) },
            fields: .init(stored: try row.string("account_fields")),
            isDiscoverable: try row.bool("account_is_discoverable"),
            isAdmin: try row.bool("account_is_admin"),
            approvesFollowers: try row.bool("account_approves_followers"),
            covering: Covering(rawValue: try row.string("account_covering")) ?? .marked,
            isSuspended: try row.bool("account_is_suspended"),
            postsCount: try row.int("account_posts_count"),
            followersCount: try row.int("account_followers_count"),
            followingCount: try row.int("account_following_count"),
            lastPostAt: newest == 0 ? nil : ID<Account>(rawValue: newest).createdAt)
    }

    /// A condition: the account `$1` may see the account `a`, which isn't suspended, and neither blocks the other.
    package static let isVisible = isVisible(to: "$1")

    /// Returns the condition that the account in a placeholder or column may see the account `a`, which isn't
    /// suspended, and that neither blocks the other.
    package static func isVisible(to viewer: String) -> String {
        "a.is_suspended = 0 AND \(haveNoBlock(viewer, "a.id"))"
    }

    /// Returns the condition that neither of two accounts blocks the other, each named by a column or placeholder.
    package static func haveNoBlock(_ one: String, _ other: String) -> String {
        """
        NOT EXISTS (SELECT 1 FROM blocks b WHERE b.blocker_id = \(one) AND b.blocked_id = \(other))
        AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.blocker_id = \(other) AND b.blocked_id = \(one))
        """
    }

    /// The columns `blocks` and `is_blocked_by`: whether the account `$1` blocks the account `a`, and the other way round.
    package static let blockColumns = """
        EXISTS (SELECT 1 FROM blocks b WHERE b.blocker_id = $1 AND b.blocked_id = a.id) AS blocks,
        EXISTS (SELECT 1 FROM blocks b WHERE b.blocker_id = a.id AND b.blocked_id = $1) AS is_blocked_by
        """

    /// The last character there is: a word with it is behind all that begin with the word.
    static let lastCharacter = "\u{10FFFF}"

    /// Adds the condition, after another one, that the account in a column has a name with a word beginning with each
    /// of `terms`.
    package static func isNamed(
        _ column: String, _ terms: [String], _ arguments: inout [(any SQLConvertible)?]
    ) -> String {
        terms.map { term in
            arguments.append(term)
            arguments.append(term + lastCharacter)
            // The account's few words, by account_terms_by_account. As a count, since PostgreSQL would read all words with
            // this beginning for EXISTS.
            return """

                AND (SELECT count(*) FROM account_terms t WHERE t.account_id = \(column)
                    AND t.term >= $\(arguments.count - 1) AND t.term < $\(arguments.count)) > 0
                """
        }.joined()
    }
}
