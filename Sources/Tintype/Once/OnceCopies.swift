import Imaging
import Storage

/// Copies a photo of the viewer's own library to be seen once, or to be sealed: its renditions, never the original or its
/// metadata. The photo stays in the library.
///
/// As with ``PictureIntake``, the files belong to no row until the caller's transaction names them.
struct OnceCopies: Sendable {
    let photos: PhotoService
    let intake: PictureIntake
    let blobs: BlobFolder

    /// A picture that no row names yet.
    struct Copy: Sendable {
        var description: String
        /// Pixels.
        var width: Int
        /// Pixels.
        var height: Int
        var files: [(variant: String, blob: StoredBlob)]
        /// BlurHash, for what is seen more than once.
        var blurhash = ""
        /// Main colour, for what is seen more than once.
        var colour = ""
    }

    /// A rendition to copy, and what the copy is called.
    struct Variant: Sendable {
        var size: Photo.Size
        var format: RenditionFormat
        var name: String

        /// What is enough for a picture that is seen once.
        static let large = RenditionFormat.allCases.map {
            Variant(size: .large, format: $0, name: OnceCopies.variant($0))
        }
    }

    /// Copies renditions of a photo of the viewer's own library.
    ///
    /// - Throws: ``Refusal`` (404) for anyone else's.
    func copy(
        of id: Photo.ID, by viewer: Account, as variants: [Variant] = Variant.large
    ) async throws -> Copy {
        let photo = try await photos.own(id, of: viewer)
        let size = photo.pixels(.large)
        var copy = Copy(
            description: photo.description, width: size.width, height: size.height, files: [],
            blurhash: photo.blurhash, colour: photo.colour)
        do {
            for variant in variants {
                let key = try await photos.rendition(
                    id, variant.size, variant.format, for: .loggedIn(viewer.id))
                copy.files.append((variant.name, try await blobs.copy(key)))
            }
        } catch {
            await discard(copy)
            throw error
        }
        return copy
    }

    /// Names the files of a copy in `blobs`, in the transaction of the feature that shows it.
    ///
    /// - Throws: ``Refusal`` (422) when the owner's storage is used up.
    func insert(_ copy: Copy, of owner: Account.ID, _ transaction: Transaction) throws {
        for file in copy.files { try transaction.insertFile(file.blob, of: owner) }
        try intake.allowance.check(owner, transaction)
    }

    /// Says that a committed row names the files.
    func keep(_ copy: Copy?) async {
        if let copy { await blobs.keep(copy.files.map(\.blob.key)) }
    }

    /// Erases files that no row names.
    func discard(_ copy: Copy?) async {
        if let copy { await intake.discard(copy.files.map(\.blob)) }
    }

    /// Erases files whose transaction failed, unless it may have been kept.
    func discard(_ copy: Copy?, after error: any Error) async {
        if let copy { await intake.discard(copy.files.map(\.blob), after: error) }
    }

    /// The name of the file in a format.
    static func variant(_ format: RenditionFormat) -> String { "large.\(format.rawValue)" }
}
