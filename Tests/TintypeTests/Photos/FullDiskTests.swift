import Foundation
import HTTPTypes
import Hummingbird
import Storage
import Testing

@testable import Core
@testable import Tintype

@Suite("On a full disk", .enabled(if: SmallDisk.isPossible, "mounting a small disk needs root"), .onlySQLite)
struct FullDiskTests {
    /// Fills the disk until not even a row fits.
    private func fill(_ disk: SmallDisk, of world: World) async throws {
        let ballast = URL(filePath: disk.path + "/ballast")
        #expect(throws: (any Error).self) { try Data(count: 20_000_000).write(to: ballast) }
        for size in [20_000, 10] {
            await #expect(throws: DatabaseError.full) {
                for _ in 0..<2_000 {
                    try await world.tintype.database.write { transaction in
                        try transaction.setServerValue(
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
        let caption = try await ana.submit("/posts/\(post)/edit", ["caption": "Caption typed"])
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
        disk.grow(megabytes: 32)
        #expect(try await ana.visit("/notifications").shows("Unread."))
        #expect(try await ana.get("/api/v1/notifications/unread_count")["count"] == 0)
    }

    @Test(
        "Every page, list and picture answers, also where the look would be noted, as it is with room again")
    func everything() async throws {
        let disk = try #require(SmallDisk(megabytes: 16))
        let world = try await World(folder: disk.path + "/data")
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let places = try await places(of: ana, with: ben)
        let routes = try world.tintype.router().routes.filter { $0.method == .get }.map(\.path.description)
        let paths = routes.filter { route in
            !Self.elsewhere.contains(where: route.hasPrefix) && route != Self.search
        }.map { route in
            let parameters = places.first { route.hasPrefix($0.key) }?.value ?? [:]
            return parameters.reduce(route) { $0.replacing("{\($1.key)}", with: $1.value) }
                + ((Self.queries[route] ?? parameters["query"]).map { "?" + $0 } ?? "")
        }
        func look(_ path: String) async throws -> Int {
            try await (path.hasPrefix("/api") ? ana.get(path) : ana.visit(path)).status
        }
        for path in paths { #expect([200, 303].contains(try await look(path)), "\(path) with room") }

        // Something that the next looks would note: a message that arrives, a like, a log-in that is in use.
        let chat = try #require(places.first { $0.key == "/messages" }?.value["id"])
        _ = try await ben.write("Just arrived", in: chat)
        try await ben.like(try await ana.post(caption: "Mine"))
        try await fill(disk, of: world)
        world.clock.advance(seconds: 660)
        for path in paths { #expect([200, 303].contains(try await look(path)), "\(path) on a full disk") }
        #expect(try await ana.visit("/messages/\(chat)").shows("Just arrived"))
        #expect(try await world.number(Self.delivered) == 0)

        disk.grow(megabytes: 32)
        #expect(try await ana.visit("/messages/\(chat)").status == 200)
        #expect(try await world.number(Self.delivered) == 1)
    }

    /// How many people have got the newest message of a chat from somebody else.
    private static let delivered = """
        SELECT count(*) FROM chat_members c
        WHERE c.delivered_through = (SELECT max(id) FROM messages WHERE sender_id <> c.account_id)
        """

    /// Routes that are no pages: streams, one look at a picture, a download for which there was no room before, a picture that
    /// is made when it is asked for, what only an app asks for, what a link of the operator leads to, and what is for the operator or the same for all.
    private static let elsewhere = [
        "/login/new-password",
        "/oauth/authorize", "/api/v1/apps/verify_credentials",
        "/api/v1/events", "/api/v1/streaming", "/api/v1/snap_views", "/api/v1/once_views",
        "/settings/data/{id}", "/api/v1/photos/{id}/full", "/metrics", "/static", "/api/v1/push/subscription",
    ]

    /// A search keeps what it finds, and so needs room.
    private static let search = "/api/v1/past_photos"

    /// What some lists have to be asked for.
    private static let queries = ["/api/v1/accounts/lookup": "acct=ben"]

    /// What path parameters name, by the beginning of the route; the first that fits.
    private func places(
        of ana: Person, with ben: Person
    ) async throws -> KeyValuePairs<String, [String: String]> {
        let photo = try await ana.photo()
        let post = try await ben.post(caption: "Ben's")
        try await ana.like(try await ben.post(caption: "Liked"))
        try await ben.like(try await ana.post(caption: "Ana's"))
        let link = try await ben.post("/api/v1/statuses/\(post)/guest_link")
        let token = try #require(link["url"].string?.split(separator: "/").last.map(String.init))
        let comment = try await ana.comment("Ana's", on: post)
        let shown = try await ben.get("/api/v1/statuses/\(post)")["media_attachments"][0]["id"].string
        let account = try await ana.send(
            .patch, "/api/v1/accounts/update_credentials",
            multipart: [
                .file("avatar", try await TestPicture.jpeg()), .file("header", try await TestPicture.jpeg()),
            ])
        let portrait = try #require(account["avatar"].string?.split(separator: "/").last.map(String.init))
        let banner = try #require(account["header"].string?.split(separator: "/").last.map(String.init))
        let chat = try await ben.chat(with: ana)
        let message = try await ben.send(photo: try await ben.photo(), in: chat)
        let cleo = try await ana.world.account("cleo")
        for (one, other) in [(ana, cleo), (cleo, ana)] { try await one.follow(other) }
        let group = try await ana.group(with: ben, cleo)
        let eve = try await ana.world.account("eve")
        try await ana.putAside(from: eve)
        let newest = try await ana.get("/api/v1/notifications").json[0]
        let notification = try #require(newest["id"].string)
        let ownSnap = try await ana.snap(media: try await ana.photo(purpose: "snap"))
        let snap = try await ben.snap(media: try await ben.photo(purpose: "snap"))
        let collage = try await ana.collage(layout: "side-by-side", with: [ben])
        try await ben.fill(0, of: collage)
        let own = try await ana.collage(layout: "side-by-side")
        for cell in 0...1 { try await ana.fill(cell, of: own, photo: photo) }
        let picture = try await ana.finish(own)
        let pair = try await ana.pairID()
        let contract = try await ana.propose(to: ben)
        _ = try await ana.findable()
        let found = try await ana.searchServer()["photos"][0]["id"].string ?? ""
        let list = try await ana.list("Crew", of: [cleo])
        let filter = try await ana.filter("Weather", words: ["rain"])
        let word = try #require(try await ana.get("/api/v1/filters").json[0]["id"].string)
        let single = try await ana.post(
            "/api/v2/filters/\(filter)/statuses", json: ["status_id": .text(post)])
        return [
            "/settings/filters": ["id": filter], "/api/v2/filters/keywords": ["id": word],
            "/api/v2/filters/statuses": ["id": try #require(single["id"].string)],
            "/api/v2/filters": ["id": filter], "/api/v1/filters": ["id": word],
            "/lists": ["id": list], "/api/v1/lists": ["id": list], "/api/v1/timelines/list": ["id": list],
            "/past-photos": ["id": found, "size": "large"], "/settings/connected": ["id": "1"],
            "/contracts/with": ["id": chat], "/contracts/card": ["id": "\(ben.id)"],
            "/contracts/new": ["id": "\(ben.id)"],
            "/contracts": ["id": contract, "account": "\(ana.id)"], "/api/v1/contracts": ["id": contract],
            "/pairs": ["id": pair], "/api/v1/rephotographs": ["id": pair],
            "/then-and-now": ["id": pair],
            "/collage/edit": ["id": picture], "/collage/with": ["id": chat],
            "/collage": ["id": collage, "index": "0"], "/api/v1/collage_drafts": ["id": collage],
            "/api/v1/collages": ["id": picture],
            "/snaps/new/": ["picture": photo], "/snaps/{id}/report": ["id": snap],
            "/snaps": ["id": ownSnap], "/api/v1/snaps": ["id": ownSnap], "/snap_samples": ["id": "memes-1"],
            "/posts/{id}/edit": ["id": comment],
            "/posts": ["id": post, "number": "1"], "/api/v1/statuses": ["id": post],
            "/library": ["id": photo],
            "/photos": ["id": photo, "size": "large"], "/api/v1/photos": ["id": photo],
            "/api/v1/media": ["id": photo], "/portraits": ["id": portrait],
            "/banners": ["id": banner],
            "/messages/{id}/group": ["id": group],
            "/messages": ["id": chat, "message": message],
            "/api/v1/chats": ["id": chat, "message": message],
            "/guest": ["token": token, "photo": shown ?? "", "size": "large"],
            "/accounts": ["id": "\(ben.id)"], "/api/v1/accounts": ["id": "\(ben.id)"],
            "/initials": ["id": "\(ben.id)"], "/@": ["username": "ben"],
            "/notifications/requests": ["id": "\(eve.id)"],
            "/api/v1/notifications/requests": ["id": "\(eve.id)"],
            "/api/v2/notifications": ["group_key": newest["group_key"].string ?? ""],
            "/api/v1.1/accounts": ["id": "\(ben.id)", "username": "ben"],
            "/api/v1.1/direct/thread": ["query": "pid=\(ben.id)"],
            "/api/v1/notifications": ["id": notification], "/api/v1/timelines/tag": ["hashtag": "dogs"],
            "/tags": ["name": "dogs"], "/api/v1/tags": ["name": "dogs"],
        ]
    }
}
