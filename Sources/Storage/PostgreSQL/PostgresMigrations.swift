import Foundation
import Logging

/// Applies migrations to a PostgreSQL database. Of several processes that start at once, one does.
struct PostgresMigrations {
    let address: PostgresAddress

    init(_ address: PostgresAddress) {
        self.address = address
    }

    /// Applies the migrations that are not applied yet, each in a transaction of its own.
    /// - Returns: the names of the migrations that this call applied.
    /// - Throws: `DatabaseError`.
    func apply(_ migrations: [Migration], now: @Sendable () -> Date, logger: Logger) throws -> [String] {
        do {
            let script = try PostgresScript(address)
            try script.run("SELECT pg_advisory_lock(\(PostgresLock.migrations.rawValue))")
            try script.run(
                """
                CREATE TABLE IF NOT EXISTS storage_migrations (
                    number INTEGER PRIMARY KEY,
                    name TEXT NOT NULL,
                    sha256 BYTEA NOT NULL,
                    applied_at BIGINT NOT NULL
                )
                """)
            let connection = try PostgresConnection(address)
            let applied = try connection.read { try connection.appliedMigrations() }
            let pending = try Migration.pending(of: migrations, applied: applied)
            for migration in pending {
                let hash = migration.sha256.map { String(format: "%02x", $0) }.joined()
                do {
                    try script.run(
                        """
                        BEGIN;
                        \(PortableSQL.postgres(migration: migration.sql));
                        INSERT INTO storage_migrations (number, name, sha256, applied_at)
                        VALUES (\(migration.number), '\(migration.name.replacingOccurrences(of: "'", with: "''"))',
                            '\\x\(hash)', \(now().milliseconds));
                        COMMIT
                        """)
                } catch {
                    throw DatabaseError.other(message: "migration \(migration.name): \(error.message)")
                }
                logger.info("migration applied", metadata: ["migration": "\(migration.name)"])
            }
            return pending.map(\.name)
        } catch let failure as PostgresFailure {
            throw failure.error
        }
    }
}

/// The numbers of PostgreSQL's advisory locks
/// (https://www.postgresql.org/docs/15/explicit-locking.html#ADVISORY-LOCKS), which no other program should use.
enum PostgresLock: Int64 {
    case migrations = 0x7469_6e74_0001
    case nodes = 0x7469_6e74_0002
    case server = 0x7469_6e74_0003
}
