import Foundation
import HTTPTypes
import Testing

@testable import Core
@testable import Tintype

@Suite("Reports and administration")
struct ReportTests {
    private struct Scene {
        var world: World
        var admin: Person
        var ana: Person
        var ben: Person
        var post: String
    }

    private func scene() async throws -> Scene {
        let world = try await World()
        // The first account is the administrator.
        let admin = try await world.account("olga")
        let people = try await world.friends("ana", "ben")
        let post = try await people[0].post(caption: "Guess who")
        return Scene(world: world, admin: admin, ana: people[0], ben: people[1], post: post)
    }

    /// The reports' ids in the queue, as its forms name them.
    private func queue(_ scene: Scene) async throws -> [String] {
        try await scene.admin.visit("/administration").text
            .matches(of: /\/administration\/reports\/(\d+)\/dismiss/).map { String($0.1) }
    }

    @Test("For everyone but administrators there is no administration")
    func hidden() async throws {
        let scene = try await scene()
        let pages = ["/administration", "/administration/accounts", "/administration/record"]
        for path in pages {
            #expect(try await scene.ana.visit(path).status == 404, "\(path)")
            #expect(try await scene.admin.visit(path).status == 200, "\(path)")
        }
        let forms = [
            "reports/1/remove", "reports/1/suspend", "reports/1/dismiss", "accounts/\(scene.ben.id)/suspend",
            "accounts/\(scene.ben.id)/restore",
        ]
        for form in forms {
            #expect(try await scene.ana.submit("/administration/\(form)").status == 404, "\(form)")
        }
        #expect(try await scene.ben.home() == ["Guess who"])
    }

    @Test("What several people report is one entry, with its picture; what is closed leaves the queue")
    func queueing() async throws {
        let scene = try await scene()
        let cleo = try await scene.world.account("cleo")
        try await cleo.follow(scene.ana)
        for person in [scene.ben, cleo] {
            let sent = try await person.submit(
                "/posts/\(scene.post)/report", ["reason": "mean", "words": "That is me in the picture"])
            #expect(sent.status == 303)
        }
        let photo =
            try await scene.ana.get("/api/v1/statuses/\(scene.post)")["media_attachments"][0]["id"].string
            ?? ""
        let page = try await scene.admin.visit("/administration")
        #expect(page.shows("Bullying or hate") && page.shows("That is me in the picture"))
        #expect(page.shows("and 1 other"))
        // The administrator, who doesn't follow, sees the picture for as long as it is reported.
        #expect(try await scene.admin.visit("/photos/\(photo)/square").status == 200)
        let reports = try await queue(scene)
        #expect(reports.count == 1)
        #expect(try await scene.admin.submit("/administration/reports/\(reports[0])/dismiss").status == 303)
        #expect(try await queue(scene).isEmpty)
        #expect(try await scene.admin.visit("/photos/\(photo)/square").status == 404)
        #expect(try await scene.admin.visit("/administration/record").shows("dismissed"))
    }

    @Test("Removing takes the post away from everyone and is recorded")
    func removing() async throws {
        let scene = try await scene()
        _ = try await scene.ben.post(
            "/api/v1/reports",
            json: [
                "account_id": .text(scene.ana.id.description), "status_ids": [.text(scene.post)],
                "category": "spam",
            ])
        let report = try #require(try await queue(scene).first)
        #expect(try await scene.admin.submit("/administration/reports/\(report)/remove").status == 303)
        #expect(try await scene.ana.get("/api/v1/statuses/\(scene.post)").status == 404)
        #expect(try await queue(scene).isEmpty)
        let record = try await scene.admin.visit("/administration/record")
        #expect(record.shows("@olga removed a post by @ana"))
    }

    @Test("Administrators learn that the photos of a post were exchanged after it was reported")
    func exchangedPhotos() async throws {
        let scene = try await scene()
        _ = try await scene.ben.submit("/posts/\(scene.post)/report", ["reason": "naked"])
        #expect(try await !scene.admin.visit("/administration").shows("changed since"))
        scene.world.clock.advance(seconds: 60)
        let photo = JSON.text(try await scene.ana.photo())
        _ = try await scene.ana.send(
            .put, "/api/v1/statuses/\(scene.post)", json: ["media_ids": .list([photo])])
        #expect(try await scene.admin.visit("/administration").shows("“Guess who” · changed since"))
    }

    @Test("The report of a post keeps its words when the post is deleted, or its only photo")
    func goneContent() async throws {
        let scene = try await scene()
        let comment = try await scene.ana.comment("You there", on: scene.post)
        let other = try await scene.ana.post(caption: "Guess again")
        for (content, words) in [(scene.post, "Me"), (comment, "Rude"), (other, "Me again")] {
            let sent = try await scene.ben.submit(
                "/posts/\(content)/report", ["reason": "mean", "words": words])
            #expect(sent.status == 303)
        }
        _ = try await scene.ana.send(
            .put, "/api/v1/statuses/\(other)", json: ["status": "Nothing to see"])
        #expect(
            try await scene.admin.visit("/administration").shows("“Guess again”. Edited since, now “Nothing"))
        let photo = try await scene.ana.get("/api/v1/statuses/\(other)")["media_attachments"][0]["id"].string
        #expect(try await scene.ana.delete("/api/v1/photos/\(photo ?? "")?force=true").status == 200)
        #expect(try await scene.ana.delete("/api/v1/statuses/\(scene.post)").status == 200)
        #expect(try await scene.world.number("SELECT count(*) FROM posts") == 0)

        let page = try await scene.admin.visit("/administration")
        for words in ["post · “Guess who”", "comment · “You there”", "post · “Guess again”", "Me again"] {
            #expect(page.shows(words), "\(words)")
        }
        #expect(page.text.components(separatedBy: " · deleted since").count == 4)
        #expect(!page.shows("Remove"))
        let reports = try await queue(scene)
        #expect(reports.count == 3)
        #expect(try await scene.admin.submit("/administration/reports/\(reports[0])/remove").status == 404)
        for report in reports {
            #expect(try await scene.admin.submit("/administration/reports/\(report)/dismiss").status == 303)
        }
        #expect(try await scene.world.number("SELECT count(*) FROM reports WHERE quote <> ''") == 0)
        #expect(try await scene.world.tintype.problems() == [])
    }

    @Test("The queue shows all photos of a post uncropped, and its whole caption")
    func whole() async throws {
        let scene = try await scene()
        var photos: [String] = []
        for _ in 1...3 { photos.append(try await scene.ana.photo()) }
        let caption = String(repeating: "Long words. ", count: 150) + "The end."
        let post = try await scene.ana.post(caption: caption, photos: photos)
        #expect(try await scene.ben.submit("/posts/\(post)/report", ["reason": "naked"]).status == 303)
        let page = try await scene.admin.visit("/administration")
        #expect(page.shows(caption))
        for photo in photos {
            #expect(page.shows("/photos/\(photo)/medium"))
            #expect(try await scene.admin.visit("/photos/\(photo)/medium").status == 200)
        }
    }

    @Test("Ten administrators who remove at once remove once, and one action is recorded")
    func removingAtOnce() async throws {
        let scene = try await scene()
        _ = try await scene.ben.submit("/posts/\(scene.post)/report", ["reason": "mean"])
        let report = try #require(try await queue(scene).first)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 1...10 {
                group.addTask {
                    try await scene.admin.submit("/administration/reports/\(report)/remove").status
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.sorted() == [303] + [Int](repeating: 404, count: 9))
        #expect(try await scene.world.number("SELECT count(*) FROM administration_records") == 1)
    }

    @Test("A suspended account is logged out and out of sight, and comes back as it was")
    func suspending() async throws {
        let scene = try await scene()
        let id = scene.ana.id
        #expect(try await scene.admin.submit("/administration/accounts/\(id)/suspend").status == 303)
        #expect(try await scene.ana.get("/api/v1/accounts/verify_credentials").status == 401)
        #expect(try await scene.ben.home() == [])
        #expect(try await scene.ben.visit("/@ana").status == 404)
        #expect(try await scene.admin.submit("/administration/accounts/\(id)/restore").status == 303)
        #expect(try await scene.ben.home() == ["Guess who"])
        #expect(
            try await scene.admin.submit("/administration/accounts/\(scene.admin.id)/suspend").status == 422)
    }

    @Test("A person can't report what they can't see, or their own things")
    func wrongReports() async throws {
        let scene = try await scene()
        let eve = try await scene.world.account("eve")
        #expect(try await eve.submit("/posts/\(scene.post)/report", ["reason": "spam"]).status == 404)
        #expect(try await scene.ana.submit("/posts/\(scene.post)/report", ["reason": "spam"]).status == 422)
        #expect(try await scene.ben.submit("/posts/\(scene.post)/report", [:]).status == 422)
        #expect(try await scene.world.number("SELECT count(*) FROM reports") == 0)
    }

    @Test("A reported snap shows its feed and time and what was said of it, and never its picture")
    func snap() async throws {
        let scene = try await scene()
        let media = try await scene.ana.photo(purpose: "snap")
        let snap = try #require(
            try await scene.ana.post(
                "/api/v1/snaps", json: ["media_id": .text(media), "feed_id": "dog-spots"])["id"].string)
        // Not for a stranger, who can't see it.
        let eve = try await scene.world.account("eve")
        #expect(try await eve.post("/api/v1/reports", json: ["snap_id": .text(snap)]).status == 404)
        #expect(try await eve.visit("/snaps/\(snap)/report").status == 404)
        #expect(try await scene.ben.visit("/snaps").shows("/snaps/\(snap)/report") == false)
        #expect(try await scene.ben.post("/api/v1/snaps/\(snap)/open").status == 200)
        #expect(try await scene.ben.post("/api/v1/snaps/\(snap)/close").status == 204)
        // Once it was seen, its row leads to the report.
        #expect(try await scene.ben.visit("/snaps").shows("/snaps/\(snap)/report"))
        let sent = try await scene.ben.submit(
            "/snaps/\(snap)/report", ["reason": "naked", "words": "Somebody asleep"])
        #expect(sent.status == 303 && sent.headers[.location] == "/snaps")
        let answer = try await scene.ben.post("/api/v1/reports", json: ["snap_id": .text(snap)])
        #expect(answer["snap_id"].string == snap && answer["target_account"]["username"] == "ana")

        let page = try await scene.admin.visit("/administration")
        #expect(page.shows("snap in dog spots") && page.shows("Somebody asleep"))
        let card = try #require(page.text.components(separatedBy: "class=\"report\"").dropFirst().first)
        #expect(!card.contains("<img") && !card.contains("/photos/"))
        #expect(try await scene.admin.post("/api/v1/snaps/\(snap)/open").status == 404)

        let report = try #require(try await queue(scene).first)
        let before = try await scene.world.fileCount()
        #expect(try await scene.admin.submit("/administration/reports/\(report)/remove").status == 303)
        try await scene.world.work()
        #expect(try await scene.world.number("SELECT count(*) FROM snaps") == 0)
        #expect(try await scene.world.fileCount() < before)
        #expect(try await queue(scene).isEmpty)
        #expect(try await scene.admin.visit("/administration/record").shows("removed a snap by @ana"))
    }

    @Test("A report of a snap outlives it, and says that it is gone")
    func goneSnap() async throws {
        let scene = try await scene()
        let media = try await scene.ana.photo(purpose: "snap")
        let snap = try #require(
            try await scene.ana.post("/api/v1/snaps", json: ["media_id": .text(media), "feed_id": "memes"])[
                "id"
            ].string)
        _ = try await scene.ben.post("/api/v1/reports", json: ["snap_id": .text(snap), "comment": "Mean"])
        #expect(try await scene.ana.delete("/api/v1/snaps/\(snap)").status == 200)
        let page = try await scene.admin.visit("/administration")
        #expect(page.shows("snap in memes") && page.shows("It is gone") && page.shows("Mean"))
        #expect(!page.shows("Remove snap"))
        let report = try #require(try await queue(scene).first)
        #expect(try await scene.admin.submit("/administration/reports/\(report)/suspend").status == 303)
        #expect(try await queue(scene).isEmpty)
    }

    @Test("A reported message shows itself and its photo, nothing around it, and stays when it is deleted")
    func message() async throws {
        let scene = try await scene()
        let chat = try #require(
            try await scene.ana.post("/api/v1/chats", json: ["account_id": .text("\(scene.ben.id)")])["id"]
                .string)
        func send(_ body: JSON) async throws -> String {
            let answer = try await scene.ana.post("/api/v1/chats/\(chat)/messages", json: body)
            return try #require(answer["id"].string)
        }
        _ = try await send(["text": "An innocent secret"])
        let photo = try await scene.ana.photo()
        let message = try await send(["text": "Something awful", "photo_id": .text(photo)])
        let body: JSON = ["message_id": .text(message), "chat_id": .text(chat), "comment": "He threatens me"]
        #expect(try await scene.admin.post("/api/v1/reports", json: body).status == 404)
        #expect(try await scene.ana.post("/api/v1/reports", json: body).status == 422)
        #expect(try await scene.admin.visit("/photos/\(photo)/square").status == 404)
        #expect(try await scene.ben.visit("/messages/\(chat)/\(message)/options").shows("/report"))
        let sent = try await scene.ben.submit(
            "/messages/\(chat)/\(message)/report", ["reason": "mean", "words": "He threatens me"])
        #expect(sent.status == 303)
        let answer = try await scene.ben.post("/api/v1/reports", json: body)
        #expect(answer["message_id"].string == message && answer["chat_id"].string == chat)

        var page = try await scene.admin.visit("/administration")
        #expect(page.shows("Something awful") && page.shows("He threatens me"))
        #expect(!page.shows("An innocent secret"))
        #expect(try await scene.admin.visit("/photos/\(photo)/square").status == 200)
        #expect(try await scene.admin.get("/api/v1/chats/\(chat)/messages").status == 404)

        // Its sender can't take it back from the report, and the photo goes all the same.
        #expect(try await scene.ana.delete("/api/v1/chats/\(chat)/messages/\(message)").status == 200)
        page = try await scene.admin.visit("/administration")
        #expect(page.shows("Something awful") && page.shows("deleted since") && !page.shows("Remove message"))
        #expect(try await scene.admin.visit("/photos/\(photo)/square").status == 404)
        let report = try #require(try await queue(scene).first)
        #expect(try await scene.admin.submit("/administration/reports/\(report)/dismiss").status == 303)
        // What was written is not kept any longer than the report is open.
        #expect(try await scene.world.number("SELECT count(*) FROM reports WHERE quote <> ''") == 0)
    }

    @Test("An app reports a message as the status that it sees, and a wrong id is not left out")
    func messageAsStatus() async throws {
        let scene = try await scene()
        let chat = try #require(
            try await scene.ana.post("/api/v1/chats", json: ["account_id": .text("\(scene.ben.id)")])["id"]
                .string)
        let sent = try await scene.ana.post(
            "/api/v1/chats/\(chat)/messages", json: ["text": "Something awful"])
        let message = try #require(sent["id"].string)
        let body: JSON = [
            "account_id": .text("\(scene.ana.id)"), "status_ids": [.text(message)], "comment": "Help",
        ]
        let stranger = try await scene.world.account("dora")
        #expect(try await stranger.post("/api/v1/reports", json: body).status == 404)
        #expect(try await scene.ana.post("/api/v1/reports", json: body).status == 422)
        let answer = try await scene.ben.post("/api/v1/reports", json: body)
        #expect(answer.status == 200 && answer["status_ids"] == [.text(message)])
        #expect(answer["message_id"] == .text(message) && answer["chat_id"] == .text(chat))
        #expect(answer["target_account"]["id"] == .text("\(scene.ana.id)"))
        let page = try await scene.admin.visit("/administration")
        #expect(page.shows("Something awful") && page.shows("Help"))

        // All of a call is reported, or nothing.
        let post = try await scene.ana.post(caption: "For all", visibility: "public")
        let half: JSON = [
            "account_id": .text("\(scene.ana.id)"), "status_ids": [.text(post), "999"], "comment": "Halfway",
        ]
        #expect(try await scene.ben.post("/api/v1/reports", json: half).status == 404)
        #expect(try await scene.world.number("SELECT count(*) FROM reports") == 1)

        // A report that leaves out what it can't find would be about the person instead.
        for ids in [["x"], (1...11).map { "\($0)" }] as [[String]] {
            let wrong: JSON = [
                "account_id": .text("\(scene.ana.id)"), "status_ids": .list(ids.map { .text($0) }),
            ]
            let status = try await scene.ben.post("/api/v1/reports", json: wrong).status
            #expect(status == 422)
        }
        #expect(try await queue(scene).count == 1)
    }

    @Test("A reported view-once message never shows its photo, and is removed for both")
    func onceMessage() async throws {
        let scene = try await scene()
        let chat = try #require(
            try await scene.ana.post("/api/v1/chats", json: ["account_id": .text("\(scene.ben.id)")])["id"]
                .string)
        let media = try await scene.ana.photo(purpose: "view_once")
        let message = try #require(
            try await scene.ana.post(
                "/api/v1/chats/\(chat)/messages", json: ["media_id": .text(media), "view_once": true])["id"]
                .string)
        _ = try await scene.ben.post(
            "/api/v1/reports", json: ["message_id": .text(message), "chat_id": .text(chat)])
        let page = try await scene.admin.visit("/administration")
        #expect(page.shows("with a view-once photo"))
        let card = try #require(page.text.components(separatedBy: "class=\"report\"").dropFirst().first)
        #expect(!card.contains("<img"))
        let report = try #require(try await queue(scene).first)
        #expect(try await scene.admin.submit("/administration/reports/\(report)/remove").status == 303)
        for person in [scene.ana, scene.ben] {
            #expect(try await person.get("/api/v1/chats/\(chat)/messages").json.list.isEmpty)
        }
        let pictures = try await scene.world.number("SELECT count(*) FROM once_pictures")
        #expect(pictures == 0)
        #expect(try await scene.admin.visit("/administration/record").shows("removed a message by @ana"))
    }
}
