import Foundation
import Storage
import Testing

@Suite("What a database file may have in it")
struct SchemaTests {
    private let migrations = """
        CREATE TABLE note (id BIGINT PRIMARY KEY, text TEXT NOT NULL);
        CREATE INDEX note_by_text ON note (text);
        """

    /// A closed database that a statement has changed; what is wrong with it.
    private func problems(
        after statements: String..., migrations: [String]? = nil, checking: [String]? = nil
    ) async throws -> [String] {
        let folder = try TemporaryFolder()
        for (name, texts) in [
            ("migrations", migrations ?? [self.migrations]),
            ("known", checking ?? migrations ?? [self.migrations]),
        ] {
            try FileManager.default.createDirectory(atPath: folder(name), withIntermediateDirectories: true)
            for (number, text) in texts.enumerated() {
                try Data(text.utf8).write(to: URL(filePath: folder("\(name)/000\(number + 1)-step.sql")))
            }
        }
        let path = folder("file.sqlite")
        let database = try Database(path: path, logger: quiet)
        _ = try database.migrate(folder: folder("migrations"))
        try await database.write { transaction in
            for statement in statements { try transaction.execute(statement) }
        }
        try database.close()
        let before = try Data(contentsOf: URL(filePath: path))
        let problems = try Database.schemaProblems(path: path, migrations: folder("known"))
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
        return problems
    }

    @Test("What the migrations have made is right, with rows and indexes of its own")
    func right() async throws {
        #expect(try await problems() == [])
        #expect(
            try await problems(
                after: "INSERT INTO note VALUES (1, 'x')", "CREATE INDEX more ON note (id, text)") == [])
    }

    @Test("Triggers, views and virtual tables that no migration makes are found, whatever they are called")
    func foreign() async throws {
        let trigger = "CREATE TRIGGER spy AFTER INSERT ON note BEGIN DELETE FROM note; END"
        #expect(try await problems(after: trigger) == ["the trigger \"spy\" of \"note\" isn't Tintype's"])
        #expect(
            try await problems(after: "CREATE VIEW \"note\u{1B}[2J\" AS SELECT 1")
                == ["the view \"note\\u{1B}[2J\" of \"note\\u{1B}[2J\" isn't Tintype's"])
        #expect(
            try await problems(after: "CREATE VIRTUAL TABLE v USING fts5(x)").contains(
                "the table \"v\" of \"v\" isn't Tintype's"))
    }

    @Test(
        "One that a migration makes is right as long as it is the same, and one of a later migration isn't expected"
    )
    func own() async throws {
        let view = "CREATE VIEW short AS SELECT id FROM note;"
        #expect(try await problems(migrations: [migrations, view]) == [])
        #expect(try await problems(migrations: [migrations], checking: [migrations, view]) == [])
        #expect(
            try await problems(
                after: "DROP VIEW short", "CREATE VIEW short AS SELECT text AS id FROM note",
                migrations: [migrations, view]
            ).count == 2)
        #expect(
            try await problems(after: "DROP VIEW short", migrations: [migrations, view])
                == ["the view \"short\" of \"short\" is missing or changed"])
    }

    @Test("A file that is no database is an error")
    func noDatabase() async throws {
        let folder = try TemporaryFolder()
        try Data(repeating: 7, count: 8_192).write(to: URL(filePath: folder("file.sqlite")))
        #expect(throws: DatabaseError.self) {
            try Database.schemaProblems(path: folder("file.sqlite"), migrations: folder(""))
        }
    }

    @Test(
        "No statement changes the schema's own table, and functions of the schema aren't trusted", .onlySQLite
    )
    func defensive() async throws {
        let notes = try Notes()
        try await notes.add("kept")
        await #expect(throws: DatabaseError.self) {
            try await notes.database.write { transaction in
                try transaction.execute("PRAGMA writable_schema = ON")
                try transaction.execute("DELETE FROM sqlite_schema")
            }
        }
        let trusted = try await notes.database.read { try $0.value("PRAGMA trusted_schema", as: Int.self) }
        let written = try await notes.database.write { try $0.value("PRAGMA trusted_schema", as: Int.self) }
        #expect(trusted == 0 && written == 0)
    }
}
