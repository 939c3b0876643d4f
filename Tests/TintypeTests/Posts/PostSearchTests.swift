import Foundation
import HTTPTypes
import Storage
import Testing

@testable import Core
@testable import Feeds
@testable import Serving
@testable import Tintype

@Suite("Search for posts")
struct PostSearchTests {
    // MARK: Words

    @Test("A post is found by whole words of its caption, in any spelling and order, and it has all of them")
    func words() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let post = try await ana.post(caption: "Morning fog over Zürich's old harbour, with #dogs")
        let japanese = try await ana.post(caption: "東京タワー")
        _ = try await ben.comment("A lighthouse", on: post)
        for words in ["harbour", "HARBOUR", "zurich", "fog morning", "dogs", "#dogs", "old, harbour!", "ｆｏｇ"]
        {
            #expect(try await ben.postsFound(words) == [post], "\(words)")
        }
        for words in ["harb", "harbours", "fog rain", "lighthouse", "", "!", "ana"] {
            #expect(try await ben.postsFound(words).isEmpty, "\(words)")
        }
        #expect(try await ben.postsFound("東京") == [japanese])
        // Beyond eight words, the others don't count.
        #expect(try await ben.postsFound("morning fog over zurich s old harbour with nothing") == [post])
        let all = try await ben.get("/api/v2/search?q=harbour")
        #expect(all["statuses"][0]["content"].string?.contains("harbour") == true)
        #expect(all["accounts"].list.isEmpty && all["hashtags"].list.isEmpty)
        #expect(try await ben.get("/api/v2/search?q=harbour&type=accounts")["statuses"].list.isEmpty)
        #expect(try await ben.get("/api/v2/search?q=dogs&type=hashtags")["statuses"].list.isEmpty)
    }

    @Test("A post is found by what it says now, and its words go with it")
    func changes() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let post = try await ana.post(caption: "Sunrise over the harbour")
        let comment = try await ben.comment("Bright", on: post)
        _ = try await ben.send(.put, "/api/v1/statuses/\(comment)", json: ["status": "Brighter"])
        #expect(try await world.number("SELECT count(*) FROM post_words") == 4)
        _ = try await ana.send(
            .put, "/api/v1/statuses/\(post)", json: ["status": "Sunset over the harbour harbour"])
        #expect(try await ben.postsFound("sunrise").isEmpty)
        #expect(try await ben.postsFound("sunset harbour") == [post])
        #expect(try await world.number("SELECT count(*) FROM post_words WHERE word = 'sunrise'") == 0)
        #expect(try await world.number("SELECT count(*) FROM post_words") == 4)
        _ = try await ana.send(.put, "/api/v1/statuses/\(post)", json: ["visibility": "public"])
        #expect(try await world.account("eve").postsFound("sunset") == [post])
        let long = (1...400).map { "w\($0)" }.joined(separator: " ")
        _ = try await ana.send(.put, "/api/v1/statuses/\(post)", json: ["status": .text(long)] as JSON)
        #expect(try await world.number("SELECT count(*) FROM post_words") == SearchWords.mostOfText)
        #expect(try await ben.postsFound("w300") == [post])
        _ = try await ana.delete("/api/v1/statuses/\(post)")
        #expect(try await ben.postsFound("w300").isEmpty)
        #expect(try await world.number("SELECT count(*) FROM post_words") == 0)
    }

    @Test("An account that is deleted leaves no word behind")
    func deletion() async throws {
        let world = try await World()
        _ = try await world.account("zoe", isAdmin: true)
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        _ = try await ana.post(caption: "Sunrise", visibility: "public")
        let kept = try await ben.post(caption: "Sunset", visibility: "public")
        #expect(try await ana.submit("/settings/delete", ["password": "correct horse"]).status == 303)
        try await world.work()
        #expect(try await world.number("SELECT count(*) FROM post_words") == 1)
        #expect(try await ben.postsFound("sunset") == [kept])
    }

    // MARK: Who finds what

    @Test("A post is found by those who may see it in lists, and by nobody else")
    func visibility() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let eve = try await world.account("eve")
        func found(_ person: Person) async throws -> [String] {
            let posts = try await person.postsFound("fog")
            // The screens find what the interface finds.
            for path in ["/users?q=fog", "/search/posts?q=fog"] {
                #expect(try await person.grid(path) == posts, "\(path)")
            }
            return posts
        }
        let own = try await ana.post(caption: "Friends, fog")
        let unlisted = try await ana.post(caption: "Quiet fog", visibility: "unlisted")
        let open = try await ana.post(caption: "Fog for all", visibility: "public")
        #expect(try await found(ana) == [open, unlisted, own])
        #expect(try await found(ben) == [open, unlisted, own])
        #expect(try await found(eve) == [open])
        _ = try await eve.submit("/posts/\(open)/hide")
        #expect(try await found(eve).isEmpty)
        _ = try await ben.post("/api/v1/accounts/\(ana.id)/mute")
        #expect(try await found(ben).isEmpty)
        _ = try await ben.post("/api/v1/accounts/\(ana.id)/unmute")
        #expect(try await found(ben).count == 3)
        let (dora, mia) = (try await world.account("dora"), try await world.account("mia"))
        try await ana.block(ben)
        try await mia.block(ana)
        #expect(try await found(ben).isEmpty)
        #expect(try await found(mia).isEmpty)
        #expect(try await found(dora) == [open])
        _ = try await ana.send(.patch, "/api/v1/accounts/update_credentials", json: ["locked": true])
        #expect(try await found(dora).isEmpty)
        _ = try await ana.send(.patch, "/api/v1/accounts/update_credentials", json: ["locked": false])
        #expect(try await found(dora) == [open])
        try await world.tintype.database.write {
            try $0.execute("UPDATE accounts SET is_suspended = 1 WHERE id = $1", ana.id)
        }
        #expect(try await found(dora).isEmpty)
        #expect(try await world.stranger.get("/api/v2/search?q=fog").status == 401)
    }

    @Test("A filter that hides a post hides it in the results, and says so to apps")
    func filters() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let post = try await ana.post(caption: "Fog and spoilers")
        _ = try await ben.post(
            "/api/v2/filters",
            json: [
                "title": "Spoilers", "context": ["public"], "filter_action": "hide",
                "keywords_attributes": [["keyword": "spoilers", "whole_word": true]],
            ])
        let found = try await ben.get("/api/v2/search?q=fog")["statuses"]
        #expect(found[0]["id"].string == post && found[0]["filtered"][0]["filter"]["title"] == "Spoilers")
        #expect(try await ben.grid("/search/posts?q=fog").isEmpty)
        let screen = try await ben.visit("/users?q=fog")
        #expect(!screen.shows("/posts/\(post)") && !screen.shows(">Posts<"))
        #expect(screen.shows("no post that you can see says it"))
    }

    // MARK: Pages

    @Test("Posts come in pages in both directions, by an author, and behind some that were skipped")
    func pages() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let photo = try await ana.photo()
        let bens = try await ben.post(caption: "Fog and rain of ben")
        var posts: [String] = []
        for number in 1...7 {
            let words = number % 2 == 0 ? "Fog and rain" : "Fog"
            posts.insert(try await ana.post(caption: words, photos: [photo]), at: 0)
        }
        #expect(try await ben.postsFound("fog") == posts + [bens])
        #expect(try await ben.postsFound("fog", "&limit=3") == Array(posts[0...2]))
        #expect(try await ben.postsFound("fog", "&limit=3&max_id=\(posts[2])") == Array(posts[3...5]))
        #expect(try await ben.postsFound("fog", "&limit=2&min_id=\(posts[5])") == Array(posts[3...4]))
        #expect(
            try await ben.postsFound("fog", "&limit=2&min_id=\(posts[5])&offset=1") == Array(posts[2...3]))
        #expect(try await ben.postsFound("fog", "&since_id=\(posts[2])") == Array(posts[0...1]))
        #expect(try await ben.postsFound("fog", "&limit=2&offset=3") == Array(posts[3...4]))
        #expect(try await ben.postsFound("fog", "&offset=8").isEmpty)
        #expect(try await ben.postsFound("fog", "&offset=1001").isEmpty)
        #expect(try await ben.postsFound("fog", "&offset=-4") == posts + [bens])
        let rain = [posts[1], posts[3], posts[5]]
        #expect(try await ben.postsFound("rain fog") == rain + [bens])
        #expect(try await ben.postsFound("rain fog", "&limit=2&max_id=\(rain[0])") == Array(rain[1...2]))
        #expect(try await ben.postsFound("rain fog", "&limit=1&min_id=\(rain[2])") == [rain[1]])
        #expect(try await ben.postsFound("rain", "&account_id=\(ana.id)") == rain)
        #expect(try await ben.postsFound("rain fog", "&account_id=\(ana.id)&limit=2") == Array(rain[0...1]))
        #expect(try await ben.postsFound("fog", "&account_id=\(ben.id)") == [bens])
        #expect(try await ben.postsFound("rain snow", "&account_id=\(ana.id)").isEmpty)
        #expect(try await ben.postsFound("fog", "&account_id=7").isEmpty)
        #expect(try await ben.get("/api/v2/search?q=fog&account_id=x").status == 422)
        #expect(try await ben.get("/api/v2/search?q=fog&max_id=x").status == 422)
        #expect(try await ben.get("/api/v2/search?q=fog&limit=900")["statuses"].list.count == 8)
    }

    @Test("The screen shows a few posts, and leads to all of them, page by page")
    func screens() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let photo = try await ana.photo()
        var posts: [String] = []
        for number in 1...12 {
            posts.insert(try await ana.post(caption: "Fog \(number)", photos: [photo]), at: 0)
        }
        let few = try await ben.visit("/users?q=fog")
        #expect(few.shows(">Posts<") && !few.shows("All posts") && !few.shows("Nobody here"))
        #expect(try await ben.grid("/users?q=fog") == posts)
        for number in 13...31 {
            posts.insert(try await ana.post(caption: "Fog \(number)", photos: [photo]), at: 0)
        }
        let more = try await ben.visit("/users?q=fog")
        #expect(more.shows("<a href=\"/search/posts?q=fog\">All posts</a>"))
        #expect(try await ben.grid("/users?q=fog") == Array(posts.prefix(12)))
        let all = try await ben.visit("/search/posts?q=fog")
        #expect(all.shows("value=\"fog\"") && all.shows("href=\"/users?q=fog\""))
        #expect(try await ben.grid("/search/posts?q=fog") == Array(posts.prefix(30)))
        let link = try #require(all.text.firstMatch(of: /class="more" href="([^"]+)"/)?.1)
        let next = String(link).replacing("&amp;", with: "&")
        let rest = try await ben.refresh(next)
        #expect(rest.shows("/posts/\(posts[30])\"") && !rest.shows("<ul") && !rest.shows("class=\"more\""))
        #expect(try await ben.grid(next) == [posts[30]])
        #expect(try await ben.visit("/search/posts?q=%3Csnow").shows("says “&lt;snow”"))
        #expect(try await ben.visit("/search/posts").shows("by the words of their captions"))
        #expect(try await ben.visit("/users?q=snow").shows("no post that you can see says it"))
        #expect(try await world.stranger.visit("/search/posts?q=fog").status == 303)
    }

    @Test("Beside posts the screen shows a few people, and leads to all of them")
    func peopleAndPosts() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        for number in 1...7 { _ = try await world.account("misty\(number)") }
        #expect(try await !ana.visit("/users?q=misty").shows("All people"))
        let photo = try await ana.photo()
        _ = try await ana.post(caption: "Misty7, misty1", photos: [photo])
        let few = try await ana.visit("/users?q=misty7")
        #expect(few.shows("@misty7") && few.shows(">Posts<") && !few.shows("All people"))
        _ = try await ana.post(caption: "Misty #misty", photos: [photo])
        let many = try await ana.visit("/users?q=misty")
        #expect(
            many.shows("@misty5") && !many.shows("@misty6") && many.shows("#misty") && many.shows(">Posts<"))
        #expect(many.shows("<a class=\"more\" href=\"/users?q=misty&amp;show=people\">All people</a>"))
        let people = try await ana.visit("/users?q=misty&show=people")
        #expect(people.shows("@misty7") && !people.shows(">Posts<") && !people.shows("#misty"))
    }

    @Test("Words that never meet, and posts that nobody may see, end a search after a bounded number")
    func bounds() async throws {
        let world = try await World()
        let (ana, eve) = (try await world.account("ana"), try await world.account("eve"))
        let photo = try await ana.photo()
        let first = try await ana.post(caption: "Fog, rain, snow", photos: [photo], visibility: "public")
        // 10,001 posts with one of two words, of which 2,100 hidden ones have both.
        try await world.tintype.database.write { transaction in
            for _ in 1...10_001 {
                try transaction.execute(
                    "INSERT INTO posts (id, author_id, caption, visibility) VALUES ($1, $2, '', 'private')",
                    transaction.newID(), ana.id)
            }
            try transaction.execute(
                "INSERT INTO post_words (word, post_id) SELECT 'fog', id FROM posts WHERE caption = ''")
            try transaction.execute(
                """
                INSERT INTO post_words (word, post_id) SELECT 'rain', id FROM posts WHERE caption = ''
                ORDER BY id LIMIT 2100
                """)
        }
        // What ana can see is found however far it is; for eve, 2,000 posts in a row are too many.
        #expect(try await ana.postsFound("rain", "&limit=1").count == 1)
        #expect(try await ana.postsFound("rain", "&limit=2&min_id=\(first)").count == 2)
        #expect(try await eve.postsFound("rain").isEmpty)
        #expect(try await eve.postsFound("rain", "&max_id=\(try #require(Int64(first)) + 1)") == [first])
        #expect(try await eve.postsFound("snow") == [first])
        #expect(try await eve.postsFound("snow fog rain") == [first])
        // The newest 10,000 with a word are looked at for the others.
        try await world.tintype.database.write {
            try $0.execute(
                "INSERT INTO post_words (word, post_id) SELECT 'snow', id FROM posts WHERE caption = ''")
        }
        #expect(try await ana.postsFound("snow fog rain").count == 20)
        let before = try #require(Int64(first)) - 1
        #expect(try await ana.postsFound("snow fog", "&min_id=\(before)&limit=1") == [first])
    }

    @Test("Posts from before search knew words are found, step by step")
    func fromBefore() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let post = try await ana.post(caption: "Fog", visibility: "public")
        _ = try await ben.comment("Rain", on: post)
        try await world.insertPosts(500, by: ana, "Old fog", visibility: .server)
        let database = world.tintype.database
        try await database.write { transaction in
            try transaction.execute("DELETE FROM post_words")
            try transaction.execute(
                "INSERT INTO jobs (id, kind, payload, run_at) VALUES (55, 'find-post-words', '9223372036854775807', 0)"
            )
        }
        #expect(try await ben.postsFound("fog").isEmpty)
        // A part again does no harm.
        try await database.write { try $0.schedule(.findPostWords, payload: "9223372036854775807") }
        try await world.work()
        #expect(try await ben.postsFound("fog", "&min_id=\(try #require(Int64(post)) - 1)&limit=1") == [post])
        #expect(try await world.number("SELECT count(*) FROM post_words WHERE word = 'old'") == 500)
        #expect(try await world.number("SELECT count(*) FROM post_words") == 1_001)
        #expect(try await world.number("SELECT count(*) FROM jobs WHERE kind = 'find-post-words'") == 0)
    }

    // MARK: Addresses

    @Test("The address of a post or comment finds it for those who may see it, any other address nothing")
    func addresses() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let eve = try await world.account("eve")
        let post = try await ana.post(caption: "Fog example posts http https")
        let unlisted = try await ana.post(caption: "Quiet", visibility: "unlisted")
        let comment = try await ben.comment("Rain", on: post)
        for id in [post, comment, unlisted] {
            let status = try await ben.get("/api/v1/statuses/\(id)")
            for member in ["url", "uri"] {
                let address = try #require(status[member].string)
                #expect(try await ben.postsFound(address) == [id])
                #expect(try await eve.postsFound(address) == (id == unlisted ? [id] : []))
            }
        }
        let address = "http://localhost/posts/\(post)"
        let ofComment = "http://localhost/posts/\(comment)".queryEncoded
        for path in ["/users?q=", "/search/posts?q="] {
            #expect(try await ben.grid("\(path)\(address.queryEncoded)") == [post])
            #expect(try await ben.grid("\(path)\(ofComment)").isEmpty)
        }
        #expect(try await ben.postsFound(address, "&account_id=\(ana.id)") == [post])
        #expect(try await ben.postsFound(address, "&account_id=\(ben.id)").isEmpty)
        #expect(try await ben.postsFound(address, "&offset=1").isEmpty)
        #expect(try await ben.postsFound(address, "&max_id=\(post)").isEmpty)
        #expect(try await ben.postsFound(address, "&min_id=\(post)").isEmpty)
        for other in [
            "https://example.com/posts/\(post)", "http://localhost/posts/", "http://localhost/posts/7",
            "http://localhost/posts/\(post)/comments", "HTTP://example.com/posts",
            "https://example.com/@ana/1",
        ] {
            #expect(try await ben.postsFound(other).isEmpty, "\(other)")
        }
        try await ana.block(ben)
        #expect(try await ben.postsFound(address).isEmpty)
    }
}

extension Person {
    /// The posts that apps find, by their ids.
    fileprivate func postsFound(_ words: String, _ more: String = "") async throws -> [String] {
        let answer = try await get("/api/v2/search?type=statuses&q=\(words.queryEncoded)\(more)")
        try #require(answer.status == 200, "\(words): \(answer.text)")
        return answer["statuses"].list.compactMap { $0["id"].string }
    }

    /// The posts in the grid of a screen, by their ids.
    fileprivate func grid(_ path: String) async throws -> [String] {
        let answer = try await visit(path)
        try #require(answer.status == 200, "\(path): \(answer.text)")
        return answer.text.matches(of: /<li data-id="(\d+)"/).map { String($0.1) }
    }
}
