import Core
import Foundation
import Imaging
import Logging
import Serving
import Storage

extension JobKind {
    /// Cuts the square of a photo around its focus; the payload is the photo's id.
    static let cutSquare = JobKind("cut-square", .picturing)
}

/// The service that cuts the squares of photos again when their focus has changed.
struct PhotoSquares: Sendable {
    let database: Database
    let intake: PictureIntake
    let logger: Logger

    /// Performs ``JobKind/cutSquare``. The old square is shown until the new one is there, and is then erased. The path of
    /// the square stays the same: a browser asks with the ETag of the file whether its copy is still good.
    func cut(_ job: Job) async throws {
        guard let id = Photo.ID(job.payload),
            let due = try await database.read({ try PhotoStore($0).dueSquare(of: id) })
        else { return }
        let files: [StoredPicture.File]
        do {
            files = try await intake.renditions(
                [.square(around: due.focus)], of: due.original, for: due.owner)
        } catch let error as ImageError where error.isLasting {
            // Without new files the old square stays. Trying again would decode the same picture for ever.
            logger.error("a square can't be cut", metadata: ["photo": "\(id)", "error": "\(error)"])
            files = []
        }
        try await intake.replace(files, in: database) { transaction in
            let store = PhotoStore(transaction)
            guard let now = try store.dueSquare(of: id) else { return false }
            guard now == due else {
                // The focus or the picture has changed in the meantime.
                try transaction.schedule(.cutSquare, payload: job.payload)
                return false
            }
            try store.replaceSquare(of: id, by: files, owner: due.owner)
            return true
        }
    }
}

extension ImageError {
    /// Whether the same picture would fail again.
    fileprivate var isLasting: Bool {
        switch self {
        case .notAnImage, .unsupported, .tooManyPixels, .tooManyBytes, .tooCostly, .broken, .decoderFailed:
            true
        // The original is gone.
        case .inputOutput(let errno): errno == ENOENT
        case .decoderMissing, .outOfSpace: false
        }
    }
}
