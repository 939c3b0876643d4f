import HTTPTypes
import Testing

@testable import Tintype

extension Person {
    /// Begins a collage; its id.
    func collage(layout: String = "two-above-one", with people: [Person] = []) async throws -> String {
        let answer = try await post(
            "/api/v1/collage_drafts",
            json: [
                "layout_id": .text(layout), "account_ids": .list(people.map { .text("\($0.id)") }),
            ])
        try #require(answer.status == 201, "a collage was refused: \(answer.text)")
        return try #require(answer["id"].string)
    }

    /// Puts a photo into a cell, a new small one by default.
    @discardableResult
    func fill(_ cell: Int, of collage: String, photo: String? = nil) async throws -> Answer {
        let chosen: String
        if let photo { chosen = photo } else { chosen = try await self.photo() }
        return try await put(
            "/api/v1/collage_drafts/\(collage)/cells/\(cell)", json: ["photo_id": .text(chosen)])
    }

    func put(_ path: String, json: JSON) async throws -> Answer { try await send(.put, path, json: json) }

    func patch(_ path: String, json: JSON) async throws -> Answer { try await send(.patch, path, json: json) }

    /// Renders a collage into the library; the photo's id.
    func finish(_ collage: String) async throws -> String {
        let answer = try await post("/api/v1/collage_drafts/\(collage)/finish", json: ["size": 512])
        try #require(answer.status == 200, "a collage wasn't finished: \(answer.text)")
        return try #require(answer["id"].string)
    }
}
