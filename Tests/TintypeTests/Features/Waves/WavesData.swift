import Core
import Storage

/// The waves of a person.
struct WavesData: AccountData {
    let waves: WaveService

    let lists = [
        AccountDataList(
            "waves", [("id", .id), ("sent_at", .timeOfID), ("receiver_id", .id)],
            """
            SELECT w.id AS place, w.id, w.id AS sent_at, w.receiver_id FROM waves w
            WHERE w.sender_id = $1 AND w.id > $2 ORDER BY w.id LIMIT $3
            """)
    ]

    func erase(_ account: Account.ID, _ transaction: Transaction) throws -> Bool {
        let found = try WaveStore(transaction).waves(of: account, limit: 100)
        for id in found { try waves.erase(id, transaction) }
        return found.isEmpty
    }
}
