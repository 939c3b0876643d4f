import Core
import Feeds
import People
import Storage

/// The photos and posts that people bring along from other services.
struct ImportingFeature: Feature {
    static let tables = [FeatureTable("imported_items", accounts: ["account_id": .deleted])]

    let importer: Importer

    init(_ app: AppParts, photos: PhotosFeature, posts: PostsFeature) {
        importer = Importer(
            database: app.database, blobs: app.blobs, photos: photos.photos, posts: posts.posts)
    }

    var accountData: (any AccountData)? { ImportData() }
}

/// What a person has brought along, for their download. The rows go with the account.
private struct ImportData: AccountData {
    let lists = [
        AccountDataList(
            "imported",
            [
                ("service", .text), ("item", .text), ("imported_at", .timeOfID), ("photo_id", .id),
                ("post_id", .id),
            ],
            """
            SELECT id AS place, source AS service, key AS item, id AS imported_at, photo_id, post_id
            FROM imported_items WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT $3
            """)
    ]

    func erase(_ account: Account.ID, _ transaction: Transaction) -> Bool { true }
}
