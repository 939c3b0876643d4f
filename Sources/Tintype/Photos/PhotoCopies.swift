import Imaging
import Storage

/// Copies a photo into somebody's library: the clean renditions, never the owner's original or its metadata. Of a picture
/// that the server has made, the original is as clean as they are and goes along.
final class PhotoCopies: Sendable {
    private struct File: Sendable {
        var variant: String
        var key: BlobKey
        /// The format of an original; other files have theirs in their variant.
        var format: String
        var width: Int
        var height: Int
    }

    private struct Copy: Sendable {
        var variant: String
        var blob: StoredBlob
        var width: Int
        var height: Int
    }

    private let database: Database
    private let blobs: BlobFolder
    private let intake: PictureIntake
    private let allowance: StorageAllowance

    init(database: Database, blobs: BlobFolder, intake: PictureIntake, allowance: StorageAllowance) {
        self.database = database
        self.allowance = allowance
        self.blobs = blobs
        self.intake = intake
    }

    /// Copies a photo, whose files the caller may read.
    ///
    /// - Parameters:
    ///   - known: asked inside the transaction: a copy made before, which is then the answer; throws when the
    ///     photo may be copied no longer.
    ///   - note: writes down what the copy belongs to, inside the same transaction.
    /// - Returns: the copy, new or made before.
    /// - Throws: ``Refusal``: 404 when the photo is gone, 422 when the new owner's storage is used up; `BlobError` when
    ///   the disk is full.
    func copy(
        _ photo: Photo, to owner: Account.ID, kind: Photo.Kind,
        known: @escaping @Sendable (Transaction) throws -> Photo?,
        note: @escaping @Sendable (Transaction, Photo) throws -> Void
    ) async throws -> Photo {
        let files = try await database.read { try Self.files(of: photo.id, $0) }
        let clean = photo.kind == .collage ? "original" : "large.jpeg"
        guard let largest = files.first(where: { $0.variant == clean }) else { throw Refusal.notFound }
        var copies: [Copy] = []
        do {
            for file in files where file.variant != "original" {
                copies.append(try await copy(file, as: file.variant))
            }
            // What the new owner downloads as the original is the largest clean picture.
            copies.append(try await copy(largest, as: "original"))
            let made = copies
            let (copy, isNew) = try await database.write { [allowance] transaction in
                if let known = try known(transaction) { return (known, false) }
                let copy = try Self.insert(photo, made, largest, to: owner, kind: kind, transaction)
                try allowance.check(owner, transaction)
                try note(transaction, copy)
                return (copy, true)
            }
            if isNew {
                await blobs.keep(made.map(\.blob.key))
            } else {
                await intake.discard(made.map(\.blob))
            }
            return copy
        } catch {
            await intake.discard(copies.map(\.blob), after: error)
            throw error
        }
    }

    private func copy(_ file: File, as variant: String) async throws -> Copy {
        guard let count = try await blobs.byteCount(of: file.key) else { throw Refusal.notFound }
        let bytes = try await blobs.read(file.key, 0..<count)
        return Copy(
            variant: variant, blob: try await blobs.store(bytes), width: file.width, height: file.height)
    }

    private static func files(of photo: Photo.ID, _ transaction: Transaction) throws -> [File] {
        try transaction.rows(
            """
            SELECT f.variant, f.blob_key, f.width, f.height, ph.format
            FROM photo_files f JOIN photos ph ON ph.id = f.photo_id WHERE f.photo_id = $1
            """, photo
        ) { row in
            let variant = try row.string("variant")
            return File(
                variant: variant, key: try row.get("blob_key"),
                format: variant == "original" ? try row.string("format") : "jpeg",
                width: try row.int("width"), height: try row.int("height"))
        }
    }

    private static func insert(
        _ photo: Photo, _ copies: [Copy], _ largest: File, to owner: Account.ID,
        kind: Photo.Kind, _ transaction: Transaction
    ) throws -> Photo {
        let copy = Photo(
            id: ID(rawValue: transaction.newID()), owner: owner, kind: kind, description: photo.description,
            width: largest.width, height: largest.height, blurhash: photo.blurhash, colour: photo.colour)
        try transaction.execute(
            """
            INSERT INTO photos (id, owner_id, kind, description, width, height, blurhash, colour, format)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """, copy.id, owner, kind.rawValue, copy.description, copy.width, copy.height, copy.blurhash,
            copy.colour, largest.format)
        for file in copies {
            try transaction.insertFile(file.blob, of: owner)
            try transaction.execute(
                "INSERT INTO photo_files (photo_id, variant, blob_key, width, height) VALUES ($1, $2, $3, $4, $5)",
                copy.id, file.variant, file.blob.key, file.width, file.height)
        }
        return copy
    }
}
