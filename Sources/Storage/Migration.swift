import Crypto
import Foundation

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

extension Migration {
    /// A migration that a database has.
    struct Applied {
        let number: Int
        let name: String
        /// The hash of its text, in hexadecimal digits.
        let sha256: String
    }

    /// Compares the applied migrations with their files, and returns the migrations that are not applied yet.
    /// - Throws: `DatabaseError.other` if the database is newer than this program, a file has changed, or one is new that
    ///   comes before an applied one.
    static func pending(of migrations: [Migration], applied: [Applied]) throws(DatabaseError) -> [Migration] {
        for (index, one) in applied.enumerated() {
            guard let known = migrations.first(where: { $0.number == one.number }) else {
                throw .other(
                    message: """
                        the database is newer than this program: it has migration \(one.name), of a later version. Install that \
                        version again. To stay with this one, first go back with the later version's `tintype back-out`, or \
                        restore a backup or dump of your own from before the update (Documentation/Operating.md, “Updating, and back”)
                        """)
            }
            guard known.sha256.hex == one.sha256 else {
                throw .other(message: "migration \(known.name) was changed after it was applied")
            }
            guard migrations[index].number == one.number else {
                throw .other(
                    message: "migration \(migrations[index].name) comes before \(one.name), which was applied"
                )
            }
        }
        return Array(migrations.dropFirst(applied.count))
    }
}

extension Connection {
    /// Returns the migrations that the database has, in their order.
    func appliedMigrations() throws -> [Migration.Applied] {
        var applied: [Migration.Applied] = []
        try run("SELECT number, name, sha256 FROM storage_migrations ORDER BY number") {
            applied.append(
                .init(
                    number: try $0.int("number"), name: try $0.string("name"),
                    sha256: try $0.bytes("sha256").hex))
            return true
        }
        return applied
    }

    /// Records that a migration was applied.
    func record(_ migration: Migration, at time: Date) throws {
        try execute(
            "INSERT INTO storage_migrations (number, name, sha256, applied_at) VALUES ($1, $2, $3, $4)",
            [migration.number, migration.name, migration.sha256, time])
    }
}
