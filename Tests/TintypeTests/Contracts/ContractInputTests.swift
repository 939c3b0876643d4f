import Foundation
import HTTPTypes
import Testing

@testable import Serving

@Suite("What contracts refuse")
struct ContractInputTests {
    /// A wrong form: what is changed in it, and the field that is named.
    struct Wrong: Sendable, CustomTestStringConvertible {
        var field: String
        var changed: [String: JSON]
        var testDescription: String { "\(field): \(changed.values.map(\.text).joined().prefix(60))" }

        init(_ field: String, _ value: JSON) { (self.field, changed) = (field, [field: value]) }
    }

    /// A date of the test's clock, which doesn't move by itself.
    private static func date(_ seconds: TimeInterval) -> JSON {
        .text(Timestamp.iso8601(TestClock().now.addingTimeInterval(seconds)))
    }

    private static let proposals = [
        Wrong("promise", ""), Wrong("promise", "   "), Wrong("promise", nil),
        Wrong("promise", .text(String(repeating: "x", count: 501))),
        Wrong("rules", .list((1...11).map { "Rule \($0)" })), Wrong("rules", ["Good", ""]),
        Wrong("rules", [.text(String(repeating: "x", count: 201))]),
        Wrong("ends_at", nil), Wrong("ends_at", "tomorrow"), Wrong("ends_at", "2026-13-40T99:99:99Z"),
        Wrong("ends_at", "999999999999999999999"), Wrong("ends_at", "+300000-01-01T00:00:00Z"),
        Wrong("ends_at", date(-1)), Wrong("ends_at", date(3_599)), Wrong("ends_at", date(367 * 24 * 3_600)),
        Wrong("breach_text", .text(String(repeating: "x", count: 501))),
        Wrong("publish_to", nil), Wrong("publish_to", ["everywhere"]), Wrong("publish_to", ["connected"]),
        Wrong("consent", false), Wrong("consent", nil), Wrong("of_age", false), Wrong("of_age", nil),
        Wrong("stake_media_id", nil), Wrong("stake_media_id", "1"), Wrong("partner_id", nil),
        Wrong("witness_id", "cleo"), Wrong("witness_id", "-1"), Wrong("witness_id", "99999999999999999999"),
    ]

    @Test("A wrong offer names the field, and leaves nothing behind", arguments: proposals)
    func proposal(_ wrong: Wrong) async throws {
        let world = try await World()
        let (ana, ben, _) = try await world.three()
        let answer = try await ana.post(
            Person.contracts, json: try await ana.proposal(to: ben, changed: wrong.changed))
        #expect(answer.status == 422)
        #expect(answer["details"][wrong.field].list.first?["description"].string?.isEmpty == false)
        #expect(try await world.number("SELECT count(*) FROM contracts") == 0)
        #expect(try await ben.contractNews() == [])
    }

    @Test("Everything that is wrong is said at once")
    func allAtOnce() async throws {
        let world = try await World()
        let (ana, ben, _) = try await world.three()
        let answer = try await ana.post(
            Person.contracts,
            json: try await ana.proposal(to: ben, changed: ["promise": "", "consent": false, "ends_at": "x"]))
        guard case .object(let fields) = answer["details"] else {
            Issue.record("no fields: \(answer.text)")
            return
        }
        #expect(fields.keys.sorted() == ["consent", "ends_at", "promise"])
    }

    @Test("The bounds themselves are taken")
    func bounds() async throws {
        let world = try await World()
        let (ana, ben, _) = try await world.three()
        let longest: [String: JSON] = [
            "promise": .text(String(repeating: "ä", count: 500)),
            "rules": .list((1...10).map { _ in .text(String(repeating: "x", count: 200)) }),
            "breach_text": .text(String(repeating: "x", count: 500)), "ends_at": Self.date(366 * 24 * 3_600),
        ]
        _ = try await ana.propose(to: ben, changed: longest)
        _ = try await ana.propose(to: ben, changed: ["rules": nil, "ends_at": Self.date(3_600)])
        // Without milliseconds, and with another zone than UTC.
        _ = try await ana.propose(to: ben, changed: ["ends_at": "2026-10-01T12:00:00Z"])
        let id = try await ana.propose(to: ben, changed: ["ends_at": "2026-10-01T12:00:00+02:00"])
        #expect(try await ana.get("\(Person.contracts)/\(id)")["ends_at"] == "2026-10-01T10:00:00.000Z")
    }

    @Test("Oneself, strangers, the blocked and nobody are no partner and no witness")
    func people() async throws {
        let world = try await World()
        let (ana, ben, cleo) = try await world.three()
        let dora = try await world.account("dora")
        try await ana.follow(dora)
        func status(_ partner: Person, witness: JSON = .null) async throws -> Int {
            try await ana.post(
                Person.contracts,
                json: try await ana.proposal(to: partner, changed: ["witness_id": witness])
            ).status
        }
        #expect(try await status(ana) == 422)
        #expect(try await status(dora) == 422)
        for witness in [ana, ben, dora] { #expect(try await status(ben, witness: "\(witness.id)") == 422) }
        // A friend of the proposer alone may not judge the partner's photo away.
        try await dora.follow(ana)
        #expect(try await status(ben, witness: "\(dora.id)") == 422)
        try await ben.follow(dora)
        #expect(try await status(ben, witness: "\(dora.id)") == 422)
        #expect(try await status(ben, witness: "999") == 404)
        #expect(try await status(world.stranger) == 422)
        try await cleo.block(ben)
        // Who may not see the partner can't be their judge.
        #expect(try await status(ben, witness: "\(cleo.id)") == 422)
        try await ben.block(ana)
        #expect(try await status(ben) == 404)
    }

    @Test("A form whose witness can't be read comes back with what was typed, and makes no contract")
    func unreadableWitness() async throws {
        let world = try await World()
        let (ana, ben, _) = try await world.three()
        let stake = try await ana.photo(purpose: "stake")
        func send(witness: String) async throws -> Answer {
            try await ana.sendForm(to: ben, stake: stake, witness: witness)
        }
        let refused = try await send(witness: "cleo")
        #expect(refused.status == 422)
        for typed in ["We swim on Mondays", "In the lake", "I stayed dry", stake] {
            #expect(refused.shows(typed), "\(typed)")
        }
        #expect(refused.shows("This witness can’t be found."))
        #expect(try await world.number("SELECT count(*) FROM contracts") == 0)
        #expect(try await send(witness: "").status == 303)
    }

    @Test("A witness is chosen or named; who does both for two people is asked, and keeps what was typed")
    func twoWitnesses() async throws {
        let world = try await World()
        let (ana, ben, cleo) = try await world.three()
        let dora = try await world.account("dora")
        let stake = try await ana.photo(purpose: "stake")
        func send(witness: String) async throws -> Answer {
            try await ana.sendForm(to: ben, stake: stake, witness: witness, witnessName: "@cleo")
        }
        let refused = try await send(witness: "\(dora.id)")
        #expect(refused.status == 422)
        for shown in ["Choose a witness or type a name, not both.", "We swim on Mondays", "I stayed dry"] {
            #expect(refused.shows(shown), "\(shown)")
        }
        #expect(try await world.number("SELECT count(*) FROM contracts") == 0)
        #expect(try await send(witness: "\(cleo.id)").status == 303)
        let made = try #require(try await ana.contracts("active").first)
        #expect(try await ana.get("\(Person.contracts)/\(made)")["witness"]["id"] == "\(cleo.id)")
    }

    @Test("A form with an eleventh rule comes back with what was typed, and makes no contract")
    func elevenRules() async throws {
        let world = try await World()
        let (ana, ben, _) = try await world.three()
        let stake = try await ana.photo(purpose: "stake")
        let refused = try await ana.submit(
            "/contracts/new/\(ben.id)",
            [
                "promise": "We swim on Mondays", "ends": "24", "stake_media_id": stake,
                "publish_to": "server", "consent": "true", "of_age": "true", "rules[]": "In lake one",
                "rules[]": "In lake two", "rules[]": "In lake three", "rules[]": "In lake four",
                "rules[]": "In lake five", "rules[]": "In lake six", "rules[]": "In lake seven",
                "rules[]": "In lake eight", "rules[]": "In lake nine", "rules[]": "In lake ten",
                "rules[]": "In lake eleven",
            ])
        #expect(refused.status == 422)
        for shown in ["A contract has at most ten rules.", "In lake one", "In lake eleven"] {
            #expect(refused.shows(shown), "\(shown)")
        }
        #expect(try await world.number("SELECT count(*) FROM contracts") == 0)
    }

    @Test("A form that is corrected and sent again doesn't say that the correction was sent")
    func sentAgain() async throws {
        let world = try await World()
        let (ana, ben, _) = try await world.three()
        let stake = try await ana.photo(purpose: "stake")
        func send(_ promise: String, ends: String = "24", stake: String) async throws -> Answer {
            try await ana.sendForm(to: ben, stake: stake, promise: promise, ends: ends, key: "one")
        }
        #expect(try await send("We swim on Mondays", stake: stake).status == 303)
        world.clock.advance(hours: 2)
        #expect(try await send("We swim on Mondays", stake: stake).status == 303)
        let corrected = try await send("We swim on Tuesdays", stake: stake)
        #expect(corrected.status == 409)
        #expect(corrected.shows("You have sent this already. Take that contract back to change it."))
        #expect(corrected.shows("We swim on Tuesdays"))
        #expect(try await send("We swim on Mondays", ends: "168", stake: stake).status == 409)
        #expect(try await world.number("SELECT count(*) FROM contracts") == 1)
        // The first is taken back: now the correction is sent.
        let first = try #require(try await ana.contracts("active").first)
        try await ana.make("withdraw", first)
        let other = try await ana.photo(purpose: "stake")
        #expect(try await send("We swim on Tuesdays", stake: other).status == 303)
        #expect(try await world.number("SELECT count(*) FROM contracts") == 2)
    }

    @Test("A stake is used once, by its owner, within the hour, and nothing else is a stake")
    func stakes() async throws {
        let world = try await World()
        let (ana, ben, _) = try await world.three()
        let upload = try await ana.photo(purpose: "stake")
        _ = try await ana.propose(to: ben, changed: ["stake_media_id": .text(upload)])
        let bens = try await ben.photo(purpose: "stake")
        let snap = try await ana.photo(purpose: "snap")
        let late = try await ana.photo(purpose: "stake")
        for media in [upload, bens, snap] {
            let form = try await ana.proposal(to: ben, changed: ["stake_media_id": .text(media)])
            #expect(try await ana.post(Person.contracts, json: form).status == 422)
        }
        world.clock.advance(hours: 1)
        let form = try await ana.proposal(to: ben, changed: ["stake_media_id": .text(late)])
        #expect(try await ana.post(Person.contracts, json: form).status == 422)
        #expect(
            try await ben.post("/api/v1/snaps", json: ["media_id": .text(bens), "feed_id": "memes"]).status
                == 422)
    }

    @Test("Two offers at once with the same stake: one is made")
    func sameStake() async throws {
        let world = try await World()
        let (ana, ben, _) = try await world.three()
        let upload = try await ana.photo(purpose: "stake")
        let form = try await ana.proposal(to: ben, changed: ["stake_media_id": .text(upload)])
        async let first = ana.post(Person.contracts, json: form)
        async let second = ana.post(Person.contracts, json: form)
        #expect(try await [first.status, second.status].sorted() == [201, 422])
    }

    @Test(
        "Accepting needs a stake, consent, a place and age",
        arguments: ["stake_media_id", "consent", "publish_to", "of_age"])
    func acceptance(_ field: String) async throws {
        let world = try await World()
        let (ana, ben, _) = try await world.three()
        let id = try await ana.propose(to: ben)
        let answer = try await ben.move("accept", id, try await ben.acceptance([field: nil]))
        #expect(answer.status == 422 && answer["details"][field] != .null)
        #expect(try await ben.state(of: id) == "proposed")
        // Who has said it once is an adult from then on.
        guard field == "of_age" else { return }
        try await ben.accept(id)
        let again = try await ana.propose(to: ben)
        #expect(try await ben.move("accept", again, try await ben.acceptance(["of_age": nil])).status == 200)
    }

    @Test("A move in the wrong state is 409 with the state and the contract")
    func wrongState() async throws {
        let world = try await World()
        let (ana, ben, _) = try await world.three()
        let id = try await ana.propose(to: ben)
        for move in ["release", "admit", "dispute", "forfeit", "decline"] {
            let answer = try await ana.move(move, id)
            #expect(answer.status == 409 && answer["state"] == "proposed", "\(move)")
            #expect(answer["contract"]["id"].string == id && answer["error"].string?.isEmpty == false)
        }
        #expect(try await ana.move("claim", id, ["rule": 0]).status == 409)
        #expect(try await ana.move("accept", id, try await ana.acceptance()).status == 409)
        try await ben.make("decline", id)
        #expect(try await ben.move("accept", id, try await ben.acceptance())["state"] == "declined")
        #expect(try await ana.move("withdraw", id).status == 409)
    }

    @Test("A foreign contract is 404 at every call, whatever is sent")
    func foreign() async throws {
        let world = try await World()
        let (ana, ben, cleo) = try await world.three()
        let id = try await ana.contract(with: ben)
        let moves = [
            "accept", "witness", "decline", "withdraw", "release", "admit", "claim", "dispute", "judge",
            "forfeit",
            "stake",
        ]
        let nonsense: JSON = [
            "rule": 99, "publish_to": ["x"], "note": .text(String(repeating: "x", count: 501)),
        ]
        for contract in [id, "1", "0", "x", "99999999999999999999"] {
            for move in moves {
                #expect(try await cleo.move(move, contract, nonsense).status == 404, "\(move) \(contract)")
            }
            #expect(try await cleo.get("\(Person.contracts)/\(contract)").status == 404)
            #expect(try await cleo.get("/contracts/\(contract)/stakes/\(ana.id)").status == 404)
        }
        for move in moves { #expect(try await world.stranger.move(move, id).status == 401) }
        #expect(try await ana.state(of: id) == "active")
    }

    @Test("A claim names a rule that there is, and a note has at most 500 characters")
    func claims() async throws {
        let world = try await World()
        let (ana, ben, _) = try await world.three()
        let id = try await ana.contract(with: ben)
        for rule: JSON in ["-1", "2", "x", "9999999999999999999999"] {
            #expect(try await ana.move("claim", id, ["rule": rule]).status == 422, "\(rule.text)")
        }
        let note = JSON.text(String(repeating: "x", count: 501))
        #expect(try await ana.move("claim", id, ["rule": 0, "note": note]).status == 422)
        #expect(try await ana.state(of: id) == "active")
        for (rules, form): (JSON, JSON) in [
            (["Outside", "An hour"], [:]), (["Outside", "An hour"], ["rule": .null]), (["Outside"], [:]),
            (nil, [:]),
        ] {
            // The promise itself may be meant, whatever rules there are.
            let contract = try await ana.contract(with: ben, changed: ["rules": rules])
            #expect(try await ana.make("claim", contract, form)["claim"]["rule"] == .null)
        }
        let refused = try await ana.submit(
            "/contracts/\(id)/claim",
            ["rule": "x", "note": "He stayed in bed", "seen": try await ana.seen(of: id)])
        #expect(refused.status == 422 && refused.shows("He stayed in bed"))
    }
}
