import Foundation
import HTTPTypes
import Storage
import Testing

@testable import Core
@testable import People
@testable import Serving
@testable import Tintype

@Suite("Connected accounts", .timeLimit(.minutes(15)))
struct ConnectedAccountTests {
    /// Someone on a server that may ask others, and one of those.
    private func scene(
        _ body: @escaping @Sendable (OutsideMastodon, Person) async throws -> Void
    ) async throws {
        try await OutsideMastodon.with { server in
            let world = try await World.outward()
            try await body(server, try await world.account("ana"))
        }
    }

    @Test("Connecting asks for the four scopes with PKCE, and the page says who is connected")
    func connects() async throws {
        try await scene { server, ana in
            #expect(try await ana.visit("/settings/connected").shows("name=\"server\""))
            let url = try await ana.departure(to: server.url)
            let items = URLComponents(string: url)?.queryItems ?? []
            let parameters = Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
            #expect(parameters["scope"] == "read:accounts read:statuses write:statuses write:media")
            #expect(parameters["code_challenge_method"] == "S256")
            #expect(parameters["code_challenge"]?.count == 43 && parameters["state"]?.count == 43)
            let register = try #require(server.calls.first)
            #expect(register.parameters["scopes"] == parameters["scope"])
            #expect(register.parameters["redirect_uris"] == parameters["redirect_uri"])
            #expect(
                parameters["redirect_uri"]?.hasPrefix("http://localhost/settings/connected/callback/") == true
            )

            let back = try await ana.visit(server.allow(url))
            #expect(back.status == 303 && back.headers[.location] == "/settings/connected")
            let page = try await ana.visit("/settings/connected")
            #expect(page.shows("@ana@\(server.host)") && page.shows("Disconnect"))
            #expect(!page.shows("name=\"server\""))
            #expect(try await ana.visit("/settings").shows(server.host))
            let token = try #require(server.calls.first { $0.path == "/oauth/token" })
            #expect(token.parameters["code_verifier"]?.count == 43)
            #expect(server.tokens.count == 1)
        }
    }

    @Test("Nothing secret is in the database as it is, and the key is for its owner's eyes")
    func sealed() async throws {
        try await scene { server, ana in
            let url = try await ana.departure(to: server.url)
            let challenge = URLComponents(string: url)?.queryItems?.first { $0.name == "state" }?.value
            try await ana.world.tintype.database.backup(to: ana.world.folder + "/before.sqlite")
            _ = try await ana.visit(server.allow(url))
            let token = try #require(server.tokens.first)
            let verifier = try #require(
                server.calls.first { $0.path == "/oauth/token" }?.parameters["code_verifier"])
            try await ana.world.tintype.database.backup(to: ana.world.folder + "/after.sqlite")
            var bytes = Data()
            for name in ["before", "after"] {
                bytes += try Data(contentsOf: URL(filePath: "\(ana.world.folder)/\(name).sqlite"))
            }
            for secret in [token, verifier, "secret-of-client-1", try #require(challenge)] {
                #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(secret)")
            }
            #expect(bytes.range(of: Data(server.url.utf8)) != nil)
            // In PostgreSQL, the key is sealed in the database.
            guard ana.world.tintype.configuration.database == nil else { return }
            let path = "\(ana.world.folder)/\(SecretsKey.fileName)"
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test("A registration is used again, and made again when nobody uses it and it is old")
    func registers() async throws {
        try await scene { server, ana in
            _ = try await ana.departure(to: server.url)
            _ = try await ana.departure(to: "\(server.url)/about?x#y")
            #expect(server.registrations == 1)
            ana.world.clock.advance(hours: 2)
            try await ana.connect(server)
            #expect(server.registrations == 2)
            ana.world.clock.advance(hours: 100)
            let ben = try await ana.world.account("ben")
            try await ben.connect(server)
            #expect(server.registrations == 2)
        }
    }

    @Test("A server that has forgotten the registration is asked for a new one at the next attempt")
    func forgottenClient() async throws {
        try await scene { server, ana in
            let path = try server.allow(try await ana.departure(to: server.url))
            server.forgetClients()
            let answer = try await ana.visit(path)
            #expect(answer.status == 303)
            #expect(try await ana.world.connections.account(of: ana.account()) == nil)
            try await ana.connect(server)
        }
    }

    // MARK: Answers that aren't right

    @Test("An answer is good once, for the log-in that asked, at the server that was asked, for ten minutes")
    func state() async throws {
        try await scene { server, ana in
            func isConnected() async throws -> Bool {
                try await ana.world.connections.account(of: ana.account()) != nil
            }
            let path = try server.allow(try await ana.departure(to: server.url))
            let ben = try await ana.world.account("ben")
            // Somebody else's browser, and another log-in of the same person.
            #expect(try await ben.visit(path).status == 303)
            let other = try await ana.logIn(.browser)
            #expect(try await other.visit(path).status == 303)
            #expect(try await ana.world.stranger.visit(path).headers[.location]?.hasPrefix("/login") == true)
            // Another state, no state, another server's address.
            for wrong in [
                path.replacing(/state=.*/, with: "state=x"), path.replacing(/&state=.*/, with: ""),
                path.replacing(/callback\/\d+/, with: "callback/7"),
            ] {
                #expect(try await ana.visit(wrong).status == 303)
            }
            #expect(try await ana.visit("/settings/connected/callback/x").status == 404)
            #expect(try await !isConnected())
            #expect(!server.calls.contains { $0.path == "/oauth/token" })
            // Another issuer: the attempt is used up.
            #expect(try await ana.visit(path + "&iss=https%3A%2F%2Fevil.example").status == 303)
            #expect(try await ana.visit(path).status == 303)
            #expect(try await !isConnected())

            let late = try server.allow(try await ana.departure(to: server.url))
            ana.world.clock.advance(seconds: ConnectedAccountService.attemptLifetime)
            _ = try await ana.visit(late)
            #expect(try await !isConnected())

            let good = try server.allow(try await ana.departure(to: server.url))
            _ = try await ana.visit(good)
            #expect(try await isConnected())
            let before = server.calls.count
            _ = try await ana.visit(good)
            #expect(server.calls.count == before)
        }
    }

    @Test("A person who doesn't allow it reads that nothing was connected")
    func denied() async throws {
        try await scene { server, ana in
            let path = try server.allow(try await ana.departure(to: server.url))
            let denied = path.replacing(/code=[^&]*/, with: "error=access_denied")
            let answer = try await ana.visit(denied)
            let cookie = try #require(
                answer.headers[values: .setCookie].first { $0.contains("tintype_flash") })
            #expect(cookie.contains("error."))
            #expect(!server.calls.contains { $0.path == "/oauth/token" })
        }
    }

    @Test(
        "Less access than was asked for isn't taken, and is given back",
        arguments: [
            "read:accounts write:statuses write:media", "read", "", "profile",
        ])
    func scopes(granted: String) async throws {
        try await scene { server, ana in
            server.grants(granted)
            _ = try await ana.visit(server.allow(try await ana.departure(to: server.url)))
            #expect(try await ana.world.connections.account(of: ana.account()) == nil)
            #expect(server.tokens.isEmpty)
        }
        #expect(
            OutsideAccess.covers("read write")
                && OutsideAccess.covers("follow write read:accounts read:statuses"))
    }

    @Test("A second account isn't connected over the first")
    func second() async throws {
        try await scene { server, ana in
            let path = try server.allow(try await ana.departure(to: server.url))
            _ = try await ana.visit(path)
            let page = try await ana.submit("/settings/connected", ["server": server.url])
            #expect(page.status == 409 && page.shows("Disconnect it first"))
            #expect(server.tokens.count == 1)
        }
    }

    // MARK: Servers

    @Test(
        "The name of a server is found in what people type",
        arguments: [
            ("mastodon.social", "https://mastodon.social"), (" Mastodon.Social ", "https://mastodon.social"),
            ("https://mastodon.social/@ana", "https://mastodon.social"),
            ("@ana@mastodon.social", "https://mastodon.social"),
            ("ana@mastodon.social", "https://mastodon.social"),
            ("http://mastodon.social", "https://mastodon.social"),
            ("example.org:8443", "https://example.org:8443"),
        ])
    func names(typed: String, origin: String) {
        #expect(ServerName.origin(typed, allowsPrivate: false) == origin)
    }

    @Test(
        "What names no server isn't taken",
        arguments: [
            "", "@", "mastodon", "a b.c", "https://", "ftp://mastodon.social", "mastodon.social:0",
            "mastodon.social:99999", "exa%6dple.org", "a\\b.org", "javascript:alert(1)",
            String(repeating: "a", count: 200) + ".org", "mastodon.social\r\nX: y.z",
        ])
    func badNames(typed: String) async throws {
        #expect(ServerName.origin(typed, allowsPrivate: false) == nil)
        let ana = try await World().account("ana")
        let page = try await ana.submit("/settings/connected", ["server": typed])
        #expect(page.status == 422 && page.shows("Enter the name of a server"))
    }

    @Test(
        "Servers in private networks, the own one, and those that aren't there are refused beside the field")
    func badServers() async throws {
        try await OutsideMastodon.with { server in
            let closed = try await World().account("ana")
            for name in [
                "127.0.0.1:\(server.port)", "http://127.0.0.1:\(server.port)", "192.168.0.1", "[::1]:80",
            ] {
                let page = try await closed.submit("/settings/connected", ["server": name])
                #expect(page.status == 422, "\(name)")
            }
            #expect(server.calls.isEmpty)
            let ana = try await World.outward().account("ana")
            for name in ["http://localhost", "http://127.0.0.1:1", "nowhere.invalid"] {
                let page = try await ana.submit("/settings/connected", ["server": name])
                #expect(page.status == 422 && page.shows("id=\"server-error\""), "\(name)")
            }
        }
    }

    @Test(
        "A server that answers anything else than Mastodon does is no such server",
        arguments: [
            OutsideMastodon.Fault.answers(200, "<html>Hello</html>"), .answers(200, "{}"),
            .answers(200, "[]"),
            .answers(200, "{\"client_id\":\"a b\",\"client_secret\":\"c\"}"),
            .answers(200, "{\"client_id\":\"\",\"client_secret\":\"c\"}"), .answers(404, ""), .answers(422),
            .answers(500),
            .answers(429), .cutOff, .endless, .redirects("http://127.0.0.1:1/"), .lostAnswer,
        ])
    func nonsense(fault: OutsideMastodon.Fault) async throws {
        try await scene { server, ana in
            server.misbehave { _ in fault }
            let page = try await ana.submit("/settings/connected", ["server": server.url])
            #expect(page.status == 422 && page.shows(server.host))
            #expect(try await ana.world.number("SELECT count(*) FROM connected_servers") == 0)
        }
    }

    @Test(
        "Nonsense on the way back connects nothing and keeps no token",
        arguments: [
            OutsideMastodon.Fault.answersAfter(200, "{}"), .answersAfter(200, "{\"access_token\":\"a\\nb\"}"),
            .answersAfter(500, ""), .lostAnswer, .endless,
        ], ["/oauth/token", "/api/v1/accounts/verify_credentials"])
    func nonsenseBack(fault: OutsideMastodon.Fault, path: String) async throws {
        try await scene { server, ana in
            let back = try server.allow(try await ana.departure(to: server.url))
            server.misbehave { $0.path == path ? fault : nil }
            #expect(try await ana.visit(back).status == 303)
            #expect(try await ana.world.connections.account(of: ana.account()) == nil)
            if path != "/oauth/token" { #expect(server.tokens.isEmpty) }
        }
    }

    @Test("A server that never answers is given up, on the way there and on the way back")
    func silence() async throws {
        try await OutsideMastodon.with { server in
            let world = try await World.outward(pace: OutgoingPace(connect: 240, idle: 12))
            let ana = try await world.account("ana")
            server.misbehave { $0.path == "/api/v1/apps" ? .silence : nil }
            let page = try await ana.submit("/settings/connected", ["server": server.url])
            #expect(page.status == 422 && page.shows("\(server.host) can’t be reached."))
            server.behave()
            let back = try server.allow(try await ana.departure(to: server.url))
            server.misbehave { $0.path == "/oauth/token" ? .silence : nil }
            #expect(try await ana.visit(back).status == 303)
            #expect(try await world.connections.account(of: ana.account()) == nil)
        }
    }

    // MARK: Disconnecting

    @Test("Disconnecting is done here at once, and there as soon as that can be")
    func disconnects() async throws {
        try await scene { server, ana in
            try await ana.connect(server)
            server.misbehave { $0.path == "/oauth/revoke" ? .answers(503) : nil }
            #expect(try await ana.submit("/settings/connected/disconnect").status == 303)
            #expect(try await ana.world.connections.account(of: ana.account()) == nil)
            #expect(try await ana.submit("/settings/connected/disconnect").status == 404)
            try await ana.world.work()
            #expect(server.tokens.count == 1)
            server.behave()
            ana.world.clock.advance(seconds: 10)
            try await ana.world.work()
            #expect(server.tokens.isEmpty)
            try await ana.connect(server)
        }
    }

    @Test("A token is given back also when its registration was forgotten or replaced meanwhile")
    func forgottenFirst() async throws {
        for change in [
            "DELETE FROM connected_servers",
            "UPDATE connected_servers SET client_id = 'another', sealed_secret = ''",
        ] {
            try await scene { server, ana in
                try await ana.connect(server)
                server.misbehave { $0.path == "/oauth/revoke" ? .answers(503) : nil }
                #expect(try await ana.submit("/settings/connected/disconnect").status == 303)
                try await ana.world.work()
                #expect(server.tokens.count == 1)
                try await ana.world.tintype.database.write { try $0.execute(change) }
                server.behave()
                ana.world.clock.advance(seconds: 10)
                try await ana.world.work()
                #expect(server.tokens.isEmpty)
            }
        }
    }

    @Test("A server that never takes a token back is left alone after half an hour")
    func stubborn() async throws {
        try await scene { server, ana in
            try await ana.connect(server)
            server.misbehave { $0.path == "/oauth/revoke" ? .answers(500) : nil }
            _ = try await ana.submit("/settings/connected/disconnect")
            for _ in 0..<40 {
                try await ana.world.work()
                ana.world.clock.advance(hours: 1)
            }
            #expect(server.calls.filter { $0.path == "/oauth/revoke" }.count == 12)
            #expect(
                try await ana.world.number("SELECT count(*) FROM jobs WHERE kind = 'revoke-connection'") == 0)
        }
    }

    // MARK: The key

    @Test("The key is made once; one that others can read, or that isn't one, is refused")
    func key() async throws {
        let folder = NSTemporaryDirectory() + "tintype-test-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = "\(folder)/\(SecretsKey.fileName)"
        let keys = try await withThrowingTaskGroup(of: SecretsKey.self) { group in
            for _ in 0..<8 { group.addTask { try SecretsKey.load(in: folder) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let sealed = try keys[0].seal("secret", as: .token(ID(rawValue: 5)))
        for key in keys { #expect(key.unseal(sealed, as: .token(ID(rawValue: 5))) == "secret") }
        #expect(keys[0].unseal(sealed, as: .token(ID(rawValue: 6))) == nil)
        #expect(keys[0].unseal(sealed, as: .clientSecret(ID(rawValue: 5))) == nil)
        #expect(try keys[0].seal("secret", as: .token(ID(rawValue: 5))) != sealed)
        for text in ["", "AAAA", "not base64", String(sealed.base64.dropLast(4))] {
            #expect(keys[0].unseal(SealedText(base64: text), as: .token(ID(rawValue: 5))) == nil)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [SecretsKey.fileName])
        chmod(path, 0o644)
        #expect(throws: Refusal.self) { try SecretsKey.load(in: folder) }
        try "short\n".write(toFile: path, atomically: false, encoding: .utf8)
        chmod(path, 0o600)
        #expect(throws: Refusal.self) { try SecretsKey.load(in: folder) }
        try FileManager.default.removeItem(atPath: path)
        let other = try SecretsKey.load(in: folder)
        #expect(other.unseal(sealed, as: .token(ID(rawValue: 5))) == nil)
    }

    @Test("A backup has no secret and publishes nothing after a restore; the account is connected again")
    func backup() async throws {
        try await OutsideMastodon.with { server in
            let world = try await World.outward()
            let ana = try await world.account("ana")
            try await ana.connect(server)
            server.misbehave { $0.uploads ? .answers(503) : nil }
            let id = try await ana.crossPost()
            try await world.work()
            let file = NSTemporaryDirectory() + "tintype-test-" + UUID().uuidString
            let folder = file + "-restored"
            defer { for path in [file, folder] { try? FileManager.default.removeItem(atPath: path) } }
            let summary = try await world.tintype.backUp(to: file)
            // The photo of the library, and not the copy.
            #expect(summary.files == 7)
            server.behave()
            #expect(try await world.end(id).isPublished)
            var configuration = world.tintype.configuration
            configuration.data = folder
            // Neither does the operator bring the key that a backup from PostgreSQL has sealed.
            configuration.secretsKeyFile = nil
            _ = try await TintypeApplication.restore(from: file, configuration)
            let restored = try await World.outward(folder: folder, clock: world.clock)
            let again = Person(world: restored, id: ana.id, username: "ana", token: ana.token)
            #expect(try await restored.state(id) == .uncertain)
            restored.clock.advance(hours: 1)
            try await restored.work()
            #expect(server.publishedCount == 1)
            #expect(
                try await again.visit("/settings/connected").shows("doesn’t accept Tintype’s access any more")
            )
            let path = "/settings/connected/posts/\(id)/settle"
            #expect(try await again.submit(path, ["published": "false"]).status == 303)
            #expect(try await restored.state(id) == .revoked)
            try await again.connect(server)
            #expect(try await restored.end(again.crossPost()).isPublished)
        }
    }

    @Test("A person's download names the account and what was published, and no secret")
    func download() async throws {
        try await scene { server, ana in
            try await ana.connect(server)
            try await ana.world.end(ana.crossPost("For the download"))
            let lists = try #require(ana.world.tintype.features.connectedAccounts.accountData).lists
            var text = ""
            for list in lists {
                let rows = try await ana.world.tintype.database.read {
                    try list.page(of: ana.id, after: 0, $0).rows
                }
                for row in rows { text += String(decoding: row, as: UTF8.self) }
            }
            #expect(
                text.contains("For the download") && text.contains("\"ana\"") && text.contains("published"))
            #expect(!text.contains(try #require(server.tokens.first)))
        }
    }
}
