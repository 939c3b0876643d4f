import Foundation

/// The part of a contract that events change.
struct ContractProgress: Sendable, Equatable {
    /// The statement “You broke it.”
    struct Claim: Sendable, Equatable {
        /// The role of the person who claims.
        var by: ContractRole
        /// The rule that was broken, counted from 0; nil for the promise as a whole.
        var rule: Int?
    }

    /// Whether there is a witness, who decides disputes.
    enum Witness: Sendable {
        /// There is no witness.
        case none
        /// Someone was asked, and hasn't agreed.
        case asked
        /// Someone has agreed to be the witness.
        case agreed
    }

    var state: ContractState
    /// The time until which the promise holds.
    let endsAt: Date
    /// The time until which a claim can be made. A pause moves it.
    var closesAt: Date
    /// The time at which the present state ends by itself, unless the contract is paused.
    var deadline: Date?
    /// The time since which the contract is paused, because someone is suspended.
    var pausedAt: Date?
    /// The role of the person who has offered to end the contract.
    var offer: ContractRole?
    /// The open claim. After the end of the contract, the claim that was true.
    var claim: Claim?
    /// The number of claims so far.
    var claimsCount = 0
    var witness: Witness
    /// The roles of the people who consent to the publishing of their own photo and haven't withdrawn their consent.
    var consents: Set<ContractRole>
    /// The role of the person who broke the promise.
    var breaker: ContractRole?

    var isPaused: Bool { pausedAt != nil }
    /// Whether the contract names a witness, who may not have agreed yet.
    var hasWitness: Bool { witness != .none }
    /// The role of the person who has to answer a claim.
    var accused: ContractRole? { state == .claimed || state == .disputed ? claim?.by.other : nil }
}

extension ContractProgress {
    /// Creates the progress of a contract that has just been proposed.
    init(proposedAt now: Date, endsAt: Date, hasWitness: Bool) {
        self.init(
            state: .proposed, endsAt: endsAt, closesAt: endsAt.addingTimeInterval(ContractRules.claimTime),
            deadline: min(now.addingTimeInterval(ContractRules.offerTime), endsAt),
            witness: hasWitness ? .asked : .none, consents: [.proposer])
    }

    /// Returns whether an event may happen now.
    ///
    /// - Parameter role: whose move it is; nil for the clock and the server.
    func allows(_ event: ContractEvent, by role: ContractRole?, at now: Date) -> Bool {
        let isInTable = ContractRules.transitions.contains {
            $0.event == event && $0.from.contains(state) && $0.actor.isPlayed(by: role, in: self)
        }
        guard isInTable, !isPaused || ContractRules.whilePaused.contains(event) else { return false }
        switch event {
        case .witness: return witness == .asked && now < endsAt && deadline.map { now < $0 } ?? false
        case .declineWitness: return witness == .asked
        case .accept: return witness != .asked && now < endsAt && deadline.map { now < $0 } ?? false
        case .claim: return now < closesAt && claimsCount < ContractRules.mostClaims
        case .offerRelease: return offer == nil
        case .release: return offer != nil && offer == role?.other
        case .admit: return role.map(consents.contains) ?? false
        case .judgeBroken: return accused.map(consents.contains) ?? false
        case .lapse, .silence, .noVerdict, .keep: return deadline.map { now >= $0 } ?? false
        case .resume: return isPaused
        case .witnessLeaves: return hasWitness
        default: return true
        }
    }

    /// Applies an event. Returns false, and changes nothing, when the event may not happen.
    mutating func apply(
        _ event: ContractEvent, by role: ContractRole?, rule: Int? = nil, at now: Date
    ) -> Bool {
        guard allows(event, by: role, at: now) else { return false }
        switch event {
        case .propose: return false
        case .witness: witness = .agreed
        case .declineWitness: enter(.declined)
        case .accept:
            consents.insert(.partner)
            closesAt = endsAt.addingTimeInterval(ContractRules.claimTime)
            enter(.active, until: closesAt)
        case .decline: enter(.declined)
        case .withdraw:
            consents.remove(.proposer)
            enter(.withdrawn)
        case .lapse: enter(.lapsed)
        case .offerRelease: offer = role
        case .release: enter(.released)
        case .admit:
            breaker = role
            enter(.broken)
        case .claim:
            guard let role else { return false }
            claim = Claim(by: role, rule: rule)
            claimsCount += 1
            // A person who has claimed, or been accused, since the offer isn't bound by the offer any more.
            offer = nil
            enter(.claimed, until: now.addingTimeInterval(ContractRules.answerTime))
        case .dispute, .silence:
            if hasWitness {
                enter(.disputed, until: now.addingTimeInterval(ContractRules.verdictTime))
            } else {
                enter(.unresolved)
            }
        case .judgeBroken:
            breaker = accused
            enter(.broken)
        case .judgeUnbroken:
            claim = nil
            if now < closesAt { enter(.active, until: closesAt) } else { enter(.kept) }
        case .noVerdict: enter(.unresolved)
        case .keep: enter(.kept)
        case .forfeit:
            if let role { consents.remove(role) }
            enter(.forfeited)
        case .pause: pausedAt = now
        case .resume: resume(at: now)
        case .witnessLeaves:
            witness = .none
            if state == .proposed { enter(.lapsed) }
            if state == .disputed { enter(.unresolved) }
        case .restore, .remove: enter(state == .proposed ? .lapsed : .unresolved)
        }
        return true
    }

    private mutating func enter(_ state: ContractState, until deadline: Date? = nil) {
        self.state = state
        self.deadline = deadline
        guard !state.isOpen else { return }
        (offer, pausedAt) = (nil, nil)
    }

    private mutating func resume(at now: Date) {
        let pause = max(0, now.timeIntervalSince(pausedAt ?? now))
        pausedAt = nil
        closesAt += pause
        deadline = deadline.map { state == .proposed ? min($0 + pause, endsAt) : $0 + pause }
    }

    /// Returns the event of the clock that is due now; nil when nothing is due.
    func due(at now: Date) -> ContractEvent? {
        [.lapse, .silence, .noVerdict, .keep].first { allows($0, by: nil, at: now) }
    }

    /// Returns the progress after all events that are due.
    func settled(at now: Date) -> ContractProgress {
        var progress = self
        while let event = progress.due(at: now), progress.apply(event, by: nil, at: now) {}
        return progress
    }

    /// Returns the event that a move causes in the present state.
    func event(of move: ContractMove, by role: ContractRole) -> ContractEvent {
        switch move {
        case .witness: .witness
        case .decline: role == .witness ? .declineWitness : .decline
        case .withdraw: .withdraw
        case .release: offer != nil && offer == role.other ? .release : .offerRelease
        case .admit: .admit
        case .claim: .claim
        case .dispute: .dispute
        case .judge(let broken): broken ? .judgeBroken : .judgeUnbroken
        case .forfeit: .forfeit
        }
    }

    /// Returns what a person sees when they decide on a move, as a short text. A move that was meant for another state
    /// is refused: a verdict on one claim isn't a verdict on the next, an answer to an offer isn't an offer, and a
    /// person who disputes before a witness doesn't dispute without one.
    func seen(by role: ContractRole) -> String {
        // An offer to end the contract is between the two parties.
        let offer = role == .witness ? nil : offer
        return "\(state.rawValue).\(claimsCount).\(offer?.rawValue ?? "").\(witness)"
    }

    /// Returns the moves that a person may make now.
    func moves(of role: ContractRole, at now: Date) -> [ContractMove.Kind] {
        ContractMove.Kind.allCases.filter { kind in
            guard let move = ContractMove(kind, broken: true) else {
                return allows(.accept, by: role, at: now)
            }
            return allows(event(of: move, by: role), by: role, at: now)
        }
    }

    /// The roles of the people for whose answer the contract waits.
    var awaited: [ContractRole] { ContractRole.allCases.filter(waits) }

    /// Returns whether the contract waits for a person's answer.
    func waits(for role: ContractRole) -> Bool {
        guard !isPaused else { return false }
        switch state {
        case .proposed: return role == (witness == .asked ? .witness : .partner)
        case .claimed: return role == accused || offer.map { $0 == role.other } ?? false
        case .disputed where role == .witness: return hasWitness
        case .active, .disputed: return offer.map { $0 == role.other } ?? false
        default: return false
        }
    }
}
