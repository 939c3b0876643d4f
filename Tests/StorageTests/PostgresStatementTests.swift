import Foundation
import Storage
import TestPostgres
import Testing

@Suite("Statements on PostgreSQL", .enabled(if: TestPostgres.server != nil))
struct PostgresStatementTests {
    let fresh: PostgresTests.Fresh

    init() throws {
        fresh = try PostgresTests.Fresh()
    }

    /// How many statements the connection has prepared.
    private static let prepared = "SELECT count(*) FROM pg_prepared_statements"

    @Test("A text with NUL leaves nothing prepared that nobody knows")
    func nul() async throws {
        let database = try fresh.open(writers: 1)
        try await database.write { try $0.execute("CREATE TABLE note (text TEXT)") }
        for _ in 0..<5 {
            await #expect(throws: DatabaseError.nulCharacter) {
                try await database.write { try $0.execute("INSERT INTO note VALUES ($1)", "a\u{0}") }
            }
        }
        let prepared = try await database.write { transaction in
            try transaction.execute("INSERT INTO note VALUES ($1)", "a")
            return try transaction.value(Self.prepared, as: Int.self)
        }
        // The table, the note and the count.
        #expect(prepared == 3)
    }

    @Test("Of more statements than a connection keeps, each still runs")
    func many() async throws {
        let database = try fresh.open(writers: 1)
        for round in 0..<2 {
            let numbers = try await database.write { transaction in
                try (0..<1_100).map { try transaction.value("SELECT \($0) AS n", as: Int.self) ?? -1 }
            }
            #expect(numbers == Array(0..<1_100), "round \(round)")
        }
        #expect(try await database.write { try $0.value(Self.prepared, as: Int.self) ?? 0 } <= 1_024)
    }

    @Test("A statement whose table another process has changed is prepared again")
    func outOfDate() async throws {
        let database = try await fresh.withNotes()
        try await database.write { try $0.execute("INSERT INTO note VALUES (1, 'a', 0)") }
        let text: @Sendable (Transaction) throws -> String? = { transaction in
            try transaction.row("SELECT * FROM note") { try $0.string("text") }
        }
        #expect(try await database.write(text) == "a")
        try PostgresScript(fresh.address).run("ALTER TABLE note DROP COLUMN stars, ADD COLUMN more BIGINT")
        #expect(try await database.write(text) == "a")
    }

    @Test("PostgreSQL ends a statement before nobody waits for it any more")
    func limit() async throws {
        let database = try fresh.open()
        let limit = try await database.read {
            try $0.value("SELECT current_setting('statement_timeout')", as: String.self)
        }
        #expect(limit == "25s")
    }

    @Test("A move into a database that can't be reached says so")
    func fill() throws {
        let folder = try TemporaryFolder()
        try folder.write("CREATE TABLE t (id BIGINT PRIMARY KEY);", to: "migrations/0001-t.sql")
        let source = try Database(path: folder("from.sqlite"), logger: quiet)
        _ = try source.migrate(folder: folder("migrations"))
        try source.close()
        #expect {
            try Database.fill(
                PostgresAddress("postgres:///db?host=\(folder.path)"), from: folder("from.sqlite"),
                migrations: folder("migrations"), logger: quiet)
        } throws: {
            "\($0)".contains("can’t be filled")
        }
    }
}
