import HTTPTypes
import Testing

@testable import Core
@testable import Tintype

@Suite("Profiles")
struct ProfileTests {
    @Test("Name, username and bio are changed, and what is wrong is explained beside its field")
    func change() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        _ = try await world.account("ben")
        for (username, sentence) in [("BEN", "is taken"), ("a b", "Use letters"), ("", "Choose a username")] {
            let refused = try await ana.submit(
                "/settings/profile",
                multipart: [
                    .text("username", username), .text("display_name", "Ana"), .text("note", "Typed"),
                ])
            #expect(refused.status == 422 && refused.shows(sentence) && refused.shows("Typed"))
        }
        let saved = try await ana.submit(
            "/settings/profile",
            multipart: [
                .text("username", "Ana.Maria"), .text("display_name", "Ana María"), .text("note", "Film <3"),
                .file("portrait", try await TestPicture.jpeg()),
            ])
        #expect(saved.headers[.location] == "/settings")
        let page = try await ana.visit("/@ana.maria")
        #expect(page.shows("Film &lt;3") && page.shows("/portraits/"))
        #expect(try await ana.visit("/@ana").status == 404)
        // The old portrait goes from the disk when a new one comes.
        let before = try await world.fileCount()
        _ = try await ana.submit(
            "/settings/profile",
            multipart: [
                .text("username", "Ana.Maria"), .text("display_name", "Ana"), .text("note", ""),
                .file("portrait", try await TestPicture.jpeg()),
            ])
        try await world.work()
        #expect(try await world.fileCount() == before)
    }

    @Test(
        "A name has one line with something to see, and lengths are counted in code points",
        arguments: [
            ("display_name", "Ana" + String(repeating: "\u{301}", count: 48), "at most 50 characters"),
            ("display_name", "Ana\nMaria", "one line"), ("display_name", "Ana\u{2028}Maria", "one line"),
            ("display_name", "Ana\u{7}", "one line"),
            ("display_name", "\u{200B}\u{2060}\u{3164}\u{2800}", "Enter your name."),
            ("note", "e" + String(repeating: "\u{301}", count: 500), "That is 501 characters; the limit is"),
        ])
    func lengths(field: String, text: String, sentence: String) async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let refused = try await ana.send(
            .patch, "/api/v1/accounts/update_credentials", json: .object([field: .text(text)]))
        #expect(refused.status == 422)
        #expect(refused["details"][field][0]["description"].string?.contains(sentence) == true)
    }

    @Test(
        "Names of the whole world are good",
        arguments: ["👩‍👩‍👧‍👦", "Zoë & Ömer", "نور الهدى", "𝒜𝓃𝒶", "李小龍", "ナナ", String(repeating: "é", count: 50)])
    func names(name: String) async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let saved = try await ana.send(
            .patch, "/api/v1/accounts/update_credentials", json: ["display_name": .text(name)])
        #expect(saved.status == 200 && saved["display_name"].string == name)
    }

    @Test(
        "A portrait and a banner need no log-in, and end for whom their owner blocks, and for all with the account"
    )
    func portraits() async throws {
        let world = try await World()
        let olga = try await world.account("olga")
        let ana = try await world.account("ana", portrait: true)
        let ben = try await world.account("ben")
        _ = try await ana.patch(.file("header", try await TestPicture.jpeg()))
        let account = try await ben.get("/api/v1/accounts/\(ana.id)")
        let (avatar, header) = (try account.path("avatar"), try account.path("header"))
        let paths = [avatar, avatar + "/small", header]
        func expect(_ person: Person, _ status: Int, _ when: Comment) async throws {
            for path in paths { #expect(try await person.visit(path).status == status, when) }
        }
        for person in [world.stranger, ben] { try await expect(person, 200, "at first") }
        #expect(
            try await world.stranger.get(paths[0]).headers[.cacheControl] == "private, max-age=600")
        try await ana.block(ben)
        try await expect(ben, 404, "blocked")
        _ = try await ana.post("/api/v1/accounts/\(ben.id)/unblock")
        // A person who blocks others still sees in the list whom they have blocked.
        try await ben.block(ana)
        try await expect(ben, 200, "blocking")
        _ = try await olga.submit("/administration/accounts/\(ana.id)/suspend")
        try await expect(world.stranger, 404, "suspended")
        try await expect(olga, 200, "suspended, for the administrator")
        _ = try await olga.submit("/administration/accounts/\(ana.id)/restore")
        try await expect(world.stranger, 200, "restored")
        let again = try await ana.logIn(.browser)
        #expect(
            try await again.submit("/settings/delete", ["password": "correct horse"]).status == 303)
        try await expect(world.stranger, 404, "deleted")
    }

    @Test("An app gives the profile a banner of 3:1, exchanges it and removes it, and its files go with it")
    func banner() async throws {
        let world = try await World()
        let ana = try await world.account("ana", portrait: true)
        let before = try await world.fileCount()
        let plain = try await ana.get("/api/v1/accounts/verify_credentials")
        let none = try plain.path("header")
        // Apps know this name.
        #expect(none.hasSuffix("/missing.png") && plain["header_static"] == plain["header"])
        #expect(try await world.stranger.get(none).status == 200)
        #expect(try await !ana.visit("/@ana").shows("class=\"banner\""))

        let saved = try await ana.patch(
            .file("header", try await TestPicture.jpeg(width: 300, height: 200)), .text("note", "Film"))
        #expect(saved.status == 200 && saved["note"].string?.contains("Film") == true)
        let path = try saved.path("header")
        #expect(try saved.path("header_static") == path && path.hasPrefix("/banners/"))
        #expect(try await ana.visit(path).jpegSides == [300, 100])
        #expect(try await ana.visit("/@ana").shows("src=\"\(path)\""))
        #expect(try await world.fileCount() == before + 2)

        let other = try await ana.patch(.file("header", try await TestPicture.jpeg()))
        let exchanged = try other.path("header")
        #expect(exchanged != path && other["avatar"] == plain["avatar"])
        try await world.work()
        #expect(try await world.fileCount() == before + 2)
        #expect(try await ana.visit(path).status == 404)

        let removed = try await ana.delete("/api/v1/profile/header")
        #expect(removed.status == 200)
        #expect(try removed.path("header") == none)
        #expect(removed["source"]["note"] == "Film" && removed["avatar"] == plain["avatar"])
        try await world.work()
        #expect(try await world.fileCount() == before)
        #expect(try await ana.visit(exchanged).status == 404)
        // Of a profile that has none, too.
        #expect(try await ana.delete("/api/v1/profile/header").status == 200)
        #expect(try await world.tintype.problems() == [])
    }

    @Test("An app removes the portrait, and initials come in its place")
    func removedPortrait() async throws {
        let world = try await World()
        let ana = try await world.account("ana", portrait: true)
        _ = try await ana.patch(.file("header", try await TestPicture.jpeg()))
        let removed = try await ana.delete("/api/v1/profile/avatar")
        #expect(removed["avatar"].string == "http://localhost/initials/\(ana.id).svg")
        #expect(try removed.path("header").hasPrefix("/banners/"))
        try await world.work()
        #expect(try await world.fileCount() == 2)
    }

    @Test("The form of the profile sets a banner, keeps it, and removes it")
    func bannerForm() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        func save(_ parts: FormPart...) async throws -> Bool {
            let typed: [FormPart] = [
                .text("username", "ana"), .text("display_name", "Ana"), .text("note", ""),
            ]
            #expect(try await ana.submit("/settings/profile", multipart: typed + parts).status == 303)
            return try await ana.visit("/@ana").shows("class=\"banner\"")
        }
        #expect(try await save(.file("header", try await TestPicture.jpeg())))
        #expect(try await ana.visit("/settings/profile").shows("Remove the banner"))
        #expect(try await save())
        // Who chooses another one hasn't removed the banner.
        #expect(try await save(.text("remove_header", "true"), .file("header", try await TestPicture.jpeg())))
        #expect(try await !save(.text("remove_header", "true")))
        #expect(try await !ana.visit("/settings/profile").shows("Remove the banner"))
        try await world.work()
        #expect(try await world.fileCount() == 0)
    }

    @Test("Who has no portrait has initials, for anyone who asks, drawn without markup from the name")
    func initials() async throws {
        let world = try await World()
        let ana = try await world.account("ana", displayName: "<b> & Zoë \"Q\" 'x")
        let avatar = try await ana.get("/api/v1/accounts/verify_credentials")["avatar"].string
        #expect(avatar == "http://localhost/initials/\(ana.id).svg")
        let drawing = try await world.stranger.get("/initials/\(ana.id).svg")
        #expect(drawing.status == 200 && drawing.headers[.contentType] == "image/svg+xml")
        #expect(drawing.shows(">&lt;&#39;</text>"))
        #expect(try await world.stranger.get("/initials/1.svg").status == 404)
        #expect(Initials.letters(of: "maite de ugarte") == "MU")
        #expect(Initials.letters(of: " ") == "?")
    }

    @Test("An app sees a person's own counts as they are now")
    func counts() async throws {
        let world = try await World()
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        let path = "/api/v1/accounts/verify_credentials"
        func counts() async throws -> [Int?] {
            let own = try await ana.get(path)
            return ["statuses_count", "followers_count", "following_count"].map { own[$0].int }
        }
        #expect(try await counts() == [0, 0, 0])
        _ = try await ana.post(caption: "First")
        try await ben.follow(ana)
        try await ana.follow(ben)
        #expect(try await counts() == [1, 1, 1])
        #expect(try await ana.get(path)["last_status_at"] != .null)
    }

    @Test("An app finds whom its person blocks by the whole name, as toot does before it unblocks")
    func blockedByName() async throws {
        let world = try await World()
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        let path = "/api/v2/search?type=accounts"
        try await ana.block(ben)
        func found(_ query: String, by person: Person) async throws -> [JSON] {
            try await person.get("\(path)&\(query)")["accounts"].list.map { $0["acct"] }
        }
        let names = ["ben", "%40Ben", "ben%40localhost", "%40Ben%40localhost"]
        for query in names.map({ "q=\($0)&resolve=true" }) {
            #expect(try await found(query, by: ana) == ["ben"])
        }
        for query in ["q=ben", "q=be&resolve=true"] {
            #expect(try await found(query, by: ana) == [])
        }
        for name in ["ana", "ana%40localhost"] {
            #expect(try await found("q=\(name)&resolve=true", by: ben) == [])
        }
    }

    @Test("An app finds its own person by the whole name, as toot looks for its followers")
    func ownName() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        _ = try await world.account("anabel")
        for query in ["ana", "@Ana"] {
            let found = try await ana.get("/api/v2/search?type=accounts&q=\(query)")["accounts"].list
            #expect(found.map { $0["acct"] } == ["ana", "anabel"], "\(query)")
        }
        #expect(try await ana.get("/api/v2/search?q=an")["accounts"].list.map { $0["acct"] } == ["anabel"])
        #expect(
            try await ana.get("/api/v2/search?q=ana&limit=1")["accounts"].list.map { $0["acct"] } == ["ana"])
    }
}

extension Answer {
    /// The sides of a JPEG (ITU-T T.81, B.2.2).
    fileprivate var jpegSides: [Int] {
        let frame = bytes.indices.first { place in
            bytes[place...].starts(with: [0xFF, 0xC0]) || bytes[place...].starts(with: [0xFF, 0xC2])
        }
        guard let frame else { return [] }
        let numbers = bytes[(frame + 5)...].prefix(4).map(Int.init)
        return [numbers[2] << 8 | numbers[3], numbers[0] << 8 | numbers[1]]
    }

    /// Returns the path of a URL of this server.
    fileprivate func path(_ member: String) throws -> String {
        String(try #require(self[member].string).dropFirst("http://localhost".count))
    }
}

extension Person {
    /// Changes the person's profile as an app does.
    fileprivate func patch(_ parts: FormPart...) async throws -> Answer {
        try await send(.patch, "/api/v1/accounts/update_credentials", multipart: parts)
    }
}
