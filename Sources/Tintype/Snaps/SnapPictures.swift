import Foundation
import Imaging
import Storage

/// Makes the files of a snap that is a copy: of one's own photo, or of a predefined picture.
///
/// As with ``PictureIntake``, the files belong to no row until the caller's transaction names them.
struct SnapPictures: Sendable {
    let copies: OnceCopies
    let samples: SnapSamples
    let intake: PictureIntake
    let blobs: BlobFolder

    /// A picture that no row names yet.
    typealias Copy = OnceCopies.Copy

    /// Copies one of one's own photos.
    ///
    /// - Throws: ``Refusal`` (404) for anyone else's.
    func copy(of id: Photo.ID, by viewer: Account) async throws -> Copy {
        try await copies.copy(of: id, by: viewer)
    }

    /// Renders a predefined picture anew.
    func copy(of sample: SnapSample) async throws -> Copy {
        let upload = try blobs.receive(maximumBytes: blobs.maximumBytes)
        do {
            try await upload.write(try Data(contentsOf: sample.file))
        } catch {
            await blobs.discard(upload)
            throw error
        }
        let picture = try await intake.take(upload, renditions: RenditionSpec.seenOnce, keepsOriginal: false)
        return Copy(
            description: sample.description, width: picture.facts.width, height: picture.facts.height,
            files: picture.files.map { ($0.variant, $0.blob) })
    }

    /// Says that a committed row names the files.
    func keep(_ copy: Copy?) async { await copies.keep(copy) }

    /// Erases files that no row names.
    func discard(_ copy: Copy?) async { await copies.discard(copy) }

    /// The name of a snap's file in a format.
    static func variant(_ format: RenditionFormat) -> String { OnceCopies.variant(format) }
}
