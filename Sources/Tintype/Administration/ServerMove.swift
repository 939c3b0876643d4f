import Core
import Foundation
import Logging
import Serving
import Storage

/// The moving of a whole server between one machine's data folder, and a PostgreSQL database and an S3 store. What isn't
/// named stays where it is. Ids, passwords, log-ins and signed addresses stay valid.
public struct ServerMove: Sendable {
    /// The data folder.
    let folder: String
    let database: PostgresAddress?
    /// The file with the key that seals the secrets of the database.
    let secretsKeyFile: String?
    let blobs: S3Address?
    private let logger = Logger(label: "tintype")

    /// The names of what was moved from a data folder, so that no server goes on with it by mistake.
    private static let (movedDatabase, movedBlobs) = ("tintype-moved.sqlite", "blobs-moved")

    /// - Parameters:
    ///   - database: the database that gets or has the rows; nil if they are in the folder before and after.
    ///   - secretsKeyFile: the file with the key that seals the secrets of the database.
    ///   - blobs: the store that gets or has the files; nil if they are in the folder before and after.
    public init(
        folder: String, database: PostgresAddress?, secretsKeyFile: String? = nil, blobs: S3Address?
    ) {
        self.folder = folder
        self.database = database
        self.secretsKeyFile = secretsKeyFile
        self.blobs = blobs
    }

    /// Moves from the data folder: first the files, then the rows. After an error the move can be made again: files that are
    /// there aren't sent again. What fails with the files leaves the folder as it was, and what fails with the rows leaves
    /// them there.
    ///
    /// - Returns: what was moved, in words.
    /// - Throws: ``Refusal`` when the folder has no data, a server has it open, or a file is missing or damaged;
    ///   `DatabaseError` when the database isn't empty; `BlobError`.
    public func out() async throws -> [String] {
        let path = try TintypeApplication.existingFile(in: folder)
        guard let lock = try FolderLock.ofServer(in: folder) else { throw inUse }
        defer { withExtendedLifetime(lock) {} }
        var moved: [String] = []
        if let blobs {
            try refuseIfInUse(path)
            let summary = try await using(Database(path: path, node: ProcessKind.tool.node, logger: logger)) {
                rows -> BackupSummary? in
                guard try await rows.read({ try $0.blobsPlace() }) != blobs.place else { return nil }
                let source = try BlobFolder(path: "\(folder)/blobs")
                let store = try await open(blobs, for: rows, work: source.work)
                let summary = try await PictureMove(
                    database: rows, source: source, target: store, work: source.work,
                    advice: "Erase what is under its prefix, or name another."
                ).run()
                try await rows.write { try $0.noteBlobs(in: blobs.place) }
                return summary
            }
            if let summary {
                try rename("\(folder)/blobs", to: Self.movedBlobs)
                moved.append("\(Self.files(summary)) in \(blobs)")
            } else {
                moved.append("The files are in \(blobs) already")
            }
        }
        if let database {
            try await sealSecrets(path)
            let rows: Int
            do {
                rows = try Database.fill(
                    database, from: path, migrations: Resources.folder("migrations").path, logger: logger)
            } catch DatabaseError.busy {
                throw inUse
            }
            try rename(path, to: Self.movedDatabase)
            moved.append("\(rows.of("row")) are in \(database)")
        }
        return moved
    }

    /// Moves to the data folder, which gets a SQLite file and the files of the store. The database and the store stay as they
    /// are.
    ///
    /// - Returns: what was moved, in words.
    /// - Throws: as ``out()``; ``Refusal`` when the folder has a SQLite file already.
    public func back() async throws -> [String] {
        let path = "\(folder)/\(Backup.databaseName)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        guard let lock = try FolderLock.ofServer(in: folder) else { throw inUse }
        defer { withExtendedLifetime(lock) {} }
        let rows: Database
        if let database {
            guard !FileManager.default.fileExists(atPath: path) else {
                throw Refusal(.conflict, "There is a database in \(folder) already.")
            }
            // As the server, so that none writes meanwhile.
            rows = try Database(address: database, as: .onlyServer, logger: logger)
        } else {
            try refuseIfInUse(try TintypeApplication.existingFile(in: folder))
            rows = try Database(path: path, node: ProcessKind.tool.node, logger: logger)
        }
        return try await using(rows) { rows in
            if database == nil {
                try await UpgradeCopies(in: folder, logger: logger).upgrade(
                    rows, makesCopy: true, under: lock, now: { Date() })
            } else {
                _ = try rows.migrate(folder: Resources.folder("migrations").path)
            }
            var moved: [String] = []
            if let blobs {
                let target = try BlobFolder(path: "\(folder)/blobs")
                let source = try await open(blobs, for: rows, work: target.work)
                let summary = try await PictureMove(
                    database: rows, source: source, target: target, work: target.work,
                    advice: "Move \(folder)/blobs away."
                ).run()
                moved.append("\(Self.files(summary)) in \(folder)")
                if database == nil { try await rows.write { try $0.noteBlobs(in: nil) } }
            }
            if database != nil {
                try await copyRows(of: rows, to: path)
                moved.append("The rows are in \(folder)")
            }
            return moved
        }
    }

    /// Puts the folder's key for secrets, sealed, into its database, with whose rows it moves.
    private func sealSecrets(_ path: String) async throws {
        let key = try SecretsKey.operators(secretsKeyFile)
        try refuseIfInUse(path)
        try await using(Database(path: path, node: ProcessKind.tool.node, logger: logger)) {
            try await SecretsKey.seal(of: folder, in: $0, with: key)
        }
    }

    /// Copies the rows to a SQLite file, and the key for secrets to the folder. The file appears when it is complete.
    private func copyRows(of rows: Database, to path: String) async throws {
        let unfinished = "\(path).unfinished"
        defer { for suffix in ["", "-wal", "-shm"] { unlink(unfinished + suffix) } }
        try await rows.backup(to: unfinished)
        try await using(Database(path: unfinished, node: ProcessKind.tool.node, logger: logger)) {
            try await SecretsKey.unseal(into: folder, from: $0, withKeyAt: secretsKeyFile)
            if blobs != nil { try await $0.write { try $0.noteBlobs(in: nil) } }
        }
        guard Foundation.rename(unfinished, path) == 0 else {
            throw Refusal(.conflict, "\(path) can’t be written: \(String(cString: strerror(errno))).")
        }
    }

    /// Closes a database after its use, also after an error.
    private func using<Value>(
        _ database: Database, _ body: (Database) async throws -> Value
    ) async throws -> Value {
        let value: Value
        do {
            value = try await body(database)
        } catch {
            try database.close()
            throw error
        }
        try database.close()
        return value
    }

    private func open(
        _ blobs: S3Address, for rows: Database, work: WorkFolder
    ) async throws -> any BlobStore {
        var configuration = ServerConfiguration()
        configuration.data = folder
        configuration.blobs = blobs
        return try await BlobPlace.open(configuration, database: rows, work: work, logger: logger).blobs
    }

    private static func files(_ summary: BackupSummary) -> String {
        "\(summary.files.of("file")) \(summary.files == 1 ? "is" : "are")"
    }

    private var inUse: Refusal {
        Refusal(.conflict, "The server of \(folder) is running. Stop it first.")
    }

    private func refuseIfInUse(_ path: String) throws {
        if try Database.isInUse(path: path) { throw inUse }
    }

    private func rename(_ path: String, to name: String) throws {
        guard Foundation.rename(path, "\(folder)/\(name)") == 0 else {
            throw Refusal(.conflict, "All is moved, but \(path) can’t be renamed. Rename it yourself.")
        }
    }
}
