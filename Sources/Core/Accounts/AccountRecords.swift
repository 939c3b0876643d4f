import Storage

// What other features change about an account in their own transactions, after checking that they may.
extension AccountService {
    /// Counts a post of an account.
    ///
    /// - Parameter id: the post's id; the highest is the newest.
    package static func countPost(_ id: Int64, by author: Account.ID, _ transaction: Transaction) throws {
        try AccountStore(transaction).countPost(id, by: author)
    }

    /// Removes a post from an account's count.
    ///
    /// - Parameter newest: the id of the newest remaining post; 0 for none.
    package static func uncountPost(by author: Account.ID, newest: Int64, _ transaction: Transaction) throws {
        try AccountStore(transaction).uncountPost(by: author, newest: newest)
    }

    /// Returns the hash of an account's password; nil when there is no such account.
    package static func passwordHash(of account: Account.ID, _ transaction: Transaction) throws -> String? {
        try AccountStore(transaction).password(of: account)
    }

    /// Replaces the hash of an account's password.
    package static func setPasswordHash(
        _ hash: String, of account: Account.ID, _ transaction: Transaction
    ) throws {
        try AccountStore(transaction).setPassword(hash, of: account)
    }

    /// Begins a new epoch of an account's picture URLs, so that URLs signed before are invalid. Returns the epoch.
    package static func beginPictureEpoch(
        of account: Account.ID, _ transaction: Transaction
    ) throws -> Int64 {
        try AccountStore(transaction).beginPictureEpoch(of: account)
    }

    /// Returns whether an account is the only administrator although other people use the server.
    package static func isLastAdministrator(
        _ account: Account.ID, _ transaction: Transaction
    ) throws -> Bool {
        try AccountStore(transaction).isLastAdministrator(account)
    }

    /// Hides an account for good: nobody finds it, nobody can log in, and its name is free.
    package static func abandon(_ account: Account.ID, _ transaction: Transaction) throws {
        try AccountStore(transaction).abandon(account)
    }

    /// Deletes the row of an account that has nothing left.
    package static func deleteRow(of account: Account.ID, _ transaction: Transaction) throws {
        try AccountStore(transaction).delete(account)
    }

    /// Returns the largest JPEG of an account's portrait.
    package static func portraitFile(
        of account: Account.ID, _ transaction: Transaction
    ) throws -> StoredBlob? {
        try PortraitStore(transaction).jpeg(of: account)
    }

    /// Returns how many accounts there are. Every row is counted.
    package static func count(_ transaction: Transaction) throws -> Int {
        try AccountStore(transaction).count()
    }
}
