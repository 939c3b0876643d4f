import Foundation
import TestPostgres
import Testing

@testable import Storage

@Suite("The numbers of processes in PostgreSQL", .enabled(if: TestPostgres.server != nil))
struct PostgresLeaseTests {
    let fresh: PostgresTests.Fresh

    init() throws {
        fresh = try PostgresTests.Fresh()
    }

    @Test("A process that starts after an outage leaves the server its number")
    func outage() async throws {
        let server = try fresh.open(as: .onlyServer)
        // As after half a minute without PostgreSQL.
        try PostgresScript(fresh.address).run("UPDATE storage_nodes SET expires_at = expires_at - 60000")
        #expect(try fresh.open().node != server.node)
    }

    @Test(
        "A server whose place was taken while its connection was lost writes nothing from then on",
        .timeLimit(.minutes(1)))
    func placeTaken() async throws {
        let server = try fresh.open(as: .server)
        let script = try PostgresScript(fresh.address)
        // Its session ends, and at once somebody else has the place, as when the rows are moved.
        try script.run(
            """
            SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
            WHERE application_name LIKE 'tintype %' AND datname = current_database()
            """)
        await until {
            (try? script.run("SELECT pg_try_advisory_lock(\(PostgresLock.server.rawValue))")) == "t"
        }
        for await _ in server.losses { break }
        await #expect(throws: DatabaseError.busy) { try await server.write { $0.newID() } }
    }

    @Test("Times follow the database's clock when a computer's is wrong, and only then")
    func clock() {
        let now = Date(timeIntervalSince1970: 1_000_000)
        var clock = DatabaseClock()
        #expect(clock.time(now) == now)
        clock.measure("1000000020", from: now, to: now + 0.01)
        #expect(clock.time(now) == now)
        clock.measure("1000002005", from: now, to: now + 0.01)
        #expect(clock.time(now) == now + 2)
        // An answer that took long says little.
        clock.measure("1000009000", from: now, to: now + 1)
        #expect(clock.time(now) == now + 2)
        clock.measure("999990005", from: now, to: now + 0.01)
        #expect(clock.time(now) == now - 10)
        clock.measure("9223372036854775807", from: now, to: now + 0.01)
        clock.measure("1000000005", from: now, to: now + 0.01)
        #expect(clock.time(now) == now)
    }

    @Test("A number whose lease is renewed at this moment isn't taken")
    func renewing() async throws {
        let holder = try withOneNumber(0)
        try holder.run("BEGIN; UPDATE storage_nodes SET expires_at = \(Self.far) WHERE node = 0")
        let opening = Task { [fresh] in try await aside { try fresh.open() } }
        let script = try PostgresScript(fresh.address)
        await until {
            (try? script.run(
                """
                SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
                """)) != nil
        }
        try holder.run("COMMIT")
        await #expect {
            try await opening.value
        } throws: {
            "\($0)".contains("All 1024 numbers")
        }
    }

    @Test("Ids have the process's number, also after those of a process whose clock was ahead")
    func takenOver() async throws {
        _ = try withOneNumber(7)
        let database = try Database(
            address: fresh.address, as: .command, now: { Date(timeIntervalSinceNow: -100) }, logger: quiet)
        let ids = try await database.write { transaction in (0..<3).map { _ in transaction.newID() } }
        #expect(ids.map { ($0 >> 12) & 1023 } == [7, 7, 7])
        #expect(ids == Array(Set(ids)).sorted())
    }

    @Test(
        "A server goes on after its connection was lost without PostgreSQL's noticing",
        .timeLimit(.minutes(1)))
    func unnoticed() async throws {
        let proxy = try PostgresProxy(before: fresh.server.folder)
        let server = try fresh.open(
            proxy.address(of: fresh.name), as: .onlyServer)
        let script = try PostgresScript(fresh.address)
        let place = """
            SELECT pid FROM pg_locks, pg_sleep(0.1) WHERE locktype = 'advisory' AND database =
                (SELECT oid FROM pg_database WHERE datname = current_database())
            """
        let old = try #require(try script.run(place))
        proxy.cutClients()
        try await until {
            try Task.checkCancellation()
            let now = try script.run(place)
            return now != nil && now != old
        }
        try await server.write { try $0.execute("CREATE TABLE note (id BIGINT PRIMARY KEY)") }
    }

    @Test("A database closes although PostgreSQL doesn't answer any more", .timeLimit(.minutes(1)))
    func silent() async throws {
        let proxy = try PostgresProxy(before: fresh.server.folder)
        let database = try fresh.open(proxy.address(of: fresh.name))
        proxy.mode = .silent
        try await aside { try database.close() }
    }

    private static let far = 4_000_000_000_000

    /// Makes the table of numbers, of which only one can be taken: that of a process that was killed just now.
    private func withOneNumber(_ node: Int) throws -> PostgresScript {
        try fresh.open().close()
        let script = try PostgresScript(fresh.address)
        try script.run(
            """
            DELETE FROM storage_nodes;
            INSERT INTO storage_nodes SELECT node, 'other', \(Self.far), 0 FROM generate_series(0, 1023) AS node;
            UPDATE storage_nodes SET expires_at = CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT) - 1
            WHERE node = \(node)
            """)
        return script
    }
}
