import Foundation
import HTTPTypes
import Storage
import Synchronization
import Testing

@testable import Core
@testable import Feeds
@testable import Serving
@testable import Tintype

@Suite("Hashtags")
struct HashtagTests {
    // MARK: What is one

    @Test(
        "A hashtag has letters, digits and underscores, and at least one letter",
        arguments: [
            ("#dogs", ["dogs"]), ("Two #dogs, one #cat.", ["dogs", "cat"]), ("(#dogs)", ["dogs"]),
            ("#Dogs #DOGS #dogs", ["Dogs"]), ("#1", []), ("#1st", ["1st"]), ("#_", []), ("#_a_", ["_a_"]),
            ("a#b", []), ("1#b", []), ("/#b", []), ("=#b", []), ("x)#b", []), ("##b", ["b"]), ("# b", []),
            ("&#39;", []), ("#don’t", ["don"]), ("#dog-walk", ["dog"]), ("#zürich", ["zürich"]),
            ("#日本語 #한국어 #ελληνικά", ["日本語", "한국어", "ελληνικά"]), ("#हिन्दी", ["हिन्दी"]), ("#สวัสดี", ["สวัสดี"]),
            ("#عَرَبِيّ", ["عَرَبِيّ"]), ("#a·b·", ["a·b"]), ("#·a", []), ("#️⃣ #😀", []), ("#dog😀", ["dog"]),
            ("#ab\u{FE0F}c", ["ab"]), ("https://example.com/#top", []), ("https://example.com/a?b=#top", []),
            ("@ana #dogs @ben", ["dogs"]), ("#a#b", ["a", "b"]),
        ] as [(String, [String])])
    func rule(text: String, tags: [String]) {
        #expect(Caption.tags(text).map(\.written) == tags)
        let whole = Caption.pieces(text).map { piece in
            switch piece {
            case .text(let text), .link(let text): text
            case .mention(let name): "@\(name)"
            case .tag(let tag): "#\(tag.written)"
            }
        }.joined()
        #expect(whole == text)
    }

    @Test(
        "Spellings that differ in case, accents and width are one hashtag",
        arguments: [
            ["Dogs", "DOGS", "ｄｏｇｓ"], ["Zürich", "zurich", "ZÜRICH", "zu\u{308}rich"],
            ["ΕΛΛΆΔΑ", "ελλάδα", "ελλαδα"],
        ])
    func folding(spellings: [String]) throws {
        let names = try spellings.map { try #require(Hashtag($0)).name }
        #expect(Set(names).count == 1)
        // A folded name is its own.
        #expect(Hashtag(names[0])?.name == names[0])
        #expect(Hashtag("#\(spellings[0])")?.name == names[0])
    }

    @Test("Different words stay apart, and a word that folds to much more is none")
    func apart() throws {
        for (one, other) in [("か", "が"), ("กา", "ก"), ("किताब", "कताब"), ("dogs", "dog_s")] {
            #expect(Hashtag(one)?.name != Hashtag(other)?.name && Hashtag(one) != nil, "\(one)")
        }
        #expect(Hashtag(String(repeating: "a", count: 100)) != nil)
        #expect(Hashtag(String(repeating: "a", count: 101)) == nil)
        #expect(Hashtag(String(repeating: "\u{FDFA}", count: 20)) == nil)
        for text in ["", "#", "two words", "a-b", "#a#b", "1"] { #expect(Hashtag(text) == nil, "\(text)") }
        let many = (1...40).map { "#tag\($0)" }.joined(separator: " ")
        #expect(Caption.tags(many).count == 30)
        #expect(Caption.tags(many + " #tag1").count == 30)
    }

    // MARK: In posts

    @Test("A hashtag is a link in captions and comments, and in the content and tags that apps get")
    func links() async throws {
        let people = try await World().friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let post = try await ana.post(caption: "Two #Dögs <b>")
        _ = try await ben.comment("#cats, too", on: post)
        let status = try await ben.get("/api/v1/statuses/\(post)")
        #expect(
            status["content"]
                == "<p>Two <a class=\"mention hashtag\" href=\"http://localhost/tags/dogs\" rel=\"tag\">#<span>Dögs</span></a> &lt;b&gt;</p>"
        )
        #expect(status["tags"] == [["name": "dogs", "url": "http://localhost/tags/dogs"]])
        let link = "<a class=\"hashtag\" href=\"/tags/D%C3%B6gs\" rel=\"tag\">#Dögs</a>"
        for page in ["/home", "/posts/\(post)", "/posts/\(post)/comments"] {
            #expect(try await ben.visit(page).text.contains(link), "\(page)")
        }
        #expect(try await ana.visit("/posts/\(post)/comments").shows("href=\"/tags/cats\""))
        let page = try await ben.visit("/tags/D%C3%B6gs")
        #expect(page.shows("#Dögs") && page.shows("/posts/\(post)\""))
        #expect(try await ben.visit("/tags/dogs").shows("/posts/\(post)\""))
        // The comment leads to its post.
        #expect(try await ben.visit("/tags/cats").shows("/posts/\(post)\""))
        #expect(try await ben.visit("/tags/birds").shows("no posts with #birds"))
        for wrong in ["/tags/a-b", "/tags/1", "/tags/%FF"] {
            #expect(try await ben.visit(wrong).status == 404, "\(wrong)")
        }
    }

    @Test("What is edited or deleted is found by what it says then")
    func changes() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        func found(_ tag: String) async throws -> Int { try await ben.tagged(tag).count }
        let post = try await ana.post(caption: "#dogs and #cats")
        let comment = try await ben.comment("#birds", on: post)
        let reply = try await ana.comment("#dogs again", on: comment)
        #expect(try await found("dogs") == 1)
        #expect(try await found("cats") == 1)
        #expect(try await found("birds") == 1)
        _ = try await ana.send(.put, "/api/v1/statuses/\(post)", json: ["status": "#cats and #bees"])
        #expect(try await found("dogs") == 1)
        #expect(try await found("cats") == 1)
        #expect(try await found("bees") == 1)
        _ = try await ana.send(.put, "/api/v1/statuses/\(reply)", json: ["status": "Nothing"])
        #expect(try await found("dogs") == 0)
        _ = try await ben.delete("/api/v1/statuses/\(comment)")
        #expect(try await found("birds") == 0)
        #expect(try await found("cats") == 1)
        _ = try await ana.delete("/api/v1/statuses/\(post)")
        #expect(try await found("cats") == 0)
        #expect(try await found("bees") == 0)
        #expect(try await world.number("SELECT count(*) FROM post_tags") == 0)
    }

    @Test("A post is found by those who may see it in lists, and by nobody else")
    func visibility() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let eve = try await world.account("eve")
        func found(_ person: Person) async throws -> [String] { try await person.tagged("dogs") }
        let own = try await ana.post(caption: "Friends #dogs")
        let unlisted = try await ana.post(caption: "Quiet #dogs", visibility: "unlisted")
        let open = try await ana.post(caption: "All #dogs", visibility: "public")
        #expect(try await found(ana) == [open, unlisted, own])
        #expect(try await found(ben) == [open, unlisted, own])
        #expect(try await found(eve) == [open])
        #expect(try await eve.get("/api/v1/statuses/\(unlisted)").status == 200)
        _ = try await eve.submit("/posts/\(open)/hide")
        #expect(try await found(eve).isEmpty)
        _ = try await ben.post("/api/v1/accounts/\(ana.id)/mute")
        #expect(try await found(ben).isEmpty)
        _ = try await ben.post("/api/v1/accounts/\(ana.id)/unmute")
        try await ana.block(ben)
        #expect(try await found(ben).isEmpty)
        let dora = try await world.account("dora")
        _ = try await ana.send(.patch, "/api/v1/accounts/update_credentials", json: ["locked": true])
        #expect(try await found(dora).isEmpty)
        _ = try await ana.send(.patch, "/api/v1/accounts/update_credentials", json: ["locked": false])
        #expect(try await found(dora) == [open])
        try await world.tintype.database.write {
            try $0.execute("UPDATE accounts SET is_suspended = 1 WHERE id = $1", ana.id)
        }
        #expect(try await found(dora).isEmpty)
    }

    @Test("A comment leads to its post only those who may see the comment")
    func comments() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let (ana, ben, cleo) = (people[0], people[1], people[2])
        let post = try await ana.post(caption: "Harbour", visibility: "public")
        _ = try await ben.comment("With #dogs", on: post)
        #expect(try await cleo.tagged("dogs") == [post])
        #expect(try await ana.tagged("dogs") == [post])
        _ = try await cleo.post("/api/v1/accounts/\(ben.id)/mute")
        #expect(try await cleo.tagged("dogs").isEmpty)
        try await ben.block(cleo)
        #expect(try await cleo.tagged("dogs").isEmpty)
        #expect(try await ana.tagged("dogs") == [post])
        // The post of somebody else isn't shown at the Home of those who follow the comment's hashtag.
        let eve = try await world.account("eve")
        _ = try await eve.post("/api/v1/tags/dogs/follow")
        #expect(try await eve.tagged("dogs") == [post])
        #expect(try await eve.home().isEmpty)
    }

    @Test("The posts come in pages, also behind many that the reader can't see, and by several hashtags")
    func pages() async throws {
        let world = try await World()
        let (ana, eve) = (try await world.account("ana"), try await world.account("eve"))
        let photo = try await ana.photo()
        var shown: [String] = []
        for number in 1...90 {
            let isShown = number % 45 < 2
            let post = try await ana.post(
                caption: "#dogs \(number % 2 == 0 ? "#even" : "#odd") #n\(number % 3)", photos: [photo],
                visibility: isShown ? "public" : "private")
            if isShown { shown.insert(post, at: 0) }
        }
        #expect(shown.count == 4)
        #expect(try await eve.tagged("dogs") == shown)
        let first = try await eve.get("/api/v1/timelines/tag/dogs?limit=3")
        #expect(first.json.list.compactMap { $0["id"].string } == Array(shown.prefix(3)))
        let next = try #require(first.headers[.link]?.firstMatch(of: /max_id=(\d+)/)?.1)
        #expect(try await eve.tagged("dogs?limit=3&max_id=\(next)") == [shown[3]])
        #expect(try await eve.tagged("dogs?limit=2&min_id=\(shown[3])") == Array(shown[1...2]))
        #expect(try await eve.tagged("dogs?limit=2&since_id=\(shown[3])") == Array(shown[0...1]))
        #expect(try await eve.tagged("dogs?max_id=0") == shown)
        #expect(try await eve.tagged("dogs?remote=true").isEmpty)
        #expect(try await eve.tagged("dogs?local=true&only_media=true") == shown)
        // 90, 46, 45 and 1: even, even, odd, odd; 0, 1, 0, 1.
        #expect(try await eve.tagged("dogs?all[]=even") == Array(shown[0...1]))
        #expect(try await eve.tagged("dogs?none[]=even&none[]=nothing") == Array(shown[2...3]))
        #expect(try await eve.tagged("dogs?all[]=even&none[]=n0") == [shown[1]])
        #expect(try await eve.tagged("even?any[]=odd") == shown)
        #expect(try await eve.tagged("even?any[]=odd&limit=2&max_id=\(shown[1])") == Array(shown[2...3]))
        #expect(try await eve.tagged("even?any[]=a-b") == Array(shown[0...1]))
        #expect(try await eve.get("/api/v1/timelines/tag/a-b").status == 404)
        let few = try await eve.visit("/tags/dogs")
        #expect(few.shows("/posts/\(shown[3])\"") && !few.shows("class=\"more\""))
        let page = try await ana.visit("/tags/dogs")
        let more = try #require(page.text.firstMatch(of: /class="more" href="([^"]+)"/)?.1)
        #expect(more.hasPrefix("/tags/dogs?max_id="))
        #expect(try await ana.refresh(String(more)).shows("/posts/"))
        // Of one author alone.
        let theirs = try await eve.get("/api/v1/accounts/\(ana.id)/statuses?tagged=even&limit=1")
        #expect(theirs.json.list.map { $0["id"].string } == [shown[0]])
        #expect(try await ana.get("/api/v1/accounts/\(ana.id)/statuses?tagged=even").json.list.count == 20)
        #expect(try await eve.get("/api/v1/accounts/\(ana.id)/statuses?tagged=a-b").status == 422)
    }

    @Test("Posts from before there were hashtags are found, step by step")
    func fromBefore() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let post = try await ana.post(caption: "#dogs", visibility: "public")
        _ = try await ben.comment("#cats", on: post)
        try await world.insertPosts(1_200, by: ana, "#old", visibility: .server)
        let database = world.tintype.database
        try await database.write { transaction in
            try transaction.execute("DELETE FROM post_tags")
            try transaction.execute(
                "INSERT INTO jobs (id, kind, payload, run_at) VALUES (51, 'find-hashtags', '9223372036854775807', 0)"
            )
        }
        #expect(try await ben.tagged("dogs").isEmpty)
        // A part again does no harm.
        try await database.write { try $0.schedule(.findHashtags, payload: "9223372036854775807") }
        try await world.work()
        #expect(try await ben.tagged("dogs") == [post])
        #expect(try await ben.tagged("cats") == [post])
        #expect(try await world.number("SELECT count(*) FROM post_tags WHERE name = 'old'") == 1_200)
        #expect(try await world.number("SELECT count(*) FROM post_tags WHERE is_listed = 1") == 1_201)
        #expect(try await world.number("SELECT count(*) FROM jobs WHERE kind = 'find-hashtags'") == 0)
    }

    // MARK: Following

    @Test("Home has posts for everyone with a followed hashtag, of strangers too, until it is unfollowed")
    func following() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let (eve, mia) = (try await world.account("eve"), try await world.account("mia"))
        _ = try await eve.post(caption: "Before #dogs", visibility: "public")
        _ = try await ben.post(caption: "Friend #dogs", visibility: "public")
        let followed = try await ana.post("/api/v1/tags/%23DOGS/follow")
        #expect(followed["name"] == "dogs" && followed["following"] == true)
        #expect(try await ana.get("/api/v1/tags/dogs/")["following"] == true)
        _ = try await eve.post(caption: "Private #dogs")
        _ = try await eve.post(caption: "Quiet #dogs", visibility: "unlisted")
        _ = try await eve.post(caption: "Cats #cats", visibility: "public")
        let narrowed = try await eve.post(caption: "Narrowed #dogs", visibility: "public")
        _ = try await eve.send(.put, "/api/v1/statuses/\(narrowed)", json: ["visibility": "private"])
        _ = try await mia.post(caption: "Mia #dogs", visibility: "public")
        let all = ["Mia #dogs", "Friend #dogs", "Before #dogs"]
        #expect(try await ana.home() == all)
        #expect(try await ana.visit("/home").shows("Mia"))
        #expect(try await ben.home() == ["Friend #dogs"])
        _ = try await ana.post("/api/v1/accounts/\(mia.id)/mute")
        #expect(try await ana.home() == Array(all.dropFirst()))
        _ = try await ana.post("/api/v1/accounts/\(mia.id)/unmute")
        try await mia.block(ana)
        #expect(try await ana.home() == Array(all.dropFirst()))
        _ = try await eve.send(.patch, "/api/v1/accounts/update_credentials", json: ["locked": true])
        #expect(try await ana.home() == ["Friend #dogs"])
        _ = try await eve.send(.patch, "/api/v1/accounts/update_credentials", json: ["locked": false])
        #expect(try await ana.home() == Array(all.dropFirst()))
        #expect(try await ana.post("/api/v1/tags/dogs/unfollow")["following"] == false)
        #expect(try await ana.home() == ["Friend #dogs"])
    }

    @Test("Pages of Home are those of followed people and followed hashtags together", arguments: 1...3)
    func homePages(seed: UInt64) async throws {
        var random = SeededRandom(seed)
        let world = try await World()
        let ana = try await world.account("ana")
        var authors: [Person] = []
        for number in 0..<6 {
            let author = try await world.account("author\(number)")
            if number < 3 { try await ana.follow(author) }
            authors.append(author)
        }
        for tag in ["a", "b", "c"] { _ = try await ana.post("/api/v1/tags/\(tag)/follow") }
        var shown: [Int64] = []
        for _ in 1...160 {
            let author = Int.random(in: 0..<6, using: &random)
            let authorID = authors[author].id
            let tags = ["a", "b", "c", "d", "e"].filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
            let isOpen = Bool.random(using: &random)
            let caption = tags.map { "#\($0)" }.joined(separator: " ")
            let id = try await world.tintype.database.write { transaction in
                let id = transaction.newID()
                try PostStore(transaction).insert(
                    ID(rawValue: id), author: authorID, words: PostWords(caption: caption),
                    visibility: isOpen ? .server : .followers, photos: [])
                return id
            }
            if author < 3 || (isOpen && !Set(tags).isDisjoint(with: ["a", "b", "c"])) { shown.append(id) }
        }
        func page(_ page: PageRequest) async throws -> [Int64] {
            try await world.tintype.database.read {
                try HomeFeed($0).page(page, for: ana.id).map(\.id.rawValue)
            }
        }
        for limit in [1, 4, 20, 40] {
            #expect(try await page(PageRequest(limit: limit)) == Array(shown.reversed().prefix(limit)))
            for place in [0, 3, shown.count / 2, shown.count - 2] {
                let older = PageRequest(limit: limit, olderThan: shown[place])
                #expect(try await page(older) == Array(shown[..<place].reversed().prefix(limit)))
                var above = PageRequest(limit: limit)
                above.rightAbove = shown[place]
                #expect(try await page(above) == Array(shown[(place + 1)...].prefix(limit).reversed()))
                var since = PageRequest(limit: limit)
                since.newerThan = shown[place]
                #expect(try await page(since) == Array(shown[(place + 1)...].reversed().prefix(limit)))
            }
        }
    }

    @Test("Home runs no statement more for those who follow no hashtag")
    func cost() async throws {
        let count = Mutex(0)
        let world = try await World {
            // A read that needs the disk, or a lock, begins again on another thread.
            $0.readsInPlace = 0
            $0.statementWatch = { sql, plan in
                StatementPlans.watch(sql, plan)
                if sql.contains("AS nearest") { count.withLock { $0 += 1 } }
            }
        }
        let ana = try await world.account("ana")
        _ = try await ana.post(caption: "#dogs", visibility: "public")
        for (isFollowed, statements) in [(false, 0), (true, 1), (false, 0)] {
            _ = try await ana.post("/api/v1/tags/dogs/\(isFollowed ? "follow" : "unfollow")")
            count.withLock { $0 = 0 }
            #expect(try await ana.home() == ["#dogs"])
            #expect(count.withLock { $0 } == statements)
        }
    }

    @Test("A hundred hashtags can be followed; Settings and apps list them, newest first")
    func followedList() async throws {
        let world = try await World { $0.limits.writes = 1_000 }
        let ana = try await world.account("ana")
        for number in 1...100 {
            #expect(try await ana.post("/api/v1/tags/Tag\(number)/follow").status == 200)
        }
        let refused = try await ana.post("/api/v1/tags/more/follow")
        #expect(refused.status == 422 && refused["error"].string?.contains("100 hashtags") == true)
        #expect(try await ana.post("/api/v1/tags/tag7/follow").status == 200)
        let first = try await ana.get("/api/v1/followed_tags?limit=2")
        #expect(first.json.list.map { $0["name"] } == ["tag100", "tag99"])
        #expect(first.json[0]["following"] == true && first.json[0]["history"].list.count == 7)
        let next = try #require(first.headers[.link]?.firstMatch(of: /max_id=(\d+)/)?.1)
        let second = try await ana.get("/api/v1/followed_tags?limit=2&max_id=\(next)")
        #expect(second.json.list.map { $0["name"] } == ["tag98", "tag97"])
        #expect(try await ana.visit("/settings").shows("Followed hashtags"))
        #expect(try await ana.visit("/settings/hashtags").shows("#Tag100"))
        #expect(try await ana.submit("/tags/Tag100/unfollow").status == 303)
        #expect(try await !ana.visit("/settings/hashtags").shows("#Tag100"))
        #expect(try await ana.visit("/tags/tag99").shows("aria-pressed=\"true\""))
        #expect(try await ana.submit("/tags/more/follow").headers[.location] == "/tags/more")
        #expect(try await ana.visit("/settings/hashtags").shows("#more"))
        #expect(try await world.account("ben").visit("/settings/hashtags").shows("don’t follow any"))
    }

    @Test("Who follows a hashtag hears of a stranger's post at once, and apps of a stream of the hashtag")
    func live() async throws {
        let world = try await World()
        let (ana, eve) = (try await world.account("ana"), try await world.account("eve"))
        _ = try await ana.post("/api/v1/tags/dogs/follow")
        let received = try await ana.receives(until: "Third") {
            _ = try await eve.post(caption: "First #cats", visibility: "public")
            _ = try await eve.post(caption: "Second #dogs")
            _ = try await eve.post(caption: "Third #dogs", visibility: "public")
        }
        #expect(received.contains("event: update\n") && !received.contains("First"))
        #expect(!received.contains("Second"))
        try await eve.webSocket("/api/v1/streaming?stream=hashtag&tag=%23Dogs") { socket in
            #expect(try await socket.say("{\"type\":\"subscribe\",\"stream\":\"hashtag\"}") != [])
            #expect(
                try await socket.say("{\"type\":\"subscribe\",\"stream\":\"hashtag\",\"tag\":\"cats\"}") == []
            )
            _ = try await ana.post(caption: "No hashtag", visibility: "public")
            _ = try await ana.post(caption: "For followers #dogs")
            _ = try await ana.post(caption: "A dog #DOGS", visibility: "public")
            let dog = try await socket.text()
            #expect(dog["stream"] == ["hashtag", "dogs"] && dog["event"] == "update")
            #expect(dog["payload"].string?.contains("A dog") == true)
            _ = try await ana.post(caption: "A cat #cats", visibility: "public")
            #expect(try await socket.text()["stream"] == ["hashtag", "cats"])
        }
        #expect(try await eve.get("/api/v1/streaming/hashtag").status == 400)
    }

    // MARK: Finding

    @Test(
        "Search finds hashtags by their beginning, and none that is only in posts that the reader can't see")
    func search() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let eve = try await world.account("eve")
        let photo = try await ana.photo()
        for caption in ["#Dogs", "#dogshow", "#dogs again"] {
            _ = try await ana.post(caption: caption, photos: [photo], visibility: "public")
        }
        _ = try await ana.post(caption: "#doghouse #dogma", photos: [photo])
        func found(_ query: String, _ person: Person) async throws -> [String?] {
            try await person.get("/api/v2/search?\(query)")["hashtags"].list.map { $0["name"].string }
        }
        #expect(try await found("q=dog&type=hashtags", eve) == ["dogs", "dogshow"])
        #expect(try await found("q=%23DOG", eve) == ["dogs", "dogshow"])
        #expect(try await found("q=dog&type=hashtags", ben) == ["doghouse", "dogma", "dogs", "dogshow"])
        #expect(try await found("q=dog&type=hashtags&limit=2", ben) == ["doghouse", "dogma"])
        #expect(try await found("q=dog&type=accounts", ben) == [])
        #expect(try await found("q=two+words", ben) == [])
        #expect(try await found("q=", ben) == [])
        #expect(try await found("q=xyz", ben) == [])
        #expect(try await eve.get("/api/v2/search?q=ana&type=hashtags")["accounts"].list.isEmpty)
        let page = try await eve.visit("/users?q=%23dog")
        #expect(page.shows("href=\"/tags/dogs\"") && page.shows("#dogshow") && !page.shows("dogma"))
        #expect(try await eve.visit("/users?q=ana").shows("@ana"))
        #expect(try await eve.visit("/users?q=nobody").shows("no hashtag begins with it"))
        #expect(try await !eve.visit("/users").shows("/tags/"))
    }

    @Test("Search finds a hashtag behind many that the reader can't see")
    func searchBehindHidden() async throws {
        let world = try await World()
        let (ana, eve) = (try await world.account("ana"), try await world.account("eve"))
        let hidden = (100...129).map { "#dog\($0)" }.joined(separator: " ")
        _ = try await ana.post(caption: hidden)
        _ = try await ana.post(caption: "#doghouse #dogs", visibility: "public")
        for (query, names) in [("dog", ["doghouse", "dogs"]), ("dog1", []), ("doghouse", ["doghouse"])] {
            let found = try await eve.get("/api/v2/search?type=hashtags&limit=2&q=\(query)")
            #expect(found["hashtags"].list.map { $0["name"].string } == names, "\(query)")
        }
    }

    @Test("A hashtag says how many of its posts the reader may see were made on each of the last seven days")
    func history() async throws {
        let world = try await World()
        let (ana, eve) = (try await world.account("ana"), try await world.account("eve"))
        _ = try await ana.post(caption: "#dogs", visibility: "public")
        world.clock.advance(hours: 24)
        for person in [ana, ana, eve] { _ = try await person.post(caption: "#dogs", visibility: "public") }
        _ = try await ana.post(caption: "Hidden #dogs")
        let tag = try await eve.get("/api/v1/tags/Dogs")
        #expect(tag["name"] == "dogs" && tag["url"] == "http://localhost/tags/dogs")
        #expect(tag["following"] == false && tag["featuring"] == false)
        let days = tag["history"].list
        #expect(days.map { $0["uses"].string } == ["3", "1", "0", "0", "0", "0", "0"])
        #expect(days.map { $0["accounts"].string } == ["2", "1", "0", "0", "0", "0", "0"])
        let starts = days.compactMap { $0["day"].string.flatMap { Int($0) } }
        #expect(starts.count == 7 && zip(starts, starts.dropFirst()).allSatisfy { $0 - $1 == 86_400 })
        #expect(starts[0] % 86_400 == 0)
        #expect(try await ana.get("/api/v1/tags/dogs")["history"][0]["uses"] == "4")
        #expect(try await ana.get("/api/v1/tags/unheard")["history"].list.count == 7)
        #expect(try await ana.get("/api/v1/tags/a-b").status == 404)
    }

    // MARK: Featuring

    @Test("Popular hashtags are those of most people in posts for everyone that the reader may see")
    func popular() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let (ana, ben, cleo) = (people[0], people[1], people[2])
        for (author, caption, visibility) in [
            (ben, "#Harbour one", "public"), (ben, "#harbour and #boats", "public"),
            (ben, "#boats", "public"),
            (cleo, "#harbour", "public"), (cleo, "#alone", "public"), (ben, "#friends", "private"),
            (ben, "#quiet", "unlisted"),
        ] {
            _ = try await author.post(caption: caption, visibility: visibility)
        }
        _ = try await cleo.post(
            "/api/v1/statuses",
            json: [
                "status": "#covered", "media_ids": [.text(try await cleo.photo())], "visibility": "public",
                "sensitive": true,
            ])
        func names(_ path: String, _ key: String) async throws -> [String?] {
            try await ana.get(path).json.list.map { $0[key].string }
        }
        #expect(try await names("/api/v1/trends/tags", "name") == ["harbour", "boats", "alone"])
        #expect(try await names("/api/v1/trends/tags?limit=1", "name") == ["harbour"])
        let discovered = try await ana.get("/api/v1.1/discover/posts/hashtags").json.list
        #expect(discovered.first?["hashtag"] == "harbour" && discovered.first?["name"] == "#harbour")
        #expect(discovered.first?["total"] == 3)
        try await ben.block(ana)
        #expect(try await names("/api/v1/trends/tags", "name") == ["alone", "harbour"])
    }

    @Test("A profile features up to ten hashtags, with the posts that the reader may see")
    func featured() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let eve = try await world.account("eve")
        let photo = try await ana.photo()
        for caption in ["#dogs #cats", "#Dogs", "#birds"] {
            _ = try await ana.post(caption: caption, photos: [photo])
        }
        _ = try await ana.post(caption: "#dogs", photos: [photo], visibility: "public")
        let suggested = try await ana.get("/api/v1/featured_tags/suggestions").json
        #expect(suggested.list.map { $0["name"].string } == ["dogs", "birds", "cats"])
        let made = try await ana.post("/api/v1/featured_tags", json: ["name": "#Dogs"])
        #expect(made.status == 200 && made["name"] == "dogs" && made["statuses_count"] == "3")
        #expect(try await ana.post("/api/v1/featured_tags", json: ["name": "dogs"])["id"] == made["id"])
        #expect(try await ana.post("/api/v1/tags/cats/feature")["featuring"] == true)
        let list = "/api/v1/accounts/\(ana.id)/featured_tags"
        #expect(try await ana.get("/api/v1/featured_tags").json.list.map { $0["name"] } == ["cats", "dogs"])
        #expect(try await ben.get(list).json.list.map { $0["statuses_count"] } == ["1", "3"])
        #expect(try await eve.get(list).json.list.map { $0["statuses_count"] } == ["0", "1"])
        #expect(try await eve.get(list).json[0]["last_status_at"] == nil)
        #expect(try await eve.visit("/@ana").shows("<a href=\"/tags/Dogs\">#Dogs</a>"))
        #expect(
            try await ana.get("/api/v1/featured_tags/suggestions").json.list.map { $0["name"] } == ["birds"])
        #expect(try await ana.post("/api/v1/featured_tags", json: ["name": "two words"]).status == 422)
        #expect(try await ana.post("/api/v1/featured_tags").status == 422)
        let id = try #require(made["id"].string)
        #expect(try await ben.delete("/api/v1/featured_tags/\(id)").status == 404)
        #expect(try await ana.delete("/api/v1/featured_tags/\(id)").status == 200)
        #expect(try await ana.delete("/api/v1/featured_tags/\(id)").status == 404)
        #expect(try await ana.post("/api/v1/tags/cats/unfeature")["featuring"] == false)
        #expect(try await ben.get(list).json.list.isEmpty)
        for number in 1...10 { _ = try await ana.post("/api/v1/tags/t\(number)/feature") }
        #expect(try await ana.post("/api/v1/tags/t11/feature").status == 422)
        try await ana.block(eve)
        #expect(try await eve.get(list).status == 404)
    }

    @Test("The page of a hashtag puts it on the viewer's profile and takes it off, up to ten")
    func featuredOnPage() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        #expect(try await ana.visit("/tags/Dogs").shows("action=\"/tags/Dogs/feature\""))
        let made = try await ana.submit("/tags/Dogs/feature")
        #expect(made.status == 303 && made.headers[.location] == "/tags/Dogs")
        #expect(try await ana.visit("/@ana").shows("<a href=\"/tags/Dogs\">#Dogs</a>"))
        let page = try await ana.visit("/tags/dogs")
        #expect(page.shows("Don’t show on my profile") && page.shows("action=\"/tags/dogs/unfeature\""))
        #expect(page.shows("action=\"/tags/dogs/follow\""))
        #expect(try await ana.submit("/tags/dogs/unfeature").status == 303)
        #expect(try await !ana.visit("/@ana").shows("/tags/Dogs"))
        for number in 1...10 { _ = try await ana.submit("/tags/t\(number)/feature") }
        // More than the profile holds is refused on the page that asked, and nothing changes.
        let refused = try await ana.submit("/tags/t11/feature")
        #expect(refused.headers[.location] == "/tags/t11")
        #expect(refused.flash?.contains("already has 10 hashtags") == true)
        #expect(try await ana.get("/api/v1/featured_tags").json.list.count == 10)
        #expect(try await ana.submit("/tags/two%20words/feature").status == 404)
    }

    @Test("An account that is deleted leaves no hashtag behind")
    func deletion() async throws {
        let world = try await World()
        _ = try await world.account("zoe", isAdmin: true)
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let bens = try await ben.post(caption: "#kept", visibility: "public")
        _ = try await ana.post(caption: "#dogs", visibility: "public")
        _ = try await ana.comment("#birds", on: bens)
        _ = try await ana.post("/api/v1/tags/dogs/follow")
        _ = try await ana.post("/api/v1/tags/dogs/feature")
        #expect(try await ana.submit("/settings/delete", ["password": "correct horse"]).status == 303)
        try await world.work()
        for table in ["followed_tags", "featured_tags"] {
            #expect(try await world.number("SELECT count(*) FROM \(table)") == 0, "\(table)")
        }
        #expect(try await world.number("SELECT count(*) FROM post_tags") == 1)
        #expect(try await ben.get("/api/v2/search?q=d")["hashtags"].list.isEmpty)
    }
}

extension Person {
    /// The posts of a hashtag's timeline, by their ids.
    fileprivate func tagged(_ query: String) async throws -> [String] {
        let answer = try await get("/api/v1/timelines/tag/\(query)")
        try #require(answer.status == 200, "\(query): \(answer.text)")
        return answer.json.list.compactMap { $0["id"].string }
    }
}
