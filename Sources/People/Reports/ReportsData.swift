import Core
import Storage

/// The reports that a person has sent, for their download. The database deletes them with the account.
struct ReportsData: AccountData {
    let lists = [
        AccountDataList(
            "reports",
            [
                ("id", .id), ("sent_at", .timeOfID), ("account_id", .id), ("about", .text),
                ("subject_id", .id),
                ("reason", .text), ("words", .text),
            ],
            """
            SELECT id AS place, id, id AS sent_at, account_id, subject_kind AS about,
                NULLIF(subject_id, 0) AS subject_id, reason, words
            FROM reports WHERE reporter_id = $1 AND id > $2 ORDER BY id LIMIT $3
            """)
    ]

    func erase(_ account: Account.ID, _ transaction: Transaction) throws -> Bool { true }
}
