import Foundation
import HTTPTypes
import Storage
import Testing

@testable import Core
@testable import People
@testable import Serving
@testable import Tintype

@Suite("Apps register")
struct AppRegistrationTests {
    @Test("An app registers by JSON, form or multipart, with and without a slash at the end")
    func ways() async throws {
        let world = try await World()
        let stranger = world.stranger
        let answers = [
            try await stranger.post(
                "/api/v1/apps",
                json: [
                    "client_name": "toot", "redirect_uris": "urn:ietf:wg:oauth:2.0:oob",
                    "scopes": "read write follow", "website": "https://github.com/ihabunek/toot",
                ]),
            try await stranger.post(
                "/api/v1/apps/",
                form: [
                    "client_name": "toot", "redirect_uris": "urn:ietf:wg:oauth:2.0:oob",
                    "scopes": "read write follow", "website": "https://github.com/ihabunek/toot",
                ]),
            try await stranger.post(
                "/api/v1/apps",
                multipart: [
                    .text("client_name", "toot"), .text("redirect_uris", "urn:ietf:wg:oauth:2.0:oob"),
                    .text("scopes", "read write follow"),
                    .text("website", "https://github.com/ihabunek/toot"),
                ]),
        ]
        for answer in answers {
            #expect(answer.status == 200)
            #expect(answer["name"] == "toot" && answer["website"] == "https://github.com/ihabunek/toot")
            #expect(answer["redirect_uri"] == "urn:ietf:wg:oauth:2.0:oob")
            #expect(answer["redirect_uris"] == ["urn:ietf:wg:oauth:2.0:oob"])
            #expect(answer["scopes"] == ["read", "write", "follow"])
            #expect(answer["id"].string?.isEmpty == false)
            #expect(answer["client_secret_expires_at"] == 0)
            #expect(answer.headers[.cacheControl] == "no-store")
        }
        #expect(Set(answers.compactMap { $0["client_id"].string }).count == 3)
        #expect(Set(answers.compactMap { $0["client_secret"].string }).count == 3)
        let secret = try #require(answers[0]["client_secret"].string)
        #expect(
            try await world.number("SELECT count(*) FROM oauth_apps WHERE secret_hash = '\(secret)'") == 0)
    }

    @Test(
        "Several addresses come on lines of one text or as a list, and `read` is what an app gets that asks for nothing"
    )
    func several() async throws {
        let world = try await World()
        let lines = try await world.stranger.post(
            "/api/v1/apps", json: ["client_name": "A", "redirect_uris": "a://x\nhttps://b.example/cb"])
        #expect(lines["redirect_uris"] == ["a://x", "https://b.example/cb"])
        #expect(lines["redirect_uri"] == "a://x\nhttps://b.example/cb")
        #expect(lines["scopes"] == ["read"])
        let list = try await world.stranger.post(
            "/api/v1/apps", json: ["client_name": "A", "redirect_uris": ["a://x", "https://b.example/cb"]])
        #expect(list["redirect_uris"] == ["a://x", "https://b.example/cb"])
    }

    @Test(
        "The mistakes of a registration are named by field",
        arguments: [
            ("client_name", "", "ERR_BLANK"),
            ("client_name", String(repeating: "a", count: 61), "ERR_TOO_LONG"),
            ("client_name", "Tin\u{202E}type", "ERR_INVALID"), ("client_name", "\u{200B}", "ERR_BLANK"),
            ("redirect_uris", "", "ERR_BLANK"), ("redirect_uris", "javascript:alert(1)", "ERR_INVALID"),
            ("redirect_uris", "a://x\ndata:text/html,x", "ERR_INVALID"),
            ("redirect_uris", String(repeating: "a://x ", count: 11), "ERR_TOO_LONG"),
            ("scopes", "profile admin:read", "ERR_INVALID"),
            ("website", "javascript:alert(1)", "ERR_INVALID"),
            ("website", "https://tintype.example@evil.example/", "ERR_INVALID"),
        ])
    func wrong(field: String, value: String, code: String) async throws {
        let world = try await World()
        var form: [String: JSON] = ["client_name": "App", "redirect_uris": "app://x", "scopes": "read"]
        form[field] = .text(value)
        let answer = try await world.stranger.post("/api/v1/apps", json: .object(form))
        #expect(answer.status == 422)
        #expect(answer["details"][field][0]["error"] == .text(code), "\(answer.text)")
        #expect(try await world.number("SELECT count(*) FROM oauth_apps") == 0)
    }

    @Test("One network registers a bounded number of apps in an hour")
    func limited() async throws {
        let world = try await World { $0.limits.appRegistrations = 2 }
        _ = try await world.app()
        _ = try await world.app()
        let refused = try await world.stranger.post(
            "/api/v1/apps", json: ["client_name": "A", "redirect_uris": "a://x"])
        #expect(refused.status == 429 && refused.headers[.retryAfter] == "1800")
        // Apps wait until then, and read no Retry-After.
        #expect(refused.headers[.rateRemaining] == "0")
        let reset = Timestamp.iso8601(world.clock.now.addingTimeInterval(1800))
        #expect(refused.headers[.rateReset] == reset)
        world.clock.advance(hours: 1)
        _ = try await world.app()
    }

    @Test("An app with which nobody logs in is erased after a day, and one that is used stays")
    func unused() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let (unused, used) = (try await world.app(), try await world.app())
        let hers = try await used.logIn(ana)
        world.clock.advance(hours: 23)
        try await world.work()
        #expect(try await ana.visit(unused.address()).status == 200)
        world.clock.advance(hours: 2)
        try await world.work()
        #expect(try await ana.visit(unused.address()).status == 404)
        #expect(try await hers.get("/api/v1/apps/verify_credentials").status == 200)
        // While someone is logged in with it, for as long as that lasts.
        for _ in 1...5 {
            world.clock.advance(hours: 24 * 91)
            try await world.work()
            #expect(try await hers.get("/api/v1/accounts/verify_credentials").status == 200)
        }
        // Then for a while longer, since programs keep their identifiers.
        #expect(try await used.revoke(try #require(hers.token)).status == 200)
        for seconds: TimeInterval in [86_400, OAuthApp.usedLifetime - 86_401] {
            world.clock.advance(seconds: seconds)
            try await world.work()
            #expect(try await world.number("SELECT count(*) FROM oauth_apps") == 1)
        }
        world.clock.advance(seconds: 1)
        try await world.work()
        #expect(try await world.number("SELECT count(*) FROM oauth_apps") == 0)
        #expect(try await world.number("SELECT count(*) FROM jobs WHERE kind = 'erase-unused-app'") == 0)
    }

    @Test("An app whose last log-in ended between two looks is kept for almost 90 days after that")
    func lookedAt() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let app = try await world.app()
        _ = try await app.logIn(ana)
        for _ in 1...80 {
            world.clock.advance(hours: 24)
            try await world.work()
        }
        #expect(try await ana.submit("/settings/devices/end").status == 303)
        world.clock.advance(hours: 24 * 88)
        try await world.work()
        #expect(try await world.number("SELECT count(*) FROM oauth_apps") == 1)
        world.clock.advance(hours: 24 * 2)
        try await world.work()
        #expect(try await world.number("SELECT count(*) FROM oauth_apps") == 0)
    }

    @Test(
        "Of the apps with which nobody has logged in, new ones displace the oldest, and no other app")
    func bounded() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let used = try await world.app()
        _ = try await used.logIn(ana)
        let (first, second, third) = (try await world.app(), try await world.app(), try await world.app())
        try await world.tintype.database.write { [topics = world.tintype.parts.topics] in
            try OAuthStore($0, topics).eraseOldestNew(over: 2)
        }
        let statuses = try await [
            ana.visit(used.address()).status, ana.visit(first.address()).status,
            ana.visit(second.address()).status, ana.visit(third.address()).status,
        ]
        #expect(statuses == [200, 404, 200, 200])
    }

    @Test("An app that a person has just let in isn't displaced, and one that is leaves no work behind")
    func letIn() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let (chosen, idle) = (try await world.app(), try await world.app())
        let code = try await chosen.code(of: ana)
        try await world.tintype.database.write { [topics = world.tintype.parts.topics] in
            try OAuthStore($0, topics).eraseOldestNew(over: 0)
        }
        #expect(try await ana.visit(idle.address()).status == 404)
        #expect(try await chosen.exchange(code).status == 200)
        #expect(try await world.number("SELECT count(*) FROM oauth_apps") == 1)
        #expect(try await world.number("SELECT count(*) FROM jobs WHERE kind = 'erase-unused-app'") == 1)
    }

    @Test("All networks together register a bounded number of apps in an hour")
    func limitedTogether() async throws {
        let world = try await World { $0.limits.allAppRegistrations = 3 }
        let oauth = world.tintype.features.oauth.oauth
        let registration = try AppRegistration(
            name: "A", website: "", redirects: ["a://x"], scopes: "", topics: world.tintype.parts.topics,
            taken: TakenNames(server: "Tintype"))
        for number in 1...3 {
            _ = try await oauth.register(registration, from: "2001:db8:\(number)::1")
        }
        await #expect(throws: Refusal.self) {
            try await oauth.register(registration, from: "2001:db8:4::1")
        }
        world.clock.advance(hours: 1)
        _ = try await oauth.register(registration, from: "2001:db8:4::1")
    }

    @Test("An app reads about itself, with a person's token and with its own")
    func verify() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let app = try await world.app(name: "Ice Cubes")
        let hers = try await app.logIn(ana, scope: "write:media")
        let answer = try await hers.get("/api/v1/apps/verify_credentials")
        #expect(answer.status == 200 && answer["name"] == "Ice Cubes")
        #expect(answer["client_secret"] == .null && answer["client_id"] == .null)
        let own = try await world.form(
            ["grant_type": "client_credentials", "client_id": app.id, "client_secret": app.secret],
            to: "/oauth/token")
        #expect(own.status == 200 && own["scope"] == "read")
        let alone = Person(
            world: world, id: ana.id, username: "", token: own["access_token"].string, kind: .app)
        #expect(try await alone.get("/api/v1/apps/verify_credentials")["name"] == "Ice Cubes")
        #expect(try await alone.get("/api/v1/instance").status == 200)
        #expect(try await alone.get("/api/v1/timelines/home").status == 401)
        #expect(try await world.stranger.get("/api/v1/apps/verify_credentials").status == 401)
        #expect(try await ana.get("/api/v1/apps/verify_credentials").status == 401)
        let wrong = Person(world: world, id: ana.id, username: "", token: "app.x", kind: .app)
        #expect(try await wrong.get("/api/v1/apps/verify_credentials").status == 401)
    }

    @Test("An app keeps its ten newest tokens of its own")
    func appTokens() async throws {
        let world = try await World()
        let app = try await world.app()
        var tokens: [String] = []
        for _ in 1...11 {
            let answer = try await world.form(
                ["grant_type": "client_credentials", "client_id": app.id, "client_secret": app.secret],
                to: "/oauth/token")
            tokens.append(try #require(answer["access_token"].string))
        }
        func status(_ token: String) async throws -> Int {
            try await Person(world: world, id: .init(rawValue: 1), username: "", token: token, kind: .app)
                .get("/api/v1/apps/verify_credentials").status
        }
        #expect(try await status(tokens[0]) == 401)
        #expect(try await status(tokens[1]) == 200)
        #expect(try await app.revoke(tokens[1]).status == 200)
        #expect(try await status(tokens[1]) == 401)
        #expect(try await status(tokens[10]) == 200)
    }

    @Test("Programs find the addresses of OAuth in one document")
    func metadata() async throws {
        let world = try await World { $0.publicURL = "https://photos.example" }
        let answer = try await world.stranger.get("/.well-known/oauth-authorization-server")
        #expect(answer.status == 200)
        #expect(answer["issuer"] == "https://photos.example")
        for (member, path) in [
            ("authorization_endpoint", "/oauth/authorize"), ("token_endpoint", "/oauth/token"),
            ("revocation_endpoint", "/oauth/revoke"), ("app_registration_endpoint", "/api/v1/apps"),
        ] { #expect(answer[member] == .text("https://photos.example" + path)) }
        #expect(answer["grant_types_supported"] == ["authorization_code", "client_credentials"])
        #expect(answer["response_types_supported"] == ["code"])
        #expect(answer["code_challenge_methods_supported"] == ["S256"])
        #expect(answer["scopes_supported"].list.contains("read:statuses"))
    }
}
