import HTTPTypes
import Testing

@testable import Tintype

@Suite("Pinned posts")
struct PinTests {
    private func pinned(_ person: Person, by viewer: Person) async throws -> [String?] {
        try await viewer.get("/api/v1/accounts/\(person.id)/statuses?pinned=true").json.list.map {
            $0["text"].string
        }
    }

    @Test("Up to three are first on the profile, the one pinned last before the others")
    func order() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        var posts: [String] = []
        for number in 1...5 { posts.append(try await ana.post(caption: "Post \(number)")) }
        for post in [posts[0], posts[2], posts[1]] {
            let answer = try await ana.post("/api/v1/statuses/\(post)/pin")
            #expect(answer.status == 200 && answer["pinned"] == true)
        }
        // A second time changes nothing, not even the order.
        #expect(try await ana.post("/api/v1/statuses/\(posts[0])/pin").status == 200)
        for viewer in [ana, ben] {
            #expect(try await pinned(ana, by: viewer) == ["Post 2", "Post 3", "Post 1"])
            let page = try await viewer.visit("/@ana").text
            let cells = page.matches(of: /<li data-id="?(\d+)"?/).map { String($0.1) }
            #expect(cells == [posts[1], posts[2], posts[0], posts[4], posts[3]])
            #expect(page.matches(of: /pin-angle-fill/).count == 3)
        }
        // The list of all posts has them at their places.
        let all = try await ben.get("/api/v1/accounts/\(ana.id)/statuses").json.list
        #expect(all.map { $0["id"].string } == posts.reversed())
        #expect(all.map { $0["pinned"].bool } == [false, false, true, true, true])
        #expect(try await ana.post("/api/v1/statuses/\(posts[2])/unpin")["pinned"] == false)
        #expect(try await pinned(ana, by: ben) == ["Post 2", "Post 1"])
        // A post that goes takes its pin with it.
        #expect(try await ana.delete("/api/v1/statuses/\(posts[1])").status == 200)
        #expect(try await pinned(ana, by: ben) == ["Post 1"])
    }

    @Test("A fourth pin, a comment, and a post of someone else are refused; what can't be seen isn't there")
    func refused() async throws {
        let world = try await World()
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        var posts: [String] = []
        for number in 1...4 {
            posts.append(try await ana.post(caption: "Post \(number)", visibility: "public"))
        }
        for post in posts.prefix(3) { _ = try await ana.post("/api/v1/statuses/\(post)/pin") }
        let fourth = try await ana.post("/api/v1/statuses/\(posts[3])/pin")
        #expect(fourth.status == 422 && fourth.shows("Unpin one of them first."))
        let comment = try await ana.comment("Mine", on: posts[0])
        #expect(try await ana.post("/api/v1/statuses/\(comment)/pin").status == 422)
        #expect(try await ben.post("/api/v1/statuses/\(posts[3])/pin").status == 422)
        let closed = try await ana.post(caption: "For followers")
        for verb in ["pin", "unpin", "mute", "unmute"] {
            #expect(try await ben.post("/api/v1/statuses/\(closed)/\(verb)").status == 404, "\(verb)")
            #expect(try await ben.post("/api/v1/statuses/1/\(verb)").status == 404, "\(verb)")
        }
        #expect(try await world.stranger.post("/api/v1/statuses/\(posts[0])/pin").status == 401)
        // On screen the sentence is on the page with the button.
        let page = try await ana.submit("/posts/\(posts[3])/pin")
        #expect(page.status == 303 && page.headers[.location] == "/posts/\(posts[3])/options")
        #expect(try await ana.submit("/posts/\(posts[0])/unpin").headers[.location] == "/@ana")
        #expect(try await ana.visit("/posts/\(posts[3])/options").shows("Pin to your profile"))
        #expect(try await ana.submit("/posts/\(posts[3])/pin").headers[.location] == "/@ana")
        #expect(try await ana.visit("/posts/\(posts[3])/options").shows("Unpin from your profile"))
        #expect(try await !ben.visit("/posts/\(posts[3])/options").shows("Unpin from your profile"))
    }

    @Test("Pinned posts of followers only are shown to followers only")
    func visibility() async throws {
        let world = try await World()
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        let post = try await ana.post(caption: "For followers")
        _ = try await ana.post("/api/v1/statuses/\(post)/pin")
        #expect(try await pinned(ana, by: ben) == [])
        #expect(try await !ben.visit("/@ana").shows(post))
        try await ben.follow(ana)
        #expect(try await pinned(ana, by: ben) == ["For followers"])
    }
}
