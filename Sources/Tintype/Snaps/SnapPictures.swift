import Foundation
import Imaging
import Storage

/// Makes the files of a snap that is a copy: of one's own photo, or of a predefined picture.
///
/// As with ``PictureIntake``, the files belong to no row until the caller's transaction names them.
struct SnapPictures: Sendable {
    let photos: PhotoService
    let samples: SnapSamples
    let intake: PictureIntake
    let blobs: BlobFolder

    /// A picture that no row names yet.
    struct Copy: Sendable {
        var description: String
        var files: [(variant: String, blob: StoredBlob)]
    }

    /// Copies the large renditions of one of one's own photos, byte by byte.
    ///
    /// - Throws: ``Refusal`` (404) for anyone else's.
    func copy(of id: Photo.ID, by viewer: Account) async throws -> Copy {
        var copy = Copy(description: try await photos.own(id, of: viewer).photo.description, files: [])
        do {
            for format in RenditionFormat.allCases {
                let key = try await photos.rendition(id, .large, format, for: .loggedIn(viewer.id))
                let bytes = try await blobs.read(key, 0..<blobs.maximumBytes)
                copy.files.append((Self.variant(format), try await blobs.store(bytes)))
            }
        } catch {
            await discard(copy)
            throw error
        }
        return copy
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
        return Copy(description: sample.description, files: picture.files.map { ($0.variant, $0.blob) })
    }

    /// Says that a committed row names the files.
    func keep(_ copy: Copy?) async {
        if let copy { await blobs.keep(copy.files.map(\.blob.key)) }
    }

    /// Erases files that no row names.
    func discard(_ copy: Copy?) async {
        if let copy { await intake.discard(copy.files.map(\.blob)) }
    }

    /// The name of a snap's file in a format.
    static func variant(_ format: RenditionFormat) -> String { "large.\(format.rawValue)" }
}
