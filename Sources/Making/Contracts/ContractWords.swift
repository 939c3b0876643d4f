import Core
import Foundation
import Serving

/// The words of pages about a contract, as one of its people reads them: who is "you", what happens next, and the
/// consequences of a move.
struct ContractWords: Sendable {
    let view: ContractView
    /// The present, from which the time left is counted.
    let now: Date

    private var contract: Contract { view.contract }
    private var progress: ContractProgress { contract.progress }

    // MARK: People

    /// Returns the first name of a person; "someone" for an account that the reader can't see.
    static func firstName(of account: Account?) -> String {
        guard let account else { return "someone" }
        let first = account.displayName.split(separator: " ").first.map(String.init)
        return first ?? account.username
    }

    /// Returns the person in a role.
    func account(_ role: ContractRole) -> Account? {
        contract.account(role)
    }

    /// Returns the reader's name for the person in a role: `you` or a first name.
    func name(_ role: ContractRole) -> String {
        role == view.role ? "you" : Self.firstName(of: account(role))
    }

    /// Returns the name of the person in a role, at the beginning of a sentence.
    func subject(_ role: ContractRole) -> String { Self.capitalized(name(role)) }

    /// Returns the owner at the beginning of a label: `Yours` or `Nora’s`.
    func owner(_ role: ContractRole) -> String {
        role == view.role ? "Yours" : "\(Self.capitalized(name(role)))’s"
    }

    /// Returns the photo of a person at the beginning of a sentence: `Your photo` or `Nora’s photo`.
    func photo(_ role: ContractRole) -> String {
        role == view.role ? "Your photo" : "\(owner(role)) photo"
    }

    /// The first name of the reader's counterpart; for a witness, of the proposer.
    var other: String { name(view.role.other ?? .proposer) }

    private static func capitalized(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }

    private func isYou(_ role: ContractRole) -> Bool { role == view.role }

    /// The two parties, after "one of" or "both of".
    private var both: String { isYou(.witness) ? "them" : "you" }

    // MARK: Time

    /// Returns the time left until a date, as `count-down.js` writes it too: rounded to the nearest hour below two days
    /// and to the nearest minute below two hours, so that the rounding never adds much.
    static func timeLeft(until date: Date, now: Date) -> String {
        let seconds = date.timeIntervalSince(now)
        guard seconds > 0 else { return "time is up" }
        guard seconds >= 60 else { return "less than a minute left" }
        let minutes = Int((seconds / 60).rounded())
        guard minutes >= 2 * 60 else { return "\(minutes.of("minute")) left" }
        let hours = Int((seconds / 3_600).rounded())
        guard hours >= 2 * 24 else { return "\(hours.of("hour")) left" }
        return "\(Int((seconds / (24 * 3_600)).rounded()).of("day")) left"
    }

    /// The date to which the contract's pill counts down; nil when there is none.
    var countdown: Date? {
        guard !progress.isPaused else { return nil }
        switch contract.state {
        case .active: return now < contract.endsAt ? contract.endsAt : contract.deadline
        case .proposed, .claimed, .disputed: return contract.deadline
        default: return nil
        }
    }

    // MARK: State

    /// The colours of a state.
    enum Tone: String {
        case good, waiting, bad, quiet
    }

    /// The colour of the state.
    var tone: Tone {
        if progress.isPaused { return .quiet }
        return switch contract.state {
        case .active, .kept: .good
        case .proposed, .claimed, .disputed: .waiting
        case .broken: .bad
        default: .quiet
        }
    }

    /// The state in one or two words.
    var state: String {
        if progress.isPaused, contract.state.isOpen { return "Paused" }
        return switch contract.state {
        case .proposed: "Proposed"
        case .active: now < contract.endsAt ? "Active" : "Over, claims are possible"
        case .claimed: "Claimed"
        case .disputed: "Disputed"
        case .declined: "Declined"
        case .lapsed: "Lapsed"
        case .withdrawn: "Withdrawn"
        case .released: "Released"
        case .kept: "Kept"
        case .broken: "Broken"
        case .forfeited: "Called off"
        case .unresolved: "Unresolved"
        }
    }

    /// The symbol of the state.
    var symbol: StaticString {
        if progress.isPaused, contract.state.isOpen { return "lock" }
        return switch contract.state {
        case .proposed: "clock"
        case .active: "shield-check"
        case .claimed: "exclamation-triangle"
        case .disputed: "people"
        case .declined: "slash-circle"
        case .lapsed: "clock-history"
        case .withdrawn: "arrow-counterclockwise"
        case .released: "unlock"
        case .kept: "check-circle-fill"
        case .broken: "x-circle-fill"
        case .forfeited: "flag"
        case .unresolved: "question-circle"
        }
    }

    /// The present situation, in whole sentences, with what happens if nobody does anything.
    var situation: String {
        if progress.isPaused, contract.state.isOpen {
            return "One of \(both) is suspended on this server. All deadlines wait until the suspension ends."
        }
        switch contract.state {
        case .proposed: return proposed
        case .active: return active
        case .claimed: return claimed
        case .disputed: return disputed
        case .declined: return "\(refusal) \(freed)"
        case .lapsed:
            return has(.witnessLeaves)
                ? "The witness left before it was accepted. \(freed)" : "It wasn’t accepted in time. \(freed)"
        case .withdrawn: return "\(subject(.proposer)) took it back. \(freed)"
        case .released: return "Both of \(both) agreed to end it. Nothing is published. \(freed)"
        case .kept: return "The promise was kept. Nothing is published. \(freed)"
        case .broken: return broken
        case .forfeited: return "\(forfeiter) called it off. Nothing is published. \(freed)"
        case .unresolved: return "Nobody could settle the dispute. Nothing is published. \(freed)"
        }
    }

    /// The sentence about a party's photo once it isn't sealed any more.
    private var freed: String {
        // An offer that wasn't accepted has only the proposer's photo.
        let wasOffer = [.declined, .lapsed, .withdrawn].contains(contract.state)
        let hasStaked = wasOffer ? isYou(.proposer) : !isYou(.witness)
        return hasStaked ? "You get your photo back." : ""
    }

    private var proposed: String {
        let isAsked = progress.witness == .asked
        let first = "\(subject(.witness)) is asked first to be the witness."
        switch view.role {
        case .proposer where isAsked:
            return "\(first) Then \(name(.partner)) can accept. Until then you can take it back."
        case .proposer: return "\(subject(.partner)) hasn’t answered. Until then you can take it back."
        case .partner:
            let accepting =
                isAsked ? "\(first) Then you can accept." : "You can decline, and nothing happens."
            return "\(subject(.proposer)) asks you to agree, with a photo of your own. \(accepting)"
        case .witness where isAsked:
            return
                "\(subject(.proposer)) asks you to be the witness: you decide if they can’t agree, and you never see a photo. \(subject(.partner)) can accept once you have agreed."
        case .witness: return "You agreed to be the witness. \(subject(.partner)) hasn’t answered yet."
        }
    }

    /// The sentence about the person who declined an offer.
    private var refusal: String {
        guard has(.declineWitness) else { return "\(subject(.partner)) declined." }
        return isYou(.witness)
            ? "You declined to be the witness." : "\(subject(.witness)) declined to be the witness."
    }

    private func has(_ event: ContractEvent) -> Bool { contract.history.contains { $0.event == event } }

    private var active: String {
        let offer: String =
            switch progress.offer {
            case let offer? where isYou(offer):
                "You offered to end it. \(Self.capitalized(other)) hasn’t agreed. "
            case let offer?: "\(subject(offer)) offers to end it without publishing anything. "
            case nil: ""
            }
        return now < contract.endsAt
            ? "\(offer)It counts as kept 24 hours after its end, unless one of \(both) says before then that it was broken."
            : "\(offer)The promise’s time is over. Without a claim it counts as kept."
    }

    private var claimed: String {
        guard let claim = progress.claim, let accused = progress.accused else { return "" }
        let broke = "\(subject(claim.by)) \(isYou(claim.by) ? "say" : "says") that \(name(accused)) broke it."
        let witness =
            progress.hasWitness
            ? "Then \(name(.witness)) \(isYou(.witness) ? "decide" : "decides")."
            : "Then nothing is published."
        let answer =
            isYou(accused)
            ? "Admit it or dispute it. If you don’t answer, it counts as disputed. \(witness)"
            : "\(subject(accused)) can admit it or dispute it. Without an answer it counts as disputed. \(witness)"
        return "\(broke)\(ruleNamed) \(answer)"
    }

    /// The rule that the open claim names, in quotation marks after a space; empty for the promise as a whole.
    private var ruleNamed: String { named(progress.claim?.rule) }

    private func named(_ rule: Int?) -> String {
        guard let rule, contract.rules.indices.contains(rule) else { return "" }
        return " The rule: “\(contract.rules[rule])”"
    }

    private var disputed: String {
        guard let accused = progress.accused, progress.hasWitness else { return "" }
        let isSilent = contract.history.last { [.dispute, .silence].contains($0.event) }?.event == .silence
        let verb = isYou(accused) ? "dispute" : "disputes"
        let denies =
            "\(subject(accused)) \(isSilent ? "didn’t answer, which counts as disputing" : "\(verb) it")."
        return isYou(.witness)
            ? "\(denies)\(ruleNamed) You decide. If you don’t, nothing is published."
            : "\(denies)\(ruleNamed) \(subject(.witness)) decides. Without an answer nothing is published."
    }

    private var broken: String {
        guard let breaker = progress.breaker else { return "" }
        if view.role == .witness { return "\(subject(breaker)) broke it." }
        // Until the photo is published, the part about the publishing says more.
        let isPublished = contract.publication?.state == .published
        let published =
            isPublished ? " \(isYou(breaker) ? "Your" : "Their") photo is published, as you both agreed." : ""
        return isYou(breaker)
            ? "You broke it.\(published)" : "\(subject(breaker)) broke it.\(published) \(freed)"
    }

    /// The name of the person who called the contract off, at the beginning of a sentence.
    private var forfeiter: String {
        contract.history.last { $0.event == .forfeit }?.role.map(subject) ?? "Somebody"
    }

    // MARK: A line of a list

    /// The line below the promise in a list.
    var line: String {
        let people: String =
            view.role == .witness
            ? "You are the witness of \(name(.proposer)) and \(name(.partner))" : "With \(other)"
        switch contract.state {
        case .proposed where progress.witness == .asked:
            return isYou(.witness)
                ? "\(subject(.proposer)) asks you to be the witness"
                : "\(people) · \(name(.witness)) is asked first"
        case .proposed:
            return isYou(.partner) ? "\(subject(.proposer)) asks you" : "\(people) · not answered yet"
        case .claimed where progress.accused == view.role:
            return "\(Self.capitalized(other)) says that you broke it"
        case .disputed where view.role == .witness:
            return "\(subject(.proposer)) and \(name(.partner)) need your decision"
        case .active where progress.offer != nil && progress.offer != view.role && view.role != .witness:
            return "\(Self.capitalized(other)) offers to end it"
        default: return people
        }
    }

    // MARK: History

    /// Returns the sentence about an entry of the history.
    func sentence(of entry: Contract.Entry) -> String {
        let who = entry.role.map(subject) ?? ""
        let accused = entry.role?.other.map(name) ?? "the other"
        return switch entry.event {
        case .propose: "\(who) proposed it."
        case .witness: "\(who) agreed to be the witness."
        case .declineWitness: "\(who) declined to be the witness."
        case .accept: "\(who) accepted."
        case .decline: "\(who) declined."
        case .withdraw: "\(who) took it back."
        case .lapse: "It ended without an answer."
        case .offerRelease: "\(who) offered to end it."
        case .release: "\(who) agreed to end it."
        case .admit: "\(who) admitted breaking it."
        case .claim: "\(who) said that \(accused) broke it.\(named(entry.rule))"
        case .dispute: "\(who) disputed it."
        case .silence: "Nobody answered within 72 hours, which counts as disputing."
        case .judgeBroken: "\(who) decided that it was broken."
        case .judgeUnbroken: "\(who) decided that it wasn’t broken."
        case .noVerdict: "The witness didn’t answer within 72 hours."
        case .keep: "It was kept."
        case .forfeit: "\(who) called it off."
        case .pause: "It was paused, because somebody was suspended."
        case .resume: "It went on."
        case .witnessLeaves:
            contract.state == .lapsed
                ? "The witness left, so it ended." : "The witness left, so nobody can decide a dispute."
        case .remove: "An administrator ended it."
        case .restore: "The server was restored from a backup, which has no photos at stake, so it ended."
        }
    }

    // MARK: Consequences of moves

    /// Returns how a party's breach is published: `as a post here in Nora’s name`.
    ///
    /// - Parameter places: where the party has agreed to.
    static func publishing(to places: Set<Contract.Place>, asPostOf possessive: String) -> String {
        let here = "as a post here in \(possessive) name, for \(possessive) followers"
        let there = "on \(possessive) connected account, for everyone there"
        switch (places.contains(.server), places.contains(.connected)) {
        case (true, true): return "\(here) and \(there)"
        case (false, true): return there
        default: return here
        }
    }

    /// The consequences for the reader's own photo when they break the promise, in whole sentences.
    var ownBreach: String {
        let places = Self.publishing(to: view.own?.publishTo ?? [], asPostOf: "your")
        return """
            Your photo is published at once, \(places), with these words: “\(breachWords)” \
            \(Self.capitalized(other))’s photo stays sealed, and they get it back. This can’t be undone. You can delete \
            the post afterwards, like any other.
            """
    }

    /// The consequences when the other party admits a breach or the witness decides for it, and when not.
    var claimConsequence: String {
        let accused = Self.capitalized(other)
        let places = Self.publishing(to: view.other?.publishTo ?? [], asPostOf: "their")
        let decision =
            progress.hasWitness
            ? "If \(other) disputes it, or doesn’t answer, \(name(.witness)) has 72 hours to decide."
            : "If \(other) disputes it, or doesn’t answer, the contract ends unresolved and nothing is published, because there is no witness."
        return """
            \(accused) is notified and has 72 hours to admit or dispute it. If they admit it, their photo is published \
            \(places). \(decision) Your own photo isn’t published by this.
            """
    }

    /// The consequences of disputing.
    var disputeConsequence: String {
        progress.hasWitness
            ? "\(subject(.witness)) reads the promise, the rules and what both of you wrote, and has 72 hours to decide. \(subject(.witness)) never sees a photo. If the decision is that you broke it, \(breachInSentence) If not, the contract goes on. Without a decision nothing is published."
            : "There is no witness, so the contract ends unresolved at once. Nothing is published, and you both get your photos back."
    }

    private var breachInSentence: String {
        "your photo is published \(Self.publishing(to: view.own?.publishTo ?? [], asPostOf: "your"))."
    }

    /// The consequences of calling the contract off.
    var forfeitConsequence: String {
        """
        The contract ends at once. \(Self.capitalized(other)) and you see that it was you who called it off. No photo is \
        published, now or later, and you both get your photos back. This can’t be undone.
        """
    }

    /// The sentence about who decides a dispute.
    var witness: String {
        if isYou(.witness) {
            return progress.witness == .asked
                ? "As the witness you decide if they can’t agree, and you never see a photo."
                : "You are the witness. You decide if they can’t agree, and you never see a photo."
        }
        guard progress.hasWitness else { return "There is no witness: a dispute ends without publishing." }
        let name = contract.witness?.displayName ?? "someone"
        return progress.witness == .asked
            ? "Witness: \(name), who hasn’t agreed yet." : "Witness: \(name)."
    }

    /// The words of the post about a breach.
    var breachWords: String {
        contract.breachText.isEmpty ? ContractService.plainBreachText : contract.breachText
    }
}
