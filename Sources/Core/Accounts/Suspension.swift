import Storage

// Taking accounts out of sight, and finding them again.
extension AccountService {
    /// Takes an account out of everyone's sight and ends its log-ins, or brings it back, in a transaction of the
    /// administration, which has checked that it may and tells the features.
    package static func setSuspended(
        _ isSuspended: Bool, _ id: Account.ID, _ events: EventBus, _ transaction: Transaction
    ) throws {
        try AccountStore(transaction).setSuspended(isSuspended, id)
        if isSuspended { forget(id, events, transaction) }
    }

    /// Returns whether an account is out of sight for good: its owner has deleted it, and it is being erased.
    package static func isGivenUp(_ id: Account.ID, _ transaction: Transaction) throws -> Bool {
        try AccountStore(transaction).isAbandoned(id)
    }

    /// Takes what an account did and what it shows out of the events that others could still take up, once it is out
    /// of sight.
    package static func forget(_ account: Account.ID, _ events: EventBus, _ transaction: Transaction) {
        transaction.afterCommit { _ in events.forget([.person(account), .posts(of: account)]) }
    }

    /// Returns a page of all accounts whose username begins with `query`, the suspended too, by username.
    package static func everyone(
        _ query: String, after username: String, limit: Int, _ transaction: Transaction
    ) throws -> [Account] {
        try AccountStore(transaction).everyone(
            AccountRules.folded(username: query), after: AccountRules.folded(username: username), limit: limit
        )
    }
}
