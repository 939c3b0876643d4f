import Foundation
import Logging

extension Database {
    /// Looks in a database file that may come from anywhere for what would act by itself: triggers, views and virtual
    /// tables that the migrations don't make, and those of the migrations that are missing or changed. Nothing is written
    /// to the file. This function blocks the calling thread.
    ///
    /// - Parameters:
    ///   - path: the file. No other connection may be open.
    ///   - folder: the folder with the migrations.
    /// - Returns: a sentence for each problem, empty if there is none.
    /// - Throws: `DatabaseError`, for example `corrupt` for a file that isn't a database.
    public static func schemaProblems(path: String, migrations folder: String) throws -> [String] {
        do {
            let file = try SQLiteHandle(path: path, for: .reading, busyTimeout: 5)
            let (found, applied) = try file.withConnection { connection in
                try connection.execute("PRAGMA cell_size_check = ON")
                return (try connection.activeObjects(), try connection.appliedMigrationNumbers())
            }
            try file.close()
            let expected = try activeObjects(
                of: try Migration.all(in: folder).filter { applied.contains($0.number) })
            return found.subtracting(expected).map { "the \($0.words) isn't Tintype's" }.sorted()
                + expected.subtracting(found).map { "the \($0.words) is missing or changed" }.sorted()
        } catch {
            throw DatabaseError(error)
        }
    }

    /// Returns the triggers, views and virtual tables that some migrations make.
    private static func activeObjects(of migrations: [Migration]) throws -> Set<SchemaObject> {
        let memory = try SQLiteHandle(path: nil, for: .writing, busyTimeout: 5)
        return try memory.withConnection { connection in
            _ = try connection.apply(migrations, now: { Date() }, logger: Logger(label: "schema check"))
            return try connection.activeObjects()
        }
    }
}

/// A row of SQLite's schema table.
private struct SchemaObject: Hashable {
    let type: String
    let name: String
    let table: String
    let sql: String

    /// The name, which comes from the file, with characters escaped that a terminal would act on.
    var words: String { "\(type) \(name.debugDescription) of \(table.debugDescription)" }
}

extension SQLiteConnection {
    /// Returns everything in the schema but tables with rows of their own and their indexes.
    fileprivate func activeObjects() throws -> Set<SchemaObject> {
        var objects: Set<SchemaObject> = []
        try run(
            """
            SELECT type, name, tbl_name, coalesce(sql, '') AS text FROM sqlite_schema
            WHERE type NOT IN ('table', 'index') OR coalesce(rootpage, 0) = 0
            """
        ) { row in
            objects.insert(
                SchemaObject(
                    type: try row.string("type"), name: try row.string("name"),
                    table: try row.string("tbl_name"),
                    sql: try row.string("text")))
            return true
        }
        return objects
    }

    /// Returns the numbers of the migrations that a file says it has, if it has a table of them.
    fileprivate func appliedMigrationNumbers() throws -> Set<Int> {
        var hasTable = false
        try run(
            "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'storage_migrations' AND rootpage > 0"
        ) {
            _ in
            hasTable = true
            return true
        }
        var numbers: Set<Int> = []
        guard hasTable else { return numbers }
        try run("SELECT number FROM storage_migrations") {
            numbers.insert(try $0.int("number"))
            return true
        }
        return numbers
    }
}
