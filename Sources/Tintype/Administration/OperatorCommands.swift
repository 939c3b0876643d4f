import Core
import Foundation
import Logging
import People
import Serving
import Storage

/// What can be said of a backup or a restored folder.
public struct BackupSummary: Sendable, CustomStringConvertible {
    /// How many pictures' files it has.
    public var files: Int
    /// How many bytes they have together.
    public var bytes: Int

    /// Such as `The database and 812 files (96 MB)`.
    public var description: String {
        "The database and \(files.of("file")) (\(max(1, bytes / 1_000_000).grouped) MB)"
    }
}

/// What the operator does from the command line, beside a running server or without one.
extension TintypeApplication {
    /// Opens a data folder that must be there already.
    ///
    /// - Throws: ``Refusal`` when there is none, so that a mistyped path makes no new one.
    public init(existing configuration: ServerConfiguration, node: ProcessKind) async throws {
        guard FileManager.default.fileExists(atPath: "\(configuration.data)/tintype.sqlite") else {
            throw Refusal(
                .notFound, "There is no Tintype data in \(configuration.data). Name its folder with --data.")
        }
        try await self.init(configuration, node: node)
    }

    /// Makes an account without an invitation.
    ///
    /// - Throws: ``Refusal`` (422) with every wrong value.
    public func createAccount(
        username: String, displayName: String, password: String, isAdmin: Bool
    ) async throws {
        _ = try await features.accounts.accounts.create(
            .init(username: username, displayName: displayName, password: password), isAdmin: isAdmin)
    }

    /// Lets someone administer, or ends it. A running server takes half a minute to notice.
    ///
    /// - Throws: ``Refusal``: 404 when nobody is called so, 409 for the suspended and the only administrator.
    public func setAdministrator(_ isAdmin: Bool, username: String) async throws {
        _ = try await database.write {
            try AccountService.setAdministrator(isAdmin, username: username, $0)
        }
    }

    /// Gives someone a new password and ends all their log-ins; a running server takes half a minute to notice.
    ///
    /// - Throws: ``Refusal``: 404 when nobody is called so, 422 for an unfit password.
    public func setPassword(_ password: String, username: String) async throws {
        let account = try await database.read { try AccountService.called(username, $0) }
        try await features.sessions.sessions.setPassword(password, of: account)
    }

    /// Makes a bearer token for a program that acts as this person.
    ///
    /// - Throws: ``Refusal`` (404) when nobody is called so.
    public func createToken(username: String) async throws -> String {
        let account = try await database.read { try AccountService.called(username, $0) }
        return try await features.sessions.sessions.start(
            for: account.id, device: "Command line", kind: .token)
    }

    /// Makes an invitation code, good once, for 30 days.
    public func createInvitation() async throws -> String {
        try await features.accounts.invitations.invite(by: nil)
    }

    /// Looks for damage; a sentence for each problem, empty when all is well.
    public func problems() async throws -> [String] {
        try await Check(database: database, blobs: blobs, features: features.types).problems()
    }

    /// Writes everything into one file while the server may be running.
    ///
    /// - Parameter path: the file; it appears when it is complete and on the disk.
    public func backUp(to path: String) async throws -> BackupSummary {
        try await Backup(
            database: database, blobs: blobs, features: features.types, now: parts.now, logger: parts.logger
        ).write(to: path)
    }

    /// Fills an empty or missing data folder from a backup.
    ///
    /// - Throws: ``Refusal`` when the folder isn't empty, or the backup is damaged; then nothing is there.
    public static func restore(from path: String, _ configuration: ServerConfiguration) async throws
        -> BackupSummary
    {
        try await Restore(folder: configuration.data, logger: .init(label: "tintype")).read(from: path)
    }
}

extension Refusal: CustomStringConvertible {
    /// The sentence, and one for each wrong field, as a command prints them.
    public var description: String {
        let details = fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.sentence)" }
        return details.count > 1 ? ([message] + details).joined(separator: "\n") : details.first ?? message
    }
}
