import Foundation
import Testing

@testable import Tintype

@Suite("Aligning pairs", .timeLimit(.minutes(15)))
struct PairAligningTests {
    @Test("A match from a little beside is laid over the past photo, and back")
    func aligned() async throws {
        let ana = try await World().account("ana")
        let then = try await ana.photo(ScenePicture.jpeg(1))
        let now = try await ana.photo(ScenePicture.jpeg(1, shift: 9), purpose: "rephotograph")
        let made = try await ana.pair(then: then, now: now)
        let path = "/api/v1/rephotographs/\(try #require(made["id"].string))"
        let aligned = try await ana.post("\(path)/align")
        #expect(aligned.status == 200, "\(aligned.text)")
        #expect(aligned["alignment"]["state"] == "aligned" && aligned["alignment"]["by"] == "automatic")
        let transform = aligned["alignment"]["transform"].list.compactMap(\.number)
        try #require(transform.count == 9)
        // The scene is 9 pixels further right and down in a picture of 360 × 300.
        #expect(abs(transform[2] + 9.0 / 360) < 0.004 && abs(transform[5] + 9.0 / 300) < 0.004)
        let width = try #require(aligned["alignment"]["crop"]["width"].number)
        #expect(width > 0.9 && width < 1)
        let back = try await ana.delete("\(path)/align")
        #expect(back["alignment"]["state"] == "none" && back["alignment"]["transform"] == .null)
    }

    @Test("Pictures of different places are left as they are, with the reason")
    func refused() async throws {
        let ana = try await World().account("ana")
        let then = try await ana.photo(ScenePicture.jpeg(1))
        let now = try await ana.photo(ScenePicture.jpeg(2), purpose: "rephotograph")
        let made = try await ana.pair(then: then, now: now, ["align": true])
        #expect(made.status == 201 && made["alignment"]["state"] == "refused")
        #expect(made["alignment"]["reason"].string?.isEmpty == false)
        let path = "/api/v1/rephotographs/\(try #require(made["id"].string))/align"
        let refused = try await ana.post(path)
        #expect(refused.status == 422 && refused["error"].string?.isEmpty == false)
    }

    @Test("Four points set by hand lay one over the other")
    func points() async throws {
        let ana = try await World().account("ana")
        let path = "/api/v1/rephotographs/\(try await ana.pairID())/align"
        func points(_ moved: [(Double, Double)]) -> JSON {
            let corners = [(0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8)]
            return [
                "points": .list(
                    zip(corners, moved).map { then, now in
                        [
                            "then": ["x": .number(then.0), "y": .number(then.1)],
                            "now": ["x": .number(now.0), "y": .number(now.1)],
                        ]
                    })
            ]
        }
        let set = try await ana.post(
            path, json: points([(0.25, 0.2), (0.85, 0.2), (0.85, 0.8), (0.25, 0.8)]))
        #expect(set.status == 200, "\(set.text)")
        #expect(set["alignment"]["by"] == "points")
        let transform = set["alignment"]["transform"].list.compactMap(\.number)
        try #require(transform.count == 9)
        #expect(abs(transform[2] + 0.05) < 1e-9 && abs(transform[0] - 1) < 1e-9)
        let line = [(0.1, 0.1), (0.2, 0.2), (0.3, 0.3), (0.4, 0.4)]
        let mirrored = [(0.8, 0.2), (0.2, 0.2), (0.2, 0.8), (0.8, 0.8)]
        for wrong in [line, mirrored, [(1.2, 0.1), (0.2, 0.2), (0.3, 0.9), (0.1, 0.4)]] {
            #expect(try await ana.post(path, json: points(wrong)).status == 422)
        }
        #expect(try await ana.post(path, json: points([(0.2, 0.2)])).status == 422, "one point alone")
        #expect(
            try await ana.post(path, json: ["points": [["then": ["x": 0.5, "y": 0.5]]]]).status == 422)
    }
}
