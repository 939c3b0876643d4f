import Core
import Storage

/// The data that snaps keep of a person: the snaps that they posted, and the snaps of others that they have seen.
///
/// The download lists the snaps, and never contains a picture.
struct SnapsData: AccountData {
    private static let batch = 50

    let lists = [
        AccountDataList(
            "snaps",
            [
                ("id", .id), ("posted_at", .timeOfID), ("feed", .text), ("expires_at", .date),
                ("viewers_count", .integer),
            ],
            """
            SELECT id AS place, id, id AS posted_at, feed, expires_at, viewers_count FROM snaps
            WHERE poster_id = $1 AND id > $2 ORDER BY id LIMIT $3
            """)
    ]

    func erase(_ account: Account.ID, _ transaction: Transaction) throws -> Bool {
        let store = SnapStore(transaction)
        let snaps = try store.snaps(of: account, limit: Self.batch)
        for id in snaps { try store.delete(id) }
        let views = try store.deleteViews(by: account, limit: Self.batch)
        return snaps.isEmpty && views == 0
    }
}
