import Foundation
import Logging

extension SQLiteConnection {
    /// Applies the migrations that are not applied yet. Another process may do so at the same time.
    /// - Returns: the names of the migrations that this call applied.
    func apply(_ migrations: [Migration], now: @Sendable () -> Date, logger: Logger) throws -> [String] {
        try execute(
            """
            CREATE TABLE IF NOT EXISTS storage_migrations (
                number INTEGER PRIMARY KEY,
                name TEXT NOT NULL,
                sha256 BLOB NOT NULL,
                applied_at INTEGER NOT NULL
            ) STRICT
            """)
        var applied: [String] = []
        while try !pending(migrations).isEmpty, let migration = try applyNext(of: migrations, now: now) {
            logger.info("migration applied", metadata: ["migration": "\(migration.name)"])
            applied.append(migration.name)
        }
        return applied
    }

    /// Returns the migrations that are not applied yet.
    private func pending(_ migrations: [Migration]) throws -> [Migration] {
        try Migration.pending(of: migrations, applied: try appliedMigrations())
    }

    /// Applies the next migration in a transaction. Returns nil if another process has applied the last one.
    private func applyNext(of migrations: [Migration], now: () -> Date) throws -> Migration? {
        // A table is rebuilt by dropping the old one, which would delete the rows that refer to it. The
        // setting can't change within a transaction. See https://www.sqlite.org/lang_altertable.html, section
        // 7.
        try execute("PRAGMA foreign_keys = OFF")
        var next: Migration?
        do {
            try execute("BEGIN IMMEDIATE")
            // Looks again, because from here on no other process can apply a migration.
            next = try pending(migrations).first
            if let next {
                try script(PortableSQL.sqlite(migration: next.sql))
                try run("PRAGMA foreign_key_check") { _ in throw DatabaseError.foreignKeyViolation }
                try record(next, at: now())
            }
            try execute("COMMIT")
            try execute("PRAGMA foreign_keys = ON")
            return next
        } catch {
            try rollback()
            try execute("PRAGMA foreign_keys = ON")
            guard let next, case .other(let message) = DatabaseError(error) else { throw error }
            throw DatabaseError.other(message: "migration \(next.name): \(message)")
        }
    }
}
