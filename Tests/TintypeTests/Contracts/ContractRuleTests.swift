import Foundation
import Testing

@testable import Making
@testable import Tintype

@Suite("The rules of contracts")
struct ContractRuleTests {
    private static let start = Date(timeIntervalSince1970: 1_790_000_000)
    private static let end = start.addingTimeInterval(10 * 24 * 3_600)
    private static let day: TimeInterval = 24 * 3_600

    /// A contract in a state. Where something is claimed, the proposer claims it.
    private static func contract(_ state: ContractState, hasWitness: Bool = true) -> ContractProgress {
        var contract = ContractProgress(proposedAt: start, endsAt: end, hasWitness: hasWitness)
        func go(_ event: ContractEvent, _ role: ContractRole?, at date: Date = start) {
            contract.make(event, by: role, at: date)
        }
        if hasWitness { go(.witness, .witness) }
        let isBinding = ![.proposed, .declined, .lapsed, .withdrawn].contains(state)
        if isBinding { go(.accept, .partner) }
        switch state {
        case .proposed, .active: break
        case .claimed: go(.claim, .proposer)
        case .disputed:
            go(.claim, .proposer)
            go(.dispute, .partner)
        case .declined: go(.decline, .partner)
        case .lapsed: go(.lapse, nil, at: end)
        case .withdrawn: go(.withdraw, .proposer)
        case .released:
            go(.offerRelease, .proposer)
            go(.release, .partner)
        case .kept: go(.keep, nil, at: end + day)
        case .broken: go(.admit, .partner)
        case .forfeited: go(.forfeit, .proposer)
        case .unresolved:
            go(.claim, .proposer)
            go(.witnessLeaves, nil)
            go(.dispute, .partner)
        }
        #expect(contract.state == state)
        return contract
    }

    /// Who makes something happen in which state, and where that leads; nothing else may. The witness has agreed, and the
    /// proposer has claimed.
    private static let table: [ContractState: [ContractEvent: [(role: ContractRole?, to: ContractState)]]] = [
        .proposed: [
            .accept: [(.partner, .active)], .decline: [(.partner, .declined)],
            .withdraw: [(.proposer, .withdrawn)], .pause: [(nil, .proposed)],
            .witnessLeaves: [(nil, .lapsed)],
            .restore: [(nil, .lapsed)], .remove: [(nil, .lapsed)],
        ],
        .active: [
            .offerRelease: [(.proposer, .active), (.partner, .active)],
            .admit: [(.proposer, .broken), (.partner, .broken)],
            .claim: [(.proposer, .claimed), (.partner, .claimed)],
            .forfeit: [(.proposer, .forfeited), (.partner, .forfeited)], .pause: [(nil, .active)],
            .witnessLeaves: [(nil, .active)], .restore: [(nil, .unresolved)], .remove: [(nil, .unresolved)],
        ],
        .claimed: [
            .offerRelease: [(.proposer, .claimed), (.partner, .claimed)], .admit: [(.partner, .broken)],
            .dispute: [(.partner, .disputed)],
            .forfeit: [(.proposer, .forfeited), (.partner, .forfeited)], .pause: [(nil, .claimed)],
            .witnessLeaves: [(nil, .claimed)], .restore: [(nil, .unresolved)], .remove: [(nil, .unresolved)],
        ],
        .disputed: [
            .offerRelease: [(.proposer, .disputed), (.partner, .disputed)], .admit: [(.partner, .broken)],
            .judgeBroken: [(.witness, .broken)], .judgeUnbroken: [(.witness, .active)],
            .forfeit: [(.proposer, .forfeited), (.partner, .forfeited)], .pause: [(nil, .disputed)],
            .witnessLeaves: [(nil, .unresolved)], .restore: [(nil, .unresolved)],
            .remove: [(nil, .unresolved)],
        ],
    ]

    @Test(
        "Each event of each person and of the clock leads where the table says, in every state, and nowhere else",
        arguments: ContractState.allCases, ContractEvent.allCases)
    func transition(_ state: ContractState, _ event: ContractEvent) {
        let before = Self.contract(state)
        let roles: [ContractRole?] = [nil] + ContractRole.allCases
        for role in roles {
            var contract = before
            let expected = Self.table[state]?[event]?.first { $0.role == role }
            let isDone = contract.apply(event, by: role, at: Self.start)
            #expect(isDone == (expected != nil), "by \(role as Any)")
            if let expected {
                #expect(contract.state == expected.to)
            } else {
                #expect(contract == before)
            }
        }
    }

    @Test(
        "The clock moves an open state on at its deadline, not a moment before, and ends no other",
        arguments: ContractState.allCases)
    func deadlines(_ state: ContractState) throws {
        let contract = Self.contract(state)
        let expected: [ContractState: (ContractEvent, ContractState, TimeInterval)] = [
            .proposed: (.lapse, .lapsed, 7 * Self.day), .active: (.keep, .kept, 11 * Self.day),
            .claimed: (.silence, .disputed, 3 * Self.day), .disputed: (.noVerdict, .unresolved, 3 * Self.day),
        ]
        guard let (event, next, seconds) = expected[state] else {
            #expect(!state.isOpen)
            #expect(contract.due(at: .distantFuture) == nil)
            return
        }
        let deadline = Self.start.addingTimeInterval(seconds)
        #expect(contract.deadline == deadline)
        #expect(contract.due(at: deadline - 0.001) == nil)
        #expect(contract.due(at: deadline) == event)
        var moved = contract
        moved.make(event, by: nil, at: deadline)
        #expect(moved.state == next)
        // A person can't do what the clock does.
        for role in ContractRole.allCases { #expect(!contract.allows(event, by: role, at: deadline)) }
    }

    @Test("An offer waits for its witness first, who agrees or refuses, and the partner can't accept before")
    func witnessFirst() {
        let asked = ContractProgress(proposedAt: Self.start, endsAt: Self.end, hasWitness: true)
        #expect(asked.awaited == [.witness])
        #expect(asked.moves(of: .witness, at: Self.start) == [.witness, .decline])
        #expect(asked.moves(of: .partner, at: Self.start) == [.decline])
        #expect(asked.moves(of: .proposer, at: Self.start) == [.withdraw])
        var agreed = asked
        agreed.make(.witness, by: .witness, at: Self.start)
        #expect(agreed.state == .proposed && agreed.awaited == [.partner])
        #expect(agreed.deadline == asked.deadline)
        #expect(agreed.moves(of: .witness, at: Self.start) == [])
        #expect(agreed.moves(of: .partner, at: Self.start) == [.accept, .decline])
        #expect(agreed.seen(by: .partner) != asked.seen(by: .partner))
        var refused = asked
        refused.make(.declineWitness, by: .witness, at: Self.start)
        #expect(refused.state == .declined)
        // The time for both answers is one.
        let late = Self.start + 7 * Self.day
        #expect(!asked.allows(.witness, by: .witness, at: late))
        // Of a suspended party nobody becomes the witness, and who was asked may still refuse.
        var paused = asked
        paused.make(.pause, by: nil, at: Self.start)
        #expect(paused.moves(of: .witness, at: Self.start) == [.decline] && paused.awaited == [])
    }

    @Test("An offer lapses at the promise's end when that comes before seven days")
    func shortOffer() {
        let soon = Self.start.addingTimeInterval(3_600)
        var contract = ContractProgress(proposedAt: Self.start, endsAt: soon, hasWitness: false)
        #expect(contract.deadline == soon)
        #expect(!contract.allows(.accept, by: .partner, at: soon))
        contract.make(.lapse, by: nil, at: soon)
    }

    @Test("A claim may be made until 24 hours after the end, and by nobody at that moment")
    func lastClaim() {
        let contract = Self.contract(.active)
        let close = Self.end + Self.day
        #expect(contract.allows(.claim, by: .partner, at: close - 0.001))
        #expect(!contract.allows(.claim, by: .partner, at: close))
    }

    @Test("There are at most twenty claims, and one at a time")
    func claims() {
        var contract = Self.contract(.active)
        for _ in 1...20 {
            contract.make(.claim, by: .proposer, at: Self.start)
            #expect(!contract.allows(.claim, by: .proposer, at: Self.start))
            #expect(!contract.allows(.claim, by: .partner, at: Self.start))
            contract.make(.dispute, by: .partner, at: Self.start)
            contract.make(.judgeUnbroken, by: .witness, at: Self.start)
        }
        #expect(!contract.allows(.claim, by: .proposer, at: Self.start))
    }

    @Test("Without a witness a dispute is unresolved at once, by words and by silence")
    func noWitness() {
        for event in [ContractEvent.dispute, .silence] {
            var contract = Self.contract(.claimed, hasWitness: false)
            let role: ContractRole? = event == .dispute ? .partner : nil
            contract.make(event, by: role, at: Self.start + 3 * Self.day)
            #expect(contract.state == .unresolved)
            #expect(contract.breaker == nil)
        }
    }

    @Test("A verdict of no breach lets the contract go on, or keeps it when the time for claims is over")
    func acquittal() {
        var early = Self.contract(.disputed)
        early.make(.judgeUnbroken, by: .witness, at: Self.start)
        #expect(early.state == .active && early.claim == nil && early.deadline == Self.end + Self.day)
        var late = Self.contract(.active)
        let close = Self.end + Self.day
        late.make(.claim, by: .proposer, at: close - 1)
        late.make(.dispute, by: .partner, at: close + Self.day)
        late.make(.judgeUnbroken, by: .witness, at: close + 2 * Self.day)
        #expect(late.state == .kept)
    }

    @Test("A release needs an offer of the other, and a claim takes an earlier offer back")
    func release() {
        var contract = Self.contract(.active)
        #expect(contract.event(of: .release, by: .proposer) == .offerRelease)
        contract.make(.offerRelease, by: .proposer, at: Self.start)
        #expect(!contract.allows(.release, by: .proposer, at: Self.start))
        #expect(!contract.allows(.offerRelease, by: .proposer, at: Self.start))
        #expect(contract.event(of: .release, by: .partner) == .release)
        #expect(contract.waits(for: .partner) && !contract.waits(for: .proposer))
        contract.make(.claim, by: .proposer, at: Self.start)
        #expect(contract.offer == nil)
        #expect(!contract.allows(.release, by: .partner, at: Self.start))
    }

    @Test(
        "While somebody is suspended no time passes, nobody can be published, and consent can be taken back")
    func pause() {
        for state in ContractState.allCases where state.isOpen {
            var contract = Self.contract(state)
            let deadline = contract.deadline
            contract.make(.pause, by: nil, at: Self.start)
            #expect(contract.due(at: .distantFuture) == nil)
            let expected: [ContractMove.Kind] = state == .proposed ? [] : [.forfeit]
            #expect(
                contract.moves(of: .proposer, at: Self.start) == (state == .proposed ? [.withdraw] : expected)
            )
            #expect(
                contract.moves(of: .partner, at: Self.start) == (state == .proposed ? [.decline] : expected))
            #expect(contract.moves(of: .witness, at: Self.start) == [])
            for role in ContractRole.allCases { #expect(!contract.waits(for: role)) }
            let closesAt = contract.closesAt
            contract.make(.resume, by: nil, at: Self.start + 2 * Self.day)
            #expect(contract.deadline == deadline.map { $0 + 2 * Self.day })
            #expect(contract.closesAt == closesAt + 2 * Self.day)
            #expect(!contract.allows(.resume, by: nil, at: Self.start + 2 * Self.day))
        }
    }

    @Test(
        "An offer is never paused beyond the promise's end, and a clock that goes backwards shortens nothing")
    func clocks() {
        var offer = Self.contract(.proposed)
        offer.make(.pause, by: nil, at: Self.start + Self.day)
        offer.make(.resume, by: nil, at: Self.start + 9 * Self.day)
        #expect(offer.deadline == Self.end)
        var active = Self.contract(.active)
        active.make(.pause, by: nil, at: Self.start)
        active.make(.resume, by: nil, at: Self.start - Self.day)
        #expect(active.deadline == Self.end + Self.day)
    }

    @Test("The table in the documentation is the one of the type")
    func documentation() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Documentation/Contracts.md").standardized
        let text = try String(contentsOf: file, encoding: .utf8)
        let parts = text.split(separator: /<!-- \/?table -->\n/, omittingEmptySubsequences: false)
        try #require(parts.count == 3, "the table is between <!-- table --> and <!-- /table -->")
        guard String(parts[1]) != ContractRules.markdown else { return }
        if ProcessInfo.processInfo.environment["TINTYPE_WRITE_DOCUMENTATION"] != nil {
            let written =
                "\(parts[0])<!-- table -->\n\(ContractRules.markdown)<!-- /table -->\n\(parts[2])"
            try written.write(to: file, atomically: true, encoding: .utf8)
        }
        Issue.record("Documentation/Contracts.md differs from ContractRules.transitions")
    }

    // MARK: Everything at random

    /// What must be so after any sequence.
    private struct Watch {
        var published: [ContractRole] = []
        var takenBack: Set<ContractRole> = []

        mutating func see(
            _ event: ContractEvent, by role: ContractRole?, from before: ContractProgress,
            to after: ContractProgress
        ) {
            if let role, [.withdraw, .forfeit].contains(event) { takenBack.insert(role) }
            #expect(before.state.isOpen, "\(event) after the end")
            #expect((after.state == .broken) == (after.breaker != nil))
            guard before.breaker == nil, let breaker = after.breaker else { return }
            published.append(breaker)
            #expect(before.consents.contains(breaker), "published without consent")
            #expect(!takenBack.contains(breaker), "published after consent was taken back")
            #expect(!before.isPaused, "published during a pause")
            switch event {
            case .admit: #expect(role == breaker, "published by another's admission")
            case .judgeBroken: #expect(role == .witness && breaker == before.accused && before.hasWitness)
            default: Issue.record("published by \(event)")
            }
        }
    }

    @Test(
        "No sequence of events at any times publishes without consent, or twice, or leaves a contract open",
        arguments: 0..<16)
    func random(seed: UInt64) {
        var random = SplitMix64(state: seed)
        for _ in 0..<100 {
            var now = Self.start
            let length = TimeInterval.random(in: 3_600...(366 * Self.day), using: &random)
            var contract = ContractProgress(
                proposedAt: now, endsAt: now + length, hasWitness: Bool.random(using: &random))
            var watch = Watch()
            func happen(_ event: ContractEvent, _ role: ContractRole?) {
                let before = contract
                let rule = Int.random(in: 0...9, using: &random)
                if contract.apply(event, by: role, rule: rule, at: now) {
                    watch.see(event, by: role, from: before, to: contract)
                } else {
                    #expect(contract == before)
                }
            }
            // Most are accepted: the others end soon.
            if Int.random(in: 0..<10, using: &random) > 0 {
                happen(.witness, .witness)
                happen(.accept, .partner)
            }
            for _ in 0..<Int.random(in: 0...60, using: &random) {
                now += TimeInterval.random(in: -60...(2 * Self.day), using: &random)
                let event = ContractEvent.allCases.randomElement(using: &random) ?? .keep
                let roles: [ContractRole?] = [nil] + ContractRole.allCases
                happen(event, roles.randomElement(using: &random) ?? nil)
                if Bool.random(using: &random), let due = contract.due(at: now) { happen(due, nil) }
            }
            if contract.isPaused { happen(.resume, nil) }
            // At most: the promise's end, a day for claims, an answer and a verdict.
            now = max(now, contract.closesAt) + 10 * Self.day
            for _ in 0..<4 {
                if let due = contract.due(at: now) { happen(due, nil) }
                now += 4 * Self.day
            }
            #expect(!contract.state.isOpen, "\(contract)")
            #expect(contract.due(at: .distantFuture) == nil)
            #expect(watch.published.count <= 1)
            #expect(watch.published.first == contract.breaker)
            for role in ContractRole.allCases { #expect(contract.moves(of: role, at: now) == []) }
        }
    }
}

extension ContractProgress {
    /// Lets something happen that must be possible.
    fileprivate mutating func make(
        _ event: ContractEvent, by role: ContractRole?, at date: Date,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let isDone = apply(event, by: role, at: date)
        #expect(isDone, "\(event) in \(state)", sourceLocation: sourceLocation)
    }
}
