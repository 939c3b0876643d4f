import Serving
import Storage

extension AccountService {
    /// Everyone who may administer, the suspended too, by username.
    package static func administrators(_ transaction: Transaction) throws -> [Account] {
        try AccountStore(transaction).administrators()
    }

    /// Somebody by username, with or without an @ before it.
    ///
    /// - Throws: ``Refusal`` (404) when nobody is called so.
    package static func called(_ username: String, _ transaction: Transaction) throws -> Account {
        let name = username.hasPrefix("@") ? String(username.dropFirst()) : username
        guard let account = try AccountStore(transaction).account(username: name) else {
            throw Refusal(.notFound, "Nobody here is called @\(name).")
        }
        return account
    }

    /// Lets someone administer, or ends it, in a transaction of a caller that has checked who may ask for that.
    ///
    /// - Returns: the account, nil when nothing changed.
    /// - Throws: ``Refusal``: 404 for nobody, 409 for the suspended, and for the last administrator.
    package static func setAdministrator(
        _ isAdmin: Bool, username: String, _ transaction: Transaction
    ) throws -> Account? {
        let store = AccountStore(transaction)
        let account = try called(username, transaction)
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
