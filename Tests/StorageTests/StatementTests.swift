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
            try transaction.row("SELECT $2, $1, $2", "one", "two") {
                [try $0.string(0), try $0.string(1), try $0.string(2)]
            }
        }
        #expect(answer == ["two", "one", "two"])
    }

    @Test(
        "A value comes back as it went in",
        arguments: [
            .null, .integer(.min), .integer(.max), .real(0.1), .real(-0.0), .text(""), .text("a\u{0}b"),
            .text("👩🏽‍🚀 שלום"), .bytes([]), .bytes([0, 255, 0]),
        ] as [SQLValue])
    func roundTrip(value: SQLValue) async throws {
        let back = try await notes.database.read { transaction in
            try transaction.row("SELECT $1", value) { try $0.get(0, as: SQLValue.self) }
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

    @Test("Typed values are read by their types, optional ones by context")
    func typedValues() async throws {
        let date = Date(milliseconds: 1_700_000_000_123)
        try await notes.database.read { transaction in
            let row: Void? = try transaction.row(
                "SELECT $1, $2, $3, $4, $5, $6, $7", ID(rawValue: 7), Audience.followers, true, date, 1.5,
                ID?.none, [UInt8]([1, 2])
            ) { row in
                let id: ID = try row.get(0)
                #expect(id == ID(rawValue: 7))
                #expect(try row.get(1) as Audience == .followers)
                #expect(try row.bool(2) == true)
                #expect(try row.date(3) == date)
                #expect(try row.get(3) as Date? == date)
                #expect(try row.double(4) == 1.5)
                let missing: ID? = try row.get(5)
                #expect(missing == nil)
                #expect(row.isNull(5))
                #expect(try row.optionalInt64(5) == nil)
                #expect(try row.optionalInt64(0) == 7)
                #expect(try row.optionalString(1) == "followers")
                #expect(try row.bytes(6) == [1, 2])
            }
            #expect(row != nil)
        }
    }

    @Test("A value of another kind, NULL or a missing column is an error, never a default")
    func mismatches() async throws {
        try await notes.database.read { transaction in
            _ = try transaction.row("SELECT 'text', NULL, 2, 'friends'") { row in
                #expect(throws: DatabaseError.self) { try row.int64(0) }
                #expect(throws: DatabaseError.self) { try row.string(1) }
                #expect(throws: DatabaseError.self) { try row.date(1) }
                #expect(throws: DatabaseError.self) { try row.bool(2) }
                #expect(throws: DatabaseError.self) { try row.bytes(0) }
                #expect(throws: DatabaseError.self) { try row.get(3, as: Audience.self) }
                #expect(throws: DatabaseError.self) { try row.string(4) }
                #expect(throws: DatabaseError.self) { try row.get(4) as Int64? }
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

    @Test("The number of changed rows is told, also after a statement that changes none")
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
            return try transaction.row("UPDATE note SET text = text || 2 RETURNING text") { try $0.string(0) }
        }
        #expect(first == "a2")
        #expect(try await notes.texts == ["a2", "b2", "c2"])
        await #expect(throws: DatabaseError.foreignKeyViolation) {
            try await notes.database.write { transaction in
                _ = try transaction.row("UPDATE note SET author_id = 9 RETURNING id") { try $0.int64(0) }
            }
        }
    }

    @Test("A statement can be used again while its rows are read")
    func reentrancy() async throws {
        let pairs = try await notes.database.write { transaction in
            for text in ["a", "b"] { try transaction.addNote(text) }
            return try transaction.rows("SELECT text FROM note ORDER BY id") { outer in
                let outer = try outer.string(0)
                return try transaction.rows("SELECT text FROM note ORDER BY id") {
                    outer + (try $0.string(0))
                }
            }
        }
        #expect(pairs == [["aa", "ab"], ["ba", "bb"]])
    }

    @Test("A wrong number of arguments, several statements and none are errors")
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
                sum + (try transaction.row("SELECT \(number)") { try $0.int(0) } ?? 0)
            }
        }
        #expect(sum == 1199 * 600)
    }

    @Test("Constraints are told apart")
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
