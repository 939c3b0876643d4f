import Storage

/// What a person has reported. Reports by and about them go with their account.
struct ReportsData: AccountData {
    let lists = [
        AccountDataList(
            "reports", [("made_at", .timeOfID), ("reason", .text), ("words", .text), ("closed_at", .date)],
            """
            SELECT id, id, reason, words, closed_at FROM reports
            WHERE reporter_id = $1 AND id > $2 ORDER BY id LIMIT $3
            """)
    ]

    func erase(_ account: Account.ID, _ transaction: Transaction) throws -> Bool {
        // Few, and without files: the account's own row takes them along.
        true
    }
}
