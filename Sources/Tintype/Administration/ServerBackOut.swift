import Core
import Foundation
import Logging
import Serving
import Storage

/// The way back from an update: the database becomes what it was before, by the copy that was made then.
///
/// What people deleted or changed since stays so (`Storage.BackOut`), and what they made since is lost. It survives a kill at any
/// moment: the database is the one or the other, and saying it again ends what is left to do.
public struct ServerBackOut: Sendable {
    private let data: String
    private let copies: UpgradeCopies
    private let copy: UpgradeCopies.Copy
    private let lock: FolderLock
    private let backOut: BackOut
    private let rules: BackOutRules
    private let newRows: [String: Int]

    /// Looks at the copy, and takes the place of the server, so that none starts meanwhile. Changes nothing.
    ///
    /// - Throws: ``Refusal`` when there is no way back, or a server is running.
    public init(_ configuration: ServerConfiguration) throws {
        try FolderOwner.check(configuration.data)
        guard configuration.database == nil else {
            throw Refusal.conflict(
                """
                The way back of a PostgreSQL database is your own dump from before the update: stop all servers, then \
                `pg_restore --clean --if-exists --dbname …` (Documentation/Operating.md, “Updating, and back”).
                """)
        }
        data = configuration.data
        let database = try TintypeApplication.existingFile(in: data)
        // The update of the second copy is no news.
        var logger = Logger(label: "tintype")
        logger.logLevel = .warning
        copies = UpgradeCopies(in: data, logger: logger)
        guard let lock = try FolderLock.ofServer(in: data) else { throw Self.inUse(data) }
        self.lock = lock
        guard let copy = try copies.newest() else {
            throw Refusal(
                .notFound,
                """
                There is no copy from before an update in \(copies.folder), so there is no way back but a backup. A copy is made \
                when a version changes the database, and erased after \(UpgradeCopies.days) days.
                """)
        }
        self.copy = copy
        rules = BackOutRules(for: Features.types)
        backOut = try BackOut(
            of: database, to: copy.path, in: "\(copies.folder)/going-back",
            migrations: Resources.folder("migrations").path, logger: logger)
        newRows = try Self.withRoom(data) { [backOut, rules] in
            backOut.undone.isEmpty ? [:] : try backOut.newRows(rules)
        }
    }

    /// Whether the database is as before the update already: it was brought back, or nothing was changed.
    public var isDone: Bool { backOut.undone.isEmpty }

    /// What would happen, in sentences.
    public var plan: String {
        let changes = backOut.undone.count.of("change")
        return """
            The copy is from \(Self.words(copy.madeAt)), before an update that made \(changes) to the database:
            \(backOut.undone.map { "    \($0)" }.joined(separator: "\n"))
            It leads back to \(version).
            \(lost)
            What people deleted, changed or saw once since then stays deleted, changed and seen; passwords stay the new ones.
            """
    }

    /// What was done, in sentences.
    public var outcome: String {
        """
        The database is as \(version) can use it. Install that version now, before a server starts: this one would update the \
        database again.
        """
    }

    /// Puts the copy in the place of the database, and erases it.
    ///
    /// - Throws: ``Refusal``; `DatabaseError`. The database is then as it was.
    public func run() throws {
        do {
            if !isDone { _ = try Self.withRoom(data) { try backOut.run(rules) } }
        } catch DatabaseError.busy {
            throw Self.inUse(data)
        }
        try copies.eraseAll()
    }

    /// Forgets what was looked at, when nobody wants to go back.
    public func cancel() { backOut.finish() }

    private var version: String { copy.version.map { "version \($0)" } ?? "the version before" }

    private var lost: String {
        guard !newRows.isEmpty else { return "Nothing was made since then that would be lost." }
        let counts = newRows.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { "    \($0.value.grouped) \(Self.words($0.key, $0.value))" }
        return """
            What was made since then would be lost, with its pictures (comments count as posts):
            \(counts.joined(separator: "\n"))
            """
    }

    /// The name of a table's rows, such as `past searches` or `post`.
    private static func words(_ table: String, _ count: Int) -> String {
        let words = table.replacingOccurrences(of: "_", with: " ")
        guard count == 1 else { return words }
        return String(words.dropLast(words.hasSuffix("ches") ? 2 : 1))
    }

    private static func words(_ date: Date) -> String {
        "\(date.formatted(.iso8601.year().month().day().dateSeparator(.dash))) "
            + "\(date.formatted(.iso8601.time(includingFractionalSeconds: false).timeSeparator(.colon))) UTC"
    }

    private static func inUse(_ data: String) -> Refusal {
        .conflict(
            "A server or a command is using \(data). Stop it first: systemctl stop tintype.socket tintype")
    }

    private static func withRoom<Value>(_ data: String, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch DatabaseError.full {
            throw Refusal(
                .unavailable(retryAfter: 60),
                """
                There is no room on the disk of \(data): going back needs three times the room of the database for a moment. Nothing \
                was changed. Make room, and say this again.
                """)
        }
    }
}
