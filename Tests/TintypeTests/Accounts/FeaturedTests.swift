import HTTPTypes
import Storage
import Testing

@testable import Core
@testable import People
@testable import Serving
@testable import Tintype

@Suite("Featured people")
struct FeaturedTests {
    private func names(_ reader: Person, _ path: String) async throws -> [String?] {
        try await reader.get(path).json.list.map { $0["username"].string }
    }

    @Test("A profile features people whom its owner follows, until either ends that")
    func featuring() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let (ana, ben, cleo) = (people[0], people[1], people[2])
        let stranger = try await world.account("dora")
        for person in [ben, cleo, ben] {
            let answer = try await ana.post("/api/v1/accounts/\(person.id)/endorse", json: [:])
            #expect(answer.status == 200 && answer["endorsed"] == true)
        }
        // The names of before Mastodon 4.4.
        for (call, isFeatured) in [("unpin", false), ("pin", true)] {
            let answer = try await ana.post("/api/v1/accounts/\(ben.id)/\(call)", json: [:])
            #expect(answer["endorsed"] == .bool(isFeatured))
        }
        for person in [ben, cleo] {
            _ = try await ana.post("/api/v1/accounts/\(person.id)/unendorse", json: [:])
            _ = try await ana.post("/api/v1/accounts/\(person.id)/endorse", json: [:])
        }
        let refused = try await ana.post("/api/v1/accounts/\(stranger.id)/endorse", json: [:])
        #expect(refused.status == 422 && refused.text.contains("Follow Dora first"))
        #expect(try await ana.post("/api/v1/accounts/1/endorse", json: [:]).status == 404)
        #expect(try await names(ana, "/api/v1/endorsements") == ["cleo", "ben"])
        let first = try await ana.get("/api/v1/endorsements?limit=1")
        #expect(first.json.list.count == 1)
        let link = try #require(
            first.headers[.link]?.firstMatch(of: /<http:\/\/localhost([^>]*)>; rel="next"/))
        #expect(try await names(ana, String(link.1)) == ["ben"])
        let theirs = "/api/v1/accounts/\(ana.id)/endorsements"
        #expect(try await names(stranger, theirs) == ["cleo", "ben"])
        #expect(try await names(ben, "/api/v1/endorsements").isEmpty)
        let shown = try await stranger.visit("/@ana").text
        #expect(shown.contains("Featured people") && shown.contains("href=\"/@cleo\""))
        // Neither who is blocked nor who doesn't see whom a private account follows finds them.
        try await ben.block(stranger)
        #expect(try await names(stranger, theirs) == ["cleo"])
        _ = try await ana.send(.patch, "/api/v1/accounts/update_credentials", json: ["locked": true])
        #expect(try await names(stranger, theirs).isEmpty)
        #expect(try await !stranger.visit("/@ana").text.contains("Featured people"))
        #expect(try await names(cleo, theirs) == ["cleo", "ben"])
        let rows = try await world.downloaded("featured-people", of: ana)
        #expect(rows.map { $0["username"] } == ["ben", "cleo"])
        let undone = try await ana.post("/api/v1/accounts/\(ben.id)/unendorse", json: [:])
        #expect(undone["endorsed"] == false && undone["following"] == true)
        _ = try await ana.post("/api/v1/accounts/\(cleo.id)/unfollow", json: [:])
        #expect(try await names(ana, "/api/v1/endorsements").isEmpty)
        // Followed again, somebody isn't featured any more.
        try await ana.follow(cleo)
        #expect(try await names(ana, "/api/v1/endorsements").isEmpty)
    }

    @Test("Options of a person feature them without scripts; a profile has twelve at most")
    func screens() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        var people: [Person] = []
        for number in 0...FeaturedRules.most { people.append(try await world.account("p\(number)")) }
        for person in people { try await ana.follow(person) }
        #expect(try await ana.visit("/@p0/options").shows("Feature on my profile"))
        for person in people.dropLast() {
            #expect(try await ana.submit("/accounts/\(person.id)/feature", [:]).status == 303)
        }
        #expect(try await ana.visit("/@p0/options").shows("Remove from my profile"))
        let last = try #require(people.last)
        let refused = try await ana.submit("/accounts/\(last.id)/feature", [:])
        #expect(refused.status == 422 && refused.text.contains("already features 12 people"))
        #expect(try await ana.submit("/accounts/\(people[0].id)/feature", [:]).status == 303)
        #expect(try await ana.submit("/accounts/\(people[0].id)/unfeature", [:]).status == 303)
        #expect(try await !ana.visit("/@ana").text.contains("href=\"/@p0\""))
        #expect(try await ana.submit("/accounts/\(last.id)/feature", [:]).status == 303)
        #expect(try await ana.visit("/@ana").text.contains("href=\"/@\(last.username)\""))
    }
}
