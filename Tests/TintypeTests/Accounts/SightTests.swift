import HTTPTypes
import Serving
import Testing

@testable import Core
@testable import Tintype

@Suite("What browsers learn of who asks, and of what that person may see")
struct SightTests {
    /// What answers say of who asks.
    private func asker(_ person: Person, _ path: String = "/home") async throws -> String? {
        try await person.visit(path).headers[.account]
    }

    @Test("Every answer to a browser names the account, and none without a log-in")
    func names() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        for path in ["/home", "/settings", "/offline", "/api/v1/accounts/verify_credentials"] {
            #expect(try await asker(ana, path) == "\(ana.id)-0", "\(path)")
        }
        let stranger = Person(world: world, id: ana.id, username: "ana", token: nil)
        #expect(try await asker(stranger, "/login") == "none")
    }

    @Test("A page says that nobody is logged in only when that was looked up: what waits is erased then")
    func loggedOut() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        #expect(try await world.send(.get, "/login").shows(" data-logged-out"))
        #expect(try await ana.visit("/home").shows(" data-logged-out") == false)
        let foreign: HTTPFields = [.fetchSite: "cross-site", .accept: "text/html"]
        let refused = try await world.send(.post, "/home", headers: foreign)
        #expect(refused.status == 403 && refused.shows("<html"))
        #expect(!refused.shows("data-logged-out") && !refused.shows("data-account"))
    }

    @Test("A page of somebody who was logged in before changes nothing for the next person")
    func staleTab() async throws {
        let world = try await World()
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        let page = try await ben.visit("/home")
        #expect(page.shows("data-account=\"\(ben.id)\""))
        let token = try #require(ben.token)
        func follow(from account: String) async throws -> Int {
            let headers: HTTPFields = [
                .fetchSite: "same-origin", .accept: "application/json", .account: account,
                .cookie: "tintype_session=\(token)",
            ]
            return try await world.send(.post, "/api/v1/accounts/\(ana.id)/follow", headers: headers).status
        }
        #expect(try await follow(from: "\(ana.id)") == 401)
        #expect(try await follow(from: "\(ben.id)") == 200)
        // Nor does it listen to their events.
        #expect(try await ben.get("/api/v1/events?account=\(ana.id)").status == 409)
    }

    @Test("A page of this server, and no other site, has the browser empty its own cache")
    func browserCache() async throws {
        let world = try await World()
        func said(_ path: String, from site: String) async throws -> String? {
            try await world.send(.get, path, headers: [.fetchSite: site]).headers[.clearSiteData]
        }
        #expect(try await said("/offline?forget=", from: "same-origin") == "\"cache\"")
        #expect(try await said("/offline?forget=", from: "cross-site") == nil)
        #expect(try await said("/offline", from: "same-origin") == nil)
    }

    @Test("A block, the end of a follow and a removed follower are another epoch of those who may see less")
    func relations() async throws {
        let world = try await World()
        let (ana, ben, cleo) = (
            try await world.account("ana"), try await world.account("ben"), try await world.account("cleo")
        )
        func change(_ act: () async throws -> Void, changes expected: Set<String>) async throws {
            let people = [ana, ben, cleo]
            var before: [String?] = []
            for person in people { before.append(try await asker(person)) }
            try await act()
            var changed: Set<String> = []
            for (person, old) in zip(people, before) where try await asker(person) != old {
                changed.insert(person.username)
            }
            #expect(changed == expected)
        }
        try await change({ try await ana.follow(ben) }, changes: [])
        try await change({ try await ben.follow(ana) }, changes: [])
        try await change({ _ = try await ana.post("/api/v1/accounts/\(ben.id)/unfollow") }, changes: ["ana"])
        // They may see no less the second time.
        try await change({ _ = try await ana.post("/api/v1/accounts/\(ben.id)/unfollow") }, changes: [])
        try await change(
            { _ = try await ana.post("/api/v1/accounts/\(ben.id)/remove_from_followers") }, changes: ["ben"])
        try await change({ try await ana.block(ben) }, changes: ["ana", "ben"])
        try await change({ _ = try await ana.post("/api/v1/accounts/\(ben.id)/unblock") }, changes: [])
    }

    @Test(
        "A suspension, a deletion and followers that are approved from now on are another epoch of everyone")
    func everyone() async throws {
        let world = try await World()
        let (olga, ana) = (try await world.account("olga"), try await world.account("ana"))
        let (ben, cleo) = (try await world.account("ben"), try await world.account("cleo"))
        let first = try await asker(ana)
        #expect(try await olga.submit("/administration/accounts/\(ben.id)/suspend").status == 303)
        let second = try await asker(ana)
        #expect(second != first)
        let locked = try await cleo.send(
            .patch, "/api/v1/accounts/update_credentials", json: ["locked": true])
        #expect(locked.status == 200)
        let third = try await asker(ana)
        #expect(third != second)
        #expect(try await cleo.submit("/settings/delete", ["password": "correct horse"]).status == 303)
        let fourth = try await asker(ana)
        #expect(fourth != third)
        // It is in the database: a session that is read again brings it along.
        let phone = try await ana.logIn(.browser, device: "Phone")
        #expect(try await asker(phone) == fourth)
    }
}
