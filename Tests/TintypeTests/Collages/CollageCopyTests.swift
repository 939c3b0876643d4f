import Foundation
import HTTPTypes
import Storage
import Testing

@testable import Tintype

@Suite("Finished collages and their copies", .timeLimit(.minutes(15)))
struct CollageCopyTests {
    /// A collage that two friends have finished: ana's photos in its first and third cell, ben's between.
    private struct Finished {
        let world: World
        let ana: Person
        let ben: Person
        /// Invited, and gave no photo.
        let cleo: Person
        let id: String
        /// Ben's photo in the collage.
        let photo: String
        /// The picture in ana's library, and in ben's.
        let pictures: (ana: String, ben: String)

        var path: String { "/api/v1/collage_drafts/\(id)" }

        init() async throws {
            world = try await World()
            let people = try await world.friends("ana", "ben", "cleo")
            (ana, ben, cleo) = (people[0], people[1], people[2])
            id = try await ana.collage(with: [ben, cleo])
            photo = try await ben.photo()
            try await ana.fill(0, of: id)
            try await ben.fill(1, of: id, photo: photo)
            try await ana.fill(2, of: id)
            let picture = try await ana.finish(id)
            try await world.work()
            let copy = try await ben.get("/api/v1/photos?kind=collage").json[0]["id"]
            pictures = (picture, try #require(copy.string))
        }

        /// Begins a copy; its draft.
        func copy(by person: Person) async throws -> Answer {
            let picture = person.username == "ana" ? pictures.ana : pictures.ben
            return try await person.post("/api/v1/collages/\(picture)/copy")
        }
    }

    @Test("A finished collage keeps its photos for those who made it; sharing again gives the same picture")
    func kept() async throws {
        let made = try await Finished()
        for person in [made.ana, made.ben] {
            let draft = try await person.get(made.path)
            #expect(draft["cells"].list.allSatisfy { $0["photo"] != .null }, "\(person.username)")
            #expect(draft["cells"][1]["photo"]["id"] == .text(made.photo))
            #expect(draft["is_rendered"] == true)
            #expect(try await person.get("/photos/\(made.photo)/large").status == 200)
        }
        #expect(try await made.ana.finish(made.id) == made.pictures.ana)
        #expect(try await made.ana.submit("/collage/\(made.id)/finish").status == 303)
        #expect(try await made.ana.get("/api/v1/photos?kind=collage").json.list.count == 1)
        let refused = try await made.ana.fill(1, of: made.id)
        #expect(refused.status == 409 && refused["error"] == "This collage is finished.")
        // Who was invited and gave nothing sees no photo of it any more.
        let invited = try await made.cleo.get(made.path)
        #expect(invited["cells"].list.allSatisfy { $0["photo"] == .null && $0["account"] == .null })
        #expect(try await made.cleo.get("/photos/\(made.photo)/large").status == 404)
        #expect(try await made.ana.get("/api/v1/photos/\(made.photo)/original").status == 404)
    }

    @Test("A photo that waits behind the layout isn't in the picture, and goes back to who gave it")
    func spare() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let draft = try await ana.collage(layout: "two-by-two", with: [ben])
        for cell in 0..<3 { try await ana.fill(cell, of: draft) }
        let photo = try await ben.photo()
        try await ben.fill(3, of: draft, photo: photo)
        _ = try await ana.patch("/api/v1/collage_drafts/\(draft)", json: ["layout_id": "two-above-one"])
        _ = try await ana.finish(draft)
        try await world.work()
        #expect(try await ana.get("/api/v1/collage_drafts/\(draft)")["spare_count"] == 0)
        #expect(try await ana.get("/photos/\(photo)/large").status == 404)
        #expect(try await ben.get("/api/v1/photos?kind=collage").json.list.isEmpty)
    }

    @Test("Edit opens a person’s own copy with all photos, which renders to their own picture")
    func edit() async throws {
        let made = try await Finished()
        for (person, picture) in [(made.ana, made.pictures.ana), (made.ben, made.pictures.ben)] {
            let opened = try await person.visit("/collage/edit/\(picture)")
            let place = try #require(opened.headers[.location])
            #expect(opened.status == 303 && place.hasPrefix("/collage/") && place != "/collage/\(made.id)")
            #expect(try await person.visit("/collage/edit/\(picture)").headers[.location] == place, "again")
            let id = String(place.dropFirst("/collage/".count))
            let page = try await person.visit(place)
            #expect(page.status == 200 && page.shows("This is your own copy."))
            let draft = try await person.get("/api/v1/collage_drafts/\(id)")
            #expect(draft["copied_from"] == .text(made.id) && draft["accounts"] == [])
            #expect(draft["cells"].list.allSatisfy { $0["photo"] != .null })
            #expect(draft["owner"]["username"] == .text(person.username))
            let own = try await person.finish(id)
            #expect(own != picture)
            // A picture that was rendered has its own recipe: Edit of the finished one begins another copy.
            #expect(try await person.visit("/collage/edit/\(own)").headers[.location] == place)
            let next = try await person.visit("/collage/edit/\(picture)").headers[.location]
            #expect(next != place)
        }
        for (person, picture) in [(made.ana, made.pictures.ana), (made.ben, made.pictures.ben)] {
            #expect(try await person.get("/api/v1/collages/\(picture)")["collage"]["id"] == .text(made.id))
        }
        #expect(try await made.ana.post("/api/v1/collages/\(made.pictures.ben)/copy").status == 404)
        #expect(try await made.ana.visit("/collage/edit/\(made.pictures.ben)").status == 404)
    }

    @Test("A copy is its owner's alone: a friend's photo can be moved and replaced, and is shown to nobody")
    func alone() async throws {
        let made = try await Finished()
        let draft = try await made.copy(by: made.ana)
        let path = "/api/v1/collage_drafts/\(try #require(draft["id"].string))"
        #expect(try await made.ana.put("\(path)/cells/1", json: ["zoom": 2]).status == 200)
        #expect(try await made.ana.get(path)["cells"][1]["account"]["username"] == "ben")
        for person in [made.ben, made.cleo] { #expect(try await person.get(path).status == 404) }
        let invited = try await made.ana.patch(path, json: ["account_ids": [.text("\(made.cleo.id)")]])
        #expect(invited.status == 422, "\(invited.text)")
        #expect(try await made.ana.fill(1, of: try #require(draft["id"].string)).status == 200, "replaced")
        let again = try await made.ana.patch(path, json: ["account_ids": [.text("\(made.cleo.id)")]])
        #expect(again.status == 200, "without ben's photo it is like any other")
        // The finished collage is as it was.
        #expect(try await made.ben.get(made.path)["cells"][1]["photo"]["id"] == .text(made.photo))
        #expect(try await made.ben.get(made.path)["cells"][1]["zoom"] == 1)
        // Ben gets no notification of copies that others make. They don't keep his photo from being deleted.
        #expect(try await made.ben.delete("/api/v1/photos/\(made.photo)").status == 200)
    }

    @Test("A copy is rendered from what its owner may see of the friend's photo, never from the original")
    func original() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let draft = try await ana.collage(layout: "side-by-side", with: [ben])
        try await ana.fill(0, of: draft)
        let large = try await ben.photo(try await TestPicture.jpeg(width: 2400, height: 1600))
        try await ben.fill(1, of: draft, photo: large)
        let picture = try await ana.finish(draft)
        let copy = try #require(try await ana.post("/api/v1/collages/\(picture)/copy")["id"].string)
        // Without its original, ben's photo can still be seen, and the copy still be rendered.
        let original = try await world.tintype.database.write { transaction in
            try transaction.execute(
                "DELETE FROM photo_files WHERE photo_id = $1 AND variant = 'original'", Int64(large))
        }
        #expect(original == 1)
        let rendered = try await ana.post("/api/v1/collage_drafts/\(copy)/finish", json: ["size": 512])
        #expect(rendered.status == 200)
    }

    @Test("A finished collage stays rendered when somebody leaves, whose photos leave it and all copies")
    func left() async throws {
        let made = try await Finished()
        let copy = try #require(try await made.copy(by: made.ana)["id"].string)
        let theirs = try #require(try await made.copy(by: made.ben)["id"].string)
        #expect(try await made.ben.delete(made.path).status == 200)
        let draft = try await made.ana.get(made.path)
        #expect(draft["is_rendered"] == true && draft["state"] == "finished")
        #expect(draft["cells"][1]["photo"] == .null && draft["cells"][0]["photo"] != .null)
        #expect(try await made.ana.finish(made.id) == made.pictures.ana)
        #expect(try await made.ana.get("/photos/\(made.photo)/large").status == 404)
        #expect(try await made.ana.get("/api/v1/collage_drafts/\(copy)")["cells"][1]["photo"] == .null)
        // And ana's photos leave the copy of who has left.
        let rest = try await made.ben.get("/api/v1/collage_drafts/\(theirs)")["cells"].list
        #expect(rest.map { $0["photo"] != .null } == [false, true, false])
        // Both keep the picture. Ben's has no recipe any more, and says so.
        #expect(try await made.ben.get("/api/v1/photos/\(made.pictures.ben)").status == 200)
        let closed = try await made.ben.visit("/collage/edit/\(made.pictures.ben)")
        #expect(closed.headers[.location] == "/library/\(made.pictures.ben)")
    }

    @Test(
        "A block, a deleted photo and a deleted account take the photo out of the collage and of all copies",
        arguments: ["block", "blocked", "photo", "account"])
    func ended(how: String) async throws {
        let made = try await Finished()
        let copied = try await made.copy(by: made.ana)
        let copy = try #require(copied["id"].string)
        let picture = try await made.ana.finish(copy)
        let recipe: JSON = [
            "layout_id": "two-above-one", "size": 512,
            "cells": .list(copied["cells"].list.map { ["photo_id": $0["photo"]["id"]] }),
        ]
        #expect(try await made.ana.put("/api/v1/collages/\(picture)", json: recipe).status == 200)
        let begun = try #require(try await made.copy(by: made.ana)["id"].string)
        switch how {
        case "block": try await made.ana.block(made.ben)
        case "blocked": try await made.ben.block(made.ana)
        case "photo":
            #expect(try await made.ben.delete("/api/v1/photos/\(made.photo)?force=true").status == 200)
        default:
            let deleted = try await made.ben.submit("/settings/delete", ["password": "correct horse"])
            #expect(deleted.status == 303)
        }
        try await made.world.work()
        for id in [made.id, copy, begun] {
            let draft = try await made.ana.get("/api/v1/collage_drafts/\(id)")
            #expect(draft["cells"][1]["photo"] == .null && draft["cells"][0]["photo"] != .null, "\(id)")
        }
        #expect(try await made.ana.get("/photos/\(made.photo)/large").status == 404)
        // What was rendered stays, and what wasn't isn't rendered with the photo.
        #expect(try await made.ana.get("/api/v1/photos?kind=collage").json.list.count == 2)
        #expect(try await made.ana.post("/api/v1/collage_drafts/\(begun)/finish").status == 422)
        #expect(try await made.ana.put("/api/v1/collages/\(picture)", json: recipe).status == 404)
        #expect(try await made.ana.put("/api/v1/collages/\(made.pictures.ana)", json: recipe).status == 409)
    }

    @Test("A collage that was rendered and then shared isn’t made again from a recipe of its owner")
    func shared() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let draft = try await ana.collage(layout: "side-by-side")
        let photos = [try await ana.photo(), try await ana.photo()]
        for (cell, photo) in photos.enumerated() { try await ana.fill(cell, of: draft, photo: photo) }
        let picture = try await ana.finish(draft)
        let path = "/api/v1/collage_drafts/\(draft)"
        _ = try await ana.patch(path, json: ["account_ids": .list([.text("\(ben.id)")])])
        #expect(try await ana.delete("\(path)/cells/1").status == 200)
        let given = try await ben.photo()
        #expect(try await ben.fill(1, of: draft, photo: given).status == 200)
        let recipe: JSON = [
            "layout_id": "side-by-side", "size": 512, "cells": .list(photos.map { ["photo_id": .text($0)] }),
        ]
        let refused = try await ana.put("/api/v1/collages/\(picture)", json: recipe)
        #expect(refused.status == 409 && refused.shows("together with others"))
        #expect(try await ben.get(path)["cells"][1]["photo"]["id"] == .text(given))
    }

    @Test("Deleting the finished collage ends it and the loans for everyone; the pictures stay")
    func deleted() async throws {
        let made = try await Finished()
        let theirs = try #require(try await made.copy(by: made.ben)["id"].string)
        #expect(try await made.ana.delete(made.path).status == 200)
        let draft = try await made.ben.get("/api/v1/collage_drafts/\(theirs)")
        #expect(draft["cells"].list.map { $0["photo"] != .null } == [false, true, false])
        #expect(draft["copied_from"] == .null)
        #expect(try await made.ben.get("/api/v1/photos/\(made.pictures.ben)").status == 200)
        #expect(try await made.ana.get("/api/v1/photos/\(made.pictures.ana)").status == 200)
    }
}
