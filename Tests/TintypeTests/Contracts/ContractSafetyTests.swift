import Foundation
import HTTPTypes
import Storage
import Testing

@testable import Core
@testable import Making
@testable import Serving
@testable import Tintype

@Suite("What nobody can get around in contracts")
struct ContractSafetyTests {
    /// Where a party's sealed photo is.
    private func stake(_ contract: String, of person: Person, size: String = "medium") -> String {
        "/contracts/\(contract)/stakes/\(person.id)?size=\(size)"
    }

    // MARK: Old pages

    /// The path of a form of a contract's page.
    private func path(_ move: String, of contract: String, for person: Person) async throws -> String {
        let page = try await person.visit("/contracts/\(contract)")
        let paths = page.text.matches(of: /action="([^"]+)"/).map {
            String($0.1).replacing("&amp;", with: "&")
        }
        return try #require(paths.first { $0.contains("/\(move)?") })
    }

    @Test("A verdict on one claim isn't one on the next")
    func oldVerdict() async throws {
        let world = try await World()
        let (ana, ben, cleo) = try await world.three()
        let id = try await ana.contract(with: ben, witness: cleo)
        try await ana.make("claim", id, ["rule": 0])
        try await ben.make("dispute", id)
        let old = try await path("judge", of: id, for: cleo)
        try #require(old.hasSuffix("broken=true"))
        try await cleo.make("judge", id, ["broken": false])
        try await ben.make("claim", id, ["rule": 0])
        try await ana.make("dispute", id)
        #expect(try await cleo.submit(old).status == 303)
        #expect(try await ana.state(of: id) == "disputed")
        #expect(try await world.postsCount() == 0)
        // The page as it is now still decides.
        #expect(try await cleo.submit(path("judge", of: id, for: cleo)).status == 303)
        #expect(try await ana.posts() == ["I stayed in bed"])
        #expect(try await ben.posts() == [])
    }

    @Test("An offer to end a contract doesn't end it because the other offered the same meanwhile")
    func oldOffer() async throws {
        let world = try await World()
        let (ana, ben, _) = try await world.three()
        let id = try await ana.contract(with: ben)
        let old = try await path("release", of: id, for: ana)
        try await ben.make("release", id)
        #expect(try await ana.submit(old).status == 303)
        #expect(try await ana.state(of: id) == "active")
        #expect(try await ana.submit(path("release", of: id, for: ana)).status == 303)
        #expect(try await ana.state(of: id) == "released")
    }

    @Test("A deadline whose work came too early, by a clock that was set back, isn't forgotten")
    func clockSetBack() async throws {
        let world = try await World()
        let (ana, ben, _) = try await world.three()
        _ = try await ana.propose(to: ben)
        world.clock.advance(hours: 7 * 24 - 0.5)
        try await world.tintype.database.write {
            try $0.execute("UPDATE jobs SET run_at = 0 WHERE kind = 'contract-deadline'")
        }
        try await world.work()
        try await world.pass(hours: 1)
        #expect(try await world.number("SELECT count(*) FROM contracts WHERE state = 'lapsed'") == 1)
    }

    // MARK: Stakes

    @Test("A stake is seen by the two parties only, kept by nothing on the way, and found in no other place")
    func sealed() async throws {
        let world = try await World()
        let (ana, ben, cleo) = try await world.three()
        let id = try await ana.contract(with: ben, witness: cleo)
        for person in [ana, ben] {
            for size in ["square", "medium", "large"] {
                let answer = try await person.get(stake(id, of: ana, size: size))
                #expect(answer.status == 200 && answer.bytes.count > 100)
                #expect(answer.headers[.cacheControl] == "private, no-store")
            }
            #expect(try await person.visit(stake(id, of: ben)).status == 200)
        }
        for person in [cleo, world.stranger] {
            #expect(try await person.get(stake(id, of: ana)).status == 404)
        }
        #expect(try await ana.get(stake(id, of: cleo)).status == 404)
        #expect(try await ana.get(stake(id, of: ana, size: "original")).status == 404)
        // The addresses in JSON are those above, without a signature.
        let url = try await ben.get("\(Person.contracts)/\(id)")["parties"][0]["stake"]["url"].string
        #expect(url == "http://localhost/contracts/\(id)/stakes/\(ana.id)?size=large")
        #expect(try await ana.get("/api/v1/photos").json.list.isEmpty)
        #expect(try await world.number("SELECT count(*) FROM photos") == 0)
    }

    @Test("The witness sees promise, rules and claim, and nothing of stake or breach")
    func witness() async throws {
        let world = try await World()
        let (ana, ben, cleo) = try await world.three()
        let id = try await ana.contract(with: ben, witness: cleo)
        #expect(try await cleo.contracts("active") == [id])
        #expect(try await cleo.contractNews() == ["accept", "propose"])
        try await ana.make("claim", id, ["rule": 1, "note": "Late"])
        try await ben.make("dispute", id, ["note": "No"])
        let seen = try await cleo.get("\(Person.contracts)/\(id)")
        #expect(seen["promise"] == "We run every Sunday" && seen["rules"].list.count == 2)
        #expect(seen["claim"]["rule"] == 1 && seen["role"] == "witness")
        let moves = seen["history"].list.map { $0["move"] }
        #expect(moves == ["propose", "witness", "accept", "claim", "dispute"])
        #expect(seen["parties"].list.allSatisfy { $0["stake"] == .null && $0["publish_to"] == [] })
        for secret in ["stakes/", "I stayed in bed", "Embarrassing", "Worse"] { #expect(!seen.shows(secret)) }
        try await cleo.make("judge", id, ["broken": true])
        let after = try await cleo.get("\(Person.contracts)/\(id)")
        #expect(after["state"] == "broken" && after["publication"] == .null)
    }

    @Test("The witness finds the address of a stake nowhere, and nothing of an offer to end it")
    func witnessSeesNoStake() async throws {
        let world = try await World()
        let (ana, ben, cleo) = try await world.three()
        let id = try await ana.contract(with: ben, witness: cleo)
        func look(_ when: String) async throws {
            let path = "\(Person.contracts)/\(id)"
            let answers = [
                try await cleo.get(path), try await cleo.visit("/contracts/\(id)"),
                try await cleo.refresh("/contracts/\(id)"), try await cleo.visit("/contracts?list=active"),
                try await cleo.visit("/contracts?list=waiting"),
                try await cleo.visit("/contracts?list=ended"),
                try await cleo.get("\(Person.contracts)?list=waiting"),
                try await cleo.visit("/contracts/\(id)/report"), try await cleo.visit("/notifications"),
                try await cleo.get("/api/v1/notifications?types[]=tintype.contract"),
            ]
            for (index, answer) in answers.enumerated() {
                #expect(answer.status == 200, "\(when), \(index)")
                for secret in ["/stakes/", "Embarrassing", "Worse", "offers to end it", "offered to end it"] {
                    #expect(!answer.shows(secret), "\(when), \(index): \(secret)")
                }
            }
            let seen = answers[0]
            #expect(seen["release_offered_by"] == .null, "\(when)")
            #expect(seen["parties"].list.allSatisfy { $0["stake"] == .null }, "\(when)")
            for party in [ana, ben] {
                for size in ["square", "medium", "large"] {
                    let answer = try await cleo.get(stake(id, of: party, size: size))
                    #expect(answer.status == 404, "\(when)")
                }
            }
        }
        try await look("active")
        try await ana.make("release", id)
        #expect(try await ben.get("\(Person.contracts)/\(id)")["release_offered_by"] == "proposer")
        #expect(try await ben.visit("/contracts/\(id)").shows("offers to end it"))
        try await look("offered")
        try await ana.make("claim", id, ["rule": 0])
        try await look("claimed")
        try await ben.make("dispute", id)
        try await ben.make("release", id)
        try await look("disputed")
        try await cleo.make("judge", id, ["broken": true])
        try await look("broken")
    }

    @Test("A stake is in no search and in nobody's download")
    func unfindable() async throws {
        let world = try await World()
        let (ana, ben, cleo) = try await world.three()
        let id = try await ana.contract(with: ben, witness: cleo)
        let secrets = ["Embarrassing", "Worse", "/stakes/"]
        for person in [ana, ben, cleo] {
            for word in ["Embarrassing", "Worse"] {
                let found = try await person.get("/api/v2/search?q=\(word)")
                #expect(found.status == 200 && !found.shows("stakes/"))
                for list in ["accounts", "statuses", "hashtags"] { #expect(found[list].list.isEmpty) }
            }
            #expect(try await person.submit("/settings/data").status == 303)
            try await world.work()
            let zip = try await person.visit(try await DownloadTests.path(person))
            let files = try DownloadTests.unpacked(zip.bytes)
            #expect(!files.keys.contains { $0.hasPrefix("photos/") })
            let contracts = String(decoding: files["contracts.json"] ?? [], as: UTF8.self)
            #expect(contracts.contains(id))
            for (name, bytes) in files {
                let text = String(decoding: bytes, as: UTF8.self)
                for secret in secrets { #expect(!text.contains(secret), "\(name) of \(person.username)") }
            }
        }
    }

    @Test("In the end each sees their own stake only, and takes it into the library or erases it")
    func freed() async throws {
        let world = try await World()
        let (ana, ben, _) = try await world.three()
        let id = try await ana.contract(with: ben)
        #expect(try await ana.move("stake", id, ["keep": true]).status == 409)
        try await ben.make("forfeit", id)
        #expect(try await ben.get(stake(id, of: ana)).status == 404)
        #expect(try await ben.get("\(Person.contracts)/\(id)")["parties"][0]["stake"] == .null)
        #expect(try await ana.get(stake(id, of: ana)).status == 200)
        #expect(try await ana.get("\(Person.contracts)/\(id)")["may_free_stake"] == true)
        #expect(try await ana.move("stake", id).status == 422)
        let kept = try await ana.make("stake", id, ["keep": true])
        #expect(kept["may_free_stake"] == false && kept["parties"][0]["stake"] == .null)
        let photo = try #require(try await ana.get("/api/v1/photos").json[0]["id"].string)
        #expect(try await ana.get("/photos/\(photo)/large").status == 200)
        #expect(try await ana.get("/api/v1/photos/\(photo)/original").status == 200)
        try await ben.make("stake", id, ["keep": false])
        for person in [ana, ben] {
            #expect(try await person.move("stake", id, ["keep": true]).status == 409)
            #expect(try await person.get(stake(id, of: person)).status == 404)
        }
        try await world.work()
        // Ana's photo: an original and six renditions.
        #expect(try await world.fileCount() == 7)
        #expect(try await ben.get("/api/v1/photos").json.list.isEmpty)
        #expect(try await world.tintype.problems() == [])
    }

    @Test("A stake that nobody asks for is erased 30 days after the end")
    func forgotten() async throws {
        let world = try await World()
        let (ana, ben, _) = try await world.three()
        let id = try await ana.contract(with: ben)
        try await ben.make("forfeit", id)
        try await world.pass(hours: 30 * 24 - 1)
        #expect(try await world.fileCount() == 14)
        try await world.pass(hours: 1)
        #expect(try await world.fileCount() == 0)
        #expect(try await ana.get(stake(id, of: ana)).status == 404)
        #expect(try await world.tintype.problems() == [])
    }

    @Test("A photo of the library is staked as a copy, without the original's metadata, and stays there")
    func libraryPhoto() async throws {
        let world = try await World()
        let (ana, ben, _) = try await world.three()
        let photo = try await ana.photo(description: "Mine")
        let id = try await ana.propose(to: ben, changed: ["stake_photo_id": .text(photo)])
        #expect(try await ben.get(stake(id, of: ana)).status == 200)
        #expect(try await ana.delete("/api/v1/photos/\(photo)").status == 200)
        try await world.work()
        #expect(try await ben.get(stake(id, of: ana)).status == 200)
        try await ben.accept(id)
        try await ana.make("admit", id)
        let posted = try await ana.get("/api/v1/accounts/\(ana.id)/statuses").json[0]["media_attachments"][0]
        #expect(posted["description"] == "Mine")
        let own = try #require(posted["id"].string)
        #expect(try await ana.get("/api/v1/photos/\(own)/original").status == 200)
        #expect(try await world.tintype.problems() == [])
        let others = try await ben.photo()
        let refused = try await ana.post(
            Person.contracts,
            json: try await ana.proposal(to: ben, changed: ["stake_photo_id": .text(others)]))
        #expect(refused.status == 404)
    }

    @Test("A refused form keeps the stake for the next try, and erases the copy of a library photo")
    func refusedForm() async throws {
        let world = try await World()
        let (ana, ben, _) = try await world.three()
        let upload = try await ana.photo(purpose: "stake")
        let photo = try await ana.photo()
        let files = try await world.fileCount()
        for stake in ["stake_media_id": upload, "stake_photo_id": photo] {
            let form = try await ana.proposal(
                to: ben, changed: [stake.key: .text(stake.value), "promise": ""])
            #expect(try await ana.post(Person.contracts, json: form).status == 422)
        }
        #expect(try await world.fileCount() == files)
        _ = try await ana.propose(to: ben, changed: ["stake_media_id": .text(upload)])
    }

    // MARK: People who part

    @Test("A block forfeits, publishes nothing, and names neither to the other", arguments: [true, false])
    func block(isByProposer: Bool) async throws {
        let world = try await World()
        let (ana, ben, cleo) = try await world.three()
        let active = try await ana.contract(with: ben, witness: cleo)
        let claimed = try await ana.contract(with: ben, witness: cleo)
        try await ana.make("claim", claimed, ["rule": 0])
        let offered = try await ana.propose(to: ben)
        let (blocker, other) = isByProposer ? (ana, ben) : (ben, ana)
        try await blocker.block(other)
        for person in [ana, ben] {
            for id in [active, claimed] { #expect(try await person.state(of: id) == "forfeited") }
            #expect(try await person.state(of: offered) == (isByProposer ? "withdrawn" : "declined"))
        }
        #expect(try await world.postsCount() == 0)
        for (reader, hidden) in [(ana, ben), (ben, ana)] {
            let seen = try await reader.get("\(Person.contracts)/\(active)")
            #expect(!seen.shows("\(hidden.id)") && !seen.shows("@\(hidden.username)"))
            #expect(seen["history"].list.last?["move"] == "forfeit")
            #expect(try await reader.get(stake(active, of: hidden)).status == 404)
            // Their own photo is still theirs.
            #expect(try await reader.get(stake(active, of: reader)).status == 200)
            #expect(try await reader.make("stake", active, ["keep": false])["may_free_stake"] == false)
        }
        #expect(try await cleo.state(of: active) == "forfeited")
        #expect(try await cleo.move("judge", claimed, ["broken": true]).status == 409)
        #expect(try await world.tintype.problems() == [])
    }

    /// What ends or pauses a contract from outside.
    enum Interruption: CaseIterable {
        case block, deletion, suspension
    }

    @Test(
        "What was due before a block, a deletion or a suspension has happened before it",
        arguments: Interruption.allCases)
    func dueFirst(_ interruption: Interruption) async throws {
        let world = try await World()
        let admin = try await world.account("zoe", isAdmin: true)
        let (ana, ben, cleo) = try await world.three()
        let kept = try await ana.contract(with: ben)
        let disputed = try await ana.contract(with: ben, witness: cleo)
        try await ana.make("claim", disputed, ["rule": 0])
        try await ben.make("dispute", disputed)
        let offered = try await ana.propose(to: ben)
        // No job comes to it.
        world.clock.advance(hours: 31 * 24)
        switch interruption {
        case .block: try await ana.block(ben)
        case .deletion:
            #expect(try await ana.submit("/settings/delete", ["password": "correct horse"]).status == 303)
        case .suspension:
            #expect(try await admin.submit("/administration/accounts/\(ana.id)/suspend").status == 303)
        }
        #expect(try await ben.state(of: kept) == "kept")
        #expect(try await ben.state(of: disputed) == "unresolved")
        #expect(try await ben.state(of: offered) == "lapsed")
        try await world.work()
        #expect(try await ben.state(of: kept) == "kept")
        #expect(try await ben.state(of: disputed) == "unresolved")
        let events = "SELECT count(*) FROM contract_moves WHERE event IN ('forfeit', 'withdraw', 'pause')"
        #expect(try await world.number(events) == 0)
    }

    @Test("A block between a party and the witness takes the witness out; a dispute is unresolved")
    func blockedWitness() async throws {
        let world = try await World()
        let (ana, ben, cleo) = try await world.three()
        let active = try await ana.contract(with: ben, witness: cleo)
        let disputed = try await ana.contract(with: ben, witness: cleo)
        try await ana.make("claim", disputed, ["rule": 0])
        try await ben.make("dispute", disputed)
        try await cleo.block(ben)
        #expect(try await ana.state(of: disputed) == "unresolved")
        #expect(try await ana.state(of: active) == "active")
        #expect(try await ana.get("\(Person.contracts)/\(active)")["witness"] == .null)
        for id in [active, disputed] {
            #expect(try await cleo.state(of: id) == "404")
            #expect(try await cleo.move("judge", id, ["broken": true]).status == 404)
        }
        try await ana.make("claim", active, ["rule": 0])
        #expect(try await ben.make("dispute", active)["state"] == "unresolved")
        #expect(try await world.postsCount() == 0)
    }

    @Test(
        "A deleted account forfeits at once; its photo, notes and offers leave the disk, the other reads on")
    func deletion() async throws {
        let world = try await World()
        _ = try await world.account("zoe", isAdmin: true)
        let (ana, ben, cleo) = try await world.three()
        let active = try await ana.contract(with: ben, witness: cleo)
        let claimed = try await ana.contract(with: ben, witness: cleo)
        try await ana.make("claim", claimed, ["rule": 0, "note": "Secret of Ana"])
        let offered = try await ana.propose(to: ben, changed: ["promise": "An offer of Ana"])
        let asked = try await ben.propose(to: ana)
        #expect(try await ana.submit("/settings/delete", ["password": "correct horse"]).status == 303)
        // Before any background work.
        #expect(try await ben.state(of: active) == "forfeited")
        #expect(try await ben.state(of: claimed) == "forfeited")
        #expect(try await ben.move("admit", claimed).status == 409)
        try await world.work()
        #expect(try await ben.state(of: offered) == "404")
        #expect(try await ben.state(of: asked) == "declined")
        let seen = try await ben.get("\(Person.contracts)/\(claimed)")
        #expect(seen["promise"] == "We run every Sunday" && seen["parties"][0]["account"] == .null)
        #expect(!seen.shows("Secret of Ana"))
        #expect(try await world.number("SELECT count(*) FROM contract_stakes WHERE role = 'proposer'") == 1)
        #expect(try await world.postsCount() == 0)
        try await world.tintype.database.eraseDeleted()
        #expect(try await world.filesHolding(Array("Secret of Ana".utf8)) == [])
        #expect(try await world.filesHolding(Array("An offer of Ana".utf8)) == [])
        // When the second goes, nothing is left.
        #expect(try await ben.submit("/settings/delete", ["password": "correct horse"]).status == 303)
        try await world.work()
        #expect(try await world.number("SELECT count(*) FROM contracts") == 0)
        #expect(try await world.fileCount() == 0)
        #expect(try await cleo.contracts("ended") == [])
        #expect(try await world.tintype.problems() == [])
    }

    @Test("A deleted witness decides nothing; a dispute is unresolved")
    func deletedWitness() async throws {
        let world = try await World()
        _ = try await world.account("zoe", isAdmin: true)
        let (ana, ben, cleo) = try await world.three()
        let id = try await ana.contract(with: ben, witness: cleo)
        try await ana.make("claim", id, ["rule": 0])
        try await ben.make("dispute", id)
        #expect(try await cleo.submit("/settings/delete", ["password": "correct horse"]).status == 303)
        try await world.work()
        #expect(try await ana.state(of: id) == "unresolved")
    }

    @Test("A suspension stops the time for both, and gives it back; nobody can be published meanwhile")
    func suspension() async throws {
        let world = try await World()
        let admin = try await world.account("zoe", isAdmin: true)
        let (ana, ben, cleo) = try await world.three()
        let active = try await ana.contract(with: ben)
        let claimed = try await ana.contract(with: ben, witness: cleo)
        try await ana.make("claim", claimed, ["rule": 0])
        let disputed = try await ana.contract(with: ben, witness: cleo)
        try await ana.make("claim", disputed, ["rule": 0])
        try await ben.make("dispute", disputed)
        let offered = try await ana.propose(to: ben)
        #expect(try await admin.submit("/administration/accounts/\(ben.id)/suspend").status == 303)
        try await world.work()
        let seen = try await ana.get("\(Person.contracts)/\(active)")
        #expect(seen["paused"] == true && seen["deadline"] == .null && seen["moves"] == ["forfeit"])
        #expect(seen["parties"][1]["account"] == .null)
        #expect(try await cleo.move("judge", disputed, ["broken": true]).status == 409)
        #expect(try await ana.move("admit", active).status == 409)
        try await world.pass(hours: 40 * 24)
        #expect(try await ana.state(of: active) == "active")
        #expect(try await ana.state(of: claimed) == "claimed")
        #expect(try await ana.state(of: offered) == "proposed")
        #expect(try await admin.submit("/administration/accounts/\(ben.id)/restore").status == 303)
        try await world.work()
        #expect(try await ana.get("\(Person.contracts)/\(claimed)")["paused"] == false)
        try await world.pass(hours: 71)
        #expect(try await ana.state(of: claimed) == "claimed")
        #expect(try await ana.state(of: disputed) == "disputed")
        try await world.pass(hours: 1)
        #expect(try await ana.state(of: claimed) == "disputed")
        #expect(try await ana.state(of: disputed) == "unresolved")
        try await world.pass(hours: 28 * 24 - 1)
        #expect(try await ana.state(of: active) == "active")
        try await world.pass(hours: 1)
        #expect(try await ana.state(of: active) == "kept")
        #expect(try await ana.state(of: offered) == "lapsed")
        #expect(try await world.postsCount() == 0)
    }

    @Test("A suspension of the proposer stops the deadlines of both, and they go on when it ends")
    func suspendedProposer() async throws {
        let world = try await World()
        let admin = try await world.account("zoe", isAdmin: true)
        let (ana, ben, cleo) = try await world.three()
        let claimed = try await ana.contract(with: ben, witness: cleo)
        try await ben.make("claim", claimed, ["rule": 0])
        let offered = try await ana.propose(to: ben)
        try await world.pass(hours: 24)
        #expect(try await admin.submit("/administration/accounts/\(ana.id)/suspend").status == 303)
        try await world.work()
        for id in [claimed, offered] {
            let seen = try await ben.get("\(Person.contracts)/\(id)")
            #expect(seen["paused"] == true && seen["deadline"] == .null)
        }
        #expect(try await ben.moves(in: offered) == ["decline"])
        #expect(try await ben.moves(in: claimed) == ["forfeit"])
        #expect(try await ben.contracts("waiting") == [])
        let acceptance = try await ben.acceptance()
        #expect(try await ben.move("accept", offered, acceptance).status == 409)
        try await world.pass(hours: 20 * 24)
        #expect(try await ben.state(of: claimed) == "claimed")
        #expect(try await ben.state(of: offered) == "proposed")
        #expect(try await admin.submit("/administration/accounts/\(ana.id)/restore").status == 303)
        try await world.work()
        // A day of each deadline was over before.
        func left(_ id: String) async throws -> String? {
            try await ben.get("\(Person.contracts)/\(id)")["deadline"].string
        }
        let now = world.clock.now
        #expect(try await left(claimed) == Timestamp.iso8601(now.addingTimeInterval(48 * 3_600)))
        #expect(try await left(offered) == Timestamp.iso8601(now.addingTimeInterval(6 * 24 * 3_600)))
        #expect(try await ben.contracts("waiting") == [offered])
        try await world.pass(hours: 48)
        #expect(try await ben.state(of: claimed) == "disputed")
        try await world.pass(hours: 4 * 24)
        #expect(try await ben.state(of: offered) == "lapsed")
        #expect(try await world.postsCount() == 0)
    }

    @Test("Who unfollows can't accept any more, and what binds both goes on")
    func unfollow() async throws {
        let world = try await World()
        let (ana, ben, _) = try await world.three()
        let active = try await ana.contract(with: ben)
        let offered = try await ana.propose(to: ben)
        #expect(try await ben.post("/api/v1/accounts/\(ana.id)/unfollow").status == 200)
        let answer = try await ben.move("accept", offered, try await ben.acceptance())
        #expect(answer.status == 422 && answer["details"]["partner_id"] != .null)
        #expect(try await ben.state(of: active) == "active")
    }

    // MARK: What administrators, backups and downloads show

    @Test("An administrator reads a reported contract's words, sees no stake, and can take the words away")
    func report() async throws {
        let world = try await World()
        let admin = try await world.account("zoe", isAdmin: true)
        let (ana, ben, cleo) = try await world.three()
        let id = try await ana.contract(with: ben, changed: ["promise": "A threat"])
        let answer = try await ben.post("/api/v1/reports", json: ["contract_id": .text(id)])
        #expect(answer.status == 200 && answer["contract_id"].string == id)
        #expect(answer["target_account"]["username"] == "ana")
        #expect(try await cleo.post("/api/v1/reports", json: ["contract_id": .text(id)]).status == 404)
        #expect(try await ben.visit("/contracts/\(id)/report").shows("A threat"))
        let queue = try await admin.visit("/administration")
        #expect(queue.shows("A threat") && queue.shows("Outside") && !queue.shows("stakes/"))
        #expect(try await admin.get("\(Person.contracts)/\(id)").status == 404)
        #expect(try await admin.get(stake(id, of: ana)).status == 404)
        let report = try #require(answer["id"].string)
        #expect(try await admin.submit("/administration/reports/\(report)/remove").status == 303)
        let seen = try await ben.get("\(Person.contracts)/\(id)")
        #expect(seen["state"] == "unresolved" && !seen.shows("A threat") && seen["rules"] == [])
        #expect(try await ben.make("stake", id, ["keep": false])["state"] == "unresolved")
    }

    @Test(
        "A party reports a contract after a block by either, and learns nothing of the other",
        arguments: [true, false])
    func reportAfterBlock(isByReporter: Bool) async throws {
        let world = try await World()
        let admin = try await world.account("zoe", isAdmin: true)
        let (ana, ben, cleo) = try await world.three()
        let id = try await ana.contract(with: ben, changed: ["promise": "A threat"])
        try await (isByReporter ? ben : ana).block(isByReporter ? ana : ben)
        #expect(try await ben.visit("/contracts/\(id)").shows("/contracts/\(id)/report"))
        let screen = try await ben.visit("/contracts/\(id)/report")
        #expect(screen.status == 200 && screen.shows("A threat"))
        let answer = try await ben.post("/api/v1/reports", json: ["contract_id": .text(id)])
        #expect(answer.status == 200 && answer["contract_id"].string == id)
        #expect(answer["target_account"] == .null)
        let sent = try await ben.submit("/contracts/\(id)/report", ["reason": "mean"])
        #expect(sent.status == 303)
        for seen in [screen, answer] { #expect(!seen.shows("\(ana.id)") && !seen.shows(">ana<")) }
        #expect(try await cleo.visit("/contracts/\(id)/report").status == 404)
        let queue = try await admin.visit("/administration")
        #expect(queue.shows("A threat") && queue.shows("ana"))
    }

    @Test("A backup has no stake; after a restore nothing can be published, or published again")
    func backup() async throws {
        let world = try await World()
        let (ana, ben, cleo) = try await world.three()
        let active = try await ana.contract(with: ben, witness: cleo)
        let offered = try await ana.propose(to: ben)
        let broken = try await ana.contract(with: ben)
        try await ben.make("admit", broken)
        let paths = (1...2).map { _ in NSTemporaryDirectory() + "tintype-test-" + UUID().uuidString }
        defer { for path in paths { try? FileManager.default.removeItem(atPath: path) } }
        // The post's photo has an original and six renditions.
        #expect(try await world.tintype.backUp(to: paths[0]).files == 7)
        try await ben.make("admit", active)
        var configuration = world.tintype.configuration
        configuration.data = paths[1]
        _ = try await TintypeApplication.restore(from: paths[0], configuration)
        let restored = try await World(folder: paths[1], clock: world.clock)
        let again = Person(world: restored, id: ben.id, username: "ben", token: ben.token)
        #expect(try await again.state(of: active) == "unresolved")
        #expect(try await again.state(of: offered) == "lapsed")
        #expect(try await again.move("admit", active).status == 409)
        #expect(try await again.contracts("ended").count == 3)
        try await restored.pass(hours: 24 * 100)
        #expect(try await restored.postsCount() == 1)
        #expect(try await restored.number("SELECT count(*) FROM contract_stakes") == 0)
        #expect(try await restored.tintype.problems() == [])
    }

    @Test("The download has a person's contracts in words, what the others wrote left out, and no stake")
    func download() async throws {
        let world = try await World()
        let (ana, ben, cleo) = try await world.three()
        let id = try await ana.contract(with: ben, witness: cleo)
        try await ana.make("claim", id, ["rule": 0, "note": "Ana wrote this"])
        try await ben.make("dispute", id, ["note": "Ben wrote this"])
        func lists(_ person: Person) async throws -> String {
            let data = world.tintype.features.contracts.accountData
            let rows = try await world.tintype.database.read { transaction in
                try (data?.lists ?? []).map { try $0.page(of: person.id, after: 0, transaction).rows }
            }
            return rows.joined().map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
        }
        let (anas, bens, cleos) = try await (lists(ana), lists(ben), lists(cleo))
        #expect(
            anas.contains("We run every Sunday") && anas.contains("An hour")
                && anas.contains("I stayed in bed"))
        #expect(anas.contains("Ana wrote this") && !anas.contains("Ben wrote this"))
        #expect(bens.contains("Ben wrote this") && !bens.contains("Ana wrote this"))
        #expect(cleos.contains("We run every Sunday"))
        for secret in ["wrote this", "I stayed in bed", "Embarrassing"] { #expect(!cleos.contains(secret)) }
        #expect(!anas.contains("Worse") && !anas.contains("Embarrassing"))
    }

    @Test("The download has all contracts, rules and moves, also after many that have none")
    func longDownload() async throws {
        let world = try await World()
        let (ana, ben, cleo) = try await world.three()
        let count = 205
        try await world.tintype.database.write { transaction in
            let store = ContractStore(transaction)
            for index in 1...count {
                let id = Contract.ID(rawValue: transaction.newID())
                let progress = ContractProgress(
                    proposedAt: transaction.now, endsAt: transaction.now.addingTimeInterval(86_400),
                    hasWitness: true)
                try store.insert(
                    id, promise: "Promise \(index)", rules: index == count ? ["The only rule"] : [],
                    breachText: "", progress)
                for (role, person) in [(ContractRole.proposer, ana), (.partner, ben), (.witness, cleo)] {
                    try store.insert(
                        .init(role: role, account: person.id, list: .ended, publishTo: [.server]), into: id)
                }
                _ = try store.insert(.propose, by: .proposer, rule: nil, note: "", of: id)
                if index == count {
                    _ = try store.insert(.judgeUnbroken, by: .witness, rule: nil, note: "", of: id)
                }
            }
        }
        /// The rows of a list, read as a download reads them.
        func rows(_ name: String, of person: Person) async throws -> [JSON] {
            let data = world.tintype.features.contracts.accountData
            let list = try #require(data?.lists.first { $0.name == name })
            var (all, last) = ([JSON](), Int64(0))
            while true {
                let place = last
                let page = try await world.tintype.database.read {
                    try list.page(of: person.id, after: place, $0)
                }
                guard !page.rows.isEmpty else { return all }
                all += page.rows.map { JSON($0) }
                last = page.last
            }
        }
        for person in [ana, cleo] {
            let promises = try await rows("contracts", of: person).compactMap { $0["promise"].string }
            #expect(promises == (1...count).map { "Promise \($0)" })
            #expect(try await rows("contract_rules", of: person).map { $0["rule"] } == ["The only rule"])
        }
        #expect(try await rows("contract_moves", of: ana).count == count + 1)
        #expect(try await rows("contract_moves", of: cleo).map { $0["move"] } == ["judge_unbroken"])
    }

    // MARK: Limits

    @Test("A person has at most ten open contracts; offers of others don't count before they are accepted")
    func tenOpen() async throws {
        let world = try await World()
        let (ana, ben, cleo) = try await world.three()
        var ids: [String] = []
        for _ in 1...10 { ids.append(try await ana.propose(to: ben)) }
        let eleventh = try await ana.post(Person.contracts, json: try await ana.proposal(to: cleo))
        #expect(eleventh.status == 422 && eleventh["details"]["contract"] != .null)
        // Ben has been asked ten times, and may ask somebody himself.
        _ = try await ben.propose(to: cleo)
        for id in ids.prefix(9) { try await ben.accept(id) }
        #expect(try await ben.move("accept", ids[9], try await ben.acceptance()).status == 422)
        try await ana.make("forfeit", ids[0])
        _ = try await ana.propose(to: cleo)
        try await ben.accept(ids[9])
    }

    @Test("A process that is killed in the middle leaves the move with its post, or neither")
    func oneTransaction() async throws {
        let world = try await World()
        let (ana, ben, _) = try await world.three()
        let id = try await ana.contract(with: ben)
        let contracts = world.tintype.features.contracts.contracts
        let account = try await world.tintype.database.read {
            try AccountRecords($0).unchecked(ben.id)
        }
        let viewer = try #require(account)
        struct Killed: Error {}
        // This does the work of a move in a transaction that is never committed.
        await #expect(throws: Killed.self) {
            try await world.tintype.database.write { transaction in
                var contract = try ContractRecords(transaction).loaded(
                    try #require(Contract.ID(id)), for: viewer
                ).contract
                #expect(try contracts.step(&contract, .admit, by: .partner, transaction))
                #expect(try ContractStore(transaction).publishing(of: contract.id)?.post != nil)
                throw Killed()
            }
        }
        #expect(try await ben.state(of: id) == "active")
        #expect(try await world.postsCount() == 0)
        #expect(try await ana.get(stake(id, of: ben)).status == 200)
        try await ben.make("admit", id)
        #expect(try await world.postsCount() == 1)
    }

    @Test("A breach whose photo can't be published is undone, wherever it should go")
    func impossibleBreach() async throws {
        let world = try await World()
        let (ana, ben, cleo) = try await world.three()
        let admitted = try await ana.contract(with: ben)
        let judged = try await ana.contract(with: ben, witness: cleo)
        try await ana.make("claim", judged, ["rule": 0])
        try await ben.make("dispute", judged)
        try await world.tintype.database.write {
            _ = try $0.execute("DELETE FROM contract_stakes WHERE role = 'partner'")
        }
        #expect(try await ben.move("admit", admitted).status == 500)
        #expect(try await cleo.move("judge", judged, ["broken": true]).status == 500)
        #expect(try await ana.state(of: admitted) == "active")
        #expect(try await ana.state(of: judged) == "disputed")
        #expect(try await world.postsCount() == 0)
    }
}
