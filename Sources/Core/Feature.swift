import HTML
import Hummingbird
import Storage

/// A part of the app that plugs in: it provides everything that the rest of the app asks for, and no file outside its
/// folder names it, except `Features.swift` and the features that use it.
///
/// Everything except the initialiser has an empty default. CONTRIBUTING.md, "Add a feature", goes through it step by
/// step.
package protocol Feature: Sendable {
    // MARK: What it keeps

    /// The feature's tables, with the columns that name files and accounts.
    static var tables: [FeatureTable] { get }
    /// The counters that the feature stores; `tintype check` counts again.
    static var counters: [FeatureCounter] { get }
    /// The feature's tabs of the frame.
    var tabs: [Page.Tab] { get }
    /// The feature's links in the side menu.
    var menu: [Page.Link] { get }
    /// The things that people can make with the feature, on the Create tab.
    var create: [Page.Making] { get }
    /// Deletes from a backup's copy of the database what no restore may bring back, such as pictures that may be seen
    /// once, and marks as expired what was waiting to be seen. Files that no row names any more are then left out of
    /// the backup.
    static func leaveOutOfBackup(_ transaction: Transaction) throws

    /// The feature's settings of the server.
    static var configuration: [any FeatureSettings.Type] { get }
    /// The feature's own topics of permissions for apps.
    static var topics: [OAuthScope.Topic] { get }

    // MARK: What it has in the browser

    /// The feature's custom elements and other scripts, and the names of its live events.
    static var scripts: FeatureScripts { get }

    // MARK: What it does

    /// The calls of the feature's JSON interface.
    var operations: [Operation] { get }
    /// The entities that these calls return.
    var schemas: [EntitySchema] { get }

    /// Adds the feature's pages and the routes of its JSON interface.
    func addRoutes(to router: Router<AppContext>) throws
    /// The paths of the feature's POST routes that count as reading and not as changes (``RateLimit``), because each
    /// person has few of them to send or a limit of their own holds; with the names of parameters in braces.
    var readingRoutes: [String] { get }
    /// The feature's kinds of background work, with their handlers.
    var jobs: [JobKind: JobRunner.Handler] { get }
    /// The feature's kinds of change of which other nodes tell, with what makes their events on this node.
    var news: [NewsKind: NewsKind.Handler] { get }
    /// The feature's badge in the app's frame.
    var badge: Badge? { get }

    /// The feature's lines on the page that says who can see what.
    var privacy: [PrivacyLine] { get }

    /// Returns the feature's lines in Settings.
    func settings(for viewer: Account, _ transaction: Transaction) throws -> [SettingsLine]

    // MARK: What it has to do with people

    /// The data that the feature keeps of a person, to give to them and to erase.
    var accountData: (any AccountData)? { get }
    /// Updates what depends on an account's profile, in the transaction that changes the profile.
    func profileChanged(_ account: Account, from old: Account, _ transaction: Transaction) throws
    /// Hides what an account shares, in the transaction that suspends or deletes the account.
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
    package var readingRoutes: [String] { [] }
    package var jobs: [JobKind: JobRunner.Handler] { [:] }
    package var news: [NewsKind: NewsKind.Handler] { [:] }
    package var badge: Badge? { nil }
    package var privacy: [PrivacyLine] { [] }
    package func settings(for viewer: Account, _ transaction: Transaction) throws -> [SettingsLine] { [] }
    package var accountData: (any AccountData)? { nil }
    package func profileChanged(_ account: Account, from old: Account, _ transaction: Transaction) throws {}
    package func leave(_ account: Account.ID, _ transaction: Transaction) throws {}
}

extension Registry where Element == any Feature {
    /// The data that each feature keeps of a person. Features come before those whose data they use.
    package var accountData: [any AccountData] { all.reversed().compactMap(\.accountData) }

    /// Calls every feature after a change of a profile (``Feature/profileChanged(_:from:_:)``).
    func profileChanged(_ account: Account, from old: Account, _ transaction: Transaction) throws {
        for feature in all { try feature.profileChanged(account, from: old, transaction) }
    }

    /// Hides what an account shares in every feature (``Feature/leave(_:_:)``).
    package func leave(_ account: Account.ID, _ transaction: Transaction) throws {
        for feature in all { try feature.leave(account, transaction) }
    }
}

/// A table of a feature. A test compares all of them with the schema, so that no file and no account is forgotten.
package struct FeatureTable: Sendable {
    /// What happens to a row when the account that a column names is deleted.
    package enum AccountColumn: Sendable {
        /// The feature's ``AccountData`` erases the row, and everything that depends on it.
        case erased
        /// The database deletes the row (`ON DELETE CASCADE`), on which nothing else depends.
        case deleted
        /// The row stays, and names nobody any more.
        case cleared
    }

    let name: String
    /// Whether the table's column `blob_key` names the file that a row owns. Each file belongs to one row of one such
    /// table.
    let ownsFiles: Bool
    /// The columns that name accounts.
    let accounts: [String: AccountColumn]
    /// Whether new rows stay when the database goes back to its copy from before an update: rows that protect people, such as
    /// blocks, or that follow from rows that are older. What people make is lost then.
    package let isKept: Bool

    package init(
        _ name: String, ownsFiles: Bool = false, accounts: [String: AccountColumn] = [:], isKept: Bool = false
    ) {
        self.name = name
        self.ownsFiles = ownsFiles
        self.accounts = accounts
        self.isKept = isKept
    }
}

/// A counter that a feature stores beside what it counts.
package struct FeatureCounter: Sendable {
    /// The counter's name in a sentence, such as `the likes of post`.
    package let name: String
    /// A statement that sets the numbers right; nil if nothing needs it.
    package let recount: String?
    /// A statement that selects the columns `id`, `kept` (the stored number) and `counted` (the right number) of rows
    /// where they differ, ordered by id. `$1` is the most rows.
    package let sql: String

    package init(name: String, sql: String, recount: String? = nil) {
        self.name = name
        self.sql = sql
        self.recount = recount
    }

    /// - Parameters:
    ///   - table: the name of the table, a plural, whose rows have the number.
    ///   - id: the column that identifies a row to the operator.
    ///   - column: the column with the number.
    ///   - count: a query for the right number of a row `o`.
    package init(_ name: String, of table: String, id: String = "id", _ column: String, _ count: String) {
        self.init(
            name: "the \(name) of \(table.dropLast())",
            sql: """
                SELECT id, kept, counted FROM (SELECT o.\(id) AS id, o.\(column) AS kept, (\(count)) AS counted FROM \(table) o) AS both_counts
                WHERE kept <> counted ORDER BY id LIMIT $1
                """,
            recount: "UPDATE \(table) AS o SET \(column) = (\(count)) WHERE \(column) <> (\(count))")
    }
}
