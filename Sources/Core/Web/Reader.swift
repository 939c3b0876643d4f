/// The log-in for which JSON is written: who reads it, and with which log-in the picture addresses in it end.
package struct Reader: Sendable, Hashable {
    package let account: Account.ID
    let session: Session.ID

    package init(_ account: Account.ID, in session: Session.ID) {
        self.account = account
        self.session = session
    }

    package init(_ session: Session) { self.init(session.account.id, in: session.id) }
}
