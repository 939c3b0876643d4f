import Core
import People
import Storage

/// The pairs that a person keeps. The photos of the library contain their pictures; only the pairs contain the matches
/// that were shot for them.
struct ThenAndNowData: AccountData {
    private static let batch = 100

    let lists = [
        AccountDataList(
            "pairs",
            [
                ("photo_id", .id), ("made_at", .timeOfID), ("then_title", .text), ("then_author", .text),
                ("then_licence", .text), ("then_source_url", .text), ("then_date", .text),
                ("now_year", .integer), ("now_file", .text), ("alignment", .text), ("mode", .text),
            ],
            """
            SELECT photo_id AS place, photo_id, photo_id AS made_at, then_title, then_author, then_licence,
                then_source_url, then_date, now_year, 'pairs/' || photo_id || '-now.jpeg' AS now_file, alignment,
                mode
            FROM pairs WHERE owner_id = $1 AND photo_id > $2 ORDER BY photo_id LIMIT $3
            """)
    ]

    let files = [
        AccountDataFiles(
            """
            SELECT r.photo_id AS place, 'pairs/' || r.photo_id || '-now.jpeg' AS file, b.key, b.byte_count, b.sha256
            FROM pairs r
            JOIN pair_files f ON f.photo_id = r.photo_id AND f.variant = 'now.full'
            JOIN \(FileRow.table) b ON b.key = f.blob_key
            WHERE r.owner_id = $1 AND r.photo_id > $2 ORDER BY r.photo_id
            """)
    ]

    func erase(_ account: Account.ID, _ transaction: Transaction) throws -> Bool {
        let store = PairStore(transaction)
        let pairs = try store.pairs(of: account, limit: Self.batch)
        for id in pairs { try store.delete(id) }
        return pairs.isEmpty
    }
}

/// The use of photos in pairs. Pairs are shown only to their owner; other people see the photo in a post or a message.
struct ThenAndNowPhotoUse: PhotoUse {
    func shows(_ photo: Photo.ID, to viewer: Account.ID, _ transaction: Transaction) throws -> Bool { false }

    /// Returns nothing: a pair keeps copies of its two pictures, so it uses no photo.
    func uses(of photo: Photo.ID, _ transaction: Transaction) throws -> PhotoUses? { nil }

    func release(_ photo: Photo.ID, _ transaction: Transaction) throws {
        try PairStore(transaction).delete(photo)
    }

    func changed(_ photo: Photo.ID, _ transaction: Transaction) throws {}
}
