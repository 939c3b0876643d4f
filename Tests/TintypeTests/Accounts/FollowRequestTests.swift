import HTTPTypes
import Storage
import Testing

@testable import Core
@testable import Tintype

@Suite("Follow requests")
struct FollowRequestTests {
    /// Ana asks before she is followed, and Ben has asked.
    private func asked() async throws -> (world: World, ana: Person, ben: Person) {
        let world = try await World()
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        let saved = try await ana.submit("/settings/privacy", ["locked": "true"])
        #expect(saved.status == 303)
        let answer = try await ben.post("/api/v1/accounts/\(ana.id)/follow")
        #expect(answer["requested"] == true && answer["following"] == false)
        return (world, ana, ben)
    }

    @Test("A request waits, is counted, and follows once it is accepted")
    func accept() async throws {
        let (_, ana, ben) = try await asked()
        #expect(try await ana.get("/api/v1/follow_requests").json[0]["username"] == "ben")
        let own = try await ana.get("/api/v1/accounts/verify_credentials")
        #expect(own["source"]["follow_requests_count"] == 1)
        #expect(own["followers_count"] == 0)
        let answer = try await ana.post("/api/v1/follow_requests/\(ben.id)/authorize")
        #expect(answer["followed_by"] == true)
        #expect(try await ana.get("/api/v1/follow_requests").json == [])
        #expect(try await ana.get("/api/v1/accounts/\(ana.id)")["followers_count"] == 1)
        #expect(try await ben.get("/api/v1/accounts/\(ben.id)")["following_count"] == 1)
        #expect(try await ana.post("/api/v1/follow_requests/\(ben.id)/authorize").status == 404)
        // Answered is answered: no notification asks again.
        #expect(try await ana.get("/api/v1/notifications?types[]=follow_request").json == [])
    }

    @Test("A declined request leaves no trace, and may be made again")
    func reject() async throws {
        let (_, ana, ben) = try await asked()
        let answer = try await ana.submit("/requests/\(ben.id)/reject")
        #expect(answer.status == 303)
        let relationship = try await ben.get("/api/v1/accounts/relationships?id[]=\(ana.id)").json[0]
        #expect(relationship["requested"] == false && relationship["following"] == false)
        #expect(try await ben.post("/api/v1/accounts/\(ana.id)/follow")["requested"] == true)
    }

    @Test("Declining doesn't end a follow that was accepted; removing a follower does")
    func remove() async throws {
        let (_, ana, ben) = try await asked()
        _ = try await ana.submit("/requests/\(ben.id)/accept")
        #expect(try await ana.submit("/requests/\(ben.id)/reject").status == 404)
        #expect(try await ana.get("/api/v1/accounts/\(ana.id)")["followers_count"] == 1)
        #expect(try await ana.submit("/accounts/\(ben.id)/remove").status == 303)
        #expect(try await ana.get("/api/v1/accounts/\(ana.id)")["followers_count"] == 0)
        #expect(try await ben.get("/api/v1/accounts/\(ben.id)")["following_count"] == 0)
    }

    @Test("Who stops asking accepts everyone who waits, and all counts are right")
    func open() async throws {
        let (world, ana, ben) = try await asked()
        let cy = try await world.account("cy")
        try await cy.follow(ana)
        #expect(try await ana.submit("/settings/privacy").status == 303)
        #expect(try await ana.get("/api/v1/accounts/\(ana.id)")["followers_count"] == 2)
        for person in [ben, cy] {
            #expect(try await person.get("/api/v1/accounts/\(person.id)")["following_count"] == 1)
        }
        #expect(try await world.number("SELECT count(*) FROM follows WHERE is_accepted = 0") == 0)
    }

    @Test(
        "A closed account shows its posts, also those for everyone, and its followers to accepted people only"
    )
    func closed() async throws {
        let (_, ana, ben) = try await asked()
        let post = try await ana.post(caption: "Only for friends", visibility: "public")
        let page = try await ben.visit("/@ana")
        #expect(page.shows("This account is private") && !page.shows(post) && !page.shows("/@ana/followers"))
        #expect(try await ben.get("/api/v1/statuses/\(post)").status == 404)
        #expect(try await ben.get("/api/v1/timelines/public?local=true").json == [])
        #expect(try await ben.get("/api/v1/accounts/\(ana.id)/statuses").json == [])
        #expect(try await ben.get("/api/v1/accounts/\(ana.id)/followers").json == [])
        _ = try await ana.post("/api/v1/follow_requests/\(ben.id)/authorize")
        #expect(try await ben.visit("/@ana").shows(post))
        #expect(try await ben.get("/api/v1/statuses/\(post)").status == 200)
        #expect(try await ben.get("/api/v1/accounts/\(ana.id)/followers").json.list.count == 1)
    }

    @Test("A block ends a request that waits, and is found again only to be undone")
    func block() async throws {
        let (_, ana, ben) = try await asked()
        let answer = try await ana.submit("/accounts/\(ben.id)/block")
        #expect(answer.headers[.location] == "/users")
        #expect(try await ana.get("/api/v1/follow_requests").json == [])
        #expect(try await ana.post("/api/v1/follow_requests/\(ben.id)/authorize").status == 404)
        #expect(try await ana.get("/api/v1/blocks").json[0]["username"] == "ben")
        #expect(try await ana.visit("/settings/blocked").shows("@ben"))
        #expect(try await ana.visit("/@ben").status == 404)
        #expect(try await ana.visit("/@ben/options").shows("Unblock"))
        #expect(try await ben.visit("/@ana/options").status == 404)
        #expect(try await ana.submit("/accounts/\(ben.id)/unblock").status == 303)
        #expect(try await ana.visit("/@ben").status == 200)
        #expect(try await ana.get("/api/v1/blocks").json == [])
    }

    @Test("Nobody learns by unblocking who blocks them, and both may take their block back")
    func mutualBlock() async throws {
        let world = try await World()
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        try await ben.block(ana)
        #expect(try await ana.post("/api/v1/accounts/\(ben.id)/unblock").status == 404)
        #expect(try await ana.post("/api/v1/accounts/\(ben.id)/block").status == 404)
        try await world.tintype.database.write { try AccountStore($0).insertBlock(ana.id, ben.id) }
        let answer = try await ana.post("/api/v1/accounts/\(ben.id)/unblock")
        #expect(answer.status == 200)
        #expect(answer["blocking"] == false && answer["blocked_by"] == false)
        #expect(try await ana.get("/api/v1/accounts/\(ben.id)").status == 404)
        #expect(try await ben.post("/api/v1/accounts/\(ana.id)/unblock").status == 200)
        #expect(try await ana.get("/api/v1/accounts/\(ben.id)").status == 200)
    }
}
