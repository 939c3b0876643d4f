import Foundation
import Logging
import Storage

/// The place where the store of files is chosen.
package enum BlobPlace {
    /// How long storing a picture and naming it in a row may take, in seconds. A large file has more time.
    private static let patience = 3600.0
    /// The slowest pace at which a large file is sent, in bytes a second.
    private static let slowest = 1_000_000.0

    /// Returns the folder of the data folder in which files are received and worked on, and without an S3 store kept. A
    /// server holds its lock.
    package static func folder(_ configuration: ServerConfiguration) -> String {
        "\(configuration.data)/\(configuration.blobs == nil ? "blobs" : "work")"
    }

    /// Opens the store of files that the settings name, and this process's own folder for files in work.
    ///
    /// - Parameter database: the database that remembers which objects of an S3 store no row names yet.
    /// - Throws: `BlobError`.
    package static func open(
        _ configuration: ServerConfiguration, database: Database, logger: Logger
    ) async throws -> (blobs: any BlobStore, work: WorkFolder) {
        let path = folder(configuration)
        guard let address = configuration.blobs else {
            let folder = try BlobFolder(path: path, maximumBytes: configuration.pictureBytes)
            return (folder, folder.work)
        }
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let work = try WorkFolder(in: "\(path)/incoming")
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
