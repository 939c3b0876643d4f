import Foundation
import Storage
import Testing

@testable import Core
@testable import People
@testable import Tintype

extension Person {
    /// Posts a predefined picture, or one that was uploaded; the snap's id.
    func snap(feed: String = "memes", media: String? = nil) async throws -> String {
        let picture: JSON = media.map { ["media_id": .text($0)] } ?? ["sample_id": "memes-1"]
        guard case .object(var body) = picture else { return "" }
        body["feed_id"] = .text(feed)
        let answer = try await post("/api/v1/snaps", json: .object(body))
        try #require(answer.status == 201, "a snap was refused: \(answer.text)")
        return try #require(answer["id"].string)
    }
}

extension Answer {
    /// The path of the view that opening a snap gave.
    var viewPath: String {
        get throws {
            let url = try #require(json["view"]["url"].string, "no view: \(status) \(text)")
            return try #require(URL(string: url)).path
        }
    }
}

extension World {
    /// Someone who has an account already, newly logged in.
    func person(_ username: String) async throws -> Person {
        let found = try await tintype.database.read { try AccountStore($0).account(username: username) }
        let account = try #require(found)
        let token = try await tintype.sessions.start(for: account.id, device: "Test", kind: .browser)
        return Person(world: self, id: account.id, username: username, token: token)
    }

    /// A second device of somebody.
    func device(of person: Person) async throws -> Person {
        try await self.person(person.username)
    }
}
