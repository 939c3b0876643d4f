import Core
import Foundation
import Serving
import Storage

/// The search for damage: in the database's file, in counters, and between rows and files of pictures.
///
/// The search may run beside the server. Files that are being written or erased are looked at twice, so that they don't
/// count as damage.
struct Check {
    let database: Database
    let blobs: any BlobStore
    let features: [any Feature.Type]

    /// The counter of files that take space on the disk, counted once for all accounts.
    private static let storage = FeatureCounter(
        name: "the storage of account",
        sql: """
            SELECT a.id, COALESCE(u.byte_count, 0) AS kept, COALESCE(f.byte_count, 0) AS counted
            FROM \(AccountRow.table) a
            LEFT JOIN \(FileRow.uses) u ON u.account_id = a.id
            LEFT JOIN (SELECT owner_id, CAST(sum(byte_count) AS BIGINT) AS byte_count FROM \(FileRow.table) GROUP BY owner_id) f
                ON f.owner_id = a.id
            WHERE COALESCE(u.byte_count, 0) <> COALESCE(f.byte_count, 0)
            ORDER BY a.id LIMIT $1
            """)

    /// The most problems that are listed, so that a damaged disk doesn't fill the terminal.
    private static let maximumProblems = 100
    private static let page = 500

    /// Returns a sentence for each problem; empty when there is none.
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

    /// Returns a sentence for each problem that keeps the server from working at the moment; reads no file and no table as a
    /// whole.
    ///
    /// - Parameter folder: the data folder.
    /// - Throws: when the database can't be read at all.
    func quickProblems(in folder: String) async throws -> [String] {
        _ = try await database.read { try JobOutbox($0).nextRun() }
        let free = try FileManager.default.freeBytes(at: folder)
        guard free < Self.leastFree else { return [] }
        return ["the disk of \(folder) has only \(ByteSize.words(free)) free"]
    }

    /// The free space below which pictures may soon be refused, in bytes.
    private static let leastFree = 500_000_000

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

    /// Finds rows of files that no picture names.
    private func unownedRows() async throws -> [String] {
        try await database.read { [features] transaction in
            try FileRecords(transaction).unowned(
                by: features.flatMap { $0.tables }, limit: Self.maximumProblems
            ).map {
                "the file \($0.rawValue) belongs to no picture"
            }
        }
    }

    /// Finds files that are missing, have another length, or have changed.
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

    /// Finds files that no row names, and that no process is storing or erasing.
    private func unknownFiles() async throws -> [String] {
        var problems: [String] = []
        var after: BlobKey?
        while true {
            let page = try await blobs.keys(after: after, limit: Self.page)
            guard let end = page.last else { return problems }
            after = end
            // Markers are read before rows: a file loses its marker only after its row exists.
            let unkept = try await blobs.unkeptKeys()
            let unknown = try await database.read { transaction in
                let (records, jobs) = (FileRecords(transaction), JobOutbox(transaction))
                return try page.filter { key in
                    try !records.exists(key) && !jobs.isScheduled(.eraseBlob, payload: key.rawValue)
                        && !jobs.isScheduled(.settleBlob, payload: key.rawValue)
                }
            }
            for key in unknown where problems.count < Self.maximumProblems && !unkept.contains(key) {
                // A file that was erased since the folder was read isn't a problem.
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
