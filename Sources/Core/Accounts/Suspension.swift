import Storage

// Suspending accounts, and finding suspended ones.
extension AccountRecords {
    /// Suspends an account and ends its log-ins, or ends the suspension, in a transaction of the administration, which
    /// has checked that it may and notifies the features.
    package func setSuspended(_ isSuspended: Bool, _ id: Account.ID, _ events: EventBus) throws {
        try AccountStore(transaction).setSuspended(isSuspended, id)
        if isSuspended { forget(id, events) }
    }

    /// Returns whether an account is hidden for good: its owner has deleted it, and it is being erased.
    package func isAbandoned(_ id: Account.ID) throws -> Bool {
        try AccountStore(transaction).isAbandoned(id)
    }

    /// Deletes the events about an account that is hidden from those that other people could still receive.
    package func forget(_ account: Account.ID, _ events: EventBus) {
        transaction.afterCommit { _ in events.forget([.person(account)]) }
    }

    /// Returns a page of all accounts whose username begins with `query`, including suspended ones, by username.
    package func everyone(_ query: String, after username: String, limit: Int) throws -> [Account] {
        try AccountStore(transaction).everyone(
            AccountRules.folded(username: query), after: AccountRules.folded(username: username), limit: limit
        )
    }
}
