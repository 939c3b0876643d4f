import Foundation
import Storage
import TestPostgres
import Testing

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
        let proxy = try SilentProxy(before: fresh.server.folder)
        let server = try fresh.open(
            PostgresAddress("postgres:///\(fresh.name)?\(proxy.parameters)"), as: .onlyServer)
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
        let proxy = try SilentProxy(before: fresh.server.folder)
        let database = try fresh.open(PostgresAddress("postgres:///\(fresh.name)?\(proxy.parameters)"))
        proxy.fallSilent()
        try await aside { try database.close() }
    }

    /// Runs what blocks for long on a thread of its own, since the tests' tasks share few.
    private func aside<T: Sendable>(_ work: @escaping @Sendable () throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Result { try work() }) }.start()
        }
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
