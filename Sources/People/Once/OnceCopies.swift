import Core
import Imaging
import Storage

/// Copies of a photo of the viewer's own library, to be seen once or to be sealed: its renditions, never the original
/// or its metadata. The photo stays in the library.
///
/// As with ``PictureIntake``, the files belong to no row until the caller's transaction names them.
package struct OnceCopies: Sendable {
    let photos: PhotoService
    package let intake: PictureIntake
    package let blobs: any BlobStore

    /// A picture that no row names yet.
    package struct Copy: Sendable {
        package var description: String
        /// The width in pixels.
        package var width: Int
        /// The height in pixels.
        package var height: Int
        package var files: [(variant: String, blob: StoredBlob)]
        /// The BlurHash, for a picture that is seen more than once.
        package var blurhash = ""
        /// The main colour, for a picture that is seen more than once.
        package var colour = ""
        /// The point that a cut picture shows, for one that is seen more than once.
        package var focus = Focus.middle

        package init(
            description: String, width: Int, height: Int, files: [(variant: String, blob: StoredBlob)],
            blurhash: String = "", colour: String = "", focus: Focus = .middle
        ) {
            self.description = description
            self.width = width
            self.height = height
            self.files = files
            self.blurhash = blurhash
            self.colour = colour
            self.focus = focus
        }
    }

    /// A rendition to copy, and the name of the copy.
    package struct Variant: Sendable {
        package var size: Photo.Size
        package var format: RenditionFormat
        package var name: String

        package init(size: Photo.Size, format: RenditionFormat, name: String) {
            self.size = size
            self.format = format
            self.name = name
        }

        /// The renditions that are enough for a picture that is seen once.
        static let large = RenditionFormat.allCases.map {
            Variant(size: .large, format: $0, name: OnceCopies.variant($0))
        }
    }

    /// Copies renditions of a photo of the viewer's own library.
    ///
    /// - Throws: ``Refusal`` (404) for a photo of anyone else's library.
    package func copy(
        of id: Photo.ID, by viewer: Account, as variants: [Variant] = Variant.large
    ) async throws -> Copy {
        let photo = try await photos.own(id, of: viewer)
        var files: [(variant: String, key: BlobKey)] = []
        for variant in variants {
            let key = try await photos.rendition(id, variant.size, variant.format, for: .loggedIn(viewer.id))
            files.append((variant.name, key))
        }
        let size = photo.pixels(.large)
        let copy = Copy(
            description: photo.description, width: size.width, height: size.height, files: [],
            blurhash: photo.blurhash, colour: photo.colour, focus: photo.focus)
        return try await self.copy(copy, of: files)
    }

    /// Copies the files of an upload that waits for its one use. The upload stays.
    package func copy(of media: SingleUseMedia) async throws -> Copy {
        let copy = Copy(description: media.description, width: media.width, height: media.height, files: [])
        return try await self.copy(copy, of: media.files.map { ($0.variant, $0.key) })
    }

    /// Copies a copy once more.
    package func copy(of copy: Copy) async throws -> Copy {
        try await self.copy(copy, of: copy.files.map { ($0.variant, $0.blob.key) })
    }

    /// Returns a copy with new files, in place of any that it has.
    private func copy(_ copy: Copy, of files: [(variant: String, key: BlobKey)]) async throws -> Copy {
        var copy = copy
        copy.files = []
        do {
            for (variant, key) in files { copy.files.append((variant, try await blobs.copy(key))) }
        } catch {
            await discard(copy)
            throw error
        }
        return copy
    }

    /// Names the files of a copy in `blobs`, in the transaction of the feature that shows it.
    ///
    /// - Throws: ``Refusal`` (422) when the owner's storage is full.
    package func insert(_ copy: Copy, of owner: Account.ID, _ transaction: Transaction) throws {
        for file in copy.files { try transaction.insertFile(file.blob, of: owner) }
        try intake.allowance.check(owner, transaction)
    }

    /// Notes that a committed row names the files.
    package func keep(_ copy: Copy?) async {
        if let copy { await blobs.keep(copy.files.map(\.blob.key)) }
    }

    /// Erases files that no row names.
    package func discard(_ copy: Copy?) async {
        if let copy { await intake.discard(copy.files.map(\.blob)) }
    }

    /// Erases files whose transaction failed, unless it may have been committed.
    package func discard(_ copy: Copy?, after error: any Error) async {
        if let copy { await intake.discard(copy.files.map(\.blob), after: error) }
    }

    /// Asks the store about the file of a picture that is about to be opened, which uses up its one look.
    ///
    /// - Parameter key: the file; nil for a picture that is gone, about which nothing is asked.
    /// - Throws: ``BlobError`` when the store doesn't answer.
    package func checkStore(has key: BlobKey?) async throws {
        if let key { _ = try await blobs.byteCount(of: key) }
    }

    /// Returns the name of the file in a format.
    package static func variant(_ format: RenditionFormat) -> String { "large.\(format.rawValue)" }
}
