import Crypto
import Foundation
import HTTPTypes
import NIOCore
import Testing

@testable import Core
@testable import Serving

/// An app that has registered.
struct TestApp: Sendable {
    let world: World
    let id: String
    let secret: String
    var redirect = "icecubesapp://"

    /// What the app asks for in a browser, with values put in place of the usual ones; nil leaves one out.
    func request(_ changes: [String: String?] = [:]) -> [String: String] {
        let usual: [String: String?] = [
            "client_id": id, "redirect_uri": redirect, "response_type": "code",
            "scope": "read write follow push",
        ]
        return usual.merging(changes) { $1 }.compactMapValues { $0 }
    }

    /// The address that the app opens.
    func address(_ changes: [String: String?] = [:]) -> String {
        "/oauth/authorize?" + request(changes).map { "\($0)=\($1.queryEncoded)" }.joined(separator: "&")
    }

    /// Lets a person press a button of the consent page; the answer.
    func decide(
        _ person: Person, _ decision: String = "allow", _ changes: [String: String?] = [:]
    ) async throws -> Answer {
        var form = request(changes)
        form["decision"] = decision
        let fields = form.map { "\($0)=\($1.queryEncoded)" }.joined(separator: "&")
        return try await person.submit(body: fields, to: "/oauth/authorize")
    }

    /// Lets a person let the app in; the code.
    func code(of person: Person, _ changes: [String: String?] = [:]) async throws -> String {
        let answer = try await decide(person, "allow", changes)
        try #require(answer.status == 303, "\(answer.text)")
        return try #require(answer.redirected["code"])
    }

    /// Asks for a token with a code.
    func exchange(_ code: String, _ changes: [String: String?] = [:]) async throws -> Answer {
        let usual: [String: String?] = [
            "grant_type": "authorization_code", "code": code, "redirect_uri": redirect, "client_id": id,
            "client_secret": secret,
        ]
        let form = usual.merging(changes) { $1 }.compactMapValues { $0 }
        return try await world.form(form, to: "/oauth/token")
    }

    /// Logs a person in; the person as the app is.
    func logIn(_ person: Person, scope: String = "read write follow push") async throws -> Person {
        let answer = try await exchange(code(of: person, ["scope": scope]))
        let token: String = try #require(answer["access_token"].string)
        return Person(world: world, id: person.id, username: person.username, token: token, kind: .app)
    }

    /// Ends a token.
    func revoke(_ token: String) async throws -> Answer {
        try await world.form(
            ["token": token, "client_id": id, "client_secret": secret], to: "/oauth/revoke")
    }
}

extension World {
    /// Registers an app, as those of Documentation/Interface.md, "What apps need", do.
    func app(
        _ redirect: String = "icecubesapp://", name: String = "Ice Cubes",
        scopes: String = "read write follow push"
    ) async throws -> TestApp {
        let answer = try await stranger.post(
            "/api/v1/apps",
            json: ["client_name": .text(name), "redirect_uris": .text(redirect), "scopes": .text(scopes)])
        try #require(answer.status == 200, "\(answer.text)")
        return TestApp(
            world: self, id: try #require(answer["client_id"].string),
            secret: try #require(answer["client_secret"].string),
            redirect: String(redirect.split(separator: "\n")[0]))
    }

    /// Sends a form as a program does, without a login.
    func form(
        _ fields: [String: String], to path: String, headers: HTTPFields = [:]
    ) async throws -> Answer {
        var headers = headers
        headers[.contentType] = "application/x-www-form-urlencoded"
        let body = fields.map { "\($0)=\($1.queryEncoded)" }.joined(separator: "&")
        return try await send(.post, path, headers: headers, body: .init(string: body))
    }
}

extension Person {
    /// Sends the text of a form as a browser does, by cookie.
    func submit(body: String, to path: String) async throws -> Answer {
        var headers: HTTPFields = [.fetchSite: "same-origin", .accept: "text/html"]
        headers[.contentType] = "application/x-www-form-urlencoded"
        if let token { headers[.cookie] = "\(Session.cookieName(isSecure: false))=\(token)" }
        return try await world.send(.post, path, headers: headers, body: .init(string: body))
    }
}

extension Answer {
    /// The parameters of the address that the answer leads to.
    var redirected: [String: String] {
        guard let location = headers[.location], let query = location.firstIndex(of: "?") else { return [:] }
        let pairs = URLEncodedForm(location[location.index(after: query)...].utf8)
        return Dictionary(pairs.map { ($0.0, $0.1) }) { $1 }
    }
}

/// A secret and its hash, as an app with PKCE makes them.
struct Proof {
    let verifier: String
    let challenge: String

    init(_ verifier: String = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk") {
        self.verifier = verifier
        challenge = base64URL(Data(SHA256.hash(data: Data(verifier.utf8))))
    }

    /// What is added to the request.
    var asked: [String: String?] { ["code_challenge": challenge, "code_challenge_method": "S256"] }
}
