import Core
import Foundation
import Imaging
import Serving
import Storage

// Rendering the pictures of pairs, from their sources in full size.
extension PairService {
    /// A picture of a pair that was rendered for download.
    struct Made: Sendable {
        var key: BlobKey
        /// The media type.
        var type: String
        /// The file name for saving the picture.
        var name: String
    }

    /// Renders the library's picture of a pair.
    func render(_ pair: Pair, for viewer: Account) async throws -> StoredPicture {
        let (then, now) = try await sources(of: pair)
        return try await render(pair.composition, then: then, now: now, for: viewer)
    }

    /// Renders the library's picture of two sources.
    func render(
        _ pair: PairComposition, then: KeptFile, now: KeptFile, for viewer: Account
    ) async throws -> StoredPicture {
        try await processing {
            try await intake.pair(
                try pair.spec(pair.mode.layout), then: then, now: now, renditions: RenditionSpec.photo,
                for: viewer.id)
        }
    }

    /// Returns a pair's sources in full size.
    func sources(of pair: Pair) async throws -> (then: KeptFile, now: KeptFile) {
        try await database.read { transaction in
            let sources = try PairStore(transaction).sources(of: pair.id)
            guard let then = sources.first(where: { $0.variant == "then.full" }),
                let now = sources.first(where: { $0.variant == "now.full" })
            else { throw Refusal.notFound }
            return (then, now)
        }
    }

    /// Runs work on pictures that the server has already read once, and turns its errors into refusals.
    ///
    /// - Throws: ``Refusal`` (503) for too many pictures at once or no room on the disk.
    func processing<Result: Sendable>(_ work: () async throws -> Result) async throws -> Result {
        do {
            return try await work()
        } catch let error as ImageError {
            throw Refusal(imageError: error, field: "media_id")
        }
    }

    /// Returns a picture of one of the viewer's pairs in another mode than the library's: stacked, side by side, or as
    /// an animation that fades between the two. The picture is rendered at the first request and kept until the pair
    /// changes.
    ///
    /// - Throws: ``Refusal``: 404 for pairs of others, 422 for the slider, which is no picture, 503 for too many pictures
    ///   at once or no room on the disk.
    func rendition(
        _ mode: Pair.Mode, of id: Pair.ID, for viewer: Account
    ) async throws -> Made {
        guard mode != .slider else {
            throw Refusal.invalid("mode", "ERR_INVALID", "Choose stacked, side_by_side or fade.")
        }
        for _ in 0..<Self.mostTries {
            let (pair, known) = try await database.read { transaction in
                let pair = try PairRecords(transaction).pair(id, for: viewer)
                return (pair, try PairStore(transaction).file(Self.variant(mode), of: id))
            }
            if let known { return Self.made(known, pair, mode) }
            let (then, now) = try await sources(of: pair)
            let picture = try await processing {
                let spec = try pair.composition.spec(mode.layout)
                return mode == .fade
                    ? try await intake.fade(spec, then: then, now: now, for: viewer.id)
                    : try await intake.pair(spec, then: then, now: now, renditions: [], for: viewer.id)
            }
            let key = try await intake.name(picture, of: viewer.id, in: database) {
                transaction -> (row: BlobKey?, isNew: Bool) in
                let store = PairStore(transaction)
                let current = try PairRecords(transaction).pair(id, for: viewer)
                // Someone else may have asked at the same moment.
                if let key = try store.file(Self.variant(mode), of: id) { return (row: key, isNew: false) }
                guard current.revision == pair.revision, let file = picture.files.first else {
                    return (row: nil, isNew: false)
                }
                try transaction.insertFile(file.blob, of: viewer.id)
                try store.insert(KeptFile(file).named(Self.variant(mode)), of: id)
                return (row: file.blob.key, isNew: true)
            }
            if let key { return Self.made(key, pair, mode) }
        }
        throw Refusal.conflict("This pair is changing right now. Try again in a moment.")
    }

    private static func variant(_ mode: Pair.Mode) -> String { "made.\(mode.rawValue)" }

    private static func made(_ key: BlobKey, _ pair: Pair, _ mode: Pair.Mode) -> Made {
        let isAnimated = mode == .fade
        return Made(
            key: key, type: isAnimated ? "image/webp" : "image/jpeg",
            name: "then-and-now-\(pair.composition.yearThen)-\(pair.now.year).\(isAnimated ? "webp" : "jpg")")
    }
}
