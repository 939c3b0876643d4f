import Core
import Foundation
import Imaging
import Logging
import People
import Serving
import Storage

/// The service of Then & Now: showing pairs, and changing how they are shown. `PairMaking.swift` is about making them,
/// `PairAligning.swift` about aligning them, `PairRendering.swift` about their pictures.
package final class PairService: Sendable {
    let database: Database
    let photos: PhotoService
    let pastPhotos: PastPhotoService
    let intake: PictureIntake
    let blobs: any BlobStore
    let now: @Sendable () -> Date

    /// How often a change is tried again because another request has changed the pair in the meantime.
    static let mostTries = 3
    /// The most pairs of a series that are shown.
    static let mostRetakes = 100

    init(_ app: AppParts, photos: PhotoService, pastPhotos: PastPhotoService) {
        database = app.database
        self.photos = photos
        self.pastPhotos = pastPhotos
        intake = app.intake
        blobs = app.blobs
        now = app.now
    }

    // MARK: Looking

    /// Returns one of the viewer's pairs.
    ///
    /// - Throws: ``Refusal`` (404) for anyone else's, and for photos that aren't pairs.
    func pair(_ id: Pair.ID, for viewer: Account) async throws -> Pair {
        try await database.read { try PairRecords($0).pair(id, for: viewer) }
    }

    /// Returns a photo's pairs through the years, oldest first: those of the same past photo if it is a pair, and
    /// otherwise those that match it; at most 100.
    ///
    /// - Throws: ``Refusal`` (404) for anyone else's photo.
    func retakes(of photo: Photo.ID, for viewer: Account) async throws -> [Pair] {
        try await database.read { transaction in
            let photo = try PhotoRecords(transaction).own(photo, of: viewer)
            let store = PairStore(transaction)
            let series = try store.pair(photo.id)?.series ?? photo.id.rawValue
            return try store.series(series, of: viewer.id, limit: Self.mostRetakes)
        }
    }

    /// The pictures of a pair's two sources.
    enum Source: String, Sendable {
        case then, now
    }

    /// Returns the picture of one of a pair's sources, at most 1,440 pixels at the longer side.
    ///
    /// - Throws: ``Refusal`` (404) for pairs of others.
    func picture(
        _ source: Source, of id: Pair.ID, _ format: RenditionFormat, for asker: PhotoService.Asker
    ) async throws -> BlobKey {
        try await database.read { [self] transaction in
            let viewer = try photos.viewer(asker, of: id, transaction)
            let store = PairStore(transaction)
            guard let photo = try PhotoRecords(transaction).unchecked(id), photo.owner == viewer,
                let key = try store.file("\(source.rawValue).large.\(format.rawValue)", of: id)
            else { throw Refusal.notFound }
            return key
        }
    }

    // MARK: Changing

    /// A requested look of a pair. What is nil stays as it is.
    struct Look: Sendable {
        var mode: Pair.Mode?
        /// Whether the picture has a caption with dates and credit.
        var hasCaption: Bool?
        /// The year of the past photo, as its owner knows it.
        var year: Int?
    }

    /// Sets how a pair is shown, and renders its picture in the library again, unless something uses the picture.
    ///
    /// - Throws: ``Refusal``: 404 for pairs of others, 409 when it changes all the time, 422 for a year in which there
    ///   was no photography, 503 for too many pictures at once or no room on the disk.
    func show(_ id: Pair.ID, as look: Look, by viewer: Account) async throws -> Pair {
        if let year = look.year {
            var problems = Problems()
            PairComposition.check(year: year, at: now(), &problems)
            try problems.throwIfAny()
        }
        return try await change(id, by: viewer) { pair in
            pair.mode = look.mode ?? pair.mode
            pair.hasCaption = look.hasCaption ?? pair.hasCaption
            if let year = look.year { pair.then.date(year) }
        }
    }

    /// Changes how a pair looks, and renders its picture in the library again if it shows the change. A picture that
    /// something uses stays as it is.
    func change(
        _ id: Pair.ID, by viewer: Account, _ change: (inout PairComposition) -> Void
    ) async throws -> Pair {
        for _ in 0..<Self.mostTries {
            let (before, isUsed) = try await database.read { [self] transaction in
                (
                    try PairRecords(transaction).pair(id, for: viewer),
                    try !photos.uses(of: id, transaction).isEmpty
                )
            }
            var after = before
            change(&after.composition)
            guard after.composition != before.composition else { return before }
            let isSame = after.composition.looks(like: before.composition)
            let picture = isUsed || isSame ? nil : try await render(after, for: viewer)
            if let changed = try await keep(after, picture, by: viewer) { return changed }
        }
        throw Refusal.conflict("This pair is changing right now. Try again in a moment.")
    }

    /// Stores a changed pair with its new picture. Returns nil if another request has changed the pair in the meantime.
    private func keep(
        _ changed: Pair, _ picture: StoredPicture?, by viewer: Account
    ) async throws -> Pair? {
        let (id, looks) = (changed.id, changed)
        let keep: @Sendable (Transaction) throws -> Pair? = { transaction in
            let store = PairStore(transaction)
            let before = try PairRecords(transaction).pair(id, for: viewer)
            guard try store.update(looks) else { return nil }
            if !looks.composition.looks(like: before.composition) { try store.eraseMade(of: id) }
            return try PairRecords(transaction).pair(id, for: viewer)
        }
        guard let picture else { return try await database.write { try keep($0) } }
        return try await intake.name(picture, of: viewer.id, in: database) { [photos] transaction in
            guard let pair = try keep(transaction), try photos.uses(of: id, transaction).isEmpty else {
                return (row: nil, isNew: false)
            }
            _ = try photos.replace(pair.photo, by: picture, transaction)
            return (row: try PairRecords(transaction).pair(id, for: viewer), isNew: true)
        }
    }
}
