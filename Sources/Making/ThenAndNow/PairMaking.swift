import Core
import Foundation
import Imaging
import People
import Serving
import Storage

// Making pairs of a past photo and its match.
extension PairService {
    /// The values from which a pair is made.
    package struct Recipe: Sendable {
        /// The past photo.
        package var then: ThenSource.Reference
        /// The match: an upload for this use, or a photo of the library with the same identifier.
        package var media: Int64
        /// The width of the frame divided by its height; nil for that of the match.
        var aspect: Double?
        var pastView = PictureView()
        var nowView = PictureView()
        /// The year of the past photo, as its owner knows it; nil for the year that its camera or its source recorded.
        package var year: Int?
        /// Whether to try an alignment.
        package var isAligned = false
        package var mode = Pair.Mode.slider
        /// Whether the picture has a caption with dates and credit; nil for a caption if the past photo has a credit.
        var hasCaption: Bool?

        package init(
            then: ThenSource.Reference, media: Int64, aspect: Double? = nil,
            pastView: PictureView = PictureView(), nowView: PictureView = PictureView(), year: Int? = nil,
            isAligned: Bool = false, mode: Pair.Mode = Pair.Mode.slider,
            hasCaption: Bool? = nil
        ) {
            self.then = then
            self.media = media
            self.aspect = aspect
            self.pastView = pastView
            self.nowView = nowView
            self.year = year
            self.isAligned = isAligned
            self.mode = mode
            self.hasCaption = hasCaption
        }

        /// Refuses numbers that are out of range (422), with all problems at once.
        func check(at now: Date) throws {
            var problems = Problems()
            if let aspect, !PairFrame.aspects.contains(aspect) {
                problems.add("aspect", "ERR_INVALID", "The aspect is a number from 0.4 to 2.5.")
            }
            if let year { PairComposition.check(year: year, at: now, &problems) }
            pastView.check("past_view", &problems)
            nowView.check("now_view", &problems)
            try problems.throwIfAny()
        }
    }

    /// One of the two pictures, with the files of it that a pair keeps: `full`, `large.webp` and `large.jpeg`.
    fileprivate struct Material: Sendable {
        var files: [KeptFile]
        /// Whether the files belong to an upload for this use, and become the pair's.
        var isHandedOver: Bool

        init(_ files: [KeptFile], isHandedOver: Bool = false) {
            self.files = files.compactMap(Self.kept)
            self.isHandedOver = isHandedOver
            // Some sources offer no larger picture than the one that is shown.
            if full == nil, let large = self.files.first(where: { $0.variant == "large.jpeg" }) {
                self.files.append(large.named("full"))
            }
        }

        var full: KeptFile? { files.first { $0.variant == "full" } }

        /// Returns a file of a photo, of a found photo, of an upload or of a pair, under the name that a pair gives it;
        /// nil for a file that a pair doesn't need.
        static func kept(_ file: KeptFile) -> KeptFile? {
            switch file.variant {
            case "original", "full.jpeg", "full": file.named("full")
            case "large.webp", "large.jpeg": file
            default: nil
            }
        }
    }

    // MARK: The past photo

    /// Returns the past photo that a page names; nil when it names none.
    ///
    /// - Throws: ``Refusal`` (404) for what isn't the viewer's.
    func source(_ input: Input, for viewer: Account) async throws -> ThenSource? {
        guard let reference = try ThenSource.Reference(input) else { return nil }
        return try await source(reference, for: viewer)
    }

    /// Returns a past photo.
    ///
    /// - Throws: ``Refusal`` (404) for what isn't the viewer's.
    func source(_ reference: ThenSource.Reference, for viewer: Account) async throws -> ThenSource {
        try await database.read { try PairRecords($0).source(reference, for: viewer) }
    }

    fileprivate static func then(of photo: Photo) -> Pair.Then {
        let year = photo.capture.date.map(Timestamp.year(of:))
        return .init(
            title: photo.description, dateWords: year.map(String.init) ?? "", year: year, width: photo.width,
            height: photo.height)
    }

    fileprivate static func then(of photo: PastPhoto) -> Pair.Then {
        let found = photo.found
        return .init(
            origin: .init(rawValue: found.source) ?? .library, title: found.title, author: found.author,
            licence: found.licence, licenceURL: found.licenceURL, sourceURL: found.pageURL,
            dateWords: found.dateWords, year: found.years.lowerBound, width: photo.width,
            height: photo.height)
    }

    // MARK: Making

    /// Makes a pair and adds it to the viewer's library.
    ///
    /// - Parameter key: the idempotency key. A second call with the key within 24 hours returns the pair of the first.
    /// - Throws: ``Refusal``: 404 for what isn't the viewer's, 410 if the key's pair was deleted, 422 with every wrong field
    ///   or if the storage is used up, 503 for too many pictures at once or no room on the disk.
    package func make(
        _ recipe: Recipe, by viewer: Account, key: IdempotencyKey? = nil
    ) async throws -> Pair {
        try recipe.check(at: self.now())
        return try await database.once {
            try PairRecords($0).made(with: key, by: viewer)
        } make: {
            try await make(recipe, by: viewer, key)
        }
    }

    private func make(
        _ recipe: Recipe, by viewer: Account, _ key: IdempotencyKey?
    ) async throws -> Pair {
        let source = try await source(recipe.then, for: viewer)
        let (then, series) = try await material(of: source.reference, for: viewer)
        let (now, year) = try await match(recipe.media, of: viewer)
        guard let thenFull = then.full, let nowFull = now.full else { throw Refusal.notFound }
        var pair = PairComposition(
            then: source.then, now: .init(year: year, width: nowFull.width, height: nowFull.height),
            aspect: recipe.aspect ?? Self.aspect(nowFull), pastView: recipe.pastView,
            nowView: recipe.nowView, mode: recipe.mode,
            // A pair that is posted, sent or shared as a snap has no other place for the credit that a licence
            // requires.
            hasCaption: recipe.hasCaption ?? !source.then.credit.isEmpty)
        (pair.then.width, pair.then.height) = (thenFull.width, thenFull.height)
        if let year = recipe.year { pair.then.date(year) }
        if recipe.isAligned {
            pair.alignment = try await found(for: pair, then: thenFull, now: nowFull, by: viewer)
        }
        let picture = try await render(pair, then: thenFull, now: nowFull, for: viewer)
        return try await keep(
            pair, in: series, picture, then, now, recipe.media, by: viewer, key: key)
    }

    private static func aspect(_ file: KeptFile) -> Double {
        let aspect = Double(file.width) / Double(max(1, file.height))
        return min(max(aspect, PairFrame.aspects.lowerBound), PairFrame.aspects.upperBound)
    }

    /// Returns the files of a past photo, and the series of its pairs; nil for a new series.
    private func material(
        of reference: ThenSource.Reference, for viewer: Account
    ) async throws -> (Material, series: Int64?) {
        switch reference {
        case .photo(let id):
            return (
                try await database.read { try PairRecords($0).material(of: id, for: viewer) }, id.rawValue
            )
        case .past(let id):
            return (Material(try await pastPhotos.files(of: id, for: viewer)), nil)
        case .again(let id):
            return try await database.read { transaction in
                let pair = try PairRecords(transaction).pair(id, for: viewer)
                let files = try PairStore(transaction).sources(of: id).compactMap { file in
                    file.variant.hasPrefix("then.") ? file.named(String(file.variant.dropFirst(5))) : nil
                }
                return (Material(files), pair.series)
            }
        }
    }

    /// Returns the files of a match, and the year in which it was taken.
    private func match(_ id: Int64, of viewer: Account) async throws -> (Material, year: Int) {
        try await database.read { transaction in
            let upload = ID<SingleUseMedia>(rawValue: id)
            if let media = try SingleUseMediaRecords(transaction).waiting(upload, for: .pair, of: viewer) {
                let taken = media.capturedAt ?? media.id.createdAt
                return (Material(media.files, isHandedOver: true), Timestamp.year(of: taken))
            }
            let found = try PhotoRecords(transaction).own([ID(rawValue: id)], of: viewer).first
            guard let photo = found else {
                throw Refusal.invalid(
                    "media_id", "ERR_INVALID",
                    "This picture was already used or has expired. Choose it again.")
            }
            let taken = photo.capture.date ?? photo.id.createdAt
            return (
                try PairRecords(transaction).material(of: photo.id, for: viewer), Timestamp.year(of: taken)
            )
        }
    }

    // MARK: Keeping

    /// Adds a rendered pair to the library, with copies of its sources, so that it stays complete when the original
    /// photos are deleted.
    private func keep(
        _ pair: PairComposition, in series: Int64?, _ picture: StoredPicture, _ then: Material,
        _ now: Material, _ media: Int64, by viewer: Account, key: IdempotencyKey?
    ) async throws -> Pair {
        let sources =
            then.files.map { $0.named("then.\($0.variant)") }
            + (now.isHandedOver ? [] : now.files.map { $0.named("now.\($0.variant)") })
        let copies: [StoredPicture.File]
        do {
            copies = try await intake.copies(of: sources)
        } catch {
            await intake.discard(picture.files.map(\.blob))
            throw error
        }
        let made = try await intake.name(picture.files + copies, of: viewer.id, in: database) { transaction in
            // The request may have arrived twice at one moment.
            if let known = try PairRecords(transaction).made(with: key, by: viewer) {
                return (row: known, isNew: false)
            }
            let photo = try PhotoRecords(transaction).insert(
                picture, of: viewer.id, kind: .pair, description: pair.description)
            let store = PairStore(transaction)
            try store.insert(pair, as: photo.id, of: viewer.id, series: series)
            for copy in copies {
                try transaction.insertFile(copy.blob, of: viewer.id)
                try store.insert(KeptFile(copy), of: photo.id)
            }
            if now.isHandedOver { try PairRecords(transaction).takeOver(media, as: photo.id, by: viewer) }
            try key?.record(photo.id.rawValue, transaction, viewer.id)
            return (row: try PairRecords(transaction).pair(photo.id, for: viewer), isNew: true)
        }
        return made
    }
}

extension PairRecords {
    /// Returns the past photo that a reference names, as the viewer may use it.
    fileprivate func source(_ reference: ThenSource.Reference, for viewer: Account) throws -> ThenSource {
        switch reference {
        case .photo(let id):
            let photo = try PhotoRecords(transaction).own(id, of: viewer)
            // The past photo of a pair is the one with which the pair was made.
            if photo.kind == .pair { return try source(.again(id), for: viewer) }
            return ThenSource(
                reference: reference, then: PairService.then(of: photo), picture: Photo.path(id, .large),
                description: photo.description)
        case .past(let id):
            let photo = try PastPhotoRecords(transaction).photo(id, for: viewer.id)
            return ThenSource(
                reference: reference, then: PairService.then(of: photo), picture: PastPhoto.path(id, .large),
                description: photo.found.title)
        case .again(let id):
            let pair = try pair(id, for: viewer)
            return ThenSource(
                reference: reference, then: pair.then, picture: PairPictures.path(.then, of: id),
                description: pair.then.title)
        }
    }

    /// Returns the pair that was made with a key; nil if there is none.
    ///
    /// - Throws: ``Refusal`` (410) if the pair was deleted.
    fileprivate func made(with key: IdempotencyKey?, by viewer: Account) throws -> Pair? {
        try key?.made(by: viewer.id, gone: "This was saved and then deleted.", transaction) {
            try pair(ID(rawValue: $0), for: viewer)
        }
    }

    /// Returns the files of a photo of the viewer's.
    fileprivate func material(of photo: Photo.ID, for viewer: Account) throws -> PairService.Material {
        let photo = try PhotoRecords(transaction).own(photo, of: viewer)
        return PairService.Material(try PhotoRecords(transaction).uncheckedFiles(photo.id))
    }

    /// Uses the upload of a match, whose files become the pair's.
    fileprivate func takeOver(_ media: Int64, as pair: Pair.ID, by viewer: Account) throws {
        let used = try SingleUseMediaRecords(transaction).use(ID(rawValue: media), for: .pair, by: viewer)
        let store = PairStore(transaction)
        for file in used.files {
            if let kept = PairService.Material.kept(file) {
                try store.insert(kept.named("now.\(kept.variant)"), of: pair)
            } else {
                try transaction.eraseFile(file.key)
            }
        }
    }
}
