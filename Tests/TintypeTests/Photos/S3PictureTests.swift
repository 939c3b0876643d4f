import Foundation
import HTTPTypes
import Serving
import Storage
import TestS3
import Testing

@testable import Core
@testable import Tintype

@Suite("Pictures in an S3 store", .enabled(if: TestS3.server != nil))
struct S3PictureTests {
    private func world() async throws -> World {
        let server = try #require(TestS3.server)
        try await server.make("worlds")
        let address = try server.address("worlds", prefix: UUID().uuidString)
        return try await World { $0.blobs = address }
    }

    private func settling(_ world: World) async throws -> Int {
        try await world.tintype.database.read { try JobOutbox($0).counts()[JobKind.settleBlob.name] ?? 0 }
    }

    @Test("A photo is stored, shown, and erased with its row; its promises end with the upload")
    func photo() async throws {
        let world = try await world()
        let ana = try await world.account("ana")
        let id = try await ana.photo()
        let count = try await world.fileCount()
        #expect(count > 1)
        #expect(try await settling(world) == 0)
        #expect(try await world.tintype.problems() == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: world.folder).contains("blobs") == false)
        #expect(try await ana.send(.delete, "/api/v1/photos/\(id)").status == 200)
        _ = try await world.tintype.jobs.runDueJobs()
        #expect(try await world.fileCount() == 0)
    }

    @Test("A server that names another store than that of the pictures, or none, is refused")
    func otherStore() async throws {
        let world = try await world()
        let other = try #require(TestS3.server).address("worlds", prefix: UUID().uuidString)
        for place in [other, nil] {
            await #expect {
                _ = try await World(folder: world.folder) { $0.blobs = place }
            } throws: { "\($0)".contains("The pictures are in s3://worlds/") }
        }
        let inFolder = try await World { $0.blobs = nil }
        _ = try await inFolder.account("ana").photo()
        await #expect {
            _ = try await World(folder: inFolder.folder) { $0.blobs = other }
        } throws: { "\($0)".contains("The pictures are in a folder") }
        // A server that names the store as before is let in.
        _ = try await World(folder: world.folder) { $0.blobs = world.tintype.configuration.blobs }
    }

    @Test("What no row names is erased when its time has come, and can't be named any more")
    func unnamed() async throws {
        let world = try await world()
        let (database, blobs) = (world.tintype.database, world.tintype.blobs)
        let early = try await blobs.store([1])
        let late = try await blobs.store([2])
        try await database.write { try $0.insertFile(early, of: nil) }
        #expect(try await settling(world) == 1)
        world.clock.advance(seconds: 3601)
        _ = try await world.tintype.jobs.runDueJobs()
        #expect(try await blobs.keys(after: nil, limit: 10) == [early.key])
        await #expect(throws: Refusal.self) {
            try await database.write { try $0.insertFile(late, of: nil) }
        }
        #expect(try await database.read { try FileRecords($0).size().count } == 1)
    }

    @Test("While a picture is being settled, a transaction that comes late is refused")
    func late() async throws {
        let world = try await world()
        let database = world.tintype.database
        let blob = try await world.tintype.blobs.store([1])
        world.clock.advance(seconds: 3601)
        // The job has begun, but has erased nothing yet.
        let leased = try await database.write { transaction in
            try JobOutbox(transaction).lease(
                [.settleBlob], by: 1, until: transaction.now.addingTimeInterval(60), limit: 10)
        }
        #expect(leased.map(\.payload) == [blob.key.rawValue])
        await #expect(throws: Refusal.self) {
            try await database.write { try $0.insertFile(blob, of: nil) }
        }
    }
}
