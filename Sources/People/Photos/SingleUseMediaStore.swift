import Core
import Foundation
import Imaging
import Storage

/// The SQL of uploads that wait for their one use.
struct SingleUseMediaStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    private static let columns =
        "id, owner_id, purpose, description, width, height, blurhash, colour, format, expires_at, captured_at"

    private static func media(from row: Row) throws -> SingleUseMedia {
        SingleUseMedia(
            id: ID(rawValue: try row.int64("id")), owner: ID(rawValue: try row.int64("owner_id")),
            purpose: try row.string("purpose"), description: try row.string("description"),
            width: try row.int("width"),
            height: try row.int("height"), blurhash: try row.string("blurhash"),
            colour: try row.string("colour"), format: try row.string("format"),
            capturedAt: try row.optionalDate("captured_at"), expiresAt: try row.date("expires_at"))
    }

    func insert(
        _ picture: StoredPicture, owner: Account.ID, purpose: SingleUseMedia.Purpose, description: String
    ) throws -> SingleUseMedia {
        let facts = picture.facts
        var media = SingleUseMedia(
            id: ID(rawValue: transaction.newID()), owner: owner, purpose: purpose.name,
            description: description,
            width: facts.width, height: facts.height, blurhash: purpose.keepsImpression ? facts.blurhash : "",
            colour: purpose.keepsImpression ? facts.placeholder : "", format: facts.format.rawValue,
            capturedAt: purpose.keepsDate ? facts.capture.date : nil,
            expiresAt: transaction.now.addingTimeInterval(SingleUseMedia.lifetime))
        try transaction.execute(
            """
            INSERT INTO single_use_media (\(Self.columns))
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            """,
            media.id, owner, media.purpose, description, media.width, media.height, media.blurhash,
            media.colour, media.format, media.expiresAt, media.capturedAt)
        for file in picture.files {
            try transaction.insertFile(file.blob, of: owner)
            try transaction.execute(
                """
                INSERT INTO single_use_media_files (media_id, variant, blob_key, width, height)
                VALUES ($1, $2, $3, $4, $5)
                """, media.id, file.variant, file.blob.key, file.width, file.height)
            media.files.append(
                .init(variant: file.variant, key: file.blob.key, width: file.width, height: file.height))
        }
        return media
    }

    func media(_ id: SingleUseMedia.ID) throws -> SingleUseMedia? {
        let found = try transaction.row("SELECT \(Self.columns) FROM single_use_media WHERE id = $1", id) {
            try Self.media(from: $0)
        }
        guard var media = found else { return nil }
        media.files = try transaction.rows(
            "SELECT variant, blob_key, width, height FROM single_use_media_files WHERE media_id = $1", id
        ) { try KeptFile(from: $0) }
        return media
    }

    /// Returns how many uploads of an account wait.
    func count(of owner: Account.ID) throws -> Int {
        try transaction.value("SELECT count(*) FROM single_use_media WHERE owner_id = $1", owner) ?? 0
    }

    func all(of owner: Account.ID, limit: Int) throws -> [SingleUseMedia.ID] {
        try transaction.values("SELECT id FROM single_use_media WHERE owner_id = $1 LIMIT $2", owner, limit)
    }

    /// Deletes the upload; its files stay. Returns whether there was one.
    func delete(_ id: SingleUseMedia.ID) throws -> Bool {
        try transaction.execute("DELETE FROM single_use_media_files WHERE media_id = $1", id)
        return try transaction.execute("DELETE FROM single_use_media WHERE id = $1", id) > 0
    }

    /// Deletes all uploads, for the copy in a backup.
    func deleteAll() throws {
        try transaction.execute("DELETE FROM single_use_media")
    }

    /// Deletes the upload and schedules the erasure of its files.
    func erase(_ media: SingleUseMedia) throws {
        _ = try delete(media.id)
        for file in media.files { try transaction.eraseFile(file.key) }
    }
}
