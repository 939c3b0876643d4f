import Core
import Foundation
import People
import Serving
import Storage

extension JobKind {
    /// Applies the deadline of a contract; the payload is the contract's id.
    static let moveContract = JobKind("contract-deadline", .short)
    /// Settles the open contracts of an account that was hidden or has returned; the payload is the account's id.
    static let settleContracts = JobKind("settle-contracts", .short)
    /// Erases the stakes of a contract that has been over for a month; the payload is its id.
    static let eraseStakes = JobKind("erase-stakes", .erasing)
}

// All changes of contracts.
extension ContractService {
    /// Makes a move. Accepting has ``accept(_:_:by:)``.
    ///
    /// - Parameters:
    ///   - note: a note of the person who makes the move, up to 500 characters.
    ///   - seen: the state that the viewer's page shows (``ContractProgress/seen(by:)``). A move that was meant for
    ///     another state is refused.
    /// - Throws: ``Refusal``: 404 for anyone else's contract, 422; ``ContractConflict`` when the state is another.
    package func move(
        _ move: ContractMove, in id: Contract.ID, by viewer: Account, note: String = "",
        havingSeen seen: String? = nil
    ) async throws -> ContractView {
        let view = try await database.write { [self] transaction in
            let (loaded, role) = try ContractRecords(transaction).loaded(id, for: viewer)
            var contract = loaded
            try ContractForm.check(note: note)
            var rule: Int?
            if case .claim(let claimed) = move {
                rule = claimed
                if let claimed { try ContractRecords(transaction).check(rule: claimed, of: contract.id) }
            }
            try settle(&contract, transaction)
            let event = contract.progress.event(of: move, by: role)
            guard seen == nil || seen == contract.progress.seen(by: role),
                contract.progress.allows(event, by: role, at: transaction.now)
            else { throw try conflict(contract, for: viewer, havingSeen: seen, transaction) }
            if event == .witness {
                try ContractRecords(transaction).checkIsFriendOfBoth(viewer, in: contract)
            }
            guard try step(&contract, event, by: role, rule: rule, note: note, transaction) else {
                throw try conflict(contract, for: viewer, havingSeen: seen, transaction)
            }
            try announce(contract, transaction)
            return try self.view(contract, as: role, for: viewer, transaction)
        }
        return view
    }

    // MARK: One step

    /// Applies an event to a contract, with its entry in the history and all its consequences, inside a transaction.
    /// Returns false, and changes nothing, when the event isn't allowed.
    func step(
        _ contract: inout LoadedContract, _ event: ContractEvent, by role: ContractRole?, rule: Int? = nil,
        note: String = "", _ transaction: Transaction
    ) throws -> Bool {
        let (before, now) = (contract.progress, transaction.now)
        guard contract.head.progress.apply(event, by: role, rule: rule, at: now) else { return false }
        let (id, progress, store) = (contract.id, contract.progress, ContractStore(transaction))
        guard try store.update(progress, of: id, revision: contract.head.revision) else {
            throw Refusal(
                .unavailable(retryAfter: 1), "Somebody else answered at the same moment. Try again.")
        }
        contract.head.revision += 1
        for index in contract.members.indices {
            let member = contract.members[index]
            contract.members[index].consentedAt =
                progress.consents.contains(member.role) ? member.consentedAt ?? now : nil
            contract.members[index].list = Self.list(of: member.role, in: progress)
            try store.update(contract.members[index], of: id)
        }
        let entry = try store.insert(event, by: role, rule: rule, note: note, of: id)
        if before.breaker == nil, let breaker = progress.breaker {
            try publishing.publish(breachOf: contract, by: breaker, transaction)
        }
        if let deadline = progress.deadline, !progress.isPaused,
            before.deadline != deadline || before.isPaused
        {
            try transaction.schedule(.moveContract, payload: id.description, at: deadline)
        }
        if before.state.isOpen, !progress.state.isOpen {
            try transaction.schedule(
                .eraseStakes, payload: id.description, at: now.addingTimeInterval(Self.stakeTime))
        }
        try addNotifications(entry, of: contract, transaction)
        return true
    }

    /// Returns the list in which a person finds a contract.
    static func list(of role: ContractRole, in progress: ContractProgress) -> ContractList {
        guard progress.state.isOpen else { return .ended }
        return progress.waits(for: role) ? .waiting : .active
    }

    /// Applies all events that are due: those of the clock, and those that follow from changes of its people's
    /// accounts.
    func settle(_ contract: inout LoadedContract, _ transaction: Transaction) throws {
        try applyDeadlines(to: &contract, transaction)
        var isPaused = false
        for member in contract.members {
            let account = try member.account.flatMap { try AccountRecords(transaction).unchecked($0) }
            let isGone = try account.map { try AccountRecords(transaction).isAbandoned($0.id) } ?? true
            if isGone {
                try remove(member.role, from: &contract, transaction)
            } else if member.role != .witness, account?.isSuspended == true {
                isPaused = true
            }
        }
        if contract.progress.isPaused != isPaused {
            _ = try step(&contract, isPaused ? .pause : .resume, by: nil, transaction)
            try applyDeadlines(to: &contract, transaction)
        }
    }

    /// Applies all deadlines that have passed. This happens before a block, a suspension or a deletion changes
    /// anything: a promise that was kept stays kept.
    private func applyDeadlines(
        to contract: inout LoadedContract, _ transaction: Transaction
    ) throws {
        while let event = contract.progress.due(at: transaction.now),
            try step(&contract, event, by: nil, transaction)
        {}
    }

    /// Removes a person from an open contract when they delete their account or block another person of it. Nothing is
    /// published.
    private func remove(
        _ role: ContractRole, from contract: inout LoadedContract, _ transaction: Transaction
    ) throws {
        try applyDeadlines(to: &contract, transaction)
        guard contract.progress.state.isOpen else { return }
        switch role {
        case .witness: _ = try step(&contract, .witnessLeaves, by: nil, transaction)
        case .proposer where contract.progress.state == .proposed:
            _ = try step(&contract, .withdraw, by: role, transaction)
        case .partner where contract.progress.state == .proposed:
            _ = try step(&contract, .decline, by: role, transaction)
        case .proposer, .partner: _ = try step(&contract, .forfeit, by: role, transaction)
        }
    }

    // MARK: Events outside of contracts

    /// The number of contracts that one transaction changes.
    private static let batch = 50

    /// Ends the open contracts between two people when one blocks the other, inside the transaction of the block.
    func separate(_ blocker: Account.ID, from blocked: Account.ID, _ transaction: Transaction) throws {
        let store = ContractStore(transaction)
        var ids = try store.open(between: blocker, and: blocked, limit: Self.batch)
        while !ids.isEmpty {
            for id in ids {
                guard var contract = try LoadedContract(id, store) else { continue }
                let roles = contract.members.filter { [blocker, blocked].contains($0.account) }.map(\.role)
                let leaving =
                    roles.contains(.witness)
                    ? .witness : contract.members.first { $0.account == blocker }?.role
                if let leaving { try remove(leaving, from: &contract, transaction) }
                try announce(contract, transaction)
                // The witness leaves, no matter who has blocked whom, and sees nothing more of the contract.
                if leaving == .witness { try dismissWitness(of: contract, transaction) }
            }
            ids = try store.open(between: blocker, and: blocked, limit: Self.batch)
        }
    }

    /// Removes a contract that continues without its witness from the witness's view.
    private func dismissWitness(of contract: LoadedContract, _ transaction: Transaction) throws {
        guard let witness = contract.member(.witness)?.account else { return }
        _ = try ContractStore(transaction).forget(witness, in: contract.id)
    }

    /// Settles the contracts of an account that is hidden or returns, inside the transaction that hides it: the
    /// accepted contracts at once, and offers in the background.
    func follow(_ account: Account.ID, _ transaction: Transaction) throws {
        let store = ContractStore(transaction)
        for id in try store.open(of: account, isBound: true, limit: Self.batch) {
            try settle(id, transaction)
        }
        if try !store.open(of: account, limit: 1).isEmpty {
            try transaction.schedule(.settleContracts, payload: "\(account)")
        }
    }

    private func settle(_ id: Contract.ID, _ transaction: Transaction) throws {
        guard var contract = try LoadedContract(id, ContractStore(transaction)) else { return }
        let revision = contract.head.revision
        try settle(&contract, transaction)
        if contract.head.revision != revision { try announce(contract, transaction) }
    }

    /// Performs ``JobKind/settleContracts``.
    func settleAll(_ job: Job) async throws {
        guard let account = Account.ID(job.payload) else { return }
        var last: Contract.ID?
        repeat {
            last = try await database.write { [self, last] transaction in
                let ids = try ContractStore(transaction).open(of: account, after: last, limit: Self.batch)
                for id in ids { try settle(id, transaction) }
                return ids.count == Self.batch ? ids.last : nil
            }
        } while last != nil
    }

    /// Performs ``JobKind/moveContract``.
    func settle(_ job: Job) async throws {
        guard let id = Contract.ID(job.payload) else { return }
        try await database.write { [self] transaction in
            try settle(id, transaction)
            // A clock was set back since the job was scheduled, so it runs again later.
            let progress = try ContractStore(transaction).head(id)?.progress
            if let progress, progress.state.isOpen, !progress.isPaused, let deadline = progress.deadline,
                deadline > transaction.now, deadline.timeIntervalSince(transaction.now) < Self.earliness
            {
                try transaction.schedule(.moveContract, payload: id.description, at: deadline)
            }
        }
    }

    /// How much earlier than the deadline a job may run because a clock was set back, in seconds.
    private static let earliness: TimeInterval = 3600

    /// Ends a contract and removes its words, inside a transaction of the administration.
    func remove(_ id: Contract.ID, _ transaction: Transaction) throws {
        let store = ContractStore(transaction)
        guard var contract = try LoadedContract(id, store) else { throw Refusal.notFound }
        try applyDeadlines(to: &contract, transaction)
        _ = try step(&contract, .remove, by: nil, transaction)
        try store.removeWords(of: id, leaving: Self.removedPromise)
        guard let removed = try LoadedContract(id, store) else { throw Refusal.notFound }
        try announce(removed, transaction)
    }

    /// The sentence in place of a promise that an administrator has removed.
    static let removedPromise = "An administrator has removed the words of this contract."

    /// Removes a person who is being erased from some of their contracts. Returns the number of these contracts.
    func eraseSome(of account: Account.ID, limit: Int, _ transaction: Transaction) throws -> Int {
        let store = ContractStore(transaction)
        let ids = try store.any(of: account, limit: limit)
        for id in ids {
            guard var contract = try LoadedContract(id, store) else { continue }
            for member in contract.members where member.account == account {
                try remove(member.role, from: &contract, transaction)
                try store.removeNotes(by: member.role, of: id)
                if member.role != .witness { try store.eraseStake(of: id, member.role) }
            }
            // An accepted contract belongs to the other party, too; an offer belonged to the proposer alone.
            let isTheirs = try contract.role(of: account) == .proposer && !store.wasAccepted(id)
            let accounts = contract.members.compactMap(\.account)
            if try store.forget(account, in: id) || isTheirs {
                try store.delete(id)
                events.gone(id, for: accounts, transaction)
            } else if let rest = try LoadedContract(id, store) {
                try announce(rest, transaction)
            }
        }
        return ids.count
    }

    // MARK: Telling

    /// Sends to a contract's people how the publishing of its breach goes on. The breaker gets a notification when it
    /// has failed for good, and when only they can find out whether the photo is published.
    func publicationChanged(
        _ post: CrossPost, of id: Contract.ID, _ transaction: Transaction
    ) throws {
        guard let contract = try LoadedContract(id, ContractStore(transaction)) else { return }
        try announce(contract, transaction)
        try events.addNotification(post, of: id, transaction)
    }

    /// Sends to everyone who takes part how a contract looks now, after the commit.
    func announce(_ contract: LoadedContract, _ transaction: Transaction) throws {
        let accounts = contract.members.compactMap(\.account)
        try events.changed(contract.id, of: accounts, transaction) { [self] reader in
            guard let role = contract.role(of: reader.id) else { return nil }
            return try view(contract, as: role, for: reader, transaction)
        }
    }

    /// Makes the events of what other nodes have changed.
    var news: [NewsKind: NewsKind.Handler] {
        [
            .contract: { [self] ids, transaction in
                guard let id = ids.first.map({ Contract.ID(rawValue: $0) }),
                    let contract = try LoadedContract(id, ContractStore(transaction))
                else { return }
                let accounts = ids.dropFirst().map { Account.ID(rawValue: $0) }
                try events.changedElsewhere(id, of: accounts, transaction) { reader in
                    guard let role = contract.role(of: reader.id) else { return nil }
                    return try view(contract, as: role, for: reader, transaction)
                }
            }
        ]
    }

    /// Adds the notifications of an entry.
    func addNotifications(
        _ entry: Contract.Entry, of contract: LoadedContract, _ transaction: Transaction
    ) throws {
        let actor = entry.role.flatMap(contract.member)?.account
        // A notification that asks a question is removed when the question is settled.
        if [.declined, .withdrawn, .lapsed].contains(contract.progress.state) {
            for reader in [ContractRole.partner, .witness].compactMap({ contract.member($0)?.account }) {
                try events.removeNotifications([.propose], of: contract.id, to: reader, transaction)
            }
        }
        if [.admit, .release, .forfeit].contains(entry.event),
            let witness = contract.member(.witness)?.account
        {
            try events.removeNotifications([.dispute, .silence], of: contract.id, to: witness, transaction)
        }
        // The partner is asked once the witness has agreed.
        if entry.event == .witness, let partner = contract.member(.partner)?.account,
            let offer = try ContractStore(transaction).history(of: contract.id).first(where: {
                $0.event == .propose
            })
        {
            let proposer = contract.member(.proposer)?.account
            try events.addNotification(offer, of: contract.id, to: partner, from: proposer, transaction)
        }
        for role in entry.event.readers(after: entry.role, in: contract.progress) {
            guard let reader = contract.member(role)?.account else { continue }
            try events.addNotification(entry, of: contract.id, to: reader, from: actor, transaction)
        }
    }
}

extension ContractEvent {
    /// Returns the roles that get a notification of an event.
    fileprivate func readers(after mover: ContractRole?, in progress: ContractProgress) -> [ContractRole] {
        let others = ContractRole.parties.filter { $0 != mover }
        switch self {
        case .propose: return progress.awaited
        case .witness, .declineWitness, .lapse: return [.proposer]
        case .withdraw, .pause, .resume, .restore: return []
        case .accept, .dispute, .silence, .noVerdict: return others + [.witness]
        case .decline, .offerRelease, .release, .admit, .claim, .judgeBroken, .judgeUnbroken, .keep, .forfeit,
            .witnessLeaves, .remove:
            return others
        }
    }
}

extension ContractRecords {
    /// Checks that the rule named by a claim exists.
    fileprivate func check(rule: Int, of id: Contract.ID) throws {
        guard try ContractStore(transaction).rules(of: id).indices.contains(rule) else {
            throw Refusal.invalid("rule", "ERR_INVALID", "The contract has no such rule.")
        }
    }

    /// Checks that the viewer, who was asked to be the witness, is still a friend of both parties.
    fileprivate func checkIsFriendOfBoth(_ viewer: Account, in contract: LoadedContract) throws {
        for party in ContractRole.parties.compactMap({ contract.member($0)?.account }) {
            guard try RelationshipRecords(transaction).relationship(of: viewer.id, to: party).areFriends
            else {
                throw Refusal.invalid(
                    "witness_id", "ERR_INVALID",
                    "Only a friend of both can be the witness: you and each of them have to follow each other."
                )
            }
        }
    }
}
