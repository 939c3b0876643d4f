import Core
import Storage

/// Follows, for the statements of any feature. Nothing outside this folder names the table.
package enum FollowRow {
    package static let table = "follows"
}

/// The people among whom a search looks.
package enum SearchScope {
    case everyone
    /// People whom the viewer follows.
    case followed
    /// The viewer's friends.
    case friends

    /// The joins that limit the accounts `a` to those among whom the viewer `$1` searches.
    var joins: String {
        let followed = "JOIN follows f ON f.follower_id = $1 AND f.followee_id = a.id AND f.is_accepted = 1"
        let follows = "JOIN follows g ON g.follower_id = a.id AND g.followee_id = $1 AND g.is_accepted = 1"
        return switch self {
        case .everyone: ""
        case .followed: followed
        case .friends: "\(followed) \(follows)"
        }
    }
}

/// The SQL of follows, and of follow requests.
struct FollowStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    // MARK: Writing

    /// Inserts a follow or a request. Returns whether anything changed. The caller updates the counts.
    func insertFollow(_ follower: Account.ID, _ followee: Account.ID, accepted: Bool) throws -> Bool {
        try transaction.execute(
            """
            INSERT INTO follows (follower_id, followee_id, id, is_accepted) VALUES ($1, $2, $3, $4)
            ON CONFLICT (follower_id, followee_id) DO NOTHING
            """, follower, followee, transaction.newID(), accepted) > 0
    }

    /// Deletes a follow or a request. Returns whether it had been accepted; nil when there was neither.
    func deleteFollow(_ follower: Account.ID, _ followee: Account.ID) throws -> Bool? {
        try transaction.value(
            "DELETE FROM follows WHERE follower_id = $1 AND followee_id = $2 RETURNING is_accepted",
            follower, followee)
    }

    /// Accepts a waiting request. Returns whether there was one.
    func acceptFollow(_ follower: Account.ID, _ followee: Account.ID) throws -> Bool {
        try transaction.execute(
            "UPDATE follows SET is_accepted = 1 WHERE follower_id = $1 AND followee_id = $2 AND is_accepted = 0",
            follower, followee) > 0
    }

    /// Deletes a waiting request. Returns whether there was one.
    func deleteFollowRequest(_ follower: Account.ID, _ followee: Account.ID) throws -> Bool {
        try transaction.execute(
            "DELETE FROM follows WHERE follower_id = $1 AND followee_id = $2 AND is_accepted = 0",
            follower, followee) > 0
    }

    /// Accepts all waiting requests. Returns the new followers.
    func acceptAllFollows(of followee: Account.ID) throws -> [Account.ID] {
        try transaction.values(
            "UPDATE follows SET is_accepted = 1 WHERE followee_id = $1 AND is_accepted = 0 RETURNING follower_id",
            followee)
    }

    /// Returns the number of waiting requests, counted up to a thousand.
    func followRequestsCount(to followee: Account.ID) throws -> Int {
        try transaction.value(
            """
            SELECT count(*) FROM (SELECT 1 FROM follows f JOIN \(AccountRow.table) a ON a.id = f.follower_id
                WHERE f.followee_id = $1 AND f.is_accepted = 0 AND a.is_suspended = 0 LIMIT 1000) AS few
            """, followee) ?? 0
    }

    /// Returns a batch of follows and requests from or to an account, in no particular order.
    func anyFollows(of account: Account.ID, limit: Int) throws -> [(Account.ID, Account.ID)] {
        let ends = ["follower_id", "followee_id"]
        return try ends.flatMap { end in
            try transaction.rows(
                "SELECT follower_id, followee_id FROM follows WHERE \(end) = $1 LIMIT $2", account, limit
            ) { (ID(rawValue: try $0.int64("follower_id")), ID(rawValue: try $0.int64("followee_id"))) }
        }
    }

    // MARK: Reading

    /// Returns a page of the followers of an account, newest first, with the follow's id for paging.
    func followers(of account: Account.ID, viewer: Account.ID, page: PageRequest) throws -> [(Int64, Account)]
    {
        try follows(of: account, own: "followee_id", other: "follower_id", accepted: true, viewer, page)
    }

    func following(of account: Account.ID, viewer: Account.ID, page: PageRequest) throws -> [(Int64, Account)]
    {
        try follows(of: account, own: "follower_id", other: "followee_id", accepted: true, viewer, page)
    }

    /// Returns the people whom `viewer` follows and who follow `account`, the newest followers first.
    func mutuals(of account: Account.ID, viewer: Account.ID, limit: Int) throws -> [Account] {
        // follows_by_follower of the viewer, who follows at most 7,500 people; then the primary key.
        try transaction.rows(
            """
            SELECT \(AccountRow.columns) FROM follows v JOIN \(AccountRow.table) a ON a.id = v.followee_id
            JOIN follows f ON f.follower_id = v.followee_id AND f.followee_id = $2 AND f.is_accepted = 1
            WHERE v.follower_id = $1 AND v.is_accepted = 1 AND \(AccountRow.isVisible)
            ORDER BY v.id DESC LIMIT $3
            """, viewer, account, limit
        ) { try AccountRow.account(from: $0) }
    }

    func followRequests(to account: Account.ID, page: PageRequest) throws -> [(Int64, Account)] {
        try follows(of: account, own: "followee_id", other: "follower_id", accepted: false, account, page)
    }

    private func follows(
        of account: Account.ID, own: String, other: String, accepted: Bool, _ viewer: Account.ID,
        _ page: PageRequest
    ) throws -> [(Int64, Account)] {
        try page.rows(
            idColumn: "f.id",
            """
            SELECT f.id, \(AccountRow.columns) FROM follows f JOIN \(AccountRow.table) a ON a.id = f.\(other)
            WHERE f.\(own) = $1 AND f.is_accepted = $2 AND \(AccountRow.isVisible(to: "$3"))
            """, arguments: [account, accepted, viewer], transaction
        ) { (try $0.int64("id"), try AccountRow.account(from: $0)) }
    }

    func relationship(of viewer: Account.ID, to account: Account.ID) throws -> Relationship {
        try relationships(of: viewer, to: [account])[account] ?? Relationship(account: account)
    }

    /// Returns how one person relates to others, at most a page, as far as these exist.
    func relationships(
        of viewer: Account.ID, to others: some Sequence<Account.ID>
    ) throws -> [Account.ID: Relationship] {
        let found = try transaction.rows(for: Set(others), after: [viewer]) { places in
            """
            SELECT a.id, f.is_accepted AS follow, g.is_accepted AS follow_back, f.featured_id,
                \(AccountRow.blockColumns),
                \(MuteRow.columns), nt.text AS note
            FROM \(AccountRow.table) a
            LEFT JOIN follows f ON f.follower_id = $1 AND f.followee_id = a.id
            LEFT JOIN follows g ON g.follower_id = a.id AND g.followee_id = $1
            LEFT JOIN \(MuteRow.table) mu ON mu.account_id = $1 AND mu.muted_id = a.id
            LEFT JOIN \(NoteStore.table) nt ON nt.account_id = $1 AND nt.noted_id = a.id
            WHERE a.id IN (\(places))
            """
        } map: {
            try Self.relationship(from: $0)
        }
        return Dictionary(uniqueKeysWithValues: found.map { ($0.account, $0) })
    }

    private static func relationship(from row: Row) throws -> Relationship {
        let follow: Bool? = try row.get("follow")
        let followBack: Bool? = try row.get("follow_back")
        return Relationship(
            account: ID(rawValue: try row.int64("id")),
            follows: follow == true, requested: follow == false,
            isFollowedBy: followBack == true, isRequestedBy: followBack == false,
            blocks: try row.bool("blocks"), isBlockedBy: try row.bool("is_blocked_by"),
            mute: row.isNull("hides_notifications") ? nil : try MuteRow.mute(from: row),
            note: try row.optionalString("note") ?? "", isFeatured: !row.isNull("featured_id"))
    }
}
