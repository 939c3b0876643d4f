import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import Tintype

@Suite("Blocked people")
struct BlockedTests {
    @Test("Find nothing of the other behind any page, call or picture: 404 on every route")
    func everywhere() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let post = try await ana.post(caption: "For all", visibility: "public")
        let comment = try await ana.comment("Mine", on: post)
        let photo = try #require(
            try await ana.get("/api/v1/statuses/\(post)")["media_attachments"][0]["id"].string)
        let signed = try #require(
            try await ben.get("/api/v1/statuses/\(post)")["media_attachments"][0]["url"].string)
        let signedPath = String(signed.dropFirst("http://localhost".count))
        #expect(try await ben.get(signedPath).status == 200)
        let followed = [post, comment]
        try await ana.block(ben)

        // What stands for ana and what is hers in each route with a parameter.
        let subjects: [(route: String, ids: [String])] = [
            ("/posts/{id}", followed), ("/api/v1/statuses/{id}", followed),
            ("/accounts/{id}", [ana.id.description]), ("/api/v1/accounts/{id}", [ana.id.description]),
            ("/photos/{id}/{size}", [photo]), ("/api/v1/media/{id}", [photo]),
            ("/api/v1/photos/{id}", [photo]),
            ("/@{username}", ["ana"]), ("/requests/{id}", [ana.id.description]),
            ("/api/v1/follow_requests/{id}", [ana.id.description]),
        ]
        // Undoing one's own block needs no sight of the other. Nothing is passed on, and some lists are always
        // empty: those answer the same for everyone.
        let sameForAll: Set = [
            "/accounts/{id}/unblock", "/api/v1/accounts/{id}/unblock", "/api/v1/statuses/{id}/reblog",
            "/api/v1/statuses/{id}/unreblog", "/api/v1/statuses/{id}/reblogged_by",
            "/api/v1/accounts/{id}/featured_tags", "/api/v1/accounts/{id}/lists",
        ]
        var tried = 0
        for route in world.tintype.router().routes where route.method != .head {
            let path = route.path.description
            guard !sameForAll.contains(path),
                let subject = subjects.first(where: { path == $0.route || path.hasPrefix($0.route + "/") })
            else { continue }
            for id in subject.ids {
                let filled = path.replacing("{id}", with: id).replacing("{username}", with: id)
                    .replacing("{size}", with: "large")
                var headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
                headers[.accept] = "text/html"
                let body = ByteBuffer(string: "status=x&caption=x&text=x&reason=spam&description=x")
                let answer = try await ben.send(
                    route.method, filled, headers: headers, body: route.method == .get ? nil : body)
                #expect(answer.status == 404, "\(route.method) \(filled) answered \(answer.status)")
                tried += 1
            }
        }
        #expect(tried > 60)
        // The picture's URL that was made for ben before the block.
        #expect(try await ben.get(signedPath).status == 404)
        // And no list tells of her.
        for path in [
            "/users", "/home", "/notifications", "/users?q=ana", "/api/v1/timelines/public",
            "/api/v1/accounts/search?q=ana",
        ] {
            let answer = path.hasPrefix("/api") ? try await ben.get(path) : try await ben.visit(path)
            #expect(answer.status == 200, "\(path)")
            #expect(!answer.shows("@ana") && !answer.shows("For all"), "\(path)")
        }
    }
}
