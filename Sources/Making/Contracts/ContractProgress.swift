import Foundation

/// The part of a contract that events change.
struct ContractProgress: Sendable, Equatable {
    /// “You broke it.”
    struct Claim: Sendable, Equatable {
        /// Who says so.
        var by: ContractRole
        /// Which rule, counted from 0; nil for the promise as a whole.
        var rule: Int?
    }

    /// Who decides disputes.
    enum Witness: Sendable {
        /// Nobody.
        case none
        /// Somebody who was asked, and hasn't agreed.
        case asked
        /// Somebody who has taken the role.
        case agreed
    }

    var state: ContractState
    /// Until when the promise holds.
    let endsAt: Date
    /// Until when a claim may be made. A pause moves it.
    var closesAt: Date
    /// When the present state moves on by itself, if it isn't paused.
    var deadline: Date?
    /// Since when no time passes, because somebody is suspended.
    var pausedAt: Date?
    /// Who has offered to end it.
    var offer: ContractRole?
    /// What is claimed, as long as it is open, and in the end when it was true.
    var claim: Claim?
    /// How many claims there have been.
    var claimsCount = 0
    var witness: Witness
    /// Who has consented to the publishing of their own photo, and has not taken that back.
    var consents: Set<ContractRole>
    /// Who broke it.
    var breaker: ContractRole?

    var isPaused: Bool { pausedAt != nil }
    /// Whether it names a witness, who may not have agreed yet.
    var hasWitness: Bool { witness != .none }
    /// Who has to answer a claim.
    var accused: ContractRole? { state == .claimed || state == .disputed ? claim?.by.other : nil }
}

extension ContractProgress {
    /// A contract that has just been proposed.
    init(proposedAt now: Date, endsAt: Date, hasWitness: Bool) {
        self.init(
            state: .proposed, endsAt: endsAt, closesAt: endsAt.addingTimeInterval(ContractRules.claimTime),
            deadline: min(now.addingTimeInterval(ContractRules.offerTime), endsAt),
            witness: hasWitness ? .asked : .none, consents: [.proposer])
    }

    /// Whether something may happen now.
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

    /// Lets something happen. Returns false, and changes nothing, when it may not.
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
            // Who has claimed or been claimed against since may not be held to an earlier offer.
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

    /// What the clock brings now; nil when nothing is due.
    func due(at now: Date) -> ContractEvent? {
        [.lapse, .silence, .noVerdict, .keep].first { allows($0, by: nil, at: now) }
    }

    /// Returns the contract once everything has happened that is due.
    func settled(at now: Date) -> ContractProgress {
        var progress = self
        while let event = progress.due(at: now), progress.apply(event, by: nil, at: now) {}
        return progress
    }

    /// What a move means as things stand.
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

    /// What somebody sees when they decide on a move, as a short text: a move that was meant for something else is refused.
    /// A verdict on one claim isn't one on the next, an answer to an offer isn't an offer, and who disputes before a
    /// witness doesn't dispute without one.
    func seen(by role: ContractRole) -> String {
        // An offer to end it is between the two parties.
        let offer = role == .witness ? nil : offer
        return "\(state.rawValue).\(claimsCount).\(offer?.rawValue ?? "").\(witness)"
    }

    /// What somebody may do now.
    func moves(of role: ContractRole, at now: Date) -> [ContractMove.Kind] {
        ContractMove.Kind.allCases.filter { kind in
            guard let move = ContractMove(kind, broken: true) else {
                return allows(.accept, by: role, at: now)
            }
            return allows(event(of: move, by: role), by: role, at: now)
        }
    }

    /// Whose answer it waits for.
    var awaited: [ContractRole] { ContractRole.allCases.filter(waits) }

    /// Whether it waits for somebody's answer.
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
