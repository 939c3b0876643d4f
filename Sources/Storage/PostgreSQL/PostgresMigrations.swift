import Foundation
import Logging

/// Applies migrations to a PostgreSQL database. Of several processes that start at once, one does.
struct PostgresMigrations {
    let address: PostgresAddress

    init(_ address: PostgresAddress) {
        self.address = address
    }

    /// Applies the migrations that are not applied yet, each in a transaction of its own. Tries again for half a minute
    /// when the connection is lost.
    /// - Returns: the names of the migrations that this call applied.
    /// - Throws: `DatabaseError`.
    func apply(_ migrations: [Migration], now: @Sendable () -> Date, logger: Logger) throws -> [String] {
        var applied: [String] = []
        var pause = Pause()
        let end = ContinuousClock.now + .seconds(30)
        while true {
            do {
                try applyPending(migrations, now: now) { migration in
                    logger.info("migration applied", metadata: ["migration": "\(migration.name)"])
                    applied.append(migration.name)
                }
                return applied
            } catch let failure as PostgresFailure {
                guard failure.isPassing, ContinuousClock.now < end else {
                    throw DatabaseError.other(
                        message: "The database can’t be updated: \(failure.message) (\(failure.code))")
                }
                logger.warning(
                    "the database is updated again",
                    metadata: ["reason": "\(failure.message)", "code": "\(failure.code)"])
            }
            pause.wait()
        }
    }

    private func applyPending(
        _ migrations: [Migration], now: @Sendable () -> Date, isApplied: (Migration) -> Void
    ) throws {
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
        let known = try script.rows(
            "SELECT number, name, encode(sha256, 'hex') FROM storage_migrations ORDER BY number")
        let applied = known.compactMap { row in
            Int(row[0]).map { Migration.Applied(number: $0, name: row[1], sha256: row[2]) }
        }
        for migration in try Migration.pending(of: migrations, applied: applied) {
            do {
                try script.run(
                    """
                    BEGIN;
                    \(PortableSQL.postgres(migration: migration.sql));
                    INSERT INTO storage_migrations (number, name, sha256, applied_at)
                    VALUES (\(migration.number), '\(migration.name.replacingOccurrences(of: "'", with: "''"))',
                        '\\x\(migration.sha256.hex)', \(now().milliseconds));
                    COMMIT
                    """)
            } catch {
                guard !error.isPassing else { throw error }
                throw DatabaseError.other(message: "migration \(migration.name): \(error.message)")
            }
            isApplied(migration)
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
