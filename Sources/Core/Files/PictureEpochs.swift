import Synchronization

/// The epoch in which each person's picture URLs are signed (``PictureSignatures``).
///
/// The epochs are in the database, and each picture request reads them there. This type has those that the server knows
/// without a query: a session that is read brings its account's epoch along, and a person without a session gets no
/// URLs. It holds two numbers for each account that has been here since the start and has ever ended its log-ins.
package final class PictureEpochs: Sendable {
    private let known = Mutex<[Account.ID: Int64]>([:])

    /// The epoch of an account; 0 before its first.
    subscript(account: Account.ID) -> Int64 {
        known.withLock { $0[account] ?? 0 }
    }

    /// Notes an epoch that was read. Epochs only grow, so a read from before a change can't undo the change.
    package func note(_ epoch: Int64, of account: Account.ID) {
        guard epoch > 0 else { return }
        known.withLock { $0[account] = max($0[account] ?? 0, epoch) }
    }
}
