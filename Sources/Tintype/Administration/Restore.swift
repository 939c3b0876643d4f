import Core
import Foundation
import Logging
import Serving
import Storage

/// The restoring of a data folder from a backup. The folder is checked, and created either completely or not at all.
struct Restore {
    /// The data folder; it must be empty or missing.
    let folder: String
    /// The file with the key that seals the secrets of a PostgreSQL database, for a backup of one.
    let secretsKeyFile: String?
    let logger: Logger

    func read(from path: String) async throws -> BackupSummary {
        let folder = try NewDataFolder(folder)
        do {
            let summary = try extract(path, into: folder.path)
            try await check(folder.path)
            try folder.finish()
            return summary
        } catch {
            folder.discard()
            throw error
        }
    }

    /// Extracts the archive. Writes only the names that a backup has, so that no archive can write outside the folder.
    private func extract(_ path: String, into folder: String) throws -> BackupSummary {
        let archive = try TarReader(path: path)
        guard let first = try archive.next(), first.name == Backup.databaseName else { throw Self.notABackup }
        try archive.extract(to: "\(folder)/\(Backup.databaseName)")
        var summary = BackupSummary(files: 0, bytes: 0)
        while let entry = try archive.next() {
            guard let name = entry.name.split(separator: "/").last, let key = BlobKey(rawValue: String(name)),
                entry.name == Backup.name(key)
            else { throw Self.notABackup }
            // A second file of this name would replace the first.
            guard !FileManager.default.fileExists(atPath: "\(folder)/\(entry.name)") else {
                throw Self.notABackup
            }
            try FileManager.default.createDirectory(
                atPath: "\(folder)/blobs/\(key.rawValue.prefix(2))", withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try archive.extract(to: "\(folder)/\(entry.name)")
            summary.files += 1
            summary.bytes += entry.size
        }
        return summary
    }

    private static let notABackup = Refusal.malformed("This isn't a backup of Tintype.")

    /// Migrates the database, and checks every row and file. Before anything is written, compares the schema with the
    /// migrations: a trigger that someone has put into the backup would run at every change.
    private func check(_ folder: String) async throws {
        let (path, migrations) = ("\(folder)/\(Backup.databaseName)", try Resources.folder("migrations").path)
        let foreign = try Database.schemaProblems(path: path, migrations: migrations)
        guard foreign.isEmpty else {
            throw Refusal.malformed("The backup was changed:\n" + foreign.joined(separator: "\n"))
        }
        let database = try Database(path: path, logger: logger)
        _ = try database.migrate(folder: migrations)
        let blobs = try BlobFolder(path: "\(folder)/blobs")
        if let secretsKeyFile {
            try await SecretsKey.unseal(into: folder, from: database, withKeyAt: secretsKeyFile)
        }
        let problems = try await Check(database: database, blobs: blobs, features: Features.types).problems()
        try database.close()
        guard problems.isEmpty else {
            throw Refusal.malformed("The backup is damaged:\n" + problems.joined(separator: "\n"))
        }
    }
}
