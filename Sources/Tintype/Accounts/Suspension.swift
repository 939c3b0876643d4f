import Storage

extension AccountService {
    /// Takes an account out of everyone's sight and ends its log-ins, or brings it back, in a transaction of
    /// the administration, which has checked that it may.
    static func setSuspended(
        _ isSuspended: Bool, _ id: Account.ID, _ events: EventBus, _ transaction: Transaction
    ) throws {
        try transaction.execute("UPDATE accounts SET is_suspended = $2 WHERE id = $1", id, isSuspended)
        guard isSuspended else { return }
        try SessionStore(transaction).deleteAll(of: id, but: nil)
        try SnapService.leave(id, transaction)
        forget(id, events, transaction)
    }

    /// Takes what an account did and what it shows out of the events that others could still take up, once it is out
    /// of sight.
    static func forget(_ account: Account.ID, _ events: EventBus, _ transaction: Transaction) {
        transaction.afterCommit { _ in events.forget([.person(account), .posts(of: account)]) }
    }

    /// One page of all accounts whose username begins with `query`, the suspended too, by username.
    static func everyone(
        _ transaction: Transaction, _ query: String, after username: String, limit: Int
    ) throws -> [Account] {
        let prefix = AccountRules.folded(username: query)
        // The unique index on username_folded.
        return try transaction.rows(
            """
            SELECT \(AccountStore.columns) FROM accounts a
            WHERE a.username_folded >= $1 AND a.username_folded < $2 AND a.username_folded > $3
            ORDER BY a.username_folded LIMIT $4
            """, prefix, prefix + "\u{10FFFF}", AccountRules.folded(username: username), limit
        ) { try AccountStore.account(from: $0) }
    }
}
