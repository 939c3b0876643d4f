import Core
import Foundation
import Logging
import People
import Serving
import Storage

/// The size of a backup or of a restored folder.
public struct BackupSummary: Sendable, CustomStringConvertible {
    /// The number of pictures' files.
    public var files: Int
    /// The number of bytes of all files.
    public var bytes: Int

    /// The summary in words, such as `The database and 812 files (96 MB)`.
    public var description: String {
        "The database and \(files.of("file")) (\(max(1, bytes / 1_000_000).grouped) MB)"
    }
}

/// The operator's commands, for use beside a running server or without one.
extension TintypeApplication {
    /// Opens a data folder that exists already.
    ///
    /// - Throws: ``Refusal`` when there is none, so that a mistyped path makes no new one.
    public init(existing configuration: ServerConfiguration, node: ProcessKind) async throws {
        if configuration.database == nil { _ = try Self.existingFile(in: configuration.data) }
        try await self.init(configuration, node: node)
    }

    /// Creates an account without an invitation.
    ///
    /// - Throws: ``Refusal`` (422) with every wrong value.
    public func createAccount(
        username: String, displayName: String, password: String, isAdmin: Bool
    ) async throws {
        _ = try await features.accounts.accounts.create(
            .init(username: username, displayName: displayName, password: password), isAdmin: isAdmin)
    }

    /// Makes someone an administrator, or ends this role. A running server takes half a minute to notice.
    ///
    /// - Throws: ``Refusal``: 404 when nobody is called so, 409 for the suspended and the only administrator.
    public func setAdministrator(_ isAdmin: Bool, username: String) async throws {
        _ = try await database.write {
            try AccountRecords($0).setAdministrator(isAdmin, username: username)
        }
    }

    /// Sets a person's password and ends all their log-ins. A running server takes half a minute to notice.
    ///
    /// - Throws: ``Refusal``: 404 when nobody is called so, 422 for an unfit password.
    public func setPassword(_ password: String, username: String) async throws {
        let account = try await database.read { try AccountRecords($0).called(username) }
        try await features.sessions.sessions.setPassword(password, of: account)
    }

    /// Creates a link with which a person chooses a new password and is logged in. It works once, for a day.
    ///
    /// - Throws: ``Refusal`` (404) when nobody is called so.
    public func createLogInLink(username: String) async throws -> String {
        try await features.sessions.links.make(for: username)
    }

    /// Makes the first account of a server, whose owner administers it. Returns the link with which the owner chooses a
    /// password. If the account is there already, nothing but the link is made.
    ///
    /// - Throws: ``Refusal``: 409 when only other people have accounts, 422 with every wrong value.
    public func setUp(administrator username: String, displayName: String) async throws -> String {
        let isKnown = try await database.read { transaction in
            let records = AccountRecords(transaction)
            guard try records.count() > 0 else { return false }
            guard try records.unchecked(username: username)?.isAdmin == true else {
                throw Refusal.conflict(
                    "There are accounts here already, and @\(username) is no administrator. See `tintype account`."
                )
            }
            return true
        }
        if !isKnown {
            // Nobody knows this password: the link replaces it.
            try await createAccount(
                username: username, displayName: displayName, password: Session.newToken(), isAdmin: true)
        }
        return try await createLogInLink(username: username)
    }

    /// Creates a bearer token for a program that acts as a person.
    ///
    /// - Throws: ``Refusal`` (404) when nobody is called so.
    public func createToken(username: String) async throws -> String {
        let account = try await database.read { try AccountRecords($0).called(username) }
        return try await features.sessions.sessions.start(
            for: account.id, device: "Command line", kind: .token)
    }

    /// Creates an invitation code, which works once and for 30 days.
    public func createInvitation() async throws -> String {
        try await features.accounts.invitations.invite(by: nil)
    }

    /// Looks for damage. Returns a sentence for each problem; empty when there is none.
    public func problems() async throws -> [String] {
        try await Check(database: database, blobs: blobs, features: features.types).problems()
    }

    /// Looks for what keeps the server from working at the moment. Returns a sentence for each problem.
    public func quickProblems() async throws -> [String] {
        try await Check(database: database, blobs: blobs, features: features.types)
            .quickProblems(in: configuration.data)
    }

    /// Writes a backup into one file, also while the server is running.
    ///
    /// - Parameter path: the file; it appears when it is complete and on the disk.
    public func backUp(to path: String) async throws -> BackupSummary {
        try await Backup(
            database: database, blobs: blobs, work: parts.work, features: features.types, now: parts.now,
            logger: parts.logger
        ).write(to: path)
    }

    /// Fills an empty or missing data folder from a backup. The database is a SQLite file. With the setting for the file
    /// of its key, the secrets of a backup from PostgreSQL stay usable.
    ///
    /// - Throws: ``Refusal`` when the folder isn't empty, or the backup is damaged; then nothing is there.
    public static func restore(from path: String, _ configuration: ServerConfiguration) async throws
        -> BackupSummary
    {
        try await Restore(
            folder: configuration.data, secretsKeyFile: configuration.secretsKeyFile,
            logger: .init(label: "tintype")
        ).read(from: path)
    }

    static func existingFile(in folder: String) throws -> String {
        let path = "\(folder)/\(Backup.databaseName)"
        guard FileManager.default.fileExists(atPath: path) else {
            throw Refusal(
                .notFound, "There is no Tintype data in \(folder). Name its folder with --data.")
        }
        return path
    }
}

extension Refusal: CustomStringConvertible {
    /// The sentence of the refusal, and one for each wrong field, as a command prints them.
    public var description: String {
        let details = fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.sentence)" }
        return details.count > 1 ? ([message] + details).joined(separator: "\n") : details.first ?? message
    }
}
