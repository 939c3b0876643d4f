import Foundation
import Imaging
import Storage

/// A feature that shows photos to others than their owner, or uses them.
protocol PhotoUse: Sendable {
    /// Whether the feature shows this photo to `viewer`.
    func shows(_ photo: Photo.ID, to viewer: Account.ID, _ transaction: Transaction) throws -> Bool
    /// What uses the photo; nil when nothing does.
    func uses(of photo: Photo.ID, _ transaction: Transaction) throws -> PhotoUses?
    /// Lets go of a photo that is about to be deleted, and tells those who see it happen.
    func release(_ photo: Photo.ID, _ transaction: Transaction) throws
    /// Notes that what is told about the photo has changed.
    func changed(_ photo: Photo.ID, _ transaction: Transaction) throws
}

/// Where a photo is used, in words.
struct PhotoUses: Sendable {
    /// Such as "one post".
    var places: String
    /// A sentence that says what goes with the photo beside its place there; nil when nothing does.
    var loss: String?

    /// What several features use a photo for, in sentences.
    ///
    /// - Parameter opening: the first, with the places.
    static func told(_ uses: [PhotoUses], _ opening: (_ places: String) -> String) -> String {
        let places = uses.map(\.places).joined(separator: " and ")
        return ([opening(places)] + uses.compactMap(\.loss)).joined(separator: " ")
    }
}

/// What people can do with photos: upload, look, describe, delete.
final class PhotoService: Sendable {
    private let database: Database
    private let intake: PictureIntake
    private let uses: [any PhotoUse]
    private let photoURL: PhotoURL
    private let jobs: JobRunner

    init(
        database: Database, intake: PictureIntake, uses: [any PhotoUse], photoURL: PhotoURL, jobs: JobRunner
    ) {
        self.database = database
        self.intake = intake
        self.uses = uses
        self.photoURL = photoURL
        self.jobs = jobs
    }

    /// Takes a picture into the library.
    ///
    /// - Parameters:
    ///   - file: the upload; it is used up, whatever happens.
    ///   - key: the same key by the same person within 24 hours gives the photo first made.
    /// - Throws: ``Refusal``: 415 not a picture, 413 too large, 422 a description that is too long or storage
    ///   that is used up, 503 too many at once or no room on the disk.
    func upload(
        _ file: IncomingBlob, kind: Photo.Kind = .upload, description: String = "", by viewer: Account,
        key: IdempotencyKey? = nil
    ) async throws -> Photo {
        try await intake.take(
            file, of: viewer.id, renditions: RenditionSpec.photo, keepsOriginal: true, into: database
        ) { transaction in
            try Self.check(description)
            guard let id = try key?.result(transaction, viewer.id) else { return nil }
            return try PhotoStore(transaction).photo(ID(rawValue: id))
        } insert: { transaction, picture in
            let photo = try PhotoStore(transaction)
                .insert(picture, owner: viewer.id, kind: kind, description: description)
            try key?.record(photo.id.rawValue, transaction, viewer.id)
            return photo
        }
    }

    /// Refuses a description that is too long (422).
    static func check(_ description: String) throws {
        let count = description.unicodeScalars.count
        guard count <= Photo.descriptionLength else {
            throw Refusal.invalid(
                "description", "ERR_TOO_LONG", "This description has \(count) characters; the limit is 1,500."
            )
        }
    }

    /// One page of one's own library, newest first.
    func library(of viewer: Account, kinds: [Photo.Kind], page: PageRequest) async throws -> [Photo] {
        try await database.read { try PhotoStore($0).library(of: viewer.id, kinds: kinds, page: page) }
    }

    /// One of one's own photos, with its neighbours in the library.
    ///
    /// - Throws: ``Refusal`` (404) for anyone else's.
    func own(_ id: Photo.ID, of viewer: Account) async throws -> (
        photo: Photo, newer: Photo.ID?, older: Photo.ID?
    ) {
        try await database.read { transaction in
            let photo = try Self.own(transaction, id, of: viewer)
            let (newer, older) = try PhotoStore(transaction).neighbours(of: id, owner: viewer.id)
            return (photo, newer, older)
        }
    }

    /// Some of the viewer's own photos, in no order; others are left out.
    func own(_ ids: [Photo.ID], of viewer: Account) async throws -> [Photo] {
        try await database.read { try PhotoStore($0).photos(ids, of: viewer.id) }
    }

    /// The same inside a transaction of another service.
    static func own(_ transaction: Transaction, _ id: Photo.ID, of viewer: Account) throws -> Photo {
        guard let photo = try PhotoStore(transaction).photo(id), photo.owner == viewer.id else {
            throw Refusal.notFound
        }
        return photo
    }

    /// Describes one of one's own photos.
    func describe(_ id: Photo.ID, _ description: String, by viewer: Account) async throws -> Photo {
        try Self.check(description)
        let uses = uses
        return try await database.write { transaction in
            var photo = try Self.own(transaction, id, of: viewer)
            guard photo.description != description else { return photo }
            try PhotoStore(transaction).setDescription(description, of: id)
            for use in uses { try use.changed(id, transaction) }
            photo.description = description
            return photo
        }
    }

    /// What uses one of one's own photos; empty when nothing does.
    func uses(of id: Photo.ID, by viewer: Account) async throws -> [PhotoUses] {
        let uses = uses
        return try await database.read { transaction in
            _ = try Self.own(transaction, id, of: viewer)
            return try uses.compactMap { try $0.uses(of: id, transaction) }
        }
    }

    /// Deletes one of one's own photos: rows at once, files right after, from disk.
    ///
    /// - Parameter force: also when something uses it; that loses it then.
    /// - Throws: ``Refusal``: 404 for anyone else's, 409 saying what uses it.
    func delete(_ id: Photo.ID, by viewer: Account, force: Bool) async throws {
        let uses = uses
        try await database.write { transaction in
            _ = try Self.own(transaction, id, of: viewer)
            let inUse = try uses.compactMap { try $0.uses(of: id, transaction) }
            guard inUse.isEmpty || force else {
                throw Refusal.conflict(PhotoUses.told(inUse) { "This photo is also in \($0)." })
            }
            for use in uses { try use.release(id, transaction) }
            try PhotoStore(transaction).delete(id)
        }
        jobs.wake()
    }

    /// Deletes photos that came with a form which was then refused, but for those that something uses.
    func takeBack(_ ids: [Photo.ID], by viewer: Account) async throws {
        guard !ids.isEmpty else { return }
        let uses = uses
        try await database.write { transaction in
            let store = PhotoStore(transaction)
            for photo in try store.photos(ids, of: viewer.id)
            where try uses.allSatisfy({ try $0.uses(of: photo.id, transaction) == nil }) {
                try store.delete(photo.id)
            }
        }
        jobs.wake()
    }

    // MARK: Storage

    /// What the photos and pictures of a person take of the disk.
    func storage(of viewer: Account) async throws -> StorageAllowance.Use {
        try await database.read { [allowance = intake.allowance] in try allowance.use(of: viewer.id, $0) }
    }

    /// The bytes of the files of some accounts, inside a transaction of the administration.
    static func storage(of accounts: [Account.ID], _ transaction: Transaction) throws -> [Account.ID: Int] {
        try BlobRecordStore(transaction).uses(of: accounts)
    }

    // MARK: Files

    /// Who asks for a picture.
    enum Asker: Sendable {
        case loggedIn(Account.ID)
        /// Whoever holds a URL that was signed for somebody.
        case holding(PhotoURL.Claim)

        /// With whose eyes to look.
        var viewer: Account.ID {
            switch self {
            case .loggedIn(let account): account
            case .holding(let claim): claim.viewer
            }
        }
    }

    /// A rendition, for someone who may see it at this moment.
    ///
    /// - Throws: ``Refusal`` (404) when there is none, they may not, or the URL's signature isn't good any more.
    func rendition(
        _ id: Photo.ID, _ size: Photo.Size, _ format: RenditionFormat, for asker: Asker
    ) async throws -> BlobKey {
        let (uses, photoURL, viewer) = (uses, photoURL, asker.viewer)
        return try await database.read { transaction in
            guard let epoch = try AccountService.pictureEpoch(of: viewer, transaction) else {
                throw Refusal.notFound
            }
            if case .holding(let claim) = asker, !photoURL.isGood(claim, for: id, in: epoch) {
                throw Refusal.notFound
            }
            let store = PhotoStore(transaction)
            guard let photo = try store.photo(id),
                try photo.owner == viewer
                    || uses.contains(where: { try $0.shows(id, to: viewer, transaction) }),
                let file = try store.file(id, variant: "\(size.rawValue).\(format.rawValue)")
            else { throw Refusal.notFound }
            return file.blob
        }
    }

    /// The untouched original of one of one's own photos, with its media type.
    func original(_ id: Photo.ID, of viewer: Account) async throws -> (blob: BlobKey, format: ImageFormat?) {
        try await database.read { transaction in
            _ = try Self.own(transaction, id, of: viewer)
            guard let file = try PhotoStore(transaction).file(id, variant: "original") else {
                throw Refusal.notFound
            }
            return (file.blob, ImageFormat(rawValue: file.format))
        }
    }
}
