import HTTPTypes
import Testing

@testable import Making

@Suite("Old photos of this server", .timeLimit(.minutes(10)))
struct ServerSourceTests {
    private static func world() async throws -> World {
        try await World { $0.pastPhotos.commonsURL = "" }
    }

    @Test("A photo is found by those who may see its post, when its author lets it be found")
    func found() async throws {
        let world = try await Self.world()
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        _ = try await ana.findable(false)
        #expect(try await ben.searchServer()["photos"].list.isEmpty)
        let post = try await ana.findable()
        world.clock.advance(seconds: 700)
        let photo = try await ben.searchServer()["photos"][0]
        #expect(photo["source"] == "server" && photo["source_title"] == "Tintype")
        #expect(photo["author"] == "Ana" && photo["title"] == "The tower" && photo["date"] == "2019")
        #expect(photo["source_url"] == .text("http://localhost/posts/\(post)"))
        // About a hundred metres: three decimals, of a place that is half-way between two of them.
        #expect(photo["latitude"] == 48.858 && [2.294, 2.295].contains(photo["longitude"]))
        #expect(photo["picture"]["state"] == "ready")
        #expect(try await ben.picture(photo, "large_url").status == 200)
    }

    @Test("A photo isn’t found any more when it is switched off, deleted, private or behind a block")
    func hidden() async throws {
        for ending in ["off", "delete", "block", "private", "suspend"] {
            let world = try await Self.world()
            let olga = try await world.account("olga", isAdmin: true)
            let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
            let post = try await ana.findable()
            let photo = try await ben.searchServer()["photos"][0]
            #expect(try await ben.picture(photo).status == 200)
            switch ending {
            case "off":
                let answer = try await ana.send(
                    .put, "/api/v1/statuses/\(post)", json: ["findable": false])
                #expect(answer.status == 200 && answer["text"] == "The tower")
            case "delete": _ = try await ana.delete("/api/v1/statuses/\(post)")
            case "block": try await ana.block(ben)
            case "suspend":
                #expect(try await olga.submit("/administration/accounts/\(ana.id)/suspend").status == 303)
            default:
                _ = try await ana.send(
                    .patch, "/api/v1/accounts/update_credentials", json: ["locked": true])
            }
            #expect(try await ben.picture(photo).status == 404, "\(ending)")
            #expect(try await ben.lastSearch()["photos"].list.isEmpty, "\(ending)")
            world.clock.advance(seconds: 700)
            #expect(try await ben.searchServer()["photos"].list.isEmpty, "\(ending)")
        }
    }

    @Test("A post for followers is found by followers only, and by its author")
    func followers() async throws {
        let world = try await Self.world()
        let people = try await world.friends("ana", "ben")
        let eli = try await world.account("eli")
        _ = try await people[0].findable(visibility: "private")
        for (person, count) in [(people[0], 1), (people[1], 1), (eli, 0)] {
            #expect(try await person.searchServer()["photos"].list.count == count)
        }
    }

    @Test("The switch is the author’s alone, is for posts, and can be turned on later")
    func switched() async throws {
        let world = try await Self.world()
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        let post = try await ana.findable(false)
        #expect(
            try await ben.send(.put, "/api/v1/statuses/\(post)", json: ["findable": true]).status == 404)
        #expect(try await ben.submit("/posts/\(post)/findable", ["findable": "true"]).status == 404)
        #expect(try await ana.visit("/posts/\(post)/options").shows("Let others find these photos"))
        let source = "/api/v1/statuses/\(post)/source"
        #expect(try await ana.get(source)["findable"] == false)
        #expect(try await ana.submit("/posts/\(post)/findable", ["findable": "true"]).status == 303)
        #expect(try await ana.get(source)["findable"] == true)
        #expect(try await ben.get(source)["findable"] == .null)
        #expect(try await ana.visit("/posts/\(post)/options").shows("Stop showing these photos"))
        #expect(try await ben.searchServer()["photos"].list.count == 1)
        #expect(try await ana.submit("/posts/\(post)/findable", ["findable": "false"]).status == 303)
        #expect(try await world.number("SELECT count(*) FROM post_places") == 0)
        let comment = try await ben.comment("Here too", on: post)
        #expect(
            try await ben.send(.put, "/api/v1/statuses/\(comment)", json: ["findable": true]).status == 422)
        #expect(try await ben.get("/api/v1/statuses/\(comment)/source")["findable"] == .null)
        // A photo whose camera noted no place can't be found, and has no switch.
        let plain = try await ana.post(caption: "Plain", visibility: "public")
        #expect(try await ana.send(.put, "/api/v1/statuses/\(plain)", json: ["findable": true]).status == 200)
        #expect(try await world.number("SELECT count(*) FROM post_places") == 0)
        #expect(try await !ana.visit("/posts/\(plain)/options").shows("find these photos"))
    }

    @Test("A new post’s switch is off at first")
    func composer() async throws {
        let world = try await Self.world()
        let ana = try await world.account("ana")
        #expect(try await ana.visit("/posts/new").shows("Others may find these photos by their place"))
        let photo = try await ana.photo(TestPicture.taken(await TestPicture.jpeg()))
        #expect(try await ana.submit("/posts", ["caption": "One", "photo": photo]).status == 303)
        #expect(try await world.number("SELECT count(*) FROM post_places") == 0)
        #expect(
            try await ana.submit("/posts", ["caption": "Two", "photo": photo, "findable": "true"]).status
                == 303)
        #expect(try await world.number("SELECT count(*) FROM post_places") == 1)
    }
}
