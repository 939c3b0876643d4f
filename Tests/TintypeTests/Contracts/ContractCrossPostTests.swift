import Foundation
import Testing

@testable import Tintype

@Suite("Breaches on a connected account", .timeLimit(.minutes(15)))
struct ContractCrossPostTests {
    /// Two friends, of whom ana has a connected account and stakes a photo to be published at some places; the contract.
    private func scene(
        publishTo places: JSON,
        _ body: @escaping @Sendable (OutsideMastodon, Person, Person, String) async throws -> Void
    ) async throws {
        try await OutsideMastodon.with { server in
            let world = try await World.outward()
            let people = try await world.friends("ana", "ben")
            let (ana, ben) = (people[0], people[1])
            try await ana.connect(server)
            let contract = try await ana.contract(with: ben, changed: ["publish_to": places])
            try await body(server, ana, ben, contract)
        }
    }

    /// Moves the time forward until the publishing of a breach has ended.
    private func publication(of contract: String, for person: Person) async throws -> JSON {
        let world = person.world
        for _ in 0..<60 {
            try await world.work()
            let publication = try await person.get("\(Person.contracts)/\(contract)")["publication"]
            guard ["pending", "retrying"].contains(publication["state"].string) else { return publication }
            world.clock.advance(hours: 1)
        }
        return .null
    }

    @Test("A breach goes out once, here and there or only there, and both parties see where")
    func goesOut() async throws {
        for places: JSON in [["connected"], ["server", "connected"]] {
            try await scene(publishTo: places) { server, ana, ben, contract in
                try await ana.make("admit", contract)
                let publication = try await publication(of: contract, for: ben)
                #expect(publication["state"] == "published")
                #expect(publication["url"].string == "\(server.url)/@ana/109002")
                #expect(server.posts.map(\.text) == ["I stayed in bed"])
                #expect(try await ana.posts().count == places.list.count - 1)
                #expect(try await ben.state(of: contract) == "broken")
                // The photo is its owner's again, and nothing else of it is kept.
                #expect(try await ana.get("/api/v1/photos").json.list.count == 1)
                #expect(try await ana.world.tintype.problems() == [])
                let page = try await ana.visit("/contracts/\(contract)")
                #expect(page.shows("See the post on the connected account"))
            }
        }
    }

    @Test("A lost answer makes no second post, and a look at the account finds the first")
    func lostAnswer() async throws {
        try await scene(publishTo: ["connected"]) { server, ana, _, contract in
            server.remembersKeys(false)
            server.misbehaveOnce { $0.creates ? .lostAnswer : nil }
            try await ana.make("admit", contract)
            #expect(try await publication(of: contract, for: ana)["state"] == "published")
            #expect(server.posts.count == 1)
        }
    }

    @Test("Nobody is published by the other's breach, nor after disconnecting")
    func disconnected() async throws {
        try await scene(publishTo: ["connected"]) { server, ana, ben, contract in
            _ = try await ana.submit("/settings/connected/disconnect", [:])
            try await ana.make("admit", contract)
            #expect(try await publication(of: contract, for: ana)["state"] == "revoked")
            #expect(server.posts.isEmpty)
            let page = try await ana.visit("/contracts/\(contract)")
            #expect(page.shows("because the account was disconnected"))
        }
        try await scene(publishTo: ["connected"]) { server, _, ben, contract in
            try await ben.make("admit", contract)
            try await ben.world.work()
            #expect(server.posts.isEmpty)
            #expect(try await ben.posts() == ["I stayed in bed"])
        }
    }

    @Test("Without a connected account the form offers none, and the interface refuses it")
    func notConnected() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let page = try await people[0].visit("/contracts/new/\(people[1].id)")
        #expect(!page.shows("On your connected account"))
        #expect(page.shows("connect one"))
        let form = try await people[0].proposal(to: people[1], changed: ["publish_to": ["connected"]])
        #expect(try await people[0].post(Person.contracts, json: form).status == 422)
    }
}
