import Foundation
import Storage
import TestPostgres
import Testing

/// A disk of two megabytes, which only root can make.
final class SmallDisk: Sendable {
    let path: String

    init?() {
        path = NSTemporaryDirectory() + "tintype-disk-" + UUID().uuidString
        guard mkdir(path, 0o700) == 0 else { return nil }
        guard mount("tmpfs", path, "tmpfs", 0, "size=2m") == 0 else {
            rmdir(path)
            return nil
        }
    }

    deinit {
        umount2(path, Int32(MNT_DETACH))
        rmdir(path)
    }

    static let isPossible = SmallDisk() != nil
}

@Suite("A full disk", .enabled(if: SmallDisk.isPossible, "mounting a small disk needs root"))
struct FullDiskTests {
    @Test("Writes fail as full, reads go on, nothing is damaged, and with room again writes work")
    func database() async throws {
        let disk = try #require(SmallDisk())
        let database = try Database(path: disk.path + "/tintype.sqlite", logger: quiet)
        try await database.write {
            _ = try $0.execute("CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)")
        }
        let ballast = disk.path + "/ballast"
        try Data(count: 1_000_000).write(to: URL(fileURLWithPath: ballast))
        var written = 0
        await #expect(throws: DatabaseError.full) {
            for _ in 0..<1000 {
                try await database.write { transaction in
                    try transaction.execute(
                        "INSERT INTO note (id, text) VALUES ($1, $2)", transaction.newID(),
                        String(repeating: "text ", count: 1000))
                }
                written += 1
            }
        }
        #expect(written > 10)
        let count = { @Sendable in
            try await database.read { try $0.value("SELECT count(*) FROM note", as: Int.self) }
        }
        #expect(try await count() == written)
        #expect(try await database.integrityProblems() == [])
        await #expect(throws: DatabaseError.full) { try await database.backup(to: disk.path + "/copy") }
        try FileManager.default.removeItem(atPath: ballast)
        try await database.write { try $0.execute("INSERT INTO note VALUES ($1, 'after')", $0.newID()) }
        #expect(try await count() == written + 1)
        try database.close()
        let reopened = try Database(path: disk.path + "/tintype.sqlite", logger: quiet)
        #expect(try await reopened.integrityProblems() == [])
        try reopened.close()
    }

    @Test(
        "With PostgreSQL's disk full, writes fail as full, reads go on, and with room again writes work",
        .enabled(if: TestPostgres.server != nil))
    func postgres() async throws {
        let disk = try #require(SmallDisk())
        let owner = try #require(getpwnam("postgres")).pointee
        #expect(chown(disk.path, owner.pw_uid, owner.pw_gid) == 0)
        let ballast = "\(disk.path)/other"
        try Data(count: 500_000).write(to: URL(filePath: ballast))
        let fresh = try PostgresTests.Fresh()
        let script = try PostgresScript(fresh.address)
        try script.run("CREATE TABLESPACE \(fresh.name) LOCATION '\(disk.path)'")
        try script.run("ALTER DATABASE \(fresh.name) SET default_tablespace = '\(fresh.name)'")
        let database = try await fresh.withNotes()
        let written = PostgresTests.Counts()
        await #expect(throws: DatabaseError.full) {
            for number in 0..<1000 as Range<Int64> {
                try await database.write { transaction in
                    try transaction.execute(
                        "INSERT INTO note VALUES ($1, $2, 0)", number,
                        // PostgreSQL compresses what repeats.
                        (0..<1000).map { _ in "\(UUID())" }.joined())
                }
                written.count(number)
            }
        }
        #expect(written.all > 10)
        let count = { @Sendable in
            try await database.read { try $0.value("SELECT count(*) FROM note", as: Int.self) }
        }
        #expect(try await count() == written.all)
        try FileManager.default.removeItem(atPath: ballast)
        try await database.write { try $0.execute("INSERT INTO note VALUES (-1, 'after', 0)") }
        #expect(try await count() == written.all + 1)
        try database.close()
        try fresh.server.drop(fresh.name)
        try PostgresScript(fresh.server.address("postgres")).run("DROP TABLESPACE \(fresh.name)")
    }

    @Test("A blob fails as full, leaves nothing behind, and the others are whole")
    func blobs() async throws {
        let disk = try #require(SmallDisk())
        let blobs = try BlobFolder(path: disk.path + "/blobs")
        let kept = try await blobs.store([UInt8](repeating: 1, count: 500_000))
        let incoming = try blobs.receive()
        await #expect(throws: BlobError.full) {
            for _ in 0..<100 { try await incoming.write([UInt8](repeating: 2, count: 100_000)) }
        }
        await blobs.discard(incoming)
        await #expect(throws: BlobError.full) {
            try await blobs.store([UInt8](repeating: 3, count: 2_000_000))
        }
        #expect(try await blobs.keys(after: nil, limit: 10) == [kept.key])
        #expect(try await blobs.sha256(of: kept.key) == kept.sha256)
        _ = try await blobs.store([UInt8](repeating: 4, count: 1_000_000))
    }
}
