import Core
import Storage

/// The contracts of a person in words. Stakes are sealed, so the download contains none.
struct ContractsData: AccountData {
    let contracts: ContractService

    private static let batch = 20

    /// Returns the condition that a column's contract id belongs to a page. A page has whole contracts, each of which
    /// has few rules and moves.
    ///
    /// - Parameter hasRows: whether the list has rows of the contract of the member `p`: an empty page is the end.
    private static func page(_ column: String, where hasRows: String) -> String {
        """
        \(column) IN (SELECT p.contract_id FROM contract_members p
            WHERE p.account_id = $1 AND p.contract_id > $2 AND \(hasRows)
            ORDER BY p.contract_id LIMIT $3)
        """
    }

    private static let hasRules =
        "EXISTS (SELECT 1 FROM contract_rules e WHERE e.contract_id = p.contract_id)"
    /// The condition for the moves in a person's download. A witness gets only their own moves.
    private static let hasMoves = """
        EXISTS (SELECT 1 FROM contract_moves e WHERE e.contract_id = p.contract_id
            AND (p.role <> 'witness' OR e.role = 'witness'))
        """

    let lists = [
        AccountDataList(
            "contracts",
            [
                ("id", .id), ("proposed_at", .timeOfID), ("role", .text), ("state", .text),
                ("promise", .text), ("breach_text", .text), ("ends_at", .date), ("consented_at", .date),
                ("publish_to", .text),
            ],
            """
            SELECT c.id AS place, c.id, c.id AS proposed_at, m.role, c.state, c.promise,
                CASE WHEN m.role = 'witness' THEN '' ELSE c.breach_text END AS breach_text, c.ends_at,
                m.consented_at, m.publish_to
            FROM contract_members m JOIN contracts c ON c.id = m.contract_id
            WHERE m.account_id = $1 AND m.contract_id > $2 ORDER BY m.contract_id LIMIT $3
            """),
        AccountDataList(
            "contract_rules", [("contract_id", .id), ("position", .integer), ("rule", .text)],
            """
            SELECT r.contract_id AS place, r.contract_id, r.position, r.words AS rule FROM contract_rules r
            WHERE \(page("r.contract_id", where: hasRules)) ORDER BY r.contract_id, r.position
            """),
        // Notes of the other people belong to them.
        AccountDataList(
            "contract_moves",
            [("contract_id", .id), ("at", .timeOfID), ("role", .text), ("move", .text), ("note", .text)],
            """
            SELECT v.contract_id AS place, v.contract_id, v.id AS at, v.role, v.event AS move,
                CASE WHEN v.role = m.role THEN v.note ELSE '' END AS note
            FROM contract_moves v JOIN contract_members m ON m.contract_id = v.contract_id AND m.account_id = $1
            WHERE \(page("v.contract_id", where: hasMoves)) AND (m.role <> 'witness' OR v.role = 'witness')
            ORDER BY v.contract_id, v.id
            """),
    ]

    func erase(_ account: Account.ID, _ transaction: Transaction) throws -> Bool {
        try contracts.eraseSome(of: account, limit: Self.batch, transaction) == 0
    }
}
