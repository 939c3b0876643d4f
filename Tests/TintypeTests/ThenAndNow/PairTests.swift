import Foundation
import HTTPTypes
import Storage
import Testing

@testable import Core
@testable import Making
@testable import People
@testable import Serving
@testable import Tintype

@Suite("Then & Now", .timeLimit(.minutes(15)))
struct PairTests {
    @Test("A pair is a photo of the library that names both of its sources")
    func made() async throws {
        let ana = try await World().account("ana")
        let then = try await ana.photo(
            TestPicture.taken(TestPicture.jpeg(width: 120, height: 90)), description: "A street")
        let made = try await ana.pair(
            then: then,
            [
                "aspect": 1, "past_view": ["zoom": 2, "x": 0.25, "y": 1], "mode": "side_by_side",
                "caption": true,
            ])
        #expect(made.status == 201, "\(made.text)")
        #expect(made["kind"] == "rephotograph" && made["then"]["year"] == 2019)
        #expect(made["then"]["source"] == "library" && made["then"]["credit"] == "")
        #expect(made["aspect"] == 1 && made["past_view"]["zoom"] == 2 && made["now_view"]["x"] == 0.5)
        #expect(made["alignment"]["state"] == "none" && made["alignment"]["transform"] == .null)
        #expect(made["mode"] == "side_by_side" && made["caption"] == true)
        let id = try #require(made["id"].string)
        #expect(made["again"] == .text("/then-and-now?again=\(id)"))
        let library = try await ana.get("/api/v1/photos?kind=rephotograph").json.list
        #expect(library.count == 1 && library[0]["id"] == made["id"])
        // The match is part of the pair, and no photo beside it.
        #expect(try await ana.get("/api/v1/photos").json.list.count == 2)
        #expect(try await ana.get("/api/v1/rephotographs/\(id)")["then"]["title"] == "A street")
    }

    @Test("The same key makes one pair, also when the request comes twice at the same moment")
    func once() async throws {
        let ana = try await World().account("ana")
        let (then, now) = (try await ana.photo(), try await ana.photo(purpose: "rephotograph"))
        async let one = ana.pair(then: then, now: now, headers: [.idempotencyKey: "k"])
        async let two = ana.pair(then: then, now: now, headers: [.idempotencyKey: "k"])
        let answers = try await [one, two]
        #expect(answers.map(\.status) == [201, 201])
        let again = try await ana.pair(then: then, now: now, headers: [.idempotencyKey: "k"])
        #expect(again.status == 201)
        #expect(try await ana.get("/api/v1/photos?kind=rephotograph").json.list.count == 1)
    }

    @Test("A repeat that is overtaken by the first request at any step answers with the same pair")
    func overtaken() async throws {
        let world = try await World { $0.readsInPlace = 0 }
        let ana = try await world.account("ana")
        let account = try await ana.account()
        let pairs = world.tintype.features.thenAndNow.pairs
        let then = try #require(Photo.ID(try await ana.photo()))
        // The reads of the key, the past photo, its files and the match.
        for step in 2...5 {
            let media = try #require(Int64(try await ana.photo(purpose: "rephotograph")))
            let recipe = PairService.Recipe(then: .photo(then), media: media)
            let key = IdempotencyKey.form("\(step)", scope: "pair")
            let gate = world.clock.hold(look: step)
            async let late = pairs.make(recipe, by: account, key: key)
            await gate.isReached()
            let early = try await pairs.make(recipe, by: account, key: key)
            gate.open()
            #expect(try await late.photo.id == early.photo.id)
        }
        #expect(try await ana.get("/api/v1/photos?kind=rephotograph").json.list.count == 4)
    }

    @Test("The key of a pair that was deleted answers 410, and makes no other")
    func keyOfDeleted() async throws {
        let ana = try await World().account("ana")
        let (then, now) = (try await ana.photo(), try await ana.photo(purpose: "rephotograph"))
        let made = try await ana.pair(then: then, now: now, headers: [.idempotencyKey: "k"])
        #expect(try await ana.delete("/api/v1/photos/\(try #require(made["id"].string))").status == 200)
        #expect(try await ana.pair(then: then, now: now, headers: [.idempotencyKey: "k"]).status == 410)
    }

    @Test(
        "Numbers out of range are refused with their field",
        arguments: [
            (["aspect": 0.39], "aspect"), (["aspect": 2.51], "aspect"), (["aspect": "x"], "aspect"),
            (["aspect": "nan"], "aspect"), (["past_view": ["zoom": 0.9]], "past_view[zoom]"),
            (["past_view": ["zoom": 3.1]], "past_view[zoom]"), (["past_view": ["x": -0.1]], "past_view[x]"),
            (["now_view": ["y": 1.1]], "now_view[y]"), (["mode": "film"], "mode"),
        ] as [(JSON, String)])
    func wrong(members: JSON, field: String) async throws {
        let ana = try await World().account("ana")
        guard case .object(let members) = members else { return }
        let answer = try await ana.pair(members)
        #expect(answer.status == 422 && answer["details"][field] != .null, "\(answer.text)")
        #expect(try await ana.get("/api/v1/photos?kind=rephotograph").json.list.isEmpty)
    }

    @Test("What is missing, used up, or belongs to someone else")
    func sources() async throws {
        let world = try await World()
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        let now = try await ana.photo(purpose: "rephotograph")
        let path = "/api/v1/rephotographs"
        #expect(try await ana.post(path, json: ["media_id": .text(now)]).status == 422)
        #expect(try await ana.post(path, json: ["photo_id": .text(try await ana.photo())]).status == 422)
        #expect(try await ana.pair(then: ben.photo(), now: now).status == 404)
        #expect(try await ana.pair(now: now, ["past_photo_id": "1"]).status == 404)
        #expect(try await ana.pair(now: now, ["again_id": .text(try await ben.pairID())]).status == 404)
        #expect(try await ana.pair(now: ben.photo(purpose: "rephotograph")).status == 422)
        #expect(try await ana.pair(now: ana.photo(purpose: "snap")).status == 422)
        #expect(try await ana.pair(now: now).status == 201, "a refusal uses nothing up")
        #expect(try await ana.pair(now: now).status == 422, "it was used")
        let id = try await ben.pairID()
        #expect(try await ana.get("\(path)/\(id)").status == 404)
        #expect(try await ana.patch("\(path)/\(id)", json: ["mode": "fade"]).status == 404)
        #expect(try await ana.post("\(path)/\(id)/align").status == 404)
        #expect(try await ana.delete("\(path)/\(id)/align").status == 404)
        #expect(try await ana.get("\(path)/\(id)/rendition?mode=fade").status == 404)
        #expect(try await ana.get("/pairs/\(id)/then").status == 404)
        #expect(try await ana.get("\(path)/\(try await ana.photo())").status == 404, "no pair")
    }

    @Test("A pair of a found photo keeps its credit, and shows it unless its owner says otherwise")
    func credit() async throws {
        let world = try await World { $0.pastPhotos.commonsURL = "" }
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        _ = try await ana.findable()
        let found = try await ben.searchServer()["photos"][0]["id"]
        let made = try await ben.pair(["past_photo_id": found])
        #expect(made.status == 201, "\(made.text)")
        #expect(made["then"]["source"] == "server" && made["then"]["year"] == 2019)
        #expect(made["then"]["credit"] == "Ana, All rights reserved" && made["caption"] == true)
        let bare = try await ben.pair(["past_photo_id": found, "caption": false])
        #expect(bare["then"]["credit"] == made["then"]["credit"] && bare["caption"] == false)
        #expect(try await ana.pair(["past_photo_id": found]).status == 404, "found by someone else")
    }

    @Test("An author whose name can't be drawn is credited by the address that names them")
    func otherScripts() {
        let address = "https://commons.wikimedia.org/wiki/File:Edo.jpg"
        var then = Pair.Then(author: "Ørsted Żółć Λέων Лев", licence: "CC BY 4.0", sourceURL: address)
        #expect(then.creditOnPicture == "Ørsted Żółć Λέων Лев, CC BY 4.0")
        then.author = "葛飾北斎"
        #expect(then.creditOnPicture == "CC BY 4.0, commons.wikimedia.org/wiki/File:Edo.jpg")
        #expect(then.credit == "葛飾北斎, CC BY 4.0")
        then.sourceURL = nil
        #expect(then.creditOnPicture == then.credit)
    }

    @Test("A download names pairs with their credit, and deleting the account erases their files")
    func personalData() async throws {
        let world = try await World { $0.pastPhotos.commonsURL = "" }
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        _ = try await ana.findable()
        try await world.work()
        let others = try await world.fileCount()
        let found = try await ben.searchServer()["photos"][0]["id"]
        let id = try await ben.pairID(["past_photo_id": found])
        #expect(try await ben.submit("/settings/data").status == 303)
        try await world.work()
        let zip = try await ben.visit(DownloadTests.path(ben))
        let files = try DownloadTests.unpacked(zip.bytes)
        let pair = JSON(files["pairs.json"] ?? [])[0]
        #expect(pair["photo_id"] == .text(id) && pair["then_author"] == "Ana")
        #expect(pair["then_licence"] == "All rights reserved" && pair["then_date"] == "2019")
        #expect(files["photos/\(id).jpeg"] != nil)
        // What ben shot is in no other file.
        let shot = try #require(files["pairs/\(id)-now.jpeg"])
        #expect(shot.starts(with: [0xFF, 0xD8, 0xFF]))
        #expect(pair["now_file"].string == "pairs/\(id)-now.jpeg")
        #expect(try await ben.submit("/settings/delete", ["password": "correct horse"]).status == 303)
        try await world.work()
        #expect(try await world.fileCount() == others)
        #expect(try await world.number("SELECT count(*) FROM pairs") == 0)
    }

    @Test(
        "A pair stays whole when the photos that it was made of are deleted, and goes from disk with its own")
    func deletion() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let then = try await ana.photo()
        let now = try await ana.photo()
        let answer = try await ana.pair(then: then, now: now)
        let id = try #require(answer["id"].string)
        for photo in [then, now] { #expect(try await ana.delete("/api/v1/photos/\(photo)").status == 200) }
        for source in ["then", "now"] {
            let picture = try await ana.get("/pairs/\(id)/\(source)")
            #expect(picture.status == 200 && picture.bytes.starts(with: [0xFF, 0xD8, 0xFF]))
        }
        #expect(try await ana.get("/api/v1/rephotographs/\(id)/rendition?mode=stacked").status == 200)
        #expect(try await ana.delete("/api/v1/photos/\(id)").status == 200)
        #expect(try await ana.get("/api/v1/rephotographs/\(id)").status == 404)
        try await world.work()
        #expect(try await world.fileCount() == 0)
    }

    @Test("A picture in each way of showing a pair is made once and again when the pair has changed")
    func renditions() async throws {
        let ana = try await World().account("ana")
        let id = try await ana.pairID()
        let path = "/api/v1/rephotographs/\(id)"
        #expect(try await ana.get("\(path)/rendition?mode=slider").status == 422)
        let stacked = try await ana.get("\(path)/rendition?mode=stacked")
        #expect(stacked.status == 200 && stacked.headers[.contentType] == "image/jpeg")
        let tag = try #require(stacked.headers[.eTag])
        #expect(try await ana.get("\(path)/rendition?mode=stacked").headers[.eTag] == tag)
        let fade = try await ana.get("\(path)/rendition?mode=fade")
        #expect(fade.headers[.contentType] == "image/webp" && fade.bytes.starts(with: Array("RIFF".utf8)))
        #expect(try await ana.patch(path, json: ["caption": true])["caption"] == true)
        #expect(try await ana.get("\(path)/rendition?mode=stacked").headers[.eTag] != tag)
    }

    @Test("The picture in the library follows the way of showing, but never a picture that is posted")
    func presentation() async throws {
        let ana = try await World().account("ana")
        let id = try await ana.pairID(["aspect": 1])
        let path = "/api/v1/rephotographs/\(id)"
        func size() async throws -> (JSON, JSON) {
            let photo = try await ana.get("/api/v1/photos/\(id)")
            return (photo["meta"]["original"]["width"], photo["meta"]["original"]["height"])
        }
        let before = try await size()
        #expect(try await ana.patch(path, json: ["mode": "fade"])["mode"] == "fade")
        #expect(try await size() == before, "the library shows the fade as it shows the slider")
        #expect(try await ana.patch(path, json: ["mode": "side_by_side"])["mode"] == "side_by_side")
        #expect(try await size() != before)
        let posted = try await size()
        _ = try await ana.post(caption: "Look", photos: [id])
        #expect(try await ana.patch(path, json: ["mode": "stacked"])["mode"] == "stacked")
        #expect(try await size() == posted)
    }

    @Test("Pairs of the same past photo are a series through the years")
    func series() async throws {
        let ana = try await World().account("ana")
        let then = try await ana.photo()
        let first = try await ana.pairID(then: then)
        let second = try await ana.pairID(["again_id": .text(first)])
        let other = try await ana.pairID()
        for photo in [then, first, second] {
            let years = try await ana.get("/then-and-now/years/\(photo)")
            #expect(years.shows("/library/\(first)") && years.shows("/library/\(second)"))
            #expect(!years.shows("/library/\(other)"))
        }
    }

    @Test("A photo with a place and a day of another year is worth taking again")
    func worthRetaking() async throws {
        let ana = try await World().account("ana")
        let old = try await ana.photo(TestPicture.taken(TestPicture.jpeg()))
        #expect(try await ana.get("/library/\(old)").shows("/then-and-now?photo=\(old)"))
        let plain = try await ana.photo()
        #expect(try await !ana.get("/library/\(plain)").shows("/then-and-now?photo="))
    }
}
