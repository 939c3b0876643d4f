import Foundation
import Logging

/// What has to be known of the tables, so that a database can go back to an earlier copy of it.
public struct BackOutRules: Sendable {
    /// The tables whose rows stay that were made since the copy, as far as what they refer to stays.
    public let kept: Set<String>
    /// The table of files, whose rows stay as long as a row refers to them.
    public let files: String
    /// Statements that run last and set numbers that other rows make. Those that name something that the earlier
    /// version doesn't have are left out.
    public let counts: [String]
    /// Statements that run once the rows are there: `main` is the database as it will be, and `present` as it is.
    public let ends: [String]

    /// Names the tables and statements.
    public init(kept: Set<String>, files: String, counts: [String], ends: [String]) {
        self.kept = kept
        self.files = files
        self.counts = counts
        self.ends = ends
    }
}

/// The return of a SQLite file to a copy that was made before migrations changed it.
///
/// People who deleted or changed something since want it to stay so. What they did and what the migrations did is told apart with
/// a second copy, to which the migrations are applied again: a row that it has and the database hasn't was deleted by somebody,
/// and a value that differs was changed by somebody. Both are done to the copy, too. What was made since is lost, except in
/// tables that only protect people or follow from others (`BackOutRules.kept`).
///
/// The database is replaced by one rename, so it is the one or the other at every moment. All functions block.
public struct BackOut: Sendable {
    private let path: String
    private let copy: String
    private let folder: String
    private let migrations: [Migration]
    private let logger: Logger
    /// What the database has that the copy hasn't.
    public let undone: [String]

    private var upgraded: String { "\(folder)/upgraded.sqlite" }
    private var result: String { "\(folder)/tintype.sqlite" }

    /// - Parameters:
    ///   - path: the database.
    ///   - copy: the copy of it from before the migrations.
    ///   - folder: the folder for files in work, on the same disk, which nobody else uses. It is emptied.
    ///   - migrations: the folder with the migrations, of the program that changed the database or a later one.
    /// - Throws: `DatabaseError`, for example if the database is newer than the program.
    public init(
        of path: String, to copy: String, in folder: String, migrations: String, logger: Logger
    ) throws {
        do {
            let known = try Migration.all(in: migrations)
            let (present, earlier) = (try Self.applied(path), try Self.applied(copy))
            _ = try Migration.pending(of: known, applied: present)
            _ = try Migration.pending(of: known, applied: earlier)
            self.path = path
            self.copy = copy
            self.folder = folder
            self.logger = logger
            undone = present.dropFirst(earlier.count).map(\.name)
            self.migrations = Array(known.prefix(present.count))
            Folder.remove(folder)
            try Folder.create(folder)
        } catch {
            throw DatabaseError(error)
        }
    }

    /// Removes the files in work.
    public func finish() { Folder.remove(folder) }

    private static func applied(_ path: String) throws -> [Migration.Applied] {
        try SQLiteHandle(path: path, for: .writing, busyTimeout: 5).withConnection {
            try $0.appliedMigrations()
        }
    }

    /// Counts the rows that were made since the copy, in tables whose rows have an id.
    ///
    /// - Returns: the numbers by the tables' names, without tables that have none.
    /// - Throws: `DatabaseError`.
    public func newRows(_ rules: BackOutRules) throws -> [String: Int] {
        do {
            try Backup.copy(copy, to: upgraded, busyTimeout: 5)
            let file = try SQLiteHandle(path: upgraded, for: .writing, busyTimeout: 5)
            let counts = try file.withConnection { connection in
                _ = try connection.apply(migrations, now: { Date() }, logger: logger)
                guard try connection.leaveLog() else { throw DatabaseError.busy }
                try connection.attach(path, as: .present)
                var counts: [String: Int] = [:]
                for table in try connection.tables()
                where table != rules.files && !rules.kept.contains(table) {
                    guard let table = try BackOutTable(table, in: connection, [.main, .present]),
                        table.columns.contains("id")
                    else { continue }
                    let count = try connection.number(
                        "SELECT count(*) AS number FROM \(table[.present]) p WHERE NOT EXISTS (\(table.same(.main, "m", "p")))"
                    )
                    if count > 0 { counts[table.name] = count }
                }
                return counts
            }
            try file.close()
            return counts
        } catch {
            throw DatabaseError(error)
        }
    }

    /// Replaces the database by its copy, in which what was deleted or changed since is deleted or changed, too. Call
    /// `newRows` before.
    ///
    /// - Returns: the statements of `BackOutRules.counts` that the earlier version has no place for.
    /// - Throws: `DatabaseError`: `busy` if a process has the database open, `full`. The database is then as it was.
    public func run(_ rules: BackOutRules) throws -> [String] {
        do {
            // Every process that opens the database waits for this lock.
            let opening = try FolderLock(waitingFor: path.parentFolder)
            defer { withExtendedLifetime(opening) {} }
            guard try !Database.isInUse(path: path) else { throw DatabaseError.busy }
            try Backup.copy(copy, to: result, busyTimeout: 5)
            let file = try SQLiteHandle(path: result, for: .filling, busyTimeout: 5)
            try file.withConnection { connection in
                guard try connection.leaveLog() else { throw DatabaseError.busy }
                try connection.execute("PRAGMA secure_delete = ON")
                try connection.execute("PRAGMA foreign_keys = OFF")
                try connection.attach(path, as: .present)
                try connection.attach(upgraded, as: .upgraded)
                try connection.read { try rebuild(connection, rules) }
            }
            try file.close()
            let leftOut = try count(rules)
            try OpenFile(result, O_RDWR).synchronize()
            // A log that is left would be applied to the other file.
            guard access(path + "-wal", F_OK) != 0, access(path + "-journal", F_OK) != 0 else {
                throw DatabaseError.busy
            }
            guard rename(result, path) == 0 else { throw SystemError.last(path) }
            try OpenFile.synchronizeFolder(path.parentFolder)
            return leftOut
        } catch {
            throw DatabaseError(error)
        }
    }

    private func rebuild(_ connection: SQLiteConnection, _ rules: BackOutRules) throws {
        let names = try connection.tables()
        let tables = try names.compactMap {
            try BackOutTable($0, in: connection, [.main, .present, .upgraded])
        }
        for table in tables {
            try connection.execute(table.deleteGone)
            if let statement = table.updateChanged { try connection.execute(statement) }
            if rules.kept.contains(table.name) { try connection.execute(table.insertNew) }
        }
        let references = try names.flatMap { try connection.references(from: $0) }
        if let files = tables.first(where: { $0.name == rules.files }) {
            for reference in references where reference.parent == files.name {
                try connection.execute(files.insertNamed(by: reference))
            }
        }
        // What refers to a lost row goes as if that had been deleted, and so on.
        while try references.reduce(0, { try $0 + connection.execute($1.settle) }) > 0 {}
        let named = references.filter { $0.parent == rules.files }.map(\.children)
        if !named.isEmpty {
            try connection.execute(
                "DELETE FROM main.\"\(rules.files)\" AS p WHERE NOT (\(named.joined(separator: " OR ")))")
        }
        // Ids that were given since are never given again.
        try connection.execute("DELETE FROM main.storage_ids")
        try connection.execute("INSERT INTO main.storage_ids SELECT node, last_id FROM present.storage_ids")
        for statement in rules.ends { try connection.execute(statement) }
    }

    /// Sets the numbers that other rows make, and looks for damage.
    private func count(_ rules: BackOutRules) throws -> [String] {
        // On its own: a table that is missing here would be looked for in the other databases.
        let file = try SQLiteHandle(path: result, for: .filling, busyTimeout: 5)
        let (leftOut, problems) = try file.withConnection { connection in
            var leftOut: [String] = []
            for statement in rules.counts {
                do {
                    try connection.execute(statement)
                } catch DatabaseError.other(let message) where message.contains("no such") {
                    logger.notice("a number isn't counted again", metadata: ["reason": "\(message)"])
                    leftOut.append(statement)
                }
            }
            return (leftOut, try connection.integrityProblems())
        }
        try file.close()
        guard problems.isEmpty else {
            throw DatabaseError.other(message: problems.prefix(5).joined(separator: "; "))
        }
        return leftOut
    }
}

/// The databases that a connection has open while a database goes back.
private enum AttachedDatabase: String {
    /// The one that the connection was opened with.
    case main
    /// The database as it is.
    case present
    /// The copy to which the migrations were applied again.
    case upgraded
}

/// A table that several databases have, with the columns that it has in all of them.
private struct BackOutTable {
    let name: String
    let columns: [String]
    private let key: [String]

    /// Returns nil if one of the databases doesn't have the table, or has it with another key.
    init?(_ name: String, in connection: SQLiteConnection, _ databases: [AttachedDatabase]) throws {
        self.name = name
        key = try connection.key(of: name)
        var shared = try connection.columns(of: name)
        for database in databases {
            let columns = try connection.columns(of: name, in: database.rawValue)
            shared = shared.filter(columns.contains)
            guard try connection.key(of: name, in: database.rawValue) == key else { return nil }
        }
        columns = shared
        guard !key.isEmpty else { return nil }
    }

    subscript(_ database: AttachedDatabase) -> String { "\(database.rawValue).\"\(name)\"" }

    /// A query for the row of a database, called `alias`, that has the same key as the row `row`.
    func same(_ database: AttachedDatabase, _ alias: String, _ row: String) -> String {
        "SELECT 1 FROM \(self[database]) \(alias) WHERE \(sameKey(alias, row))"
    }

    private func sameKey(_ one: String, _ other: String) -> String {
        key.map { "\(one).\"\($0)\" = \(other).\"\($0)\"" }.joined(separator: " AND ")
    }

    /// Deletes rows that somebody has deleted since.
    var deleteGone: String {
        """
        DELETE FROM \(self[.main]) AS m
        WHERE EXISTS (\(same(.upgraded, "u", "m"))) AND NOT EXISTS (\(same(.present, "p", "m")))
        """
    }

    /// Sets values that somebody has changed since; nil for a table that has nothing but its key.
    var updateChanged: String? {
        let values = columns.filter { !key.contains($0) }.map { "\"\($0)\"" }
        guard !values.isEmpty else { return nil }
        let isChanged = values.map { "p.\($0) IS NOT u.\($0)" }
        let new = zip(values, isChanged).map { "\($0) = CASE WHEN \($1) THEN p.\($0) ELSE m.\($0) END" }
        return """
            UPDATE \(self[.main]) AS m SET \(new.joined(separator: ", "))
            FROM \(self[.present]) AS p, \(self[.upgraded]) AS u
            WHERE \(sameKey("p", "m")) AND \(sameKey("u", "m")) AND (\(isChanged.joined(separator: " OR ")))
            """
    }

    /// Inserts rows that were made since.
    var insertNew: String { insert("NOT EXISTS (\(same(.upgraded, "u", "p")))") }

    /// Inserts rows that were made since and to which rows refer.
    func insertNamed(by reference: Reference) -> String { insert("EXISTS (\(reference.rows))") }

    private func insert(_ condition: String) -> String {
        let names = columns.map { "\"\($0)\"" }
        return """
            INSERT OR IGNORE INTO \(self[.main]) (\(names.joined(separator: ", ")))
            SELECT \(names.map { "p.\($0)" }.joined(separator: ", ")) FROM \(self[.present]) p WHERE \(condition)
            """
    }
}

/// A column that refers to another table, in the database that the connection was opened with.
private struct Reference {
    let table: String
    let column: String
    let parent: String
    let parentColumn: String
    /// Whether the column is emptied when the other row is deleted; otherwise the row goes.
    let isCleared: Bool

    /// A query for the rows that refer to the row `p` of the other table.
    var rows: String {
        "SELECT 1 FROM main.\"\(table)\" c WHERE c.\"\(column)\" = p.\"\(parentColumn)\""
    }

    /// Whether there are such rows.
    var children: String { "EXISTS (\(rows))" }

    /// Does to rows that refer to nothing what would be done if what they refer to were deleted.
    var settle: String {
        let what =
            isCleared
            ? "UPDATE main.\"\(table)\" AS c SET \"\(column)\" = NULL" : "DELETE FROM main.\"\(table)\" AS c"
        return """
            \(what) WHERE c."\(column)" IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM main."\(parent)" p WHERE p."\(parentColumn)" = c."\(column)")
            """
    }
}

extension SQLiteConnection {
    fileprivate func attach(_ path: String, as database: AttachedDatabase) throws {
        try execute("ATTACH DATABASE $1 AS \(database.rawValue)", [path])
    }

    fileprivate func number(_ sql: String) throws -> Int {
        var number = 0
        try run(sql) {
            number = try $0.int("number")
            return false
        }
        return number
    }

    /// Returns the columns of a table that refer to others. No key of several columns is referred to.
    fileprivate func references(from table: String) throws -> [Reference] {
        var references: [Reference] = []
        try run(
            """
            SELECT "table" AS parent, "from" AS child, coalesce("to", (
                SELECT name FROM pragma_table_info(k."table", 'main') WHERE pk = 1)) AS parent_column,
                on_delete FROM pragma_foreign_key_list($1, 'main') k ORDER BY id
            """, [table]
        ) {
            references.append(
                Reference(
                    table: table, column: try $0.string("child"), parent: try $0.string("parent"),
                    parentColumn: try $0.string("parent_column"),
                    isCleared: try $0.string("on_delete") == "SET NULL"))
            return true
        }
        return references
    }
}
