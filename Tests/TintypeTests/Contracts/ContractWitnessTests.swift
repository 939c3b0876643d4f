import Foundation
import HTTPTypes
import Storage
import Testing

@testable import Core
@testable import Tintype

@Suite("The witness's consent")
struct ContractWitnessTests {
    @Test("The witness is asked first, all three see that, and the partner accepts once there is a witness")
    func askedFirst() async throws {
        let world = try await World()
        let (ana, ben, cleo) = try await world.three()
        let id = try await ana.propose(to: ben, witness: cleo)
        let path = "\(Person.contracts)/\(id)"
        for person in [ana, ben, cleo] {
            let seen = try await person.get(path)
            #expect(seen["state"] == "proposed" && seen["waiting_for"] == ["witness"])
            #expect(seen["witness"]["username"] == "cleo")
        }
        #expect(try await ana.moves(in: id) == ["withdraw"])
        #expect(try await ben.moves(in: id) == ["decline"])
        #expect(try await cleo.moves(in: id) == ["witness", "decline"])
        #expect(try await cleo.contracts("waiting") == [id])
        #expect(try await ben.contracts("waiting") == [])
        #expect(try await ben.contracts("active") == [id])
        #expect(try await cleo.contractNews() == ["propose"])
        #expect(try await ben.contractNews() == [])
        for person in [ana, ben] {
            #expect(
                try await person.visit("/contracts/\(id)").shows("Cleo is asked first to be the witness."))
        }
        let asked = try await cleo.visit("/contracts/\(id)")
        #expect(asked.shows("Ana asks you to be the witness") && asked.shows("Be the witness…"))
        #expect(!asked.shows("stakes/"))
        // Nobody but the witness takes the role, and nobody accepts before.
        let acceptance = try await ben.acceptance()
        let early = try await ben.move("accept", id, acceptance)
        #expect(early.status == 409 && early["state"] == "proposed")
        #expect(early["contract"]["waiting_for"] == ["witness"])
        #expect(try await ben.submit("/contracts/\(id)/accept").status == 303)
        for person in [ana, ben] { #expect(try await person.move("witness", id).status == 409) }

        let agreed = try await cleo.make("witness", id)
        #expect(agreed["state"] == "proposed" && agreed["moves"] == [])
        #expect(agreed["history"].list.map { $0["move"] } == ["propose", "witness"])
        #expect(try await cleo.move("witness", id).status == 409)
        #expect(try await cleo.move("decline", id).status == 409)
        #expect(try await ben.get(path)["waiting_for"] == ["partner"])
        #expect(try await ben.moves(in: id) == ["accept", "decline"])
        #expect(try await ben.contracts("waiting") == [id])
        #expect(try await cleo.contracts("active") == [id])
        // The offer comes from the proposer.
        #expect(try await ben.contractNews() == ["propose"])
        #expect(try await ana.contractNews() == ["witness"])
        #expect(try await ben.move("accept", id, acceptance)["state"] == "active")
        #expect(try await cleo.state(of: id) == "active")
    }

    @Test("Everyone's open pages hear that the witness is asked, and that they agreed")
    func events() async throws {
        let world = try await World()
        let (ana, ben, cleo) = try await world.three()
        var streams = [ben, cleo].map {
            world.tintype.events.subscribe($0.id, session: ID(rawValue: 1), after: nil).stream
                .makeAsyncIterator()
        }
        func next(_ name: EventName, of index: Int) async -> JSON {
            while let event = await streams[index].next() {
                if event.name == name { return JSON(event.data) }
            }
            return .null
        }
        let id = try await ana.propose(to: ben, witness: cleo)
        #expect(await next("tintype.contract", of: 0)["waiting_for"] == ["witness"])
        #expect(await next("tintype.contract", of: 1)["moves"] == ["witness", "decline"])
        #expect(await next("tintype.counts", of: 1)["contracts"] == 1)
        try await cleo.make("witness", id)
        #expect(await next("tintype.contract", of: 0)["moves"] == ["accept", "decline"])
        #expect(await next("tintype.counts", of: 1)["contracts"] == 0)
    }

    @Test(
        "Who isn't a friend of both any more can't take the role, and can refuse it",
        arguments: [true, false])
    func friendOfBoth(isOfProposer: Bool) async throws {
        let world = try await World()
        let (ana, ben, cleo) = try await world.three()
        let id = try await ana.propose(to: ben, witness: cleo)
        let party = isOfProposer ? ana : ben
        #expect(try await cleo.post("/api/v1/accounts/\(party.id)/unfollow").status == 200)
        let answer = try await cleo.move("witness", id)
        #expect(answer.status == 422 && answer["details"]["witness_id"] != .null)
        #expect(try await ben.get("\(Person.contracts)/\(id)")["waiting_for"] == ["witness"])
        try await cleo.follow(party)
        #expect(try await cleo.make("witness", id)["state"] == "proposed")
        // Who has agreed keeps the role.
        #expect(try await cleo.post("/api/v1/accounts/\(party.id)/unfollow").status == 200)
        try await ben.accept(id)
        try await ana.make("claim", id)
        try await ben.make("dispute", id)
        #expect(try await cleo.make("judge", id, ["broken": true])["state"] == "broken")
    }

    @Test("A refusal ends the offer, and the proposer may propose the same words with another witness")
    func refused() async throws {
        let world = try await World()
        let (ana, ben, cleo) = try await world.three()
        let id = try await ana.propose(to: ben, witness: cleo)
        #expect(try await cleo.make("decline", id)["state"] == "declined")
        for person in [ana, ben, cleo] {
            #expect(try await person.contracts("ended") == [id])
            #expect(try await person.moves(in: id) == [])
        }
        #expect(try await ana.contractNews() == ["decline_witness"])
        #expect(try await ben.contractNews() == [])
        #expect(try await cleo.contractNews() == [])
        let page = try await ana.visit("/contracts/\(id)")
        #expect(page.shows("Cleo declined to be the witness.") && page.shows("Propose it again…"))
        #expect(try await !ben.visit("/contracts/\(id)").shows("Propose it again…"))
        let form = try await ana.visit("/contracts/new/\(ben.id)?again=\(id)")
        for words in ["We run every Sunday", "An hour", "I stayed in bed"] { #expect(form.shows(words)) }
        // Nobody else's words.
        #expect(try await ben.visit("/contracts/new/\(ana.id)?again=\(id)").shows("We run") == false)
        #expect(
            try await world.account("dora").visit("/contracts/new/\(ana.id)?again=\(id)").shows("We run")
                == false)
        // The partner's own no is the last word.
        let declined = try await ana.propose(to: ben)
        try await ben.make("decline", declined)
        #expect(try await !ana.visit("/contracts/\(declined)").shows("Propose it again…"))
    }

    @Test("An offer whose witness leaves ends, whether or not they had agreed", arguments: [true, false])
    func left(hasAgreed: Bool) async throws {
        let world = try await World()
        _ = try await world.account("zoe", isAdmin: true)
        let (ana, ben, cleo) = try await world.three()
        let blocked = try await ana.propose(to: ben, witness: cleo)
        let deleted = try await ana.propose(to: ben, witness: cleo)
        if hasAgreed { for id in [blocked, deleted] { try await cleo.make("witness", id) } }
        // The partner can't get a contract without its witness by a block.
        try await ben.block(cleo)
        #expect(try await ana.state(of: blocked) == "lapsed")
        let acceptance = try await ben.acceptance()
        #expect(try await ben.move("accept", blocked, acceptance).status == 409)
        #expect(try await cleo.state(of: blocked) == "404")
        let other = try await world.friends("eva", "finn", "gus")
        let third = try await other[0].propose(to: other[1], witness: other[2])
        if hasAgreed { try await other[2].make("witness", third) }
        #expect(try await other[2].submit("/settings/delete", ["password": "correct horse"]).status == 303)
        try await world.work()
        #expect(try await other[0].state(of: third) == "lapsed")
        #expect(
            try await other[0].visit("/contracts/\(third)").shows("The witness left before it was accepted."))
        #expect(try await world.tintype.problems() == [])
    }

    @Test("An offer lapses after seven days, no matter who hasn’t answered", arguments: [true, false])
    func lapses(hasAgreed: Bool) async throws {
        let world = try await World()
        let (ana, ben, cleo) = try await world.three()
        let id = try await ana.propose(to: ben, witness: cleo)
        try await world.pass(hours: 6 * 24)
        if hasAgreed { try await cleo.make("witness", id) }
        try await world.pass(hours: 24)
        for person in [ana, ben, cleo] { #expect(try await person.state(of: id) == "lapsed") }
        for person in [ben, cleo] { #expect(try await person.contractNews() == []) }
    }

    @Test("The witness in the form is a friend of both; the proposer's other friends aren't offered")
    func offered() async throws {
        let world = try await World()
        let (ana, ben, _) = try await world.three()
        let dora = try await world.account("dora")
        try await ana.follow(dora)
        try await dora.follow(ana)
        let form = try await ana.visit("/contracts/new/\(ben.id)")
        #expect(form.shows("@cleo") && !form.shows("@dora"))
        let stake = try await ana.photo(purpose: "stake")
        let refused = try await ana.sendForm(to: ben, stake: stake, witnessName: "dora")
        #expect(refused.status == 422 && refused.shows("Choose a witness who is a friend of both of you."))
    }

    @Test("What was made before witnesses were asked: offers wait for theirs, contracts keep theirs")
    func older() async throws {
        let world = try await World()
        let (ana, ben, cleo) = try await world.three()
        let active = try await ana.contract(with: ben, witness: cleo)
        let offered = try await ana.propose(to: ben, witness: cleo)
        let plain = try await ana.propose(to: ben)
        let declined = try await ana.propose(to: ben, witness: cleo)
        try await ben.make("decline", declined)
        // As the version before had them.
        try await world.tintype.database.write { transaction in
            try transaction.execute("UPDATE contracts SET witness_agreed = 0")
            try transaction.execute(
                """
                UPDATE contract_members SET list = 'hidden' WHERE role = 'witness'
                    AND contract_id IN (SELECT id FROM contracts WHERE state <> 'active')
                """)
            try transaction.execute(
                """
                UPDATE contract_members SET list = 'waiting' WHERE role = 'partner'
                    AND contract_id IN (SELECT id FROM contracts WHERE state = 'proposed')
                """)
        }
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../Sources/Core/Resources/migrations/0029-witness-consent.sql")
        let statements = try String(contentsOf: file.standardized, encoding: .utf8)
            .split(separator: "\n").filter { !$0.hasPrefix("--") }.joined(separator: "\n")
            .split(separator: ";").filter { $0.contains("UPDATE") }
        #expect(statements.count == 5)
        try await world.tintype.database.write { transaction in
            for statement in statements { try transaction.execute(String(statement)) }
        }
        #expect(try await cleo.contracts("active") == [active])
        #expect(try await cleo.contracts("waiting") == [offered])
        #expect(try await ben.contracts("waiting") == [plain])
        #expect(try await ben.moves(in: offered) == ["decline"])
        #expect(try await ben.moves(in: plain) == ["accept", "decline"])
        // Of what was never agreed on the witness knew nothing.
        #expect(try await cleo.state(of: declined) == "404")
        try await cleo.make("witness", offered)
        try await ben.accept(offered)
        try await ana.make("claim", active)
        try await ben.make("dispute", active)
        #expect(try await cleo.moves(in: active) == ["judge"])
        #expect(try await world.tintype.problems() == [])
    }
}
