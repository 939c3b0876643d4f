import Foundation
import HTTPTypes
import Storage
import Testing

@testable import Core
@testable import Feeds
@testable import People
@testable import Serving
@testable import Tintype

extension Person {
    /// Makes a filter with words; its id.
    func filter(
        _ title: String, words: [String],
        context: [String] = ["home", "public", "thread", "account", "notifications"],
        action: String = "warn", isWhole: Bool = true
    ) async throws -> String {
        let answer = try await post(
            "/api/v2/filters",
            json: [
                "title": .text(title), "context": .list(context.map { .text($0) }),
                "filter_action": .text(action),
                "keywords_attributes": .list(
                    words.map { ["keyword": .text($0), "whole_word": .bool(isWhole)] }),
            ])
        try #require(answer.status == 200, "\(answer.text)")
        return try #require(answer["id"].string)
    }

    fileprivate func matches(_ post: String) async throws -> [JSON] {
        try await get("/api/v1/statuses/\(post)")["filtered"].list
    }
}

@Suite("Filters")
struct FilterTests {
    @Test("The second version of the interface makes, reads, changes and deletes filters with words")
    func secondVersion() async throws {
        let world = try await World()
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        let made = try await ana.post(
            "/api/v2/filters",
            json: [
                "title": "Spoilers", "context": ["home", "thread"], "expires_in": 3600,
                "keywords_attributes": [["keyword": "finale"], ["keyword": "ending", "whole_word": false]],
            ])
        #expect(made.status == 200, "\(made.text)")
        #expect(made["title"] == "Spoilers" && made["filter_action"] == "warn")
        #expect(made["context"] == ["home", "thread"] && made["expires_at"].string != nil)
        #expect(made["keywords"].list.map { $0["keyword"] } == ["finale", "ending"])
        #expect(made["keywords"].list.map { $0["whole_word"] } == [true, false])
        let path = "/api/v2/filters/\(try #require(made["id"].string))"
        let word = try #require(made["keywords"][0]["id"].string)
        #expect(try await ana.get(path).json == made.json)
        #expect(try await ana.get("/api/v2/filters").json == [made.json])
        let changed = try await ana.send(
            .put, path,
            json: [
                "title": "Series", "filter_action": "hide", "expires_in": "",
                "keywords_attributes": [
                    ["id": .text(word), "keyword": "season"], ["keyword": "episode"],
                    ["id": made["keywords"][1]["id"], "_destroy": true],
                ],
            ])
        #expect(changed["title"] == "Series" && changed["filter_action"] == "hide")
        #expect(changed["expires_at"] == .null && changed["context"] == ["home", "thread"])
        #expect(changed["keywords"].list.map { $0["keyword"] } == ["season", "episode"])
        #expect(changed["keywords"][0]["id"].string == word)

        let added = try await ana.post("\(path)/keywords", json: ["keyword": "cast", "whole_word": false])
        #expect(added["keyword"] == "cast" && added["whole_word"] == false)
        let third = "/api/v2/filters/keywords/\(try #require(added["id"].string))"
        #expect(try await ana.get(third).json == added.json)
        #expect(try await ana.send(.put, third, json: ["keyword": "crew"])["keyword"] == "crew")
        #expect(
            try await ana.get("\(path)/keywords").json.list.map { $0["keyword"] } == [
                "season", "episode", "crew",
            ])
        #expect(try await ana.delete(third).status == 200)
        #expect(try await ana.get(third).status == 404)
        for (method, other) in [
            ("GET", path), ("PUT", path), ("DELETE", path), ("GET", "\(path)/keywords"),
            ("POST", "\(path)/keywords"), ("GET", "\(path)/statuses"), ("POST", "\(path)/statuses"),
            ("GET", "/api/v2/filters/keywords/\(word)"), ("PUT", "/api/v2/filters/keywords/\(word)"),
            ("DELETE", "/api/v2/filters/keywords/\(word)"), ("GET", "/api/v1/filters/\(word)"),
            ("PUT", "/api/v1/filters/\(word)"), ("DELETE", "/api/v1/filters/\(word)"),
        ] {
            let method = try #require(HTTPRequest.Method(rawValue: method))
            let form: KeyValuePairs = ["title": "x", "keyword": "x", "phrase": "x", "status_id": "1"]
            #expect(try await ben.send(method, other, form: form).status == 404, "\(method) \(other)")
            #expect(try await world.stranger.send(method, other).status == 401)
        }
        #expect(try await ben.get("/api/v2/filters").json == [])
        #expect(try await ana.delete(path).status == 200)
        #expect(try await ana.get("/api/v2/filters").json == [])
        #expect(try await world.number("SELECT count(*) FROM filter_words") == 0)
    }

    @Test("The first version has each word as a filter of its own")
    func firstVersion() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let made = try await ana.post(
            "/api/v1/filters",
            json: ["phrase": "football", "context": ["home", "public"], "irreversible": true])
        #expect(made.status == 200 && made["phrase"] == "football" && made["whole_word"] == true)
        #expect(made["irreversible"] == true && made["expires_at"] == .null)
        let path = "/api/v1/filters/\(try #require(made["id"].string))"
        #expect(try await ana.get(path).json == made.json)
        let changed = try await ana.send(
            .put, path,
            json: ["phrase": "soccer", "context": ["home"], "whole_word": false, "irreversible": false])
        #expect(changed["phrase"] == "soccer" && changed["context"] == ["home"])
        #expect(changed["whole_word"] == false && changed["irreversible"] == false)
        let filter = try await ana.get("/api/v2/filters").json[0]
        #expect(filter["filter_action"] == "warn" && filter["keywords"][0]["keyword"] == "soccer")
        // What belongs to a filter with several words isn't changed through one of them.
        let id = try #require(filter["id"].string)
        _ = try await ana.post("/api/v2/filters/\(id)/keywords", json: ["keyword": "goal"])
        let refused = try await ana.send(
            .put, path, json: ["phrase": "soccer", "context": ["public"]])
        #expect(refused.status == 422 && refused.shows("one of several"))
        #expect(try await ana.send(.put, path, json: ["phrase": "match"])["phrase"] == "match")
        #expect(
            try await ana.get("/api/v1/filters").json.list.map { $0["phrase"] } == ["match", "goal"])
        for old in try await ana.get("/api/v1/filters").json.list {
            #expect(try await ana.delete("/api/v1/filters/\(old["id"].string ?? "")").status == 200)
        }
        #expect(try await ana.get("/api/v2/filters").json == [])
    }

    @Test("What a filter can't be is refused with a sentence, and nothing is kept of it")
    func refused() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let good: [String: JSON] = ["title": "x", "context": ["home"]]
        let long = JSON.text(String(repeating: "x", count: 101))
        for (name, value) in [
            ("title", ""), ("title", long), ("context", []), ("context", ["everywhere"]),
            ("filter_action", "blur"), ("expires_in", "soon"), ("expires_in", -1),
            ("expires_in", 400_000_000), ("keywords_attributes", [["keyword": ""]]),
            ("keywords_attributes", [["keyword": long]]),
            ("keywords_attributes", .list((0...50).map { ["keyword": .text("word\($0)")] })),
        ] as [(String, JSON)] {
            let answer = try await ana.post(
                "/api/v2/filters", json: .object(good.merging([name: value]) { $1 }))
            #expect(answer.status == 422 && answer["error"].string?.isEmpty == false, "\(name) \(value.text)")
        }
        #expect(
            try await ana.post("/api/v1/filters", json: ["phrase": "", "context": ["home"]]).status == 422)
        #expect(try await ana.post("/api/v1/filters", json: ["phrase": "x"]).status == 422)
        #expect(try await ana.get("/api/v2/filters").json == [])
        for number in 1...10 {
            _ = try await ana.filter("Full \(number)", words: (1...50).map { "word\(number)x\($0)" })
        }
        let beyond = try await ana.post("/api/v1/filters", json: ["phrase": "one", "context": ["home"]])
        #expect(beyond.status == 422 && beyond.shows("at most 500 words"))
        for number in 11...100 { _ = try await ana.filter("Empty \(number)", words: []) }
        let more = try await ana.post("/api/v2/filters", json: .object(good))
        #expect(more.status == 422 && more.shows("You already have 100 filters"))
        #expect(try await world.number("SELECT count(*) FROM post_filters") == 100)
    }

    @Test("Words are found whatever their case and accents, whole where that is asked")
    func words() async throws {
        let people = try await World().friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        func post(_ caption: String, description: String = "") async throws -> String {
            try await ben.post(caption: caption, photos: [try await ben.photo(description: description)])
        }
        let posts = [
            "whole": try await post("My CAT sleeps"), "part": try await post("A category of its own"),
            "accent": try await post("Un cafe\u{301} noir"), "phrase": try await post("Best of the best"),
            "sign": try await post("So sad :( today"), "letters": try await post("Schöne Straße"),
            "described": try await post("Look", description: "A spider in its web"),
            "other": try await post("Nothing of it"),
        ]
        let whole = try await ana.filter("Whole", words: ["cat", "CAFÉ", "of the", "straße", "spider"])
        _ = try await ana.filter("Parts", words: ["ategor", ":("], isWhole: false)
        var found: [String: [String]] = [:]
        for (name, id) in posts {
            found[name] = try await ana.matches(id).flatMap {
                $0["keyword_matches"].list.compactMap(\.string)
            }
        }
        #expect(
            found == [
                "whole": ["cat"], "part": ["ategor"], "accent": ["CAFÉ"], "phrase": ["of the"],
                "sign": [":("], "letters": ["straße"], "described": ["spider"], "other": [],
            ])
        let match = try await ana.matches(try #require(posts["whole"]))[0]
        #expect(match["filter"]["id"].string == whole && match["filter"]["title"] == "Whole")
        #expect(match["filter"]["keywords"] == .null && match["status_matches"] == .null)
        // Nobody else's, and never the author's.
        #expect(try await ben.matches(try #require(posts["whole"])) == [])
        let own = try await ana.post(caption: "My cat")
        #expect(try await ana.matches(own) == [])
        for path in ["timelines/home", "accounts/\(ben.id)/statuses"] {
            let listed = try await ana.get("/api/v1/\(path)?limit=40").json.list
            #expect(listed.filter { !$0["filtered"].list.isEmpty }.count == 7, "\(path)")
        }
    }

    @Test("The options of a post put it into a filter, whose screen lists it until it is taken out")
    func singlesOnScreens() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let post = try await ben.post(caption: "A <long> evening")
        let path = "/posts/\(post)/filter"
        #expect(try await ana.visit("/posts/\(post)/options").shows("href=\"\(path)\""))
        #expect(try await !ben.visit("/posts/\(post)/options").shows(path))
        #expect(try await ben.visit(path).status == 404)
        #expect(try await ben.submit(path, ["filter": "1"]).status == 404)
        #expect(try await ana.visit(path).shows("/settings/filters/new?post=\(post)"))

        let id = try await ana.filter("Weather", words: ["rain"])
        let other = try await ben.filter("Of Ben", words: ["sun"])
        #expect(try await ana.visit(path).shows("name=\"filter\" value=\"\(id)\""))
        #expect(try await ana.submit(path, ["filter": other]).headers[.location] == path)
        #expect(try await ana.submit(path).headers[.location] == path)
        #expect(try await ana.matches(post).isEmpty)
        for _ in 1...2 {
            let put = try await ana.submit(path, ["filter": id])
            #expect(put.headers[.location] == "/home" && put.flash == "“Weather” folds this post.")
        }
        let singles = try await ana.get("/api/v2/filters/\(id)/statuses").json.list
        #expect(singles.map { $0["status_id"].string } == [post])
        let single = try #require(singles.first?["id"].string)
        #expect(try await ana.matches(post).count == 1)

        let screen = "/settings/filters/\(id)"
        let page = try await ana.visit(screen)
        #expect(page.shows("A &lt;long&gt; evening") && page.shows("href=\"/posts/\(post)\""))
        #expect(page.shows("value=\"\(single)\""))
        // A refused change shows them still.
        let refused = try await ana.submit(screen, ["title": "", "context": "home"])
        #expect(refused.status == 422 && refused.shows("value=\"\(single)\""))
        // The screen of the post takes it out, too.
        #expect(try await ana.visit(path).shows("name=\"single\" value=\"\(single)\""))
        #expect(try await ben.submit("\(screen)/unfilter", ["single": single]).status == 404)
        #expect(
            try await ben.submit("/settings/filters/\(other)/unfilter", ["single": single]).status == 303)
        #expect(try await ana.matches(post).count == 1)
        for _ in 1...2 {
            let removed = try await ana.submit("\(screen)/unfilter", ["single": single])
            #expect(removed.headers[.location] == screen)
        }
        #expect(try await ana.matches(post).isEmpty)
        #expect(try await !ana.visit(screen).shows("Single posts"))

        // What can't be seen any more can still be taken out.
        _ = try await ana.submit(path, ["filter": id])
        try await ben.block(ana)
        let left = try await ana.visit(screen)
        #expect(left.shows("You can’t see this post any more.") && !left.shows("evening"))
        #expect(try await ana.submit(path, ["filter": id]).status == 404)
    }

    @Test("A filter is made for one post, with or without words, and not for one that nobody may see")
    func madeForSingle() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let (post, own) = (try await ben.post(caption: "Evening"), try await ana.post(caption: "Mine"))
        let path = "/settings/filters/new"
        let form = try await ana.visit("\(path)?post=\(post)")
        #expect(form.shows("Without words it filters this post alone."))
        #expect(try await !ana.visit(path).shows("Without words"))
        #expect(try await ana.visit("\(path)?post=\(own)").status == 404)
        let refused = try await ana.submit(path, ["title": "", "context": "home", "post": post])
        #expect(refused.status == 422 && refused.shows("name=\"post\" value=\"\(post)\""))
        for wrong in [own, "1"] {
            let form: KeyValuePairs = ["title": "x", "context": "home", "post": wrong]
            #expect(try await ana.submit(path, form).status == 404)
        }
        #expect(try await ana.get("/api/v2/filters").json == [])
        let made = try await ana.submit(
            path, ["title": "Enough", "context": "home", "filter_action": "hide", "post": post])
        #expect(made.headers[.location] == "/home")
        let filter = try await ana.get("/api/v2/filters").json[0]
        #expect(filter["title"] == "Enough" && filter["keywords"] == [])
        #expect(filter["statuses"].list.map { $0["status_id"].string } == [post])
        #expect(try await !ana.visit("/home").shows("Evening"))
    }

    @Test("A post that finds no room in a filter is refused on the screen that asked")
    func fullOfSingles() async throws {
        let world = try await World { $0.limits.writes = 1_000 }
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let id = try await ana.filter("Full", words: [])
        let post = try await ben.post(caption: "Evening")
        for number in 1...100 {
            let comment = try await ben.comment("Comment \(number)", on: post)
            #expect(try await ana.submit("/posts/\(comment)/filter", ["filter": id]).status == 303)
        }
        let path = "/posts/\(post)/filter"
        let refused = try await ana.submit(path, ["filter": id])
        #expect(refused.headers[.location] == path)
        #expect(refused.flash == "A filter has at most 100 single posts.")
        #expect(try await ana.matches(post).isEmpty)
    }

    @Test("A single post is filtered by its id, until it is taken out or goes")
    func singles() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let (post, other) = (try await ben.post(caption: "This one"), try await ben.post(caption: "Other"))
        let path = "/api/v2/filters/\(try await ana.filter("Seen", words: []))"
        let single = try await ana.post("\(path)/statuses", json: ["status_id": .text(post)])
        #expect(single.status == 200 && single["status_id"].string == post)
        #expect(try await ana.post("\(path)/statuses", json: ["status_id": .text(post)]).json == single.json)
        #expect(try await ana.post("\(path)/statuses", json: ["status_id": "1"]).status == 404)
        #expect(try await ana.post("\(path)/statuses", json: ["status_id": "x"]).status == 422)
        #expect(try await ana.get("\(path)/statuses").json == [single.json])
        #expect(try await ana.get(path)["statuses"] == [single.json])
        let match = try await ana.matches(post)[0]
        #expect(match["status_matches"] == [.text(post)] && match["keyword_matches"] == .null)
        #expect(try await ana.matches(other) == [])
        let id = "/api/v2/filters/statuses/\(try #require(single["id"].string))"
        #expect(try await ana.get(id).json == single.json)
        #expect(try await ben.get(id).status == 404)
        #expect(try await ben.delete(id).status == 404)
        #expect(try await ana.delete(id).json == single.json)
        #expect(try await ana.matches(post) == [])
        _ = try await ana.post("\(path)/statuses", json: ["status_id": .text(post)])
        _ = try await ben.delete("/api/v1/statuses/\(post)")
        #expect(try await ana.get("\(path)/statuses").json == [])
    }

    @Test("A filter counts until its end")
    func ends() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let post = try await ben.post(caption: "Rain again")
        _ = try await ana.post(
            "/api/v1/filters", json: ["phrase": "rain", "context": ["home"], "expires_in": 3600])
        #expect(try await ana.matches(post).count == 1)
        world.clock.advance(seconds: 3_601)
        #expect(try await ana.matches(post) == [])
        #expect(try await ana.get("/api/v2/filters").json.list.count == 1)
        #expect(try await ana.visit("/settings/filters").shows("Ended"))
    }

    @Test("Events say which filters of the listener fit, and keep everything for those without")
    func live() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let (ana, ben, cleo) = (people[0], people[1], people[2])
        _ = try await ana.filter("Weather", words: ["rain"], action: "hide")
        let received = try await ana.receives(until: "The end") {
            _ = try await ben.post(caption: "Much rain here")
            _ = try await ben.post(caption: "The end")
        }
        #expect(
            received.contains("\"title\":\"Weather\"") && received.contains("\"keyword_matches\":[\"rain\"]"))
        let others = try await cleo.receives(until: "The end again") {
            _ = try await ben.post(caption: "More rain here")
            _ = try await ben.post(caption: "The end again")
        }
        #expect(others.contains("More rain here") && !others.contains("Weather"))
    }

    @Test("What a filter hides in notifications isn't noted or counted there; elsewhere it is")
    func notifications() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let mine = try await ana.post(caption: "Mine")
        let theirs = try await ben.post(caption: "Rain again")
        _ = try await ana.filter("Rain", words: ["rain"], context: ["notifications"], action: "hide")
        _ = try await ana.filter("Snow", words: ["snow"], context: ["home"], action: "hide")
        // Each began to follow the other.
        func unread() async throws -> Double? {
            try await ana.get("/api/v1/notifications/unread_count")["count"].number
        }
        let before = try #require(try await unread())
        _ = try await ben.comment("More rain", on: mine)
        // The post above hides what is below it.
        _ = try await ben.comment("What do you think, @ana?", on: theirs)
        #expect(try await ana.get("/api/v1/notifications?types[]=mention").json.list.isEmpty)
        #expect(try await unread() == before)
        // Comments below one post are one line.
        for text in ["Only snow", "Sun, @ana"] {
            _ = try await ben.comment(text, on: mine)
            #expect(try await unread() == before + 1)
        }
    }

    @Test("The download has filters with words and posts, and they go with the account")
    func download() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        _ = try await world.account("olga", isAdmin: true)
        let id = try await ana.filter("Both", words: ["rain", "snow"], context: ["home"], action: "hide")
        let post = try await ben.post(caption: "x")
        _ = try await ana.post("/api/v2/filters/\(id)/statuses", json: ["status_id": .text(post)])
        #expect(try await world.downloaded("filters", of: ana).map { $0["name"] } == ["Both"])
        #expect(try await world.downloaded("filter-words", of: ana).map { $0["word"] } == ["rain", "snow"])
        #expect(try await world.downloaded("filtered-posts", of: ana).map { $0["post_id"].string } == [post])
        #expect(try await ana.submit("/settings/delete", ["password": "correct horse"]).status == 303)
        try await world.work()
        for table in ["post_filters", "filter_words", "filter_posts"] {
            #expect(try await world.number("SELECT count(*) FROM \(table)") == 0, "\(table)")
        }
    }
}

@Suite("Filtered pages")
struct FilteredPageTests {
    @Test("Where a filter counts, posts are folded or left out; elsewhere they are shown")
    func pages() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let post = try await ben.post(caption: "Much rain here", visibility: "public")
        let other = try await ben.post(caption: "Sunny", visibility: "public")
        let list = try await ana.list("Friends", of: [ben])
        let mine = try await ana.post(caption: "Mine", visibility: "public")
        _ = try await ben.comment("Rain below", on: mine)
        let pages = [
            "home": "/home", "public": "/home?show=everyone", "account": "/@ben",
            "thread": "/posts/\(mine)/comments", "notifications": "/notifications",
        ]
        let marks = [
            "home": "data-id=\"\(post)\"", "public": "data-id=\"\(post)\"", "account": "data-id=\"\(post)\"",
            "thread": "Rain below", "notifications": "Rain below",
        ]
        for action in ["warn", "hide"] {
            for (context, path) in pages {
                let mark = try #require(marks[context])
                #expect(try await ana.visit(path).shows(mark), "\(path) before")
                let id = try await ana.filter("Weather", words: ["rain"], context: [context], action: action)
                for (place, path) in pages {
                    let page = try await ana.visit(path)
                    let mark = try #require(marks[place])
                    guard place == context else {
                        #expect(page.shows(mark) && !page.shows("Weather"), "\(action) \(context) \(path)")
                        continue
                    }
                    #expect(page.shows("Weather") == (action == "warn"), "\(action) \(path)")
                    // A notification says what it is about, and not its words.
                    let isShown = action == "warn" && place != "notifications"
                    #expect(page.shows(mark) == isShown, "\(action) \(path)")
                    if ["home", "public", "account"].contains(place) { #expect(page.shows(other)) }
                }
                if context == "home" {
                    let feed = try await ana.visit("/lists/\(list)")
                    #expect(feed.shows("Weather") == (action == "warn") && feed.shows("Sunny"))
                }
                #expect(try await ana.delete("/api/v2/filters/\(id)").status == 200)
            }
        }
    }

    @Test(
        "The page of a hashtag folds and leaves out posts where everyone's posts are filtered",
        arguments: ["warn", "hide"])
    func hashtag(_ action: String) async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let rainy = try await ben.post(caption: "Rain on #dogs", visibility: "public")
        let sunny = try await ben.post(caption: "Sun on #dogs", visibility: "public")
        _ = try await ana.filter("Weather", words: ["rain"], context: ["public"], action: action)
        let page = try await ana.visit("/tags/dogs")
        #expect(page.shows("/posts/\(sunny)"))
        #expect(page.shows("Filtered: Weather") == (action == "warn"))
        #expect(page.shows("/posts/\(rainy)") == (action == "warn"))
        #expect(try await !ben.visit("/tags/dogs").shows("Filtered"))
    }

    @Test("A post's own page folds it, also for a filter that hides; a page of hidden posts leads on")
    func ownPage() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let first = try await ben.post(caption: "Sunny at first")
        for number in 1...12 { _ = try await ben.post(caption: "Rain \(number)") }
        let rain = try #require(try await ana.get("/api/v1/timelines/home").json[0]["id"].string)
        _ = try await ana.filter("Weather", words: ["rain"], action: "hide")
        let page = try await ana.visit("/posts/\(rain)")
        #expect(page.shows("Filtered: ") && page.shows("<bdi>Weather</bdi>") && page.shows("Show anyway"))
        let home = try await ana.visit("/home")
        #expect(!home.shows("post-card data-id"))
        let next = try #require(home.text.firstMatch(of: #/rel="next"[^>]*href="([^"]+)"/#)?.1)
        #expect(try await ana.refresh(String(next).replacing("&amp;", with: "&")).shows(first))
        // The API shows them, with the filter, as Mastodon does.
        #expect(try await ana.get("/api/v1/timelines/home").json.list.count == 13)
        #expect(try await !ben.visit("/home").shows("Weather"))
    }

    @Test("Settings → Filters makes, changes and deletes filters without scripts")
    func settings() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        #expect(try await ana.visit("/settings").shows("/settings/filters"))
        #expect(try await ana.visit("/settings/filters/new").shows("Words and phrases, one a line"))
        let refused = try await ana.submit(
            "/settings/filters/new", ["title": "", "words": "rain", "whole": "true", "filter_action": "hide"])
        #expect(refused.status == 422 && refused.shows("Give the filter a name.") && refused.shows(">rain<"))
        #expect(refused.shows("Choose at least one place"))
        let made = try await ana.submit(
            "/settings/filters/new",
            [
                "title": "Weather", "words": "rain\r\n\r\n of the sea \r\nrain", "whole": "true",
                "context": "home", "context": "thread", "filter_action": "hide", "ends": "86400",
            ])
        #expect(made.status == 303 && made.headers[.location] == "/settings/filters")
        let filter = try await ana.get("/api/v2/filters").json[0]
        #expect(filter["title"] == "Weather" && filter["filter_action"] == "hide")
        #expect(filter["context"] == ["home", "thread"] && filter["expires_at"].string != nil)
        #expect(filter["keywords"].list.map { $0["keyword"] } == ["rain", "of the sea"])
        #expect(filter["keywords"].list.map { $0["whole_word"] } == [true, true])
        let id = try #require(filter["id"].string)
        // An app changes one word alone: the screen keeps that.
        let word = try #require(filter["keywords"][0]["id"].string)
        _ = try await ana.send(.put, "/api/v2/filters/keywords/\(word)", json: ["whole_word": false])
        let path = "/settings/filters/\(id)"
        #expect(try await ana.visit(path).shows("rain\nof the sea"))
        let saved = try await ana.submit(
            path,
            [
                "title": "Sea", "words": "rain\nof the sea\nsnow", "context": "home", "filter_action": "warn",
                "ends": "",
            ])
        #expect(saved.status == 303)
        let now = try await ana.get("/api/v2/filters/\(id)")
        #expect(now["title"] == "Sea" && now["filter_action"] == "warn" && now["context"] == ["home"])
        #expect(now["expires_at"] == filter["expires_at"] && now["keywords"][0]["id"].string == word)
        #expect(now["keywords"].list.map { $0["whole_word"] } == [false, true, false])
        _ = try await ana.submit(
            path, ["title": "Sea", "words": "snow", "whole": "true", "context": "home", "ends": "0"])
        let last = try await ana.get("/api/v2/filters/\(id)")
        #expect(last["keywords"].list.map { $0["whole_word"] } == [true] && last["expires_at"] == .null)
        let ben = try await world.account("ben")
        for other in [path, "\(path)/delete"] { #expect(try await ben.submit(other).status == 404) }
        #expect(try await ben.visit(path).status == 404)
        #expect(try await ana.submit("\(path)/delete").status == 303)
        #expect(try await ana.get("/api/v2/filters").json == [])
    }
}
