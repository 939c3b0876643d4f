import Core
import Serving
import Storage

/// The log-ins inside a transaction.
struct SessionRecords {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    /// Returns the owner of a log-in; nil for one that has ended, also by its age.
    func account(of session: Session.ID) throws -> Account.ID? {
        try SessionStore(transaction).account(of: session)
    }
}
