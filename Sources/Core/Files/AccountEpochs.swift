import Synchronization

/// Epochs of accounts that the server knows without a query.
///
/// The epochs are in the database. A session that is read brings those of its account along, so a person who has no
/// session needs none. This type holds two numbers for each account that has been here since the start and whose epoch
/// has ever begun again.
package final class AccountEpochs: Sendable {
    private let known = Mutex<[Account.ID: Int64]>([:])

    package init() {}

    /// The epoch of an account; 0 before its first.
    package subscript(account: Account.ID) -> Int64 {
        known.withLock { $0[account] ?? 0 }
    }

    /// Notes an epoch that was read or has begun. Epochs only grow, so a read from before a change can't undo the
    /// change.
    package func note(_ epoch: Int64, of account: Account.ID) {
        guard epoch > 0 else { return }
        known.withLock { $0[account] = max($0[account] ?? 0, epoch) }
    }
}
