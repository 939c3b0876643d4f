import Foundation
import HTTPTypes
import Storage
import Testing

@testable import Core
@testable import Making
@testable import Serving
@testable import Tintype

/// The limits that two servers with one database keep together.
@Suite("Limits of two servers")
struct TwoServersLimitTests {
    private func logIn(_ world: World, _ password: String = "guess") async throws -> Answer {
        try await world.stranger.submit("/login", ["username": "ana", "password": password])
    }

    @Test("Wrong passwords are counted together, and a right one forgives those of its place on both")
    func passwords() async throws {
        let (here, there) = try await World.two { $0.limits.logIns = 4 }
        _ = try await here.account("ana")
        for world in [here, there, here, there] { #expect(try await logIn(world).status == 401) }
        for world in [here, there] {
            let refused = try await logIn(world)
            #expect(refused.status == 429 && refused.headers[.retryAfter] == "15")
        }
        here.clock.advance(seconds: 15)
        #expect(try await logIn(there, "correct horse").status == 303)
        for world in [here, there, here, there] { #expect(try await logIn(world).status == 401) }
        #expect(try await logIn(there).status == 429)
    }

    @Test("Two attempts at once are counted as two")
    func atOnce() async throws {
        let (here, there) = try await World.two { $0.limits.logIns = 6 }
        _ = try await here.account("ana")
        let answers = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<10 {
                group.addTask { try await self.logIn(number.isMultiple(of: 2) ? here : there).status }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count { $0 == 401 } == 6 && answers.count { $0 == 429 } == 4, "\(answers)")
    }

    @Test("A confirmed password that is wrong counts for its log-in on both")
    func confirmation() async throws {
        let (here, there) = try await World.two { $0.limits.logIns = 2 }
        let ana = try await here.account("ana")
        func delete(_ world: World) async throws -> Int {
            try await ana.at(world).submit("/settings/delete", ["password": "guess"]).status
        }
        #expect(try await delete(here) == 422)
        #expect(try await delete(there) == 422)
        #expect(try await delete(here) == 429)
        #expect(try await delete(there) == 429)
    }

    @Test(
        "The database holds codes of what is counted, no longer than it counts; a server alone holds it in memory"
    )
    func rows() async throws {
        let (here, there) = try await World.two()
        _ = try await here.account("ana")
        func count() async throws -> Int { try await here.number("SELECT count(*) FROM attempts") }
        #expect(try await logIn(here).status == 401)
        #expect(try await logIn(there).status == 401)
        // The account from this network, the account from all, and the network.
        #expect(try await count() == 3)
        #expect(try await here.number("SELECT count(*) FROM attempts WHERE length(code) = 44") == 3)
        #expect(try await here.number("SELECT count(*) FROM jobs WHERE kind = 'sweep-attempts'") == 1)
        here.clock.advance(seconds: 300)
        try await there.work()
        // The pauses of a network are short.
        #expect(try await count() == 2)
        here.clock.advance(hours: 1)
        try await there.work()
        #expect(try await count() == 0)
        #expect(try await here.number("SELECT count(*) FROM jobs WHERE kind = 'sweep-attempts'") == 0)
        #expect(try await logIn(here).status == 401)
        #expect(try await here.number("SELECT count(*) FROM jobs WHERE kind = 'sweep-attempts'") == 1)
    }

    @Test("A server alone counts in memory", .onlySQLite)
    func alone() async throws {
        let world = try await World { $0.limits.logIns = 1 }
        _ = try await world.account("ana")
        #expect(try await logIn(world).status == 401)
        #expect(try await logIn(world).status == 429)
        #expect(try await world.number("SELECT count(*) FROM attempts") == 0)
    }

    @Test("A sweep keeps so many rows, those that count longest")
    func most() async throws {
        let (here, _) = try await World.two()
        let kind = AttemptKind("test", forgivenIn: 60)
        for (name, number) in [("few", 1), ("many", 5), ("some", 3)] {
            let key = AttemptKey(kind, name)
            try await here.tintype.parts.attempts.update([key]) { tally in
                for _ in 0..<number { tally.add(key) }
            }
        }
        try await here.tintype.database.write { try AttemptRows($0).sweep(most: 2) }
        let kept = try await here.tintype.database.read {
            try $0.values("SELECT number FROM attempts ORDER BY number", as: Double.self)
        }
        #expect(kept == [3, 5])
        try await here.tintype.database.write { try AttemptRows($0).deleteAll() }
        #expect(try await here.number("SELECT count(*) FROM attempts") == 0)
    }

    @Test("Memory keeps so many keys, those that count longest", .onlySQLite)
    func memory() async throws {
        let counts = try await World().tintype.parts.attempts
        let kind = AttemptKind("test", forgivenIn: 60)
        func number(_ name: String, adding: Int = 0) async throws -> Double {
            let key = AttemptKey(kind, name)
            return try await counts.update([key]) { tally in
                for _ in 0..<adding { tally.add(key) }
                return tally.number(key)
            }
        }
        _ = try await number("many", adding: 3)
        for name in 1..<20_000 { _ = try await number("\(name)", adding: 1) }
        #expect(try await number("1") == 1)
        _ = try await number("one more", adding: 1)
        #expect(try await number("many") == 3)
        var kept = 0
        for name in 1..<20_000 { kept += try await Int(number("\(name)")) }
        #expect(kept == 9_999)
    }

    @Test("Sign-ups of one network are counted together")
    func signUps() async throws {
        let (here, there) = try await World.two { $0.limits.signUps = 2 }
        func signUp(_ world: World, _ name: String) async throws -> Answer {
            try await world.stranger.submit(
                "/signup", ["username": name, "display_name": "Someone", "password": "correct horse"])
        }
        #expect(try await signUp(here, "ana").status == 303)
        #expect(try await signUp(there, "ben").status == 303)
        for world in [here, there] {
            let refused = try await signUp(world, "cleo")
            #expect(refused.status == 429 && refused.headers[.retryAfter] == "1800")
        }
        here.clock.advance(seconds: 1800)
        #expect(try await signUp(there, "cleo").status == 303)
    }

    @Test("Apps that one network registers, and all, are counted together")
    func registrations() async throws {
        let (here, there) = try await World.two { $0.limits.appRegistrations = 2 }
        _ = try await here.app()
        _ = try await there.app()
        for world in [here, there] {
            let refused = try await world.stranger.post(
                "/api/v1/apps", json: ["client_name": "A", "redirect_uris": "a://x"])
            #expect(refused.status == 429)
        }
        let (first, second) = try await World.two { $0.limits.allAppRegistrations = 1 }
        _ = try await first.app()
        let refused = try await second.stranger.post(
            "/api/v1/apps", json: ["client_name": "A", "redirect_uris": "a://x"])
        #expect(refused.status == 429)
    }

    @Test("Unused invitations of one person are bounded on both together")
    func invitations() async throws {
        let (here, there) = try await World.two()
        let ana = try await here.account("ana")
        for number in 0..<20 {
            _ = try await (number.isMultiple(of: 2) ? here : there).tintype.invitations.invite(by: ana.id)
        }
        for world in [here, there] {
            await #expect(throws: Refusal.self) { try await world.tintype.invitations.invite(by: ana.id) }
        }
    }

    @Test("Both together ask another server's interface no more often than it allows")
    func sources() async throws {
        try await SourceServer.with({ _ in .json(SourceFixtures.commons([])) }) { sources in
            let (here, there) = try await World.two { $0.ask(sources) }
            let ana = try await here.account("ana")
            // All calls of this hour but two, which are to Flickr and Commons each.
            for title in ["Flickr", "Wikimedia Commons"] {
                let key = AttemptKey(AttemptKind("call of \(title)", forgivenIn: 2), "")
                try await here.tintype.parts.attempts.update([key]) { tally in
                    for _ in 0..<1_799 { tally.add(key) }
                }
            }
            _ = try await ana.search("&source=commons")
            #expect(sources.calls.count == 1)
            let refused = try await ana.at(there).search("&source=commons&from_year=1930")
            #expect(refused["sources"][0]["state"] == "failed")
            #expect(refused["sources"][0]["message"].string?.contains("too many requests") == true)
            #expect(sources.calls.count == 1)
            here.clock.advance(seconds: 2)
            _ = try await ana.at(there).search("&source=commons&from_year=1931")
            #expect(sources.calls.count == 2)
        }
    }
}
