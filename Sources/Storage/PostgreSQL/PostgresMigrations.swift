import Foundation
import Logging

/// Applies migrations to a PostgreSQL database. Of several processes that start at once, one does.
struct PostgresMigrations {
    let address: PostgresAddress
    /// Who applies them, in the table of leases; nil where nobody else can use the database.
    let holder: String?
    /// How long to wait for processes of an earlier version: by default longer than the lease of one that was killed.
    let patience: Duration

    init(_ address: PostgresAddress, for holder: String? = nil, patience: Duration = .seconds(40)) {
        self.address = address
        self.holder = holder
        self.patience = patience
    }

    /// Applies the migrations that are not applied yet, each in a transaction of its own, once no process of an earlier version
    /// uses the database. Tries again for half a minute when the connection is lost.
    /// - Returns: the names of the migrations that this call applied.
    /// - Throws: `DatabaseError`.
    func apply(_ migrations: [Migration], now: @Sendable () -> Date, logger: Logger) throws -> [String] {
        var applied: [String] = []
        var pause = Pause()
        var isWaiting = false
        let start = ContinuousClock.now
        var end = start + .seconds(30)
        while true {
            do {
                let earlier = try applyPending(migrations, now: now) { migration in
                    logger.info("migration applied", metadata: ["migration": "\(migration.name)"])
                    applied.append(migration.name)
                }
                guard earlier > 0 else { return applied }
                guard ContinuousClock.now < start + patience else { throw Self.refusal(earlier) }
                if !isWaiting {
                    logger.notice(
                        "waiting for earlier versions to end, since the database has to be changed",
                        metadata: ["count": "\(earlier)", "seconds": "\(patience.components.seconds)"])
                }
                isWaiting = true
                end = .now + .seconds(30)
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

    private static func refusal(_ earlier: Int) -> DatabaseError {
        .other(
            message: """
                This version has to change the database, which servers or commands of an earlier version use (\(earlier)). \
                Stop them all, then start this one again.
                """)
    }

    /// Applies the migrations if no process of an earlier version uses the database.
    /// - Returns: how many such processes there are. If there are some, nothing was applied.
    private func applyPending(
        _ migrations: [Migration], now: @Sendable () -> Date, isApplied: (Migration) -> Void
    ) throws -> Int {
        let script = try PostgresScript(address)
        // Ends with the connection, so that others can start while this process waits.
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
        let pending = try Migration.pending(of: migrations, applied: applied)
        if let last = pending.last {
            let earlier = try earlier(than: last, script)
            guard earlier == 0 else { return earlier }
        }
        for migration in pending {
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
        // Still under the lock: a later version either sees this, or has changed the database before this process compared.
        if let holder, let last = migrations.last {
            try script.run("UPDATE storage_nodes SET migrations = \(last.number) WHERE holder = '\(holder)'")
        }
        return 0
    }

    /// Counts the processes that use the database and don't know a migration. One whose lease has ended, because it was killed,
    /// stopped or cut off, loses its number and its sessions instead: it ends when it comes back, and reads nothing before.
    private func earlier(than migration: Migration, _ script: PostgresScript) throws(PostgresFailure) -> Int {
        guard let holder else { return 0 }
        let earlier =
            "holder NOT IN ('', '\(holder)') AND migrations < \(migration.number) AND expires_at > 0"
        let ended = "\(earlier) AND expires_at < \(NodeLease.clock)"
        try script.run(
            """
            SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity, storage_nodes
            WHERE \(ended) AND starts_with(application_name, '\(NodeLease.name(of: ""))' || holder);
            UPDATE storage_nodes SET holder = '' WHERE \(ended)
            """)
        return Int(try script.run("SELECT count(*) FROM storage_nodes WHERE \(earlier)") ?? "") ?? 0
    }
}

/// The numbers of PostgreSQL's advisory locks
/// (https://www.postgresql.org/docs/15/explicit-locking.html#ADVISORY-LOCKS), which no other program should use.
enum PostgresLock: Int64 {
    case migrations = 0x7469_6e74_0001
    case nodes = 0x7469_6e74_0002
    case server = 0x7469_6e74_0003
}
