import Core
import Imaging
import Serving
import Storage

/// The service that copies a photo into somebody's library: the clean renditions, never the owner's original or its
/// metadata. The original of a picture that the server has made is as clean as its renditions, so it is copied, too.
package final class PhotoCopies: Sendable {
    private let database: Database
    private let intake: PictureIntake
    private let kinds: Registry<PhotoKind>

    init(database: Database, intake: PictureIntake, kinds: Registry<PhotoKind>) {
        self.database = database
        self.intake = intake
        self.kinds = kinds
    }

    /// Copies a photo whose files the caller may read.
    ///
    /// - Parameters:
    ///   - known: returns a copy made before, which is then the answer. Called in the transaction; throws when the
    ///     photo may no longer be copied.
    ///   - note: records what the copy belongs to, in the same transaction.
    /// - Returns: the copy, new or made before.
    /// - Throws: ``Refusal``: 404 when the photo is gone, 422 when the new owner's storage is full; `BlobError` when
    ///   the disk is full.
    package func copy(
        _ photo: Photo, to owner: Account.ID, kind: Photo.Kind,
        known: @escaping @Sendable (Transaction) throws -> Photo?,
        note: @escaping @Sendable (Transaction, Photo) throws -> Void
    ) async throws -> Photo {
        let isClean = kinds[photo.kind]?.isMade == true
        let (files, format, focus, isDue) = try await database.read { transaction in
            let store = PhotoStore(transaction)
            let original = isClean ? try store.file(photo.id, variant: "original")?.format : nil
            return (
                try store.files(of: photo.id), original ?? "jpeg",
                try store.photo(photo.id)?.focus ?? .middle,
                try store.dueSquare(of: photo.id) != nil
            )
        }
        // The new owner downloads the largest clean picture as the original.
        let clean = isClean ? "original" : "large.jpeg"
        guard let largest = files.first(where: { $0.variant == clean }) else { throw Refusal.notFound }
        let copies = try await intake.copies(
            of: files.filter { $0.variant != "original" } + [largest.named("original")])
        return try await intake.name(copies, of: owner, in: database) { transaction in
            if let known = try known(transaction) { return (row: known, isNew: false) }
            let copy = Photo(
                id: ID(rawValue: transaction.newID()), owner: owner, kind: kind,
                description: photo.description, width: largest.width, height: largest.height,
                blurhash: photo.blurhash, colour: photo.colour, focus: focus)
            let store = PhotoStore(transaction)
            try store.insert(copy, format: format, copies)
            // The copied square is still around an earlier focus.
            if isDue { try store.setFocus(focus, of: copy.id) }
            try note(transaction, copy)
            return (row: copy, isNew: true)
        }
    }
}
