import Foundation
import HTTPTypes
import Logging
import Storage
import Testing

@testable import Core
@testable import Feeds
@testable import Serving

@Suite("Guest links")
struct GuestLinkTests {
    @Test("A guest link shows one post's pictures to anyone, until it is revoked or seven days are over")
    func lifetime() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let post = try await ana.post(caption: "For the neighbours")
        #expect(try await ben.post("/api/v1/statuses/\(post)/guest_link").status == 404)
        let url = try #require(try await ana.post("/api/v1/statuses/\(post)/guest_link")["url"].string)
        // Asking again gives the same link.
        #expect(try await ana.post("/api/v1/statuses/\(post)/guest_link")["url"].string == url)
        let path = String(url.dropFirst("http://localhost".count))
        let page = try await world.stranger.visit(path)
        #expect(page.status == 200 && page.shows("For the neighbours"))
        // Its address is the secret.
        #expect(page.headers[values: .referrerPolicy] == ["no-referrer"])
        #expect(try await world.stranger.visit("/login").headers[.referrerPolicy] == "same-origin")
        let picture = try #require(page.text.firstMatch(of: /src="(\/guest\/[^"]+\/large)"/)).1
        #expect(try await world.stranger.visit(String(picture)).status == 200)
        // The picture's own path stays closed, and another picture isn't opened by the link.
        let other = try await ana.photo()
        #expect(try await world.stranger.visit("\(path)/\(other)/large").status == 404)

        #expect(try await ana.delete("/api/v1/statuses/\(post)/guest_link").status == 200)
        #expect(try await world.stranger.visit(path).status == 404)
        #expect(try await world.stranger.visit(String(picture)).status == 404)

        let again = try #require(try await ana.post("/api/v1/statuses/\(post)/guest_link")["url"].string)
        #expect(again != url)
        for (hours, words) in [(0.01, "7 days left"), (23.9, "7 days left"), (0.2, "6 days left")] {
            world.clock.advance(hours: hours)
            #expect(try await ana.visit("/posts/\(post)/share").shows(words))
        }
        world.clock.advance(hours: 7 * 24)
        #expect(
            try await world.stranger.visit(String(again.dropFirst("http://localhost".count))).status == 404)
    }

    /// Where a photo's guest link leads, which is made if there is none.
    private static func path(to photo: String, of owner: Person) async throws -> String {
        let answer = try await owner.post("/api/v1/photos/\(photo)/guest_link")
        try #require(answer.status == 200, "a guest link was refused: \(answer.text)")
        return String(try #require(answer["url"].string).dropFirst("http://localhost".count))
    }

    @Test("A guest link of a photo shows it and no other, until it is revoked or seven days are over")
    func photo() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let (photo, other) = (try await ana.photo(description: "The bridge"), try await ana.photo())
        #expect(try await ben.post("/api/v1/photos/\(photo)/guest_link").status == 404)
        #expect(try await ben.delete("/api/v1/photos/\(photo)/guest_link").status == 404)
        #expect(try await world.stranger.post("/api/v1/photos/\(photo)/guest_link").status == 401)
        let path = try await Self.path(to: photo, of: ana)
        #expect(try await Self.path(to: photo, of: ana) == path, "asking again gives the same link")
        let made = try await ana.post("/api/v1/photos/\(photo)/guest_link")
        let end = world.clock.now.addingTimeInterval(7 * 86_400)
        #expect(made["expires_at"] == .text(Timestamp.iso8601(end)))
        let page = try await world.stranger.visit(path)
        #expect(page.status == 200 && page.shows("alt=\"The bridge\"") && page.shows("A photo by Ana"))
        #expect(page.headers[values: .referrerPolicy] == ["no-referrer"])
        #expect(try await world.stranger.visit("\(path)/\(photo)/large").status == 200)
        for closed in ["\(path)/\(other)/large", "\(path)/\(photo)/original", "/photos/\(photo)/large"] {
            #expect(try await world.stranger.visit(closed).status == 404, "\(closed)")
        }
        #expect(try await ana.delete("/api/v1/photos/\(photo)/guest_link").status == 200)
        #expect(try await world.stranger.visit(path).status == 404)
        #expect(try await world.stranger.visit("\(path)/\(photo)/large").status == 404)
        let again = try await Self.path(to: photo, of: ana)
        #expect(again != path)
        world.clock.advance(hours: 7 * 24 + 0.1)
        #expect(try await world.stranger.visit(again).status == 404)
        #expect(try await Self.path(to: photo, of: ana) != again, "a new one after its time")
    }

    @Test(
        "Deleting the photo, suspending the account and deleting it end the link of a collage",
        arguments: ["photo", "suspended", "account"])
    func ended(how: String) async throws {
        let world = try await World()
        let admin = try await world.account("vera", isAdmin: true)
        let ana = try await world.account("ana")
        let draft = try await ana.collage(layout: "side-by-side")
        for cell in 0...1 { try await ana.fill(cell, of: draft) }
        let picture = try await ana.finish(draft)
        let path = try await Self.path(to: picture, of: ana)
        let page = try await world.stranger.visit(path)
        #expect(page.status == 200 && page.shows("A collage by Ana"))
        switch how {
        case "photo": #expect(try await ana.delete("/api/v1/photos/\(picture)").status == 200)
        case "suspended":
            #expect(
                try await admin.submit("/administration/accounts/\(ana.id)/suspend").status == 303)
        default:
            #expect(
                try await ana.submit("/settings/delete", ["password": "correct horse"]).status == 303)
        }
        #expect(try await world.stranger.visit(path).status == 404)
        #expect(try await world.stranger.visit("\(path)/\(picture)/large").status == 404)
        try await world.work()
        let links = try await world.number("SELECT count(*) FROM guest_links")
        #expect(links == (how == "suspended" ? 1 : 0))
    }

    @Test("The screens of a post and of a photo say until when their link works, and revoke it")
    func screens() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let (post, photo) = (try await ana.post(caption: "The bridge"), try await ana.photo())
        let end = Timestamp.long(world.clock.now.addingTimeInterval(7 * 86_400))
        for (screen, path) in [
            ("/posts/\(post)/share", "/posts/\(post)"),
            ("/library/\(photo)/guest-link", "/library/\(photo)"),
        ] {
            #expect(try await ana.visit(screen).shows("Make a guest link"))
            #expect(try await ana.submit("\(path)/guest-link").status == 303)
            let shown = try await ana.visit(screen)
            #expect(shown.shows("http://localhost/guest/") && shown.shows("7 days left") && shown.shows(end))
            #expect(try await ana.submit("\(path)/guest-link/revoke").status == 303)
            #expect(try await ana.visit(screen).shows("Make a guest link"))
        }
        #expect(try await ana.visit("/library/\(photo)").shows("/library/\(photo)/guest-link"))
    }

    @Test("Links of posts from before there were links of photos go on working")
    func migrated() async throws {
        let folder = URL(filePath: NSTemporaryDirectory() + "guest-links-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let earlier = folder.appending(path: "earlier")
        try FileManager.default.createDirectory(at: earlier, withIntermediateDirectories: true)
        let all = try Resources.folder("migrations")
        for name in try FileManager.default.contentsOfDirectory(atPath: all.path) where name < "0032" {
            try FileManager.default.copyItem(
                at: all.appending(path: name), to: earlier.appending(path: name))
        }
        let database = try Database(
            path: folder.appending(path: "tintype.sqlite").path, logger: Logger(label: "test"))
        _ = try database.migrate(folder: earlier.path)
        try await database.write { transaction in
            try transaction.execute(
                """
                INSERT INTO accounts (id, username, username_folded, display_name, password)
                VALUES (1, 'ana', 'ana', 'ana', '')
                """)
            try transaction.execute(
                "INSERT INTO posts (id, author_id, caption, visibility) VALUES (10, 1, 'A post', 'public')")
            try transaction.execute(
                "INSERT INTO guest_links (post_id, token, expires_at) VALUES (10, 'known', $1)",
                transaction.now.addingTimeInterval(60))
        }
        _ = try database.migrate(folder: all.path)
        let shown = try await database.read { try GuestLinkStore($0).shown(by: "known")?.subject }
        #expect(shown == .post(.init(rawValue: 10)))
        try await database.write { try $0.execute("DELETE FROM posts WHERE id = 10") }
        #expect(try await database.read { try GuestLinkStore($0).shown(by: "known") == nil })
        #expect(try await database.integrityProblems() == [])
        try database.close()
    }
}
