import Core
import Feeds
import Foundation
import Imaging
import People
import Serving
import Storage

/// The photos of other services that a viewer has found, inside a transaction.
struct PastPhotoRecords {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    /// Returns the last search without its photos, when it is the same, recent, and no source failed.
    func fresh(_ query: PastPhotoQuery, of account: Account.ID) throws -> PastSearch? {
        guard let search = try PastPhotoStore(transaction).head(of: account)?.search, search.query == query,
            transaction.now.timeIntervalSince(search.id.createdAt) < PastPhotoService.keptSeconds,
            !search.answers.contains(where: { $0.state == .failed })
        else { return nil }
        return search
    }

    /// Returns whether a viewer may see a photo now: it belongs to their search, and if it is a photo of this server,
    /// they may still find it.
    func maySee(_ photo: PastPhoto, _ viewer: Account.ID) throws -> Bool {
        guard photo.owner == viewer else { return false }
        guard let own = photo.found.photo else { return true }
        return try PostRecords(transaction).isFindable(own, for: viewer)
    }

    /// Returns a photo of the viewer's last search.
    ///
    /// - Throws: ``Refusal`` (404) for any other, and for one of this server that may no longer be found.
    func photo(_ id: PastPhoto.ID, for viewer: Account.ID) throws -> PastPhoto {
        guard let photo = try PastPhotoStore(transaction).photo(id),
            try maySee(photo, viewer)
        else { throw Refusal.notFound }
        return photo
    }

    /// Returns the file of a rendition of a photo that the viewer may see.
    ///
    /// - Throws: ``Refusal`` (404) if there is none.
    func file(of photo: PastPhoto, _ size: Photo.Size, _ format: RenditionFormat) throws -> BlobKey {
        let variant = "\(size.rawValue).\(format.rawValue)"
        let key =
            try photo.found.photo.map { try PhotoRecords(transaction).uncheckedFile($0, size, format) }
            ?? PastPhotoStore(transaction).files(of: photo.id).first { $0.variant == variant }?.key
        guard let key else { throw Refusal.notFound }
        return key
    }
}
