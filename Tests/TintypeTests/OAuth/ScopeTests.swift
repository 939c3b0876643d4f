import Foundation
import HTTPTypes
import Testing

@testable import Core
@testable import Tintype

@Suite("Permissions of apps")
struct ScopeTests {
    private static let topics = OAuthTopics(Features.types.flatMap { $0.topics })

    @Test("Permissions are read as apps write them, and those that don't exist are left out")
    func reading() throws {
        let scopes = try #require(Self.topics.scopes(" read  write:media\nread follow "))
        #expect(scopes.text == "read write:media follow")
        #expect(Self.topics.scopes("profile read admin:write crypto read:x push")?.text == "read push")
        for wrong in [
            "", "reed", "profile admin:read", "read:", "read:x", "write:search", "admin:read", "READ",
            "read:read:statuses",
        ] {
            #expect(Self.topics.scopes(wrong) == nil, "\(wrong)")
        }
        #expect(Self.topics.scopes(String(repeating: "read ", count: 500)) == nil)
        for scope in Self.topics.scopes {
            #expect(Self.topics.scope(scope.text) == scope)
            #expect(!scope.words.isEmpty)
        }
        #expect(Set(Self.topics.scopes).count == Self.topics.scopes.count)
    }

    @Test("A broad permission includes the finer ones, and `follow` those about people")
    func including() throws {
        func allows(_ has: String, _ asks: String) throws -> Bool {
            try #require(Self.topics.scopes(has)).allow(try #require(Self.topics.scopes(asks)))
        }
        for (has, asks) in [
            ("read", "read:statuses"), ("write", "write:media"), ("follow", "write:mutes"),
            ("follow", "read:blocks"),
            ("read write", "read write:media read:chats"), ("read:statuses", "read:statuses"),
            ("read", "read:contracts"), ("write write:contracts", "write:contracts"),
        ] { #expect(try allows(has, asks), "\(has) \(asks)") }
        for (has, asks) in [
            ("read", "write:statuses"), ("read:statuses", "read"), ("write:media", "write:statuses"),
            ("follow", "read:statuses"), ("read write", "follow"), ("read write follow", "push"),
            ("follow", "write"), ("read write follow push", "write:contracts"),
        ] { #expect(try !allows(has, asks), "\(has) \(asks)") }
    }

    @Test("Every call is closed to an app without its permission, and open with it")
    func everyCall() async throws {
        let world = try await World { $0.limits.writes = 100_000 }
        let ana = try await world.account("ana")
        let app = try await world.app(scopes: "read write write:contracts follow push")
        let operations = world.tintype.features.all.flatMap(\.operations)
        #expect(operations.count > 100)
        // One log-in for each permission, and one with all others.
        var with: [String: Person] = [:]
        var without: [String: Person] = [:]
        let fine = Self.topics.scopes.filter { scope in
            switch scope {
            case .read(let topic), .write(let topic): topic != nil
            case .push: true
            case .follow: false
            }
        }
        for text in Set(operations.compactMap(\.scope?.text)).sorted() {
            let scope = try #require(Self.topics.scope(text))
            with[text] = try await app.logIn(ana, scope: text)
            let others = OAuthScopes(fine.filter { $0 != scope })
            without[text] = try await app.logIn(ana, scope: others.text)
        }
        for operation in operations where !operation.isPublic {
            let path = operation.pathParameters.reduce(operation.path) { $0.replacing("{\($1)}", with: "1") }
            let call = "\(operation.method) \(operation.path)"
            guard let scope = operation.scope else { continue }
            let method = try #require(HTTPRequest.Method(rawValue: operation.method))
            let closed = try await #require(without[scope.text]).send(method, path)
            #expect(closed.status == 403, "\(call) answered \(closed.status) without \(scope.text)")
            #expect(
                closed.headers[.wwwAuthenticate]
                    == "Bearer realm=\"Tintype\", error=\"insufficient_scope\", scope=\"\(scope.text)\"")
            // Streams never end by themselves; that they begin is tested where apps are revoked.
            if case .events = operation.answer { continue }
            let open = try await #require(with[scope.text]).send(method, path)
            #expect(open.status != 403 && open.status != 401, "\(call) answered \(open.status)")
        }
    }

    /// Calls of Mastodon with the permissions that its documentation names for them.
    private static let documented = """
        GET /api/v1/accounts/verify_credentials read:accounts
        PATCH /api/v1/accounts/update_credentials write:accounts
        GET /api/v1/accounts/{id} read:accounts
        GET /api/v1/accounts/{id}/statuses read:statuses
        GET /api/v1/accounts/relationships read:follows
        GET /api/v1/accounts/familiar_followers read:follows
        GET /api/v1/accounts read:accounts
        GET /api/v1/directory read
        POST /api/v1/accounts/{id}/note write:accounts
        GET /api/v1/endorsements read:accounts
        GET /api/v1/accounts/{id}/endorsements read:accounts
        POST /api/v1/accounts/{id}/endorse write:accounts
        POST /api/v1/accounts/{id}/unendorse write:accounts
        POST /api/v1/accounts/{id}/pin write:accounts
        POST /api/v1/accounts/{id}/unpin write:accounts
        POST /api/v1/accounts/{id}/follow write:follows
        POST /api/v1/accounts/{id}/block write:blocks
        POST /api/v1/accounts/{id}/mute write:mutes
        POST /api/v1/accounts/{id}/unmute write:mutes
        GET /api/v1/mutes read:mutes
        GET /api/v1/lists read:lists
        POST /api/v1/lists write:lists
        GET /api/v1/lists/{id} read:lists
        PUT /api/v1/lists/{id} write:lists
        DELETE /api/v1/lists/{id} write:lists
        GET /api/v1/lists/{id}/accounts read:lists
        POST /api/v1/lists/{id}/accounts write:lists
        DELETE /api/v1/lists/{id}/accounts write:lists
        GET /api/v1/accounts/{id}/lists read:lists
        GET /api/v1/timelines/list/{id} read:lists
        GET /api/v1/filters read:filters
        POST /api/v1/filters write:filters
        DELETE /api/v1/filters/{id} write:filters
        GET /api/v2/filters read:filters
        POST /api/v2/filters write:filters
        PUT /api/v2/filters/{id} write:filters
        GET /api/v2/filters/{id}/keywords read:filters
        DELETE /api/v2/filters/keywords/{id} write:filters
        POST /api/v2/filters/{id}/statuses write:filters
        GET /api/v1/blocks read:blocks
        GET /api/v1/domain_blocks read:blocks
        GET /api/v1/follow_requests read:follows
        POST /api/v1/follow_requests/{id}/authorize write:follows
        GET /api/v1/bookmarks read:bookmarks
        GET /api/v1/favourites read:favourites
        GET /api/v1/suggestions read
        POST /api/v2/media write:media
        GET /api/v1/media/{id} write:media
        PUT /api/v1/media/{id} write:media
        POST /api/v1/statuses write:statuses
        GET /api/v1/statuses read:statuses
        GET /api/v1/statuses/{id} read:statuses
        PUT /api/v1/statuses/{id} write:statuses
        DELETE /api/v1/statuses/{id} write:statuses
        GET /api/v1/statuses/{id}/context read:statuses
        GET /api/v1/statuses/{id}/source read:statuses
        GET /api/v1/statuses/{id}/history read:statuses
        POST /api/v1/statuses/{id}/favourite write:favourites
        POST /api/v1/statuses/{id}/bookmark write:bookmarks
        POST /api/v1/statuses/{id}/mute write:mutes
        POST /api/v1/statuses/{id}/unmute write:mutes
        POST /api/v1/statuses/{id}/pin write:accounts
        POST /api/v1/statuses/{id}/unpin write:accounts
        GET /api/v1/timelines/home read:statuses
        GET /api/v1/timelines/tag/{hashtag} read:statuses
        POST /api/v1/tags/{name}/follow write:follows
        POST /api/v1/tags/{name}/unfollow write:follows
        GET /api/v1/followed_tags read:follows
        GET /api/v1/featured_tags read:accounts
        POST /api/v1/featured_tags write:accounts
        DELETE /api/v1/featured_tags/{id} write:accounts
        GET /api/v1/featured_tags/suggestions read:accounts
        POST /api/v1/conversations/{id}/read write:conversations
        GET /api/v1/notifications read:notifications
        GET /api/v2/notifications read:notifications
        POST /api/v1/notifications/clear write:notifications
        GET /api/v2/notifications/policy read:notifications
        PATCH /api/v2/notifications/policy write:notifications
        GET /api/v1/notifications/requests read:notifications
        POST /api/v1/notifications/requests/{id}/accept write:notifications
        POST /api/v1/notifications/requests/{id}/dismiss write:notifications
        GET /api/v1/markers read:statuses
        POST /api/v1/markers write:statuses
        POST /api/v1/reports write:reports
        GET /api/v2/search read:search
        """

    @Test("Calls of Mastodon need the permissions that Mastodon documents")
    func asDocumented() async throws {
        let operations = try await World().tintype.features.all.flatMap(\.operations)
        let scopes = Dictionary(operations.map { ("\($0.method) \($0.path)", $0.scope?.text) }) { first, _ in
            first
        }
        for line in Self.documented.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            #expect(scopes["\(words[0]) \(words[1])"] == words[2], "\(words[0]) \(words[1])")
        }
    }

    @Test(
        "Messages, snaps and contracts need permissions of their own, so that an app for posts can't read them"
    )
    func ownTopics() async throws {
        let posts = try #require(Self.topics.scopes("read:accounts read:statuses write:statuses write:media"))
        let closed = [
            "chats", "conversations", "between", "snap", "contracts", "once_views", "photos", "events",
            "direct/", "messages/",
        ]
        let operations = try await World().tintype.features.all.flatMap(\.operations).filter { operation in
            !operation.isPublic && closed.contains { operation.path.contains($0) }
                && !operation.path.contains("past_photos")
        }
        #expect(operations.count > 30)
        for operation in operations {
            let scope = try #require(operation.scope)
            #expect(!posts.allows(scope), "\(operation.method) \(operation.path) needs only \(scope.text)")
        }
    }

    @Test("Contracts are agreed to only by an app that asked for them by name, and the consent page says so")
    func contracts() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let broad = try await world.app()
        let hers = try await broad.logIn(ana)
        #expect(try await hers.get("/api/v1/contracts").status == 200)
        for path in ["/api/v1/contracts", "/api/v1/contracts/1/accept", "/api/v1/contracts/1/admit"] {
            #expect(try await hers.post(path).status == 403, "\(path)")
        }
        // Nor can it ask for more than it registered for.
        #expect(try await broad.decide(ana, "allow", ["scope": "write:contracts"]).redirected["code"] == nil)
        let named = try await world.app(name: "Pact", scopes: "write write:contracts")
        let page = try await ana.visit(named.address(["scope": "write write:contracts"]))
        #expect(page.shows("Make contracts and answer them, with your photos as stakes"))
        for part in [
            "links for guests", "view-once photos", "Follow people", "Block people", "Change your profile",
        ] {
            #expect(page.shows(part), "\(part)")
        }
        // What contracts are is not among what `write` includes, but among what `read` does.
        #expect(page.shows("<li>Make and change collages</li>") && !page.shows("<li>Make contracts"))
        let reading = try await ana.visit(broad.address(["scope": "read"]))
        #expect(reading.shows("See everything you can see"))
        #expect(reading.shows("<li>See your collages</li><li>See your contracts</li>"))
        let pact = try await named.logIn(ana, scope: "write:contracts")
        #expect(try await pact.post("/api/v1/contracts/1/accept").status == 404)
    }

    @Test("Outside the JSON interface an app's token is nobody's")
    func pages() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let app = try await world.app()
        let hers = try await app.logIn(ana)
        for path in ["/home", "/settings", "/settings/apps", "/settings/password", app.address()] {
            let answer = try await hers.get(path)
            #expect(answer.status == 303 && answer.headers[.location]?.hasPrefix("/login") == true, "\(path)")
        }
        let change = try await hers.post(
            "/settings/password",
            form: ["current_password": "correct horse", "new_password": "battery staple"])
        #expect(change.status == 401)
        let consent = try await hers.post(
            "/oauth/authorize",
            form: ["client_id": app.id, "redirect_uri": app.redirect, "decision": "allow"])
        #expect(consent.status == 401)
        #expect(try await hers.post("/settings/delete", form: ["password": "correct horse"]).status == 401)
        #expect(try await ana.visit("/home").status == 200)
    }

    @Test("Error pages tell an app nothing of the person, whatever its permissions")
    func errorPages() async throws {
        let world = try await World { $0.limits.reads = 3 }
        let ana = try await world.account("ana", displayName: "Ana Secret")
        let app = try await world.app()
        for scope in ["push", "read write follow push"] {
            let hers = try await app.logIn(ana, scope: scope)
            let answers = [
                try await hers.post("/settings/password", form: ["new_password": "x"]),
                try await hers.post("/nothing/here"),
            ]
            #expect(answers.map(\.status) == [401, 404])
            for page in answers {
                for part in ["Ana Secret", "@ana", "data-account=", "data-badge"] {
                    #expect(!page.shows(part), "\(part) with \(scope)")
                }
            }
        }
        let hers = try await app.logIn(ana, scope: "push")
        for _ in 1...3 { #expect(try await hers.get("/nothing/here").shows("Nothing here")) }
        let slowed = try await hers.get("/nothing/here")
        #expect(slowed.status == 429 && !slowed.shows("Ana Secret"))
        // In the person's own browser the page has its frame.
        #expect(try await ana.submit("/nothing/here").shows("Ana Secret"))
    }

    @Test("The description names the permission of each call")
    func described() async throws {
        let world = try await World()
        let description = try await world.stranger.get("/api/openapi.json").json
        let home = description["paths"]["/api/v1/timelines/home"]["get"]["security"]
        #expect(
            home[0]["oauth"] == ["read:statuses"] && home[1] == ["bearer": []] && home[2] == ["cookie": []])
        let scheme = description["components"]["securitySchemes"]["oauth"]["flows"]["authorizationCode"]
        #expect(scheme["tokenUrl"] == "http://localhost/oauth/token")
        #expect(scheme["scopes"]["write:media"] == "upload and describe photos")
    }
}
