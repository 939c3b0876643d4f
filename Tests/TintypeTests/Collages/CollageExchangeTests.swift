import Foundation
import Storage
import Testing

@testable import Core
@testable import Making
@testable import Tintype

extension Person {
    /// The photos of the private feed, newest first.
    fileprivate func feed(_ query: String = "") async throws -> [String?] {
        try await get("/api/v1/timelines/between\(query)").json.list.map { $0["photo"]["id"].string }
    }
}

@Suite("Photos of collages in the private feed", .timeLimit(.minutes(15)))
struct CollageExchangeTests {
    @Test("A photo in a cell is in the private feed of all who fill the collage, with whom it was sent to")
    func given() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo", "dora")
        let (ana, ben, cleo, dora) = (people[0], people[1], people[2], people[3])
        let draft = try await ana.collage(with: [ben, cleo])
        let photo = try await ben.photo()
        try await ben.fill(0, of: draft, photo: photo)
        _ = try await ben.write("Look", in: try await ben.chat(with: cleo))
        for (person, title, count) in [
            (ana, "collage with you and 1 other", JSON.number(1)), (cleo, "collage with you and 1 other", 1),
            (ben, "collage with Ana and 1 other", .null),
        ] {
            let shown = try #require(try await person.get("/api/v1/timelines/between").json.list.first)
            #expect(shown["photo"]["id"] == .text(photo) && shown["sender"]["username"] == "ben")
            #expect(shown["collage_id"] == .text(draft) && shown["chat_id"] == .null)
            #expect(shown["title"] == .text(title) && shown["recipient"] == .null)
            #expect(shown["messages_count"] == count, "the two have written as many")
            let page = try await person.visit("/feed")
            #expect(page.shows("/photos/\(photo)/large"))
            #expect(page.shows("Sent to: <a href=\"/collage/\(draft)\">\(title)"))
        }
        #expect(try await dora.feed().isEmpty)
    }

    @Test("A photo that is taken out, replaced or deleted leaves the feeds, and one that is moved stays")
    func changed() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let draft = try await ana.collage(with: [ben])
        let path = "/api/v1/collage_drafts/\(draft)"
        let (first, second, third) = (try await ben.photo(), try await ben.photo(), try await ana.photo())
        try await ben.fill(0, of: draft, photo: first)
        try await ana.fill(1, of: draft, photo: third)
        for person in people { #expect(try await person.feed() == [third, first]) }
        #expect(try await ana.post("\(path)/swap", json: ["one": 0, "other": 1]).status == 200)
        #expect(try await ben.put("\(path)/cells/1", json: ["zoom": 2]).status == 200)
        for person in people { #expect(try await person.feed() == [third, first], "moved") }
        try await ben.fill(1, of: draft, photo: second)
        for person in people { #expect(try await person.feed() == [second, third], "replaced") }
        #expect(try await ana.delete("\(path)/cells/0").status == 200)
        for person in people { #expect(try await person.feed() == [second], "taken out") }
        #expect(try await ben.delete("/api/v1/photos/\(second)?force=true").status == 200)
        for person in people { #expect(try await person.feed().isEmpty, "deleted") }
        #expect(try await world.number("SELECT count(*) FROM collage_exchanges") == 0)
        try await ben.fill(1, of: draft, photo: first)
        #expect(try await ana.delete(path).status == 200)
        for person in people { #expect(try await person.feed().isEmpty, "it is gone") }
        #expect(try await world.number("SELECT count(*) FROM collage_exchanges") == 0)
    }

    @Test("A request that is repeated leaves the photo where it is in the feeds")
    func repeated() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let (ana, ben, cleo) = (people[0], people[1], people[2])
        let draft = try await ana.collage(with: [ben, cleo])
        let path = "/api/v1/collage_drafts/\(draft)"
        let photo = try await ben.photo()
        try await ben.fill(0, of: draft, photo: photo)
        try await cleo.fill(1, of: draft)
        let feed = "/api/v1/timelines/between"
        let (shown, before) = (try await ana.get(feed).json, try await ana.get(path)["revision"])
        #expect(try await ben.fill(0, of: draft, photo: photo).status == 200)
        #expect(try await ana.get(feed).json == shown)
        #expect(try await ana.get(path)["revision"] == before)
        // Another part of it is another revision, and the same photo.
        #expect(try await ben.put("\(path)/cells/0", json: ["zoom": 2]).status == 200)
        try await ben.fill(0, of: draft, photo: photo)
        #expect(try await ana.get(feed).json == shown)
        // A cell from which somebody has taken their photo along is empty, and stays so.
        #expect(try await cleo.delete(path).status == 200)
        let left = try await ana.get(path)["revision"]
        #expect(try await ana.delete("\(path)/cells/1").status == 200)
        #expect(try await ana.get(path)["revision"] == left)
    }

    @Test("Who has left a collage gets none of its news that arrive late")
    func late() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let (ana, ben, cleo) = (people[0], people[1], people[2])
        let draft = try await ana.collage(with: [ben, cleo])
        try await ben.fill(0, of: draft)
        #expect(try await cleo.delete("/api/v1/collage_drafts/\(draft)").status == 200)
        let id = try #require(Int64(draft))
        let accounts = [ana.id, ben.id, cleo.id]
        let reached = try await world.tintype.database.read { transaction in
            let head = try #require(try CollageStore(transaction).head(ID(rawValue: id)))
            return Set(try CollageRecords(transaction).load(head, for: accounts).keys)
        }
        #expect(reached == [ana.id, ben.id])
    }

    @Test("Who is only invited to the group of a collage sees neither the group’s name nor its messages")
    func invitation() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let (ana, ben, cleo) = (people[0], people[1], people[2])
        // Cleo is asked first, because ben is in the group.
        try await cleo.block(ben)
        let group = try await ana.group(with: ben, cleo, title: "Surprise")
        _ = try await ben.delete("/api/v1/chats/\(group)/members/\(ben.id)")
        let begun = try await ana.post("/api/v1/collage_drafts", json: ["chat_id": .text(group)])
        let draft = try #require(begun["id"].string)
        let invited = try await ana.patch(
            "/api/v1/collage_drafts/\(draft)", json: ["account_ids": .list([.text("\(cleo.id)")])])
        #expect(invited.status == 200)
        try await ana.fill(0, of: draft)
        let shown = try #require(try await cleo.get("/api/v1/timelines/between").json.list.first)
        #expect(shown["title"] == "collage with you" && shown["messages_count"] == 1)
        #expect(shown["chat_id"] != .text(group))
        let own = try #require(try await ana.get("/api/v1/timelines/between").json.list.first)
        #expect(own["title"] == "collage with Surprise")
    }

    @Test("Who leaves, is blocked or leaves the group sees none of the others’ photos, nor they theirs")
    func parting() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo", "dora")
        let (ana, ben, cleo, dora) = (people[0], people[1], people[2], people[3])
        let group = try await ana.group(with: ben, cleo, dora, title: "Pizza")
        let begun = try await ana.post(
            "/api/v1/collage_drafts", json: ["chat_id": .text(group), "layout_id": "two-by-two"])
        let draft = try #require(begun["id"].string)
        var photos: [String] = []
        for (cell, person) in people.enumerated() {
            photos.append(try await person.photo())
            try await person.fill(cell, of: draft, photo: photos[cell])
        }
        let shown = try await dora.get("/api/v1/timelines/between").json.list
        #expect(shown.map { $0["photo"]["id"].string } == photos.reversed())
        #expect(shown[1]["title"] == "collage with Pizza" && shown[1]["messages_count"] == 2)
        _ = try await ben.delete("/api/v1/chats/\(group)/members/\(ben.id)")
        #expect(try await ben.feed().isEmpty)
        try await cleo.block(dora)
        #expect(try await cleo.feed().isEmpty)
        #expect(try await dora.feed() == [photos[3], photos[0]])
        #expect(try await ana.feed() == [photos[3], photos[0]])
        #expect(try await dora.delete("/api/v1/collage_drafts/\(draft)").status == 200)
        #expect(try await ana.feed().isEmpty, "nobody else is left")
        #expect(try await dora.feed().isEmpty)
    }

    @Test("Who is invited later sees what is there, and in a finished collage only those who gave a photo do")
    func finished() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let (ana, ben, cleo) = (people[0], people[1], people[2])
        let draft = try await ana.collage(layout: "side-by-side")
        let own = try await ana.photo()
        try await ana.fill(0, of: draft, photo: own)
        #expect(try await ana.feed().isEmpty, "alone")
        let invited: [JSON] = [ben, cleo].map { .text("\($0.id)") }
        _ = try await ana.patch("/api/v1/collage_drafts/\(draft)", json: ["account_ids": .list(invited)])
        for person in people { #expect(try await person.feed() == [own]) }
        let photo = try await ben.photo()
        try await ben.fill(1, of: draft, photo: photo)
        _ = try await ana.finish(draft)
        try await world.work()
        for person in [ana, ben] { #expect(try await person.feed() == [photo, own]) }
        #expect(try await cleo.feed().isEmpty)
        #expect(try await world.number("SELECT count(*) FROM collage_exchanges") == 4, "two photos for two")
        // A copy is nobody else's.
        let copied = try #require(try await ben.get("/api/v1/photos?kind=collage").json[0]["id"].string)
        #expect(try await ben.post("/api/v1/collages/\(copied)/copy").status == 200)
        #expect(try await ben.feed() == [photo, own])
    }

    @Test("Photos of messages and of collages are one list, page by page")
    func pages() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let chat = try await ana.chat(with: ben)
        let draft = try await ana.collage(layout: "two-by-two", with: [ben])
        var photos: [String?] = []
        for cell in 0..<3 {
            let (given, sent) = (try await ana.photo(), try await ben.photo())
            try await ana.fill(cell, of: draft, photo: given)
            _ = try await ben.send(photo: sent, in: chat)
            photos = [sent, given] + photos
        }
        var (seen, last) = ([String?](), "")
        while seen.count < photos.count {
            let page = try await ben.get("/api/v1/timelines/between?limit=2\(last)").json.list
            #expect(page.count == 2)
            seen += page.map { $0["photo"]["id"].string }
            last = "&max_id=\(try #require(page.last?["id"].string))"
        }
        #expect(seen == photos)
        #expect(try await ben.feed("?limit=2\(last)").isEmpty)
    }

    @Test("The photos of earlier collages are there after the update")
    func migration() async throws {
        // An update reads whole tables, once.
        let world = try await World { $0.statementWatch = nil }
        let people = try await world.friends("ana", "ben", "cleo")
        let (ana, ben, cleo) = (people[0], people[1], people[2])
        try await ben.fill(1, of: try await ana.collage(with: [ben]))
        let finished = try await ana.collage(layout: "side-by-side", with: [ben, cleo])
        try await ana.fill(0, of: finished)
        try await ben.fill(1, of: finished)
        _ = try await ana.finish(finished)
        let before = try await ben.feed()
        #expect(before.count == 3)
        let text = try String(
            contentsOf: try Resources.folder("migrations").appending(path: "0049-collage-exchanges.sql"),
            encoding: .utf8)
        let backfill = text[try #require(text.range(of: "UPDATE collage_cells")).lowerBound...]
        try await world.tintype.database.write { transaction in
            try transaction.execute("UPDATE collage_cells SET exchange_id = NULL")
            try transaction.execute("DELETE FROM collage_exchanges")
            for statement in backfill.split(separator: ";") where statement.contains("collage") {
                try transaction.execute(String(statement))
            }
        }
        for person in [ana, ben] { #expect(try await person.feed() == before) }
        #expect(try await cleo.feed().isEmpty)
        #expect(try await world.number("SELECT count(*) FROM collage_exchanges") == 6)
    }
}
