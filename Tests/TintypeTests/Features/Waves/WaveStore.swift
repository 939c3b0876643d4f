import Core
import Storage

/// The SQL of waves.
struct WaveStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    /// The table. A feature of the app has it in a file of `Resources/migrations`.
    static let schema = [
        """
        CREATE TABLE waves (
            id BIGINT PRIMARY KEY,
            sender_id BIGINT NOT NULL REFERENCES accounts (id),
            receiver_id BIGINT NOT NULL REFERENCES accounts (id)
        )
        """,
        """
        CREATE TABLE waved_accounts (
            account_id BIGINT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
            count BIGINT NOT NULL
        )
        """,
        "CREATE INDEX waves_by_sender ON waves (sender_id, id)",
        "CREATE INDEX waves_by_receiver ON waves (receiver_id, id)",
    ]

    private static let waves = """
        SELECT w.id AS wave_id, w.receiver_id, \(AccountRow.columns)
        FROM waves w JOIN \(AccountRow.table) a ON a.id = w.sender_id
        """

    private static func wave(from row: Row) throws -> Wave {
        Wave(
            id: ID(rawValue: try row.int64("wave_id")), sender: try AccountRow.account(from: row),
            receiver: ID(rawValue: try row.int64("receiver_id")))
    }

    func insert(_ id: Wave.ID, from sender: Account.ID, to receiver: Account.ID) throws {
        try transaction.execute(
            "INSERT INTO waves (id, sender_id, receiver_id) VALUES ($1, $2, $3)", id, sender, receiver)
        try transaction.execute(
            """
            INSERT INTO waved_accounts (account_id, count) VALUES ($1, 1)
            ON CONFLICT (account_id) DO UPDATE SET count = waved_accounts.count + 1
            """, receiver)
    }

    func wave(_ id: Wave.ID) throws -> Wave? {
        try transaction.row("\(Self.waves) WHERE w.id = $1", id) { try Self.wave(from: $0) }
    }

    /// Returns one page of the waves at an account, without those of people whom it may not see.
    func waves(at receiver: Account.ID, page: PageRequest) throws -> [Wave] {
        try page.rows(
            idColumn: "w.id", "\(Self.waves) WHERE w.receiver_id = $1 AND \(AccountRow.isVisible)",
            arguments: [receiver], transaction
        ) { try Self.wave(from: $0) }
    }

    func count(at receiver: Account.ID) throws -> Int {
        try transaction.value("SELECT count FROM waved_accounts WHERE account_id = $1", receiver) ?? 0
    }

    func count(of sender: Account.ID) throws -> Int {
        try transaction.value("SELECT count(*) FROM waves WHERE sender_id = $1", sender) ?? 0
    }

    /// Returns some of the waves that an account sent or received.
    func waves(of account: Account.ID, limit: Int) throws -> [Wave.ID] {
        try transaction.values(
            """
            SELECT id FROM waves WHERE sender_id = $1
            UNION ALL SELECT id FROM waves WHERE receiver_id = $1 LIMIT $2
            """, account, limit)
    }

    func delete(_ id: Wave.ID) throws {
        let receiver: Account.ID? = try transaction.value(
            "DELETE FROM waves WHERE id = $1 RETURNING receiver_id", id)
        guard let receiver else { return }
        try transaction.execute(
            "UPDATE waved_accounts SET count = count - 1 WHERE account_id = $1", receiver)
    }

    /// Deletes all waves, for the copy in a backup.
    func deleteAll() throws {
        try transaction.execute("DELETE FROM waves")
        try transaction.execute("DELETE FROM waved_accounts")
    }
}
