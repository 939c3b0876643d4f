import Foundation
import Logging

/// Fills an empty PostgreSQL database with all rows of a SQLite file, and compares every row afterwards.
///
/// All of it is one transaction: until it is committed the database stays empty, and a new attempt begins at the start.
struct PostgresFill {
    let address: PostgresAddress
    let migrations: [Migration]
    let logger: Logger

    /// Copies the rows.
    /// - Parameter path: the file, which no other process may have open.
    /// - Returns: the number of rows.
    /// - Throws: `DatabaseError.busy` if a process has the file open; `DatabaseError.other` if the database isn't empty, or a
    ///   row isn't the same there; `PostgresFailure`.
    func fill(from path: String) throws -> Int {
        let file = try SQLiteHandle(path: path, for: .writing, busyTimeout: 1)
        let rows = try file.withConnection { source in
            guard try !source.isInUse() else { throw DatabaseError.busy }
            guard try Migration.pending(of: migrations, applied: try source.appliedMigrations()).isEmpty
            else {
                throw DatabaseError.other(
                    message: "The data is of an earlier version. Run `tintype migrate` for it first.")
            }
            // Holds the place of the server, so that none starts on half of the rows.
            let server = try PostgresScript(address)
            defer { withExtendedLifetime(server) {} }
            try NodeLease.take(.onlyServer, server)
            try NodeLease.createTable(server)
            _ = try PostgresMigrations(address).apply(migrations, now: { Date() }, logger: logger)
            return try source.read { try fill(PostgresScript(address), from: source) }
        }
        try file.close()
        return rows
    }

    private func fill(_ target: PostgresScript, from source: SQLiteConnection) throws -> Int {
        let tables = try source.tables().map { try CopiedTable($0, in: source) }
        try target.run("BEGIN")
        for table in tables {
            guard try target.run("SELECT 1 FROM \(table.quoted) LIMIT 1") == nil else {
                throw DatabaseError.other(message: "The database isn’t empty: it has rows in \(table.name).")
            }
        }
        // Rows come table by table, so references are checked at the end.
        let references = try target.rows(
            """
            SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
                format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
            FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace
            """)
        for reference in references { try target.run(reference[0]) }
        var rows = 0
        for table in tables {
            try target.copy(table.copyIn) { send in
                try table.eachRow(of: source) { fields in
                    rows += 1
                    try send(fields.joined(separator: "\t") + "\n")
                }
            }
        }
        for reference in references { try target.run(reference[1]) }
        for table in tables { try compare(table, source, target) }
        try source.run("SELECT node, last_id FROM storage_ids") { row in
            try target.run(
                """
                INSERT INTO storage_nodes (node, holder, expires_at, last_id)
                VALUES (\(try row.int("node")), '', 0, \(try row.int64("last_id")))
                ON CONFLICT (node) DO UPDATE
                    SET last_id = greatest(storage_nodes.last_id, excluded.last_id)
                """)
            return true
        }
        try target.run("COMMIT")
        try target.run("ANALYZE")
        return rows
    }

    /// Compares a table's rows, one after the other in the order of their keys.
    private func compare(_ table: CopiedTable, _ source: SQLiteConnection, _ target: PostgresScript) throws {
        let different = DatabaseError.other(
            message: "The rows of \(table.name) aren’t the same in the database.")
        try target.copied(table.copyOut) { next in
            try table.eachRow(of: source) { fields in
                guard let line = try next() else { throw different }
                let copied = line.split(separator: "\t", omittingEmptySubsequences: false)
                guard
                    copied.count == fields.count,
                    zip(copied, fields).allSatisfy({ copied, field in
                        // The engines write real numbers in different ways.
                        copied == field || (Double(copied) != nil && Double(copied) == Double(field))
                    })
                else { throw different }
            }
            guard try next() == nil else { throw different }
        }
    }
}

/// A table whose rows are copied, in the order of its key.
private struct CopiedTable {
    let name: String
    private let columns: [String]
    private let key: [String]

    init(_ name: String, in source: SQLiteConnection) throws {
        self.name = name
        columns = try source.columns(of: name)
        key = try source.key(of: name)
    }

    var quoted: String { "\"\(name)\"" }

    private var names: String { columns.map { "\"\($0)\"" }.joined(separator: ", ") }
    private var order: String { (key.isEmpty ? columns : key).map { "\"\($0)\"" }.joined(separator: ", ") }

    var copyIn: String { "COPY \(quoted) (\(names)) FROM STDIN" }
    var copyOut: String { "COPY (SELECT \(names) FROM \(quoted) ORDER BY \(order)) TO STDOUT" }

    /// Gives each row as the fields of COPY's text format
    /// (https://www.postgresql.org/docs/15/sql-copy.html, *File Formats*).
    func eachRow(of source: SQLiteConnection, _ body: ([String]) throws -> Void) throws {
        try source.run("SELECT \(names) FROM \(quoted) ORDER BY \(order)") { row in
            try body(try columns.map { Self.field(try row.get($0, as: SQLValue.self)) })
            return true
        }
    }

    private static func field(_ value: SQLValue) -> String {
        switch value {
        case .null: return "\\N"
        case .integer(let value): return String(value)
        case .real(let value): return "\(value)"
        case .bytes(let bytes): return "\\\\x" + bytes.hex
        case .text(let text):
            var field = ""
            for scalar in text.unicodeScalars {
                switch scalar {
                case "\\": field += "\\\\"
                case "\u{8}": field += "\\b"
                case "\t": field += "\\t"
                case "\n": field += "\\n"
                case "\u{B}": field += "\\v"
                case "\u{C}": field += "\\f"
                case "\r": field += "\\r"
                default: field.unicodeScalars.append(scalar)
                }
            }
            return field
        }
    }
}
