import Core
import Foundation
import Logging
import Serving
import Storage

/// The writing of a backup into one file: a tar archive with the database and the pictures.
///
/// The database is copied as it is at one moment. Right after, every file that the copy names is exported from the
/// store (a folder gives it a second name), so that a file that is erased in the meantime is still in the archive.
struct Backup {
    let database: Database
    let blobs: any BlobStore
    let work: WorkFolder
    let features: [any Feature.Type]
    let now: @Sendable () -> Date
    let logger: Logger

    static let databaseName = "tintype.sqlite"
    private static let attempts = 5

    /// Writes the backup.
    ///
    /// - Parameter path: the file; it appears when it is complete and on the disk.
    func write(to path: String) async throws -> BackupSummary {
        let folder = try await work.makeFolder()
        let unfinished = path + ".unfinished"
        do {
            let files = try await freeze(in: folder)
            let archive = try TarWriter(path: unfinished)
            try archive.add(Self.databaseName, fileAt: "\(folder)/\(Self.databaseName)")
            var bytes = 0
            for key in files { bytes += try archive.add(Self.name(key), fileAt: "\(folder)/\(key.rawValue)") }
            try archive.finish()
            guard rename(unfinished, path) == 0 else { throw Refusal(.conflict, "\(path) can't be written.") }
            work.removeFolder(folder)
            return BackupSummary(files: files.count, bytes: bytes)
        } catch {
            unlink(unfinished)
            work.removeFolder(folder)
            throw error
        }
    }

    static func name(_ key: BlobKey) -> String { "blobs/\(key.rawValue.prefix(2))/\(key.rawValue)" }

    /// Copies the database and exports its files. Starts again when a file was erased in between.
    private func freeze(in folder: String) async throws -> [BlobKey] {
        for _ in 1...Self.attempts {
            let copy = "\(folder)/\(Self.databaseName)"
            try await database.backup(to: copy)
            let files = try await strip(copy)
            do {
                for key in files { try await blobs.export(key, to: "\(folder)/\(key.rawValue)") }
                return files
            } catch BlobError.notFound {
                continue
            }
        }
        throw Refusal(
            .unavailable(retryAfter: 60),
            "Pictures are missing or go faster than they can be copied. See `tintype check`.")
    }

    /// Removes from the copy the rows that no backup contains. Returns the files that the copy then names.
    private func strip(_ path: String) async throws -> [BlobKey] {
        let copy = try Database(path: path, now: now, logger: logger)
        let files = try await copy.write { [features] transaction in
            for feature in features { try feature.leaveOutOfBackup(transaction) }
            try AttemptRows(transaction).deleteAll()
            try JobOutbox(transaction).deleteAll(.sweepAttempts)
            let records = FileRecords(transaction)
            try records.forgetUnowned(by: features.flatMap { $0.tables })
            try transaction.noteBlobs(in: nil)
            // Files that are about to be erased aren't in the archive.
            for kind in [JobKind.eraseBlob, .settleBlob] { try JobOutbox(transaction).deleteAll(kind) }
            return try records.page(after: "", limit: .max).map(\.key)
        }
        // Closing writes the log into the database's file.
        try copy.close()
        return files
    }
}
