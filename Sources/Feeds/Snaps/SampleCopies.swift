import Core
import Foundation
import Imaging
import People
import Storage

extension OnceCopies {
    /// Renders a predefined picture again, for someone who sends it.
    func copy(of sample: SnapSample, for owner: Account.ID) async throws -> Copy {
        let upload = try blobs.receive(maximumBytes: blobs.maximumBytes)
        do {
            try await upload.write(try Data(contentsOf: sample.file))
        } catch {
            await blobs.discard(upload)
            throw error
        }
        let picture = try await intake.take(
            upload, for: .account(owner), renditions: RenditionSpec.seenOnce, keepsOriginal: false)
        return Copy(
            description: sample.description, width: picture.facts.width, height: picture.facts.height,
            files: picture.files.map { ($0.variant, $0.blob) })
    }
}
