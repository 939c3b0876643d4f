import Foundation
import HTTPTypes
import Storage
import Testing

@testable import Tintype

@Suite("Collages made together", .timeLimit(.minutes(15)))
struct CollageTogetherTests {
    @Test(
        "Friends are invited by a card in their chat, fill their cells, and get the finished picture")
    func together() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let (ana, ben, cleo) = (people[0], people[1], people[2])
        let draft = try await ana.collage(with: [ben, cleo])
        let path = "/api/v1/collage_drafts/\(draft)"
        let chat = try await ben.chat(with: ana)
        let message = try await ben.get("/api/v1/chats/\(chat)/messages").json[0]
        #expect(message["collage_id"] == .text(draft) && message["status_id"] == .null)
        let page = try await ben.visit("/messages/\(chat)")
        #expect(page.shows("<collage-card") && page.shows("3 cells to fill"))
        #expect(try await ben.get("/api/v1/chats").json[0]["last_message"]["collage_id"] == .text(draft))
        try await ana.fill(0, of: draft)
        let photo = try await ben.photo()
        let filled = try await ben.fill(1, of: draft, photo: photo)
        #expect(filled["cells"][1]["account"]["username"] == "ben")
        #expect(try await cleo.get("/photos/\(photo)/large").status == 200, "while it is made")
        #expect(try await ana.get("/photos/\(photo)/large").status == 200)
        #expect(try await ana.get("/api/v1/photos/\(photo)/original").status == 404, "never the original")
        try await ana.fill(2, of: draft)
        #expect(try await ben.post("\(path)/finish").status == 409)
        let picture = try await ana.finish(draft)
        try await world.work()
        #expect(try await ana.get("/photos/\(photo)/large").status == 200, "it stays in the finished collage")
        #expect(try await cleo.get("/photos/\(photo)/large").status == 404, "she gave no photo")
        let own = try #require(try await ben.get("/api/v1/photos?kind=collage").json[0]["id"].string)
        #expect(own != picture)
        #expect(
            try await ben.get("/api/v1/photos/\(own)/original").bytes
                == ana.get("/api/v1/photos/\(picture)/original").bytes)
        #expect(try await cleo.get("/api/v1/photos?kind=collage").json.list.isEmpty, "she gave no photo")
        let shown = try await ben.get("/api/v1/notifications?types[]=tintype.finished_collage").json
        #expect(shown.list.count == 1 && shown[0]["collage"]["id"] == .text(draft))
        #expect(try await ben.get(path)["state"] == "finished")
        #expect(try await ben.visit("/messages/\(chat)").shows("Finished collage"))
        #expect(try await ana.patch(path, json: ["spacing": 3]).status == 409)
        #expect(try await ana.finish(draft) == picture, "once")
    }

    @Test(
        "A cell that a friend has just filled is 409 with the draft as it is, also of two at the same moment")
    func taken() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let (ana, ben, cleo) = (people[0], people[1], people[2])
        let draft = try await ana.collage(with: [ben, cleo])
        let path = "/api/v1/collage_drafts/\(draft)"
        let photos = (try await ben.photo(), try await cleo.photo())
        async let first = ben.fill(0, of: draft, photo: photos.0)
        async let second = cleo.fill(0, of: draft, photo: photos.1)
        let answers = try await [first, second]
        #expect(Set(answers.map(\.status)) == [200, 409])
        let late = try #require(answers.first { $0.status == 409 })
        let kept = try await ana.get(path)["cells"][0]["photo"]["id"]
        #expect(late["draft"]["cells"][0]["photo"]["id"] == kept)
        let (winner, loser) = kept == .text(photos.0) ? (ben, cleo) : (cleo, ben)
        #expect(late["error"].string?.contains("has filled this cell") == true)
        // Nobody changes the photo of another; the one who began may take it out.
        #expect(try await loser.put("\(path)/cells/0", json: ["zoom": 2]).status == 409)
        #expect(try await loser.delete("\(path)/cells/0").status == 409)
        #expect(try await ana.fill(0, of: draft).status == 409)
        #expect(try await winner.put("\(path)/cells/0", json: ["zoom": 2]).status == 200)
        #expect(try await ana.delete("\(path)/cells/0").status == 200)
        #expect(try await loser.fill(0, of: draft).status == 200)
        #expect(try await loser.patch(path, json: ["spacing": 3]).status == 409, "only ana changes the look")
        #expect(try await loser.post("\(path)/swap", json: ["one": 0, "other": 1]).status == 409)
    }

    @Test("The one who began says who fills which cell")
    func assigned() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let (ana, ben, cleo) = (people[0], people[1], people[2])
        let draft = try await ana.collage(with: [ben, cleo])
        let path = "/api/v1/collage_drafts/\(draft)"
        let set = try await ana.patch(path, json: ["assignments": [.text("\(ben.id)"), "", ""]])
        #expect(set["cells"][0]["assigned_to"]["username"] == "ben")
        let refused = try await cleo.fill(0, of: draft)
        #expect(refused.status == 409 && refused["error"] == "This cell is for Ben.")
        #expect(try await cleo.fill(1, of: draft).status == 200)
        #expect(try await ben.fill(0, of: draft).status == 200)
        // The owner of a photo may still move it after its cell is assigned to somebody else.
        _ = try await ana.patch(path, json: ["assignments": ["", .text("\(ben.id)"), ""]])
        #expect(try await cleo.put("\(path)/cells/1", json: ["zoom": 2]).status == 200)
        let olga = try await world.account("olga")
        #expect(try await ana.patch(path, json: ["assignments": [.text("\(olga.id)")]]).status == 422)
        #expect(
            try await ana.patch(path, json: ["account_ids": [.text("\(olga.id)")]]).status == 422, "no friend"
        )
        #expect(try await olga.get(path).status == 404)
    }

    @Test("Changes arrive live, each person with picture URLs of their own")
    func live() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let draft = try await ana.collage(with: [ben])
        let photo = try await ana.photo()
        let received = try await ben.receives(until: #""spacing":7"#) {
            _ = try await ana.fill(0, of: draft, photo: photo)
            _ = try await ana.patch("/api/v1/collage_drafts/\(draft)", json: ["spacing": 7])
        }
        #expect(received.contains("event: tintype.collage"))
        let session = try await ben.session
        #expect(received.contains("/photos/\(photo)/large?v=\(session)"))
        #expect(received.matches(of: /\?v=(\d+)/).allSatisfy { $0.1 == "\(session)" })
        let gone = try await ben.receives(until: #""state":"deleted""#) {
            _ = try await ana.delete("/api/v1/collage_drafts/\(draft)")
        }
        #expect(gone.contains(draft))
    }

    @Test("Who leaves takes their photos out; a deleted photo empties its cell; a block parts the two")
    func parting() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo", "dora")
        let (ana, ben, cleo, dora) = (people[0], people[1], people[2], people[3])
        let draft = try await ana.collage(layout: "two-by-two", with: [ben, cleo, dora])
        let path = "/api/v1/collage_drafts/\(draft)"
        let deleted = try await ben.photo()
        try await ben.fill(0, of: draft, photo: deleted)
        try await cleo.fill(1, of: draft)
        try await dora.fill(2, of: draft)
        let asked = try await ben.delete("/api/v1/photos/\(deleted)")
        #expect(asked.status == 409 && asked.shows("one unfinished collage"))
        _ = try await ben.delete("/api/v1/photos/\(deleted)?force=true")
        #expect(try await ana.get(path)["cells"][0]["missing"] == true)
        #expect(try await ben.fill(0, of: draft).status == 200, "again")
        #expect(try await dora.delete(path).status == 200)
        #expect(try await dora.get(path).status == 404)
        let left = try await ana.get(path)
        #expect(left["cells"][2]["photo"] == .null && left["accounts"].list.count == 2)
        // Between two whom ana invited, the one who blocks leaves.
        try await cleo.block(ben)
        #expect(try await cleo.get(path).status == 404)
        #expect(try await ana.get(path)["cells"][1]["photo"] == .null)
        #expect(try await ben.get(path)["cells"][0]["photo"] != .null)
        // Of ana's own, the blocked one.
        try await ana.block(ben)
        #expect(try await ben.get(path).status == 404)
        #expect(try await ana.get(path)["accounts"] == [])
    }

    @Test("A photo taken out while the picture is made is never in it")
    func raced() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let draft = try await ana.collage(layout: "side-by-side", with: [ben])
        let path = "/api/v1/collage_drafts/\(draft)"
        try await ana.fill(0, of: draft)
        try await ben.fill(1, of: draft)
        async let finishing = ana.post("\(path)/finish", json: ["size": 4096])
        async let taking = ben.delete("\(path)/cells/1")
        let (finished, taken) = try await (finishing, taking)
        if taken.status == 200 {
            #expect(finished.status == 422, "\(finished.text)")
            #expect(try await ana.get("/api/v1/photos?kind=collage").json.list.isEmpty)
        } else {
            #expect(finished.status == 200 && taken.status == 409)
        }
    }

    @Test("A friend's photo in a collage can be reported, seen by an administrator, and taken out")
    func reported() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let admin = try await world.account("vera", isAdmin: true)
        let draft = try await ana.collage(with: [ben])
        let photo = try await ben.photo()
        try await ben.fill(0, of: draft, photo: photo)
        #expect(try await admin.get("/photos/\(photo)/large").status == 404)
        #expect(try await ana.visit("/collage/\(draft)/cells/0/report").shows("collage of Ana"))
        let report = try await ana.post(
            "/api/v1/reports", json: ["collage_id": .text(draft), "photo_id": .text(photo)])
        #expect(report.status == 200, "\(report.text)")
        #expect(try await admin.get("/photos/\(photo)/large").status == 200)
        #expect(try await admin.visit("/administration").shows("/photos/\(photo)/"))
        let id = try #require(report["id"].string)
        #expect(try await admin.submit("/administration/reports/\(id)/remove").status == 303)
        #expect(try await ana.get("/api/v1/collage_drafts/\(draft)")["cells"][0]["photo"] == .null)
    }

    @Test("A suspended account leaves the collages of others, and its own are closed")
    func suspended() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let (own, other) = (try await ana.collage(with: [ben]), try await ben.collage(with: [ana]))
        try await ana.fill(0, of: other)
        let admin = try await world.account("vera", isAdmin: true)
        #expect(try await admin.submit("/administration/accounts/\(ana.id)/suspend").status == 303)
        #expect(try await ben.get("/api/v1/collage_drafts/\(own)").status == 404)
        let left = try await ben.get("/api/v1/collage_drafts/\(other)")
        #expect(left["cells"][0]["photo"] == .null && left["accounts"] == [])
    }

    @Test("Begun in a chat, it is the other's too; a request isn't enough")
    func chat() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let chat = try await ana.chat(with: ben)
        #expect(try await ana.visit("/collage/with/\(chat)").shows("Begin"))
        let begun = try await ana.post("/api/v1/collage_drafts", json: ["chat_id": .text(chat)])
        #expect(begun.status == 201 && begun["chat_id"] == .text(chat))
        let id = try #require(begun["id"].string)
        #expect(try await ben.get("/api/v1/collage_drafts/\(id)").status == 200)
        let olga = try await world.account("olga")
        let request = try await ana.chat(with: olga)
        #expect(try await ana.post("/api/v1/collage_drafts", json: ["chat_id": .text(request)]).status == 422)
        #expect(try await olga.post("/api/v1/collage_drafts", json: ["chat_id": .text(chat)]).status == 404)
        #expect(try await ana.post("/api/v1/collage_drafts", json: ["chat_id": "88260"]).status == 404)
    }
}
