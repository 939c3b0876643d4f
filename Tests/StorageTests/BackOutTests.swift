import Foundation
import Testing

@testable import Storage

/// A database of two versions, of which the later one changes the schema and the values of all notes.
@Suite("Going back to the copy from before an update")
struct BackOutTests {
    let folder: TemporaryFolder
    let path: String
    let copy: String
    let rules = BackOutRules(
        kept: ["block"], files: "file",
        counts: [
            "UPDATE person AS o SET notes_count = (SELECT count(*) FROM note n WHERE n.person_id = o.id)",
            "UPDATE later AS o SET number = 1",
        ], ends: [])

    init() throws {
        folder = try TemporaryFolder()
        (path, copy) = (folder("tintype.sqlite"), folder("copy.sqlite"))
        let first = """
            CREATE TABLE person (id BIGINT PRIMARY KEY, name TEXT NOT NULL, notes_count BIGINT NOT NULL);
            CREATE TABLE file (key TEXT PRIMARY KEY);
            CREATE TABLE photo (
                id BIGINT PRIMARY KEY,
                person_id BIGINT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
                blob_key TEXT NOT NULL REFERENCES file (key)
            );
            CREATE TABLE note (
                id BIGINT PRIMARY KEY,
                person_id BIGINT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
                photo_id BIGINT REFERENCES photo (id) ON DELETE SET NULL,
                text TEXT NOT NULL, size BIGINT NOT NULL
            );
            CREATE TABLE block (
                one BIGINT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
                other BIGINT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
                PRIMARY KEY (one, other)
            ) WITHOUT ROWID;
            """
        for version in ["earlier", "later"] { try folder.write(first, to: "\(version)/0001-notes.sql") }
        try folder.write(
            """
            CREATE TABLE later (number BIGINT PRIMARY KEY);
            CREATE TABLE new_note (
                id BIGINT PRIMARY KEY,
                person_id BIGINT NOT NULL REFERENCES person (id) ON DELETE CASCADE,
                photo_id BIGINT REFERENCES photo (id) ON DELETE SET NULL,
                text TEXT NOT NULL, size BIGINT NOT NULL, colour TEXT NOT NULL
            );
            INSERT INTO new_note SELECT id, person_id, photo_id, text, size * 100, 'red' FROM note;
            DROP TABLE note;
            ALTER TABLE new_note RENAME TO note;
            """, to: "later/0002-colours.sql")
    }

    /// Ana, Ben and Cleo with a photo and three notes, copied, and updated.
    private func update() async throws -> Database {
        let earlier = try Database(path: path, logger: quiet)
        _ = try earlier.migrate(folder: folder("earlier"))
        try await earlier.write { transaction in
            for statement in [
                "INSERT INTO person VALUES (1, 'ana', 2), (2, 'ben', 1), (3, 'cleo', 0)",
                "INSERT INTO file VALUES ('a'), ('b'), ('c')",
                "INSERT INTO photo VALUES (1, 1, 'a'), (2, 1, 'b'), (3, 2, 'c')",
                "INSERT INTO note VALUES (1, 1, 1, 'one', 1), (2, 1, 2, 'two', 2), (3, 2, 3, 'three', 3)",
                "INSERT INTO block VALUES (1, 3)",
            ] { try transaction.execute(statement) }
        }
        try await earlier.backup(to: copy)
        try earlier.close()
        let later = try Database(path: path, logger: quiet)
        #expect(try later.migrate(folder: folder("later")) == ["0002-colours"])
        return later
    }

    private func change(_ database: Database, _ statements: String...) async throws {
        try await database.write { transaction in
            for statement in statements { try transaction.execute(statement) }
        }
        try database.close()
    }

    private func backOut() throws -> BackOut {
        try BackOut(
            of: path, to: copy, in: folder("work"), migrations: folder("later"), logger: quiet)
    }

    /// Goes back, and returns what the earlier version reads: the rows of a query with one text each.
    @discardableResult
    private func goBack() throws -> Database {
        let backOut = try backOut()
        #expect(backOut.undone == ["0002-colours"])
        _ = try backOut.newRows(rules)
        // A number of the later version has no place any more.
        #expect(try backOut.run(rules) == ["UPDATE later AS o SET number = 1"])
        let earlier = try Database(path: path, logger: quiet)
        #expect(try earlier.migrate(folder: folder("earlier")) == [])
        return earlier
    }

    private func texts(_ database: Database, _ sql: String) async throws -> [String] {
        try await database.read { try $0.values(sql, as: String.self) }
    }

    private let notes = "SELECT text || ' ' || size FROM note ORDER BY id"

    @Test("What the update did is undone, and what was made since is counted and lost")
    func made() async throws {
        try await change(
            update(), "INSERT INTO person VALUES (4, 'dora', 1)", "INSERT INTO file VALUES ('d')",
            "INSERT INTO photo VALUES (4, 4, 'd')", "INSERT INTO note VALUES (4, 4, 4, 'four', 4, 'blue')",
            "INSERT INTO note VALUES (5, 1, NULL, 'five', 5, 'blue')",
            "UPDATE person SET notes_count = 3 WHERE id = 1", "INSERT INTO later VALUES (1)")
        let backOut = try backOut()
        #expect(try backOut.newRows(rules) == ["person": 1, "photo": 1, "note": 2])
        let earlier = try goBack()
        #expect(try await texts(earlier, notes) == ["one 1", "two 2", "three 3"])
        #expect(
            try await texts(earlier, "SELECT name || notes_count FROM person ORDER BY id")
                == ["ana2", "ben1", "cleo0"])
        #expect(try await texts(earlier, "SELECT key FROM file ORDER BY key") == ["a", "b", "c"])
        try earlier.close()
    }

    @Test("What was deleted or changed since stays so, and what was made to protect somebody stays")
    func taken() async throws {
        try await change(
            update(), "DELETE FROM photo WHERE id = 1", "DELETE FROM file WHERE key = 'a'",
            "UPDATE note SET text = '', size = 0 WHERE id = 2", "DELETE FROM person WHERE id = 2",
            "DELETE FROM file WHERE key = 'c'", "UPDATE person SET name = 'anna' WHERE id = 1",
            "DELETE FROM block", "INSERT INTO block VALUES (3, 1)",
            "INSERT INTO person VALUES (4, 'dora', 0)", "INSERT INTO block VALUES (4, 1)")
        let earlier = try goBack()
        // A size that somebody has set stays, and one that the update has changed is as before.
        #expect(try await texts(earlier, notes) == ["one 1", " 0"])
        #expect(
            try await texts(earlier, "SELECT coalesce(photo_id, 'none') || '' FROM note ORDER BY id")
                == ["none", "2"])
        #expect(
            try await texts(earlier, "SELECT name || notes_count FROM person ORDER BY id")
                == ["anna2", "cleo0"])
        #expect(try await texts(earlier, "SELECT one || '-' || other FROM block") == ["3-1"])
        #expect(try await texts(earlier, "SELECT key FROM file") == ["b"])
        try earlier.close()
    }

    @Test("A file that has taken the place of another stays with its row")
    func files() async throws {
        try await change(
            update(), "INSERT INTO file VALUES ('new'), ('lost')",
            "UPDATE photo SET blob_key = 'new' WHERE id = 1", "DELETE FROM file WHERE key = 'a'",
            "INSERT INTO photo VALUES (9, 1, 'lost')", "UPDATE note SET photo_id = 9 WHERE id = 3")
        let earlier = try goBack()
        #expect(try await texts(earlier, "SELECT blob_key FROM photo ORDER BY id") == ["new", "b", "c"])
        #expect(try await texts(earlier, "SELECT key FROM file ORDER BY key") == ["b", "c", "new"])
        #expect(try await texts(earlier, "SELECT text FROM note WHERE photo_id IS NULL") == ["three"])
        #expect(try await earlier.integrityProblems() == [])
        try earlier.close()
    }

    @Test("Ids that were given since are never given again")
    func ids() async throws {
        let later = try await update()
        let last = try await later.write { $0.newID() }
        try later.close()
        let earlier = try goBack()
        #expect(try await earlier.write { $0.newID() } > last)
        try earlier.close()
    }

    @Test("Nothing changes while somebody has the database open, and what was left behind is no hindrance")
    func inUse() async throws {
        let later = try await update()
        let backOut = try backOut()
        _ = try backOut.newRows(rules)
        #expect(throws: DatabaseError.busy) { _ = try backOut.run(rules) }
        #expect(try await texts(later, notes) == ["one 100", "two 200", "three 300"])
        try later.close()
        try folder.write("half a file", to: "work/tintype.sqlite")
        try folder.write("half a file", to: "work/upgraded.sqlite-wal")
        try goBack().close()
        backOut.finish()
        #expect(!FileManager.default.fileExists(atPath: folder("work")))
    }

    @Test("An earlier version says of a later database what to do, and can't take it back")
    func earlier() async throws {
        try await update().close()
        let earlier = try Database(path: path, logger: quiet)
        #expect { try earlier.migrate(folder: folder("earlier")) } throws: {
            "\($0)".contains("has migration 0002-colours, of a later version. Install that version again")
        }
        try earlier.close()
        #expect {
            _ = try BackOut(
                of: path, to: copy, in: folder("work"), migrations: folder("earlier"), logger: quiet)
        } throws: { "\($0)".contains("of a later version") }
    }

    @Test("A database says which migrations it has, and which it would get")
    func state() async throws {
        try await update().close()
        let state = try Database.migrationState(path: copy, folder: folder("later"))
        #expect(state.applied == ["0001-notes"] && state.pending == ["0002-colours"])
        let empty = try Database(path: folder("empty.sqlite"), logger: quiet)
        let fresh = try Database.migrationState(path: folder("empty.sqlite"), folder: folder("later"))
        #expect(fresh.applied == [] && fresh.pending.count == 2)
        try empty.close()
    }
}
