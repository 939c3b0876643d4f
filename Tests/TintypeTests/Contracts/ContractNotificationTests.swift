import Testing

@testable import Core
@testable import Making

@Suite("What notifications of contracts say")
struct ContractNotificationTests {
    /// A notification as a row of the list, behind the name of who made the move.
    struct Line: Sendable, CustomTestStringConvertible {
        var event: ContractEvent
        var reader: ContractRole
        var says: String
        var ending: ContractState?
        var testDescription: String { "\(event), read by the \(reader)" }

        init(
            _ event: ContractEvent, _ reader: ContractRole, endsAs ending: ContractState? = nil,
            _ says: String
        ) {
            (self.event, self.reader, self.ending, self.says) = (event, reader, ending, says)
        }
    }

    /// What people did. The row names them before it.
    static let actions: [Line] = [
        Line(.propose, .partner, " proposes a contract to you."),
        Line(.propose, .witness, " asks you to be the witness of a contract."),
        Line(.witness, .proposer, " agreed to be the witness of your contract."),
        Line(
            .declineWitness, .proposer, " declined to be the witness, so your contract ended."),
        Line(.accept, .proposer, " accepted your contract."),
        Line(.accept, .witness, " made a contract, and you are its witness."),
        Line(.decline, .proposer, " declined your contract."),
        Line(.offerRelease, .partner, " offers to end your contract."),
        Line(.release, .proposer, " agreed to end your contract."),
        Line(.admit, .proposer, " broke your contract."),
        Line(.claim, .partner, " says that you broke your contract."),
        Line(.dispute, .proposer, " denies breaking your contract."),
        Line(
            .dispute, .proposer, endsAs: .unresolved,
            " denies breaking your contract. It ended unresolved, and nothing is published."),
        Line(.dispute, .witness, " denies breaking a contract. You decide."),
        Line(.judgeBroken, .proposer, " decided that your contract was broken."),
        Line(.judgeUnbroken, .partner, " decided that your contract wasn’t broken."),
        Line(
            .judgeUnbroken, .partner, endsAs: .kept,
            " decided that your contract wasn’t broken. It is over, and the promise was kept."),
        Line(.forfeit, .proposer, " called off your contract. Nothing is published."),
    ]

    /// What became of contracts, or was done by somebody whom the reader can't see.
    static let outcomes: [Line] = [
        Line(.witness, .proposer, "Your contract has a witness now."),
        Line(
            .declineWitness, .proposer,
            "Your contract ended, because nobody agreed to be its witness."),
        Line(.lapse, .proposer, "Your contract wasn’t accepted in time."),
        Line(.decline, .proposer, "Your contract was declined."),
        Line(.silence, .partner, "A claim wasn’t answered in time, so it counts as disputed."),
        Line(
            .silence, .partner, endsAs: .unresolved,
            "A claim wasn’t answered in time. Your contract ended unresolved, and nothing is published."),
        Line(.silence, .witness, "A claim wasn’t answered in time, so it counts as disputed. You decide."),
        Line(.noVerdict, .partner, "The witness didn’t decide in time. Nothing is published."),
        Line(.noVerdict, .witness, "You didn’t decide in time. Nothing is published."),
        Line(.keep, .proposer, "Your contract is over, and the promise was kept."),
        Line(.forfeit, .partner, "Your contract was called off. Nothing is published."),
        Line(.witnessLeaves, .proposer, "Your contract has no witness any more."),
        Line(
            .witnessLeaves, .proposer, endsAs: .lapsed,
            "Your contract has no witness any more, so it ended."),
        Line(
            .witnessLeaves, .proposer, endsAs: .unresolved,
            "Your contract has no witness any more, so it ended unresolved. Nothing is published."),
        Line(.remove, .partner, "An administrator ended your contract. Nothing is published."),
    ]

    /// Events of which nobody gets a notification.
    static let silent: Set<ContractEvent> = [.withdraw, .pause, .resume, .restore]

    private func sentence(_ line: Line, namesActor: Bool) -> String {
        ContractSubject(
            contract: ID(rawValue: 1),
            news: .entry(line.event, namesActor: namesActor, ending: line.ending), role: line.reader
        ).sentence
    }

    @Test("Each says in a plain sentence what somebody did", arguments: actions)
    func action(_ line: Line) {
        #expect(sentence(line, namesActor: true) == line.says)
    }

    @Test("Each says in a plain sentence what became of a contract", arguments: outcomes)
    func outcome(_ line: Line) {
        #expect(sentence(line, namesActor: false) == line.says)
    }

    @Test("Each event makes a notification with a sentence of its own, or none at all")
    func complete() {
        let notified = Set((Self.actions + Self.outcomes).map(\.event))
        #expect(notified.isDisjoint(with: Self.silent))
        #expect(notified.union(Self.silent) == Set(ContractEvent.allCases))
    }

    @Test(
        "The breaker reads whether there is something to do",
        arguments: [
            (
                Contract.Publication.State.uncertain,
                "We don’t know whether your photo was published. Look at your account, then say what you see."
            ), (.failed, "Your photo couldn’t be published on your connected account."),
        ])
    func publication(_ state: Contract.Publication.State, says: String) {
        let subject = ContractSubject(contract: ID(rawValue: 1), news: .publication(state), role: .partner)
        #expect(subject.sentence == says)
    }

    @Test("Who reads of a dispute without a witness reads that the contract is over")
    func over() async throws {
        let world = try await World()
        let (ana, ben, _) = try await world.three()
        let id = try await ana.contract(with: ben)
        try await ana.make("claim", id, ["rule": 0])
        try await ben.make("dispute", id)
        #expect(try await ana.state(of: id) == "unresolved")
        #expect(try await ana.visit("/notifications").shows("It ended unresolved, and nothing is published."))
        // The claim before it ended nothing.
        #expect(try await ben.visit("/notifications").shows(" says that you broke your contract."))
    }

    @Test("A witness isn't asked to decide a dispute that has ended without them")
    func decidedWithoutWitness() async throws {
        let world = try await World()
        let (ana, ben, cleo) = try await world.three()
        let id = try await ana.contract(with: ben, witness: cleo)
        try await ana.make("claim", id, ["rule": 0])
        try await ben.make("dispute", id)
        #expect(try await cleo.contractNews() == ["dispute", "accept", "propose"])
        try await ben.make("admit", id)
        #expect(try await cleo.contractNews() == ["accept", "propose"])
    }

    @Test("A contract from its offer to its verdict sends each of its people notifications in words")
    func notifies() async throws {
        let world = try await World()
        let (ana, ben, cleo) = try await world.three()
        let id = try await ana.contract(with: ben, witness: cleo)
        #expect(try await ben.visit("/notifications").shows("<b>ana</b> proposes a contract to you."))
        #expect(try await ana.visit("/notifications").shows("agreed to be the witness of your contract."))
        let cleos = try await cleo.visit("/notifications")
        #expect(cleos.shows("asks you to be the witness of a contract."))
        #expect(cleos.shows("and you are its witness."))
        try await ana.make("claim", id, ["rule": 0])
        #expect(try await ben.visit("/notifications").shows("says that you broke your contract."))
        try await ben.make("dispute", id)
        #expect(try await cleo.visit("/notifications").shows("denies breaking a contract. You decide."))
        try await cleo.make("judge", id, ["broken": false])
        for person in [ana, ben] {
            let page = try await person.visit("/notifications")
            #expect(page.shows("<b>cleo</b> decided that your contract wasn’t broken."))
            #expect(page.shows("href=\"/contracts/\(id)\""))
        }
    }
}
