import Foundation
import Storage
import TestPostgres
import TestS3
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
        let move = ServerMove(folder: first.folder, database: address, secretsKeyFile: key, blobs: nil)
        await #expect { try await move.out() } throws: { "\($0)".contains("running") }
        try first.tintype.database.close()
        #expect(try await move.out().count == 1)
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
            try await ServerMove(folder: first.folder, database: address, secretsKeyFile: other, blobs: nil)
                .back()
        } throws: {
            "\($0)".contains("isn’t the one")
        }
        #expect(!FileManager.default.fileExists(atPath: "\(first.folder)/tintype.sqlite"))
        try FileManager.default.removeItem(atPath: "\(first.folder)/\(SecretsKey.fileName)")
        _ = try await move.back()
        await #expect { try await move.back() } throws: { "\($0)".contains("already") }

        let third = try await World(folder: first.folder, clock: first.clock)
        #expect(try await third.tintype.problems() == [])
        let back = Person(world: third, id: ana.id, username: "ana", token: ana.token)
        #expect(try await back.get("/api/v1/statuses/\(later)")["text"] == "Evening")
        #expect(third.tintype.parts.secrets.unseal(ours, as: .pushIdentity) == "ours")
        #expect(third.tintype.features.push.serverKey == first.tintype.features.push.serverKey)
    }

    private func shown(_ photo: String, to person: Person) async throws -> [UInt8] {
        let url = try #require(try await person.get("/api/v1/photos/\(photo)")["url"].string)
        let answer = try await person.get(url.replacing("http://localhost", with: ""))
        try #require(answer.status == 200)
        return answer.bytes
    }

    @Test(
        "Pictures move to a store and back, whole; what is there isn't sent again",
        .enabled(if: TestS3.server != nil))
    func pictures() async throws {
        let server = try #require(TestS3.server)
        try await server.make("worlds")
        let store = try server.address("worlds", prefix: UUID().uuidString)
        let first = try await World()
        let ana = try await first.account("ana", portrait: true)
        let photo = try await ana.photo()
        let picture = try await shown(photo, to: ana)
        let keys = try await first.tintype.blobs.keys(after: nil, limit: .max)
        let move = ServerMove(folder: first.folder, database: nil, blobs: store)
        await #expect { try await move.out() } throws: { "\($0)".contains("running") }
        try first.tintype.database.close()
        // So does a server that only serves, and has the rows elsewhere.
        do {
            let serving = try FolderLock.ofServer(in: first.folder)
            await #expect { try await move.out() } throws: { "\($0)".contains("running") }
            withExtendedLifetime(serving) {}
        }
        // A damaged file stops the move; with the file it goes on.
        let path = first.path(of: keys[0])
        let bytes = try Data(contentsOf: URL(filePath: path))
        try Data(bytes.dropLast()).write(to: URL(filePath: path))
        await #expect { try await move.out() } throws: { "\($0)".contains("has changed") }
        try bytes.write(to: URL(filePath: path))
        #expect(try await move.out() == ["\(keys.count) files are in \(store)"])
        #expect(!FileManager.default.fileExists(atPath: "\(first.folder)/blobs"))
        // Said again, as after rows that couldn't be moved with the files.
        #expect(try await move.out() == ["The files are in \(store) already"])

        let second = try await World(folder: first.folder, clock: first.clock) { $0.blobs = store }
        #expect(try await second.tintype.problems() == [])
        let there = Person(world: second, id: ana.id, username: "ana", token: ana.token)
        #expect(try await shown(photo, to: there) == picture)
        let later = try await there.photo()
        let laterPicture = try await shown(later, to: there)
        try second.tintype.database.close()
        // The store has what the first server doesn't know.
        let stranger = try await World()
        try stranger.tintype.database.close()
        await #expect {
            try await ServerMove(folder: stranger.folder, database: nil, blobs: store).out()
        } throws: { "\($0)".contains("isn’t empty") }

        _ = try await move.back()
        let third = try await World(folder: first.folder, clock: first.clock) { $0.blobs = nil }
        #expect(try await third.tintype.problems() == [])
        let back = Person(world: third, id: ana.id, username: "ana", token: ana.token)
        #expect(try await shown(later, to: back) == laterPicture)
    }
}
