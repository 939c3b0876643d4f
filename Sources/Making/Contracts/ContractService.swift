import Core
import Foundation
import Imaging
import People
import Serving
import Storage

/// The service of contracts: proposing, accepting, every move, and what follows from it.
///
/// Each change first applies the deadlines that have passed, then asks the pure state machine (``ContractRules``)
/// whether the viewer may make the move, and writes state, history and consequences in one transaction.
/// `ContractLoading.swift` is about contracts as their people see them, `ContractMoves.swift` about changes,
/// `ContractStakes.swift` about sealed photos.
package final class ContractService: Sendable {
    let database: Database
    let copies: OnceCopies
    let publishing: ContractPublishing
    let events: ContractEvents

    /// The words of a breach's post when the two people agreed on none.
    static let plainBreachText = "I broke a promise."

    init(
        database: Database, copies: OnceCopies, publishing: ContractPublishing,
        events: ContractEvents
    ) {
        self.database = database
        self.copies = copies
        self.publishing = publishing
        self.events = events
    }

    // MARK: What people send

    /// The source of a stake's photo.
    package enum StakeSource: Sendable {
        /// A picture uploaded with the purpose `stake`.
        case upload(SingleUseMedia.ID)
        /// A photo of the library. The stake is a sealed copy of it, and the photo stays in the library.
        case photo(Photo.ID)
    }

    /// The values that a person pledges.
    package struct Pledge: Sendable {
        package var stake: StakeSource?
        package var publishTo: Set<Contract.Place> = []
        /// Whether the person consents to the consequences.
        package var consents = false
        /// Whether the person says that they are an adult; not needed a second time.
        package var isAdult = false

        package init(
            stake: StakeSource? = nil, publishTo: Set<Contract.Place> = [], consents: Bool = false,
            isAdult: Bool = false
        ) {
            self.stake = stake
            self.publishTo = publishTo
            self.consents = consents
            self.isAdult = isAdult
        }
    }

    /// The values of a new contract that its proposer fills in.
    package struct Draft: Sendable {
        package var partner: Account.ID?
        package var promise: String
        package var rules: [String] = []
        /// The end of the promise; nil also for a text that isn't a date.
        package var endsAt: Date?
        package var witness: Account.ID?
        package var breachText = ""
        package var pledge: Pledge

        package init(
            partner: Account.ID? = nil, promise: String, rules: [String] = [], endsAt: Date? = nil,
            witness: Account.ID? = nil, breachText: String = "", pledge: Pledge
        ) {
            self.partner = partner
            self.promise = promise
            self.rules = rules
            self.endsAt = endsAt
            self.witness = witness
            self.breachText = breachText
            self.pledge = pledge
        }
    }

    // MARK: Proposing

    /// Proposes a contract.
    ///
    /// - Parameter key: the idempotency key. A second call with the key within 24 hours returns the contract of the
    ///   first.
    /// - Throws: ``Refusal``: 404 for people and photos that the viewer can't see, 422 with every wrong field.
    package func propose(
        _ draft: Draft, by viewer: Account, key: IdempotencyKey? = nil
    ) async throws -> ContractView {
        try await database.once { [self] in
            try known(key, viewer, $0)
        } make: {
            try await propose(draft, by: viewer, key)
        }
    }

    private func propose(
        _ draft: Draft, by viewer: Account, _ key: IdempotencyKey?
    ) async throws -> ContractView {
        try await database.read { [self] in try check(draft, by: viewer, $0) }
        let view = try await withStake(draft.pledge.stake, by: viewer) { [self] copy, transaction in
            if let known = try self.known(key, viewer, transaction) { return (known, isNew: false) }
            try check(draft, by: viewer, transaction)
            let view = try insert(draft, copy, by: viewer, transaction)
            try key?.record(view.contract.id.rawValue, transaction, viewer.id)
            return (view, isNew: true)
        }
        return view
    }

    private func known(
        _ key: IdempotencyKey?, _ viewer: Account, _ transaction: Transaction
    ) throws -> ContractView? {
        guard let id = try key?.result(viewer.id, transaction) else { return nil }
        return try view(ID(rawValue: id), for: viewer, transaction)
    }

    /// Checks a draft: first the people and photos that it names, then its words.
    private func check(_ draft: Draft, by viewer: Account, _ transaction: Transaction) throws {
        var problems = Problems()
        if let partner = draft.partner {
            _ = try ContractRecords(transaction).partner(partner, of: viewer, &problems)
        } else {
            problems.add("partner_id", "ERR_BLANK", "Choose a friend to make the contract with.")
        }
        if let witness = draft.witness {
            try ContractRecords(transaction).checkWitness(witness, of: viewer, and: draft.partner, &problems)
        }
        try check(draft.pledge, by: viewer, &problems, transaction)
        ContractForm.check(draft, at: transaction.now, &problems)
        try problems.throwIfAny()
        try ContractRecords(transaction).checkOpenCount(of: viewer)
    }

    /// Checks a pledge, without changing anything.
    func check(
        _ pledge: Pledge, by viewer: Account, _ problems: inout Problems, _ transaction: Transaction
    ) throws {
        switch pledge.stake {
        case .photo(let id): _ = try PhotoRecords(transaction).own(id, of: viewer)
        case .upload(let id):
            if try SingleUseMediaRecords(transaction).waiting(id, for: .stake, of: viewer) == nil {
                problems.add(
                    "stake_media_id", "ERR_INVALID",
                    "This picture was already used or has expired. Choose it again.")
            }
        case nil: problems.add("stake_media_id", "ERR_BLANK", ContractForm.noStake)
        }
        try publishing.check(pledge.publishTo, by: viewer, &problems, transaction)
        if !pledge.consents {
            problems.add("consent", "ERR_BLANK", ContractForm.noConsent)
        }
        if !pledge.isAdult, try !ContractStore(transaction).hasConfirmedAge(viewer.id) {
            problems.add("of_age", "ERR_BLANK", ContractForm.noAge)
        }
    }

    private func insert(
        _ draft: Draft, _ copy: OnceCopies.Copy?, by viewer: Account, _ transaction: Transaction
    ) throws -> ContractView {
        let store = ContractStore(transaction)
        // The values were checked before.
        guard let endsAt = draft.endsAt, let partner = draft.partner else { throw Refusal.notFound }
        let id = Contract.ID(rawValue: transaction.newID())
        let progress = ContractProgress(
            proposedAt: transaction.now, endsAt: endsAt, hasWitness: draft.witness != nil)
        try store.insert(
            id, promise: draft.promise, rules: draft.rules, breachText: draft.breachText, progress)
        try store.insert(
            .init(
                role: .proposer, account: viewer.id, list: Self.list(of: .proposer, in: progress),
                consentedAt: transaction.now,
                publishTo: draft.pledge.publishTo,
                connectedAs: try ContractRecords(transaction).account(for: draft.pledge, of: viewer.id)),
            into: id)
        try store.insert(
            .init(
                role: .partner, account: partner, list: Self.list(of: .partner, in: progress), publishTo: []),
            into: id)
        if let witness = draft.witness {
            try store.insert(
                .init(
                    role: .witness, account: witness, list: Self.list(of: .witness, in: progress),
                    publishTo: []),
                into: id)
        }
        if draft.pledge.isAdult { try store.confirmAge(viewer.id) }
        try insertStake(draft.pledge.stake, copy, of: id, .proposer, by: viewer, transaction)
        let entry = try store.insert(.propose, by: .proposer, rule: nil, note: "", of: id)
        if let deadline = progress.deadline {
            try transaction.schedule(.moveContract, payload: id.description, at: deadline)
        }
        guard let contract = try LoadedContract(id, store) else { throw Refusal.notFound }
        try addNotifications(entry, of: contract, transaction)
        try announce(contract, transaction)
        return try view(contract, as: .proposer, for: viewer, transaction)
    }

    // MARK: Accepting

    /// Accepts a contract with a photo that the viewer stakes.
    ///
    /// - Parameter seen: the state that the viewer was shown (``ContractProgress/seen(by:)``); nil when it isn't known.
    /// - Throws: ``Refusal``: 404, 422 with every wrong field; ``ContractConflict`` when it isn't proposed any more, or
    ///   waits for its witness.
    package func accept(
        _ id: Contract.ID, _ pledge: Pledge, by viewer: Account, havingSeen seen: String? = nil
    ) async throws -> ContractView {
        try await database.read { [self] transaction in
            var contract = try ContractRecords(transaction).loaded(id, for: viewer).contract
            contract.head.progress = contract.progress.settled(at: transaction.now)
            try checkAcceptance(of: contract, pledge, by: viewer, havingSeen: seen, transaction)
        }
        let view = try await withStake(pledge.stake, by: viewer) { [self] copy, transaction in
            let (loaded, role) = try ContractRecords(transaction).loaded(id, for: viewer)
            var contract = loaded
            try settle(&contract, transaction)
            try checkAcceptance(of: contract, pledge, by: viewer, havingSeen: seen, transaction)
            let store = ContractStore(transaction)
            if pledge.isAdult { try store.confirmAge(viewer.id) }
            try insertStake(pledge.stake, copy, of: id, role, by: viewer, transaction)
            for index in contract.members.indices where contract.members[index].role == role {
                contract.members[index].publishTo = pledge.publishTo
                contract.members[index].connectedAs = try ContractRecords(transaction).account(
                    for: pledge, of: viewer.id)
            }
            guard try step(&contract, .accept, by: role, transaction) else {
                throw try conflict(contract, for: viewer, transaction)
            }
            try announce(contract, transaction)
            return (try self.view(contract, as: role, for: viewer, transaction), isNew: true)
        }
        return view
    }

    private func checkAcceptance(
        of contract: LoadedContract, _ pledge: Pledge, by viewer: Account, havingSeen seen: String?,
        _ transaction: Transaction
    ) throws {
        guard let role = contract.role(of: viewer.id) else { throw Refusal.notFound }
        guard seen == nil || seen == contract.progress.seen(by: role),
            contract.progress.allows(.accept, by: role, at: transaction.now)
        else { throw try conflict(contract, for: viewer, havingSeen: seen, transaction) }
        var problems = Problems()
        if let proposer = contract.member(.proposer)?.account,
            try !RelationshipRecords(transaction).relationship(of: viewer.id, to: proposer).areFriends
        {
            problems.add(
                "partner_id", "ERR_INVALID",
                "You can make contracts with people who follow you and whom you follow.")
        }
        try check(pledge, by: viewer, &problems, transaction)
        try problems.throwIfAny()
        try ContractRecords(transaction).checkOpenCount(of: viewer)
    }

    /// Returns the refusal of a move that doesn't fit, with the contract as it is now.
    ///
    /// - Parameter seen: the state that the viewer's page showed; nil when it isn't known.
    func conflict(
        _ contract: LoadedContract, for viewer: Account, havingSeen seen: String? = nil,
        _ transaction: Transaction
    ) throws -> ContractConflict {
        guard let role = contract.role(of: viewer.id) else { throw Refusal.notFound }
        let view = try view(contract, as: role, for: viewer, transaction)
        let progress = view.contract.progress
        let hasMovedOn = seen.map { $0 != progress.seen(by: role) } ?? false
        let sentence =
            if progress.isPaused {
                "This contract is paused, because one of you is suspended."
            } else if hasMovedOn, progress.state.isOpen {
                "This contract has changed since you opened it. Look at it again."
            } else {
                progress.refusal
            }
        return ContractConflict(view: view, sentence: sentence)
    }
}

/// The error of a move that doesn't fit the state of a contract (409), with the contract as it is.
struct ContractConflict: Error {
    let view: ContractView
    let sentence: String
}

extension ContractProgress {
    /// Why a move isn't possible, in a sentence.
    fileprivate var refusal: String {
        switch state {
        case .proposed where witness == .asked:
            "The witness hasn’t agreed yet, so you can’t do that now."
        case .proposed: "This contract isn’t accepted yet, so you can’t do that."
        case .active:
            "This contract is active, so you can’t do that now."
        case .claimed: "Somebody has to answer a claim first, so you can’t do that now."
        case .disputed: "The witness has to decide first, so you can’t do that now."
        case .declined: "This contract was declined."
        case .lapsed: "This contract wasn’t accepted in time."
        case .withdrawn: "This contract was withdrawn."
        case .released: "Both have agreed to end this contract."
        case .kept: "This contract is over: the promise was kept."
        case .broken: "This contract is over: the promise was broken."
        case .forfeited: "This contract was called off."
        case .unresolved: "This contract is over, and nobody could decide the dispute."
        }
    }
}
