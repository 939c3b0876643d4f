import Foundation
import HTTPTypes
import Storage
import Testing

@testable import Core
@testable import Serving
@testable import Tintype

@Suite("Posts")
struct PostTests {
    @Test("What one posts is at home for followers, newest first, and for nobody else")
    func home() async throws {
        let world = try await World()
        let (ana, ben, eve) = (
            try await world.account("ana"), try await world.account("ben"), try await world.account("eve")
        )
        try await ben.follow(ana)
        _ = try await ana.post(caption: "First")
        _ = try await ana.post(caption: "Second", photos: [ana.photo(), ana.photo()])
        #expect(try await ana.home() == ["Second", "First"])
        #expect(try await ben.home() == ["Second", "First"])
        #expect(try await eve.home() == [])
    }

    @Test("Fifty people liking at once are exactly fifty likes")
    func likesAtOnce() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let post = try await ana.post(caption: "Sunset", visibility: "public")
        var people: [Person] = []
        for number in 1...50 { people.append(try await world.account("person\(number)")) }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for person in people {
                // Each twice, since liking twice is liking once.
                for _ in 0..<2 { group.addTask { try await person.like(post).status } }
            }
            for try await status in group { #expect(status == 200) }
        }
        let seen = try await ana.get("/api/v1/statuses/\(post)")
        #expect(seen["favourites_count"] == 50)
        #expect(try await world.number("SELECT count(*) FROM likes") == 50)
    }

    @Test("The same Idempotency-Key twice, even at once, makes one post")
    func idempotency() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let photo = try await ana.photo()
        let send = { @Sendable in
            try await ana.post(
                "/api/v1/statuses", json: ["status": "Once", "media_ids": [.text(photo)]],
                headers: [.idempotencyKey: "k1"])
        }
        async let one = send()
        async let two = send()
        let answers = try await [one, two, send()]
        #expect(Set(answers.map { $0["id"].string }).count == 1)
        #expect(answers.allSatisfy { $0.status == 200 })
        #expect(try await ana.home() == ["Once"])
        #expect(try await world.number("SELECT posts_count FROM accounts") == 1)
    }

    @Test("A post that one may not see is 404 on every way to it")
    func invisiblePost() async throws {
        let world = try await World()
        let (ana, eve) = (try await world.account("ana"), try await world.account("eve"))
        let post = try await ana.post(caption: "For friends")
        let status = "/api/v1/statuses/\(post)"
        for path in [status, "\(status)/favourited_by"] {
            #expect(try await eve.get(path).status == 404, "\(path)")
        }
        for verb in ["favourite", "unfavourite", "bookmark", "unbookmark"] {
            #expect(try await eve.post("\(status)/\(verb)").status == 404, "\(verb)")
        }
        #expect(try await eve.send(.put, status, json: ["status": "Mine now"]).status == 404)
        #expect(try await eve.delete(status).status == 404)
        for path in ["/posts/\(post)", "/posts/\(post)/options"] {
            #expect(try await eve.visit(path).status == 404, "\(path)")
        }
        #expect(try await eve.get("/api/v1/accounts/\(ana.id)/statuses").json == [])
        #expect(try await world.stranger.get(status).status == 401)
        // What isn't there at all answers the same.
        #expect(try await eve.get("/api/v1/statuses/1").text == eve.get(status).text)
    }

    @Test("A picture that one may not see is 404 on every way to it, and ends with the block or the delete")
    func invisiblePicture() async throws {
        let world = try await World()
        let (ana, ben, eve) = (
            try await world.account("ana"), try await world.account("ben"), try await world.account("eve")
        )
        try await ben.follow(ana)
        let photo = try await ana.photo()
        let post = try await ana.post(caption: "Seen by Ben", photos: [photo])
        let media = try await ben.get("/api/v1/statuses/\(post)")["media_attachments"][0]
        let signed = try #require(media["url"].string).replacingOccurrences(of: "http://localhost", with: "")
        #expect(try await world.stranger.get(signed).status == 200)
        for size in ["large", "medium", "square"] {
            #expect(try await ben.visit("/photos/\(photo)/\(size)").status == 200)
            #expect(try await eve.visit("/photos/\(photo)/\(size)").status == 404)
            #expect(try await world.stranger.get("/photos/\(photo)/\(size)").status == 404)
        }
        for person in [ben, eve] {
            #expect(try await person.get("/api/v1/photos/\(photo)").status == 404)
            #expect(try await person.get("/api/v1/media/\(photo)").status == 404)
            #expect(try await person.get("/api/v1/photos/\(photo)/original").status == 404)
            #expect(try await person.visit("/library/\(photo)").status == 404)
            #expect(try await person.delete("/api/v1/photos/\(photo)").status == 404)
        }
        // A signature made for one person doesn't open it for another.
        let (bens, eves) = (try await ben.session, try await eve.session)
        let forged = signed.replacingOccurrences(of: "v=\(bens)", with: "v=\(eves)")
        #expect(forged != signed)
        #expect(try await world.stranger.get(forged).status == 404)
        try await ana.block(ben)
        #expect(try await world.stranger.get(signed).status == 404)
        #expect(try await ben.visit("/photos/\(photo)/large").status == 404)
        #expect(try await ana.delete("/api/v1/photos/\(photo)").status == 409)
        #expect(try await ana.delete("/api/v1/photos/\(photo)?force=true").status == 200)
        #expect(try await ana.visit("/photos/\(photo)/large").status == 404)
        try await world.work()
        #expect(try await world.fileCount() == 0)
    }

    @Test("Only its author changes a caption, and nobody else is shown the author's options")
    func captionOfAnother() async throws {
        let people = try await World().friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let post = try await ana.post(caption: "Mine")
        let answer = try await ben.submit("/posts/\(post)/edit", ["caption": "Not mine"])
        #expect(answer.status == 404)
        #expect(!answer.shows("Save changes") && !answer.shows("Delete post"))
        #expect(try await ana.get("/api/v1/statuses/\(post)")["text"] == "Mine")
    }

    @Test("A caption of 2,200 characters fits, each of four bytes, and 2,201 don't")
    func captionLength() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let photo = try await ana.photo()
        let fitting = String(repeating: "🐕", count: 2_200)
        let post = try await ana.post(caption: fitting, photos: [photo])
        #expect(try await ana.get("/api/v1/statuses/\(post)")["text"].string == fitting)
        let refused = try await ana.post(
            "/api/v1/statuses", json: ["status": .text(fitting + "!"), "media_ids": [.text(photo)]])
        #expect(refused.status == 422)
        #expect(refused["details"]["status"][0]["error"] == "ERR_TOO_LONG")
        #expect(
            try await ana.send(.put, "/api/v1/statuses/\(post)", json: ["status": .text(fitting + "!")])
                .status == 422)
        #expect(try await ana.get("/api/v1/statuses/\(post)")["text"].string == fitting)
    }

    @Test("HTML in every field shows as text")
    func htmlAsText() async throws {
        let world = try await World()
        let evil = "<script>alert(1)</script><i id=\"evil\">&amp;'"
        let ana = try await world.account("ana", displayName: evil)
        #expect(
            try await ana.send(.patch, "/api/v1/accounts/update_credentials", form: ["note": evil]).status
                == 200)
        let photo = try await ana.photo(description: evil)
        let post = try await ana.post(caption: evil, photos: [photo])
        for path in [
            "/home", "/posts/\(post)", "/@ana", "/library", "/library/\(photo)",
            "/users?q=\(evil.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")",
        ] {
            let page = try await ana.visit(path)
            #expect(page.status == 200, "\(path)")
            #expect(!page.shows("<script>alert"), "\(path)")
            #expect(!page.shows("<i id="), "\(path)")
        }
        #expect(try await ana.visit("/posts/\(post)").shows("&lt;script&gt;alert(1)"))
        let status = try await ana.get("/api/v1/statuses/\(post)")
        #expect(status["text"].string == evil)
        #expect(status["content"].string?.contains("<script") == false)
    }

    @Test(
        "A post without photos, with eleven, with one twice, or with somebody else's is refused, each in words"
    )
    func wrongPhotos() async throws {
        let world = try await World()
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        let photo = try await ana.photo()
        var eleven: [String] = []
        for _ in 1...11 { eleven.append(try await ana.photo()) }
        for photos in [[], eleven, [photo, photo], [try await ben.photo()], ["12345"], ["cat"]] {
            let answer = try await ana.post(
                "/api/v1/statuses", json: ["status": "?", "media_ids": .list(photos.map { .text($0) })])
            #expect(answer.status == 422, "\(photos)")
            #expect(answer["details"]["media_ids"][0]["description"].string?.isEmpty == false)
        }
        let ten = try await ana.post(caption: "Ten", photos: Array(eleven.prefix(10)))
        #expect(try await ana.get("/api/v1/statuses/\(ten)")["media_attachments"].list.count == 10)
    }

    @Test("Deleting a post keeps its photos; likes and saves of it go, counts stay right")
    func delete() async throws {
        let world = try await World()
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        try await ben.follow(ana)
        let photo = try await ana.photo()
        let post = try await ana.post(caption: "Going", photos: [photo])
        try await ben.like(post)
        #expect(try await ben.post("/api/v1/statuses/\(post)/bookmark")["bookmarked"] == true)
        #expect(try await ana.delete("/api/v1/statuses/\(post)").status == 200)
        #expect(try await ben.home() == [])
        #expect(try await ben.get("/api/v1/bookmarks").json == [])
        #expect(try await ana.get("/api/v1/photos/\(photo)").status == 200)
        #expect(try await ben.visit("/photos/\(photo)/large").status == 404)
        #expect(try await ana.get("/api/v1/accounts/\(ana.id)")["statuses_count"] == 0)
    }

    @Test("Pages of the home feed neither repeat nor skip, whatever is posted meanwhile")
    func paging() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let photo = try await ana.photo()
        for number in 1...7 { _ = try await ana.post(caption: "\(number)", photos: [photo]) }
        let first = try await ana.get("/api/v1/timelines/home?limit=3")
        #expect(first.json.list.map { $0["text"].string } == ["7", "6", "5"])
        let link = try #require(first.headers[.link])
        let next = try #require(link.firstMatch(of: /<http:\/\/localhost([^>]*)>; rel="next"/)).1
        _ = try await ana.post(caption: "8", photos: [photo])
        let second = try await ana.get(String(next))
        #expect(second.json.list.map { $0["text"].string } == ["4", "3", "2"])
        let newer = try await ana.get("/api/v1/timelines/home?min_id=\(first.json[0]["id"].string ?? "")")
        #expect(newer.json.list.map { $0["text"].string } == ["8"])
    }

    @Test("A person who approves followers posts only for them, and reads so before and after")
    func lockedAuthor() async throws {
        let world = try await World()
        let (ana, eve) = (try await world.account("ana"), try await world.account("eve"))
        #expect(try await ana.visit("/posts/new").shows("Everyone here"))
        try await ana.lock()
        let composer = try await ana.visit("/posts/new")
        #expect(!composer.shows("Everyone here") && composer.shows("People you approved"))
        let post = try await ana.post(caption: "For all?", visibility: "public")
        #expect(try await ana.get("/api/v1/statuses/\(post)")["visibility"] == "private")
        _ = try await ana.send(.patch, "/api/v1/accounts/update_credentials", json: ["locked": false])
        // It stays what it was posted as.
        #expect(try await ana.get("/api/v1/statuses/\(post)")["visibility"] == "private")
        #expect(try await eve.get("/api/v1/statuses/\(post)").status == 404)
    }

    @Test("That nobody passed a post on is said to those who may see it, and 404 to others")
    func rebloggedBy() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let eve = try await world.account("eve")
        let path = "/api/v1/statuses/\(try await people[0].post(caption: "For friends"))"
        for person in people { #expect(try await person.get("\(path)/reblogged_by").json == []) }
        for call in ["reblogged_by", "favourited_by"] {
            #expect(try await eve.get("\(path)/\(call)").status == 404)
            #expect(try await eve.get("/api/v1/statuses/12345/\(call)").status == 404)
            #expect(try await world.stranger.get("\(path)/\(call)").status == 401)
        }
    }

    @Test("What Mastodon has and Tintype has not is refused in words, and nothing is posted")
    func refusedParameters() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let photo = try await ana.photo()
        let extras: [String: JSON] = [
            "scheduled_at": "2030-01-01T00:00:00.000Z", "poll": ["options": ["a", "b"], "expires_in": 60],
            "quoted_status_id": "1",
        ]
        for (name, value) in extras {
            let body: JSON = .object(["status": "Later", "media_ids": [.text(photo)], name: value])
            let answer = try await ana.post("/api/v1/statuses", json: body)
            #expect(answer.status == 422)
            #expect(answer["details"][name][0]["description"].string?.isEmpty == false)
        }
        #expect(try await ana.home() == [])
        let body: JSON = [
            "status": "Now", "media_ids": [.text(photo)], "scheduled_at": nil, "poll": nil,
        ]
        #expect(try await ana.post("/api/v1/statuses", json: body).status == 200)
    }

    @Test("A mention follows the name, not the one who bore it: renamed, suspended or gone, it is no link")
    func mentionsAreFresh() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let (ana, ben, cleo) = (people[0], people[1], people[2])
        _ = try await ana.post(caption: "With @ben and @cleo")
        func mentioned() async throws -> [String?] {
            let post = try await ana.get("/api/v1/timelines/home").json[0]
            let links = post["content"].string?.matches(of: /class="mention" href="[^"]*@(\w+)"/)
            let names = post["mentions"].list.map { $0["username"].string }
            #expect(links?.map { String($0.1) } == names)
            let page = try await ana.visit("/home")
            for name in ["ben", "cleo"] { #expect(page.shows(#"href="/@\#(name)""#) == names.contains(name)) }
            return names
        }
        #expect(try await mentioned() == ["ben", "cleo"])
        let renamed = try await ben.submit(
            "/settings/profile", multipart: [.text("username", "benny"), .text("display_name", "Ben")])
        #expect(renamed.status == 303)
        #expect(try await mentioned() == ["cleo"])
        try await world.tintype.database.write {
            try $0.execute("UPDATE accounts SET is_suspended = 1 WHERE id = $1", cleo.id)
        }
        #expect(try await mentioned() == [])
        // The name is free, and now means the one who took it.
        let other = try await world.account("ben")
        let named = try await ana.get("/api/v1/timelines/home").json[0]["mentions"]
        #expect(named.list.map { $0["id"].string } == ["\(other.id)"])
    }

    @Test("What is stored is answered as stored, also when its events can't be sent")
    func notifiesNobody() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let post = try await ana.post(caption: "Look")
        let listeners = people.map {
            world.tintype.events.subscribe($0.id, session: ID(rawValue: 1), after: nil)
        }
        // What a notification's telling reads, and nothing that is done here.
        try await world.tintype.database.write { try $0.execute("ALTER TABLE markers RENAME TO lost") }
        #expect(try await ben.like(post).status == 200)
        #expect(try await ben.get("/api/v1/statuses/\(post)")["favourites_count"] == 1)
        _ = try await ben.comment("Nice, @ana", on: post)
        _ = try await ana.post(caption: "Hello @ben")
        let edited = try await ana.send(.put, "/api/v1/statuses/\(post)", json: ["status": "Look, @ben"])
        #expect(edited.status == 200)
        let eve = try await world.account("eve")
        try await eve.follow(ana)
        withExtendedLifetime(listeners) {}
    }
}
