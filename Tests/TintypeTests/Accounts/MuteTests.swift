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
    fileprivate func mute(_ other: Person, json: JSON = [:]) async throws -> Answer {
        try await post("/api/v1/accounts/\(other.id)/mute", json: json)
    }

    fileprivate func unmute(_ other: Person) async throws {
        let answer = try await post("/api/v1/accounts/\(other.id)/unmute")
        #expect(answer.status == 200 && answer["muting"] == false && answer["muting_notifications"] == false)
    }
}

@Suite("Muting people")
struct MuteTests {
    @Test("What they post, write and do isn't shown, before or after; it is back when the mute ends")
    func everywhere() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let (ana, ben, cleo) = (people[0], people[1], people[2])
        let hers = try await ana.post(caption: "Of ana")
        let theirs = try await cleo.post(caption: "Of cleo", visibility: "public")
        let post = try await ben.post(caption: "Of ben", visibility: "public")
        try await ben.like(hers)
        let comment = try await ben.comment("Words of ben", on: theirs)
        _ = try await cleo.comment("Reply of cleo", on: comment)
        _ = try await ben.comment("Below mine", on: hers)
        func seen() async throws -> [String: Bool] {
            let context = try await ana.get("/api/v1/statuses/\(theirs)/context")
            return [
                "home": try await ana.home().contains("Of ben"),
                "home page": try await ana.visit("/home").shows(post),
                "everyone": try await ana.captions("/api/v1/timelines/public").contains("Of ben"),
                "everyone's page": try await ana.visit("/home?show=everyone").shows(post),
                "context": context["descendants"].list.contains { $0["id"].string == comment },
                "comments": try await ana.visit("/posts/\(theirs)/comments").shows("Words of ben"),
                "newer comments": try await ana.refresh("/posts/\(theirs)/comments?min_id=1").shows(
                    "Words of ben"),
                "notifications": try await ana.get("/api/v1/notifications").json.list.contains {
                    $0["account"]["username"] == "ben"
                },
                "groups": try await ana.get("/api/v2/notifications").shows("\"\(ben.id)\""),
                "notifications' page": try await ana.visit("/notifications").shows("Below mine"),
                "unread": try await ana.get("/api/v1/notifications/unread_count")["count"].int ?? 0 > 0,
            ]
        }
        // The notification's page marks as read: the count is asked for before it.
        #expect(try await ana.get("/api/v1/notifications/unread_count")["count"].int ?? 0 > 0)
        var before = try await seen()
        before["unread"] = nil
        #expect(!before.values.contains(false), "\(before)")
        let answer = try await ana.mute(ben)
        #expect(answer.status == 200)
        #expect(answer["muting"] == true && answer["muting_notifications"] == true)
        #expect(answer["following"] == true)
        _ = try await ben.post(caption: "Of ben later", visibility: "public")
        _ = try await ben.comment("Words of ben later", on: hers)
        try await ben.like(try await ana.post(caption: "Second of ana"))
        let muted = try await seen()
        #expect(!muted.values.contains(true), "\(muted)")
        #expect(try await ana.get("/api/v1/notifications/unread_count")["count"] == 0)
        #expect(try await !ana.visit("/posts/\(hers)/comments").shows("Words of ben later"))
        // Replies of others stay, and Ben's own page shows what he posts.
        #expect(try await ana.visit("/posts/\(theirs)/comments").shows("Reply of cleo"))
        #expect(try await ana.captions("/api/v1/accounts/\(ben.id)/statuses").count == 2)
        #expect(try await ana.visit("/@ben").shows("You muted Ben."))
        #expect(try await ana.get("/api/v1/statuses/\(post)").status == 200)
        try await ana.unmute(ben)
        var after = try await seen()
        after["unread"] = nil
        #expect(!after.values.contains(false), "\(after)")
        // What happened meanwhile was never a notification.
        let listed = try await ana.get("/api/v1/notifications").json.list.compactMap {
            $0["status"]["text"].string
        }
        #expect(!listed.contains("Words of ben later") && !listed.contains("Second of ana"))
    }

    @Test("The muted learn nothing of it: no notification, no event, no word in any answer")
    func silent() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        func answers() async throws -> [JSON] {
            var answers: [JSON] = []
            for path in [
                "accounts/\(ana.id)", "accounts/relationships?id[]=\(ana.id)", "notifications", "mutes",
                "accounts/\(ana.id)/followers", "notifications/unread_count", "blocks",
            ] { answers.append(try await ben.get("/api/v1/\(path)").json) }
            return answers
        }
        let before = try await answers()
        var stream = world.tintype.events.subscribe(ben.id, session: ID(rawValue: 1), after: nil).stream
            .makeAsyncIterator()
        _ = try await ana.mute(ben)
        #expect(try await answers() == before)
        try await ana.unmute(ben)
        let end = try await ben.post(caption: "The end")
        // The first event is the one that comes after all of it.
        #expect(JSON(try #require(await stream.next()).data)["id"].string == end)
        // They still write to each other.
        _ = try await ana.mute(ben)
        _ = try await ben.write("Still here", in: try await ben.chat(with: ana))
        #expect(try await ana.visit("/messages").shows("Still here"))
    }

    @Test("Live events of someone muted don't come, and pages fetch again when the mute begins")
    func live() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let (ana, ben, cleo) = (people[0], people[1], people[2])
        let mine = try await ana.post(caption: "Of ana")
        let received = try await ana.receives(until: "The end") {
            _ = try await ana.mute(ben)
            let post = try await ben.post(caption: "Not heard", visibility: "public")
            _ = try await ben.send(.put, "/api/v1/statuses/\(post)", json: ["status": "Not heard either"])
            _ = try await ben.comment("Not heard at all", on: mine)
            _ = try await cleo.post(caption: "The end")
        }
        #expect(received.contains("event: reset"))
        #expect(!received.contains("Not heard"))
        #expect(!received.contains("event: notification"))
        #expect(!received.contains("tintype.status.public"))
    }

    @Test("Notifications alone can stay, and a second mute replaces the choice")
    func notifications() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let answer = try await ana.mute(ben, json: ["notifications": false])
        #expect(answer["muting"] == true && answer["muting_notifications"] == false)
        try await ben.like(try await ana.post(caption: "Of ana"))
        _ = try await ben.post(caption: "Of ben")
        func likes() async throws -> Int {
            try await ana.get("/api/v1/notifications?types[]=favourite").json.list.count
        }
        #expect(try await likes() == 1)
        #expect(try await ana.home() == ["Of ana"])
        #expect(try await ana.mute(ben)["muting_notifications"] == true)
        #expect(try await likes() == 0)
        #expect(try await world.number("SELECT count(*) FROM mutes") == 1)
    }

    @Test("A mute with an end ends by itself, and one that was made longer meanwhile doesn't end early")
    func duration() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        _ = try await ben.post(caption: "Of ben")
        // However often a mute is changed, one job waits for its end, and none once it is over.
        let ends = "SELECT count(*) FROM jobs WHERE kind = 'end-mute'"
        for _ in 1...3 {
            #expect(try await ana.mute(ben, json: ["duration": 7_200]).status == 200)
            #expect(try await world.number(ends) == 1)
            try await ana.unmute(ben)
            #expect(try await world.number(ends) == 0)
        }
        #expect(try await ana.mute(ben, json: ["duration": 3_600]).status == 200)
        let list = try await ana.get("/api/v1/mutes").json.list
        #expect(list.map { $0["username"] } == ["ben"])
        #expect(list[0]["mute_expires_at"] != nil)
        #expect(try await ana.visit("/@ben/options").shows("You muted Ben until"))
        world.clock.advance(seconds: 3_000)
        try await world.work()
        #expect(try await ana.home() == [])
        #expect(try await ana.mute(ben, json: ["duration": "7200"]).status == 200)
        #expect(try await world.number(ends) == 1)
        world.clock.advance(seconds: 3_600)
        try await world.work()
        #expect(try await ana.home() == [])
        world.clock.advance(seconds: 3_600)
        try await world.work()
        #expect(try await ana.home() == ["Of ben"])
        #expect(try await ana.get("/api/v1/mutes").json.list.isEmpty)
        // Without an end it stays.
        #expect(try await ana.mute(ben, json: ["duration": 0]).status == 200)
        world.clock.advance(hours: 24 * 400 - 100)
        try await world.work()
        #expect(try await world.number("SELECT count(*) FROM mutes") == 1)
    }

    @Test("Your own account, nobody, and times that make no sense are refused; beyond the limit too")
    func refused() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        #expect(try await ana.mute(ana).status == 422)
        let nobody = Person(world: world, id: ID(rawValue: 4), username: "", token: nil)
        #expect(try await ana.mute(nobody).status == 404)
        #expect(try await ana.post("/api/v1/accounts/x/mute").status == 404)
        // Who can't be seen is nobody, whatever else is wrong.
        #expect(try await ana.mute(nobody, json: ["duration": 40_000_000]).status == 404)
        for duration: JSON in ["soon", -1, 40_000_000, "9223372036854775808"] {
            let answer = try await ana.mute(ben, json: ["duration": duration])
            #expect(answer.status == 422 && answer["details"]["duration"] != nil, "\(duration)")
        }
        #expect(try await world.stranger.mute(ben).status == 401)
        #expect(try await world.number("SELECT count(*) FROM mutes") == 0)
        let first = ana.id
        try await world.tintype.database.write { transaction in
            for number in 0..<Mute.most {
                let id = transaction.newID()
                try transaction.execute(
                    """
                    INSERT INTO accounts (id, username, username_folded, display_name, password)
                    VALUES ($1, $2, $2, $2, '')
                    """, id, "many\(number)")
                try transaction.execute(
                    """
                    INSERT INTO mutes (account_id, muted_id, id, hides_notifications) VALUES ($1, $2, $3, 1)
                    """, first, id, transaction.newID())
            }
        }
        let answer = try await ana.mute(ben)
        #expect(answer.status == 422 && answer.shows("which is the limit"))
    }

    @Test("The profile's options mute and unmute, and Settings lists everyone muted")
    func screens() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        #expect(try await ana.visit("/@ben/options").shows("Mute ben"))
        #expect(try await ana.visit("/settings/muted").shows("You haven’t muted anyone."))
        #expect(try await ana.submit("/accounts/\(ben.id)/mute").status == 303)
        #expect(try await ana.visit("/@ben/options").shows("Unmute ben"))
        #expect(try await ana.visit("/settings/muted").shows("@ben"))
        #expect(try await ana.visit("/settings").shows("Muted people"))
        #expect(try await ana.submit("/accounts/\(ben.id)/unmute").status == 303)
        #expect(try await !ana.visit("/settings/muted").shows("@ben"))
        // Settings counts those that the list has: nobody who is suspended, or who can't be seen.
        #expect(try await ana.submit("/accounts/\(ben.id)/mute").status == 303)
        let viewer = try await ana.account()
        func count() async throws -> Int {
            let relations = world.tintype.features.relationships.relations
            return try await world.tintype.database.read { try relations.mutedCount(by: viewer, $0) }
        }
        #expect(try await count() == 1)
        try await ben.block(ana)
        #expect(try await ana.get("/api/v1/mutes").json.list.isEmpty)
        #expect(try await count() == 0)
        // The list comes in pages.
        for number in 1...3 { _ = try await ana.mute(try await world.account("more\(number)")) }
        let page = try await ana.get("/api/v1/mutes?limit=2")
        #expect(page.json.list.map { $0["username"] } == ["more3", "more2"])
        #expect(page.headers[.link]?.contains("rel=\"next\"") == true)
    }

    @Test(
        "Suggestions are those whom followed people follow, but for people muted, followed or dismissed")
    func suggestions() async throws {
        let world = try await World()
        var people: [String: Person] = [:]
        for name in ["ana", "ben", "cleo", "dora", "eli", "fay"] {
            people[name] = try await world.account(name)
        }
        func person(_ name: String) throws -> Person { try #require(people[name]) }
        func follow(_ one: String, _ others: String...) async throws {
            for other in others { try await person(one).follow(person(other)) }
        }
        try await follow("ana", "ben", "cleo")
        try await follow("ben", "ana", "cleo", "dora", "eli", "fay")
        try await follow("cleo", "dora", "fay")
        let ana = try person("ana")
        func suggested() async throws -> [String?] {
            try await ana.get("/api/v2/suggestions").json.list.map { $0["account"]["username"].string }
        }
        // Two of those followed follow fay and dora, one follows eli.
        #expect(try await suggested() == ["fay", "dora", "eli"])
        #expect(try await ana.get("/api/v1/suggestions?limit=1").json.list.map { $0["username"] } == ["fay"])
        _ = try await ana.mute(try person("fay"))
        #expect(try await suggested() == ["dora", "eli"])
        #expect(try await ana.delete("/api/v1/suggestions/\(person("dora").id)").status == 200)
        #expect(try await ana.delete("/api/v1/suggestions/\(person("dora").id)").status == 200)
        #expect(try await suggested() == ["eli"])
        try await ana.block(try person("eli"))
        #expect(try await suggested() == [])
        #expect(try await ana.delete("/api/v1/suggestions/7").status == 404)
    }
}

@Suite("Muting threads")
struct ThreadMuteTests {
    @Test("Nothing about a muted thread is a notification; the thread itself stays as it is")
    func mute() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let (ana, ben, cleo) = (people[0], people[1], people[2])
        let post = try await ana.post(caption: "Much said")
        let other = try await ana.post(caption: "Other")
        let comment = try await ben.comment("First", on: post)
        func listed() async throws -> [String?] {
            try await ana.get("/api/v1/notifications?types[]=favourite&types[]=mention").json.list.map {
                $0["status"]["text"].string
            }
        }
        #expect(try await listed() == ["First"])
        // By any comment of it.
        let answer = try await ana.post("/api/v1/statuses/\(comment)/mute")
        #expect(answer.status == 200 && answer["muted"] == true)
        _ = try await ben.comment("Second", on: comment)
        _ = try await cleo.comment("Third, @ana", on: post)
        try await ben.like(post)
        try await ben.like(other)
        #expect(try await listed() == ["Other"])
        #expect(try await ana.visit("/notifications").text.matches(of: /commented/).isEmpty)
        #expect(try await ana.get("/api/v1/statuses/\(post)")["muted"] == true)
        #expect(try await ben.get("/api/v1/statuses/\(post)")["muted"] == false)
        #expect(try await ana.get("/api/v1/statuses/\(post)/context")["descendants"].list.count == 3)
        #expect(try await ana.home().contains("Much said"))
        #expect(try await ana.post("/api/v1/statuses/\(post)/unmute")["muted"] == false)
        #expect(try await listed() == ["Other", "First"])
        _ = try await cleo.comment("Fourth", on: post)
        #expect(try await listed() == ["Fourth", "Other", "First"])
    }

    @Test("The oldest muted thread is forgotten beyond the limit")
    func bound() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let photo = try await ana.photo()
        let post = try await ana.post(caption: "One", photos: [photo])
        _ = try await ana.post("/api/v1/statuses/\(post)/mute")
        try await world.tintype.database.write { [id = ana.id] transaction in
            for _ in 0..<PostStore.mostMutedThreads {
                let post = Post.ID(rawValue: transaction.newID())
                try transaction.execute(
                    "INSERT INTO posts (id, author_id, caption, visibility) VALUES ($1, $2, '', 'private')",
                    post, id)
                try PostStore(transaction).muteThread(post, of: id)
            }
        }
        #expect(try await world.number("SELECT count(*) FROM muted_threads") == PostStore.mostMutedThreads)
        #expect(try await ana.get("/api/v1/statuses/\(post)")["muted"] == false)
    }
}
