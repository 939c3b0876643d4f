import HTTPTypes
import Hummingbird
import Testing

@testable import Tintype

@Suite("The description of the JSON interface")
struct OpenAPITests {
    @Test("Describes every route of the interface, and none that isn't there")
    func sameAsRoutes() async throws {
        let world = try await World()
        let routes = Set(
            world.tintype.router().routes
                .filter { $0.method != .head && $0.path.description.hasPrefix("/api/") }
                .map { "\($0.method.rawValue) \($0.path.description)" })
        let answer = try await world.stranger.get("/api/openapi.json")
        #expect(answer.status == 200)
        guard case .object(let paths) = answer["paths"] else {
            Issue.record("there are no paths")
            return
        }
        var described: Set<String> = []
        for (path, methods) in paths {
            guard case .object(let methods) = methods else { continue }
            for method in methods.keys { described.insert("\(method.uppercased()) \(path)") }
        }
        #expect(routes.subtracting(described).sorted() == [])
        #expect(described.subtracting(routes).sorted() == [])
    }

    @Test("Says truly what needs no login")
    func logins() async throws {
        let world = try await World()
        for operation in OpenAPI.allOperations where operation.method == "GET" {
            let path = operation.pathParameters.reduce(operation.path) { $0.replacing("{\($1)}", with: "1") }
            let status = try await world.stranger.get(path).status
            let isAlwaysPublic = ["custom_emojis", "v1/instance"].contains { path.contains($0) }
            #expect(
                operation.isPublic || isAlwaysPublic ? status == 200 : status == 401,
                "\(path) answered \(status)")
        }
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
        let node = try await world.stranger.get("/api/nodeinfo/2.0.json")
        #expect(node["software"]["name"] == "pixelfed")
    }
}
