import Foundation
import Imaging
import Serving
import Storage

/// The SQL of portraits and banners.
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

    /// Carries out what a change does to a picture of an account. Returns the account's picture after the change.
    ///
    /// - Parameter made: the picture made of the chosen file; nil for none.
    func change(
        _ old: Portrait.ID?, by change: PictureChange, _ made: StoredPicture?, of account: Account.ID
    ) throws -> Portrait.ID? {
        if case .kept = change { return old }
        if let old { try delete(old) }
        return try made.map { try insert($0, of: account) }
    }

    /// Deletes a portrait or banner and schedules the erasure of its files.
    func delete(_ id: Portrait.ID) throws {
        let keys = try transaction.values(
            "SELECT blob_key FROM portrait_files WHERE portrait_id = $1", id, as: BlobKey.self)
        try transaction.execute("DELETE FROM portraits WHERE id = $1", id)
        for key in keys { try transaction.eraseFile(key) }
    }

    /// Returns all portraits and banners of an account.
    func portraits(of account: Account.ID) throws -> [Portrait.ID] {
        try transaction.values("SELECT id FROM portraits WHERE account_id = $1", account)
    }

    /// Returns the largest JPEGs of an account's portrait and banner, as far as it has them, with their variants.
    func jpegs(of account: Account.ID) throws -> [(variant: String, blob: StoredBlob)] {
        try transaction.rows(
            """
            SELECT f.variant, b.key, b.byte_count, b.sha256 FROM portraits p
            JOIN portrait_files f ON f.portrait_id = p.id AND f.variant IN ($2, $3)
            JOIN \(FileRow.table) b ON b.key = f.blob_key
            WHERE p.account_id = $1 ORDER BY p.id
            """, account, Portrait.Size.large.variant(.jpeg), Portrait.Size.banner.variant(.jpeg)
        ) {
            (
                try $0.string("variant"),
                StoredBlob(
                    key: try $0.get("key"), byteCount: try $0.int("byte_count"),
                    sha256: try $0.bytes("sha256"))
            )
        }
    }

    /// Returns the file of a portrait or banner, and its owner.
    func blob(_ id: Portrait.ID, variant: String) throws -> (key: BlobKey, owner: Account.ID)? {
        try transaction.row(
            """
            SELECT f.blob_key, p.account_id FROM portrait_files f JOIN portraits p ON p.id = f.portrait_id
            WHERE f.portrait_id = $1 AND f.variant = $2
            """, id, variant
        ) { (try $0.get("blob_key"), ID(rawValue: try $0.int64("account_id"))) }
    }
}

/// What a change does to a portrait or banner.
package enum PictureChange: Sendable {
    case kept, removed
    case chosen(PortraitService.Upload)

    /// Creates the change of a form in which a picture may have been chosen.
    ///
    /// - Parameters:
    ///   - upload: the chosen picture, if any.
    ///   - isRemoved: whether the form removes the picture where it chooses none.
    package init(_ upload: PortraitService.Upload?, isRemoved: Bool = false) {
        self = upload.map { .chosen($0) } ?? (isRemoved ? .removed : .kept)
    }

    fileprivate var upload: PortraitService.Upload? {
        if case .chosen(let upload) = self { upload } else { nil }
    }
}

extension Portrait.Size {
    /// Returns the name under which the size in a format is stored.
    fileprivate func variant(_ format: RenditionFormat) -> String { "\(rawValue).\(format.rawValue)" }
}

/// The service that stores and serves portraits and banners.
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
        try await process(upload, RenditionSpec.portrait, field: "portrait", for: owner)
    }

    /// Makes the pictures that a change of a profile has chosen. The files belong to no row until ``keep(_:)``.
    func process(
        _ change: AccountService.ProfileChange, of account: Account.ID
    ) async throws -> (portrait: StoredPicture?, banner: StoredPicture?) {
        let owner = PictureOwner.account(account)
        let portrait = try await process(change.portrait.upload, for: owner)
        do {
            let banner = try await process(
                change.banner.upload, RenditionSpec.banner, field: "header", for: owner)
            return (portrait, banner)
        } catch {
            await discard(portrait, after: error)
            throw error
        }
    }

    private func process(
        _ upload: Upload?, _ renditions: [RenditionSpec], field: String, for owner: PictureOwner
    ) async throws -> StoredPicture? {
        guard let upload else { return nil }
        do {
            return try await intake.take(
                upload.file, for: owner, renditions: renditions, crop: upload.crop, keepsOriginal: false)
        } catch let error as ImageError {
            throw Refusal(imageError: error, field: field)
        }
    }

    /// - Throws: ``Refusal`` (422) when the storage of an account is full, with its new pictures.
    func checkRoom(of account: Account.ID, _ transaction: Transaction) throws {
        try intake.allowance.check(account, transaction)
    }

    /// Notes that a committed row names the picture's files.
    func keep(_ picture: StoredPicture?) async {
        if let picture { await intake.keep(picture) }
    }

    /// Erases the files of a picture whose transaction failed, unless it may have been committed.
    func discard(_ picture: StoredPicture?, after error: any Error) async {
        if let picture { await intake.discard(picture.files.map(\.blob), after: error) }
    }

    /// Returns the file of a portrait or banner.
    ///
    /// - Parameter viewer: the person who asks, if known. Administrators see every picture.
    /// - Throws: ``Refusal`` (404) when there is no such picture, its account is suspended, or its owner blocks the
    ///   viewer.
    package func blob(
        _ id: Portrait.ID, _ size: Portrait.Size, _ format: RenditionFormat, for viewer: Account?
    ) async throws -> BlobKey {
        try await database.read { transaction in
            let found = try PortraitStore(transaction).blob(id, variant: size.variant(format))
            guard let found else { throw Refusal.notFound }
            _ = try AccountRecords(transaction).face(of: found.owner, for: viewer)
            return found.key
        }
    }
}
