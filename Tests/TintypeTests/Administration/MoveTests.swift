import Foundation
import Storage
import TestPostgres
import Testing

@testable import Core
@testable import People
@testable import Tintype

@Suite(
    "Moving between SQLite and PostgreSQL", .enabled(if: TestPostgres.server != nil && !TestPostgres.isEngine)
)
struct MoveTests {
    @Test("A server goes on after the move there and back: people, log-ins, posts, pictures, counters")
    func thereAndBack() async throws {
        let server = try #require(TestPostgres.server)
        let first = try await World()
        let ana = try await first.account("ana", portrait: true)
        let post = try await ana.post(caption: "Morning")
        let address = try server.address(TestPostgres.name(for: first.folder))
        try server.make(TestPostgres.name(for: first.folder))
        defer { try? server.drop(TestPostgres.name(for: first.folder)) }
        let key = try World.secretsKeyFile(in: first.folder)
        let ours = try first.tintype.parts.secrets.seal("ours", as: .pushIdentity)
        await #expect {
            try await TintypeApplication.move(from: first.folder, to: address, secretsKeyFile: key)
        } throws: {
            "\($0)".contains("running")
        }
        try first.tintype.database.close()
        #expect(
            try await TintypeApplication.move(from: first.folder, to: address, secretsKeyFile: key) > 10)
        #expect(!FileManager.default.fileExists(atPath: "\(first.folder)/tintype.sqlite"))

        let second = try await World(folder: first.folder, clock: first.clock) {
            $0.database = address
            $0.secretsKeyFile = key
        }
        #expect(second.tintype.parts.secrets.unseal(ours, as: .pushIdentity) == "ours")
        #expect(second.tintype.features.push.serverKey == first.tintype.features.push.serverKey)
        #expect(try await second.tintype.problems() == [])
        let there = Person(world: second, id: ana.id, username: "ana", token: ana.token)
        #expect(try await there.get("/api/v1/statuses/\(post)")["text"] == "Morning")
        let later = try await there.post(caption: "Evening")
        try second.tintype.database.close()
        // With another key nothing is moved.
        let other = "\(first.folder)/other.key"
        _ = try PrivateFile.contents(of: other, orCreate: Array(Data(count: 32).base64EncodedString().utf8))
        await #expect {
            try await TintypeApplication.move(from: address, to: first.folder, secretsKeyFile: other)
        } throws: {
            "\($0)".contains("isn’t the one")
        }
        #expect(!FileManager.default.fileExists(atPath: "\(first.folder)/tintype.sqlite"))
        try FileManager.default.removeItem(atPath: "\(first.folder)/\(SecretsKey.fileName)")
        try await TintypeApplication.move(from: address, to: first.folder, secretsKeyFile: key)
        await #expect {
            try await TintypeApplication.move(from: address, to: first.folder, secretsKeyFile: key)
        } throws: {
            "\($0)".contains("already")
        }

        let third = try await World(folder: first.folder, clock: first.clock)
        #expect(try await third.tintype.problems() == [])
        let back = Person(world: third, id: ana.id, username: "ana", token: ana.token)
        #expect(try await back.get("/api/v1/statuses/\(later)")["text"] == "Evening")
        #expect(third.tintype.parts.secrets.unseal(ours, as: .pushIdentity) == "ours")
        #expect(third.tintype.features.push.serverKey == first.tintype.features.push.serverKey)
    }
}
