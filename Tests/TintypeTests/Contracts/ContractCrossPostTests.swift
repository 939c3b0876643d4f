import Foundation
import HTTPTypes
import Storage
import Testing

@testable import Core
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
            #expect(page.shows("because Tintype has no access to it any more"))
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

    @Test(
        "While a breach waits for the breaker's server, the other already has their photo back",
        arguments: [true, false])
    func othersStake(keep: Bool) async throws {
        try await scene(publishTo: ["connected"]) { server, ana, ben, contract in
            server.misbehave { _ in .answers(503) }
            try await ana.make("admit", contract)
            try await ana.world.work()
            let path = "\(Person.contracts)/\(contract)"
            let seen = try await ben.get(path)
            #expect(seen["publication"]["state"] == "retrying" && seen["may_free_stake"] == true)
            #expect(try await ana.get(path)["may_free_stake"] == false)
            let page = try await ben.visit("/contracts/\(contract)")
            #expect(page.shows("Put it in my library") && page.shows("Ana’s photo couldn’t be published"))
            #expect(!page.shows("Your photo couldn’t") && !page.shows("Your photo is being published"))
            #expect(!page.shows("Their photo is published"))
            #expect(try await ben.make("stake", contract, ["keep": .bool(keep)])["may_free_stake"] == false)
            #expect(try await ben.get("/api/v1/photos").json.list.count == (keep ? 1 : 0))
            #expect(try await ana.move("stake", contract, ["keep": false]).status == 409)
            #expect(try await ana.get(path)["publication"]["state"] == "retrying")
        }
    }

    @Test("A breach goes to the account that the breaker agreed to, and to no other that is connected later")
    func anotherAccount() async throws {
        try await scene(publishTo: ["connected"]) { server, ana, _, contract in
            try await ana.world.tintype.database.write {
                try $0.execute("UPDATE connected_accounts SET username = 'ana.at.work'")
            }
            try await ana.make("admit", contract)
            #expect(try await publication(of: contract, for: ana)["state"] == "revoked")
            #expect(server.posts.isEmpty)
        }
    }

    @Test("Who is named in the words isn't notified on a server where the name is somebody else's")
    func mentions() async throws {
        try await OutsideMastodon.with { server in
            let world = try await World.outward()
            let people = try await world.friends("ana", "ben")
            try await people[0].connect(server)
            let contract = try await people[0].contract(
                with: people[1],
                changed: ["publish_to": ["server", "connected"], "breach_text": "I lost a bet with @ben"])
            try await people[0].make("admit", contract)
            #expect(try await publication(of: contract, for: people[0])["state"] == "published")
            #expect(server.posts.map(\.text) == ["I lost a bet with @\u{200B}ben"])
            #expect(try await people[0].posts() == ["I lost a bet with @ben"])
        }
    }

    /// What the message above the next page says after a form.
    private func message(after answer: Answer) throws -> String {
        let cookie = try #require(answer.headers[values: .setCookie].first { $0.contains("tintype_flash") })
        let text = try #require(cookie.firstMatch(of: /tintype_flash=good\.([\w-]+)/))
        return String(decoding: try #require(Data(base64URL: String(text.1))), as: UTF8.self)
    }

    @Test("Who admits a breach reads where their photo is")
    func said() async throws {
        for (places, words): (JSON, String) in [
            (["server"], "Your photo is published."),
            (["connected"], "Your photo is being published on your connected account."),
            (
                ["server", "connected"],
                "Your photo is posted here, and is being published on your connected account."
            ),
        ] {
            try await scene(publishTo: places) { _, ana, _, contract in
                let answer = try await ana.submit(
                    "/contracts/\(contract)/admit", ["seen": try await ana.seen(of: contract)])
                #expect(try message(after: answer) == words)
            }
        }
        try await scene(publishTo: ["connected"]) { _, ana, _, contract in
            _ = try await ana.submit("/settings/connected/disconnect", [:])
            let answer = try await ana.submit(
                "/contracts/\(contract)/admit", ["seen": try await ana.seen(of: contract)])
            #expect(try message(after: answer).contains("isn’t published"))
        }
    }

    /// How far the publishing of breaches is, as somebody's notifications say.
    private func news(_ person: Person) async throws -> [String] {
        try await person.get("/api/v1/notifications?types[]=tintype.contract_publication").json.list
            .compactMap { $0["contract"]["publication"].string }
    }

    @Test("Only the breaker hears that nobody knows whether it is out, and that it was given up")
    func uncertain() async throws {
        try await scene(publishTo: ["connected"]) { server, ana, ben, contract in
            server.misbehave { $0.lists ? .answers(403) : $0.creates ? .cutOff : nil }
            try await ana.make("admit", contract)
            #expect(try await publication(of: contract, for: ana)["state"] == "uncertain")
            #expect(try await news(ana) == ["uncertain"])
            let page = try await ana.visit("/notifications")
            #expect(page.shows("We don’t know whether your photo was published."))
            #expect(page.shows("href=\"/contracts/\(contract)\""))
            try await ana.world.pass(hours: 30 * 24 + 1)
            #expect(try await news(ana) == ["failed"])
            #expect(try await ana.visit("/notifications").shows("Your photo couldn’t be published"))
            #expect(try await news(ben) == [])
            #expect(try await ana.world.tintype.problems() == [])
        }
    }

    @Test("What is found by hand after disconnecting has no address")
    func settledWithoutAccount() async throws {
        try await scene(publishTo: ["connected"]) { server, ana, _, contract in
            server.misbehave { $0.lists ? .answers(403) : $0.creates ? .lostAnswer : nil }
            try await ana.make("admit", contract)
            #expect(try await publication(of: contract, for: ana)["state"] == "uncertain")
            _ = try await ana.submit("/settings/connected/disconnect", [:])
            let settings = try await ana.visit("/settings/connected")
            let form = try #require(settings.text.firstMatch(of: /posts\/(\d+)\/settle/))
            let answer = try await ana.submit(
                "/settings/connected/posts/\(form.1)/settle", ["published": "true"])
            #expect(answer.status == 303)
            let publication = try await publication(of: contract, for: ana)
            #expect(publication["state"] == "published" && publication["url"] == .null)
        }
    }

    @Test("A refusal makes a notification at once, but none if the breaker has seen it already")
    func settled() async throws {
        try await scene(publishTo: ["connected"]) { server, ana, ben, contract in
            server.misbehave { $0.uploads ? .answers(422) : nil }
            try await ana.make("admit", contract)
            #expect(try await publication(of: contract, for: ana)["state"] == "failed")
            #expect(try await news(ana) == ["failed"])
            #expect(try await news(ben) == [])
        }
        try await scene(publishTo: ["connected"]) { server, ana, ben, contract in
            server.misbehave { $0.uploads ? .answers(401) : nil }
            try await ana.make("admit", contract)
            #expect(try await publication(of: contract, for: ana)["state"] == "revoked")
            #expect(try await news(ana) == ["revoked"])
            #expect(try await news(ben) == [])
        }
        try await scene(publishTo: ["connected"]) { server, ana, ben, contract in
            server.misbehave { $0.lists ? .answers(403) : $0.creates ? .cutOff : nil }
            try await ana.make("admit", contract)
            #expect(try await publication(of: contract, for: ana)["state"] == "uncertain")
            let settings = try await ana.visit("/settings/connected")
            let form = try #require(settings.text.firstMatch(of: /posts\/(\d+)\/settle/))
            let answer = try await ana.submit(
                "/settings/connected/posts/\(form.1)/settle", ["published": "true"])
            #expect(answer.status == 303)
            #expect(try await news(ana) == [])
            #expect(
                try await ben.get("\(Person.contracts)/\(contract)")["publication"]["state"] == "published")
        }
    }
}
