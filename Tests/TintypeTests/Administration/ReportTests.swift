import Foundation
import Testing

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

    @Test("What one can't see or what is one's own can't be reported")
    func wrongReports() async throws {
        let scene = try await scene()
        let eve = try await scene.world.account("eve")
        #expect(try await eve.submit("/posts/\(scene.post)/report", ["reason": "spam"]).status == 404)
        #expect(try await scene.ana.submit("/posts/\(scene.post)/report", ["reason": "spam"]).status == 422)
        #expect(try await scene.ben.submit("/posts/\(scene.post)/report", [:]).status == 422)
        #expect(try await scene.world.number("SELECT count(*) FROM reports") == 0)
    }
}
