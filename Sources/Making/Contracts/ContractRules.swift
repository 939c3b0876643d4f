import Foundation

// The rules of contracts as pure values: the result depends on the state, the event and the time alone.
// Documentation/Contracts.md shows the table, made from ``ContractRules/transitions``.

/// The state of a contract.
enum ContractState: String, Sendable, CaseIterable {
    /// The contract waits for the witness, if there is one, and then for the partner's answer.
    case proposed
    /// Both have staked a photo, and the promise holds.
    case active
    /// One party says that the other broke the promise, and the other hasn't answered.
    case claimed
    /// The accused denies the breach, and the witness decides.
    case disputed
    /// The partner declined, or the witness did.
    case declined
    /// The contract wasn't accepted in time, or its witness left before it was.
    case lapsed
    /// The proposer withdrew the contract before it was accepted.
    case withdrawn
    /// Both agreed to end the contract.
    case released
    /// The promise was kept.
    case kept
    /// Someone broke the promise, and their own photo is published.
    case broken
    /// Someone called the contract off; no photo is published.
    case forfeited
    /// Nobody could decide a dispute; no photo is published.
    case unresolved

    /// Whether the contract isn't over yet.
    var isOpen: Bool { [.proposed, .active, .claimed, .disputed].contains(self) }
    /// Whether both parties are bound by the contract.
    var isBinding: Bool { [.active, .claimed, .disputed].contains(self) }
}

/// A person's role in a contract.
enum ContractRole: String, Sendable, CaseIterable {
    /// The person who made the contract.
    case proposer
    /// The person who was asked to promise, too.
    case partner
    /// The person who decides a dispute.
    case witness

    /// The roles of the two people who stake a photo.
    static let parties: [ContractRole] = [.proposer, .partner]

    /// The other party; nil for the witness.
    var other: ContractRole? {
        switch self {
        case .proposer: .partner
        case .partner: .proposer
        case .witness: nil
        }
    }
}

/// A move that a person makes in a contract. Accepting isn't among the moves, because it needs a stake
/// (``ContractService/accept(_:_:by:)``).
package enum ContractMove: Sendable, Hashable {
    /// The witness agrees to the role.
    case witness
    /// The partner declines the contract, or the witness the role.
    case decline
    case withdraw
    /// A party offers to end the contract, or agrees to the other party's offer.
    case release
    /// A party admits a breach: “I broke it.”
    case admit
    /// A party claims a breach: “You broke it.” The rule is counted from 0; nil for the promise as a whole.
    case claim(rule: Int?)
    case dispute
    /// The witness decides.
    case judge(broken: Bool)
    case forfeit

    /// A move without its values, with its name in the JSON interface, in the order of the buttons.
    package enum Kind: String, Sendable, CaseIterable {
        case accept, witness, decline, release, admit, claim, dispute, judge, withdraw, forfeit
    }

    /// Makes a move of a kind; nil for accepting.
    ///
    /// - Parameters:
    ///   - rule: the rule that a claim names.
    ///   - broken: the witness's decision.
    package init?(_ kind: Kind, rule: Int? = nil, broken: Bool) {
        switch kind {
        case .accept: return nil
        case .witness: self = .witness
        case .decline: self = .decline
        case .withdraw: self = .withdraw
        case .release: self = .release
        case .admit: self = .admit
        case .claim: self = .claim(rule: rule)
        case .dispute: self = .dispute
        case .judge: self = .judge(broken: broken)
        case .forfeit: self = .forfeit
        }
    }

    /// The move's kind.
    var kind: Kind {
        switch self {
        case .witness: .witness
        case .decline: .decline
        case .withdraw: .withdraw
        case .release: .release
        case .admit: .admit
        case .claim: .claim
        case .dispute: .dispute
        case .judge: .judge
        case .forfeit: .forfeit
        }
    }
}

/// An event in the history of a contract.
enum ContractEvent: String, Sendable, CaseIterable {
    case propose
    case witness
    case declineWitness = "decline_witness"
    case accept
    case decline
    case withdraw
    case lapse
    case offerRelease = "offer_release"
    case release
    case admit
    case claim
    case dispute
    case silence
    case judgeBroken = "judge_broken"
    case judgeUnbroken = "judge_unbroken"
    case noVerdict = "no_verdict"
    case keep
    case forfeit
    case pause
    case resume
    case witnessLeaves = "witness_leaves"
    case restore
    case remove
}

/// The rules of contracts: who may do what and when, and what follows.
enum ContractRules {
    /// How long an offer can be accepted, in seconds, but never beyond the promise's end.
    static let offerTime: TimeInterval = 7 * 24 * 3_600
    /// How long after the promise's end a claim can be made, in seconds.
    static let claimTime: TimeInterval = 24 * 3_600
    /// How long a claim can be answered, in seconds.
    static let answerTime: TimeInterval = 72 * 3_600
    /// How long the witness can take to decide, in seconds.
    static let verdictTime: TimeInterval = 72 * 3_600
    /// The most claims in one contract, so that nobody is asked for verdicts without end.
    static let mostClaims = 20

    /// The person or thing that causes an event.
    enum Actor: String, Sendable, CaseIterable {
        case proposer
        case partner
        /// Either of the two parties.
        case party = "either party"
        /// The party who is said to have broken the promise.
        case accused
        case witness
        /// The clock: time has passed.
        case clock = "the clock"
        /// The server: an event outside the contract.
        case server = "the server"

        /// Returns whether a person with a role, or nobody, is this actor.
        func isPlayed(by role: ContractRole?, in progress: ContractProgress) -> Bool {
            switch self {
            case .proposer: role == .proposer
            case .partner: role == .partner
            case .party: role == .proposer || role == .partner
            case .accused: role != nil && role == progress.accused
            case .witness: role == .witness && progress.hasWitness
            case .clock, .server: role == nil
            }
        }
    }

    /// A line of the table: an event that may happen in some states.
    struct Transition: Sendable {
        var event: ContractEvent
        /// The states in which the event may happen; empty for the event that begins a contract.
        var from: [ContractState]
        var actor: Actor
        /// The states after the event; several where ``follows`` says which. Empty when the state stays as it was.
        var to: [ContractState]
        /// The conditions of the event, in words.
        var needs: String
        /// The consequences of the event, in words.
        var follows: String
    }

    private static let binding: [ContractState] = [.active, .claimed, .disputed]
    private static let open: [ContractState] = [.proposed, .active, .claimed, .disputed]

    /// All transitions.
    static let transitions: [Transition] = [
        Transition(
            event: .propose, from: [], actor: .proposer, to: [.proposed],
            needs:
                "Both follow each other; the witness, if there is one, is a friend of both; the proposer is an adult, stakes a photo and consents.",
            follows:
                "The witness is asked first, if there is one. The partner has 7 days to answer, or until the promise’s end when that comes first."
        ),
        Transition(
            event: .witness, from: [.proposed], actor: .witness, to: [],
            needs: "They were asked, and are a friend of both.", follows: "The partner may accept."),
        Transition(
            event: .declineWitness, from: [.proposed], actor: .witness, to: [.declined],
            needs: "They were asked, and haven’t agreed.", follows: "The proposer gets their photo back."),
        Transition(
            event: .accept, from: [.proposed], actor: .partner, to: [.active],
            needs:
                "The witness has agreed, if there is one; both still follow each other; the partner is an adult, stakes a photo and consents.",
            follows: "It counts as kept 24 hours after its end, unless something else happens first."),
        Transition(
            event: .decline, from: [.proposed], actor: .partner, to: [.declined], needs: "",
            follows: "The proposer gets their photo back."),
        Transition(
            event: .withdraw, from: [.proposed], actor: .proposer, to: [.withdrawn], needs: "",
            follows: "The proposer gets their photo back."),
        Transition(
            event: .lapse, from: [.proposed], actor: .clock, to: [.lapsed],
            needs: "7 days have passed, or the promise’s end.", follows: "The proposer gets their photo back."
        ),
        Transition(
            event: .offerRelease, from: binding, actor: .party, to: [],
            needs: "Nobody has offered it.", follows: "The other may agree. A claim cancels the offer."),
        Transition(
            event: .release, from: binding, actor: .party, to: [.released],
            needs: "The other has offered it.", follows: "Both get their photos back."),
        Transition(
            event: .admit, from: [.active], actor: .party, to: [.broken], needs: "",
            follows: "The mover’s own photo is published, once."),
        Transition(
            event: .admit, from: [.claimed, .disputed], actor: .accused, to: [.broken], needs: "",
            follows: "The mover’s own photo is published, once."),
        Transition(
            event: .claim, from: [.active], actor: .party, to: [.claimed],
            needs: "At most 24 hours have passed since the end; there were fewer than 20 claims.",
            follows: "The other has 72 hours to admit or dispute it."),
        Transition(
            event: .dispute, from: [.claimed], actor: .accused, to: [.disputed, .unresolved], needs: "",
            follows: "The witness has 72 hours. Without a witness it is unresolved."),
        Transition(
            event: .silence, from: [.claimed], actor: .clock, to: [.disputed, .unresolved],
            needs: "72 hours have passed without an answer.",
            follows: "The witness has 72 hours. Without a witness it is unresolved."),
        Transition(
            event: .judgeBroken, from: [.disputed], actor: .witness, to: [.broken], needs: "",
            follows: "The accused’s own photo is published, once."),
        Transition(
            event: .judgeUnbroken, from: [.disputed], actor: .witness, to: [.active, .kept], needs: "",
            follows: "The contract goes on, or is kept when the time for claims is over."),
        Transition(
            event: .noVerdict, from: [.disputed], actor: .clock, to: [.unresolved],
            needs: "72 hours have passed without a verdict.",
            follows: "Nothing is published. Both get their photos back."),
        Transition(
            event: .keep, from: [.active], actor: .clock, to: [.kept],
            needs: "24 hours have passed since the end.", follows: "Both get their photos back."),
        Transition(
            event: .forfeit, from: binding, actor: .party, to: [.forfeited], needs: "",
            follows: "The mover takes their consent back; nothing is published. Both get their photos back."),
        Transition(
            event: .pause, from: open, actor: .server, to: [],
            needs: "A party is suspended.",
            follows: "The deadlines stop, and only declining, withdrawing and calling it off are possible."),
        Transition(
            event: .resume, from: open, actor: .server, to: [],
            needs: "It is paused, and no party is suspended any more.",
            follows: "Every deadline is later by the length of the pause."),
        Transition(
            event: .witnessLeaves, from: [.proposed], actor: .server, to: [.lapsed],
            needs: "The witness’s account is deleted, or one of the witness and a party blocks the other.",
            follows: "The proposer gets their photo back."),
        Transition(
            event: .witnessLeaves, from: [.active, .claimed], actor: .server, to: [],
            needs: "The witness’s account is deleted, or one of the witness and a party blocks the other.",
            follows: "It goes on without a witness."),
        Transition(
            event: .witnessLeaves, from: [.disputed], actor: .server, to: [.unresolved],
            needs: "The witness’s account is deleted, or one of the witness and a party blocks the other.",
            follows: "Nothing is published. Both get their photos back."),
        Transition(
            event: .restore, from: open, actor: .server, to: [.lapsed, .unresolved],
            needs: "The server was restored from a backup, which has no photos at stake.",
            follows: "Nothing is published. An offer has lapsed; what bound both is unresolved."),
        Transition(
            event: .remove, from: open, actor: .server, to: [.lapsed, .unresolved],
            needs: "An administrator has removed what was reported.",
            follows: "Nothing is published. An offer has lapsed; what bound both is unresolved."),
    ]

    /// The events that may happen while a contract is paused.
    static let whilePaused: Set<ContractEvent> = [
        .decline, .declineWitness, .withdraw, .forfeit, .resume, .witnessLeaves, .restore, .remove,
    ]
}
