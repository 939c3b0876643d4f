import HTTPTypes
import Testing

@testable import Tintype

@Suite("Unfollowing")
struct UnfollowTests {
    private func unfollow(_ other: Person, by person: Person) async throws -> Answer {
        try await person.post("/api/v1/accounts/\(other.id)/unfollow", json: ["unless_waiting": true])
    }

    private func follows(_ other: Person, _ person: Person) async throws -> Bool {
        let found = try await person.get("/api/v1/accounts/relationships?id[]=\(other.id)")
        return found.json[0]["following"] == true
    }

    @Test("With nothing waiting, an unfollow needs no question")
    func plain() async throws {
        let world = try await World()
        let (ana, ben, _) = try await world.three()
        _ = try await ana.contract(with: ben)
        // A finished collage doesn't wait.
        let collage = try await ana.collage(layout: "side-by-side", with: [ben])
        for cell in 0...1 { try await ana.fill(cell, of: collage) }
        _ = try await ana.finish(collage)
        #expect(try await unfollow(ben, by: ana).status == 200)
        #expect(try await !follows(ben, ana))
    }

    @Test("Contract offers and collages that aren't finished are named first, to either of the two")
    func waiting() async throws {
        let world = try await World()
        let (ana, ben, cleo) = try await world.three()
        _ = try await ana.propose(to: ben, changed: ["promise": "No phones at dinner"])
        _ = try await ana.collage(with: [ben])
        for (one, other) in [(ana, ben), (ben, ana)] {
            let answer = try await unfollow(other, by: one)
            #expect(answer.status == 409)
            let sentence = try #require(answer["error"].string)
            #expect(sentence.contains("“No phones at dinner”") && sentence.contains("collage"))
            #expect(try await follows(other, one))
        }
        #expect(try await unfollow(cleo, by: ana).status == 200)
        // An app that doesn't ask for it unfollows as before.
        #expect(try await ana.post("/api/v1/accounts/\(ben.id)/unfollow").status == 200)
        #expect(try await !follows(ben, ana))
        // They are no friends any more, and there is nothing left to lose.
        #expect(try await unfollow(ana, by: ben).status == 200)
    }

    @Test("Two people in somebody else's collage hear of it too, and a long promise is cut")
    func company() async throws {
        let world = try await World()
        let (ana, ben, cleo) = try await world.three()
        for _ in 1...2 { _ = try await cleo.collage(with: [ana, ben]) }
        _ = try await ben.propose(to: ana, changed: ["promise": .text(String(repeating: "run ", count: 30))])
        let sentence = try #require(try await unfollow(ben, by: ana)["error"].string)
        #expect(sentence.contains("2 collages") && sentence.contains("run…”"))
    }

    @Test("Someone who approves followers would have to be asked again")
    func locked() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        _ = try await people[1].send(.patch, "/api/v1/accounts/update_credentials", json: ["locked": true])
        let answer = try await unfollow(people[1], by: people[0])
        #expect(answer.status == 409 && answer.shows("approves followers"))
    }

    @Test("Without scripts a page asks, and its button goes on")
    func page() async throws {
        let world = try await World()
        let (ana, ben, _) = try await world.three()
        _ = try await ana.collage(with: [ben])
        let path = "/accounts/\(ben.id)/unfollow"
        let question = try await ana.submit(path)
        #expect(question.status == 409 && question.shows("collage") && question.shows("Keep following"))
        #expect(try await follows(ben, ana))
        #expect(try await ana.submit(path, ["sure": "true"]).status == 303)
        #expect(try await !follows(ben, ana))
    }
}
