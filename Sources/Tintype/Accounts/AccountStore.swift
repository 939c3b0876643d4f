import Foundation
import Storage

/// The SQL of accounts, follows and blocks.
struct AccountStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

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
            newestPost: newest == 0 ? nil : ID(rawValue: newest))
    }

    // MARK: Accounts

    func insert(_ account: Account, password: String) throws {
        try transaction.execute(
            """
            INSERT INTO accounts (id, username, username_folded, display_name, bio, password, portrait_id,
                is_admin, approves_followers) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """,
            account.id, account.username, AccountRules.folded(username: account.username),
            account.displayName, account.bio, password, account.portrait, account.isAdmin,
            account.approvesFollowers)
        try replaceTerms(of: account)
    }

    func update(_ account: Account) throws {
        try transaction.execute(
            """
            UPDATE accounts SET display_name = $2, bio = $3, portrait_id = $4, approves_followers = $5,
                username = $6, username_folded = $7
            WHERE id = $1
            """,
            account.id, account.displayName, account.bio, account.portrait, account.approvesFollowers,
            account.username, AccountRules.folded(username: account.username))
        try replaceTerms(of: account)
    }

    func setPassword(_ hash: String, of account: Account.ID) throws {
        try transaction.execute("UPDATE accounts SET password = $2 WHERE id = $1", account, hash)
    }

    private func replaceTerms(of account: Account) throws {
        try transaction.execute("DELETE FROM account_terms WHERE account_id = $1", account.id)
        let terms = Set(
            AccountRules.searchTerms(account.displayName)
                + AccountRules.searchTerms(account.username)
                + [AccountRules.folded(username: account.username)])
        for term in terms {
            try transaction.execute(
                "INSERT INTO account_terms (term, account_id) VALUES ($1, $2)", term, account.id)
        }
    }

    func hasAny() throws -> Bool {
        try transaction.row("SELECT 1 FROM accounts LIMIT 1") { _ in true } ?? false
    }

    func account(_ id: Account.ID) throws -> Account? {
        try transaction.row("SELECT \(Self.columns) FROM accounts a WHERE a.id = $1", id) {
            try Self.account(from: $0)
        }
    }

    func account(username: String) throws -> Account? {
        try transaction.row(
            "SELECT \(Self.columns) FROM accounts a WHERE a.username_folded = $1",
            AccountRules.folded(username: username)
        ) { try Self.account(from: $0) }
    }

    /// What accounts are looked up by.
    enum Key: String {
        case id
        case username = "username_folded"
    }

    /// Returns the accounts with one of some keys that `viewer` may see, or that anyone may see when it is nil.
    func accounts<Value: SQLConvertible & Hashable>(
        whose key: Key, isOneOf values: Set<Value>, for viewer: Account.ID?
    ) throws -> [Account] {
        // A statement is prepared once for each number of keys, so those are few.
        let all = Array(values)
        return try stride(from: 0, to: all.count, by: 40).flatMap { start in
            let some = all[start..<min(start + 40, all.count)]
            let places = some.indices.map { "$\($0 - start + 2)" }.joined(separator: ", ")
            return try transaction.rows(
                "SELECT \(Self.columns) FROM accounts a WHERE a.\(key.rawValue) IN (\(places)) AND \(Self.isVisible)",
                arguments: [viewer?.rawValue ?? 0] + some.map { $0 as (any SQLConvertible)? }
            ) { try Self.account(from: $0) }
        }
    }

    /// Accounts by id, those that exist, in no particular order. At most a page of them.
    func accounts(_ ids: some Sequence<Account.ID>) throws -> [Account.ID: Account] {
        var found: [Account.ID: Account] = [:]
        for id in Set(ids) {
            found[id] = try account(id)
        }
        return found
    }

    /// The epoch of an account's picture URLs; nil for nobody and the suspended.
    func pictureEpoch(of account: Account.ID) throws -> Int64? {
        try transaction.row(
            "SELECT picture_epoch FROM accounts WHERE id = $1 AND is_suspended = 0", account
        ) { try $0.int64(0) }
    }

    /// Begins a new epoch, so that no picture URL counts that was signed for the account; the epoch.
    func beginPictureEpoch(of account: Account.ID) throws -> Int64 {
        // An id, so that an epoch is never used twice, not even after a backup was restored.
        let epoch = transaction.newID()
        try transaction.execute("UPDATE accounts SET picture_epoch = $2 WHERE id = $1", account, epoch)
        return epoch
    }

    func password(of account: Account.ID) throws -> String? {
        try transaction.row("SELECT password FROM accounts WHERE id = $1", account) { try $0.string(0) }
    }

    /// Among whom people are searched.
    enum SearchScope {
        case everyone
        /// Those whom the one who searches follows.
        case followed
        /// Their mutual followers.
        case friends
    }

    /// What found people are ordered by.
    enum SearchOrder {
        case username
        /// Their display names, then their usernames.
        case name
    }

    /// People whose names have a word beginning with each of `terms`, in order, after the one called `username`.
    /// Those who blocked or are blocked by `viewer` and the suspended are left out.
    func search(
        _ terms: [String], among scope: SearchScope, by order: SearchOrder = .username,
        for viewer: Account.ID, after username: String, limit: Int
    ) throws -> [Account] {
        var arguments: [(any SQLConvertible)?] = [viewer, AccountRules.folded(username: username), limit]
        var conditions = ""
        for term in terms {
            arguments.append(term)
            // The range of all words with this beginning, read from the primary key (term, account_id).
            arguments.append(term + "\u{10FFFF}")
            conditions += """

                AND EXISTS (SELECT 1 FROM account_terms t WHERE t.account_id = a.id
                    AND t.term >= $\(arguments.count - 1) AND t.term < $\(arguments.count))
                """
        }
        if let first = terms.max(by: { $0.count < $1.count }) {
            arguments.append(first)
            arguments.append(first + "\u{10FFFF}")
            conditions += """

                AND a.id IN (SELECT account_id FROM account_terms
                    WHERE term >= $\(arguments.count - 1) AND term < $\(arguments.count))
                """
        }
        let follows =
            scope == .everyone
            ? "" : "JOIN follows f ON f.follower_id = $1 AND f.followee_id = a.id AND f.is_accepted = 1"
        let isFollowed =
            scope == .friends
            ? "JOIN follows g ON g.follower_id = a.id AND g.followee_id = $1 AND g.is_accepted = 1" : ""
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
            SELECT \(Self.columns) FROM accounts a \(follows) \(isFollowed)
            WHERE \(isBehind) AND a.id <> $1 AND \(Self.isVisible)\(conditions)
            ORDER BY \(place) LIMIT $3
            """, arguments: arguments
        ) { try Self.account(from: $0) }
    }

    // MARK: Follows

    /// Follows, or asks to; whether anything changed. Counts are the caller's to keep.
    func insertFollow(_ follower: Account.ID, _ followee: Account.ID, accepted: Bool) throws -> Bool {
        try transaction.execute(
            """
            INSERT INTO follows (follower_id, followee_id, id, is_accepted) VALUES ($1, $2, $3, $4)
            ON CONFLICT (follower_id, followee_id) DO NOTHING
            """, follower, followee, transaction.newID(), accepted) > 0
    }

    /// Ends a follow or takes back a request; nil when there was neither, else whether it had been accepted.
    func deleteFollow(_ follower: Account.ID, _ followee: Account.ID) throws -> Bool? {
        try transaction.row(
            "DELETE FROM follows WHERE follower_id = $1 AND followee_id = $2 RETURNING is_accepted",
            follower, followee
        ) { try $0.bool(0) }
    }

    /// Accepts a waiting request; whether there was one.
    func acceptFollow(_ follower: Account.ID, _ followee: Account.ID) throws -> Bool {
        try transaction.execute(
            "UPDATE follows SET is_accepted = 1 WHERE follower_id = $1 AND followee_id = $2 AND is_accepted = 0",
            follower, followee) > 0
    }

    /// Takes a waiting request away; whether there was one.
    func deleteFollowRequest(_ follower: Account.ID, _ followee: Account.ID) throws -> Bool {
        try transaction.execute(
            "DELETE FROM follows WHERE follower_id = $1 AND followee_id = $2 AND is_accepted = 0",
            follower, followee) > 0
    }

    /// Accepts everyone who waits, and keeps the counts; the account as it is then.
    func acceptAllFollows(of followee: Account.ID) throws -> Account {
        try transaction.execute(
            """
            UPDATE accounts SET following_count = following_count + 1 WHERE id IN
                (SELECT follower_id FROM follows WHERE followee_id = $1 AND is_accepted = 0)
            """, followee)
        let accepted = try transaction.execute(
            "UPDATE follows SET is_accepted = 1 WHERE followee_id = $1 AND is_accepted = 0", followee)
        try transaction.execute(
            "UPDATE accounts SET followers_count = followers_count + $2 WHERE id = $1", followee, accepted)
        guard let account = try account(followee) else { throw Refusal.notFound }
        return account
    }

    /// How many wait for an answer, counted up to a thousand.
    func followRequestsCount(to followee: Account.ID) throws -> Int {
        try transaction.row(
            """
            SELECT count(*) FROM (SELECT 1 FROM follows f JOIN accounts a ON a.id = f.follower_id
                WHERE f.followee_id = $1 AND f.is_accepted = 0 AND a.is_suspended = 0 LIMIT 1000) AS few
            """, followee
        ) { try $0.int(0) } ?? 0
    }

    func changeFollowCounts(_ follower: Account.ID, _ followee: Account.ID, by change: Int) throws {
        try transaction.execute(
            "UPDATE accounts SET following_count = following_count + $2 WHERE id = $1", follower, change)
        try transaction.execute(
            "UPDATE accounts SET followers_count = followers_count + $2 WHERE id = $1", followee, change)
    }

    /// Any follows and requests from or to an account, a batch of them.
    func anyFollows(of account: Account.ID, limit: Int) throws -> [(Account.ID, Account.ID)] {
        let ends = ["follower_id", "followee_id"]
        return try ends.flatMap { end in
            try transaction.rows(
                "SELECT follower_id, followee_id FROM follows WHERE \(end) = $1 LIMIT $2", account, limit
            ) { (ID(rawValue: try $0.int64(0)), ID(rawValue: try $0.int64(1))) }
        }
    }

    /// Takes an account out of sight for good: nobody finds it, nobody can log in, its name is free.
    ///
    /// Its new name holds a character that no one can choose.
    func abandon(_ account: Account.ID) throws {
        try transaction.execute(
            """
            UPDATE accounts SET is_suspended = 1, is_admin = 0, password = '', username = $2, username_folded = $2,
                display_name = 'Deleted account', bio = ''
            WHERE id = $1
            """, account, "deleted-\(account)")
        try transaction.execute("DELETE FROM account_terms WHERE account_id = $1", account)
    }

    func delete(_ account: Account.ID) throws {
        try transaction.execute("DELETE FROM accounts WHERE id = $1", account)
    }

    /// Whether other people are here but no other administrator.
    func isLastAdministrator(_ account: Account.ID) throws -> Bool {
        guard try !hasAdministrator(besides: account) else { return false }
        return try transaction.row(
            "SELECT 1 FROM accounts WHERE id <> $1 AND is_suspended = 0 LIMIT 1", account
        ) { _ in true } ?? false
    }

    /// Whether anybody else may administer.
    func hasAdministrator(besides account: Account.ID) throws -> Bool {
        try transaction.row(
            "SELECT 1 FROM accounts WHERE id <> $1 AND is_admin = 1 AND is_suspended = 0 LIMIT 1", account
        ) { _ in true } ?? false
    }

    /// Everyone who may administer, the suspended too, by username.
    func administrators() throws -> [Account] {
        // accounts_administrators
        try transaction.rows(
            "SELECT \(Self.columns) FROM accounts a WHERE a.is_admin = 1 ORDER BY a.username_folded"
        ) { try Self.account(from: $0) }
    }

    func setAdministrator(_ isAdmin: Bool, _ account: Account.ID) throws {
        try transaction.execute("UPDATE accounts SET is_admin = $2 WHERE id = $1", account, isAdmin)
    }

    /// The accounts at the other end of accepted follows, newest first, with the follow's id for paging.
    func followers(of account: Account.ID, viewer: Account.ID, page: PageRequest) throws -> [(Int64, Account)]
    {
        try follows(of: account, own: "followee_id", other: "follower_id", accepted: true, viewer, page)
    }

    func following(of account: Account.ID, viewer: Account.ID, page: PageRequest) throws -> [(Int64, Account)]
    {
        try follows(of: account, own: "follower_id", other: "followee_id", accepted: true, viewer, page)
    }

    func followRequests(to account: Account.ID, page: PageRequest) throws -> [(Int64, Account)] {
        try follows(of: account, own: "followee_id", other: "follower_id", accepted: false, account, page)
    }

    private func follows(
        of account: Account.ID, own: String, other: String, accepted: Bool, _ viewer: Account.ID,
        _ page: PageRequest
    ) throws -> [(Int64, Account)] {
        try page.rows(
            transaction, idColumn: "f.id",
            """
            SELECT f.id, \(Self.columns) FROM follows f JOIN accounts a ON a.id = f.\(other)
            WHERE f.\(own) = $1 AND f.is_accepted = $2 AND \(Self.isVisible(to: "$3"))
            """, arguments: [account, accepted, viewer]
        ) { (try $0.int64(0), try Self.account(from: $0, at: 1)) }
    }

    // MARK: Relationships

    func relationship(of viewer: Account.ID, to account: Account.ID) throws -> Relationship {
        var relationship = Relationship(account: account)
        if let accepted = try followState(viewer, account) {
            relationship.follows = accepted
            relationship.requested = !accepted
        }
        if let accepted = try followState(account, viewer) {
            relationship.isFollowedBy = accepted
            relationship.isRequestedBy = !accepted
        }
        relationship.blocks = try blocks(viewer, account)
        relationship.isBlockedBy = try blocks(account, viewer)
        return relationship
    }

    private func followState(_ follower: Account.ID, _ followee: Account.ID) throws -> Bool? {
        try transaction.row(
            "SELECT is_accepted FROM follows WHERE follower_id = $1 AND followee_id = $2", follower, followee
        ) { try $0.bool(0) }
    }
}
