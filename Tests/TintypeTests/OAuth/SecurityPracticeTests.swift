import Foundation
import HTTPTypes
import NIOCore
import Storage
import Testing

@testable import Core
@testable import People
@testable import Serving
@testable import Tintype

/// RFC 9700, “Best Current Practice for OAuth 2.0 Security”, point by point, as far as an authorization server and the
/// interface behind it can meet it. Each test names the section.
///
/// Tintype departs from it for the sake of the apps that exist (Documentation/Interface.md, "What apps need"), and only
/// here:
/// - 2.1.1: an app that sends no `code_challenge` is let in without PKCE. Every such app has a secret.
/// - 2.2.1 and 4.10: tokens are bearer tokens, since no app of this kind proves possession of a key. They can be revoked,
///   end with the account's password, and are short of everything that isn't in the interface.
/// - 2.3: apps ask for `read write follow push`, and get what the person agrees to; finer permissions are there for those
///   that ask for them.
/// - 4.3.2: the calls of `/api/v1/streaming` take a token from the address too, since a WebSocket's client often can't send
///   the header. No other call does.
/// - 2.5: apps prove who they are by a secret, and not by a key. An app on a phone can't keep one: hence the consent page
///   at each log-in, also of an app that was let in before.
@Suite("RFC 9700, security of OAuth 2")
struct SecurityPracticeTests {
    /// A person, and an app at a web address.
    private func scene() async throws -> (world: World, ana: Person, app: TestApp) {
        let world = try await World()
        let ana = try await world.account("ana")
        return (world, ana, try await world.app("https://app.example/cb", name: "App"))
    }

    @Test("2.1, 4.1: redirect addresses are compared as strings, and nobody is sent to another")
    func exactAddresses() async throws {
        let (_, ana, app) = try await scene()
        let wrong = ["redirect_uri": "https://app.example/cb/x"]
        #expect(try await ana.visit(app.address(wrong)).headers[.location] == nil)
        let decided = try await app.decide(ana, "allow", wrong)
        #expect(decided.status == 422 && decided.headers[.location] == nil)
        // The token call compares once more.
        let code = try await app.code(of: ana)
        let answer = try await app.exchange(code, ["redirect_uri": "https://app.example/cb/x"])
        #expect(answer.status == 400 && answer["error"] == "invalid_grant")
        let missing = try await app.exchange(try await app.code(of: ana), ["redirect_uri": nil])
        #expect(missing.status == 400 && missing["error"] == "invalid_request")
    }

    @Test("2.1.1, 4.5: PKCE is supported, and enforced wherever a challenge was sent")
    func proof() async throws {
        let (world, ana, app) = try await scene()
        let proof = Proof()
        #expect(
            try await app.exchange(app.code(of: ana, proof.asked), ["code_verifier": proof.verifier]).status
                == 200)
        for verifier in [
            nil, "", "short", proof.challenge,
            Proof("another-secret-of-the-same-length-0123456789-ab").verifier,
        ]
            as [String?]
        {
            let answer = try await app.exchange(app.code(of: ana, proof.asked), ["code_verifier": verifier])
            #expect(answer.status == 400 && answer["error"] == "invalid_grant", "\(verifier ?? "none")")
        }
        // Guessing isn't possible: the first attempt uses the code up.
        let code = try await app.code(of: ana, proof.asked)
        _ = try await app.exchange(code, ["code_verifier": "wrong"])
        #expect(try await app.exchange(code, ["code_verifier": proof.verifier]).status == 400)
        let methods = try await world.stranger.get("/.well-known/oauth-authorization-server")[
            "code_challenge_methods_supported"]
        #expect(methods == ["S256"])
    }

    @Test("2.1.1, 4.8: a code that was asked for without a challenge can't be used with a verifier")
    func downgrade() async throws {
        let (_, ana, app) = try await scene()
        let answer = try await app.exchange(app.code(of: ana), ["code_verifier": Proof().verifier])
        #expect(answer.status == 400 && answer["error"] == "invalid_grant")
        // `plain` would show the secret to anyone who sees the request.
        let plain = ["code_challenge": Proof().verifier, "code_challenge_method": "plain"]
        #expect(try await app.decide(ana, "allow", plain).status == 400)
    }

    @Test("2.1.2, 4.6: no tokens in addresses: there is no implicit grant")
    func implicit() async throws {
        let (_, ana, app) = try await scene()
        for type in ["token", "id_token", "code token"] {
            let answer = try await app.decide(ana, "allow", ["response_type": type])
            #expect(answer.status == 400 && answer.headers[.location] == nil)
        }
    }

    @Test("2.2.2, 4.14: there are no refresh tokens that could leak")
    func refresh() async throws {
        let (_, ana, app) = try await scene()
        #expect(try await app.exchange(app.code(of: ana))["refresh_token"] == .null)
        let answer = try await app.exchange("x", ["grant_type": "refresh_token", "refresh_token": "x"])
        #expect(answer.status == 400 && answer["error"] == "unsupported_grant_type")
    }

    @Test("2.3: a token is good for the permissions that the person saw, whatever the app asks for later")
    func privileges() async throws {
        let (_, ana, app) = try await scene()
        let code = try await app.code(of: ana, ["scope": "read:statuses"])
        let answer = try await app.exchange(code, ["scope": "read write follow push"])
        #expect(answer["scope"] == "read:statuses")
        let hers = Person(
            world: app.world, id: ana.id, username: "ana", token: answer["access_token"].string, kind: .app)
        #expect(try await hers.get("/api/v1/timelines/home").status == 200)
        #expect(try await hers.post("/api/v1/statuses", json: ["status": "x"]).status == 403)
        #expect(try await hers.get("/api/v1/notifications").status == 403)
    }

    @Test("2.4: apps can't take a person's password")
    func password() async throws {
        let (_, _, app) = try await scene()
        let answer = try await app.exchange(
            "", ["grant_type": "password", "username": "ana", "password": "correct horse"])
        #expect(answer.status == 400 && answer["error"] == "unsupported_grant_type")
    }

    @Test("2.5: an app proves who it is at each call, and a code is good for its own app only")
    func clients() async throws {
        let (world, ana, app) = try await scene()
        let other = try await world.app("https://app.example/cb", name: "Other")
        let code = try await app.code(of: ana)
        for (changes, error) in [
            (["client_secret": "wrong"], "invalid_client"), (["client_secret": nil], "invalid_client"),
            (["client_id": "unknown"], "invalid_client"), (["client_secret": other.secret], "invalid_client"),
        ] as [([String: String?], String)] {
            let answer = try await app.exchange(code, changes)
            #expect(answer.status == 401 && answer["error"] == .text(error))
            #expect(answer["error_description"].string?.isEmpty == false)
            #expect(answer.headers[.wwwAuthenticate] == "Basic realm=\"Tintype\"")
        }
        #expect(try await other.exchange(code)["error"] == "invalid_grant")
        // None of them has used it up.
        #expect(try await app.exchange(code).status == 200)
    }

    @Test("2.6: addresses without encryption are for programs on the device itself")
    func encryption() {
        #expect(RedirectAddress("http://app.example/cb") == nil)
        #expect(RedirectAddress("http://127.0.0.1:8080/cb") != nil)
    }

    @Test("2.6: the app doesn't choose its identifier, and no other site's script may ask for consent")
    func identifiers() async throws {
        let (world, ana, app) = try await scene()
        let answer = try await world.stranger.post(
            "/api/v1/apps",
            json: ["client_name": "App", "redirect_uris": "a://x", "client_id": .text(app.id), "id": "1"])
        #expect(answer["client_id"].string != app.id && answer["id"] != "1")
        let page = try await ana.send(.get, app.address(), headers: [.origin: "https://evil.example"])
        #expect(page.headers[HTTPField.Name("Access-Control-Allow-Origin")!] == nil)
    }

    @Test("4.2: neither the consent page nor the code's page sends its address to another site")
    func referrers() async throws {
        let (world, ana, app) = try await scene()
        let shown = try await world.app(RedirectAddress.outOfBand)
        for page in [
            try await ana.visit(app.address(["state": "secret"])), try await shown.decide(ana),
        ] {
            #expect(page.status == 200)
            #expect(page.headers[.referrerPolicy] == "same-origin")
            #expect(page.headers[.cacheControl] == "no-store")
            #expect(!page.text.contains(/(?:src|href)="https?:/))
        }
    }

    @Test("4.3: tokens and secrets aren't taken from addresses")
    func history() async throws {
        let (world, ana, app) = try await scene()
        let hers = try await app.logIn(ana)
        let token = try #require(hers.token)
        #expect(try await world.stranger.get("/api/v1/timelines/home?access_token=\(token)").status == 401)
        let query = "grant_type=client_credentials&client_id=\(app.id)&client_secret=\(app.secret)"
        let answer = try await world.stranger.post("/oauth/token?\(query)")
        #expect(answer.status == 400 && answer["error"] == "invalid_request")
    }

    @Test("4.3, 4.5: a code works once, within ten minutes, and its second use ends what the first gave")
    func codes() async throws {
        let (world, ana, app) = try await scene()
        let code = try await app.code(of: ana)
        #expect(try await world.number("SELECT count(*) FROM oauth_codes WHERE code_hash = '\(code)'") == 0)
        world.clock.advance(seconds: 599)
        let first = try await app.exchange(code)
        #expect(first.status == 200)
        let token = try #require(first["access_token"].string)
        let hash = Session.hash(ofToken: token)
        #expect(try await world.number("SELECT count(*) FROM sessions WHERE token_hash = '\(token)'") == 0)
        #expect(try await world.number("SELECT count(*) FROM sessions WHERE token_hash = '\(hash)'") == 1)
        let hers = Person(world: world, id: ana.id, username: "ana", token: token, kind: .app)
        #expect(try await hers.get("/api/v1/timelines/home").status == 200)
        let second = try await app.exchange(code)
        #expect(second.status == 400 && second["error"] == "invalid_grant")
        #expect(try await hers.get("/api/v1/timelines/home").status == 401)
        let late = try await app.code(of: ana)
        world.clock.advance(seconds: 600)
        #expect(try await app.exchange(late)["error"] == "invalid_grant")
        // Codes are forgotten after a while.
        world.clock.advance(hours: 25)
        try await world.work()
        #expect(try await world.number("SELECT count(*) FROM oauth_codes") == 0)
    }

    @Test("4.5: of two uses of a code at the same moment none leaves a token behind")
    func race() async throws {
        let (world, ana, app) = try await scene()
        let code = try await app.code(of: ana)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 1...4 { group.addTask { try await app.exchange(code).status } }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses.sorted() == [200, 400, 400, 400])
        #expect(try await world.number("SELECT count(*) FROM sessions WHERE kind = 'app'") == 0)
    }

    @Test("A client that takes the rest of its address for the code gets its token")
    func naiveCode() async throws {
        let (_, ana, app) = try await scene()
        let location = try #require(try await app.decide(ana, "allow", ["state": "a b"]).headers[.location])
        let rest = try #require(location.split(separator: "?code=", maxSplits: 1).last.map(String.init))
        #expect(rest.contains("&state=") && rest.contains("&iss="))
        #expect(try await app.exchange(rest).status == 200)
    }

    @Test("4.4: each answer to an app names the server, so that two servers can't be mixed up")
    func mixUp() async throws {
        let (world, ana, app) = try await scene()
        #expect(try await app.decide(ana).redirected["iss"] == "http://localhost")
        #expect(try await app.decide(ana, "deny").redirected["iss"] == "http://localhost")
        let metadata = try await world.stranger.get("/.well-known/oauth-authorization-server")
        #expect(metadata["issuer"] == "http://localhost")
        #expect(metadata["authorization_response_iss_parameter_supported"] == true)
    }

    @Test("4.7: another site can't press the button")
    func forgery() async throws {
        let (world, ana, app) = try await scene()
        let body = app.request().map { "\($0)=\($1.queryEncoded)" }.joined(separator: "&") + "&decision=allow"
        for site in ["cross-site", "same-site"] {
            let answer = try await world.send(
                .post, "/oauth/authorize",
                headers: [
                    .fetchSite: site, .contentType: "application/x-www-form-urlencoded",
                    .cookie: "\(Session.cookieName(isSecure: false))=\(ana.token ?? "")",
                ], body: .init(string: body))
            #expect(answer.status == 403)
        }
        #expect(try await world.number("SELECT count(*) FROM oauth_codes") == 0)
        // Nor does opening the page do anything, also of an app that was let in before.
        _ = try await app.logIn(ana)
        let page = try await ana.visit(app.address())
        #expect(page.status == 200 && page.shows("App asks for access to your account."))
    }

    @Test("4.9: who reads the database finds no token, code or secret that could be used")
    func copies() async throws {
        let (world, ana, app) = try await scene()
        let token = try #require(try await app.logIn(ana).token)
        let code = try await app.code(of: ana)
        let own = try await world.form(
            ["grant_type": "client_credentials", "client_id": app.id, "client_secret": app.secret],
            to: "/oauth/token")
        let file = world.folder + "/copy.sqlite"
        try await world.tintype.database.backup(to: file)
        let bytes = try Data(contentsOf: URL(filePath: file))
        for secret in [token, code, try #require(own["access_token"].string), app.secret] {
            #expect(bytes.range(of: Data(secret.utf8)) == nil)
        }
        #expect(bytes.range(of: Data(app.id.utf8)) != nil)
    }

    @Test("4.10: a token ends with its log-in, and is known only by its hash")
    func stolen() async throws {
        let (world, ana, app) = try await scene()
        let hers = try await app.logIn(ana)
        #expect(try await ana.submit("/settings/devices/end").status == 303)
        #expect(try await hers.get("/api/v1/timelines/home").status == 401)
        #expect(try await world.number("SELECT count(*) FROM oauth_grants") == 0)
    }

    @Test("4.10: a code ends with the password, and with all other log-ins, also in the log-in that stays")
    func waitingCode() async throws {
        let (_, ana, app) = try await scene()
        let ending: [(String, KeyValuePairs<String, String>)] = [
            ("/settings/devices/end", [:]),
            (
                "/settings/password",
                ["current_password": "correct horse", "new_password": "battery staple"]
            ),
        ]
        for (path, form) in ending {
            let code = try await app.code(of: ana)
            #expect(try await ana.submit(path, form).status == 303)
            #expect(try await app.exchange(code)["error"] == "invalid_grant", "\(path)")
            #expect(try await ana.visit("/home").status == 200)
        }
    }

    @Test("4.11: the server sends nobody anywhere before the person has decided")
    func openRedirector() async throws {
        let (world, ana, app) = try await scene()
        for changes in [["scope": "nonsense"], ["response_type": "nonsense"], [:]] {
            let strangers = try await world.stranger.visit(app.address(changes))
            #expect(strangers.headers[.location]?.hasPrefix("/login?next=") == true)
            #expect(try await ana.visit(app.address(changes)).headers[.location] == nil)
        }
    }

    @Test("4.12: the way back is a 303, which never carries this server's form along")
    func status() async throws {
        let (_, ana, app) = try await scene()
        #expect(try await app.decide(ana).status == 303)
    }

    @Test("4.13: only listed proxies say who asks, and no header changes the server's addresses")
    func proxies() async throws {
        for (proxies, second) in [([], 429), (["unknown"], 200)] as [([String], Int)] {
            let world = try await World {
                $0.limits.appRegistrations = 1
                // What a request that came over no socket has for an address.
                $0.trustedProxies = proxies
            }
            var statuses: [Int] = []
            for address in ["192.0.2.1", "198.51.100.1"] {
                let headers: HTTPFields = [
                    .forwardedFor: address, HTTPField.Name("X-Forwarded-Host")!: "evil.example",
                    HTTPField.Name("X-Forwarded-Proto")!: "https",
                ]
                let answer = try await world.form(
                    ["client_name": "App", "redirect_uris": "a://x"], to: "/api/v1/apps", headers: headers)
                statuses.append(answer.status)
                let metadata = try await world.stranger.get(
                    "/.well-known/oauth-authorization-server", headers: headers)
                #expect(metadata["issuer"] == "http://localhost")
                #expect(metadata["token_endpoint"] == "http://localhost/oauth/token")
            }
            #expect(statuses == [200, second], "\(proxies)")
        }
    }

    @Test("4.15: an app's own token can't pass for a person's")
    func impersonation() async throws {
        let (world, ana, app) = try await scene()
        let answer = try await world.form(
            ["grant_type": "client_credentials", "client_id": app.id, "client_secret": app.secret],
            to: "/oauth/token")
        let alone = Person(world: world, id: ana.id, username: "ana", token: answer["access_token"].string)
        for path in ["accounts/verify_credentials", "timelines/home", "notifications", "streaming/user"] {
            #expect(try await alone.get("/api/v1/\(path)").status == 401, "\(path)")
        }
        let beyond = try await world.form(
            [
                "grant_type": "client_credentials", "client_id": app.id, "client_secret": app.secret,
                "scope": "read write:contracts",
            ], to: "/oauth/token")
        #expect(beyond.status == 400 && beyond["error"] == "invalid_scope")
    }

    @Test(
        "4.16: the consent page is shown in no other site's frame, and lets an app's page send people on to others"
    )
    func clickjacking() async throws {
        let (world, ana, app) = try await scene()
        let phone = try await world.app("icecubesapp://")
        let shown = try await world.app(RedirectAddress.outOfBand)
        for app in [app, phone, shown] {
            let policy = try #require(try await ana.visit(app.address()).headers[.contentSecurityPolicy])
            #expect(policy.contains("frame-ancestors 'none'"))
            // Browsers would hold the redirects of the app's own page to it.
            #expect(!policy.contains("form-action"))
            #expect(policy.contains("default-src 'none'; script-src 'self';"))
        }
        let home = try #require(try await ana.visit("/home").headers[.contentSecurityPolicy])
        #expect(home.contains("form-action 'self';"))
    }

    @Test("4.17: no page hands a code to another window, whatever the app asks for")
    func windows() async throws {
        let (world, ana, app) = try await scene()
        let shown = try await world.app(RedirectAddress.outOfBand)
        let asked: [String: String?] = [
            "response_mode": "web_message", "display": "popup", "web_message_uri": "https://evil.example",
        ]
        for page in [try await ana.visit(app.address(asked)), try await shown.decide(ana, "allow", asked)] {
            #expect(page.status == 200)
            // The window that opened the page has no way to it.
            #expect(page.headers[.crossOriginOpener] == "same-origin")
        }
        let decided = try await app.decide(ana, "allow", asked)
        #expect(decided.status == 303 && decided.headers[.location]?.hasPrefix(app.redirect + "?") == true)
        let modes = try await world.stranger.get("/.well-known/oauth-authorization-server")[
            "response_modes_supported"]
        #expect(modes == ["query"])
        // Messages go to workers of this server alone, never to another window.
        let scripts = try Resources.folder("public/js")
        let files = FileManager.default.enumerator(at: scripts, includingPropertiesForKeys: nil)
        for case let file as URL in files ?? .init() where file.pathExtension == "js" {
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(!text.contains(/\b(window|self)\.(opener|parent)\b/), "\(file)")
        }
    }
}
