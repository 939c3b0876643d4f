import Foundation
import HTTPTypes
import Storage
import Testing

@testable import Core
@testable import People
@testable import Serving
@testable import Tintype

@Suite("Accounts")
struct AccountTests {
    @Test("Signing up with a portrait logs in; the first person is the administrator, the second is not")
    func signUp() async throws {
        let world = try await World()
        for (username, isFirst) in [("ana", true), ("ben", false)] {
            let answer = try await world.stranger.submit(
                "/signup",
                multipart: [
                    .text("username", username), .text("display_name", username.capitalized),
                    .text("password", "correct horse"), .file("portrait", try await TestPicture.jpeg()),
                ])
            #expect(answer.status == 303)
            let cookie = try #require(answer.headers[.setCookie])
            #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"))
            let account = try #require(
                try await world.tintype.database.read { try AccountStore($0).account(username: username) })
            #expect(account.isAdmin == isFirst)
            #expect(account.portrait != nil)
        }
        // Two squares in two formats each, and nothing of the upload itself.
        #expect(try await world.fileCount() == 8)
    }

    @Test("Names with emoji, right-to-left and 4-byte characters are kept to the letter and found")
    func names() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        for (username, name, query) in [
            ("emoji", "Zoë 🐕‍🦺🏳️‍🌈", "zoe"), ("arabic", "ليلى حداد", "حداد"), ("hebrew", "נועה לוי", "נועה"),
            ("gothic", "𐌰𐌽𐌰 𠮷田", "𠮷田"), ("mixed", "Ana أنا 李", "李"), ("persian", "می\u{200C}نا", "می"),
            ("flag", "Ewan 🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}", "ewan"),
        ] {
            let person = try await world.account(username, displayName: name)
            #expect(
                try await person.get("/api/v1/accounts/verify_credentials")["display_name"].string == name)
            #expect(try await ana.visit("/@\(username)").status == 200)
            let encoded = try #require(query.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            let found = try await ana.get("/api/v1/accounts/search?q=\(encoded)")
            #expect(found.json.list.contains { $0["username"].string == username }, "\(query)")
        }
    }

    @Test(
        "What can't be seen in a bio, or would turn the text beside it around, is left out of it, and of names from before",
        arguments: [
            "\u{202E}", "\u{202D}", "\u{202A}", "\u{202C}", "\u{2066}", "\u{2067}", "\u{2068}", "\u{2069}",
            "\u{200B}", "\u{2060}", "\u{FEFF}", "\u{AD}",
        ])
    func unseen(character: String) async throws {
        let world = try await World()
        let (name, bio) = ("\(character) Ana\(character) Maria", "One\(character)\nTwo")
        let (ana, _) = (try await world.account("ana"), try await world.account("eve"))
        let changed = try await ana.send(
            .patch, "/api/v1/accounts/update_credentials", json: ["note": .text(bio)])
        #expect(changed["source"]["note"] == "One\nTwo")
        // What was written before there was a rule for names.
        try await world.tintype.database.write {
            try $0.execute("UPDATE accounts SET display_name = $1, bio = $2", name, "\u{1}" + bio)
        }
        world.tintype.sessions.refresh(ana.id)
        let shown = try await ana.get("/api/v1/accounts/verify_credentials")
        #expect(shown["display_name"] == "Ana Maria" && shown["source"]["note"] == "One\nTwo")
        #expect(try await !ana.visit("/@eve").shows(character))
    }

    @Test("The suspended are absent from relationships, but not for those who block them")
    func suspended() async throws {
        let world = try await World()
        let olga = try await world.account("olga")
        let (ana, ben, cleo) = (
            try await world.account("ana"), try await world.account("ben"), try await world.account("cleo")
        )
        try await ana.block(ben)
        for person in [ben, cleo] {
            #expect(try await olga.submit("/administration/accounts/\(person.id)/suspend").status == 303)
        }
        let found = try await ana.get(
            "/api/v1/accounts/relationships?id[]=\(ben.id)&id[]=\(cleo.id)&id[]=12345")
        #expect(found.json.list.map { $0["id"] } == [.text("\(ben.id)")])
        #expect(try await ana.post("/api/v1/accounts/\(cleo.id)/block").status == 404)
        #expect(try await ana.submit("/accounts/\(cleo.id)/block").status == 404)
        #expect(try await world.number("SELECT count(*) FROM blocks") == 1)
        // Their own list goes on working.
        #expect(try await ana.post("/api/v1/accounts/\(ben.id)/block")["blocking"] == true)
        #expect(try await ana.get("/api/v1/blocks").json[0]["id"] == .text("\(ben.id)"))
        #expect(try await ana.visit("/settings/blocked").shows("@ben"))
        #expect(try await ana.post("/api/v1/accounts/\(ben.id)/unblock").status == 200)
        #expect(try await ana.get("/api/v1/accounts/relationships?id[]=\(ben.id)").json == [])
    }

    @Test("Every wrong field of the sign-up form is named, and what was typed is kept")
    func wrongSignUp() async throws {
        let world = try await World()
        _ = try await world.account("ana")
        let page = try await world.stranger.submit(
            "/signup",
            multipart: [
                .text("username", "ANA"), .text("display_name", "Ana <2>"), .text("password", "short"),
            ])
        #expect(page.status == 422)
        #expect(page.shows("@ANA is taken."))
        #expect(page.shows("Use at least 8 characters."))
        #expect(page.shows("value=\"Ana &lt;2>\"") || page.shows("value=\"Ana &lt;2&gt;\""))
        #expect(!page.shows("short\""))
    }

    @Test("A portrait that isn't a picture is refused beside its field, and nothing is stored")
    func wrongPortrait() async throws {
        let world = try await World()
        let page = try await world.stranger.submit(
            "/signup",
            multipart: [
                .text("username", "ana"), .text("display_name", "Ana"), .text("password", "correct horse"),
                .file("portrait", Array("<svg onload=alert(1)>".utf8)),
            ])
        #expect(page.status == 415 || page.status == 422)
        #expect(try await world.number("SELECT count(*) FROM accounts") == 0)
        #expect(try await world.fileCount() == 0)
    }

    @Test("An invitation lets exactly one person in, however many try at once")
    func invitation() async throws {
        let world = try await World { $0.signUp = .invitation }
        _ = try await world.account("ana")
        let code = try await world.tintype.invitations.invite(by: nil)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 1...8 {
                group.addTask {
                    try await world.stranger.submit(
                        "/signup",
                        multipart: [
                            .text("username", "guest\(number)"), .text("display_name", "Guest"),
                            .text("password", "correct horse"), .text("invitation_code", code.lowercased()),
                        ]
                    ).status
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.filter { $0 == 303 }.count == 1)
        #expect(try await world.number("SELECT count(*) FROM accounts") == 2)
    }

    @Test("Guessing a password is slowed after ten attempts, and the answer says for how long")
    func guessing() async throws {
        let world = try await World()
        _ = try await world.account("ana", password: "correct horse")
        for _ in 1...10 {
            let answer = try await world.stranger.submit("/login", ["username": "ana", "password": "guess"])
            #expect(answer.status == 401)
        }
        let slowed = try await world.stranger.submit(
            "/login", ["username": "ana", "password": "correct horse"])
        #expect(slowed.status == 429)
        world.clock.advance(seconds: 301)
        let logIn = try await world.stranger.submit(
            "/login", ["username": "ana", "password": "correct horse"])
        #expect(logIn.status == 303)
    }

    @Test("A write under a cookie from another site changes nothing")
    func otherSite() async throws {
        let world = try await World()
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        let answer = try await world.send(
            .post, "/api/v1/accounts/\(ben.id)/follow",
            headers: [
                .cookie: "\(Session.cookieName(isSecure: false))=\(ana.token ?? "")",
                .fetchSite: "cross-site",
            ])
        #expect(answer.status == 403)
        #expect(try await world.number("SELECT count(*) FROM follows") == 0)
    }

    @Test("Following is one by one under fast repeated taps, and counts stay right")
    func followCounts() async throws {
        let world = try await World()
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<20 {
                let verb = number.isMultiple(of: 2) ? "follow" : "unfollow"
                group.addTask { try await ana.post("/api/v1/accounts/\(ben.id)/\(verb)").status }
            }
            for try await status in group { #expect(status == 200) }
        }
        try await ana.follow(ben)
        #expect(try await ben.get("/api/v1/accounts/\(ben.id)")["followers_count"] == 1)
        #expect(try await ana.get("/api/v1/accounts/\(ana.id)")["following_count"] == 1)
    }

    @Test("Blocked people neither see nor find each other")
    func block() async throws {
        let world = try await World()
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        try await ben.follow(ana)
        try await ana.block(ben)
        for (one, other) in [(ana, ben), (ben, ana)] {
            #expect(try await one.visit("/@\(other.username)").status == 404)
            #expect(try await one.get("/api/v1/accounts/search?q=\(other.username)").json == [])
            #expect(try await one.post("/api/v1/accounts/\(other.id)/follow").status == 404)
        }
        #expect(try await ben.get("/api/v1/accounts/\(ana.id)").status == 404)
        #expect(try await ana.get("/api/v1/accounts/\(ben.id)").status == 200, "to unblock him")
        #expect(try await ana.get("/api/v1/accounts/\(ana.id)")["followers_count"] == 0)
    }
}
