/// The log-in for which JSON is written: the person who reads it, and the log-in that its picture addresses are signed
/// for.
package struct Reader: Sendable, Hashable {
    package let account: Account.ID
    let session: Session.ID

    package init(_ account: Account.ID, in session: Session.ID) {
        self.account = account
        self.session = session
    }

    package init(_ session: Session) { self.init(session.account.id, in: session.id) }
}
