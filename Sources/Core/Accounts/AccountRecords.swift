import Serving
import Storage

/// The accounts inside a transaction: who can be seen by whom, and what other features change about an account
/// after checking that they may.
package struct AccountRecords {
    let transaction: Transaction

    package init(_ transaction: Transaction) { self.transaction = transaction }

    /// Returns whether anyone has an account.
    func hasAny() throws -> Bool { try AccountStore(transaction).hasAny() }

    /// Returns a person by username, as `viewer` may see them.
    ///
    /// - Throws: ``Refusal`` (404) if there is no such person, if they are suspended, or if either blocks the
    ///   other.
    package func account(username: String, for viewer: Account) throws -> Account {
        try account(whose: .username, is: AccountRules.folded(username: username), for: viewer)
    }

    /// Returns a person by id, for routes that show portraits.
    func face(of id: Account.ID, for viewer: Account?) throws -> Account {
        let store = AccountStore(transaction)
        guard let account = try store.account(id) else { throw Refusal.notFound }
        if viewer?.isAdmin == true { return account }
        guard !account.isSuspended, try viewer.map({ try !store.blocks(id, $0.id) }) ?? true else {
            throw Refusal.notFound
        }
        return account
    }

    /// Returns a person by id, as `viewer` may see them.
    package func account(_ id: Account.ID, for viewer: Account) throws -> Account {
        try account(whose: .id, is: id, for: viewer)
    }

    private func account(
        whose key: AccountStore.Key, is value: some SQLConvertible, for viewer: Account
    ) throws -> Account {
        let found = try AccountStore(transaction).account(whose: key, is: value, for: viewer.id)
        guard let found else { throw Refusal.notFound }
        return found
    }

    /// Returns an account without checking who may see it. The calling service makes this check.
    package func unchecked(_ id: Account.ID) throws -> Account? {
        try AccountStore(transaction).account(id)
    }

    /// Returns the existing accounts among some ids without checking who may see them. The calling service makes this
    /// check.
    package func unchecked(_ ids: some Sequence<Account.ID>) throws -> [Account.ID: Account] {
        try AccountStore(transaction).accounts(ids)
    }

    /// Returns an account by username without checking who may see it. The calling service makes this check.
    package func unchecked(username: String) throws -> Account? {
        try AccountStore(transaction).account(username: username)
    }

    /// Returns the accounts with these folded usernames that `viewer` may see, or that anyone may see when it is nil.
    package func accounts(
        foldedUsernames names: Set<String>, for viewer: Account.ID?
    ) throws -> [String: Account] {
        let found = try AccountStore(transaction).accounts(whose: .username, isOneOf: names, for: viewer)
        let named = found.map { (AccountRules.folded(username: $0.username), $0) }
        return Dictionary(uniqueKeysWithValues: named)
    }

    /// Returns the accounts with these folded usernames that `viewer` may see, or that anyone may see when it is nil, for
    /// links to them.
    package func mentions(
        foldedUsernames names: Set<String>, for viewer: Account.ID?
    ) throws -> [String: Caption.Mention] {
        try Dictionary(
            uniqueKeysWithValues: AccountStore(transaction).mentions(named: names, for: viewer))
    }

    /// Returns those of some accounts that `viewer` may see, or that anyone may see when it is nil.
    package func visible(_ ids: Set<Account.ID>, to viewer: Account.ID?) throws -> Set<Account.ID> {
        Set(try accounts(ids, for: viewer).keys)
    }

    /// Returns those of some accounts that `viewer` may see, or that anyone may see when it is nil, by their ids.
    package func accounts(_ ids: Set<Account.ID>, for viewer: Account.ID?) throws -> [Account.ID: Account] {
        let found = try AccountStore(transaction).accounts(whose: .id, isOneOf: ids, for: viewer)
        return Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0) })
    }

    /// Returns the epoch in which an account's picture URLs must be signed; nil if there is no such account
    /// or it is suspended.
    package func pictureEpoch(of account: Account.ID) throws -> Int64? {
        try AccountStore(transaction).pictureEpoch(of: account)
    }

    /// Returns whether neither of two people blocks the other.
    package func mayMeet(_ one: Account.ID, _ other: Account.ID) throws -> Bool {
        try !AccountStore(transaction).haveBlock(one, other)
    }
}

// What other features change about an account in their own transactions, after checking that they may.
extension AccountRecords {
    /// Counts a post of an account.
    ///
    /// - Parameter id: the post's id; the highest is the newest.
    package func countPost(_ id: Int64, by author: Account.ID) throws {
        try AccountStore(transaction).countPost(id, by: author)
    }

    /// Removes a post from an account's count.
    ///
    /// - Parameter newest: the id of the newest remaining post; 0 for none.
    package func uncountPost(by author: Account.ID, newest: Int64) throws {
        try AccountStore(transaction).uncountPost(by: author, newest: newest)
    }

    /// Returns the hash of an account's password; nil when there is no such account.
    package func passwordHash(of account: Account.ID) throws -> String? {
        try AccountStore(transaction).password(of: account)
    }

    /// Replaces the hash of an account's password.
    package func setPasswordHash(_ hash: String, of account: Account.ID) throws {
        try AccountStore(transaction).setPassword(hash, of: account)
    }

    /// Begins a new epoch of an account's picture URLs, so that URLs signed before are invalid. Returns the epoch.
    package func beginPictureEpoch(of account: Account.ID) throws -> Int64 {
        try AccountStore(transaction).beginPictureEpoch(of: account)
    }

    /// Returns whether an account is the only administrator although other people use the server.
    package func isLastAdministrator(_ account: Account.ID) throws -> Bool {
        try AccountStore(transaction).isLastAdministrator(account)
    }

    /// Hides an account for good: nobody finds it, nobody can log in, and its name is free.
    package func abandon(_ account: Account.ID) throws {
        try AccountStore(transaction).abandon(account)
    }

    /// Deletes the row of an account that has nothing left.
    package func deleteRow(of account: Account.ID) throws {
        try AccountStore(transaction).delete(account)
    }

    /// Returns the largest JPEGs of an account's portrait and banner, each with its file name.
    package func pictureFiles(of account: Account.ID) throws -> [(name: String, blob: StoredBlob)] {
        try PortraitStore(transaction).jpegs(of: account).map { (name: $0.variant, blob: $0.blob) }
    }

    /// Returns how many accounts there are. Every row is counted.
    package func count() throws -> Int {
        try AccountStore(transaction).count()
    }
}
