import Core
import Feeds
import Foundation
import People
import Storage

extension ContractState: SQLConvertible {}
extension ContractRole: SQLConvertible {}
extension ContractEvent: SQLConvertible {}
extension ContractList: SQLConvertible {}

/// The SQL of contracts, and of their people, history and stakes.
struct ContractStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    /// The row of a person who takes part.
    struct Member {
        var role: ContractRole
        var account: Account.ID?
        /// The list in which the person finds the contract.
        var list: ContractList
        var consentedAt: Date?
        var publishTo: Set<Contract.Place>
        /// The connected account on which the person agreed to publish, as `@ana@mastodon.social`; nil when they chose
        /// none.
        var connectedAs: String?
    }

    /// The contract's own row.
    struct Head {
        var id: Contract.ID
        var promise: String
        var breachText: String
        /// The progress without the consents, which are in the rows of the members.
        var progress: ContractProgress
        var revision: Int
    }

    // MARK: Reading

    func head(_ id: Contract.ID) throws -> Head? {
        try transaction.row(
            """
            SELECT id, promise, breach_text, state, ends_at, closes_at, deadline, paused_at, offer_by, claim_by,
                claim_rule, claims_count, breaker, has_witness, witness_agreed, revision FROM contracts WHERE id = $1
            """, id
        ) { row in
            let claimant: ContractRole? = try row.get("claim_by")
            let rule: Int? = try row.get("claim_rule")
            return Head(
                id: id, promise: try row.string("promise"), breachText: try row.string("breach_text"),
                progress: ContractProgress(
                    state: try row.get("state"), endsAt: try row.date("ends_at"),
                    closesAt: try row.date("closes_at"), deadline: try row.optionalDate("deadline"),
                    pausedAt: try row.optionalDate("paused_at"), offer: try row.get("offer_by"),
                    claim: claimant.map { ContractProgress.Claim(by: $0, rule: rule) },
                    claimsCount: try row.int("claims_count"),
                    witness: try row.bool("has_witness")
                        ? row.bool("witness_agreed") ? .agreed : .asked : .none,
                    consents: [], breaker: try row.get("breaker")),
                revision: try row.int("revision"))
        }
    }

    func members(of id: Contract.ID) throws -> [Member] {
        try transaction.rows(
            """
            SELECT role, account_id, list, consented_at, publish_to, connected_as FROM contract_members
            WHERE contract_id = $1
            """, id
        ) { row in
            Member(
                role: try row.get("role"),
                account: try row.optionalInt64("account_id").map { ID(rawValue: $0) },
                list: try row.get("list"),
                consentedAt: try row.optionalDate("consented_at"),
                publishTo: Set(
                    try row.string("publish_to").split(separator: " ").compactMap {
                        Contract.Place(rawValue: String($0))
                    }),
                connectedAs: try row.get("connected_as"))
        }
    }

    /// Returns the role of an account in a contract; nil when it doesn't take part.
    func role(of account: Account.ID, in id: Contract.ID) throws -> ContractRole? {
        try transaction.value(
            "SELECT role FROM contract_members WHERE contract_id = $1 AND account_id = $2", id, account)
    }

    func rules(of id: Contract.ID) throws -> [String] {
        try transaction.values(
            "SELECT words FROM contract_rules WHERE contract_id = $1 ORDER BY position", id)
    }

    func history(of id: Contract.ID) throws -> [Contract.Entry] {
        try transaction.rows(
            "SELECT id, event, role, rule, note FROM contract_moves WHERE contract_id = $1 ORDER BY id", id
        ) { try Self.entry(from: $0) }
    }

    private static func entry(from row: Row) throws -> Contract.Entry {
        Contract.Entry(
            id: ID(rawValue: try row.int64("id")), event: try row.get("event"), role: try row.get("role"),
            rule: try row.get("rule"), note: try row.string("note"))
    }

    /// Returns the state in which an entry of the history ended the contract; nil when it continued.
    func ending(by entry: Contract.Entry.ID, of id: Contract.ID) throws -> ContractState? {
        let state: ContractState? = try transaction.value(
            """
            SELECT c.state FROM contracts c WHERE c.id = $1
                AND NOT EXISTS (SELECT 1 FROM contract_moves m WHERE m.contract_id = c.id AND m.id > $2)
            """, id, entry)
        return state.flatMap { $0.isOpen ? nil : $0 }
    }

    /// Returns an entry of a history, with its contract.
    func entry(_ id: Contract.Entry.ID) throws -> (contract: Contract.ID, entry: Contract.Entry)? {
        try transaction.row(
            "SELECT contract_id, id, event, role, rule, note FROM contract_moves WHERE id = $1", id
        ) { (ID(rawValue: try $0.int64("contract_id")), try Self.entry(from: $0)) }
    }

    /// Returns one page of an account's contracts of a list, newest first.
    func contracts(of account: Account.ID, list: ContractList, page: PageRequest) throws -> [Contract.ID] {
        // contract_members_by_list
        try page.rows(
            idColumn: "m.contract_id",
            "SELECT m.contract_id FROM contract_members m WHERE m.account_id = $1 AND m.list = $2",
            arguments: [account, list], transaction
        ) { ID(rawValue: try $0.int64("contract_id")) }
    }

    /// Counts the contracts that wait for an account, up to 100.
    func waitingCount(of account: Account.ID) throws -> Int {
        try transaction.value(
            """
            SELECT count(*) FROM (SELECT 1 FROM contract_members WHERE account_id = $1 AND list = 'waiting' LIMIT 100) AS few
            """, account) ?? 0
    }

    /// Counts the open contracts to which an account has consented as a party.
    func openCount(of account: Account.ID) throws -> Int {
        try transaction.value(
            """
            SELECT count(*) FROM contract_members
            WHERE account_id = $1 AND list IN ('active', 'waiting') AND role <> 'witness' AND consented_at IS NOT NULL
            """, account) ?? 0
    }

    /// Returns some open contracts in which an account takes part, by id, after one of them.
    ///
    /// - Parameter isBound: only those to which it has consented, which are few.
    func open(
        of account: Account.ID, isBound: Bool = false, after: Contract.ID? = nil, limit: Int
    ) throws -> [Contract.ID] {
        try transaction.values(
            """
            SELECT m.contract_id FROM contract_members m
            WHERE m.account_id = $1 AND m.contract_id > $2 AND m.list <> 'ended'
                AND ($3 = 0 OR m.consented_at IS NOT NULL)
            ORDER BY m.contract_id LIMIT $4
            """, account, after?.rawValue ?? 0, isBound, limit)
    }

    /// Returns a batch of the contracts in which an account takes part, in any order.
    func any(of account: Account.ID, limit: Int) throws -> [Contract.ID] {
        try transaction.values(
            "SELECT contract_id FROM contract_members WHERE account_id = $1 ORDER BY contract_id LIMIT $2",
            account, limit)
    }

    /// Returns the open contracts in which two accounts take part, as parties or as a party and the witness, oldest
    /// first.
    func open(between one: Account.ID, and other: Account.ID, limit: Int) throws -> [Contract.ID] {
        try transaction.values(
            """
            SELECT m.contract_id FROM contract_members m
            JOIN contract_members o ON o.contract_id = m.contract_id AND o.account_id = $2
            WHERE m.account_id = $1 AND m.list <> 'ended' ORDER BY m.contract_id LIMIT $3
            """, one, other, limit)
    }

    /// Returns the newest open contract between two accounts as its parties.
    func newestOpen(between one: Account.ID, and other: Account.ID) throws -> Contract.ID? {
        try transaction.value(
            """
            SELECT m.contract_id FROM contract_members m
            JOIN contract_members o ON o.contract_id = m.contract_id AND o.account_id = $2 AND o.role <> 'witness'
            WHERE m.account_id = $1 AND m.list IN ('active', 'waiting') AND m.role <> 'witness'
            ORDER BY m.contract_id DESC LIMIT 1
            """, one, other)
    }

    /// Returns the promises of the contracts between two accounts, as parties, that wait to be accepted, oldest first.
    func offers(between one: Account.ID, and other: Account.ID, limit: Int) throws -> [String] {
        try transaction.values(
            """
            SELECT c.promise FROM contract_members m
            JOIN contract_members o ON o.contract_id = m.contract_id AND o.account_id = $2 AND o.role <> 'witness'
            JOIN contracts c ON c.id = m.contract_id AND c.state = 'proposed'
            WHERE m.account_id = $1 AND m.list <> 'ended' AND m.role <> 'witness'
            ORDER BY m.contract_id LIMIT $3
            """, one, other, limit)
    }

    // MARK: Writing

    func insert(
        _ id: Contract.ID, promise: String, rules: [String], breachText: String, _ progress: ContractProgress
    ) throws {
        try transaction.execute(
            """
            INSERT INTO contracts (id, promise, breach_text, state, ends_at, closes_at, deadline, claims_count,
                has_witness, revision)
            VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8, 0)
            """, id, promise, breachText, progress.state, progress.endsAt, progress.closesAt,
            progress.deadline, progress.hasWitness)
        for (position, words) in rules.enumerated() {
            try transaction.execute(
                "INSERT INTO contract_rules (contract_id, position, words) VALUES ($1, $2, $3)",
                id, position, words)
        }
    }

    func insert(_ member: Member, into id: Contract.ID) throws {
        try transaction.execute(
            """
            INSERT INTO contract_members (contract_id, role, account_id, list, consented_at, publish_to, connected_as)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """, id, member.role, member.account, member.list, member.consentedAt,
            Self.text(member.publishTo), member.connectedAs)
    }

    private static func text(_ places: Set<Contract.Place>) -> String {
        places.sorted().map(\.rawValue).joined(separator: " ")
    }

    /// Writes the state of a contract, if nobody has changed it since it was read. Returns whether it was written.
    func update(_ progress: ContractProgress, of id: Contract.ID, revision: Int) throws -> Bool {
        try transaction.execute(
            """
            UPDATE contracts SET state = $3, closes_at = $4, deadline = $5, paused_at = $6, offer_by = $7,
                claim_by = $8, claim_rule = $9, claims_count = $10, breaker = $11, has_witness = $12,
                witness_agreed = $13, revision = revision + 1
            WHERE id = $1 AND revision = $2
            """, id, revision, progress.state, progress.closesAt, progress.deadline, progress.pausedAt,
            progress.offer, progress.claim?.by, progress.claim?.rule, progress.claimsCount, progress.breaker,
            progress.hasWitness, progress.witness == .agreed) > 0
    }

    /// Writes a member's list and consent.
    func update(_ member: Member, of id: Contract.ID) throws {
        try transaction.execute(
            """
            UPDATE contract_members SET list = $3, consented_at = $4, publish_to = $5, connected_as = $6
            WHERE contract_id = $1 AND role = $2
            """, id, member.role, member.list, member.consentedAt,
            Self.text(member.publishTo), member.connectedAs)
    }

    /// Adds an entry to a history.
    func insert(
        _ event: ContractEvent, by role: ContractRole?, rule: Int?, note: String, of id: Contract.ID
    ) throws -> Contract.Entry {
        let entry = Contract.Entry(
            id: ID(rawValue: transaction.newID()), event: event, role: role, rule: rule, note: note)
        try transaction.execute(
            """
            INSERT INTO contract_moves (id, contract_id, event, role, rule, note) VALUES ($1, $2, $3, $4, $5, $6)
            """, entry.id, id, event, role, rule, note)
        return entry
    }

    /// Removes an account from a contract that is over. Returns whether nobody is left who could read the contract.
    func forget(_ account: Account.ID, in id: Contract.ID) throws -> Bool {
        try transaction.execute(
            "UPDATE contract_members SET account_id = NULL WHERE contract_id = $1 AND account_id = $2", id,
            account)
        let isReadable = try transaction.row(
            """
            SELECT 1 FROM contract_members
            WHERE contract_id = $1 AND account_id IS NOT NULL AND role <> 'witness' LIMIT 1
            """, id
        ) { _ in true }
        return isReadable == nil
    }

    /// Deletes a contract that nobody could read any more, and its notifications.
    func delete(_ id: Contract.ID) throws {
        try NotificationRecords(transaction).remove(about: id.rawValue)
        for entry in try history(of: id) {
            try NotificationRecords(transaction).remove(about: entry.id.rawValue)
        }
        for role in ContractRole.parties { try eraseStake(of: id, role) }
        try transaction.execute("DELETE FROM contracts WHERE id = $1", id)
    }

    /// Removes the words of a contract that an administrator has removed.
    func removeWords(of id: Contract.ID, leaving sentence: String) throws {
        try transaction.execute(
            "UPDATE contracts SET promise = $2, breach_text = '', revision = revision + 1 WHERE id = $1", id,
            sentence)
        try transaction.execute("DELETE FROM contract_rules WHERE contract_id = $1", id)
        try transaction.execute("UPDATE contract_moves SET note = '' WHERE contract_id = $1", id)
    }

    /// Removes the notes of a person who is being erased.
    func removeNotes(by role: ContractRole, of id: Contract.ID) throws {
        try transaction.execute(
            "UPDATE contract_moves SET note = '' WHERE contract_id = $1 AND role = $2", id, role)
    }

    /// Returns whether both have accepted a contract.
    func wasAccepted(_ id: Contract.ID) throws -> Bool {
        try transaction.row(
            "SELECT 1 FROM contract_moves WHERE contract_id = $1 AND event = $2 LIMIT 1", id,
            ContractEvent.accept
        ) { _ in true } ?? false
    }

    // MARK: Age

    func hasConfirmedAge(_ account: Account.ID) throws -> Bool {
        try transaction.row("SELECT 1 FROM contract_adults WHERE account_id = $1", account) { _ in true }
            ?? false
    }

    func confirmAge(_ account: Account.ID) throws {
        try transaction.execute(
            """
            INSERT INTO contract_adults (account_id, confirmed_at) VALUES ($1, $2)
            ON CONFLICT (account_id) DO NOTHING
            """, account, transaction.now)
    }

    // MARK: Publications

    /// The stored record of a publication.
    struct Publishing {
        var breaker: ContractRole
        var post: Post.ID?
        /// The cross-post on the connected account, which knows its state in detail.
        var crossPost: CrossPost.ID?
        var state: Contract.Publication.State
    }

    func insert(_ publishing: Publishing, of id: Contract.ID) throws {
        try transaction.execute(
            """
            INSERT INTO contract_publications (contract_id, breaker, post_id, cross_post_id, state)
            VALUES ($1, $2, $3, $4, $5)
            """, id, publishing.breaker, publishing.post, publishing.crossPost, publishing.state.rawValue)
    }

    func publishing(of id: Contract.ID) throws -> Publishing? {
        try transaction.row(
            "SELECT breaker, post_id, cross_post_id, state FROM contract_publications WHERE contract_id = $1",
            id
        ) { row in
            Publishing(
                breaker: try row.get("breaker"),
                post: try row.optionalInt64("post_id").map { ID(rawValue: $0) },
                crossPost: try row.optionalInt64("cross_post_id").map { ID(rawValue: $0) },
                state: .init(rawValue: try row.string("state")) ?? .failed)
        }
    }

    // MARK: Backup

    /// Ends the open contracts and removes the sealed photos, in the copy for a backup: a restore must neither publish
    /// a photo nor bring a sealed one back. A photo that is being published on a connected account is uncertain after a
    /// restore (``CrossPost``).
    func leaveOutOfBackup() throws {
        try transaction.execute("DELETE FROM contract_stakes")
        let open = try transaction.values(
            "SELECT id FROM contracts WHERE state IN ('proposed', 'active', 'claimed', 'disputed') ORDER BY id",
            as: Contract.ID.self)
        for id in open {
            guard var head = try head(id) else { continue }
            guard head.progress.apply(.restore, by: nil, at: transaction.now) else { continue }
            _ = try update(head.progress, of: id, revision: head.revision)
            _ = try insert(.restore, by: nil, rule: nil, note: "", of: id)
        }
        try transaction.execute(
            "UPDATE contract_members SET list = 'ended' WHERE list IN ('active', 'waiting')")
    }
}
