import Foundation
import Logging
import Serving
import Storage

/// The place where the store of files is chosen.
package enum BlobPlace {
    /// How long storing a picture and naming it in a row may take, in seconds. A large file has more time.
    private static let patience = 3600.0
    /// The slowest pace at which a large file is sent, in bytes a second.
    private static let slowest = 1_000_000.0

    /// The value that says in which S3 store the files are; there is none while they are in a folder.
    fileprivate static let valueName = "blobs"

    /// Refuses a store other than the one that has the database's files: nothing would be found in it, and nothing erased.
    /// - Throws: ``Refusal`` (409).
    package static func check(_ configuration: ServerConfiguration, database: Database) async throws {
        let place = configuration.blobs?.place
        let (known, isEmpty) = try await database.read { transaction in
            (try transaction.blobsPlace(), try FileRecords(transaction).isEmpty())
        }
        guard known != place else { return }
        if let known {
            throw Refusal.conflict(
                "The pictures are in s3://\(known). Name that store with --blobs, or move them with `tintype move`."
            )
        }
        guard isEmpty else {
            throw Refusal.conflict(
                "The pictures are in a folder. Move them to the store with `tintype move`.")
        }
        try await database.write { try $0.noteBlobs(in: place) }
    }

    /// Opens the store of files that the settings name, and this process's own folder for files in work.
    ///
    /// - Parameters:
    ///   - database: the database that remembers which objects of an S3 store no row names yet.
    ///   - given: the folder for files in work beside an S3 store; nil for one of its own in the data folder.
    /// - Throws: `BlobError`.
    package static func open(
        _ configuration: ServerConfiguration, database: Database, work given: WorkFolder? = nil,
        logger: Logger
    ) async throws -> (blobs: any BlobStore, work: WorkFolder) {
        guard let address = configuration.blobs else {
            let path = "\(configuration.data)/blobs"
            let folder = try BlobFolder(path: path, maximumBytes: configuration.pictureBytes)
            return (folder, folder.work)
        }
        let work = try given ?? WorkFolder(in: "\(configuration.data)/incoming")
        let store = try await S3Store(
            address, environment: ProcessInfo.processInfo.environment, work: work,
            maximumBytes: configuration.pictureBytes, logger: logger
        ) { planned in
            try await database.write { transaction in
                let bytes = planned.map(\.byteCount).reduce(0, +)
                let end = transaction.now.addingTimeInterval(patience + Double(bytes) / slowest)
                for blob in planned {
                    try transaction.schedule(.settleBlob, payload: blob.key.rawValue, at: end)
                }
                return end
            }
        }
        return (store, work)
    }
}

extension Transaction {
    /// Returns in which S3 store the files are; nil for a folder.
    package func blobsPlace() throws -> String? { try serverValue(BlobPlace.valueName) }

    /// Notes in which S3 store the files are from now on; nil for a folder.
    package func noteBlobs(in place: String?) throws {
        if let place {
            try setServerValue(BlobPlace.valueName, place)
        } else {
            try deleteServerValue(BlobPlace.valueName)
        }
    }
}
