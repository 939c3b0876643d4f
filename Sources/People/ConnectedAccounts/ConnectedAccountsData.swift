import Core
import Storage

/// The data of a person's connected account, and of what was published there. No download contains tokens.
struct ConnectedAccountsData: AccountData {
    let listeners: CrossPostListeners

    private static let batch = 50

    let lists = [
        AccountDataList(
            "connected_account", [("username", .text), ("profile", .text), ("connected_at", .timeOfID)],
            """
            SELECT id AS place, username, profile_url AS profile, id AS connected_at FROM connected_accounts
            WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT $3
            """),
        AccountDataList(
            "posts_elsewhere",
            [
                ("server", .text), ("text", .text), ("description", .text), ("asked_at", .timeOfID),
                ("result", .text), ("url", .text),
            ],
            """
            SELECT id AS place, server, text, description, id AS asked_at, ending AS result, url FROM cross_posts
            WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT $3
            """),
    ]

    func erase(_ account: Account.ID, _ transaction: Transaction) throws -> Bool {
        let wasConnected = try ConnectedAccountRecords(transaction).disconnect(account, listeners)
        let posts = try CrossPostStore(transaction).delete(of: account, limit: Self.batch)
        return !wasConnected && posts == 0
    }
}
