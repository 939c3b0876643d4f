import Core
import Storage

/// An action of an administrator, in words that stay correct when the accounts are deleted.
struct AdministrationRecord: Sendable {
    /// The record's identifier; its time is when the action happened.
    typealias ID = Core.ID<AdministrationRecord>

    enum Action: String, Sendable {
        case removed, suspended, restored, dismissed, changed, promoted, demoted
    }

    let id: ID
    var administrator: String
    var action: Action
    var subject: String
    var reason: String
}

/// The SQL of the activity log. The column of the action is called `deed`: a migration that renames it would change
/// nothing for anyone.
struct AdministrationRecordStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    func insert(
        _ action: AdministrationRecord.Action, by administrator: Account, to subject: String,
        because reason: String
    ) throws {
        try transaction.execute(
            """
            INSERT INTO administration_records (id, administrator, deed, subject, reason)
            VALUES ($1, $2, $3, $4, $5)
            """, transaction.newID(), administrator.username, action.rawValue, subject, reason)
    }

    /// Returns one page of the activity log, newest first.
    func records(_ page: PageRequest) throws -> [AdministrationRecord] {
        try page.rows(
            idColumn: "d.id",
            """
            SELECT d.id, d.administrator, d.deed, d.subject, d.reason FROM administration_records d WHERE d.id > 0
            """, arguments: [], transaction
        ) { row -> AdministrationRecord? in
            guard let action = AdministrationRecord.Action(rawValue: try row.string("deed")) else {
                return nil
            }
            return AdministrationRecord(
                id: ID(rawValue: try row.int64("id")), administrator: try row.string("administrator"),
                action: action, subject: try row.string("subject"), reason: try row.string("reason"))
        }.compactMap { $0 }
    }
}
