import Foundation
import HTTPTypes
import Storage
import Testing

@testable import Core
@testable import Feeds
@testable import People
@testable import Serving
@testable import Tintype

@Suite("Snaps")
struct SnapTests {
    @Test("A snap goes to one feed, and friends find it there unread")
    func post() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let id = try await ana.snap(feed: "dog-spots")

        let sections = try await ben.get("/api/v1/snaps").json
        #expect(sections.list.map { $0["feed"]["title"].string } == ["memes", "dog spots", "random"])
        #expect(sections[1]["snaps"][0]["id"] == .text(id))
        #expect(sections[1]["snaps"][0]["read"] == false)
        #expect(sections[1]["snaps"][0]["viewers_count"] == nil)
        #expect(sections[1]["feed"]["unread_count"] == 1)
        #expect(sections[0]["snaps"].list.isEmpty)

        let own = try await ana.get("/api/v1/snaps").json[1]
        #expect(own["snaps"][0]["own"] == true)
        #expect(own["snaps"][0]["viewers_count"] == 0)
        #expect(own["feed"]["unread_count"] == 0)
    }

    @Test("Pixelfed's apps see whose snaps wait, with the server's icon for a picture, and open none")
    func stories() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let (ana, ben, cleo) = (people[0], people[1], people[2])
        #expect(try await world.stranger.get("/api/v2/config")["features"]["stories"] == true)
        let first = try await ana.snap()
        let second = try await ana.snap(feed: "random")
        let third = try await cleo.snap()
        for version in ["v1.1", "v1.2"] {
            let carousel = try await ben.get("/api/\(version)/stories/carousel")
            #expect(carousel["self"]["user"]["username"] == "ben" && carousel["self"]["nodes"].list.isEmpty)
            let waiting = carousel["nodes"].list
            #expect(waiting.map { $0["user"]["username"] } == ["cleo", "ana"])
            #expect(waiting.map { $0["nodes"].list.map { $0["id"] } } == [[.text(third)], [.text(second)]])
            let picture = try #require(waiting[0]["nodes"][0]["src"].string)
            #expect(picture.hasSuffix("/icons/icon-512.png"))
        }
        // It opens nothing: each snap still waits.
        for id in [first, second, third] {
            #expect(try await ben.post("/api/v1/snaps/\(id)/open").status == 200)
        }
        #expect(try await ben.get("/api/v1.2/stories/carousel")["nodes"].list.isEmpty)
    }

    @Test("A snap needs a picture and a feed that there is")
    func wrongForms() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        #expect(try await ana.post("/api/v1/snaps", json: ["feed_id": "memes"]).status == 422)
        #expect(try await ana.post("/api/v1/snaps", json: ["sample_id": "dogs-1"]).status == 422)
        #expect(
            try await ana.post("/api/v1/snaps", json: ["sample_id": "dogs-1", "feed_id": "cats"]).status
                == 422)
        #expect(
            try await ana.post("/api/v1/snaps", json: ["sample_id": "cats-1", "feed_id": "memes"]).status
                == 404)
        #expect(
            try await ana.post("/api/v1/snaps", json: ["media_id": "77", "feed_id": "memes"]).status == 422)
        #expect(try await world.fileCount() == 0)
    }

    @Test("The same Idempotency-Key posts once")
    func twice() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let headers: HTTPFields = [.idempotencyKey: "k"]
        let body: JSON = ["sample_id": "dogs-1", "feed_id": "memes"]
        let first = try await ana.post("/api/v1/snaps", json: body, headers: headers)
        let second = try await ana.post("/api/v1/snaps", json: body, headers: headers)
        #expect(first.status == 201)
        #expect(second["id"] == first["id"])
        #expect(try await world.number("SELECT count(*) FROM snaps") == 1)
        #expect(try await world.fileCount() == 2)
    }

    @Test("A repeat that is overtaken answers with the snap, also when its photo was deleted meanwhile")
    func overtaken() async throws {
        let world = try await World { $0.readsInPlace = 0 }
        let ana = try await world.account("ana")
        let account = try await ana.account()
        let snaps = world.tintype.snaps
        // Both had looked for the key in vain: the repeat is held before it counts, finds and copies.
        for step in 2...4 {
            let photo = try #require(Photo.ID(try await ana.photo()))
            let key = IdempotencyKey.form("\(step)", scope: "snap")
            let gate = world.clock.hold(look: step)
            async let late = snaps.post(.photo(photo), to: "memes", by: account, key: key)
            await gate.isReached()
            let early = try await snaps.post(.photo(photo), to: "memes", by: account, key: key)
            try await world.tintype.photos.delete(photo, by: account, force: true)
            gate.open()
            #expect(try await late.id == early.id)
        }
        #expect(try await world.number("SELECT count(*) FROM snaps") == 3)
    }

    @Test("A snap opens once: its bytes come until it is shown, and never again")
    func onceOnly() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let (ana, ben) = (people[0], people[1])
        let id = try await ana.snap()

        let opened = try await ben.post("/api/v1/snaps/\(id)/open")
        #expect(opened.status == 200)
        #expect(opened.headers[.cacheControl] == "no-store")
        let path = try opened.viewPath
        let bytes = try await ben.get(path)
        #expect(bytes.status == 200)
        #expect(bytes.headers[.cacheControl] == "no-store")
        #expect(bytes.bytes.starts(with: [0xFF, 0xD8]))
        #expect(
            try await ben.get(path, headers: [.accept: "image/webp"]).headers[.contentType] == "image/webp")

        #expect(try await ben.post("/api/v1/snaps/\(id)/open").status == 410)
        #expect(try await ben.post("/api/v1/snaps/\(id)/shown").status == 204)
        #expect(try await ben.get(path).status == 410)
        #expect(try await ben.post("/api/v1/snaps/\(id)/close").status == 204)
        #expect(try await ben.post("/api/v1/snaps/\(id)/close").status == 204)
        #expect(try await ben.get(path).status == 410)
        #expect(try await ben.post("/api/v1/snaps/\(id)/open").status == 410)
        #expect(try await ben.post("/api/v1/snaps/\(id)/shown").status == 410)
        #expect(try await ben.get("/api/v1/snaps").json[0]["snaps"][0]["read"] == true)
    }

    @Test("A picture that never came is used up after 30 seconds, one that is looked at after 10 minutes")
    func deadlines() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let (ana, ben, cleo) = (people[0], people[1], people[2])
        let id = try await ana.snap()
        let path = try await ben.post("/api/v1/snaps/\(id)/open").viewPath
        _ = try await cleo.post("/api/v1/snaps/\(id)/open")
        #expect(try await cleo.post("/api/v1/snaps/\(id)/shown").status == 204)
        world.clock.advance(seconds: 29)
        #expect(try await ben.get(path).status == 200)
        world.clock.advance(seconds: 1)
        #expect(try await ben.get(path).status == 410)
        #expect(try await ben.post("/api/v1/snaps/\(id)/shown").status == 410)
        try await world.work()
        #expect(try await world.number("SELECT count(*) FROM snap_views WHERE closed_at IS NULL") == 1)
        #expect(try await world.fileCount() == 2)
        world.clock.advance(seconds: 570)
        try await world.work()
        #expect(try await world.fileCount() == 0)
    }

    @Test("A broken connection goes on where it stopped, in ranges, and not after the close")
    func ranges() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let id = try await people[0].snap()
        let path = try await people[1].post("/api/v1/snaps/\(id)/open").viewPath
        let whole = try await people[1].get(path).bytes
        let half = whole.count / 2
        let first = try await people[1].get(path, headers: [.range: "bytes=0-\(half - 1)"])
        let rest = try await people[1].get(path, headers: [.range: "bytes=\(half)-"])
        #expect(first.status == 206)
        #expect(first.bytes + rest.bytes == whole)
        #expect(try await people[1].get(path, headers: [.range: "bytes=\(whole.count)-"]).status == 416)
        _ = try await people[1].post("/api/v1/snaps/\(id)/close")
        #expect(try await people[1].get(path, headers: [.range: "bytes=\(half)-"]).status == 410)
    }

    @Test("Another log-in of the viewer gets no bytes and can't close what it didn't open")
    func otherDevice() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let phone = people[1]
        let laptop = try await world.device(of: phone)
        let id = try await people[0].snap()
        let path = try await phone.post("/api/v1/snaps/\(id)/open").viewPath
        #expect(try await laptop.post("/api/v1/snaps/\(id)/open").status == 410)
        #expect(try await laptop.get(path).status == 404)
        #expect(try await laptop.post("/api/v1/snaps/\(id)/close").status == 409)
        #expect(try await laptop.post("/api/v1/snaps/\(id)/shown").status == 409)
        #expect(try await phone.get(path).status == 200)
    }

    @Test(
        "Somebody who is no mutual friend gets 404 at each of the calls",
        arguments: ["stranger", "follower", "followed", "blocked", "nobody"])
    func others(_ who: String) async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let other: Person
        switch who {
        case "nobody": other = world.stranger
        default: other = try await world.account(who)
        }
        if who == "follower" || who == "blocked" { try await other.follow(ana) }
        if who == "followed" || who == "blocked" { try await ana.follow(other) }
        if who == "blocked" { try await ana.block(other) }
        let id = try await ana.snap()
        let path = try await ben.post("/api/v1/snaps/\(id)/open").viewPath
        if who == "nobody" {
            for call in ["open", "shown", "close"] {
                #expect(try await other.post("/api/v1/snaps/\(id)/\(call)").status == 401)
            }
            #expect(try await other.get("/api/v1/snaps/\(id)/viewers").status == 401)
            #expect(try await other.delete("/api/v1/snaps/\(id)").status == 401)
            #expect(try await other.get(path).status == 401)
            #expect(try await other.visit("/snaps/\(id)").status == 303)
        } else {
            for (call, status) in try await other.everyCall(about: id, view: path) {
                #expect(status == 404, "\(call)")
            }
            #expect(try await !other.finds(id))
        }
        #expect(try await ben.get(path).status == 200)
    }

    @Test("Friends can open a snap but neither delete it nor see who has seen it")
    func friendsRights() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let id = try await people[0].snap()
        #expect(try await people[1].get("/api/v1/snaps/\(id)/viewers").status == 404)
        #expect(try await people[1].delete("/api/v1/snaps/\(id)").status == 404)
        #expect(try await people[1].visit("/snaps/\(id)").status == 404)
    }

    @Test("Looking at hundreds of snaps in a row is no flood, and what changes something else still is")
    func manyLooks() async throws {
        let world = try await World { $0.limits.writes = 12 }
        let people = try await world.friends("ana", "ben")
        for feed in ["memes", "random", "memes", "dog-spots", "memes"] {
            let id = try await people[0].snap(feed: feed)
            #expect(try await people[1].post("/api/v1/snaps/\(id)/open").status == 200)
            #expect(try await people[1].post("/api/v1/snaps/\(id)/shown").status == 204)
            #expect(try await people[1].post("/api/v1/snaps/\(id)/close").status == 204)
        }
        let left = try await people[1].post("/api/v1/accounts/\(people[0].id)/follow")
        // The follow before, and this one.
        #expect(left.headers[.rateRemaining] == "10")
    }

    @Test("Unread snaps come first, then the newest")
    func order() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        var ids: [String] = []
        for poster in [people[0], people[2], people[0]] {
            ids.append(try await poster.snap())
            world.clock.advance(seconds: 60)
        }
        func listed() async throws -> [String?] {
            try await people[1].get("/api/v1/snaps").json[0]["snaps"].list.map { $0["id"].string }
        }
        #expect(try await listed() == [ids[2], ids[1], ids[0]])
        _ = try await people[1].post("/api/v1/snaps/\(ids[2])/open")
        #expect(try await listed() == [ids[1], ids[0], ids[2]])
        #expect(try await people[1].unreadSnaps() == 2)
    }

    @Test("The poster sees who has viewed it, opens it once like everyone, and isn't counted")
    func viewers() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let id = try await people[0].snap()
        #expect(try await people[0].post("/api/v1/snaps/\(id)/open").status == 200)
        #expect(try await people[0].post("/api/v1/snaps/\(id)/open").status == 410)
        _ = try await people[2].post("/api/v1/snaps/\(id)/open")
        let viewers = try await people[0].get("/api/v1/snaps/\(id)/viewers").json
        #expect(viewers.list.map { $0["account"]["username"].string } == ["cleo"])
        #expect(try await people[0].get("/api/v1/snaps").json[0]["snaps"][0]["viewers_count"] == 1)
        #expect(try await people[0].visit("/snaps/\(id)").text.contains("Seen by 1 of 2"))
    }

    @Test("A deleted snap is gone at once, with its files")
    func deleting() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let id = try await people[0].snap()
        let path = try await people[1].post("/api/v1/snaps/\(id)/open").viewPath
        #expect(try await people[0].delete("/api/v1/snaps/\(id)").status == 200)
        #expect(try await people[1].get(path).status == 404)
        #expect(try await people[1].post("/api/v1/snaps/\(id)/open").status == 404)
        try await world.work()
        #expect(try await world.fileCount() == 0)
        #expect(try await world.number("SELECT count(*) FROM blobs") == 0)
        #expect(try await world.number("SELECT count(*) FROM snap_views") == 0)
    }

    @Test("After 24 hours a snap can't be opened, and its rows and files go")
    func expiry() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let id = try await people[0].snap()
        world.clock.advance(hours: 24)
        #expect(try await people[1].post("/api/v1/snaps/\(id)/open").status == 404)
        #expect(try await people[1].get("/api/v1/snaps").json[0]["snaps"].list.isEmpty)
        try await world.work()
        #expect(try await world.fileCount() == 0)
        #expect(try await world.number("SELECT count(*) FROM snaps") == 0)
        #expect(try await world.number("SELECT count(*) FROM jobs") == 0)
    }

    @Test(
        "In a feed that is open to the server everyone sees a snap but the blocked, and it stays until its time is up"
    )
    func openFeed() async throws {
        let world = try await World { $0.snaps.openFeeds = [SnapFeed(title: "memes")] }
        let people = try await world.friends("ana", "ben")
        let stranger = try await world.account("sam")
        let blocked = try await world.account("bo")
        try await people[0].block(blocked)
        let id = try await people[0].snap(feed: "memes")
        let secret = try await people[0].snap(feed: "random")
        for viewer in [people[1], stranger] {
            #expect(try await viewer.post("/api/v1/snaps/\(id)/open").status == 200)
            #expect(try await viewer.post("/api/v1/snaps/\(id)/close").status == 204)
        }
        #expect(try await blocked.post("/api/v1/snaps/\(id)/open").status == 404)
        #expect(try await stranger.post("/api/v1/snaps/\(secret)/open").status == 404)
        let seen = try await stranger.get("/api/v1/snaps").json
        #expect(seen[0]["snaps"].list.count == 1)
        #expect(seen[2]["snaps"].list.isEmpty)
        #expect(try await blocked.get("/api/v1/snaps").json[0]["snaps"].list.isEmpty)
        try await world.work()
        #expect(try await world.fileCount() == 4)
    }

    @Test("A picture of the camera can be described, and a refusal keeps what was typed")
    func described() async throws {
        let people = try await World().friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        var form: [FormPart] = [
            .text("description", "A dog on the stairs"), .file("file", try await TestPicture.jpeg()),
        ]
        let refused = try await ana.submit("/snaps", multipart: form)
        #expect(refused.status == 422 && refused.shows("Choose a feed."))
        #expect(refused.shows(#"value="A dog on the stairs""#))
        form.append(.text("feed_id", "memes"))
        #expect(try await ana.submit("/snaps", multipart: form).status == 303)
        // Scripts send the picture before its description is typed.
        let media = try await ana.photo(purpose: "snap")
        let body: JSON = ["media_id": .text(media), "feed_id": "memes", "description": "The stairs alone"]
        #expect(try await ana.post("/api/v1/snaps", json: body).status == 201)
        let snaps = try await ben.get("/api/v1/snaps").json[0]["snaps"].list.compactMap { $0["id"].string }
        var shown: [String?] = []
        for snap in snaps {
            shown.append(try await ben.post("/api/v1/snaps/\(snap)/open")["view"]["description"].string)
        }
        #expect(shown == ["The stairs alone", "A dog on the stairs"])
    }
}
