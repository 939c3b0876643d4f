import Foundation
import HTTPTypes
import Storage
import Testing

@testable import Tintype

@Suite("On a full disk", .enabled(if: SmallDisk.isPossible, "mounting a small disk needs root"))
struct FullDiskTests {
    /// Fills the disk until not even a row fits.
    private func fill(_ disk: SmallDisk, of world: World) async throws {
        let ballast = URL(filePath: disk.path + "/ballast")
        #expect(throws: (any Error).self) { try Data(count: 8_000_000).write(to: ballast) }
        for size in [20_000, 10] {
            await #expect(throws: DatabaseError.full) {
                for _ in 0..<2_000 {
                    try await world.tintype.database.write { transaction in
                        try SessionStore(transaction).setServerValue(
                            "ballast-\(transaction.newID())", String(repeating: "x", count: size))
                    }
                }
            }
        }
    }

    @Test(
        "People can look, whose log-in and notifications can't be marked as seen; forms keep what was typed")
    func looking() async throws {
        let disk = try #require(SmallDisk(megabytes: 4))
        let world = try await World(folder: disk.path + "/data")
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let post = try await ana.post(caption: "Before it was full")
        try await ben.like(post)
        try await fill(disk, of: world)
        // So that the next request would note when the log-in was last used.
        world.clock.advance(seconds: 660)
        #expect(try await ana.home() == ["Before it was full"])
        for path in ["/home", "/notifications", "/posts/\(post)", "/library", "/settings/devices"] {
            #expect(try await ana.visit(path).status == 200, "\(path)")
        }
        #expect(try await ana.get("/api/v1/notifications/unread_count")["count"] == 2)

        let profile = try await ana.submit(
            "/settings/profile",
            multipart: [.text("username", "ana"), .text("display_name", "Ana"), .text("note", "Typed")])
        let signUp = try await world.stranger.submit(
            "/signup", ["username": "cleo", "display_name": "Cleo Typed", "password": "correct horse"])
        let comment = try await ben.submit("/posts/\(post)/comments", ["text": "Comment typed"])
        let caption = try await ana.submit("/posts/\(post)/caption", ["caption": "Caption typed"])
        let report = try await ben.submit(
            "/posts/\(post)/report", ["reason": "spam", "words": "Report typed"])
        let password = try await ana.submit(
            "/settings/password",
            ["current_password": "correct horse", "new_password": "battery staple"])
        let answers = [
            (profile, "Typed"), (signUp, "Cleo Typed"), (comment, "Comment typed"),
            (caption, "Caption typed"), (report, "Report typed"), (password, "Current password"),
        ]
        for (answer, typed) in answers {
            #expect(answer.status == 503)
            #expect(answer.headers[.retryAfter] == "60")
            #expect(answer.shows(typed) && answer.shows("disk is full"))
        }
        disk.grow(megabytes: 16)
        #expect(try await ana.visit("/notifications").shows("Unread."))
        #expect(try await ana.get("/api/v1/notifications/unread_count")["count"] == 0)
    }
}
