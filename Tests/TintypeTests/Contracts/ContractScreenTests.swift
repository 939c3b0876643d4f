import Foundation
import Testing

@testable import Making
@testable import Serving

@Suite("What was seen of contracts, and what their screens say")
struct ContractScreenTests {
    // MARK: What was seen

    @Test("A verdict by JSON on one claim isn't taken for the next")
    func judged() async throws {
        let world = try await World()
        let (ana, ben, cleo) = try await world.three()
        let id = try await ana.contract(with: ben, witness: cleo)
        try await ana.make("claim", id)
        try await ben.make("dispute", id)
        let seen = try await cleo.seen(of: id)
        try await cleo.make("judge", id, ["broken": false, "seen": .text(seen)])
        try await ben.make("claim", id)
        try await ana.make("dispute", id)
        let late = try await cleo.move("judge", id, ["broken": true, "seen": .text(seen)])
        #expect(late.status == 409 && late["state"] == "disputed")
        #expect(late["contract"]["claim"]["by"] == "partner")
        #expect(try await world.postsCount() == 0)
        let now = try #require(late["contract"]["seen"].string)
        #expect(now != seen)
        try await cleo.make("judge", id, ["broken": true, "seen": .text(now)])
        #expect(try await ana.posts() == ["I stayed in bed"])
    }

    @Test("Every move by JSON is checked against the version that was seen, if it names one")
    func everyMove() async throws {
        let world = try await World()
        let (ana, ben, cleo) = try await world.three()
        let offer = try await ana.propose(to: ben, witness: cleo)
        let active = try await ana.contract(with: ben, witness: cleo)
        let claimed = try await ana.contract(with: ben, witness: cleo)
        try await ana.make("claim", claimed)
        let disputed = try await ana.contract(with: ben, witness: cleo)
        try await ana.make("claim", disputed)
        try await ben.make("dispute", disputed)
        let moves: [(Person, String, String, JSON)] = [
            (cleo, "witness", offer, [:]), (ben, "accept", offer, try await ben.acceptance()),
            (ben, "release", active, [:]), (ana, "admit", active, [:]), (ana, "claim", active, [:]),
            (ben, "dispute", claimed, [:]), (cleo, "judge", disputed, ["broken": true]),
            (ana, "forfeit", active, [:]),
        ]
        func with(_ seen: String, _ form: JSON) -> JSON {
            guard case .object(var members) = form else { return form }
            members["seen"] = .text(seen)
            return .object(members)
        }
        for (person, move, id, form) in moves {
            let state = try await person.state(of: id)
            let answer = try await person.move(move, id, with("kept.0..none", form))
            #expect(answer.status == 409 && answer["contract"]["id"].string == id, "\(move)")
            #expect(try await person.state(of: id) == state)
        }
        for (person, move, id, form) in moves.prefix(2) {
            try await person.make(move, id, with(try await person.seen(of: id), form))
        }
        for (move, person) in [("decline", ben), ("withdraw", ana)] {
            let other = try await ana.propose(to: ben)
            #expect(try await person.move(move, other, ["seen": "x"]).status == 409)
            try await person.make(move, other)
        }
    }

    @Test("A page's move without what it showed is refused")
    func pagesMust() async throws {
        let world = try await World()
        let (ana, ben, cleo) = try await world.three()
        let asked = try await ana.propose(to: ben, witness: cleo)
        let offered = try await ana.propose(to: ben)
        let active = try await ana.contract(with: ben)
        let disputed = try await ana.contract(with: ben, witness: cleo)
        try await ana.make("claim", disputed)
        try await ben.make("dispute", disputed)
        let stake = try await ben.photo(purpose: "stake")
        let moves: [(Person, String, String, KeyValuePairs<String, String>)] = [
            (cleo, "witness", asked, [:]), (cleo, "decline", asked, [:]), (ana, "withdraw", offered, [:]),
            (
                ben, "accept", offered,
                ["stake_media_id": stake, "publish_to": "server", "consent": "true", "of_age": "true"]
            ),
            (ana, "admit", active, [:]), (ana, "release", active, [:]), (ana, "claim", active, [:]),
            (ana, "forfeit", active, [:]), (ben, "dispute", disputed, [:]),
            (cleo, "judge", disputed, ["broken": "true"]),
        ]
        for (person, move, id, form) in moves {
            let before = try await person.get("\(Person.contracts)/\(id)")
            let answer = try await person.submit("/contracts/\(id)/\(move)", form)
            #expect([303, 409].contains(answer.status), "\(move)")
            #expect(try await person.get("\(Person.contracts)/\(id)").json == before.json, "\(move)")
        }
    }

    // MARK: The form

    @Test("A refused form comes back at the step in error, with everything that was typed")
    func stepInError() async throws {
        let world = try await World()
        let (ana, ben, _) = try await world.three()
        let stake = try await ana.photo(purpose: "stake")
        func shown(_ answer: Answer) -> [Substring] {
            answer.text.matches(of: /<section[^>]*id="(step-[a-z]+)"[^>]*data-shown/).map(\.1)
        }
        #expect(shown(try await ana.visit("/contracts/new/\(ben.id)")) == ["step-promise"])
        let noEnd = try await ana.sendForm(to: ben, stake: stake, ends: "date")
        #expect(noEnd.status == 422 && shown(noEnd) == ["step-end"])
        #expect(noEnd.shows(ContractForm.noEnd) && !noEnd.shows("Some answers"))
        for typed in ["We swim on Mondays", "In the lake", "I stayed dry", stake] {
            #expect(noEnd.shows(typed))
        }
        let noPhoto = try await ana.sendForm(to: ben, stake: "", witnessName: "nobody")
        #expect(shown(noPhoto) == ["step-witness"])
        let neither = try await ana.sendForm(to: ben, stake: "", promise: "")
        #expect(shown(neither) == ["step-promise"] && neither.shows(ContractForm.noStake))
        #expect(shown(try await ana.sendForm(to: ben, stake: "")) == ["step-stake"])
        // What belongs to no field is said where it was sent.
        for _ in 1...10 { _ = try await ana.propose(to: ben) }
        let tooMany = try await ana.sendForm(to: ben, stake: stake)
        #expect(shown(tooMany) == ["step-consent"] && tooMany.shows("You have 10 open contracts."))
    }

    // MARK: Words

    @Test(
        "The time left is rounded to the nearest, in units of which two are left",
        arguments: [
            (7 * 24 * 3_600 - 1, "7 days left"), (7 * 24 * 3_600, "7 days left"),
            (6.4 * 24 * 3_600, "6 days left"), (48 * 3_600 - 1, "2 days left"), (47 * 3_600, "47 hours left"),
            (24 * 3_600 - 1, "24 hours left"), (2 * 3_600, "2 hours left"), (3_600, "60 minutes left"),
            (90, "2 minutes left"), (60, "1 minute left"), (59, "less than a minute left"),
            (0, "time is up"), (-1, "time is up"),
        ] as [(Double, String)])
    func timeLeft(seconds: Double, says: String) {
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        #expect(ContractWords.timeLeft(until: now.addingTimeInterval(seconds), now: now) == says)
    }

    @Test("An offer, its acceptance and an active contract say until when the promise holds")
    func until() async throws {
        let world = try await World()
        let (ana, ben, cleo) = try await world.three()
        let end = world.clock.now.addingTimeInterval(30 * 24 * 3_600)
        let time = "<time datetime=\"\(Timestamp.iso8601(end))\">\(Timestamp.long(end))</time>"
        let id = try await ana.propose(to: ben, witness: cleo)
        for person in [ana, ben, cleo] { #expect(try await person.visit("/contracts/\(id)").shows(time)) }
        try await cleo.make("witness", id)
        #expect(try await ben.visit("/contracts/\(id)/accept").shows(time))
        try await ben.accept(id)
        for person in [ana, ben, cleo] { #expect(try await person.visit("/contracts/\(id)").shows(time)) }
    }

    @Test("Only what holds wears the shield, and nothing that publishes nothing is red")
    func symbols() async throws {
        let world = try await World()
        let (ana, ben, _) = try await world.three()
        let id = try await ana.contract(with: ben)
        let active = try await ana.visit("/contracts/\(id)")
        #expect(active.shows("#shield-check"))
        #expect(
            active.text.matches(of: /class="button (plain )?danger"/).count == 1, "admitting alone is red")
        #expect(active.shows("Call it off…") && !active.shows("Forfeit"))
        #expect(try await !ana.visit("/contracts/\(id)/forfeit").shows("danger"))
        try await ben.make("forfeit", id)
        let called = try await ana.visit("/contracts/\(id)")
        #expect(
            called.shows("Called off") && called.shows("Ben called it off.") && !called.shows("#shield-check")
        )
        let broken = try await ana.contract(with: ben)
        try await ben.make("admit", broken)
        let unresolved = try await ana.contract(with: ben)
        try await ana.make("claim", unresolved)
        try await ben.make("dispute", unresolved)
        let declined = try await ana.propose(to: ben)
        #expect(try await !ben.visit("/contracts/\(declined)").shows("danger"))
        try await ben.make("decline", declined)
        for id in [broken, unresolved, declined] {
            #expect(try await !ana.visit("/contracts/\(id)").shows("#shield-check"))
        }
    }

    @Test("The claim's screen offers the promise itself beside the rules")
    func promiseItself() async throws {
        let world = try await World()
        let (ana, ben, _) = try await world.three()
        let id = try await ana.contract(with: ben)
        let page = try await ana.visit("/contracts/\(id)/claim")
        for choice in ["The promise itself", "Outside", "An hour"] { #expect(page.shows(choice)) }
        let sent = try await ana.submit(
            "/contracts/\(id)/claim", ["rule": "", "seen": try await ana.seen(of: id)])
        #expect(sent.status == 303)
        let seen = try await ben.get("\(Person.contracts)/\(id)")
        #expect(seen["state"] == "claimed" && seen["claim"]["rule"] == .null)
    }

    // MARK: Ways there

    @Test("Contracts are on the Create tab, and a chip in Friends counts those that wait for you")
    func ways() async throws {
        let world = try await World()
        let (ana, ben, _) = try await world.three()
        #expect(try await ana.visit("/create").shows("href=\"/contracts/new\""))
        let chip = /href="\/contracts">Contracts<span[^>]*data-badge="contracts"( hidden)?[^>]*>(\d+)</
        for path in ["/friends", "/messages"] {
            let before = try #require(try await ben.visit(path).text.firstMatch(of: chip))
            #expect(before.1 != nil && before.2 == "0")
        }
        let id = try await ana.propose(to: ben)
        for path in ["/friends", "/messages"] {
            let after = try #require(try await ben.visit(path).text.firstMatch(of: chip))
            #expect(after.1 == nil && after.2 == "1")
        }
        try await ben.make("decline", id)
        let last = try #require(try await ben.refresh("/messages").text.firstMatch(of: chip))
        #expect(last.2 == "0")
    }
}
