import Foundation
import Imaging
import Serving
import Storage

/// The SQL of portraits.
struct PortraitStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    func insert(_ picture: StoredPicture, of account: Account.ID) throws -> Portrait.ID {
        let id = Portrait.ID(rawValue: transaction.newID())
        try transaction.execute("INSERT INTO portraits (id, account_id) VALUES ($1, $2)", id, account)
        for file in picture.files {
            try transaction.insertFile(file.blob, of: account)
            try transaction.execute(
                "INSERT INTO portrait_files (portrait_id, variant, blob_key) VALUES ($1, $2, $3)",
                id, file.variant, file.blob.key)
        }
        return id
    }

    /// Deletes a portrait and schedules the erasure of its files.
    func delete(_ id: Portrait.ID) throws {
        let keys = try transaction.values(
            "SELECT blob_key FROM portrait_files WHERE portrait_id = $1", id, as: BlobKey.self)
        try transaction.execute("DELETE FROM portraits WHERE id = $1", id)
        for key in keys { try transaction.eraseFile(key) }
    }

    /// Returns all portraits that an account has, including replaced ones that aren't erased yet.
    func portraits(of account: Account.ID) throws -> [Portrait.ID] {
        try transaction.values("SELECT id FROM portraits WHERE account_id = $1", account)
    }

    /// Returns the largest JPEG of an account's current portrait.
    func jpeg(of account: Account.ID) throws -> StoredBlob? {
        try transaction.row(
            """
            SELECT b.key, b.byte_count, b.sha256 FROM accounts a
            JOIN portrait_files f ON f.portrait_id = a.portrait_id AND f.variant = $2
            JOIN \(FileRow.table) b ON b.key = f.blob_key
            WHERE a.id = $1
            """, account, "\(Portrait.Size.large.rawValue).\(RenditionFormat.jpeg.rawValue)"
        ) {
            StoredBlob(
                key: try $0.get("key"), byteCount: try $0.int("byte_count"), sha256: try $0.bytes("sha256"))
        }
    }

    /// Returns the file of a portrait, and its owner.
    func blob(_ id: Portrait.ID, variant: String) throws -> (key: BlobKey, owner: Account.ID)? {
        try transaction.row(
            """
            SELECT f.blob_key, p.account_id FROM portrait_files f JOIN portraits p ON p.id = f.portrait_id
            WHERE f.portrait_id = $1 AND f.variant = $2
            """, id, variant
        ) { (try $0.get("blob_key"), ID(rawValue: try $0.int64("account_id"))) }
    }
}

/// The service that stores and serves portraits.
package final class PortraitService: Sendable {
    /// A received picture, and the square of it that the person chose.
    package struct Upload: Sendable {
        package var file: IncomingBlob
        var crop: CropSquare?

        package init(file: IncomingBlob, crop: CropSquare? = nil) {
            self.file = file
            self.crop = crop
        }
    }

    private let database: Database
    private let intake: PictureIntake

    init(database: Database, intake: PictureIntake) {
        self.database = database
        self.intake = intake
    }

    /// Makes the squares of a portrait; returns nil for no upload. The files belong to no row until ``keep(_:)``.
    ///
    /// - Parameter owner: the owner who is charged for the work.
    func process(_ upload: Upload?, for owner: PictureOwner) async throws -> StoredPicture? {
        guard let upload else { return nil }
        do {
            return try await intake.take(
                upload.file, for: owner, renditions: RenditionSpec.portrait, crop: upload.crop,
                keepsOriginal: false)
        } catch let error as ImageError {
            throw Refusal(imageError: error, field: "portrait")
        }
    }

    /// Notes that a committed row names the picture's files.
    func keep(_ picture: StoredPicture?) async {
        if let picture { await intake.keep(picture) }
    }

    /// Erases the files of a picture whose transaction failed, unless it may have been committed.
    func discard(_ picture: StoredPicture?, after error: any Error) async {
        if let picture { await intake.discard(picture.files.map(\.blob), after: error) }
    }

    /// Returns the file of a portrait.
    ///
    /// - Parameter viewer: the person who asks, if known. Administrators see every portrait.
    /// - Throws: ``Refusal`` (404) when there is no such portrait, its account is suspended, or its owner blocks the
    ///   viewer.
    package func blob(
        _ id: Portrait.ID, _ size: Portrait.Size, _ format: RenditionFormat, for viewer: Account?
    ) async throws -> BlobKey {
        try await database.read { transaction in
            let found = try PortraitStore(transaction)
                .blob(id, variant: "\(size.rawValue).\(format.rawValue)")
            guard let found else { throw Refusal.notFound }
            _ = try AccountRecords(transaction).face(of: found.owner, for: viewer)
            return found.key
        }
    }
}
