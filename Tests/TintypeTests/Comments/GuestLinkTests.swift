import HTTPTypes
import Testing

@testable import Tintype

@Suite("Guest links")
struct GuestLinkTests {
    @Test("A guest link shows one post's pictures to anyone, until it is revoked or seven days are over")
    func lifetime() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let post = try await ana.post(caption: "For the neighbours")
        #expect(try await ben.post("/api/v1/statuses/\(post)/guest_link").status == 404)
        let url = try #require(try await ana.post("/api/v1/statuses/\(post)/guest_link")["url"].string)
        // Asking again gives the same link.
        #expect(try await ana.post("/api/v1/statuses/\(post)/guest_link")["url"].string == url)
        let path = String(url.dropFirst("http://localhost".count))
        let page = try await world.stranger.visit(path)
        #expect(page.status == 200 && page.shows("For the neighbours"))
        // Its address is the secret.
        #expect(page.headers[values: .referrerPolicy] == ["no-referrer"])
        #expect(try await world.stranger.visit("/login").headers[.referrerPolicy] == "same-origin")
        let picture = try #require(page.text.firstMatch(of: /src="(\/guest\/[^"]+\/large)"/)).1
        #expect(try await world.stranger.visit(String(picture)).status == 200)
        // The picture's own path stays closed, and another picture isn't opened by the link.
        let other = try await ana.photo()
        #expect(try await world.stranger.visit("\(path)/\(other)/large").status == 404)

        #expect(try await ana.delete("/api/v1/statuses/\(post)/guest_link").status == 200)
        #expect(try await world.stranger.visit(path).status == 404)
        #expect(try await world.stranger.visit(String(picture)).status == 404)

        let again = try #require(try await ana.post("/api/v1/statuses/\(post)/guest_link")["url"].string)
        #expect(again != url)
        for (hours, words) in [(0.01, "7 days left"), (23.9, "7 days left"), (0.2, "6 days left")] {
            world.clock.advance(hours: hours)
            #expect(try await ana.visit("/posts/\(post)/share").shows(words))
        }
        world.clock.advance(hours: 7 * 24)
        #expect(
            try await world.stranger.visit(String(again.dropFirst("http://localhost".count))).status == 404)
    }
}
