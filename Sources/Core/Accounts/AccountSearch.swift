import Storage

/// The order of found people.
package enum SearchOrder {
    case username
    /// By display name, then by username.
    case name
}

/// Searches for people by the beginnings of the words of their names. Leaves out the viewer, suspended people, and those who
/// block the viewer or are blocked by them.
package struct AccountSearch {
    private let transaction: Transaction
    private let viewer: Account.ID

    package init(_ transaction: Transaction, for viewer: Account.ID) {
        (self.transaction, self.viewer) = (transaction, viewer)
    }

    /// Returns people whose names have a word beginning with each of `terms`, in an order, after `username`: everyone's in the
    /// order of an index, or as few as the joins leave.
    ///
    /// - Parameter joins: joins that limit the accounts `a` to a few; the viewer is `$1`. Without them, `terms` are empty.
    package func people(
        _ terms: [String], joins: String, by order: SearchOrder, after username: String, limit: Int
    ) throws -> [Account] {
        var arguments: [(any SQLConvertible)?] = [viewer, AccountRules.folded(username: username), limit]
        let conditions = AccountRow.isNamed("a.id", terms, &arguments)
        let (place, isBehind) =
            switch order {
            case .username: ("a.username_folded", "a.username_folded > $2")
            case .name:
                (
                    "lower(a.display_name), a.username_folded",
                    """
                    ($2 = '' OR (lower(a.display_name), a.username_folded) >
                        (SELECT lower(l.display_name), l.username_folded FROM accounts l WHERE l.username_folded = $2))
                    """
                )
            }
        return try transaction.rows(
            """
            SELECT \(AccountRow.columns) FROM accounts a \(joins)
            WHERE \(isBehind) AND a.id <> $1 AND \(AccountRow.isVisible)\(conditions)
            ORDER BY \(place) LIMIT $3
            """, arguments: arguments
        ) { try AccountRow.account(from: $0) }
    }

    /// Returns the person whose username somebody typed; nil when there is none.
    package func person(named username: String) throws -> Account? {
        let found = try AccountStore(transaction).account(
            whose: .username, is: AccountRules.folded(username: username), for: viewer)
        return found.flatMap { $0.id == viewer ? nil : $0 }
    }

    // MARK: Everyone

    /// How far the names with a word are counted to find the rarest one.
    private static let mostCounted = 1_000
    /// The most names with the only word at which a page looks, since the viewer may not see some of the people.
    private static let mostOfWord = 1_000
    /// The most names with the rarest word among which a page looks for the other words.
    private static let mostOfWords = 5_000

    /// A name in the order of account_terms' primary key.
    private struct Place {
        var term: String
        var account: Account.ID
    }

    /// Returns people whose names have a word beginning with each of `terms`: first those whose word is closest to the rarest of
    /// these, as it is, then with more letters in the order of the alphabet. The same word is sorted by the age of the account.
    ///
    /// Reads no further than the page, and a bounded number of names, however many match.
    ///
    /// - Parameter username: whom to begin after; empty for the first people.
    package func nearest(_ terms: [String], after username: String, limit: Int) throws -> [Account] {
        guard let rarest = try rarest(of: terms), let place = try place(of: username, rarest) else {
            return []
        }
        let most = terms.count > 1 ? Self.mostOfWords : Self.mostOfWord
        let end =
            try end(of: most, with: rarest, behind: place)
            ?? Place(term: rarest + AccountRow.lastCharacter, account: Account.ID(rawValue: 0))
        var arguments: [(any SQLConvertible)?] = [
            viewer, rarest, place.term, place.account, end.term, end.account, limit,
        ]
        let others = AccountRow.isNamed("a.id", terms.filter { $0 != rarest }, &arguments)
        // CROSS JOIN keeps SQLite to the order of the index; nobody is found by two of their words.
        return try transaction.rows(
            """
            SELECT \(AccountRow.columns) FROM account_terms n CROSS JOIN accounts a
            WHERE (n.term, n.account_id) > ($3, $4) AND (n.term, n.account_id) < ($5, $6) AND a.id = n.account_id
                AND n.term = (SELECT min(e.term) FROM account_terms e WHERE e.account_id = n.account_id AND e.term >= $2)
                AND a.id <> $1 AND \(AccountRow.isVisible)\(others)
            ORDER BY n.term, n.account_id LIMIT $7
            """, arguments: arguments
        ) { try AccountRow.account(from: $0) }
    }

    /// Returns the one of some words with which the fewest names begin, the longest where many do; nil without words.
    private func rarest(of terms: [String]) throws -> String? {
        guard terms.count > 1 else { return terms.first }
        let counted = try terms.map { term in
            let count: Int? = try transaction.value(
                """
                SELECT count(*) FROM (SELECT 1 FROM account_terms WHERE term >= $1 AND term < $2
                    LIMIT \(Self.mostCounted)) AS few
                """, term, term + AccountRow.lastCharacter)
            return (term: term, count: count ?? 0)
        }
        return counted.min { ($0.count, -$0.term.count) < ($1.count, -$1.term.count) }?.term
    }

    /// Returns where the person after whom a page begins is among those with a word, or the first place when the name is empty;
    /// nil when there is no such person.
    private func place(of username: String, _ term: String) throws -> Place? {
        guard !username.isEmpty else { return Place(term: term, account: ID(rawValue: 0)) }
        return try transaction.row(
            """
            SELECT min(t.term) AS term, t.account_id FROM accounts a JOIN account_terms t ON t.account_id = a.id
            WHERE a.username_folded = $1 AND t.term >= $2 GROUP BY t.account_id
            """, AccountRules.folded(username: username), term
        ) { Place(term: try $0.string("term"), account: ID(rawValue: try $0.int64("account_id"))) }
    }

    /// Returns the place at which a page stops looking; nil when there aren't so many names.
    private func end(of most: Int, with term: String, behind place: Place) throws -> Place? {
        try transaction.row(
            """
            SELECT term, account_id FROM account_terms WHERE (term, account_id) > ($1, $2) AND term < $3
            ORDER BY term, account_id LIMIT 1 OFFSET $4
            """, place.term, place.account, term + AccountRow.lastCharacter, most
        ) { Place(term: try $0.string("term"), account: ID(rawValue: try $0.int64("account_id"))) }
    }
}
