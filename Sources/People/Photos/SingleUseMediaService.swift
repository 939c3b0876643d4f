import Core
import Foundation
import Imaging
import Serving
import Storage

/// The service that stores pictures that are used once, and gives each to the feature that uses it.
package final class SingleUseMediaService: Sendable {
    private let database: Database
    private let intake: PictureIntake

    init(database: Database, intake: PictureIntake) {
        self.database = database
        self.intake = intake
    }

    /// Stores a picture for one use within the hour.
    ///
    /// - Parameters:
    ///   - file: the upload, which is consumed, also after an error; its original bytes are not kept.
    ///   - key: the client's key; a second upload with it within 24 hours returns the upload made first.
    /// - Throws: ``Refusal``: 415 if it isn't a picture, 413 if it is too large, 422 for a description that is too long
    ///   or if the storage is full, 410 if the key's upload was already used, 429 if too many of the viewer's uploads
    ///   wait or are prepared at once, 503 for too many of everyone or no room on the disk.
    package func upload(
        _ file: IncomingBlob, purpose: SingleUseMedia.Purpose, description: String = "", by viewer: Account,
        key: IdempotencyKey? = nil
    ) async throws -> SingleUseMedia {
        try await intake.take(
            file, of: viewer.id, renditions: purpose.renditions, keepsOriginal: false, into: database
        ) { transaction in
            try PhotoService.check(description)
            return try SingleUseMediaRecords(transaction).admit(viewer, key)
        } insert: { transaction, picture in
            let media = try SingleUseMediaStore(transaction)
                .insert(picture, owner: viewer.id, purpose: purpose, description: description)
            try transaction.schedule(
                .eraseUnusedMedia, payload: media.id.description, at: media.expiresAt)
            try key?.record(media.id.rawValue, transaction, viewer.id)
            return media
        }
    }

    /// Performs ``JobKind/eraseUnusedMedia``: erases an upload that nobody used in time.
    static func eraseUnused(_ job: Job, in database: Database) async throws {
        guard let id = SingleUseMedia.ID(job.payload) else { return }
        try await database.write { transaction in
            let store = SingleUseMediaStore(transaction)
            guard let media = try store.media(id), media.expiresAt <= transaction.now else { return }
            try store.erase(media)
        }
    }

    /// Erases an upload of a form that was refused, if it still waits, and forgets its key, so that the form may be
    /// sent again.
    package func discard(
        _ id: SingleUseMedia.ID, by viewer: Account, key: IdempotencyKey? = nil
    ) async throws {
        try await database.write { transaction in
            let store = SingleUseMediaStore(transaction)
            guard let media = try store.media(id), media.owner == viewer.id else { return }
            try store.erase(media)
            try key?.forget(viewer.id, transaction)
        }
    }
}
