import Foundation
import Storage
import Testing

@Suite("Migrations")
struct MigrationTests {
    let folder: TemporaryFolder
    let database: Database

    init() throws {
        folder = try TemporaryFolder()
        database = try Database(path: folder("tintype.sqlite"), logger: quiet)
    }

    private func migrate() throws -> [String] { try database.migrate(folder: folder("migrations")) }

    @Test("They are applied once, in the order of their numbers")
    func order() async throws {
        try folder.write(
            "CREATE TABLE a (id BIGINT PRIMARY KEY); INSERT INTO a VALUES (1)", to: "migrations/0002-a.sql")
        try folder.write("SELECT 1", to: "migrations/0001-first.sql")
        try folder.write("no SQL", to: "migrations/README.md")
        #expect(try migrate() == ["0001-first", "0002-a"])
        #expect(try migrate() == [])
        try folder.write("INSERT INTO a SELECT id + 1 FROM a", to: "migrations/0010-b.sql")
        #expect(try migrate() == ["0010-b"])
        let ids = try await database.read { try $0.values("SELECT id FROM a ORDER BY id", as: Int.self) }
        #expect(ids == [1, 2])
    }

    @Test("One that fails leaves nothing behind and stops those after it")
    func failure() async throws {
        try folder.write("CREATE TABLE a (id BIGINT)", to: "migrations/0001-a.sql")
        try folder.write(
            "CREATE TABLE b (id BIGINT); INSERT INTO nothing VALUES (1)", to: "migrations/0002-b.sql")
        try folder.write("CREATE TABLE c (id BIGINT)", to: "migrations/0003-c.sql")
        #expect(throws: DatabaseError.self) { try migrate() }
        let tables = try await database.read { transaction in
            try transaction.values(
                "SELECT name FROM sqlite_master WHERE name IN ('a', 'b', 'c')", as: String.self)
        }
        #expect(tables == ["a"])
        try folder.write("CREATE TABLE b (id BIGINT)", to: "migrations/0002-b.sql")
        #expect(try migrate() == ["0002-b", "0003-c"])
    }

    @Test("One that was changed, is missing, comes too late or has a number twice is refused")
    func history() throws {
        try folder.write("CREATE TABLE b (id BIGINT)", to: "migrations/0002-b.sql")
        _ = try migrate()
        try folder.write("SELECT 1", to: "migrations/0001-late.sql")
        #expect(throws: DatabaseError.self) { try migrate() }
        try FileManager.default.removeItem(atPath: folder("migrations/0001-late.sql"))
        #expect(try migrate() == [])
        try folder.write("SELECT 1", to: "migrations/0002-other.sql")
        #expect(throws: DatabaseError.self) { try migrate() }
        try FileManager.default.removeItem(atPath: folder("migrations/0002-other.sql"))
        try folder.write("CREATE TABLE b (id BIGINT, name TEXT)", to: "migrations/0002-b.sql")
        #expect(throws: DatabaseError.self) { try migrate() }
        try FileManager.default.removeItem(atPath: folder("migrations/0002-b.sql"))
        #expect(throws: DatabaseError.self) { try migrate() }
    }

    @Test("A table that others refer to can be rebuilt, and a dangling reference is refused")
    func rebuild() async throws {
        try folder.write(
            """
            CREATE TABLE author (id BIGINT PRIMARY KEY);
            CREATE TABLE note (id BIGINT PRIMARY KEY, author_id BIGINT REFERENCES author (id) ON DELETE CASCADE);
            INSERT INTO author VALUES (1);
            INSERT INTO note VALUES (1, 1);
            """, to: "migrations/0001-tables.sql")
        try folder.write(
            """
            CREATE TABLE new_author (id BIGINT PRIMARY KEY, name TEXT);
            INSERT INTO new_author SELECT id, 'ana' FROM author;
            DROP TABLE author;
            ALTER TABLE new_author RENAME TO author;
            """, to: "migrations/0002-names.sql")
        #expect(try migrate().count == 2)
        let notes = try await database.read { try $0.values("SELECT id FROM note", as: Int.self) }
        #expect(notes == [1])
        try folder.write("DELETE FROM author", to: "migrations/0003-dangling.sql")
        #expect(throws: DatabaseError.foreignKeyViolation) { try migrate() }
        // Foreign keys are checked again afterwards.
        await #expect(throws: DatabaseError.foreignKeyViolation) {
            try await database.write { try $0.execute("INSERT INTO note VALUES (2, 9)") }
        }
    }
}
