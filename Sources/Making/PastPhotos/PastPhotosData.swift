import Core
import Storage

/// A person's last search for old photos, with its results.
struct PastPhotosData: AccountData {
    let lists = [
        AccountDataList(
            "past_search",
            [
                ("made_at", .timeOfID), ("latitude", .decimal), ("longitude", .decimal),
                ("radius_metres", .integer), ("from_year", .integer), ("to_year", .integer),
                ("sources", .text),
            ],
            """
            SELECT id AS place, id AS made_at, latitude, longitude, radius AS radius_metres, from_year, to_year,
                sources
            FROM past_searches WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT $3
            """),
        AccountDataList(
            "past_photos",
            [
                ("source", .text), ("title", .text), ("author", .text), ("licence", .text), ("url", .text),
                ("date", .text), ("latitude", .decimal), ("longitude", .decimal),
                ("distance_metres", .integer),
            ],
            """
            SELECT id AS place, source_title AS source, title, author, licence, page_url AS url,
                date_words AS date, latitude, longitude, distance AS distance_metres
            FROM past_photos WHERE owner_id = $1 AND id > $2 ORDER BY id LIMIT $3
            """),
    ]

    func erase(_ account: Account.ID, _ transaction: Transaction) throws -> Bool {
        try !PastPhotoStore(transaction).erase(of: account)
    }
}
