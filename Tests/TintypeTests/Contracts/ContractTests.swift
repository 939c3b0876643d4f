import Foundation
import HTTPTypes
import Storage
import Testing

@testable import Core
@testable import Making
@testable import Serving
@testable import Tintype

@Suite("Contracts")
struct ContractTests {
    @Test("An offer shows everything to both, and nothing to anyone else")
    func offer() async throws {
        let world = try await World()
        let (ana, ben, cleo) = try await world.three()
        let id = try await ana.propose(to: ben)
        let path = "\(Person.contracts)/\(id)"
        let seen = try await ben.get(path)
        #expect(seen["state"] == "proposed" && seen["role"] == "partner")
        #expect(seen["promise"] == "We run every Sunday")
        #expect(seen["rules"] == ["Outside", "An hour"])
        #expect(seen["moves"] == ["accept", "decline"])
        #expect(seen["parties"][0]["account"]["username"] == "ana")
        #expect(seen["parties"][0]["consented"] == true && seen["parties"][1]["consented"] == false)
        #expect(seen["parties"][0]["stake"]["type"] == "image")
        #expect(seen["parties"][0]["stake"]["description"] == "Embarrassing")
        #expect(seen["parties"][1]["stake"] == .null && seen["witness"] == .null)
        #expect(seen["history"].list.map { $0["move"] } == ["propose"])
        #expect(seen["publication"] == .null)
        let deadline = world.clock.now.addingTimeInterval(7 * 24 * 3_600)
        #expect(seen["deadline"].string == Timestamp.iso8601(deadline))
        #expect(try await ana.moves(in: id) == ["withdraw"])
        #expect(try await cleo.get(path).status == 404)
        #expect(try await world.stranger.get(path).status == 401)
        #expect(try await ben.contracts("waiting") == [id])
        #expect(try await ana.contracts("active") == [id])
        #expect(try await ben.contracts("active") == [])
        #expect(try await ben.contracts("ended") == [])
        #expect(try await ben.contractNews() == ["propose"])
        #expect(try await ana.contractNews() == [])
    }

    @Test("Accepted with the partner's own stake it binds both, and is kept a day after its end")
    func kept() async throws {
        let world = try await World()
        let (ana, ben, _) = try await world.three()
        let id = try await ana.propose(to: ben)
        try await ben.accept(id)
        let seen = try await ana.get("\(Person.contracts)/\(id)")
        #expect(seen["state"] == "active")
        #expect(seen["moves"] == ["release", "admit", "claim", "forfeit"])
        #expect(seen["parties"][1]["stake"]["description"] == "Worse")
        #expect(try await ana.contractNews() == ["accept"])
        try await world.pass(hours: 31 * 24 - 1)
        #expect(try await ana.state(of: id) == "active")
        try await world.pass(hours: 1)
        #expect(try await ana.state(of: id) == "kept")
        #expect(try await ben.contracts("ended") == [id])
        #expect(try await ana.contractNews().first == "keep")
        #expect(try await ben.contractNews().first == "keep")
        #expect(try await ana.moves(in: id) == [])
        #expect(try await world.postsCount() == 0)
    }

    @Test("Who admits a breach sees their own photo posted, with the agreed words, and the other's is freed")
    func admitted() async throws {
        let world = try await World()
        let (ana, ben, cleo) = try await world.three()
        let id = try await ana.contract(with: ben)
        let files = try await world.fileCount()
        let answer = try await ben.make("admit", id)
        #expect(answer["state"] == "broken")
        #expect(answer["publication"]["state"] == "published")
        #expect(try await ben.posts() == ["I stayed in bed"])
        #expect(try await ana.posts() == [])
        // Followers only, like a post of theirs.
        let post = try #require(answer["publication"]["status_id"].string)
        let status = try await cleo.get("/api/v1/statuses/\(post)")
        #expect(status["visibility"] == "private" && status["account"]["username"] == "ben")
        #expect(status["media_attachments"][0]["description"] == "Worse")
        // The picture, its renditions and the original are there, and no second copy of any.
        let photo = try #require(status["media_attachments"][0]["id"].string)
        #expect(try await cleo.get("/photos/\(photo)/medium").status == 200)
        #expect(try await ben.get("/api/v1/photos/\(photo)/original").status == 200)
        try await world.work()
        #expect(try await world.fileCount() == files)
        #expect(try await world.number("SELECT count(*) FROM contract_stakes") == 1)
        #expect(try await ana.contractNews().first == "admit")
        // It is ben's like any other post.
        #expect(try await ben.delete("/api/v1/statuses/\(post)").status == 200)
        let after = try await ana.get("\(Person.contracts)/\(id)")
        #expect(after["publication"]["state"] == "published" && after["publication"]["url"] == .null)
        #expect(try await world.tintype.problems() == [])
    }

    @Test("Without words of their own a plain sentence is posted")
    func plainWords() async throws {
        let world = try await World()
        let (ana, ben, _) = try await world.three()
        let id = try await ana.contract(with: ben, changed: ["breach_text": ""])
        try await ana.make("admit", id)
        #expect(try await ana.posts() == ["I broke a promise."])
    }

    @Test("A claim is admitted by the other")
    func claimAdmitted() async throws {
        let world = try await World()
        let (ana, ben, cleo) = try await world.three()
        let id = try await ana.contract(with: ben, witness: cleo)
        let claimed = try await ana.make("claim", id, ["rule": 1, "note": "It was forty minutes"])
        #expect(claimed["state"] == "claimed" && claimed["claim"]["rule"] == 1)
        #expect(claimed["moves"] == ["release", "forfeit"])
        #expect(try await ben.moves(in: id) == ["release", "admit", "dispute", "forfeit"])
        #expect(try await ben.contracts("waiting") == [id])
        #expect(try await ben.contractNews().first == "claim")
        #expect(try await cleo.moves(in: id) == [])
        #expect(try await ben.make("admit", id)["state"] == "broken")
        #expect(try await ben.posts() == ["I stayed in bed"])
        let history = try await ana.get("\(Person.contracts)/\(id)")["history"].list
        #expect(history.map { $0["move"] } == ["propose", "witness", "accept", "claim", "admit"])
        #expect(history[3]["note"] == "It was forty minutes" && history[3]["account"]["username"] == "ana")
    }

    @Test("A dispute goes to the witness, whose word publishes or lets the contract go on")
    func witness() async throws {
        let world = try await World()
        let (ana, ben, cleo) = try await world.three()
        let id = try await ana.contract(with: ben, witness: cleo)
        try await ana.make("claim", id, ["rule": 0])
        let disputed = try await ben.make("dispute", id, ["note": "I ran"])
        #expect(disputed["state"] == "disputed")
        #expect(try await cleo.moves(in: id) == ["judge"])
        #expect(try await cleo.contracts("waiting") == [id])
        #expect(try await ana.move("judge", id, ["broken": true]).status == 409)
        #expect(try await cleo.move("judge", id).status == 422)
        #expect(try await cleo.make("judge", id, ["broken": false])["state"] == "active")
        #expect(try await world.postsCount() == 0)
        try await ben.make("claim", id, ["rule": 0])
        try await ana.make("dispute", id)
        #expect(try await cleo.make("judge", id, ["broken": true])["state"] == "broken")
        #expect(try await ana.posts() == ["I stayed in bed"])
        #expect(try await ben.posts() == [])
    }

    @Test("72 hours of silence dispute a claim, and 72 hours of the witness's leave it unresolved")
    func silence() async throws {
        let world = try await World()
        let (ana, ben, cleo) = try await world.three()
        let id = try await ana.contract(with: ben, witness: cleo)
        try await ana.make("claim", id, ["rule": 0])
        try await world.pass(hours: 71)
        #expect(try await ana.state(of: id) == "claimed")
        try await world.pass(hours: 1)
        #expect(try await ana.state(of: id) == "disputed")
        #expect(try await cleo.contractNews().first == "silence")
        try await world.pass(hours: 72)
        #expect(try await ben.state(of: id) == "unresolved")
        #expect(try await world.postsCount() == 0)
    }

    @Test("Without a witness a dispute is unresolved, and nothing is published")
    func unresolved() async throws {
        let world = try await World()
        let (ana, ben, _) = try await world.three()
        let id = try await ana.contract(with: ben)
        try await ana.make("claim", id, ["rule": 0])
        #expect(try await ben.make("dispute", id)["state"] == "unresolved")
        #expect(try await world.postsCount() == 0)
    }

    @Test("One offers to end it, the other agrees; one gives it up; one declines, withdraws, doesn't answer")
    func otherEnds() async throws {
        let world = try await World()
        let (ana, ben, _) = try await world.three()
        let released = try await ana.contract(with: ben)
        #expect(try await ana.make("release", released)["release_offered_by"] == "proposer")
        #expect(try await ana.move("release", released).status == 409)
        #expect(try await ben.contracts("waiting") == [released])
        #expect(try await ben.make("release", released)["state"] == "released")
        let forfeited = try await ana.contract(with: ben)
        let answer = try await ben.make("forfeit", forfeited, ["note": "I moved away"])
        #expect(answer["state"] == "forfeited" && answer["parties"][1]["consented"] == false)
        let declined = try await ana.propose(to: ben)
        #expect(try await ben.make("decline", declined)["state"] == "declined")
        let withdrawn = try await ana.propose(to: ben)
        #expect(try await ana.make("withdraw", withdrawn)["state"] == "withdrawn")
        let lapsed = try await ana.propose(to: ben)
        try await world.pass(hours: 7 * 24)
        #expect(try await ben.state(of: lapsed) == "lapsed")
        #expect(try await ana.contracts("ended") == [lapsed, withdrawn, declined, forfeited, released])
        #expect(
            try await ana.contractNews() == [
                "lapse", "decline", "forfeit", "accept", "release", "accept",
            ])
        #expect(try await world.postsCount() == 0)
    }

    @Test("What is due has happened before its job runs, for who looks and for who moves")
    func lateJob() async throws {
        let world = try await World()
        let (ana, ben, _) = try await world.three()
        let id = try await ana.contract(with: ben)
        world.clock.advance(hours: 31 * 24)
        #expect(try await ana.state(of: id) == "kept")
        let claim = try await ana.move("claim", id, ["rule": 0])
        #expect(claim.status == 409 && claim["state"] == "kept" && claim["contract"]["id"].string == id)
        #expect(try await ana.move("admit", id).status == 409)
        try await world.work()
        #expect(try await ben.state(of: id) == "kept")
        #expect(try await world.number("SELECT count(*) FROM contract_moves WHERE event = 'keep'") == 1)
    }

    @Test("Each move reaches the open pages of everyone who takes part, with the count of what waits")
    func events() async throws {
        let world = try await World()
        let (ana, ben, _) = try await world.three()
        var stream = world.tintype.events.subscribe(ben.id, session: ID(rawValue: 1), after: nil).stream
            .makeAsyncIterator()
        func next(_ name: EventName) async -> JSON {
            while let event = await stream.next() {
                if event.name == name { return JSON(event.data) }
            }
            return .null
        }
        let id = try await ana.propose(to: ben)
        let proposed = await next("tintype.contract")
        #expect(proposed["id"].string == id && proposed["moves"] == ["accept", "decline"])
        #expect(await next("tintype.counts")["contracts"] == 1)
        try await ana.make("withdraw", id)
        #expect(await next("tintype.contract")["state"] == "withdrawn")
        #expect(await next("tintype.counts")["contracts"] == 0)
        // The question is gone with the offer.
        #expect(try await ben.contracts("waiting") == [])
        #expect(try await ben.contractNews() == [])
    }

    @Test("The same key proposes once, and a list is read page by page")
    func keysAndPages() async throws {
        let world = try await World()
        let (ana, ben, _) = try await world.three()
        let form = try await ana.proposal(to: ben)
        let headers: HTTPFields = [.idempotencyKey: "once"]
        let first = try await ana.post(Person.contracts, json: form, headers: headers)
        let second = try await ana.post(Person.contracts, json: form, headers: headers)
        #expect(first.status == 201 && second["id"] == first["id"])
        var ids = [try #require(first["id"].string)]
        for _ in 1...3 { ids.append(try await ana.propose(to: ben)) }
        let page = try await ana.get("\(Person.contracts)?limit=2")
        #expect(page.json.list.compactMap { $0["id"].string } == [ids[3], ids[2]])
        #expect(page.headers[.link]?.contains("max_id=\(ids[2])") == true)
        let rest = try await ana.get("\(Person.contracts)?limit=2&max_id=\(ids[2])")
        #expect(rest.json.list.compactMap { $0["id"].string } == [ids[1], ids[0]])
        #expect(try await ana.get("\(Person.contracts)?list=none").status == 422)
    }

    @Test("Two opposite moves at the same moment: one wins, the other is refused", arguments: 0..<6)
    func race(round: Int) async throws {
        let world = try await World()
        let (ana, ben, cleo) = try await world.three()
        let id = try await ana.contract(with: ben, witness: cleo)
        // Of each pair one at most can happen.
        let pairs: [((Person, String, JSON), (Person, String, JSON))] = [
            ((ana, "admit", [:]), (ben, "admit", [:])), ((ana, "forfeit", [:]), (ben, "admit", [:])),
            ((ana, "claim", ["rule": 0]), (ben, "claim", ["rule": 0])),
        ]
        let (one, other) = pairs[round % 3]
        async let first = one.0.move(one.1, id, one.2)
        async let second = other.0.move(other.1, id, other.2)
        let answers = try await [first, second]
        #expect(answers.map(\.status).sorted() == [200, 409])
        let (won, lost) = (answers.first { $0.status == 200 }, answers.first { $0.status == 409 })
        #expect(lost?["state"] == won?["state"])
        let isBroken = won?["state"] == "broken"
        #expect(try await world.postsCount() == (isBroken ? 1 : 0))
    }

    @Test("Accepting and withdrawing at the same moment: one wins, the other is refused", arguments: 0..<4)
    func acceptOrWithdraw(round: Int) async throws {
        let world = try await World()
        let (ana, ben, _) = try await world.three()
        let id = try await ana.propose(to: ben)
        let acceptance = try await ben.acceptance()
        async let accepted = ben.move("accept", id, acceptance)
        async let withdrawn = ana.move("withdraw", id)
        let answers = try await [accepted, withdrawn]
        #expect(answers.map(\.status).sorted() == [200, 409])
        let state = try await ana.state(of: id)
        #expect(state == (answers[0].status == 200 ? "active" : "withdrawn"))
        for answer in answers { #expect(answer["state"].string == state) }
        #expect(try await ben.state(of: id) == state)
        // Who came too late has staked nothing.
        let stakes = try await world.number("SELECT count(*) FROM contract_stakes")
        #expect(stakes == (state == "active" ? 2 : 1))
        try await world.work()
        #expect(try await world.tintype.problems() == [])
    }

    @Test("A hundred admissions at once publish one photo")
    func once() async throws {
        let world = try await World()
        let (ana, ben, _) = try await world.three()
        let id = try await ana.contract(with: ben)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 1...100 { group.addTask { try await ben.move("admit", id).status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 200 } == 1)
        #expect(statuses.count { $0 == 409 } == 99)
        #expect(try await world.postsCount() == 1)
    }

    @Test(
        "No sequence of calls at any times publishes twice, without consent, or somebody else",
        arguments: 0..<4)
    func random(seed: UInt64) async throws {
        var random = SplitMix64(state: seed)
        let world = try await World()
        let (ana, ben, cleo) = try await world.three()
        for _ in 1...5 {
            let before = (try await ana.posts().count, try await ben.posts().count)
            let id = try await ana.contract(with: ben, witness: Bool.random(using: &random) ? cleo : nil)
            var broken = ""
            for _ in 1...12 {
                let mover = [ana, ben, cleo].randomElement(using: &random) ?? ana
                let moves = [
                    "release", "claim", "dispute", "judge", "admit", "forfeit", "decline", "withdraw",
                ]
                // Those that end it come less often.
                let index = min(Int.random(in: 0..<8, using: &random), Int.random(in: 0..<8, using: &random))
                let judgement = Bool.random(using: &random)
                let answer = try await mover.move(
                    moves[index], id, ["rule": 0, "broken": .bool(judgement)])
                #expect([200, 404, 409].contains(answer.status), "\(moves[index]): \(answer.text)")
                if answer.status == 200, answer["state"] == "broken" {
                    #expect(broken == "", "broken twice")
                    broken = answer["history"].list.last?["move"].string ?? ""
                    #expect(["admit", "judge_broken"].contains(broken))
                }
                try await world.pass(hours: Double.random(in: 0...60, using: &random))
            }
            try await world.pass(hours: 40 * 24)
            try await world.pass(hours: 4 * 24)
            try await world.pass(hours: 4 * 24)
            let end = try await ana.get("\(Person.contracts)/\(id)")
            #expect(ContractState(rawValue: end["state"].string ?? "")?.isOpen == false, "\(end["state"])")
            let after = (try await ana.posts().count, try await ben.posts().count)
            let published = (after.0 - before.0) + (after.1 - before.1)
            #expect(published == (broken == "" ? 0 : 1))
            #expect((end["state"] == "broken") == (broken != ""))
        }
        #expect(try await world.tintype.problems() == [])
    }
}
