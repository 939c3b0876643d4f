import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import Core
@testable import Tintype

@Suite("The description of the JSON interface")
struct OpenAPITests {
    /// How the paths of the interface begin; the page on which people let apps in isn't part of it.
    private static let interface = [
        "/api/", "/oauth/token", "/oauth/revoke", "/oauth/userinfo", "/.well-known/",
    ]

    @Test("Describes every route of the interface, and none that isn't there")
    func sameAsRoutes() async throws {
        let world = try await World()
        let routes = Set(
            try world.tintype.router().routes
                .filter {
                    $0.method != .head && Self.interface.contains(where: $0.path.description.hasPrefix)
                }
                .map { "\($0.method.rawValue) \($0.path.description)" })
        let described = try await world.describedCalls()
        #expect(routes.subtracting(described).sorted() == [])
        #expect(described.subtracting(routes).sorted() == [])
    }

    @Test("Says truly what needs no login")
    func logins() async throws {
        let world = try await World()
        for operation in world.tintype.features.all.flatMap(\.operations)
        where operation.method == "GET" {
            let path = operation.pathParameters.reduce(operation.path) { $0.replacing("{\($1)}", with: "1") }
            let status = try await world.stranger.get(path).status
            let isAlwaysPublic = ["custom_emojis", "v1/instance"].contains { path.contains($0) }
            #expect(
                operation.isPublic || isAlwaysPublic ? status == 200 : status == 401,
                "\(path) answered \(status)")
        }
    }

    @Test("Says which statuses the calls of snaps answer with, and which headers they read")
    func snaps() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let paths = try await ben.get("/api/openapi.json")["paths"]
        func expect(_ answer: Answer, _ status: Int, _ method: String, _ path: String) {
            #expect(answer.status == status)
            let described = paths["/api/v1/\(path)"][method]["responses"][String(status)]
            #expect(described != .null, "\(method) \(path) \(status)")
        }
        let made = try await ana.post(
            "/api/v1/snaps", json: ["sample_id": "dogs-1", "feed_id": "memes"])
        expect(made, 201, "post", "snaps")
        expect(try await ana.post("/api/v1/snaps", json: ["sample_id": "dogs-1"]), 422, "post", "snaps")
        let id = try #require(made["id"].string)
        expect(try await ben.post("/api/v1/snaps/\(id)/close"), 409, "post", "snaps/{id}/close")
        expect(try await ben.post("/api/v1/snaps/\(id)/shown"), 409, "post", "snaps/{id}/shown")
        let opened = try await ben.post("/api/v1/snaps/\(id)/open")
        expect(opened, 200, "post", "snaps/{id}/open")
        expect(try await ben.post("/api/v1/snaps/\(id)/open"), 410, "post", "snaps/{id}/open")
        let view = try opened.viewPath
        expect(try await ben.get(view), 200, "get", "snap_views/{view}")
        expect(try await ben.get(view, headers: [.range: "bytes=9-"]), 206, "get", "snap_views/{view}")
        expect(try await ben.get(view, headers: [.range: "bytes=9-8"]), 416, "get", "snap_views/{view}")
        expect(try await ben.post("/api/v1/snaps/\(id)/close"), 204, "post", "snaps/{id}/close")
        expect(try await ben.post("/api/v1/snaps/\(id)/shown"), 410, "post", "snaps/{id}/shown")
        expect(try await ben.get(view), 410, "get", "snap_views/{view}")
        expect(try await ben.get("/api/v1/snaps/\(id)/viewers"), 404, "get", "snaps/{id}/viewers")
        expect(try await ana.get("/api/v1/snaps/\(id)/viewers?max_id=x"), 422, "get", "snaps/{id}/viewers")
        expect(try await ana.delete("/api/v1/snaps/\(id)"), 200, "delete", "snaps/{id}")
        let parameters = paths["/api/v1/snap_views/{view}"]["get"]["parameters"].list
        #expect(parameters.map { $0["name"] } == ["view", "Range"])
    }

    @Test(
        "A call that changes something refuses what has another type than it describes, and changes nothing")
    func types() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let person = "/api/v1/accounts/\(ben.id)"
        let chat = try #require(
            try await ana.post("/api/v1/chats", json: ["account_id": "\(ben.id)"])["id"].string)
        #expect(try await ana.post("\(person)/note", json: ["comment": "From the club"]).status == 200)
        let wrong: [(String, JSON)] = [
            ("\(person)/note", ["comment": 5]), ("\(person)/note", ["comment": ["From the club"]]),
            ("\(person)/note", ["comment": ["words": "Gone"]]), ("\(person)/mute", ["duration": "long"]),
            ("\(person)/mute", ["notifications": "perhaps"]), ("\(person)/unfollow", ["unless_waiting": 2]),
            ("/api/v1/chats/\(chat)/messages", ["text": "Hello", "reply_to_id": "first"]),
            ("/api/v1/chats", ["account_ids": [true]]), ("/api/v1.1/direct/lookup", ["q": 5]),
            ("/api/v1/chats", ["account_ids": [.null, "\(ben.id)"]]), ("/api/v1/markers", ["home": "5"]),
            ("/api/v1/markers", ["home": ["5"]]),
        ]
        for (path, json) in wrong {
            let answer = try await ana.post(path, json: json)
            #expect(answer.status == 422 && answer["details"] != .null, "\(path) \(json)")
        }
        let kept = try await ana.get("/api/v1/accounts/relationships?id[]=\(ben.id)").json[0]
        #expect(kept["note"] == "From the club" && kept["following"] == true && kept["muting"] == false)
        #expect(try await ana.delete("/api/v1/domain_blocks").status == 200)
        // As apps write them.
        let muted = try await ana.post("\(person)/mute", json: ["duration": "3600", "notifications": 1])
        #expect(muted["muting_notifications"] == true)
        let whole = try await ana.send(
            .post, "\(person)/mute", headers: [.contentType: "application/json"],
            body: ByteBuffer(string: #"{"duration": 3600.0}"#))
        #expect(whole.status == 200, "\(whole)")
        #expect(try await ana.post("\(person)/note", json: ["comment": .null]).status == 200)
    }

    @Test("Names the Idempotency-Key for every call that uses it")
    func keys() async throws {
        let world = try await World()
        let paths = try await world.stranger.get("/api/openapi.json")["paths"]
        for path in ["statuses", "media", "snaps", "chats/{id}/messages"] {
            let names = paths["/api/v1/\(path)"]["post"]["parameters"].list.map { $0["name"].string }
            #expect(names.contains("Idempotency-Key"), "\(path)")
            #expect(paths["/api/v1/\(path)"]["post"]["responses"]["410"] != .null, "\(path)")
        }
        #expect(paths["/api/v2/media"]["post"]["parameters"][0]["name"] == "Idempotency-Key")
    }

    @Test("Is about this server as apps read it")
    func instance() async throws {
        let world = try await World()
        for path in ["/api/v1/instance", "/api/v1/instance/", "/api/v2/instance", "/api/v2/instance/"] {
            let answer = try await world.stranger.get(path)
            #expect(answer.status == 200, "\(path)")
            #expect(answer["version"].string?.hasPrefix("4.2.") == true)
            #expect(answer["configuration"]["statuses"]["max_characters"] == 2200)
            #expect(answer["configuration"]["statuses"]["max_media_attachments"] == 10)
        }
        let newest = try await world.stranger.get("/api/v2/instance")["thumbnail"]["url"].string
        let older = try await world.stranger.get("/api/v1/instance")["thumbnail"].string
        #expect(newest == older)
        let path = String(try #require(older).dropFirst("http://localhost".count))
        let picture = try await world.stranger.get(path)
        #expect(picture.status == 200 && picture.headers[.contentType] == "image/png")
        let node = try await world.stranger.get("/api/nodeinfo/2.0.json")
        #expect(node["software"]["name"] == "pixelfed")
    }
}

extension World {
    /// The calls that the description of the interface has, such as `GET /api/v1/statuses/{id}`.
    func describedCalls() async throws -> Set<String> {
        let answer = try await stranger.get("/api/openapi.json")
        try #require(answer.status == 200)
        guard case .object(let paths) = answer["paths"] else { return [] }
        var calls: Set<String> = []
        for (path, methods) in paths {
            guard case .object(let methods) = methods else { continue }
            for method in methods.keys { calls.insert("\(method.uppercased()) \(path)") }
        }
        return calls
    }
}
