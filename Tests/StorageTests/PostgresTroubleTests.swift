import Foundation
import Storage
import TestPostgres
import Testing

/// What the operator is told of a database that can't be used, and what becomes of work while it can't.
@Suite("Trouble with PostgreSQL", .enabled(if: TestPostgres.server != nil))
struct PostgresTroubleTests {
    let fresh: PostgresTests.Fresh

    init() throws {
        fresh = try PostgresTests.Fresh()
    }

    @Test(
        "Another program's database is refused, and nothing is made in it; an extension's tables are nobody's"
    )
    func otherProgram() throws {
        let script = try PostgresScript(fresh.address)
        try script.run("CREATE TABLE settings (id BIGINT)")
        #expect { try fresh.open() } throws: {
            "\($0)".contains("is another program’s: it has a table settings. Make one for Tintype alone")
        }
        #expect(try script.run("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == "1")
        try script.run("ALTER EXTENSION plpgsql ADD TABLE settings")
        try fresh.open().close()
    }

    @Test("A server that takes no writes is refused at the start, with what to name instead")
    func readOnly() throws {
        try PostgresScript(fresh.server.address("postgres")).run(
            "ALTER DATABASE \(fresh.name) SET default_transaction_read_only = on")
        let advice = "It is a standby, or set to be read-only: name the server that takes writes"
        #expect { try fresh.open() } throws: { "\($0)".contains("session is read-only. \(advice)") }
        // Also where the address allows it.
        let any = try address("target_session_attrs=any")
        #expect { try fresh.open(any) } throws: { "\($0)".contains("takes no writes. \(advice)") }
    }

    @Test("While a server takes no writes any more, work is refused in time; then it goes on")
    func readOnlyLater() async throws {
        let server = try OwnPostgres()
        let script = try server.script()
        let database = try Database(
            address: server.address, as: .command, patience: 0.5, logger: quiet)
        try await database.write { try $0.execute("CREATE TABLE note (id BIGINT PRIMARY KEY)") }
        // Open connections notice, as after a change of roles.
        for (id, isReadOnly) in [(1, true), (2, false)] as [(Int64, Bool)] {
            try script.run("ALTER SYSTEM SET default_transaction_read_only = \(isReadOnly)")
            try script.run("SELECT pg_reload_conf()")
            try await until {
                try script.run("SHOW default_transaction_read_only") == (isReadOnly ? "on" : "off")
            }
            let write = { @Sendable in
                _ = try await database.write { try $0.execute("INSERT INTO note VALUES ($1)", id) }
            }
            if isReadOnly {
                await #expect(throws: DatabaseError.busy) { try await write() }
            } else {
                try await write()
            }
        }
        #expect(try await database.read { try $0.values("SELECT id FROM note", as: Int64.self) } == [2])
    }

    @Test(
        "A server without TLS is refused where the address asks for it",
        arguments: ["require", "verify-full"])
    func withoutTLS(mode: String) throws {
        let proxy = try SocketProxy(at: .port(0), before: .file("\(fresh.server.folder)/.s.PGSQL.5432"))
        func address(_ mode: String) throws -> PostgresAddress {
            try PostgresAddress("postgres://postgres@127.0.0.1:\(proxy.port)/\(fresh.name)?sslmode=\(mode)")
        }
        #expect { try fresh.open(address(mode)) } throws: {
            "\($0)".contains("server does not support SSL, but SSL was required")
        }
        try fresh.open(address("prefer")).close()
    }

    @Test("While the server takes no more connections, work is refused in time; then it goes on")
    func connectionsUsedUp() async throws {
        let user = "few_\(fresh.name)"
        let script = try PostgresScript(fresh.server.address("postgres"))
        // One for the lease, and one for the first look at the server.
        try script.run(
            "CREATE ROLE \(user) LOGIN CONNECTION LIMIT 2; ALTER DATABASE \(fresh.name) OWNER TO \(user)")
        defer {
            try? fresh.server.drop(fresh.name)
            _ = try? script.run("DROP ROLE \(user)")
        }
        let database = try fresh.open(address("user=\(user)"), patience: 0.5)
        // The last connection, as soon as the first look has ended.
        var other: PostgresScript?
        await until {
            other = try? PostgresScript(address("user=\(user)"))
            return other != nil
        }
        await #expect(throws: DatabaseError.busy) {
            try await database.read { try $0.value("SELECT 1", as: Int.self) }
        }
        withExtendedLifetime(other) {}
        try script.run("ALTER ROLE \(user) CONNECTION LIMIT -1")
        #expect(try await database.read { try $0.value("SELECT 1", as: Int.self) } == 1)
        try database.close()
    }

    /// Returns the address of the test's database with further parameters.
    private func address(_ parameters: String) throws -> PostgresAddress {
        let user = parameters.contains("user=") ? "" : "&user=postgres"
        return try PostgresAddress(
            "postgres:///\(fresh.name)?host=\(fresh.server.folder)\(user)&\(parameters)")
    }
}
