import Storage

/// The SQL of blocks. ``AccountRow`` has the conditions by which blocks hide people.
extension AccountStore {
    func blocks(_ blocker: Account.ID, _ blocked: Account.ID) throws -> Bool {
        try transaction.row(
            "SELECT 1 FROM blocks WHERE blocker_id = $1 AND blocked_id = $2", blocker, blocked
        ) { _ in true } ?? false
    }

    /// Returns whether one of two people blocks the other.
    func haveBlock(_ one: Account.ID, _ other: Account.ID) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 FROM blocks WHERE (blocker_id = $1 AND blocked_id = $2) OR (blocker_id = $2 AND blocked_id = $1)
            LIMIT 1
            """, one, other
        ) { _ in true } ?? false
    }

    func insertBlock(_ blocker: Account.ID, _ blocked: Account.ID) throws {
        try transaction.execute(
            """
            INSERT INTO blocks (blocker_id, blocked_id, id) VALUES ($1, $2, $3)
            ON CONFLICT (blocker_id, blocked_id) DO NOTHING
            """, blocker, blocked, transaction.newID())
    }

    /// Deletes a block. Returns whether there was one.
    func deleteBlock(_ blocker: Account.ID, _ blocked: Account.ID) throws -> Bool {
        try transaction.execute(
            "DELETE FROM blocks WHERE blocker_id = $1 AND blocked_id = $2", blocker, blocked) > 0
    }

    /// Returns the accounts that an account blocks, and those that block it.
    func separated(from account: Account.ID) throws -> [Account.ID] {
        try transaction.values(
            """
            SELECT blocked_id FROM blocks WHERE blocker_id = $1
            UNION SELECT blocker_id FROM blocks WHERE blocked_id = $1
            """, account)
    }

    /// Returns the blocks between some accounts.
    func blocks(
        among accounts: Set<Account.ID>
    ) throws -> [(blocker: Account.ID, blocked: Account.ID)] {
        try transaction.rows(for: accounts.sorted(), of: max(1, accounts.count)) { places in
            """
            SELECT blocker_id, blocked_id FROM blocks
            WHERE blocker_id IN (\(places)) AND blocked_id IN (\(places)) ORDER BY blocker_id, blocked_id
            """
        } map: {
            (ID(rawValue: try $0.int64("blocker_id")), ID(rawValue: try $0.int64("blocked_id")))
        }
    }

    func blockedCount(by account: Account.ID) throws -> Int {
        try transaction.value("SELECT count(*) FROM blocks WHERE blocker_id = $1", account) ?? 0
    }

    func blocked(by account: Account.ID, page: PageRequest) throws -> [(Int64, Account)] {
        try page.rows(
            idColumn: "b.id",
            """
            SELECT b.id, \(AccountRow.columns) FROM blocks b JOIN accounts a ON a.id = b.blocked_id
            WHERE b.blocker_id = $1
            """, arguments: [account], transaction
        ) { (try $0.int64("id"), try AccountRow.account(from: $0)) }
    }
}

// Blocks, and counts of follows, in transactions of the service of relationships.
extension AccountRecords {
    /// Returns whether someone blocks someone else.
    package func blocks(_ blocker: Account.ID, _ blocked: Account.ID) throws -> Bool {
        try AccountStore(transaction).blocks(blocker, blocked)
    }

    /// Inserts a block, unless it exists.
    package func insertBlock(_ blocker: Account.ID, _ blocked: Account.ID) throws {
        try AccountStore(transaction).insertBlock(blocker, blocked)
    }

    /// Deletes a block. Returns whether there was one.
    package func deleteBlock(_ blocker: Account.ID, _ blocked: Account.ID) throws -> Bool {
        try AccountStore(transaction).deleteBlock(blocker, blocked)
    }

    /// Returns how many people an account blocks.
    package func blockedCount(by account: Account.ID) throws -> Int {
        try AccountStore(transaction).blockedCount(by: account)
    }

    /// Returns a page of the accounts that an account blocks, newest first, with the id by which each row is paged.
    package func blocked(by account: Account.ID, page: PageRequest) throws -> [(Int64, Account)] {
        try AccountStore(transaction).blocked(by: account, page: page)
    }

    /// Returns the accounts that an account blocks, and those that block it.
    package func separatedByBlock(from account: Account.ID) throws -> [Account.ID] {
        try AccountStore(transaction).separated(from: account)
    }

    /// Returns the blocks between some accounts, as few as a group has.
    package func blocks(
        among accounts: Set<Account.ID>
    ) throws -> [(blocker: Account.ID, blocked: Account.ID)] {
        try AccountStore(transaction).blocks(among: accounts)
    }

    /// Counts follows of one account that begin together.
    package func countFollows(of followers: [Account.ID], _ followee: Account.ID) throws {
        try AccountStore(transaction).countFollows(of: followers, followee)
    }

    /// Counts a follow that began (`change` 1) or ended (-1).
    package func countFollow(_ follower: Account.ID, _ followee: Account.ID, by change: Int) throws {
        try AccountStore(transaction).changeFollowCounts(follower, followee, by: change)
    }
}
