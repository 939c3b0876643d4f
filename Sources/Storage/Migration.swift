import Crypto
import Foundation
import Logging

/// A numbered change of the schema, written in PostgreSQL's spelling (see `PortableSQL`).
struct Migration: Sendable {
    let number: Int
    /// The name of the file, without `.sql`.
    let name: String
    let sql: String

    /// The hash of the text, to notice later changes of the file.
    var sha256: [UInt8] { Array(SHA256.hash(data: Array(sql.utf8))) }

    /// Returns the migrations of a folder in the order of their numbers: every file named like
    /// `0001-accounts.sql`.
    static func all(in folder: String) throws(DatabaseError) -> [Migration] {
        do {
            var migrations: [Migration] = []
            for file in try FileManager.default.contentsOfDirectory(atPath: folder)
            where file.hasSuffix(".sql") {
                guard let number = Int(file.prefix { $0.isASCII && $0.isNumber }) else { continue }
                let path = (folder as NSString).appendingPathComponent(file)
                let sql = try String(contentsOfFile: path, encoding: .utf8)
                migrations.append(Migration(number: number, name: String(file.dropLast(4)), sql: sql))
            }
            migrations.sort { $0.number < $1.number }
            for (one, next) in zip(migrations, migrations.dropFirst()) where one.number == next.number {
                throw DatabaseError.other(message: "\(one.name) and \(next.name) have the same number")
            }
            return migrations
        } catch {
            throw DatabaseError(error)
        }
    }
}

extension Connection {
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

    /// Compares the applied migrations with their files, and returns the migrations that are not applied yet.
    private func pending(_ migrations: [Migration]) throws -> [Migration] {
        var applied: [(number: Int, name: String, sha256: [UInt8])] = []
        try run("SELECT number, name, sha256 FROM storage_migrations ORDER BY number") {
            applied.append((try $0.int("number"), try $0.string("name"), try $0.bytes("sha256")))
            return true
        }
        for (index, one) in applied.enumerated() {
            guard let known = migrations.first(where: { $0.number == one.number }) else {
                throw DatabaseError.other(
                    message: "the database is newer than this program: it has migration \(one.name)")
            }
            guard known.sha256 == one.sha256 else {
                throw DatabaseError.other(message: "migration \(known.name) was changed after it was applied")
            }
            guard migrations[index].number == one.number else {
                throw DatabaseError.other(
                    message: "migration \(migrations[index].name) comes before \(one.name), which was applied"
                )
            }
        }
        return Array(migrations.dropFirst(applied.count))
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
                try execute(
                    "INSERT INTO storage_migrations (number, name, sha256, applied_at) VALUES ($1, $2, $3, $4)",
                    [next.number, next.name, next.sha256, now()])
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
