import Foundation
import Logging
import TestPostgres
import Testing

@testable import Storage

/// Servers of two versions on one database: the later one has a migration that the earlier one doesn't know.
@Suite("Upgrades on PostgreSQL", .enabled(if: TestPostgres.server != nil))
struct PostgresUpgradeTests {
    let fresh: PostgresTests.Fresh
    let folder: TemporaryFolder
    let script: PostgresScript

    init() throws {
        fresh = try PostgresTests.Fresh()
        script = try PostgresScript(fresh.address)
        folder = try TemporaryFolder()
        for version in ["earlier", "later"] {
            try folder.write("CREATE TABLE t1 (id BIGINT PRIMARY KEY);", to: "\(version)/0001-t.sql")
        }
        try folder.write("CREATE TABLE t2 (id BIGINT PRIMARY KEY);", to: "later/0002-t.sql")
    }

    @Test("New servers wait until those of the earlier version have ended, and then one changes the database")
    func wait() async throws {
        let earlier = try [open("earlier"), open("earlier")]
        let later = Task { [fresh, folder] in try await Self.startTwo(fresh, folder("later")) }
        // Both new ones are there, and one has looked at the earlier ones.
        try await until { try script.run("SELECT count(*) FROM storage_nodes WHERE expires_at > 0") == "4" }
        try await until { try script.run("SELECT 1 FROM pg_locks WHERE \(Self.migrating)") != nil }
        try earlier[0].close()
        #expect(try script.run("SELECT max(number) FROM storage_migrations") == "1")
        // Somebody starts one of the earlier version meanwhile.
        let third = try open("earlier")
        try earlier[1].close()
        #expect(try await third.read { try $0.value("SELECT count(*) FROM t1", as: Int.self) } == 0)
        #expect(try script.run("SELECT max(number) FROM storage_migrations") == "1")
        try third.close()
        #expect(try await later.value == ["0002-t"])
        #expect { try open("earlier") } throws: { "\($0)".contains("newer than this program") }
    }

    @Test("A new server that has waited long enough says whom to stop, and has changed nothing")
    func refusal() throws {
        let earlier = try [open("earlier"), open("earlier")]
        let later = try fresh.open(as: .server)
        let holder = try script.run("SELECT holder FROM storage_nodes WHERE migrations IS NULL")
        let migrations = try PostgresMigrations(fresh.address, for: holder, patience: .zero)
        #expect {
            try migrations.apply(Migration.all(in: folder("later")), now: { Date() }, logger: quiet)
        } throws: {
            "\($0)".contains("servers or commands of an earlier version use (2). Stop them all")
        }
        #expect(try script.run("SELECT max(number) FROM storage_migrations") == "1")
        for database in earlier + [later] { try database.close() }
    }

    @Test("A server without a migration to apply doesn't wait for others")
    func same() throws {
        let (one, other) = (try open("later"), try open("later"))
        #expect(one.node != other.node)
    }

    @Test(
        "A server of the earlier version whose lease has ended is waited for no longer: it reads and writes nothing, and ends",
        .timeLimit(.minutes(1)))
    func cutOff() async throws {
        let earlier = try open("earlier")
        _ = try await earlier.read { try $0.value("SELECT 1", as: Int.self) }
        let pool = "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'tintype % pool'"
        #expect(try script.run("\(pool) AND datname = current_database()") == "1")
        // As half a minute after it was stopped or cut off. It renews its lease while the new one starts, so again and again.
        let isChanged = Task { [fresh, folder] in
            try await aside { try fresh.open(as: .server).migrate(folder: folder("later")) }
        }
        try await until {
            try script.run("UPDATE storage_nodes SET expires_at = 1 WHERE migrations = 1")
            return try script.run("SELECT max(number) FROM storage_migrations") == "2"
        }
        #expect(try await isChanged.value == ["0002-t"])
        try await until { try script.run("\(pool) AND datname = current_database()") == "0" }
        for await _ in earlier.losses { break }
        await #expect(throws: DatabaseError.busy) {
            try await earlier.read { try $0.value("SELECT count(*) FROM t1", as: Int.self) }
        }
        await #expect(throws: DatabaseError.busy) { try await earlier.write { $0.newID() } }
    }

    private func open(_ version: String) throws -> Database {
        let database = try fresh.open(as: .server)
        do {
            _ = try database.migrate(folder: folder(version))
        } catch {
            try database.close()
            throw error
        }
        return database
    }

    /// Starts two servers of the later version at once, and returns what they have migrated together.
    private static func startTwo(_ fresh: PostgresTests.Fresh, _ folder: String) async throws -> [String] {
        try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<2 {
                group.addTask { try await aside { try fresh.open(as: .server).migrate(folder: folder) } }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    /// The lock of those who migrate.
    private static let migrating = """
        locktype = 'advisory' AND objid = \(PostgresLock.migrations.rawValue & 0xFFFF_FFFF)
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        """
}
