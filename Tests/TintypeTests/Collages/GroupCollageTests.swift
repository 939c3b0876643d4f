import HTTPTypes
import Testing

@testable import Tintype

@Suite("Collages filled by groups", .timeLimit(.minutes(15)))
struct GroupCollageTests {
    /// A group of four of whom bea, cleo and dora are friends of ana only.
    private struct Scene {
        let world: World
        let ana: Person
        let bea: Person
        let cleo: Person
        let dora: Person
        let group: String

        init() async throws {
            world = try await World()
            let people = try await world.friends("ana", "bea")
            (ana, bea) = (people[0], people[1])
            (cleo, dora) = (try await world.account("cleo"), try await world.account("dora"))
            for person in [cleo, dora] {
                try await ana.follow(person)
                try await person.follow(ana)
            }
            group = try await ana.group(with: bea, cleo, dora, title: "Pizza")
        }

        /// Begins a collage of bea's in the group; its id.
        func begin() async throws -> String {
            let begun = try await bea.post("/api/v1/collage_drafts", json: ["chat_id": .text(group)])
            try #require(begun.status == 201, "a collage was refused: \(begun.text)")
            return try #require(begun["id"].string)
        }

        func invite(_ group: String, to collage: String, by person: Person) async throws -> Answer {
            try await person.patch(
                "/api/v1/collage_drafts/\(collage)", json: ["chat_ids": .list([.text(group)])])
        }

        /// The usernames of those who fill a collage besides its owner.
        func people(of collage: String, seenBy person: Person) async throws -> [String?] {
            try await person.get("/api/v1/collage_drafts/\(collage)")["accounts"].list.map {
                $0["username"].string
            }
        }

        /// The cards of a collage in the group.
        func cards(of collage: String) async throws -> Int {
            try await ana.get("/api/v1/chats/\(group)/messages").json.list.count {
                $0["collage_id"] == .text(collage)
            }
        }
    }

    @Test("A collage that begins in a group is filled by everyone in it, also by those who aren't friends")
    func group() async throws {
        let scene = try await Scene()
        let (ana, bea, cleo, dora) = (scene.ana, scene.bea, scene.cleo, scene.dora)
        let page = try await bea.visit("/collage/with/\(scene.group)")
        #expect(page.shows("Everyone in “Pizza”") && page.shows("take part when you invite the group again"))
        #expect(try await bea.visit("/messages/\(scene.group)").shows("/collage/with/\(scene.group)"))
        let draft = try await scene.begin()
        #expect(try await scene.people(of: draft, seenBy: cleo) == ["ana", "cleo", "dora"])
        #expect(try await scene.cards(of: draft) == 1)
        let photo = try await cleo.photo()
        #expect(try await cleo.fill(0, of: draft, photo: photo).status == 200)
        for person in [ana, bea, dora] {
            #expect(try await person.visit("/messages/\(scene.group)").shows("1 of 3 cells filled"))
            #expect(try await person.visit("/collage/\(draft)/card").shows("1 of 3 cells filled"))
            #expect(try await person.get("/photos/\(photo)/large").status == 200)
        }
        #expect(try await dora.fill(1, of: draft).status == 200)
        #expect(try await bea.fill(2, of: draft).status == 200)
        _ = try await bea.finish(draft)
        try await scene.world.work()
        #expect(try await cleo.get("/api/v1/photos?kind=collage").json.list.count == 1)
        #expect(try await dora.visit("/messages/\(scene.group)").shows("Finished collage"))
        #expect(try await ana.get("/photos/\(photo)/large").status == 404, "she gave no photo")
    }

    @Test("A change of one arrives at the phones of all in the group")
    func live() async throws {
        let scene = try await Scene()
        let draft = try await scene.begin()
        let photo = try await scene.cleo.photo()
        let events = try await scene.ana.receives(until: #""id":"\#(photo)""#) {
            let others = try await scene.dora.receives(until: #""id":"\#(photo)""#) {
                try await scene.cleo.fill(0, of: draft, photo: photo)
            }
            #expect(others.contains("/photos/\(photo)/large?v=\(try await scene.dora.session)"))
        }
        #expect(events.contains("/photos/\(photo)/large?v=\(try await scene.ana.session)"))
    }

    @Test("Who leaves the group or is removed leaves its unfinished collages, with their photos")
    func leaving() async throws {
        let scene = try await Scene()
        let (ana, bea, cleo, dora) = (scene.ana, scene.bea, scene.cleo, scene.dora)
        let draft = try await scene.begin()
        let path = "/api/v1/collage_drafts/\(draft)"
        let photo = try await cleo.photo()
        try await cleo.fill(0, of: draft, photo: photo)
        try await dora.fill(1, of: draft)
        _ = try await ana.delete("/api/v1/chats/\(scene.group)/members/\(cleo.id)")
        #expect(try await cleo.get(path).status == 404)
        #expect(try await bea.get("/photos/\(photo)/large").status == 404)
        let left = try await bea.get(path)
        #expect(left["cells"][0]["photo"] == .null && left["cells"][1]["photo"] != .null)
        // When the owner leaves, the collage goes on without the group.
        try await bea.fill(2, of: draft)
        _ = try await bea.delete("/api/v1/chats/\(scene.group)/members/\(bea.id)")
        #expect(try await dora.get(path).status == 404)
        let own = try await bea.get(path)
        #expect(own["accounts"] == [] && own["chat_id"] == .null)
        #expect(own["cells"][1]["photo"] == .null && own["cells"][2]["photo"] != .null)
        #expect(try await dora.visit("/messages/\(scene.group)").shows("no longer available"))
    }

    @Test("The collage of an owner who leaves the group goes on without it, also without company")
    func leavingAlone() async throws {
        let scene = try await Scene()
        let bea = scene.bea
        let draft = try await scene.begin()
        for person in [scene.ana, scene.cleo, scene.dora] {
            #expect(try await person.delete("/api/v1/collage_drafts/\(draft)").status == 200)
        }
        #expect(try await bea.get("/api/v1/collage_drafts/\(draft)")["chat_id"] == .text(scene.group))
        let events = try await bea.receives(until: #""chat_id":null,"copied_from":null"#) {
            _ = try await bea.delete("/api/v1/chats/\(scene.group)/members/\(bea.id)")
        }
        #expect(events.contains(draft))
        #expect(try await bea.get("/api/v1/collage_drafts/\(draft)")["chat_id"] == .null)
    }

    @Test("A finished collage stays when somebody leaves the group")
    func finished() async throws {
        let scene = try await Scene()
        let (bea, cleo) = (scene.bea, scene.cleo)
        let draft = try await scene.begin()
        let photo = try await cleo.photo()
        try await cleo.fill(0, of: draft, photo: photo)
        try await bea.fill(1, of: draft)
        try await bea.fill(2, of: draft)
        _ = try await bea.finish(draft)
        try await scene.world.work()
        _ = try await cleo.delete("/api/v1/chats/\(scene.group)/members/\(cleo.id)")
        let shown = try await cleo.get("/api/v1/collage_drafts/\(draft)")
        #expect(shown["cells"][0]["photo"]["id"] == .text(photo))
        #expect(try await bea.get("/photos/\(photo)/large").status == 200)
    }

    @Test("Who joins later takes part when the group is invited again, which sends one more card")
    func joining() async throws {
        let scene = try await Scene()
        let (ana, bea) = (scene.ana, scene.bea)
        let draft = try await scene.begin()
        let eli = try await scene.world.account("eli")
        try await ana.follow(eli)
        try await eli.follow(ana)
        let add = "/api/v1/chats/\(scene.group)/members"
        #expect(try await ana.post(add, json: ["account_ids": .list([.text("\(eli.id)")])]).status == 200)
        #expect(try await eli.get("/api/v1/collage_drafts/\(draft)").status == 404)
        #expect(try await bea.visit("/collage/\(draft)/together").shows("Pizza"), "it is offered")
        for _ in 1...2 { #expect(try await scene.invite(scene.group, to: draft, by: bea).status == 200) }
        #expect(try await scene.people(of: draft, seenBy: eli) == ["ana", "cleo", "dora", "eli"])
        #expect(try await scene.cards(of: draft) == 2)
        #expect(try await eli.visit("/messages/\(scene.group)").shows("<collage-card"))
    }

    @Test("A group is chosen like friends; who was invited by name stays when they leave the group")
    func choosing() async throws {
        let scene = try await Scene()
        let (ana, bea, cleo) = (scene.ana, scene.bea, scene.cleo)
        let draft = try await ana.collage(with: [bea])
        let chosen: KeyValuePairs = ["chat": scene.group, "to": "\(cleo.id)"]
        #expect(try await ana.submit("/collage/\(draft)/invite", chosen).status == 303)
        #expect(try await scene.people(of: draft, seenBy: ana) == ["bea", "cleo", "dora"])
        #expect(try await scene.cards(of: draft) == 1)
        let page = try await ana.visit("/collage/\(draft)/together")
        #expect(page.shows("People who leave a group that was invited"))
        for person in [bea, cleo, scene.dora] {
            _ = try await person.delete("/api/v1/chats/\(scene.group)/members/\(person.id)")
        }
        #expect(try await scene.people(of: draft, seenBy: ana) == ["bea", "cleo"])
    }

    @Test("Nobody fills a collage with somebody they block")
    func blocked() async throws {
        let scene = try await Scene()
        let (ana, bea, cleo, dora) = (scene.ana, scene.bea, scene.cleo, scene.dora)
        try await cleo.block(dora)
        let begun = try await scene.begin()
        #expect(try await scene.people(of: begun, seenBy: bea) == ["ana", "dora"], "cleo blocks dora")
        #expect(try await cleo.get("/api/v1/collage_drafts/\(begun)").status == 404)
        #expect(try await cleo.visit("/messages/\(scene.group)").shows("no longer available"))
        // Neither in the collage of the other.
        for (owner, other) in [(cleo, "dora"), (dora, "cleo")] {
            let own = try await owner.post("/api/v1/collage_drafts", json: ["chat_id": .text(scene.group)])
            #expect(try await !scene.people(of: own["id"].string ?? "", seenBy: owner).contains(other))
        }
        // A block meanwhile parts them.
        try await ana.block(dora)
        #expect(try await scene.people(of: begun, seenBy: bea) == ["dora"])
        let eli = try await scene.world.account("eli")
        try await eli.block(bea)
        try await ana.follow(eli)
        try await eli.follow(ana)
        let other = try await ana.group(with: cleo, eli)
        try await cleo.follow(bea)
        try await bea.follow(cleo)
        _ = try await cleo.post(
            "/api/v1/chats/\(other)/members", json: ["account_ids": .list([.text("\(bea.id)")])])
        let invited = try await ana.collage()
        #expect(try await scene.invite(other, to: invited, by: ana).status == 200)
        #expect(try await scene.people(of: invited, seenBy: ana) == ["bea", "cleo"], "eli blocks bea")
        #expect(try await scene.invite(other, to: begun, by: dora).status == 409, "only the owner invites")
        #expect(try await scene.invite(other, to: begun, by: eli).status == 404)
    }

    @Test("Nobody comes into a collage in which somebody blocks them, by a group or by name")
    func apart() async throws {
        let scene = try await Scene()
        let (ana, bea, cleo) = (scene.ana, scene.bea, scene.cleo)
        try await bea.block(cleo)
        let draft = try await ana.collage(with: [bea])
        #expect(try await scene.invite(scene.group, to: draft, by: ana).status == 200)
        #expect(try await scene.people(of: draft, seenBy: ana) == ["bea", "dora"], "bea blocks cleo")
        let other = try await ana.collage(with: [cleo])
        for (collage, person, rest) in [(draft, cleo, ["bea", "dora"]), (other, bea, ["cleo"])] {
            let refused = try await ana.patch(
                "/api/v1/collage_drafts/\(collage)", json: ["account_ids": .list([.text("\(person.id)")])])
            #expect(refused.status == 422 && refused.shows("Bea and Cleo"))
            #expect(try await scene.people(of: collage, seenBy: ana) == rest)
        }
        let both: [JSON] = [bea, cleo].map { .text("\($0.id)") }
        #expect(
            try await ana.post("/api/v1/collage_drafts", json: ["account_ids": .list(both)]).status == 422)
        #expect(try await scene.invite(scene.group, to: other, by: ana).status == 200)
        #expect(try await scene.people(of: other, seenBy: ana) == ["cleo", "dora"], "nor she with cleo")
    }

    @Test("A group is invited only by those in it, a chat of two isn't one, and fifty people are the most")
    func refusals() async throws {
        let scene = try await Scene()
        let (ana, bea, cleo) = (scene.ana, scene.bea, scene.cleo)
        let olga = try await scene.world.account("olga")
        let own = try await olga.collage()
        #expect(try await scene.invite(scene.group, to: own, by: olga).status == 404)
        let begun = try await olga.post("/api/v1/collage_drafts", json: ["chat_id": .text(scene.group)])
        #expect(begun.status == 404)
        #expect(try await olga.visit("/collage/with/\(scene.group)").status == 404)
        let draft = try await ana.collage()
        #expect(try await scene.invite(try await ana.chat(with: bea), to: draft, by: ana).status == 404)
        try await cleo.block(bea)
        // Cleo is asked first, because bea is in it.
        let asked = try await ana.group(with: bea, cleo)
        let waiting = try await cleo.collage()
        #expect(try await scene.invite(asked, to: waiting, by: cleo).status == 409)
        #expect(try await scene.invite(asked, to: draft, by: ana).status == 200)
        #expect(try await scene.people(of: draft, seenBy: ana) == ["bea"])
        var many: [Person] = []
        for number in 0..<48 {
            let person = try await scene.world.account("person\(number)")
            try await ana.follow(person)
            try await person.follow(ana)
            many.append(person)
        }
        let ids = many.map { JSON.text("\($0.id)") }
        let all = try await ana.post(
            "/api/v1/chats", json: ["account_ids": .list(ids + [.text("\(bea.id)")])])
        let crowd = try #require(all["id"].string)
        let full = try await scene.invite(crowd, to: draft, by: ana)
        #expect(full.status == 200 && full["accounts"].list.count == 49)
        #expect(try await many[47].fill(0, of: draft).status == 200)
        #expect(try await ana.visit("/collage/\(draft)/together").shows("Person47"))
        let more = try await ana.patch(
            "/api/v1/collage_drafts/\(draft)", json: ["account_ids": .list([.text("\(scene.dora.id)")])])
        #expect(more.status == 422 && more.shows("at most 50 people"))
    }

    @Test("A contract is offered from a group to one of the viewer's friends in it")
    func contract() async throws {
        let scene = try await Scene()
        let (ana, bea, cleo, dora) = (scene.ana, scene.bea, scene.cleo, scene.dora)
        #expect(try await ana.visit("/messages/\(scene.group)").shows("/contracts/with/\(scene.group)"))
        let page = try await ana.visit("/contracts/with/\(scene.group)")
        for friend in [bea, cleo, dora] { #expect(page.shows("/contracts/new/\(friend.id)")) }
        let other = try await cleo.visit("/contracts/with/\(scene.group)")
        #expect(other.shows("/contracts/new/\(ana.id)") && !other.shows("/contracts/new/\(bea.id)"))
        _ = try await ana.delete("/api/v1/chats/\(scene.group)/members/\(ana.id)")
        #expect(try await cleo.visit("/contracts/with/\(scene.group)").shows("Nobody in this group is one."))
        #expect(try await ana.visit("/contracts/with/\(scene.group)").status == 404)
    }
}
