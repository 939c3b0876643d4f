import HTTPTypes
import Testing

@testable import Core
@testable import Serving
@testable import Tintype

@Suite("Accounts that apps create")
struct SignUpByAppTests {
    private static let scopes = "read write follow push write:contracts"

    /// A server with somebody on it, and an app with a token of its own.
    private struct Scene {
        let world: World
        let ana: Person
        let app: Person

        init(_ mode: SignUpMode = .open, scope: String = scopes, signUps: Int? = nil) async throws {
            world = try await World {
                $0.signUp = mode
                if let signUps { $0.limits.signUps = signUps }
            }
            ana = try await world.account("ana")
            let registered = try await world.app(scopes: scopes)
            let token = try await world.form(
                [
                    "grant_type": "client_credentials", "client_id": registered.id,
                    "client_secret": registered.secret, "scope": scope,
                ], to: "/oauth/token")
            app = Person(
                world: world, id: ana.id, username: "", token: token["access_token"].string,
                kind: .app)
        }

        func signUp(_ changes: [String: JSON] = [:], as person: Person? = nil) async throws -> Answer {
            let usual: [String: JSON] = [
                "username": "bea", "email": "bea@example.org", "password": "correct horse", "agreement": true,
                "locale": "en",
            ]
            return try await (person ?? app).post(
                "/api/v1/accounts", json: .object(usual.merging(changes) { $1 }))
        }
    }

    @Test("An app creates an account where anyone may sign up, and is logged in to it at once")
    func signUp() async throws {
        let scene = try await Scene()
        #expect(try await scene.world.stranger.get("/api/v1/instance")["registrations"] == true)
        let made = try await scene.signUp()
        #expect(made.status == 200 && made["token_type"] == "Bearer")
        #expect(made.headers[.cacheControl] == "no-store")
        #expect(made["scope"] == "read write follow push", "contracts are agreed to on a page only")
        let bea = Person(
            world: scene.world, id: scene.ana.id, username: "bea",
            token: made["access_token"].string, kind: .app)
        let account = try await bea.get("/api/v1/accounts/verify_credentials")
        #expect(account["username"] == "bea" && account["display_name"] == "bea")
        #expect(account["role"]["name"] == "")
        // The app is among hers, and she can log in by herself.
        let logIn = try await scene.world.form(
            ["username": "bea", "password": "correct horse"], to: "/login")
        #expect(logIn.status == 303)
        let download = try await bea.get("/api/v1/apps/verify_credentials")
        #expect(download["name"] == "Ice Cubes")
    }

    @Test("What is wrong with a form is said by its field")
    func problems() async throws {
        let scene = try await Scene()
        let wrong: [(String, JSON, String)] = [
            ("username", "ana", "ERR_TAKEN"), ("username", "a b", "ERR_INVALID"),
            ("password", "short", "ERR_TOO_SHORT"), ("agreement", false, "ERR_ACCEPTED"),
        ]
        for (field, value, code) in wrong {
            let answer = try await scene.signUp([field: value])
            #expect(
                answer.status == 422 && answer["details"][field][0]["error"].string == code, "\(answer.text)")
        }
    }

    @Test("With invitations an app needs a code, and a closed server refuses it; neither offers it")
    func modes() async throws {
        for mode in [SignUpMode.invitation, .closed] {
            let scene = try await Scene(mode)
            #expect(try await scene.world.stranger.get("/api/v1/instance")["registrations"] == false)
            let enabled = try await scene.world.stranger.get("/api/v2/instance")["registrations"]["enabled"]
            #expect(enabled == false)
            #expect(try await scene.signUp().status == 422)
            #expect(try await scene.signUp(["invitation_code": "ABCD-EFGH"]).status == 422)
        }
        let scene = try await Scene(.invitation)
        let code = try await scene.world.tintype.invitations.invite(by: nil)
        #expect(try await scene.signUp(["invitation_code": .text(code)]).status == 200)
        #expect(try await scene.signUp(["invitation_code": .text(code), "username": "cleo"]).status == 422)
    }

    @Test("Only the app itself creates accounts, with its permission, and as many as the sign-up page")
    func limits() async throws {
        let scene = try await Scene()
        #expect(try await scene.signUp(as: scene.world.stranger).status == 401)
        #expect(try await scene.signUp(as: scene.ana).status == 409)
        #expect(try await Scene(scope: "read").signUp().status == 403)
        let limited = try await Scene(scope: "write:accounts", signUps: 2)
        for _ in 1...2 { #expect(try await limited.signUp(["password": "short"]).status == 422) }
        let refused = try await limited.signUp(["password": "short"])
        #expect(refused.status == 429 && refused.headers[.retryAfter] != nil)
        let page = try await limited.world.form(
            ["username": "dora", "password": "correct horse"], to: "/signup")
        #expect(page.status == 429)
    }

    @Test("An app asks who is logged in as OpenID Connect has it")
    func person() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let app = try await world.app()
        let hers = try await app.logIn(ana, scope: "read:accounts")
        let metadata = try await world.stranger.get("/.well-known/oauth-authorization-server")
        let address = try #require(metadata["userinfo_endpoint"].string)
        #expect(address.hasSuffix("/oauth/userinfo"))
        for answer in [try await hers.get("/oauth/userinfo"), try await hers.post("/oauth/userinfo")] {
            #expect(answer["sub"].string == "\(ana.id)" && answer["iss"] == metadata["issuer"])
            #expect(answer["preferred_username"] == "ana" && answer["name"] == "Ana")
            let picture = try #require(answer["picture"].string)
            #expect(picture.hasSuffix("/initials/\(ana.id).svg"))
        }
        #expect(try await app.logIn(ana, scope: "read:statuses").get("/oauth/userinfo").status == 403)
        #expect(try await world.stranger.get("/oauth/userinfo").status == 401)
    }
}
