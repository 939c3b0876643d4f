import Storage

/// The epochs in which accounts may see what they see of others.
///
/// An account's epoch begins again when the account may see less of others than before: after a block, the end of a
/// follow, a suspension, a deletion. Every answer to a browser names the epoch (``HTTPTypes/HTTPField/Name/account``).
/// When it has changed, the browser drops what it keeps of other people for times without a network.
package struct Sight: Sendable {
    private let epochs: AccountEpochs
    /// The place of the epoch that all accounts share.
    private static let everyone = Account.ID(rawValue: 0)
    private static let valueName = "sight_epoch"

    init(epochs: AccountEpochs) {
        self.epochs = epochs
    }

    /// The epoch of an account. Epochs are ids, so the later of its own and the shared one is the larger.
    package subscript(account: Account.ID) -> Int64 {
        max(epochs[account], epochs[Self.everyone])
    }

    /// Begins a new epoch for some accounts, in the transaction after which they may see less.
    package func narrow(for accounts: [Account.ID], _ transaction: Transaction) throws {
        for account in accounts {
            let epoch = try AccountStore(transaction).beginSightEpoch(of: account)
            transaction.afterCommit { [epochs] _ in epochs.note(epoch, of: account) }
        }
    }

    /// Begins a new epoch for everyone, in the transaction after which all may see less of somebody.
    package func narrowForEveryone(_ transaction: Transaction) throws {
        let epoch = transaction.newID()
        try transaction.setServerValue(Self.valueName, String(epoch))
        transaction.afterCommit { [epochs] _ in epochs.note(epoch, of: Self.everyone) }
    }

    /// Notes the epochs that were read together with a session.
    package func note(_ epochs: Epochs, of account: Account.ID) {
        self.epochs.note(epochs.own, of: account)
        self.epochs.note(epochs.shared, of: Self.everyone)
    }

    /// An account's own epoch, and the one that all accounts share, as they are in the database.
    package struct Epochs: Sendable {
        fileprivate let own: Int64
        fileprivate let shared: Int64

        /// The columns of a statement about the account `a`, with which it reads the epochs.
        package static let columns = """
            a.sight_epoch, (SELECT value FROM server_values WHERE name = '\(Sight.valueName)') AS shared_sight_epoch
            """

        /// Reads the epochs from the columns above.
        package init(from row: Row) throws {
            own = try row.int64("sight_epoch")
            shared = try row.optionalString("shared_sight_epoch").flatMap { Int64($0) } ?? 0
        }
    }
}
