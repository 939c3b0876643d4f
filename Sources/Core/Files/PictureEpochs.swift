import Synchronization

/// Under which epoch each person's picture URLs are signed (``PictureSignatures``).
///
/// The truth stands in the database, and each picture request asks it. This is what the server knows of it without
/// asking: a session that is read brings its account's epoch along, and nobody gets URLs who has none. It is two
/// numbers for each account that was here since the start, of those that ever ended their log-ins.
package final class PictureEpochs: Sendable {
    private let known = Mutex<[Account.ID: Int64]>([:])

    /// An account's epoch, 0 before its first.
    subscript(account: Account.ID) -> Int64 {
        known.withLock { $0[account] ?? 0 }
    }

    /// Takes in what was read. Epochs only grow, so a read from before a change can't undo it.
    package func note(_ epoch: Int64, of account: Account.ID) {
        guard epoch > 0 else { return }
        known.withLock { $0[account] = max($0[account] ?? 0, epoch) }
    }
}
