import HTML
import Hummingbird
import Storage

/// A part of the app that plugs in: it hands over everything that the rest of the app asks of it, and no file outside
/// its folder names it but `Features.swift`, and those that use it.
///
/// Everything but the initialiser has an empty default. CONTRIBUTING.md, "Add a feature", goes through it step by step.
package protocol Feature: Sendable {
    // MARK: What it keeps

    /// Its tables, and what in them names files and accounts.
    static var tables: [FeatureTable] { get }
    /// Numbers that it keeps beside what they count; `tintype check` counts again.
    static var counters: [FeatureCounter] { get }
    /// Its tabs of the frame.
    var tabs: [Page.Tab] { get }
    /// Its links in the side menu.
    var menu: [Page.Link] { get }
    /// What it lets people make, on the Create tab.
    var create: [Page.Making] { get }
    /// Takes out of a backup's copy of the database what no restore may bring back, such as pictures that may be seen
    /// once, and marks as expired what was waiting to be seen. The files that no row names any more are then left out.
    static func leaveOutOfBackup(_ transaction: Transaction) throws

    /// Its settings of the server.
    static var configuration: [any FeatureSettings.Type] { get }
    /// Its own topics of permissions for apps.
    static var topics: [OAuthScope.Topic] { get }

    // MARK: What it has in the browser

    /// Its custom elements and other scripts, and the names of its live events.
    static var scripts: FeatureScripts { get }

    // MARK: What it does

    /// The calls of its JSON interface.
    var operations: [Operation] { get }
    /// The entities that those calls answer with.
    var schemas: [EntitySchema] { get }

    /// Adds its pages and the routes of its JSON interface.
    func addRoutes(to router: Router<AppContext>) throws
    /// Its kinds of background work, and what does them.
    var jobs: [JobKind: JobRunner.Handler] { get }
    /// What it counts on a badge of the app's frame.
    var badge: Badge? { get }

    /// What it says on the page that tells who can see what.
    var privacy: [PrivacyLine] { get }

    /// Its lines in Settings.
    func settings(for viewer: Account, _ transaction: Transaction) throws -> [SettingsLine]

    // MARK: What it has to do with people

    /// What it keeps of a person, to give to them and to erase.
    var accountData: (any AccountData)? { get }
    /// Follows a change of an account's profile, in the transaction that makes it.
    func profileChanged(_ account: Account, from old: Account, _ transaction: Transaction) throws
    /// Takes what an account shares out of everyone's sight, in the transaction that suspends or deletes the account.
    func leave(_ account: Account.ID, _ transaction: Transaction) throws
}

extension Feature {
    package static var tables: [FeatureTable] { [] }
    package static var counters: [FeatureCounter] { [] }
    package static var configuration: [any FeatureSettings.Type] { [] }
    package static var topics: [OAuthScope.Topic] { [] }
    package static var scripts: FeatureScripts { FeatureScripts() }
    package var operations: [Operation] { [] }
    package var schemas: [EntitySchema] { [] }
    package var tabs: [Page.Tab] { [] }
    package var menu: [Page.Link] { [] }
    package var create: [Page.Making] { [] }
    package static func leaveOutOfBackup(_ transaction: Transaction) throws {}
    package func addRoutes(to router: Router<AppContext>) throws {}
    package var jobs: [JobKind: JobRunner.Handler] { [:] }
    package var badge: Badge? { nil }
    package var privacy: [PrivacyLine] { [] }
    package func settings(for viewer: Account, _ transaction: Transaction) throws -> [SettingsLine] { [] }
    package var accountData: (any AccountData)? { nil }
    package func profileChanged(_ account: Account, from old: Account, _ transaction: Transaction) throws {}
    package func leave(_ account: Account.ID, _ transaction: Transaction) throws {}
}

extension Registry where Element == any Feature {
    /// What each keeps of a person, those first that use what others keep.
    package var accountData: [any AccountData] { all.reversed().compactMap(\.accountData) }

    /// Tells every feature of a change of a profile (``Feature/profileChanged(_:from:_:)``).
    func profileChanged(_ account: Account, from old: Account, _ transaction: Transaction) throws {
        for feature in all { try feature.profileChanged(account, from: old, transaction) }
    }

    /// Takes what an account shares out of sight (``Feature/leave(_:_:)``).
    package func leave(_ account: Account.ID, _ transaction: Transaction) throws {
        for feature in all { try feature.leave(account, transaction) }
    }
}

/// A table of a feature. A test compares all of them with the schema, so that no file and no account is forgotten.
package struct FeatureTable: Sendable {
    /// What happens to a row when the account that a column names is deleted.
    package enum AccountColumn: Sendable {
        /// The feature's ``AccountData`` erases the row, and what else hangs on it.
        case erased
        /// The database deletes the row (`ON DELETE CASCADE`), on which nothing else hangs.
        case deleted
        /// The row stays, and names nobody any more.
        case cleared
    }

    let name: String
    /// Whether its column `blob_key` names the file that a row owns. Each file belongs to one row of one such table.
    let ownsFiles: Bool
    /// The columns that name accounts.
    let accounts: [String: AccountColumn]

    package init(_ name: String, ownsFiles: Bool = false, accounts: [String: AccountColumn] = [:]) {
        self.name = name
        self.ownsFiles = ownsFiles
        self.accounts = accounts
    }
}

/// A number that a feature keeps beside what it counts.
package struct FeatureCounter: Sendable {
    /// What it is called in a sentence, such as `the likes of post`.
    package let name: String
    /// Gives the columns `id`, `kept` (the number that is kept) and `counted` (the number that is right) of rows where
    /// they differ, ordered by id. `$1` is the most rows.
    package let sql: String

    package init(name: String, sql: String) {
        self.name = name
        self.sql = sql
    }

    /// - Parameters:
    ///   - table: a plural, whose rows have the number.
    ///   - id: the column that identifies a row to the operator.
    ///   - column: holds the number.
    ///   - count: gives the right number for a row `o`.
    package init(_ name: String, of table: String, id: String = "id", _ column: String, _ count: String) {
        self.init(
            name: "the \(name) of \(table.dropLast())",
            sql: """
                SELECT id, kept, counted FROM (SELECT o.\(id) AS id, o.\(column) AS kept, (\(count)) AS counted FROM \(table) o) AS both_counts
                WHERE kept <> counted ORDER BY id LIMIT $1
                """)
    }
}
