import HTTPTypes
import Testing

@testable import Tintype

@Suite("Earlier captions")
struct VersionTests {
    @Test("The author gets every version, the first one first; others get the present one only")
    func history() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let post = try await ana.post(caption: "One")
        let first = try await ana.get("/api/v1/statuses/\(post)")["created_at"]
        for caption in ["Two", "Three", "Three"] {
            world.clock.advance(seconds: 60)
            _ = try await ana.send(.put, "/api/v1/statuses/\(post)", json: ["status": .text(caption)])
        }
        let path = "/api/v1/statuses/\(post)/history"
        let all = try await ana.get(path).json.list
        #expect(all.map { $0["content"].string } == ["<p>One</p>", "<p>Two</p>", "<p>Three</p>"])
        #expect(all[0]["created_at"] == first)
        #expect(
            all.map { $0["created_at"].string ?? "" } == all.map { $0["created_at"].string ?? "" }.sorted())
        #expect(all[0]["media_attachments"].list.count == 1 && all[0]["account"]["username"] == "ana")
        #expect(try await ben.get(path).json.list.map { $0["content"].string } == ["<p>Three</p>"])
        let source = try await ben.get("/api/v1/statuses/\(post)/source")
        #expect(
            source.json == [
                "id": .text(post), "text": "Three", "spoiler_text": "", "sensitive": false, "language": .null,
                "visibility": "private",
            ])
        let stranger = try await world.account("dora")
        for part in ["history", "source"] {
            #expect(try await stranger.get("/api/v1/statuses/\(post)/\(part)").status == 404, "\(part)")
        }
    }

    @Test("A hundred changes keep the first version and the last twenty; a deleted post keeps none")
    func bound() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let post = try await ana.post(caption: "0")
        for number in 1...100 {
            _ = try await ana.send(.put, "/api/v1/statuses/\(post)", json: ["status": "\(number)"])
        }
        let all = try await ana.get("/api/v1/statuses/\(post)/history").json.list
        let expected = [0] + Array(80...100)
        #expect(all.map { $0["content"].string } == expected.map { "<p>\($0)</p>" })
        _ = try await ana.delete("/api/v1/statuses/\(post)")
        #expect(try await world.number("SELECT count(*) FROM post_versions") == 0)
    }
}
