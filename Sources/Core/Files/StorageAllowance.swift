import Serving
import Storage

/// The limit on the bytes of all files of one account together: its photos and portrait, and pictures that wait to be
/// seen once.
package struct StorageAllowance: Sendable {
    /// The limit in bytes; 0 for none.
    let bytes: Int

    /// The storage that an account uses.
    package struct Use: Sendable {
        /// The bytes of the account's files.
        var bytes: Int
        /// The limit in bytes; nil when there is none.
        var limit: Int?

        /// The use in words: `1.2 GB of 5.0 GB`, or `1.2 GB` without a limit.
        package var words: String {
            let used = ByteSize.words(bytes)
            return limit.map { "\(used) of \(ByteSize.words($0))" } ?? used
        }
    }

    /// Returns the storage that an account uses now.
    package func use(of account: Account.ID, _ transaction: Transaction) throws -> Use {
        Use(
            bytes: try FileRecords(transaction).uses(of: [account])[account] ?? 0,
            limit: bytes == 0 ? nil : bytes)
    }

    /// Checks that an account's files, including those that this transaction has named, are within the limit.
    ///
    /// - Parameter more: the bytes of files that no row names yet.
    /// - Throws: ``Refusal`` (422) when the files are beyond the limit; the transaction then names none of them.
    package func check(_ account: Account.ID, adding more: Int = 0, _ transaction: Transaction) throws {
        guard bytes > 0 else { return }
        let used = try use(of: account, transaction).bytes
        guard used > bytes - more else { return }
        throw Refusal.invalid(
            "file", "ERR_STORAGE_FULL",
            """
            Your storage limit is \(ByteSize.words(bytes)), and this picture doesn’t fit. Delete photos from your \
            library to make room.
            """)
    }
}
