import Core
import Foundation
import Storage

/// Looks for damage: in the database's file, in counters, and between rows and files of pictures.
///
/// It may run beside the server. What is only just being written or erased is looked at twice, so that it isn't
/// taken for damage.
struct Check {
    let database: Database
    let blobs: BlobFolder
    let features: [any Feature.Type]

    /// Counts what every file takes, once for all accounts.
    private static let storage = FeatureCounter(
        name: "the storage of account",
        sql: """
            SELECT a.id, COALESCE(u.byte_count, 0) AS kept, COALESCE(f.byte_count, 0) AS counted
            FROM \(AccountRow.table) a
            LEFT JOIN \(FileRow.uses) u ON u.account_id = a.id
            LEFT JOIN (SELECT owner_id, sum(byte_count) AS byte_count FROM \(FileRow.table) GROUP BY owner_id) f
                ON f.owner_id = a.id
            WHERE COALESCE(u.byte_count, 0) <> COALESCE(f.byte_count, 0)
            ORDER BY a.id LIMIT $1
            """)

    /// A damaged disk shouldn't fill the terminal.
    private static let maximumProblems = 100
    private static let page = 500

    /// A sentence for each problem; empty when all is well.
    ///
    /// - Throws: when the database or the folder can't be read at all.
    func problems() async throws -> [String] {
        var problems = try await database.integrityProblems()
        problems += try await wrongCounters()
        problems += try await unownedRows()
        problems += try await wrongFiles()
        problems += try await unknownFiles()
        return problems
    }

    private func wrongCounters() async throws -> [String] {
        try await database.read { [features] transaction in
            let counters = features.flatMap { $0.counters } + [Self.storage]
            return try counters.flatMap { counter in
                try transaction.rows(counter.sql, Self.maximumProblems) { row in
                    let (id, kept) = (try row.int64("id"), try row.int64("kept"))
                    return "\(counter.name) \(id) is kept as \(kept) but is \(try row.int64("counted"))"
                }
            }
        }
    }

    /// Rows of files that no picture names.
    private func unownedRows() async throws -> [String] {
        try await database.read { [features] transaction in
            try FileRecords(transaction).unowned(
                by: features.flatMap { $0.tables }, limit: Self.maximumProblems
            ).map {
                "the file \($0.rawValue) belongs to no picture"
            }
        }
    }

    /// Files that are missing, shorter or longer than they were, or changed.
    private func wrongFiles() async throws -> [String] {
        var problems: [String] = []
        var after = ""
        while true {
            let last = after
            let page = try await database.read { try FileRecords($0).page(after: last, limit: Self.page) }
            guard let end = page.last else { return problems }
            after = end.key.rawValue
            for blob in page where problems.count < Self.maximumProblems {
                if let problem = try await problem(of: blob), try await isKnown(blob.key) {
                    problems.append(problem)
                }
            }
        }
    }

    private func problem(of blob: StoredBlob) async throws -> String? {
        do {
            guard let count = try await blobs.byteCount(of: blob.key) else {
                return "the file \(blob.key.rawValue) is missing"
            }
            guard count == blob.byteCount else {
                return "the file \(blob.key.rawValue) has \(count) bytes instead of \(blob.byteCount)"
            }
            guard try await blobs.sha256(of: blob.key) == blob.sha256 else {
                return "the file \(blob.key.rawValue) has changed"
            }
            return nil
        } catch BlobError.notFound {
            return "the file \(blob.key.rawValue) is missing"
        }
    }

    /// Files that no row names, and that nobody is storing or erasing.
    private func unknownFiles() async throws -> [String] {
        var problems: [String] = []
        var after: BlobKey?
        while true {
            let page = try await blobs.keys(after: after, limit: Self.page)
            guard let end = page.last else { return problems }
            after = end
            // Marks before rows: a file loses its mark only after its row is there.
            let unkept = try await blobs.unkeptKeys()
            let unknown = try await database.read { transaction in
                let (records, jobs) = (FileRecords(transaction), JobOutbox(transaction))
                return try page.filter { key in
                    try !records.exists(key) && !jobs.isScheduled(.eraseBlob, payload: key.rawValue)
                }
            }
            for key in unknown where problems.count < Self.maximumProblems && !unkept.contains(key) {
                // One that was erased since the folder was read is none.
                if try await blobs.byteCount(of: key) != nil {
                    problems.append("the file \(key.rawValue) has no row")
                }
            }
        }
    }

    private func isKnown(_ key: BlobKey) async throws -> Bool {
        try await database.read { try FileRecords($0).exists(key) }
    }
}
