import Foundation
import Logging
import Serving
import Storage

/// The copies of a SQLite database that are made before a new version changes it, so that there is a way back
/// (`tintype back-out`). One is kept, for ``days`` days: it has texts that people delete meanwhile, though no pictures.
package struct UpgradeCopies: Sendable {
    /// A copy.
    package struct Copy: Sendable {
        package let path: String
        package let madeAt: Date
        /// The version of the server that used the database before; nil if that isn't known.
        package let version: String?
    }

    /// How long a copy is kept.
    package static let days = 7

    private let data: String
    private let logger: Logger

    /// The name of the value with the version of the server that used the database last.
    private static let versionName = "program-version"

    /// - Parameter data: the data folder.
    package init(in data: String, logger: Logger) {
        self.data = data
        self.logger = logger
    }

    /// The folder of the copies.
    package var folder: String { "\(data)/before-upgrade" }
    /// A file that is there from before the first migration until after the last: meanwhile the database is of no version, and
    /// the copy of it from before is the one to keep.
    private var unfinished: String { "\(folder)/unfinished" }
    private var database: String { "\(data)/tintype.sqlite" }

    /// Brings a database in a SQLite file up to date, after a copy if it has accounts.
    ///
    /// - Parameters:
    ///   - makesCopy: whether a copy is made.
    ///   - held: the lock of the server, if the caller has it; nil to take it.
    /// - Throws: ``Refusal``: 409 when a server uses the data, 503 when there is no room for the copy; `DatabaseError`.
    package func upgrade(
        _ database: Database, makesCopy: Bool, under held: FolderLock? = nil, now: @Sendable () -> Date
    ) async throws {
        let migrations = try Resources.folder("migrations").path
        func state() throws -> MigrationState {
            try Database.migrationState(path: self.database, folder: migrations)
        }
        let first = try state()
        guard !first.pending.isEmpty else { return try removeMark() }
        guard !first.applied.isEmpty, try await database.read({ try AccountRecords($0).hasAny() }) else {
            // A new database, of which several processes may make the tables together.
            _ = try database.migrate(folder: migrations)
            return
        }
        guard let lock = try held ?? FolderLock.ofServer(in: data) else { throw inUse }
        defer { withExtendedLifetime(lock) {} }
        // Another process may have done it meanwhile.
        let found = try state()
        guard !found.pending.isEmpty else { return }
        try PrivateFile.makeFolder(at: folder)
        if makesCopy, try !isHalfway(found) { try await copy(database, at: now()) }
        _ = try PrivateFile.contents(of: unfinished, orCreate: [])
        _ = try database.migrate(folder: migrations)
        try removeMark()
    }

    /// Removes the mark of migrations that were begun, once they are all done.
    private func removeMark() throws {
        do {
            try FileManager.default.removeItem(atPath: unfinished)
        } catch CocoaError.fileNoSuchFile {
            // It wasn't there, or another process was quicker.
        }
    }

    /// Notes the version of this program in the database, for the next copy.
    package static func noteVersion(in database: Database) async throws {
        let noted = try await database.read { try $0.serverValue(versionName) }
        guard noted != tintypeVersion else { return }
        try await database.write { try $0.setServerValue(versionName, tintypeVersion) }
    }

    /// Returns the newest copy; nil if there is none.
    package func newest() throws -> Copy? { try copies().max { $0.madeAt < $1.madeAt } }

    /// Erases the copies that are older than ``days`` days, and what a killed process has left. The caller has the lock of the
    /// server, so that nothing of it is in work.
    package func eraseOld(now: Date) throws {
        guard FileManager.default.fileExists(atPath: folder) else { return }
        let young = try copies().filter { $0.madeAt >= now - Double(Self.days) * 86_400 }.map(\.path)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder)
        where !young.contains("\(folder)/\(name)") {
            try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
            logger.notice("a copy from before an update is erased", metadata: ["name": "\(name)"])
        }
    }

    /// Erases all copies and what belongs to them.
    package func eraseAll() throws {
        guard FileManager.default.fileExists(atPath: folder) else { return }
        try FileManager.default.removeItem(atPath: folder)
    }

    /// Whether migrations were begun on this database and not finished, so that its copy is from before all of them.
    private func isHalfway(_ state: MigrationState) throws -> Bool {
        guard FileManager.default.fileExists(atPath: unfinished), let copy = try newest() else {
            return false
        }
        let earlier = try Database.migrationState(
            path: copy.path, folder: Resources.folder("migrations").path)
        return earlier.applied.count < state.applied.count
    }

    private func copy(_ database: Database, at date: Date) async throws {
        let size = try await database.size()
        let free = try FileManager.default.freeBytes(at: folder)
        guard free > size.data + size.log else { throw noRoom(size.data + size.log, free) }
        let version = try await database.read { try $0.serverValue(Self.versionName) }
        let name = "\(date.formatted(Self.dateFormat))-\(version ?? "").sqlite"
        do {
            try await database.backup(to: "\(folder)/\(name)")
        } catch DatabaseError.full {
            throw noRoom(size.data + size.log, free)
        }
        // The older copy, and what a killed process has left.
        for older in try FileManager.default.contentsOfDirectory(atPath: folder) where older != name {
            try FileManager.default.removeItem(atPath: "\(folder)/\(older)")
        }
        logger.notice(
            "the database is copied before the update",
            metadata: ["copy": "\(folder)/\(name)", "days": "\(Self.days)"])
    }

    private func copies() throws -> [Copy] {
        guard FileManager.default.fileExists(atPath: folder) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { name in
            guard name.hasSuffix(".sqlite"), let dash = name.firstIndex(of: "-"),
                let date = try? Date(String(name[..<dash]), strategy: Self.dateFormat)
            else { return nil }
            let version = String(name[name.index(after: dash)...].dropLast(".sqlite".count))
            return Copy(
                path: "\(folder)/\(name)", madeAt: date, version: version.isEmpty ? nil : version)
        }
    }

    /// Such as `20261128T062500Z`.
    private static let dateFormat = Date.ISO8601FormatStyle(
        dateSeparator: .omitted, dateTimeSeparator: .standard, timeSeparator: .omitted,
        timeZoneSeparator: .omitted, includingFractionalSeconds: false, timeZone: .gmt)

    private var inUse: Refusal {
        .conflict(
            """
            This version has to change the database of \(data), which a server uses. Stop the server, or start it again with \
            this version, and then say this again.
            """)
    }

    private func noRoom(_ needed: Int, _ free: Int) -> Refusal {
        Refusal(
            .unavailable(retryAfter: 60),
            """
            This version changes the database, and there is no room for a copy of it: \(ByteSize.words(needed)) are needed in \
            \(folder), \(ByteSize.words(free)) are free. Make room, or start once with --upgrade-copy no: then only a backup of \
            your own leads back.
            """)
    }
}

extension FolderLock {
    /// Takes the lock of a data folder that one server, or one move, has at a time. Returns nil if another has it.
    package static func ofServer(in data: String) throws -> FolderLock? {
        let path = "\(data)/server"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return try FolderLock(ifFree: path)
    }
}
