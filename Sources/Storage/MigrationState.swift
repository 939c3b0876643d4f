import Foundation

/// What a SQLite file has of the migrations of a folder.
public struct MigrationState: Sendable {
    /// The names of the migrations that the file has, in their order.
    public let applied: [String]
    /// The names of those that would be applied.
    public let pending: [String]
}

extension Database {
    /// Returns what a SQLite file has of the migrations of a folder. Nothing is written to the file's tables. This function
    /// blocks the calling thread.
    ///
    /// - Throws: `DatabaseError`, for example if the database is newer than the program.
    public static func migrationState(path: String, folder: String) throws -> MigrationState {
        do {
            let applied = try appliedMigrations(path: path)
            let pending = try Migration.pending(of: Migration.all(in: folder), applied: applied)
            return MigrationState(applied: applied.map(\.name), pending: pending.map(\.name))
        } catch {
            throw DatabaseError(error)
        }
    }

    /// Returns the migrations that a SQLite file has, in their order; none if it has no table of them.
    private static func appliedMigrations(path: String) throws -> [Migration.Applied] {
        let file = try SQLiteHandle(path: path, for: .writing, busyTimeout: 5)
        let applied = try file.withConnection { connection in
            var hasTable = false
            try connection.run("SELECT 1 FROM sqlite_schema WHERE name = 'storage_migrations'") { _ in
                hasTable = true
                return false
            }
            return hasTable ? try connection.appliedMigrations() : []
        }
        try file.close()
        return applied
    }
}
