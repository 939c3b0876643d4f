import Serving
import Storage

/// How many bytes all files of one account may have together: its photos and portrait, and pictures that wait to be
/// seen once.
package struct StorageAllowance: Sendable {
    /// The bytes; 0 for as many as there is room for.
    let bytes: Int

    /// What an account takes of the disk.
    package struct Use: Sendable {
        /// The bytes of its files.
        var bytes: Int
        /// The most that they may have; nil when there is no limit.
        var limit: Int?

        /// `1.2 GB of 5.0 GB`, or `1.2 GB` where there is no limit.
        package var words: String {
            let used = ByteSize.words(bytes)
            return limit.map { "\(used) of \(ByteSize.words($0))" } ?? used
        }
    }

    /// What an account takes now.
    package func use(of account: Account.ID, _ transaction: Transaction) throws -> Use {
        Use(
            bytes: try FileRecords(transaction).uses(of: [account])[account] ?? 0,
            limit: bytes == 0 ? nil : bytes)
    }

    /// Checks that an account's files, with those that this transaction has named, are within the allowance.
    ///
    /// - Parameter more: bytes of files that no row names yet.
    /// - Throws: ``Refusal`` (422) when they are beyond it; the transaction then names none of them.
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
