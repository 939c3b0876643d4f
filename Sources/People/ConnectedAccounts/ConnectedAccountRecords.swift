import Core
import Serving
import Storage

/// The accounts on other servers that are connected, inside a transaction.
package struct ConnectedAccountRecords {
    let transaction: Transaction

    package init(_ transaction: Transaction) { self.transaction = transaction }

    /// Returns a person's connected account, if posts can be published on it.
    package func connected(_ account: Account.ID) throws -> ConnectedAccount? {
        try ConnectedAccountStore(transaction).account(of: account).map(\.account).flatMap {
            $0.isUsable ? $0 : nil
        }
    }

    /// Disconnects an account. Returns whether there was one.
    func disconnect(_ owner: Account.ID, _ listeners: CrossPostListeners) throws -> Bool {
        let store = ConnectedAccountStore(transaction)
        guard let found = try store.account(of: owner) else { return false }
        try CrossPostRecords(transaction).stop(of: owner, listeners)
        if found.account.isUsable {
            let revocation = Revocation(
                account: found.account.id, server: found.server, sealedToken: found.sealedToken)
            try transaction.schedule(.revokeConnection, payload: revocation.payload)
        }
        try store.delete(found.account.id)
        return true
    }
}
