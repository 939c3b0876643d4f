import Foundation
import HTTPTypes
import NIOCore
import Testing

@testable import Core
@testable import Serving

@Suite("Logging in safely")
struct LogInSecurityTests {
    @Test(
        "The page after the log-in is one of ours, however it is written",
        arguments: [
            ("/users?q=a%20b", "/users?q=a%20b"), ("//evil.example", "/home"), ("/\\evil.example", "/home"),
            ("/\t/evil.example", "/home"), ("/\n/evil.example", "/home"), ("https://evil.example", "/home"),
            ("/\u{0}/evil.example", "/home"), ("", "/home"), ("javascript:alert(1)", "/home"),
            ("/é", "/home"),
        ])
    func next(wish: String, target: String) async throws {
        let world = try await World()
        _ = try await world.account("ana")
        let answer = try await world.stranger.submit(
            "/login", ["username": "ana", "password": "correct horse", "next": wish])
        #expect(answer.status == 303)
        #expect(answer.headers[.location] == target)
    }

    @Test(
        "A form leads back to the page it stood on, never to another site and never to itself",
        arguments: [
            ("http://localhost/users?q=be", "/users?q=be"), ("http://evil.example/users", "/users"),
            ("http://localhost//evil.example/", "/users"), ("not a url", "/users"),
        ])
    func back(referrer: String, target: String) async throws {
        let world = try await World()
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        var headers: HTTPFields = [.referer: referrer, .origin: "http://localhost"]
        headers[.cookie] = "\(Session.cookieName(isSecure: false))=\(ana.token ?? "")"
        let answer = try await world.send(.post, "/accounts/\(ben.id)/follow", headers: headers)
        #expect(answer.headers[.location] == target)
        headers[.referer] = "http://localhost/accounts/\(ben.id)/follow"
        let circle = try await world.send(.post, "/accounts/\(ben.id)/follow", headers: headers)
        #expect(circle.headers[.location] == "/users")
    }

    @Test("A cookie’s value is no bearer token, and a bearer token no cookie")
    func kinds() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let app = try await world.app()
        let me = "/api/v1/accounts/verify_credentials"
        for person in [ana, try await ana.logIn(.token), try await app.logIn(ana)] {
            // In the right place first, so that memory knows it.
            #expect(try await person.get(me).status == 200)
            var stranger = person
            stranger.kind = person.kind == .browser ? .token : .browser
            #expect(try await stranger.get(me).status == 401, "\(person.kind)")
            #expect(try await person.get(me).status == 200)
            let token = try #require(person.token)
            if person.kind == .browser {
                #expect(
                    try await world.stranger.get("/api/v1/streaming/user?access_token=\(token)").status == 401
                )
                // Nor can an app end it, or learn whose it is.
                #expect(try await app.revoke(token).status == 200)
                #expect(try await person.get(me).status == 200)
            } else {
                #expect(try await person.visit("/home").headers[.location] == "/login")
            }
        }
    }

    @Test("Each log-in has a new token, whatever cookie came with it, and ends the one before")
    func fixation() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let planted = try await world.send(
            .post, "/login",
            headers: [
                .cookie: "tintype_session=planted", .fetchSite: "same-origin",
                .contentType: "application/x-www-form-urlencoded",
            ], body: .init(string: "username=ana&password=correct+horse"))
        let first = try #require(planted.headers[.setCookie]?.split(separator: ";").first)
        #expect(!first.contains("planted"))
        let second = try await ana.submit("/login", ["username": "ana", "password": "correct horse"])
        #expect(second.status == 303)
        #expect(try await ana.visit("/home").headers[.location] == "/login")
    }

    @Test("Over HTTPS the cookie is bound to this host and sent over HTTPS only")
    func cookie() async throws {
        let world = try await World { $0.publicURL = "https://photos.example.org" }
        _ = try await world.account("ana")
        let answer = try await world.stranger.submit(
            "/login", ["username": "ana", "password": "correct horse"])
        let cookie = try #require(answer.headers[values: .setCookie].first { $0.contains("session") })
        #expect(cookie.hasPrefix("__Host-tintype_session="))
        for flag in ["Secure", "HttpOnly", "SameSite=Lax", "Path=/"] { #expect(cookie.contains(flag)) }
        #expect(!cookie.contains("Domain"))
    }

    @Test(
        "A write under a cookie is done only for a page of ours",
        arguments: [
            ("http://localhost", nil, "localhost", 200), ("http://evil.example", nil, "localhost", 403),
            ("null", nil, "localhost", 403), (nil, nil, "localhost", 403),
            (nil, "same-origin", "localhost", 200),
            (nil, "same-site", "localhost", 403), ("http://localhost", "cross-site", "localhost", 403),
        ] as [(String?, String?, String, Int)])
    func origin(origin: String?, site: String?, host: String, status: Int) async throws {
        let world = try await World()
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        var headers: HTTPFields = [.cookie: "\(Session.cookieName(isSecure: false))=\(ana.token ?? "")"]
        headers[.origin] = origin
        headers[.fetchSite] = site
        let answer = try await world.send(.post, "/api/v1/accounts/\(ben.id)/follow", headers: headers)
        #expect(answer.status == status)
    }

    @Test("A server that is public over HTTPS takes no write from a page that came over plain HTTP")
    func plainOrigin() async throws {
        let world = try await World { $0.publicURL = "https://photos.example.org" }
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        for (origin, status) in [("http://photos.example.org", 403), ("https://photos.example.org", 200)] {
            let headers: HTTPFields = [
                .cookie: "\(Session.cookieName(isSecure: true))=\(ana.token ?? "")", .origin: origin,
            ]
            #expect(
                try await world.send(.post, "/api/v1/accounts/\(ben.id)/follow", headers: headers).status
                    == status)
        }
    }

    @Test("A wrong name and a wrong password are answered in the same words")
    func enumeration() async throws {
        let world = try await World()
        _ = try await world.account("ana")
        let name = try await world.stranger.submit("/login", ["username": "eve", "password": "guess"])
        let password = try await world.stranger.submit("/login", ["username": "ana", "password": "guess"])
        #expect(name.status == 401 && password.status == 401)
        #expect(name.text.replacingOccurrences(of: "eve", with: "ana") == password.text)
    }
}
