import Core
import Feeds
import Foundation
import People
import Serving
import Storage

/// A contract inside a transaction, with everything that is stored about it. ``ContractView`` is what one person may
/// see of it.
struct LoadedContract {
    var head: ContractStore.Head
    var members: [ContractStore.Member]

    var id: Contract.ID { head.id }
    var progress: ContractProgress { head.progress }

    init?(_ id: Contract.ID, _ store: ContractStore) throws {
        guard var head = try store.head(id) else { return nil }
        members = try store.members(of: id)
        head.progress.consents = Set(members.filter { $0.consentedAt != nil }.map(\.role))
        self.head = head
    }

    /// Returns the person with a role.
    func member(_ role: ContractRole) -> ContractStore.Member? { members.first { $0.role == role } }

    /// Returns the role of an account; nil when it doesn't take part.
    func role(of account: Account.ID) -> ContractRole? {
        members.first { $0.account == account }?.role
    }
}

// Loading contracts as their people see them.
extension ContractService {
    /// Returns a contract as one of its people sees it, inside a transaction.
    ///
    /// - Throws: ``Refusal`` (404) for everyone else.
    func view(
        _ id: Contract.ID, for viewer: Account, _ transaction: Transaction
    ) throws -> ContractView {
        let (contract, role) = try ContractRecords(transaction).loaded(id, for: viewer)
        return try view(contract, as: role, for: viewer, transaction)
    }

    func view(
        _ loaded: LoadedContract, as role: ContractRole, for viewer: Account, _ transaction: Transaction
    ) throws -> ContractView {
        let store = ContractStore(transaction)
        let (id, isWitness) = (loaded.id, role == .witness)
        // The view shows what is due as done, even if it isn't stored yet.
        var progress = loaded.progress.settled(at: transaction.now)
        // Only the two parties see an offer to end the contract.
        if isWitness { progress.offer = nil }
        let parties = try ContractRole.parties.compactMap { party -> Contract.Party? in
            guard let member = loaded.member(party) else { return nil }
            let isSealed = !isWitness && (progress.state.isOpen || party == role)
            return Contract.Party(
                role: party, accountID: member.account,
                account: try ContractRecords(transaction).account(member.account, for: viewer),
                consentedAt: member.consentedAt, publishTo: isWitness ? [] : member.publishTo,
                stake: isSealed ? try store.stake(of: id, party) : nil)
        }
        let witness = loaded.member(.witness)?.account
        let publication = isWitness ? nil : try ContractRecords(transaction).publication(of: id)
        let contract = Contract(
            id: id, promise: loaded.head.promise, rules: try store.rules(of: id),
            breachText: isWitness ? "" : loaded.head.breachText, progress: progress, parties: parties,
            witness: try ContractRecords(transaction).account(witness, for: viewer), witnessID: witness,
            history: try store.history(of: id).filter { !isWitness || Self.isForWitness($0.event) },
            publication: publication)
        let hasStake = contract.party(role)?.stake != nil
        return ContractView(
            contract: contract, role: role, moves: progress.moves(of: role, at: transaction.now),
            mayFreeStake: hasStake && !progress.state.isOpen)
    }

    /// Returns whether a witness sees an event. A witness sees the promise, its rules, who agreed, and the claims.
    private static func isForWitness(_ event: ContractEvent) -> Bool {
        switch event {
        case .propose, .witness, .declineWitness, .accept, .decline, .withdraw, .lapse, .claim, .dispute,
            .silence, .judgeBroken, .judgeUnbroken, .noVerdict, .admit, .keep, .forfeit,
            .release:
            true
        default: false
        }
    }

    // MARK: Looking

    /// Returns one page of the viewer's contracts of a list, newest first.
    func contracts(of viewer: Account, list: ContractList, page: PageRequest) async throws -> [ContractView] {
        try await database.read { [self] in try contracts(of: viewer, list: list, page: page, $0) }
    }

    private func contracts(
        of viewer: Account, list: ContractList, page: PageRequest, _ transaction: Transaction
    ) throws -> [ContractView] {
        try ContractStore(transaction).contracts(of: viewer.id, list: list, page: page).map {
            try view($0, for: viewer, transaction)
        }
    }

    /// The contents of the page of the viewer's contracts.
    struct Overview: Sendable {
        let list: ContractList
        let contracts: [ContractView]
        /// The number of contracts that wait for the viewer's answer, at most 100.
        let waitingCount: Int
    }

    /// Returns one page of a list of the viewer's contracts, and the number of contracts that wait for the viewer's
    /// answer.
    ///
    /// - Parameter list: nil for those that wait, or the active ones when none waits.
    func overview(
        of viewer: Account, list: ContractList?, page: PageRequest
    ) async throws -> Overview {
        try await database.read { [self] transaction in
            let waiting = try waitingCount(of: viewer, transaction)
            let list = list ?? (waiting > 0 ? .waiting : .active)
            return Overview(
                list: list, contracts: try contracts(of: viewer, list: list, page: page, transaction),
                waitingCount: waiting)
        }
    }

    /// Returns a contract as one of its people sees it.
    ///
    /// - Throws: ``Refusal`` (404) for everyone else.
    func contract(_ id: Contract.ID, for viewer: Account) async throws -> ContractView {
        try await database.read { [self] in try view(id, for: viewer, $0) }
    }

    /// Checks that the viewer takes part in a contract and sees it.
    ///
    /// - Throws: ``Refusal`` (404) for everyone else.
    func checkTakesPart(_ viewer: Account, in id: Contract.ID) async throws {
        let role = try await database.read { try ContractStore($0).role(of: viewer.id, in: id) }
        guard role != nil else { throw Refusal.notFound }
    }

    /// Returns one of the viewer's chats, with those of its group to whom the viewer can offer a contract: their friends. A
    /// chat of two has none besides its other person.
    ///
    /// - Throws: ``Refusal``: 404 for anyone else's chat, 409 for an invitation that the viewer hasn't accepted.
    func partners(in id: Chat.ID, for viewer: Account) async throws -> (chat: Chat, friends: [Account]) {
        try await database.read { transaction in
            let chat = try ChatRecords(transaction).chat(id, for: viewer)
            guard chat.peer == nil else { return (chat, []) }
            let people = try ChatRecords(transaction).company(in: id, of: viewer).people
            return (chat, try RelationshipRecords(transaction).friends(people.map(\.id), of: viewer))
        }
    }

    /// Returns the newest open contract between the viewer and somebody, for the card in their chat; nil when
    /// there is none.
    ///
    /// - Throws: ``Refusal`` (404) when the viewer can't see the other person.
    func openContract(between viewer: Account, and other: Account.ID) async throws -> ContractView? {
        try await database.read { [self] transaction in
            let peer = try AccountRecords(transaction).account(other, for: viewer)
            return try openContract(between: viewer, and: peer, transaction)
        }
    }

    /// Returns the newest open contract between the viewer and somebody whom they can see, inside a transaction of
    /// another service; nil when there is none.
    func openContract(
        between viewer: Account, and peer: Account, _ transaction: Transaction
    ) throws -> ContractView? {
        let found = try ContractStore(transaction).newestOpen(between: viewer.id, and: peer.id)
        return try found.map { try view($0, for: viewer, transaction) }
    }

    /// Counts the contracts that wait for the viewer's answer, up to 100.
    func waitingCount(of viewer: Account, _ transaction: Transaction) throws -> Int {
        try ContractStore(transaction).waitingCount(of: viewer.id)
    }
}

extension ContractRecords {
    /// Loads a contract for one of its people.
    ///
    /// - Throws: ``Refusal`` (404) for everyone else.
    func loaded(
        _ id: Contract.ID, for viewer: Account
    ) throws -> (contract: LoadedContract, role: ContractRole) {
        guard let contract = try LoadedContract(id, ContractStore(transaction)),
            let role = contract.role(of: viewer.id)
        else { throw Refusal.notFound }
        return (contract, role)
    }

    /// Returns an account as the viewer may see it; nil when they may not see it, and when it is deleted.
    func account(_ id: Account.ID?, for viewer: Account) throws -> Account? {
        guard let id else { return nil }
        do {
            return try AccountRecords(transaction).account(id, for: viewer)
        } catch let refusal as Refusal where refusal == .notFound {
            return nil
        }
    }
}
