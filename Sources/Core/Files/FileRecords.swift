import Serving
import Storage

/// The SQL of files: every file in the blob store has one row, and every row one file.
package struct FileRecords {
    let transaction: Transaction

    package init(_ transaction: Transaction) { self.transaction = transaction }

    /// Inserts the row of a file and counts its bytes.
    ///
    /// - Parameter owner: the account to whose storage the file counts; nil for none.
    /// - Throws: ``Refusal`` (503) when the file was not named in time, and is being erased.
    func insert(_ blob: StoredBlob, of owner: Account.ID?) throws {
        if let moment = blob.settledAt {
            let isKept = try JobOutbox(transaction).cancel(
                .settleBlob, payload: blob.key.rawValue, runAt: moment)
            guard isKept else {
                throw Refusal(
                    .unavailable(retryAfter: 5), "Storing this picture took too long. Try again in a moment.")
            }
        }
        try transaction.execute(
            "INSERT INTO blobs (key, byte_count, sha256, owner_id) VALUES ($1, $2, $3, $4)",
            blob.key, blob.byteCount, blob.sha256, owner)
        guard let owner else { return }
        try transaction.execute(
            """
            INSERT INTO storage_uses (account_id, byte_count) VALUES ($1, $2)
            ON CONFLICT (account_id) DO UPDATE SET byte_count = storage_uses.byte_count + $2
            """, owner, blob.byteCount)
    }

    /// Deletes the row of a file and schedules the erasure of the file.
    func delete(_ key: BlobKey) throws {
        try forget(key)
        try transaction.schedule(.eraseBlob, payload: key.rawValue)
    }

    /// Deletes the row of a file and subtracts its bytes.
    private func forget(_ key: BlobKey) throws {
        let file = try transaction.row(
            "DELETE FROM blobs WHERE key = $1 RETURNING owner_id, byte_count", key
        ) { (owner: try $0.optionalInt64("owner_id"), bytes: try $0.int("byte_count")) }
        guard let file, let owner = file.owner else { return }
        try transaction.execute(
            "UPDATE storage_uses SET byte_count = byte_count - $2 WHERE account_id = $1", owner, file.bytes)
    }

    /// Returns the bytes of the files of some accounts, without accounts that have no files.
    package func uses(of accounts: [Account.ID]) throws -> [Account.ID: Int] {
        let uses = try transaction.rows(for: Set(accounts)) { places in
            "SELECT account_id, byte_count FROM storage_uses WHERE account_id IN (\(places))"
        } map: {
            (Account.ID(rawValue: try $0.int64("account_id")), try $0.int("byte_count"))
        }
        return Dictionary(uniqueKeysWithValues: uses)
    }

    /// Returns how many files there are, and their bytes. Reads the whole table.
    package func size() throws -> (count: Int, bytes: Int) {
        try transaction.row(
            "SELECT count(*) AS files, COALESCE(CAST(sum(byte_count) AS BIGINT), 0) AS bytes FROM blobs"
        ) {
            (try $0.int("files"), try $0.int("bytes"))
        } ?? (0, 0)
    }

    /// Returns whether there is no file.
    func isEmpty() throws -> Bool { try transaction.row("SELECT 1 FROM blobs LIMIT 1") { _ in true } == nil }

    package func exists(_ key: BlobKey) throws -> Bool {
        try transaction.row("SELECT 1 FROM blobs WHERE key = $1", key) { _ in true } ?? false
    }

    /// Returns files that belong to no row of some tables.
    ///
    /// - Parameter tables: the tables of all features; only those that own files are read.
    package func unowned(by tables: [FeatureTable], limit: Int) throws -> [BlobKey] {
        let isOwned = tables.filter(\.ownsFiles)
            .map { "EXISTS (SELECT 1 FROM \($0.name) WHERE blob_key = b.key)" }.joined(separator: " OR ")
        return try transaction.values(
            "SELECT b.key FROM blobs b WHERE NOT (\(isOwned)) ORDER BY b.key LIMIT $1", limit)
    }

    /// Deletes the rows of files that belong to no row of some tables, without erasing the files: for the copy in a
    /// backup.
    package func forgetUnowned(by tables: [FeatureTable]) throws {
        for key in try unowned(by: tables, limit: .max) { try forget(key) }
    }

    /// Returns a page of all files, by key, after `key`.
    package func page(after key: String, limit: Int) throws -> [StoredBlob] {
        try transaction.rows(
            "SELECT key, byte_count, sha256 FROM blobs WHERE key > $1 ORDER BY key LIMIT $2", key, limit
        ) { row in
            StoredBlob(
                key: try row.get("key"), byteCount: try row.int("byte_count"),
                sha256: try row.bytes("sha256"))
        }
    }
}

extension JobKind {
    /// Erases what storing a file has left, unless a row has named the file, which cancels the job; the payload is its key.
    package static let settleBlob = JobKind("settle-blob", .erasing)

    /// Removes a file from the blob store; the payload is its key.
    package static let eraseBlob = JobKind("erase-blob", .erasing)
}

extension Transaction {
    /// Inserts a file of the blob store and counts its bytes. The caller names the file in a table of its own, which it
    /// declares (``FeatureTable/ownsFiles``).
    ///
    /// - Parameter owner: the account to whose storage the file counts; nil for none.
    package func insertFile(_ blob: StoredBlob, of owner: Account.ID?) throws {
        try FileRecords(self).insert(blob, of: owner)
    }

    /// Deletes a file that no table names any more, and schedules its erasure from disk.
    package func eraseFile(_ key: BlobKey) throws {
        try FileRecords(self).delete(key)
    }
}
