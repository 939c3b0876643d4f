import Foundation
import Logging

/// Copies a PostgreSQL database, as it is at one moment, into a new SQLite file.
struct PostgresCopy {
    let address: PostgresAddress
    let migrations: [Migration]
    let logger: Logger

    /// How many rows are fetched at a time.
    private static let page = 1_000

    /// Writes the copy. The file appears when it is complete and on the disk.
    /// - Throws: `DatabaseError`, `PostgresFailure`.
    func write(to path: String) throws {
        let unfinished = path + ".unfinished"
        Backup.remove(unfinished)
        do {
            _ = try OpenFile(unfinished, O_CREAT | O_EXCL | O_RDWR)
            let file = try SQLiteHandle(path: unfinished, for: .filling, busyTimeout: 5)
            try file.withConnection { try fill($0) }
            try file.close()
            try OpenFile(unfinished, O_RDWR).synchronize()
            guard rename(unfinished, path) == 0 else { throw SystemError.last(path) }
            try OpenFile.synchronizeFolder(path.parentFolder)
        } catch {
            Backup.remove(unfinished)
            throw error
        }
    }

    private func fill(_ target: SQLiteConnection) throws {
        // The copy's own migrations are no news.
        var quiet = logger
        quiet.logLevel = .warning
        _ = try target.apply(migrations, now: { Date() }, logger: quiet)
        try target.createIDTable()
        let source = try PostgresConnection(address)
        try source.read {
            // Rows come in any order, so references are checked at the end.
            try target.execute("PRAGMA foreign_keys = OFF")
            try target.execute("BEGIN")
            var lastIDs: [Int: Int64] = [:]
            try source.run("SELECT node, last_id FROM storage_nodes") {
                lastIDs[try $0.int("node")] = try $0.int64("last_id")
                return true
            }
            for table in try target.tables() {
                let columns = try target.columns(of: table)
                try copy(table, columns: columns, source, target)
                // The last ids of processes that run are recorded only at times: rows may have later ones.
                guard columns.contains("id") else { continue }
                for (node, last) in try target.lastIDs(in: table) {
                    lastIDs[node] = max(lastIDs[node] ?? 0, last)
                }
            }
            for (node, last) in lastIDs { try target.keep(last, of: node) }
            try target.run("PRAGMA foreign_key_check") { _ in throw DatabaseError.foreignKeyViolation }
            try target.execute("COMMIT")
        }
    }

    private func copy(
        _ table: String, columns: [String], _ source: PostgresConnection, _ target: SQLiteConnection
    ) throws {
        let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
        let places = (1...columns.count).map { "$\($0)" }.joined(separator: ", ")
        // A cursor keeps no more than a page of rows in memory.
        try source.execute("DECLARE copied NO SCROLL CURSOR FOR SELECT \(names) FROM \"\(table)\"")
        while true {
            var count = 0
            try source.run("FETCH \(Self.page) FROM copied /* \(table) */") { row in
                count += 1
                let values = try columns.map { try row.get($0, as: SQLValue.self) }
                try target.execute("INSERT INTO \"\(table)\" (\(names)) VALUES (\(places))", values)
                return true
            }
            if count < Self.page { break }
        }
        try source.execute("CLOSE copied")
    }
}

extension SQLiteConnection {
    /// Returns the highest id of each node in a table.
    fileprivate func lastIDs(in table: String) throws -> [Int: Int64] {
        var last: [Int: Int64] = [:]
        try run(
            """
            SELECT (id >> 12) & 1023 AS node, max(id) AS last FROM "\(table)" WHERE typeof(id) = 'integer' GROUP BY 1
            """
        ) {
            last[try $0.int("node")] = try $0.int64("last")
            return true
        }
        return last
    }
}
