import Foundation
import Storage
import Testing

@Suite("Statements and rows")
struct StatementTests {
    let notes: Notes

    init() throws {
        notes = try Notes()
    }

    @Test("Arguments are numbered by their digits, not by their first appearance")
    func numbering() async throws {
        let answer = try await notes.database.read { transaction in
            try transaction.row("SELECT $2 AS a, $1 AS b, $2 AS c", "one", "two") {
                [try $0.string("a"), try $0.string("b"), try $0.string("c")]
            }
        }
        #expect(answer == ["two", "one", "two"])
    }

    @Test(
        "A value comes back as it went in", .onlySQLite,
        arguments: [
            .null, .integer(.min), .integer(.max), .real(0.1), .real(-0.0), .text(""), .text("a\u{0}b"),
            .text("👩🏽‍🚀 שלום"), .bytes([]), .bytes([0, 255, 0]),
        ] as [SQLValue])
    func roundTrip(value: SQLValue) async throws {
        let back = try await notes.database.read { transaction in
            try transaction.row("SELECT $1 AS back", value) { try $0.get("back", as: SQLValue.self) }
        }
        #expect(back == value)
    }

    struct ID: RawRepresentable, Hashable, SQLConvertible {
        let rawValue: Int64
    }

    enum Audience: String, SQLConvertible {
        case everyone
        case followers
    }

    @Test("Typed values are read by their types, optional ones by context", .onlySQLite)
    func typedValues() async throws {
        let date = Date(milliseconds: 1_700_000_000_123)
        try await notes.database.read { transaction in
            let row: Void? = try transaction.row(
                """
                SELECT $1 AS id, $2 AS audience, $3 AS flag, $4 AS date, $5 AS number, $6 AS missing, $7 AS bytes
                """, ID(rawValue: 7), Audience.followers, true, date, 1.5, ID?.none, [UInt8]([1, 2])
            ) { row in
                let id: ID = try row.get("id")
                #expect(id == ID(rawValue: 7))
                #expect(try row.get("audience") as Audience == .followers)
                #expect(try row.bool("flag") == true)
                #expect(try row.date("date") == date)
                #expect(try row.get("date") as Date? == date)
                #expect(try row.double("number") == 1.5)
                let missing: ID? = try row.get("missing")
                #expect(missing == nil)
                #expect(row.isNull("missing"))
                #expect(try row.optionalInt64("missing") == nil)
                #expect(try row.optionalInt64("id") == 7)
                #expect(try row.optionalString("audience") == "followers")
                #expect(try row.bytes("bytes") == [1, 2])
            }
            #expect(row != nil)
        }
    }

    @Test("A value of another kind, NULL or a missing column is an error, never a default")
    func mismatches() async throws {
        try await notes.database.read { transaction in
            _ = try transaction.row("SELECT 'text' AS a, NULL AS b, 2 AS c, 'friends' AS d") { row in
                #expect(throws: DatabaseError.self) { try row.int64("a") }
                #expect(throws: DatabaseError.self) { try row.string("b") }
                #expect(throws: DatabaseError.self) { try row.date("b") }
                #expect(throws: DatabaseError.self) { try row.bool("c") }
                #expect(throws: DatabaseError.self) { try row.bytes("a") }
                #expect(throws: DatabaseError.self) { try row.get("d", as: Audience.self) }
                #expect(throws: DatabaseError.self) { try row.string("e") }
                #expect(throws: DatabaseError.self) { try row.optionalString("e") }
                #expect(throws: DatabaseError.self) { try row.get("e") as Int64? }
            }
        }
    }

    @Test("Two columns of one name are an error, also when neither is read")
    func equalNames() async throws {
        try await notes.database.write { transaction in
            try transaction.addNote("a")
            for sql in ["SELECT 1 AS a, 2 AS a", "SELECT n.id, o.id FROM note n JOIN note o ON o.id = n.id"] {
                #expect(throws: DatabaseError.self) { try transaction.rows(sql) { _ in } }
            }
        }
    }

    @Test("A query of one column gives its values")
    func values() async throws {
        try await notes.database.write { transaction in
            #expect(try transaction.value("SELECT text FROM note", as: String.self) == nil)
            #expect(try transaction.values("SELECT text FROM note") == [String]())
            for text in ["a", "b"] { try transaction.addNote(text) }
            #expect(try transaction.value("SELECT text FROM note ORDER BY id") == "a")
            #expect(try transaction.values("SELECT text FROM note ORDER BY id") == ["a", "b"])
            #expect(try transaction.value("SELECT author_id FROM note", as: ID.self) == nil)
            #expect(throws: DatabaseError.self) {
                try transaction.values("SELECT author_id FROM note", as: ID.self)
            }
            #expect(throws: DatabaseError.self) {
                try transaction.value("SELECT text FROM note", as: Int.self)
            }
            #expect(throws: DatabaseError.self) {
                try transaction.value("SELECT id, text FROM note", as: Int.self)
            }
            #expect(throws: DatabaseError.self) {
                try transaction.values("SELECT id, text FROM note", as: Int.self)
            }
        }
    }

    @Test("Dates keep whole milliseconds, and absurd ones don't stop the program")
    func dates() {
        #expect(Date(timeIntervalSince1970: 1.0006).milliseconds == 1001)
        #expect(Date(milliseconds: -1).milliseconds == -1)
        #expect(Date(timeIntervalSince1970: .infinity).milliseconds == 1 << 53)
        #expect(Date(timeIntervalSince1970: 1e300).milliseconds == 1 << 53)
    }

    @Test("The number of changed rows is returned, also after a statement that changes none")
    func changedRows() async throws {
        try await notes.database.write { transaction in
            for _ in 0..<3 { try transaction.addNote("a") }
            #expect(try transaction.execute("UPDATE note SET text = $1", "b") == 3)
            #expect(try transaction.execute("CREATE TABLE other (id INTEGER)") == 0)
            #expect(try transaction.execute("UPDATE note SET text = $1 WHERE id = 0", "b") == 0)
            #expect(try transaction.execute("DELETE FROM note") == 3)
        }
    }

    @Test("A change that returns rows is complete though only the first row is read")
    func returning() async throws {
        let first = try await notes.database.write { transaction in
            for text in ["a", "b", "c"] { try transaction.addNote(text) }
            return try transaction.value("UPDATE note SET text = text || 2 RETURNING text", as: String.self)
        }
        #expect(first == "a2")
        #expect(try await notes.texts == ["a2", "b2", "c2"])
        await #expect(throws: DatabaseError.foreignKeyViolation) {
            try await notes.database.write { transaction in
                _ = try transaction.value("UPDATE note SET author_id = 9 RETURNING id", as: Int64.self)
            }
        }
    }

    @Test("A statement can be used again while its rows are read")
    func reentrancy() async throws {
        let pairs = try await notes.database.write { transaction in
            for text in ["a", "b"] { try transaction.addNote(text) }
            return try transaction.rows("SELECT text FROM note ORDER BY id") { outer in
                let outer = try outer.string("text")
                return try transaction.rows("SELECT text FROM note ORDER BY id") {
                    outer + (try $0.string("text"))
                }
            }
        }
        #expect(pairs == [["aa", "ab"], ["ba", "bb"]])
    }

    @Test("A wrong number of arguments, several statements and none are errors", .onlySQLite)
    func misuse() async throws {
        try await notes.database.read { transaction in
            for (sql, arguments) in [
                ("SELECT $1", []), ("SELECT 1", [1]), ("SELECT 1; SELECT 2", []), ("", []), ("SELEC", []),
            ] as [(String, [Int])] {
                #expect(throws: DatabaseError.self) {
                    try transaction.rows(sql, arguments: arguments) { _ in }
                }
            }
        }
    }

    @Test("More different statements than are kept prepared all work")
    func manyStatements() async throws {
        let sum = try await notes.database.read { transaction in
            try (0..<1200).reduce(0) { sum, number in
                sum + (try transaction.value("SELECT \(number)", as: Int.self) ?? 0)
            }
        }
        #expect(sum == 1199 * 600)
    }

    @Test("Each kind of constraint has its own error")
    func constraints() async throws {
        let database = notes.database
        try await database.write { transaction in
            try transaction.execute("INSERT INTO author (id, name) VALUES (1, 'ana')")
            try transaction.execute("CREATE UNIQUE INDEX folded_text ON note (lower(text))")
            try transaction.execute("INSERT INTO note (id, text) VALUES (1, 'hello')")
        }
        func error(_ sql: String) async throws -> DatabaseError? {
            do {
                try await database.write { try $0.execute(sql) }
                return nil
            } catch let error as DatabaseError {
                return error
            }
        }
        #expect(
            try await error("INSERT INTO author VALUES (2, 'ana')")
                == .uniqueViolation(constraint: "author.name"))
        #expect(
            try await error("INSERT INTO author VALUES (1, 'bo')")
                == .uniqueViolation(constraint: "author.id"))
        #expect(
            try await error("INSERT INTO note (id, text) VALUES (2, 'HELLO')")
                == .uniqueViolation(constraint: "folded_text"))
        #expect(
            try await error("INSERT INTO note (id, author_id, text) VALUES (3, 9, 'a')")
                == .foreignKeyViolation)
        #expect(try await error("INSERT INTO note (id, text) VALUES (3, 'forbidden')") == .checkViolation)
        guard case .other = try await error("INSERT INTO note (id, text) VALUES (3, NULL)") else {
            Issue.record("NULL must be refused")
            return
        }
        guard case .other = try await error("INSERT INTO note (id, text) VALUES ('one', 'a')") else {
            Issue.record("text must be refused in a column of integers")
            return
        }
    }
}
