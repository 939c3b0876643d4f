import Core
import Storage

/// The data of a person's photos. Their originals are in the download as files, with the names that the list contains.
struct PhotosData: AccountData {
    /// The features that show photos and have to release them.
    let uses: Registry<any PhotoUse>

    private static let batch = 25

    let lists = [
        AccountDataList(
            "photos",
            [
                ("id", .id), ("added_at", .timeOfID), ("file", .text), ("kind", .text),
                ("description", .text),
                ("width", .integer), ("height", .integer), ("captured_at", .date), ("latitude", .decimal),
                ("longitude", .decimal),
                ("focus_x", .decimal), ("focus_y", .decimal),
            ],
            """
            SELECT id AS place, id, id AS added_at, 'photos/' || id || '.' || format AS file, kind, description,
                width, height, captured_at, latitude, longitude, focus_x, focus_y
            FROM photos WHERE owner_id = $1 AND id > $2 ORDER BY id LIMIT $3
            """)
    ]

    let files = [
        AccountDataFiles(
            """
            SELECT ph.id AS place, 'photos/' || ph.id || '.' || ph.format AS file, b.key, b.byte_count, b.sha256
            FROM photos ph
            JOIN photo_files f ON f.photo_id = ph.id AND f.variant = 'original'
            JOIN \(FileRow.table) b ON b.key = f.blob_key
            WHERE ph.owner_id = $1 AND ph.id > $2 ORDER BY ph.id
            """)
    ]

    func erase(_ account: Account.ID, _ transaction: Transaction) throws -> Bool {
        let store = PhotoStore(transaction)
        let photos = try store.photos(of: account, limit: Self.batch)
        for id in photos {
            for use in uses.all { try use.release(id, transaction) }
            try store.delete(id)
        }
        let uploads = try SingleUseMediaRecords(transaction).eraseSome(of: account, limit: Self.batch)
        return photos.isEmpty && uploads == 0
    }
}
