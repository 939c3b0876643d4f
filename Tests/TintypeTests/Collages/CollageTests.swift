import Foundation
import HTTPTypes
import Storage
import Testing

@testable import Core
@testable import Making
@testable import Serving
@testable import Tintype

@Suite("Collages", .timeLimit(.minutes(15)))
struct CollageTests {
    @Test("The layouts are served with their cells")
    func layouts() async throws {
        let ana = try await World().account("ana")
        let layouts = try await ana.get("/api/v1/collage_layouts").json.list
        #expect(layouts.count == CollageLayout.all.count)
        #expect(layouts[1]["id"] == "two-above-one" && layouts[1]["cells"].list.count == 3)
        #expect(layouts[1]["cells"][1]["x"] == 0.5)
    }

    @Test("A collage in one request is a photo of the library with its recipe, and a key makes one of it")
    func made() async throws {
        let ana = try await World().account("ana")
        let (one, other) = (try await ana.photo(), try await ana.photo())
        let recipe: JSON = [
            "layout_id": "side-by-side", "background": "#1D5FD1", "spacing": 0, "corner_radius": 40,
            "size": 512,
            "cells": [["photo_id": .text(one)], ["photo_id": .text(other), "zoom": 2.5, "x": 0, "y": 1]],
        ]
        let made = try await ana.post("/api/v1/collages", json: recipe, headers: [.idempotencyKey: "k"])
        #expect(made.status == 201, "\(made.text)")
        let id = try #require(made["id"].string)
        #expect(made["kind"] == "collage" && made["meta"]["original"]["size"] == "512x512")
        #expect(made["collage"]["background"] == "#1d5fd1" && made["collage"]["cells"][1]["zoom"] == 2.5)
        let again = try await ana.post("/api/v1/collages", json: recipe, headers: [.idempotencyKey: "k"])
        #expect(again["id"] == made["id"])
        #expect(try await ana.get("/api/v1/photos?kind=collage").json.list.count == 1)
        #expect(try await ana.get("/api/v1/collages/\(id)")["collage"]["layout_id"] == "side-by-side")
        let original = try await ana.get("/api/v1/photos/\(id)/original")
        #expect(original.bytes.starts(with: [0xFF, 0xD8, 0xFF]) && !original.shows("Exif"))
        let png = try await ana.send(
            .put, "/api/v1/collages/\(id)",
            json: [
                "size": 600, "format": "png",
                "cells": [["photo_id": .text(other)], ["photo_id": .text(one)]],
            ])
        #expect(png.status == 200 && png["id"] == made["id"] && png["meta"]["original"]["width"] == 600)
        #expect(
            png["collage"]["background"] == "#1d5fd1"
                && png["collage"]["cells"][0]["photo_id"] == .text(other))
        #expect(
            try await ana.get("/api/v1/photos/\(id)/original").bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    }

    @Test("A key answers with its collage when a photo of it is gone, and 410 when the collage is")
    func keyBesideDeletions() async throws {
        let ana = try await World().account("ana")
        let (one, other) = (try await ana.photo(), try await ana.photo())
        let recipe: JSON = [
            "layout_id": "side-by-side", "cells": [["photo_id": .text(one)], ["photo_id": .text(other)]],
        ]
        func make() async throws -> Answer {
            try await ana.post("/api/v1/collages", json: recipe, headers: [.idempotencyKey: "k"])
        }
        let made = try await make()
        #expect(try await ana.delete("/api/v1/photos/\(one)?force=true").status == 200)
        let again = try await make()
        #expect(again.status == 201 && again["id"] == made["id"])
        #expect(try await ana.delete("/api/v1/photos/\(try #require(made["id"].string))").status == 200)
        #expect(try await make().status == 410)
    }

    @Test(
        "A wrong recipe is refused with the field",
        arguments: [
            (["layout_id": "no-such"], "layout_id"), (["spacing": 41], "spacing"),
            (["spacing": -1], "spacing"),
            (["spacing": "x"], "spacing"), (["corner_radius": 41], "corner_radius"),
            (["background": "red"], "background"), (["background": "#12345g"], "background"),
            (["size": 511], "size"), (["size": 4097], "size"), (["format": "gif"], "format"),
        ] as [(JSON, String)])
    func wrong(recipe: JSON, field: String) async throws {
        let ana = try await World().account("ana")
        let photo = try await ana.photo()
        guard case .object(var members) = recipe else { return }
        let layout = members["layout_id"] ?? "side-by-side"
        members["layout_id"] = layout
        members["cells"] = [["photo_id": .text(photo)], ["photo_id": .text(photo)]]
        let answer = try await ana.post("/api/v1/collages", json: .object(members))
        #expect(answer.status == 422)
        #expect(answer["details"][field] != .null, "\(answer.text)")
        #expect(try await ana.get("/api/v1/photos?kind=collage").json.list.isEmpty)
    }

    @Test("Too many cells, too few, numbers out of range, and photos of others")
    func wrongCells() async throws {
        let world = try await World()
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        let photo = JSON.text(try await ana.photo())
        func status(_ cells: [JSON]) async throws -> Int {
            try await ana.post(
                "/api/v1/collages", json: ["layout_id": "side-by-side", "cells": .list(cells)]
            ).status
        }
        let good: JSON = ["photo_id": photo]
        #expect(try await status([good]) == 422)
        #expect(try await status([good, good, good]) == 422)
        #expect(try await status([]) == 422)
        for (name, value) in [("zoom", 0.99), ("zoom", 8.01), ("x", -0.01), ("x", 1.01), ("y", 2)] {
            #expect(try await status([good, ["photo_id": photo, .init(name): .number(value)]]) == 422)
        }
        #expect(try await status([good, ["photo_id": photo, "zoom": "nan"]]) == 422)
        #expect(try await status([good, ["photo_id": photo, "x": "x"]]) == 422)
        #expect(try await status([good, ["photo_id": .text(try await ben.photo())]]) == 404)
        let deleted = try await ana.photo()
        _ = try await ana.delete("/api/v1/photos/\(deleted)")
        #expect(try await status([good, ["photo_id": .text(deleted)]]) == 404)
        #expect(try await status([good, ["photo_id": "x"]]) == 404)
    }

    @Test("A draft keeps its look and photos, renders once, and again when it has changed")
    func draft() async throws {
        let ana = try await World().account("ana")
        let draft = try await ana.collage()
        let path = "/api/v1/collage_drafts/\(draft)"
        let empty = try await ana.post("\(path)/finish")
        #expect(
            empty.status == 422 && empty["error"] == "Cells 1, 2 and 3 are empty. Add photos to them first.")
        for cell in 0..<3 { try await ana.fill(cell, of: draft) }
        let moved = try await ana.put("\(path)/cells/1", json: ["zoom": 2, "x": 0.25])
        #expect(moved["cells"][1]["zoom"] == 2 && moved["cells"][1]["y"] == 0.5)
        let styled = try await ana.patch(path, json: ["spacing": 0, "background": "#000000"])
        #expect(styled["spacing"] == 0 && styled["corner_radius"] == 0 && styled["is_rendered"] == false)
        let swapped = try await ana.post("\(path)/swap", json: ["one": 0, "other": 1])
        #expect(swapped["cells"][0]["zoom"] == 2 && swapped["cells"][1]["zoom"] == 1)
        // A browser repeats a request whose answer was lost.
        for _ in 1...2 {
            let back = try await ana.post(
                "\(path)/swap", json: ["one": 0, "other": 1], headers: [.idempotencyKey: "once"])
            #expect(back["cells"][1]["zoom"] == 2)
        }
        let photo = try await ana.finish(draft)
        #expect(try await ana.get(path)["is_rendered"] == true)
        let same = try await ana.post("\(path)/finish")
        #expect(same["id"] == .text(photo))
        #expect(try await ana.get("/api/v1/collage_drafts").json.list.isEmpty)
        _ = try await ana.patch(path, json: ["corner_radius": 20])
        #expect(try await ana.get("/api/v1/collage_drafts").json.list.count == 1)
        #expect(try await ana.finish(draft) == photo, "the picture is replaced")
        #expect(try await ana.get("/api/v1/photos?kind=collage").json.list.count == 1)
        // In a post, it stays as it was posted.
        _ = try await ana.post(caption: "Look", photos: [photo])
        _ = try await ana.patch(path, json: ["corner_radius": 0])
        #expect(try await ana.finish(draft) != photo)
    }

    @Test("A layout with fewer cells keeps the photos that don't fit, and gives them back")
    func layoutChange() async throws {
        let ana = try await World().account("ana")
        let draft = try await ana.collage(layout: "two-by-two")
        let path = "/api/v1/collage_drafts/\(draft)"
        for cell in 0..<4 { try await ana.fill(cell, of: draft) }
        let photos = try await ana.get(path)["cells"].list.map { $0["photo"]["id"] }
        let fewer = try await ana.patch(path, json: ["layout_id": "side-by-side"])
        #expect(
            fewer["spare_count"] == 2 && fewer["cells"].list.map { $0["photo"]["id"] } == Array(photos[0..<2])
        )
        let back = try await ana.patch(path, json: ["layout_id": "two-by-two"])
        #expect(back["cells"].list.map { $0["photo"]["id"] } == photos && back["spare_count"] == 0)
    }

    @Test(
        "A photo deleted since leaves an empty cell that says so; the picture stays, and goes with its own recipe"
    )
    func deletedPhoto() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let draft = try await ana.collage(layout: "side-by-side")
        let path = "/api/v1/collage_drafts/\(draft)"
        let gone = try await ana.photo()
        try await ana.fill(0, of: draft, photo: gone)
        try await ana.fill(1, of: draft)
        #expect(
            try await ana.delete("/api/v1/photos/\(gone)").status == 409, "it is in an unfinished collage")
        let picture = try await ana.finish(draft)
        #expect(try await ana.delete("/api/v1/photos/\(gone)").status == 200)
        let after = try await ana.get(path)
        #expect(after["cells"][0]["missing"] == true && after["cells"][0]["photo"] == .null)
        #expect(after["is_rendered"] == true)
        let page = try await ana.visit("/collage/\(draft)")
        #expect(page.shows("Cell 1 of 2: its photo was deleted"))
        #expect(try await ana.visit("/library/\(picture)").shows("/collage/edit/\(picture)"))
        #expect(try await ana.get("/api/v1/photos/\(picture)").status == 200)
        #expect(try await ana.delete("/api/v1/photos/\(picture)").status == 200)
        #expect(try await ana.get(path).status == 404)
    }

    @Test("A draft of somebody else, an unknown cell, and more drafts than anyone needs")
    func bounds() async throws {
        let world = try await World()
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        let draft = try await ana.collage()
        let path = "/api/v1/collage_drafts/\(draft)"
        #expect(try await ben.get(path).status == 404)
        #expect(try await ben.patch(path, json: ["spacing": 3]).status == 404)
        #expect(try await ben.fill(0, of: draft).status == 404)
        #expect(try await ana.fill(3, of: draft).status == 404)
        #expect(try await ana.fill(-1, of: draft).status == 404)
        #expect(try await ana.post("\(path)/swap", json: ["one": 0, "other": 9]).status == 404)
        #expect(try await ana.put("\(path)/cells/0", json: ["zoom": 2]).status == 422, "it has no photo")
        for _ in 1..<CollageService.mostUnfinished { _ = try await ana.collage() }
        #expect(try await ana.post("/api/v1/collage_drafts").status == 422)
        #expect(try await ana.delete(path).status == 200)
        #expect(try await ana.post("/api/v1/collage_drafts").status == 201)
    }

    @Test("A thousand changes in a row: those beyond the limit may come later, and none is half made")
    func manyChanges() async throws {
        let ana = try await World().account("ana")
        let draft = try await ana.collage()
        let path = "/api/v1/collage_drafts/\(draft)"
        var last = 10
        for change in 0..<1_000 {
            let answer = try await ana.patch(path, json: ["spacing": .number(Double(change % 41))])
            if answer.status == 200 {
                last = change % 41
            } else {
                try #require(answer.status == 429 && answer.headers[.retryAfter] != nil)
            }
        }
        #expect(try await ana.get(path)["spacing"] == .number(Double(last)))
    }

    @Test("Several photos of the library begin a collage with room for them")
    func chosen() async throws {
        let ana = try await World().account("ana")
        var photos: [String] = []
        for _ in 0..<5 { photos.append(try await ana.photo()) }
        let answer = try await ana.post(
            "/api/v1/collage_drafts", json: ["photo_ids": .list(photos.map { .text($0) })])
        #expect(answer["cells"].list.count == 5)
        #expect(answer["cells"].list.map { $0["photo"]["id"] } == photos.map { .text($0) })
    }

    @Test("Collages are in the download, and go with their account")
    func accountData() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let draft = try await ana.collage(layout: "side-by-side")
        for cell in 0..<2 { try await ana.fill(cell, of: draft) }
        _ = try await ana.finish(draft)
        let lists = CollagesData().lists
        for (list, count) in zip(lists, [1, 2]) {
            let rows = try await world.tintype.database.read { try list.page(of: ana.id, after: 0, $0).rows }
            #expect(rows.count == count, "\(list.name)")
        }
        let answer = try await ana.submit(
            "/settings/delete", ["password": "correct horse"])
        #expect(answer.status == 303, "\(answer.text)")
        try await world.work()
        #expect(try await world.number("SELECT count(*) FROM collages") == 0)
        #expect(try await world.fileCount() == 0)
    }
}
