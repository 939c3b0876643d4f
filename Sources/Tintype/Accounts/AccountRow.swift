import Storage

/// An account in the statements of any feature, always as the table `a`. Nothing outside this folder names the table.
enum AccountRow {
    static let table = "accounts"

    static let columns = """
        a.id, a.username, a.display_name, a.bio, a.portrait_id, a.is_admin, a.approves_followers,
        a.is_suspended, a.posts_count, a.followers_count, a.following_count, a.newest_post_id
        """
    /// How many they are.
    static let columnsCount = 12

    /// Reads the columns above, beginning at `offset`.
    static func account(from row: Row, at offset: Int = 0) throws -> Account {
        let newest = try row.int64(offset + 11)
        return Account(
            id: ID(rawValue: try row.int64(offset)),
            username: try row.string(offset + 1),
            // Cleaned here too: some were written before names were.
            displayName: AccountRules.cleaned(name: try row.string(offset + 2)),
            bio: AccountRules.cleaned(bio: try row.string(offset + 3)),
            portrait: try row.optionalInt64(offset + 4).map { ID(rawValue: $0) },
            isAdmin: try row.bool(offset + 5),
            approvesFollowers: try row.bool(offset + 6),
            isSuspended: try row.bool(offset + 7),
            postsCount: Int(try row.int64(offset + 8)),
            followersCount: Int(try row.int64(offset + 9)),
            followingCount: Int(try row.int64(offset + 10)),
            lastPostAt: newest == 0 ? nil : ID<Account>(rawValue: newest).createdAt)
    }

    /// Whether the account `a` may be seen by the account `$1`: it isn't suspended, and neither blocks the other.
    static let isVisible = isVisible(to: "$1")

    /// Whether the account `a` may be seen by the account in a placeholder or column: it isn't suspended, and neither
    /// blocks the other.
    static func isVisible(to viewer: String) -> String {
        "a.is_suspended = 0 AND \(haveNoBlock(viewer, "a.id"))"
    }

    /// Whether neither of two accounts blocks the other, each named by a column or placeholder.
    static func haveNoBlock(_ one: String, _ other: String) -> String {
        """
        NOT EXISTS (SELECT 1 FROM blocks b WHERE b.blocker_id = \(one) AND b.blocked_id = \(other))
        AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.blocker_id = \(other) AND b.blocked_id = \(one))
        """
    }

    /// Requires, after another condition, that the account in a column has a name with a word beginning with each of
    /// `terms`.
    static func isNamed(
        _ column: String, _ terms: [String], _ arguments: inout [(any SQLConvertible)?]
    ) -> String {
        terms.map { term in
            arguments.append(term)
            // The range of all words with this beginning, read from the primary key (term, account_id).
            arguments.append(term + "\u{10FFFF}")
            return """

                AND EXISTS (SELECT 1 FROM account_terms t WHERE t.account_id = \(column)
                    AND t.term >= $\(arguments.count - 1) AND t.term < $\(arguments.count))
                """
        }.joined()
    }
}
