import Foundation
import Storage

/// The SQL of accounts and of blocks.
struct AccountStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

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
                username = $6, username_folded = $7, covering = $8, banner_id = $9, fields = $10,
                is_discoverable = $11
            WHERE id = $1
            """,
            account.id, account.displayName, account.bio, account.portrait, account.approvesFollowers,
            account.username, AccountRules.folded(username: account.username), account.covering.rawValue,
            account.banner, account.fields.stored, account.isDiscoverable)
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
        try transaction.row("SELECT \(AccountRow.columns) FROM accounts a WHERE a.id = $1", id) {
            try AccountRow.account(from: $0)
        }
    }

    func account(username: String) throws -> Account? {
        try transaction.row(
            "SELECT \(AccountRow.columns) FROM accounts a WHERE a.username_folded = $1",
            AccountRules.folded(username: username)
        ) { try AccountRow.account(from: $0) }
    }

    /// The columns by which accounts are looked up.
    enum Key: String {
        case id
        case username = "username_folded"
    }

    /// Returns an account that `viewer` may see: it isn't suspended, and neither blocks the other; or their own.
    func account(whose key: Key, is value: some SQLConvertible, for viewer: Account.ID) throws -> Account? {
        try transaction.row(
            """
            SELECT \(AccountRow.columns) FROM accounts a
            WHERE a.\(key.rawValue) = $2 AND (a.id = $1 OR (\(AccountRow.isVisible)))
            """, viewer, value
        ) { try AccountRow.account(from: $0) }
    }

    /// Returns the accounts with one of some keys that `viewer` may see, or that anyone may see when it is nil.
    func accounts<Value: SQLConvertible & Hashable>(
        whose key: Key, isOneOf values: Set<Value>, for viewer: Account.ID?
    ) throws -> [Account] {
        try visible(AccountRow.columns, whose: key, isOneOf: values, for: viewer) {
            try AccountRow.account(from: $0)
        }
    }

    /// Returns the accounts with one of some folded names that `viewer` may see, or that anyone may see when it is nil,
    /// each with that name.
    func mentions(
        named names: Set<String>, for viewer: Account.ID?
    ) throws -> [(name: String, Caption.Mention)] {
        try visible("a.id, a.username, a.username_folded", whose: .username, isOneOf: names, for: viewer) {
            (
                try $0.string("username_folded"),
                Caption.Mention(id: ID(rawValue: try $0.int64("id")), username: try $0.string("username"))
            )
        }
    }

    private func visible<Value: SQLConvertible & Hashable, T>(
        _ columns: String, whose key: Key, isOneOf values: Set<Value>, for viewer: Account.ID?,
        map: (Row) throws -> T
    ) throws -> [T] {
        try transaction.rows(
            for: values, after: [viewer?.rawValue ?? 0],
            {
                """
                SELECT \(columns) FROM accounts a
                WHERE a.\(key.rawValue) IN (\($0)) AND \(AccountRow.isVisible)
                """
            }, map: map)
    }

    /// Returns the existing accounts among some ids, at most a page.
    func accounts(_ ids: some Sequence<Account.ID>) throws -> [Account.ID: Account] {
        let accounts = try transaction.rows(for: Set(ids)) { places in
            "SELECT \(AccountRow.columns) FROM accounts a WHERE a.id IN (\(places))"
        } map: {
            try AccountRow.account(from: $0)
        }
        return Dictionary(uniqueKeysWithValues: accounts.map { ($0.id, $0) })
    }

    /// Returns the epoch of an account's picture URLs; nil when there is no such account or it is suspended.
    func pictureEpoch(of account: Account.ID) throws -> Int64? {
        try transaction.value(
            "SELECT picture_epoch FROM accounts WHERE id = $1 AND is_suspended = 0", account)
    }

    /// Begins a new epoch, so that picture URLs signed for the account before are invalid. Returns the epoch.
    func beginPictureEpoch(of account: Account.ID) throws -> Int64 {
        // An id, so that an epoch is never used twice, even after a backup was restored.
        let epoch = transaction.newID()
        try transaction.execute("UPDATE accounts SET picture_epoch = $2 WHERE id = $1", account, epoch)
        return epoch
    }

    /// Begins a new epoch in what an account may see of others. Returns the epoch.
    func beginSightEpoch(of account: Account.ID) throws -> Int64 {
        // An id, for the same reason as that of picture URLs.
        let epoch = transaction.newID()
        try transaction.execute("UPDATE accounts SET sight_epoch = $2 WHERE id = $1", account, epoch)
        return epoch
    }

    func password(of account: Account.ID) throws -> String? {
        try transaction.value("SELECT password FROM accounts WHERE id = $1", account)
    }

    // MARK: Counts

    func count() throws -> Int {
        try transaction.value("SELECT count(*) FROM accounts") ?? 0
    }

    func countFollows(of followers: [Account.ID], _ followee: Account.ID) throws {
        try transaction.execute(
            "UPDATE accounts SET followers_count = followers_count + $2 WHERE id = $1", followee,
            followers.count)
        // There may be thousands of followers.
        try transaction.inPortions(followers) { places, arguments in
            try transaction.execute(
                "UPDATE accounts SET following_count = following_count + 1 WHERE id IN (\(places))",
                arguments: arguments)
        }
    }

    func changeFollowCounts(_ follower: Account.ID, _ followee: Account.ID, by change: Int) throws {
        try transaction.execute(
            "UPDATE accounts SET following_count = following_count + $2 WHERE id = $1", follower, change)
        try transaction.execute(
            "UPDATE accounts SET followers_count = followers_count + $2 WHERE id = $1", followee, change)
    }

    /// Counts a post, which is the newest if its id is the highest so far.
    func countPost(_ id: Int64, by author: Account.ID) throws {
        try transaction.execute(
            """
            UPDATE accounts SET posts_count = posts_count + 1,
                newest_post_id = CASE WHEN newest_post_id < $2 THEN $2 ELSE newest_post_id END
            WHERE id = $1
            """, author, id)
    }

    /// Removes a post from the count.
    func uncountPost(by author: Account.ID, newest: Int64) throws {
        try transaction.execute(
            "UPDATE accounts SET posts_count = posts_count - 1, newest_post_id = $2 WHERE id = $1", author,
            newest)
    }

    // MARK: Suspending and deleting

    func setSuspended(_ isSuspended: Bool, _ account: Account.ID) throws {
        try transaction.execute("UPDATE accounts SET is_suspended = $2 WHERE id = $1", account, isSuspended)
    }

    /// Returns a page of all accounts whose username begins with `prefix`, including suspended ones, by username.
    func everyone(_ prefix: String, after username: String, limit: Int) throws -> [Account] {
        // The unique index on username_folded.
        try transaction.rows(
            """
            SELECT \(AccountRow.columns) FROM accounts a
            WHERE a.username_folded >= $1 AND a.username_folded < $2 AND a.username_folded > $3
            ORDER BY a.username_folded LIMIT $4
            """, prefix, prefix + AccountRow.lastCharacter, username, limit
        ) { try AccountRow.account(from: $0) }
    }

    /// Hides an account for good: nobody finds it, nobody can log in, and its name is free.
    ///
    /// The account's new name contains a character that nobody can choose.
    func abandon(_ account: Account.ID) throws {
        try transaction.execute(
            """
            UPDATE accounts SET is_suspended = 1, is_admin = 0, password = '', username = $2, username_folded = $2,
                display_name = 'Deleted account', bio = '', fields = ''
            WHERE id = $1
            """, account, Self.abandonedName(account))
        try transaction.execute("DELETE FROM account_terms WHERE account_id = $1", account)
    }

    private static func abandonedName(_ account: Account.ID) -> String { "deleted-\(account)" }

    /// Returns whether an account doesn't exist, or is hidden for good.
    func isAbandoned(_ account: Account.ID) throws -> Bool {
        let name = try transaction.value(
            "SELECT username_folded FROM accounts WHERE id = $1", account, as: String.self)
        return name == nil || name == Self.abandonedName(account)
    }

    func delete(_ account: Account.ID) throws {
        try transaction.execute("DELETE FROM accounts WHERE id = $1", account)
    }

    /// Returns whether an account is the only administrator although other people use the server.
    func isLastAdministrator(_ account: Account.ID) throws -> Bool {
        guard try !hasAdministrator(besides: account) else { return false }
        return try transaction.row(
            "SELECT 1 FROM accounts WHERE id <> $1 AND is_suspended = 0 LIMIT 1", account
        ) { _ in true } ?? false
    }

    /// Returns whether there is another administrator.
    func hasAdministrator(besides account: Account.ID) throws -> Bool {
        try transaction.row(
            "SELECT 1 FROM accounts WHERE id <> $1 AND is_admin = 1 AND is_suspended = 0 LIMIT 1", account
        ) { _ in true } ?? false
    }

    /// Returns all administrators, including suspended ones, by username.
    func administrators() throws -> [Account] {
        // accounts_administrators
        try transaction.rows(
            "SELECT \(AccountRow.columns) FROM accounts a WHERE a.is_admin = 1 ORDER BY a.username_folded"
        ) { try AccountRow.account(from: $0) }
    }

    func setAdministrator(_ isAdmin: Bool, _ account: Account.ID) throws {
        try transaction.execute("UPDATE accounts SET is_admin = $2 WHERE id = $1", account, isAdmin)
    }
}
