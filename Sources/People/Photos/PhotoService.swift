import Core
import Foundation
import Imaging
import Serving
import Storage

/// The service of photos: uploading, viewing, describing, deleting.
package final class PhotoService: Sendable {
    private let database: Database
    private let intake: PictureIntake
    private let uses: Registry<any PhotoUse>
    private let signatures: PictureSignatures

    init(
        database: Database, intake: PictureIntake, uses: Registry<any PhotoUse>, signatures: PictureSignatures
    ) {
        self.database = database
        self.intake = intake
        self.uses = uses
        self.signatures = signatures
    }

    /// Adds a picture to the library.
    ///
    /// - Parameters:
    ///   - file: the upload, which is consumed, also after an error.
    ///   - focus: the point that the square shows.
    ///   - key: the client's key; a second upload with it within 24 hours returns the photo made first.
    /// - Throws: ``Refusal``: 415 if it isn't a picture, 413 if it is too large, 422 for a description that is too long
    ///   or if the storage is full, 429 for too many pictures of the viewer at once, 503 for too many of everyone or no
    ///   room on the disk.
    package func upload(
        _ file: IncomingBlob, kind: Photo.Kind = .upload, description: String = "", focus: Focus = .middle,
        by viewer: Account, key: IdempotencyKey? = nil
    ) async throws -> Photo {
        try await intake.take(
            file, of: viewer.id, renditions: RenditionSpec.photo(around: focus), keepsOriginal: true,
            into: database
        ) { transaction in
            try Self.check(description)
            guard let id = try key?.result(viewer.id, transaction) else { return nil }
            return try PhotoStore(transaction).photo(ID(rawValue: id))
        } insert: { transaction, picture in
            let photo = try PhotoStore(transaction)
                .insert(picture, owner: viewer.id, kind: kind, description: description, focus: focus)
            try key?.record(photo.id.rawValue, transaction, viewer.id)
            return photo
        }
    }

    /// A picture that a person brings along from another service.
    package struct OldPhoto: Sendable {
        package var file: IncomingBlob
        package var description: String
        /// The time of the photo, by which the library orders it.
        package var madeAt: Date

        package init(file: IncomingBlob, description: String, madeAt: Date) {
            self.file = file
            self.description = description
            self.madeAt = madeAt
        }
    }

    /// Adds an older picture to a library, at its place in time. Otherwise it is an upload like any other, with the limits
    /// of one.
    ///
    /// - Parameters:
    ///   - photo: the picture; its file is consumed, also after an error.
    ///   - known: returns what the picture is already, which is then the answer. Called before the work, and again in
    ///     the transaction.
    ///   - note: returns what the picture is now, in the transaction that adds it.
    /// - Throws: ``Refusal`` as ``upload(_:kind:description:focus:by:key:)`` does; what the closures throw.
    package func add<Known: Sendable>(
        _ photo: OldPhoto, to owner: Account.ID,
        unless known: @escaping @Sendable (Transaction) throws -> Known?,
        note: @escaping @Sendable (Photo.ID, Transaction) throws -> Known
    ) async throws -> Known {
        try await intake.take(
            photo.file, of: owner, renditions: RenditionSpec.photo, keepsOriginal: true, into: database
        ) { transaction in
            try Self.check(photo.description)
            return try known(transaction)
        } insert: { transaction, picture in
            let added = try PhotoStore(transaction)
                .insert(
                    picture, owner: owner, kind: .upload, description: photo.description,
                    madeAt: photo.madeAt)
            return try note(added.id, transaction)
        }
    }

    /// Refuses a description that is too long (422).
    package static func check(_ description: String) throws {
        let count = description.unicodeScalars.count
        guard count <= Photo.descriptionLength else {
            throw Refusal.invalid(
                "description", "ERR_TOO_LONG", "This description has \(count) characters; the limit is 1,500."
            )
        }
    }

    /// Returns one page of the viewer's library, newest first.
    package func library(of viewer: Account, kinds: [Photo.Kind], page: PageRequest) async throws -> [Photo] {
        try await database.read { try PhotoRecords($0).library(of: viewer, kinds: kinds, page: page) }
    }

    /// Returns the newest photos of the viewer's library, then those of `chosen` that are not among them.
    package func choices(of viewer: Account, chosen: [Photo.ID], limit: Int) async throws -> [Photo] {
        try await database.read { try PhotoRecords($0).choices(of: viewer, chosen: chosen, limit: limit) }
    }

    /// Returns a photo of the viewer's library.
    ///
    /// - Throws: ``Refusal`` (404) for anyone else's photo.
    package func own(_ id: Photo.ID, of viewer: Account) async throws -> Photo {
        try await database.read { try PhotoRecords($0).own(id, of: viewer) }
    }

    /// The content of a photo's page.
    struct Shown: Sendable {
        let photo: Photo
        /// The photos before and after this one in the library.
        let newer: Photo.ID?
        let older: Photo.ID?
        /// What uses the photo.
        let uses: [PhotoUses]
        /// Draws what a feature adds to the page.
        let presentation: PhotoPresentation.Drawing?
    }

    /// Returns a photo of the viewer's library as its page shows it.
    ///
    /// - Parameter presentation: reads what features add to the page.
    /// - Throws: ``Refusal`` (404) for anyone else's photo.
    func shown(
        _ id: Photo.ID, to viewer: Account,
        presentation: @escaping @Sendable (Photo, Transaction) throws -> PhotoPresentation.Drawing?
    ) async throws -> Shown {
        try await database.read { [self] transaction in
            let photo = try PhotoRecords(transaction).own(id, of: viewer)
            let (newer, older) = try PhotoStore(transaction).neighbours(of: id, owner: viewer.id)
            return Shown(
                photo: photo, newer: newer, older: older, uses: try uses(of: id, transaction),
                presentation: try presentation(photo, transaction))
        }
    }

    /// Changes the description or the focus of one of the viewer's photos.
    ///
    /// - Throws: ``Refusal``: 404 for anyone else's photo, 422 for a description that is too long.
    func change(_ id: Photo.ID, _ change: PhotoChange, by viewer: Account) async throws -> Photo {
        try change.description.map(Self.check)
        return try await database.write { [self] transaction in
            try self.change(PhotoRecords(transaction).own(id, of: viewer), change, transaction)
        }
    }

    /// Changes a photo that the viewer owns, in a transaction of another service, and notifies the features that show the
    /// photo. The square around another focus is cut by a job.
    package func change(_ photo: Photo, _ change: PhotoChange, _ transaction: Transaction) throws -> Photo {
        var changed = photo
        changed.description = change.description ?? photo.description
        changed.focus = change.focus ?? photo.focus
        guard changed != photo else { return photo }
        let store = PhotoStore(transaction)
        if changed.description != photo.description {
            try store.setDescription(changed.description, of: photo.id)
        }
        if changed.focus != photo.focus { try store.setFocus(changed.focus, of: photo.id) }
        for use in uses.all { try use.changed(photo.id, transaction) }
        return changed
    }

    /// Deletes one of the viewer's photos: its rows at once, and its files from disk right after.
    ///
    /// - Parameter force: whether to delete the photo even if something uses it, which then loses it.
    /// - Throws: ``Refusal``: 404 for anyone else's photo, 409 with what uses it.
    func delete(_ id: Photo.ID, by viewer: Account, force: Bool) async throws {
        let uses = uses.all
        try await database.write { transaction in
            _ = try PhotoRecords(transaction).own(id, of: viewer)
            let inUse = try uses.compactMap { try $0.uses(of: id, transaction) }
            guard inUse.isEmpty || force else {
                throw Refusal.conflict(PhotoUses.sentences(inUse) { "This photo is also in \($0)." })
            }
            for use in uses { try use.release(id, transaction) }
            try PhotoStore(transaction).delete(id)
        }
    }

    /// Deletes the photos of a form that was refused, except those that something uses.
    package func discard(_ ids: [Photo.ID], by viewer: Account) async throws {
        guard !ids.isEmpty else { return }
        let uses = uses.all
        try await database.write { transaction in
            let store = PhotoStore(transaction)
            for photo in try store.photos(ids, of: viewer.id)
            where try uses.allSatisfy({ try $0.uses(of: photo.id, transaction) == nil }) {
                try store.delete(photo.id)
            }
        }
    }

    // MARK: Storage

    /// Returns how much disk space a person's photos and pictures use.
    func storage(of viewer: Account, _ transaction: Transaction) throws -> StorageAllowance.Use {
        try intake.allowance.use(of: viewer.id, transaction)
    }

    // MARK: Files

    /// A photo that comes into the library from another feature.
    package struct NewPhoto: Sendable {
        package var description: String
        /// The width of the original in pixels.
        package var width: Int
        /// The height of the original in pixels.
        package var height: Int
        package var blurhash: String
        package var colour: String
        /// The point that the square shows.
        package var focus: Focus

        package init(
            description: String, width: Int, height: Int, blurhash: String, colour: String,
            focus: Focus = .middle
        ) {
            self.description = description
            self.width = width
            self.height = height
            self.blurhash = blurhash
            self.colour = colour
            self.focus = focus
        }
    }

    /// Replaces the files of a photo that the server has made by those of a new picture, in a transaction of another
    /// service, and notifies the features that show the photo.
    package func replace(
        _ photo: Photo, by picture: StoredPicture, _ transaction: Transaction
    ) throws -> Photo {
        let store = PhotoStore(transaction)
        try store.replace(photo.id, by: picture)
        for use in uses.all { try use.changed(photo.id, transaction) }
        guard let replaced = try store.photo(photo.id) else { throw Refusal.notFound }
        return replaced
    }

    /// Returns what uses a photo, in a transaction of another service.
    package func uses(of id: Photo.ID, _ transaction: Transaction) throws -> [PhotoUses] {
        try uses.all.compactMap { try $0.uses(of: id, transaction) }
    }

    /// The person who asks for a picture.
    package enum Asker: Sendable {
        case loggedIn(Account.ID)
        /// The holder of a URL that was signed for a log-in.
        case holding(PictureSignatures.Claim)
    }

    /// Returns a rendition, for someone who may see it now.
    ///
    /// - Throws: ``Refusal`` (404) if there is none, if they may not see it, or if the URL's signature is no
    ///   longer valid.
    func rendition(
        _ id: Photo.ID, _ size: Photo.Size, _ format: RenditionFormat, for asker: Asker
    ) async throws -> BlobKey {
        let uses = uses.all
        return try await database.read { [self] transaction in
            let viewer = try viewer(asker, of: id, transaction)
            let store = PhotoStore(transaction)
            guard let photo = try store.photo(id),
                try photo.owner == viewer
                    || uses.contains(where: { try $0.shows(id, to: viewer, transaction) }),
                let file = try store.file(id, variant: "\(size.rawValue).\(format.rawValue)")
            else { throw Refusal.notFound }
            return file.blob
        }
    }

    /// Returns the account whose permissions count for a picture, which may be one of another feature. The caller
    /// checks whether the account may see the picture.
    ///
    /// - Throws: ``Refusal`` (404) if they have no account, if the URL was not signed for this picture, and if the
    ///   log-in that it was signed for has ended.
    package func viewer<Entity>(
        _ asker: Asker, of id: Core.ID<Entity>, _ transaction: Transaction
    ) throws -> Account.ID {
        let account =
            switch asker {
            case .loggedIn(let account): account
            case .holding(let claim): try SessionRecords(transaction).account(of: claim.session)
            }
        guard let account, let epoch = try AccountRecords(transaction).pictureEpoch(of: account) else {
            throw Refusal.notFound
        }
        if case .holding(let claim) = asker,
            !signatures.isGood(claim, of: account, for: id.rawValue, in: epoch)
        {
            throw Refusal.notFound
        }
        return account
    }

    /// Returns the unchanged original of one of the viewer's photos, with its media type.
    func original(_ id: Photo.ID, of viewer: Account) async throws -> (blob: BlobKey, format: ImageFormat?) {
        try await database.read { transaction in
            _ = try PhotoRecords(transaction).own(id, of: viewer)
            guard let file = try PhotoStore(transaction).file(id, variant: "original") else {
                throw Refusal.notFound
            }
            return (file.blob, ImageFormat(rawValue: file.format))
        }
    }

    /// The whole photo for editors, with at most 4,096 px on its longer side.
    private static let full = RenditionSpec(name: "full", shape: .fit(longestSide: 4096), formats: [.jpeg])

    /// Makes a JPEG of one of the viewer's photos for browsers that can't draw its original. Nothing of it is kept.
    ///
    /// - Parameter blobs: the store of the pictures.
    /// - Throws: ``Refusal``: 404 for somebody else's photo, 429 for too many pictures of the viewer at once, 503 for too many
    ///   of everyone, 422 for an original that can't be read any more.
    func full(_ id: Photo.ID, of viewer: Account, from blobs: any BlobStore) async throws -> [UInt8] {
        let original = try await database.read { transaction in
            _ = try PhotoRecords(transaction).own(id, of: viewer)
            return try PhotoRecords(transaction).uncheckedFiles(id).first { $0.variant == "original" }
        }
        guard let original else { throw Refusal.notFound }
        let made: [StoredBlob]
        do {
            made = try await intake.renditions([Self.full], of: original, for: viewer.id).map(\.blob)
        } catch let error as ImageError {
            throw Refusal(imageError: error, field: "id")
        }
        do {
            guard let picture = made.first else { throw Refusal.notFound }
            let bytes = try await blobs.read(picture.key, 0..<picture.byteCount)
            await intake.discard(made)
            return bytes
        } catch {
            await intake.discard(made, after: error)
            throw error
        }
    }
}
