import Serving
import Storage

extension AccountRecords {
    /// Returns all administrators, including suspended ones, by username.
    package func administrators() throws -> [Account] {
        try AccountStore(transaction).administrators()
    }

    /// Returns the account with a username, which may have an @ before it.
    ///
    /// - Throws: ``Refusal`` (404) when nobody has this username.
    package func called(_ username: String) throws -> Account {
        let name = username.hasPrefix("@") ? String(username.dropFirst()) : username
        guard let account = try AccountStore(transaction).account(username: name) else {
            throw Refusal(.notFound, "Nobody here is called @\(name).")
        }
        return account
    }

    /// Makes someone an administrator or ends it, in a transaction of a caller that has checked who may ask for it.
    ///
    /// - Returns: the account; nil when nothing changed.
    /// - Throws: ``Refusal``: 404 when there is no such account, 409 for a suspended account, and for the last
    ///   administrator.
    package func setAdministrator(_ isAdmin: Bool, username: String) throws -> Account? {
        let store = AccountStore(transaction)
        let account = try called(username)
        guard account.isAdmin != isAdmin else { return nil }
        if isAdmin, account.isSuspended {
            throw Refusal.conflict("@\(account.username) is suspended. Restore the account first.")
        }
        if !isAdmin, try !store.hasAdministrator(besides: account.id) {
            throw Refusal.conflict(
                "@\(account.username) is the only administrator. Make someone else an administrator first.")
        }
        try store.setAdministrator(isAdmin, account.id)
        return account
    }
}
