import HTML
import Hummingbird
import Storage

/// A part of the app that plugs in: it hands over everything that the rest of the app asks of it, and no file outside
/// its folder names it but Application's list of features.
///
/// Everything but the initialiser has an empty default. CONTRIBUTING.md, "Add a feature", goes through it step by step.
protocol Feature: Sendable {
    // MARK: What it keeps

    /// Its tables, and what in them names files and accounts.
    static var tables: [FeatureTable] { get }
    /// Numbers that it keeps beside what they count; `tintype check` counts again.
    static var counters: [FeatureCounter] { get }
    /// Its links in the side menu.
    static var menu: [Page.Link] { get }
    /// What it lets people make, on the Create tab.
    static var create: [Page.Making] { get }
    /// Kinds of pages that conversations show as cards when a message links to them.
    static var sharedKinds: [SharedKind] { get }
    /// What two people can do together from their conversation.
    static var chatActions: [ChatAction] { get }
    /// What it does with photos of the library, such as an edit of those of one kind, or a post of any.
    static var photoActions: [PhotoAction] { get }
    /// Takes out of a backup's copy of the database what no restore may bring back, such as pictures that may be seen
    /// once, and marks as expired what was waiting to be seen. The files that no row names any more are then left out.
    static func leaveOutOfBackup(_ transaction: Transaction) throws

    // MARK: What it does

    /// The calls of its JSON interface.
    static var operations: [Operation] { get }
    /// The entities that those calls answer with.
    static var schemas: [EntitySchema] { get }

    /// Builds the feature's services.
    ///
    /// - Parameter app: the shared parts, and the features that come before it in Application's list.
    init(_ app: AppParts) async throws
    /// Adds its pages and the routes of its JSON interface.
    func addRoutes(to router: Router<AppContext>) throws
    /// Its kinds of background work, and what does them.
    var jobs: [JobKind: JobRunner.Handler] { get }
    /// What it counts on a badge of the app's frame.
    var badge: Badge? { get }

    /// Its lines in Settings.
    func settings(for viewer: Account, _ transaction: Transaction) throws -> [SettingsLine]
    /// A column beside Home on wide screens.
    func besideHome(_ frame: Frame) -> Node

    // MARK: What it has to do with people and their photos

    /// What it keeps of a person, to give to them and to erase.
    var accountData: (any AccountData)? { get }
    /// What it shows photos for.
    var photoUse: (any PhotoUse)? { get }
    /// Follows a change between two people, in the transaction that makes it.
    func relationshipChanged(
        _ change: RelationshipChange, _ follower: Account.ID, _ followee: Account.ID,
        _ transaction: Transaction
    ) throws
    /// Names what waits for two friends and suffers when the viewer unfollows the other, in sentences.
    func waiting(
        for viewer: Account.ID, with friend: Account.ID, _ transaction: Transaction
    ) throws -> [String]
    /// Follows a change of an account's profile, in the transaction that makes it.
    func profileChanged(_ account: Account, from old: Account, _ transaction: Transaction) throws
    /// Ends what a person's log-ins have begun, in the transaction that ends all of them or all but one.
    func loggedOut(_ account: Account.ID, _ transaction: Transaction) throws
    /// Takes what an account shares out of everyone's sight, in the transaction that suspends or deletes the account.
    func leave(_ account: Account.ID, _ transaction: Transaction) throws
    /// Resumes what paused while an account was suspended, in the transaction that ends the suspension.
    func comeBack(_ account: Account.ID, _ transaction: Transaction) throws
    /// Follows a change of where a cross-post stands, in the transaction that makes it. Every feature hears of every
    /// cross-post and knows its own by the reference.
    func crossPostChanged(_ post: CrossPost, _ transaction: Transaction) throws
    /// What draws the cards of its things in conversations.
    var sharedCards: SharedCards? { get }
    /// Its chip above the list of conversations; nil for none.
    var chatChip: ChatChip? { get }
    /// Reads what it shows between the bar and the messages of two people's conversation; nil for nothing.
    func aboveConversation(
        of viewer: Account, with peer: Account, _ transaction: Transaction
    ) throws -> Drawing?
    /// Reads what it adds to the page of one of the viewer's photos; nil for nothing.
    func presentation(
        of photo: Photo, for viewer: Account, _ transaction: Transaction
    ) throws -> PhotoPresentation.Drawing?
    /// Its kinds of notification.
    var notificationKinds: [NotificationKind] { get }
    /// What of it can be reported.
    var reportKinds: [any ReportKind] { get }
}

extension Feature {
    static var tables: [FeatureTable] { [] }
    static var counters: [FeatureCounter] { [] }
    static var operations: [Operation] { [] }
    static var schemas: [EntitySchema] { [] }
    static var menu: [Page.Link] { [] }
    static var create: [Page.Making] { [] }
    static var sharedKinds: [SharedKind] { [] }
    static var chatActions: [ChatAction] { [] }
    static var photoActions: [PhotoAction] { [] }
    static func leaveOutOfBackup(_ transaction: Transaction) throws {}
    func addRoutes(to router: Router<AppContext>) throws {}
    var jobs: [JobKind: JobRunner.Handler] { [:] }
    var badge: Badge? { nil }
    func settings(for viewer: Account, _ transaction: Transaction) throws -> [SettingsLine] { [] }
    func presentation(
        of photo: Photo, for viewer: Account, _ transaction: Transaction
    ) throws -> PhotoPresentation.Drawing? { nil }
    func besideHome(_ frame: Frame) -> Node { .empty }
    var accountData: (any AccountData)? { nil }
    var photoUse: (any PhotoUse)? { nil }
    var sharedCards: SharedCards? { nil }
    var chatChip: ChatChip? { nil }
    func aboveConversation(
        of viewer: Account, with peer: Account, _ transaction: Transaction
    ) throws -> Drawing? { nil }
    func relationshipChanged(
        _ change: RelationshipChange, _ follower: Account.ID, _ followee: Account.ID,
        _ transaction: Transaction
    ) throws {}
    func waiting(
        for viewer: Account.ID, with friend: Account.ID, _ transaction: Transaction
    ) throws -> [String] { [] }
    func profileChanged(_ account: Account, from old: Account, _ transaction: Transaction) throws {}
    func loggedOut(_ account: Account.ID, _ transaction: Transaction) throws {}
    func leave(_ account: Account.ID, _ transaction: Transaction) throws {}
    func comeBack(_ account: Account.ID, _ transaction: Transaction) throws {}
    func crossPostChanged(_ post: CrossPost, _ transaction: Transaction) throws {}
    var notificationKinds: [NotificationKind] { [] }
    var reportKinds: [any ReportKind] { [] }
}

/// A table of a feature. A test compares all of them with the schema, so that no file and no account is forgotten.
struct FeatureTable: Sendable {
    /// What happens to a row when the account that a column names is deleted.
    enum AccountColumn: Sendable {
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

    init(_ name: String, ownsFiles: Bool = false, accounts: [String: AccountColumn] = [:]) {
        self.name = name
        self.ownsFiles = ownsFiles
        self.accounts = accounts
    }
}

/// A number that a feature keeps beside what it counts.
struct FeatureCounter: Sendable {
    /// What it is called in a sentence, such as `the likes of post`.
    let name: String
    /// Gives the columns `id`, `kept` (the number that is kept) and `counted` (the number that is right) of rows where
    /// they differ, ordered by id. `$1` is the most rows.
    let sql: String

    init(name: String, sql: String) {
        self.name = name
        self.sql = sql
    }

    /// - Parameters:
    ///   - table: a plural, whose rows have the number.
    ///   - id: the column that identifies a row to the operator.
    ///   - column: holds the number.
    ///   - count: gives the right number for a row `o`.
    init(_ name: String, of table: String, id: String = "id", _ column: String, _ count: String) {
        self.init(
            name: "the \(name) of \(table.dropLast())",
            sql: """
                SELECT id, kept, counted FROM (SELECT o.\(id) AS id, o.\(column) AS kept, (\(count)) AS counted FROM \(table) o) AS both_counts
                WHERE kept <> counted ORDER BY id LIMIT $1
                """)
    }
}
