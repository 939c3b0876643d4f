import Core
import Storage

/// The collages that a person keeps: their recipes, and the photos that the person gave for collages of others.
struct CollagesData: AccountData {
    private static let batch = 100

    let lists = [
        AccountDataList(
            "collages",
            [
                ("id", .id), ("begun_at", .timeOfID), ("layout", .text), ("background", .text),
                ("spacing", .integer), ("corner_radius", .integer), ("photo_id", .id),
            ],
            """
            SELECT id AS place, id, id AS begun_at, layout, background, spacing, corner_radius, photo_id
            FROM collages WHERE owner_id = $1 AND id > $2 ORDER BY id LIMIT $3
            """),
        AccountDataList(
            "collage_photos", [("photo_id", .id), ("collages", .integer)],
            """
            SELECT k.photo_id AS place, k.photo_id AS photo_id, count(*) AS collages
            FROM collage_cells k JOIN collages c ON c.id = k.collage_id
            WHERE k.giver_id = $1 AND k.photo_id > $2 AND (c.copied_from IS NULL OR c.owner_id = $1)
            GROUP BY k.photo_id ORDER BY k.photo_id LIMIT $3
            """),
    ]

    func erase(_ account: Account.ID, _ transaction: Transaction) throws -> Bool {
        let store = CollageStore(transaction)
        let collages = try store.collages(ownedBy: account, limit: Self.batch)
        for id in collages { try store.delete(id) }
        return collages.isEmpty
    }
}
