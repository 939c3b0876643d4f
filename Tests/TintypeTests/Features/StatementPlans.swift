import Foundation
import Storage
import Synchronization
import Testing

@testable import Core
@testable import Tintype

/// Looks at how SQLite carries out each statement that the application runs, and reports those that read a whole table
/// that grows with use. Every ``World`` has it look, so each statement that any test reaches is explained against the
/// migrated schema, once in a process.
enum StatementPlans {
    /// Tables that stay small, however much the server is used.
    private static let smallTables: Set = [
        "server_values", "server_settings", "storage_ids", "storage_migrations",
    ]

    /// Indexes of few rows of a table: the administrators, the open reports, the jobs that failed.
    private static let smallIndexes: Set = ["accounts_administrators", "reports_open", "jobs_failing"]

    /// The statements that may read a table, by words that only they have, and why.
    private static let allowed: [(words: String, why: String)] = [
        ("SELECT id, kept, counted FROM (", "tintype check counts everything again"),
        ("COALESCE(f.byte_count, 0) AS counted", "tintype check counts everything again"),
        ("SELECT b.key FROM blobs b WHERE NOT (", "tintype check, and the copy in a backup"),
        ("SELECT 1 FROM jobs WHERE kind = $1 AND payload = $2", "tintype check, for files without a row"),
        ("SELECT count(*) FROM posts WHERE parent_id IS NULL", "the overview of the administrators"),
        ("SELECT count(*) AS files, COALESCE(CAST(sum(byte_count)", "/metrics, once a minute at most"),
        ("SELECT 1 FROM accounts LIMIT 1", "ends at the first row"),
        ("SELECT 1 FROM accounts WHERE id <> $1 AND is_suspended = 0 LIMIT 1", "ends at the first in use"),
        ("SELECT run_at FROM jobs ORDER BY run_at LIMIT 1", "ends at the first row of the index"),
        ("SELECT 1 FROM attempts LIMIT 1", "ends at the first row"),
        ("SELECT 1 FROM blobs LIMIT 1", "ends at the first row"),
        ("SELECT forgiven_at FROM attempts ORDER BY forgiven_at DESC", "the sweep, after 100,000 rows"),
        ("(SELECT kind FROM jobs LIMIT 10000)", "ends at 10,000 rows"),
        ("p.visibility = 'public' AND a.is_suspended = 0", "the first page of posts_public, with a limit"),
        ("push_subscriptions WHERE 1 = 1", "once, when the server starts with another secrets.key"),
    ]

    private static let seen = Mutex<Set<String>>([])

    static let watch: StatementWatch = { sql, plan in
        guard seen.withLock({ $0.insert(sql).inserted }) else { return }
        log?.add(oneLine(sql))
        do {
            for table in scans(sql, try plan()) where !smallTables.contains(table) {
                guard !allowed.contains(where: { sql.contains($0.words) }), !isOfTests(sql) else { continue }
                Issue.record("A statement reads all of \(table): \(sql)")
            }
        } catch {
            Issue.record("A statement can't be explained: \(error): \(sql)")
        }
    }

    /// The file to which `./test` has every statement written, to find those of the sources that no test runs
    /// (`Tests/language/statements.py`); nil when nobody asks.
    private static let log: Log? = ProcessInfo.processInfo.environment["TINTYPE_STATEMENTS"].map(Log.init)

    private final class Log: Sendable {
        private let file: Mutex<FileHandle>

        /// Opens the file to add to it: tests that end their process are processes of their own.
        init(path: String) {
            let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
            precondition(descriptor >= 0, "\(path) can't be written")
            file = Mutex(FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
        }

        /// Adds a line to the file.
        func add(_ line: String) {
            do {
                try file.withLock { try $0.write(contentsOf: Data("\(line)\n".utf8)) }
            } catch {
                Issue.record("A statement can't be written: \(error)")
            }
        }
    }

    /// Whether a statement is one of the tests, which may read what they like: it is written there, word by word.
    private static func isOfTests(_ sql: String) -> Bool { tests.range(of: Data(oneLine(sql).utf8)) != nil }

    private static let tests: Data = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        var text = ""
        for case let file as URL in files ?? .init() where file.lastPathComponent != "StatementPlans.swift" {
            guard file.pathExtension == "swift" else { continue }
            text += (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        }
        return Data(oneLine(text).utf8)
    }()

    private static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The tables of which a plan reads every row, or every row of an index that isn't small.
    static func scans(_ sql: String, _ steps: [String]) -> [String] {
        steps.compactMap { step in
            // An index that SQLite builds for one statement reads its whole table.
            guard step.hasPrefix("SCAN ") || step.contains(" AUTOMATIC ") else { return nil }
            let words = step.split(separator: " ").map(String.init)
            if words.contains(where: smallIndexes.contains) { return nil }
            return words.count > 1 ? table(named: words[1], in: sql) : nil
        }
    }

    /// The table that a statement calls so; nil for what is no table, such as a subquery.
    private static func table(named name: String, in sql: String) -> String? {
        let words = sql.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
        for (index, word) in words.enumerated() where word == name {
            if tables.contains(word) { return word }
            let before = words[..<index].last { $0.uppercased() != "AS" }
            if let before, tables.contains(before) { return before }
        }
        return nil
    }

    private static let tables = Set(Features.tables.map(\.name) + FeatureSchemaTests.shared)
}

@Suite("Plans of statements", .onlySQLite)
struct StatementPlanTests {
    @Test("A statement that reads a whole table is found, under whatever name")
    func scans() async throws {
        let plans = Mutex<[String: [String]]>([:])
        let world = try await World { configuration in
            configuration.statementWatch = { sql, plan in
                if let steps = try? plan() { plans.withLock { $0[sql] = steps } }
            }
        }
        for (sql, tables) in [
            ("SELECT id FROM posts WHERE caption = 'x'", ["posts"]),
            (
                "SELECT p.id FROM posts AS p JOIN accounts a ON a.id = p.author_id WHERE a.bio = p.caption",
                ["posts"]
            ),
            ("SELECT p.id FROM posts p WHERE p.author_id = 7 AND p.parent_id IS NULL", []),
            ("SELECT few.id FROM (SELECT id FROM posts WHERE id = 7 LIMIT 9) AS few", []),
            ("SELECT count(*) FROM posts", ["posts"]),
        ] as [(String, [String])] {
            _ = try await world.tintype.database.read { try $0.rows(sql) { _ in } }
            #expect(StatementPlans.scans(sql, plans.withLock { $0[sql] ?? [] }) == tables, "\(sql)")
        }
    }

    @Test("Every reference to another table has an index, so that deleting a row reads no whole table")
    func references() async throws {
        let world = try await World()
        let database = world.tintype.database
        let tables = Features.tables.map(\.name) + FeatureSchemaTests.shared
        for table in tables {
            let columns = try await database.read { transaction in
                try transaction.values(
                    "SELECT \"from\" FROM pragma_foreign_key_list($1)", table, as: String.self)
            }
            for column in columns {
                let steps = try await database.read { transaction in
                    try transaction.rows("EXPLAIN QUERY PLAN SELECT 1 FROM \(table) WHERE \(column) = $1", 7)
                    {
                        try $0.string("detail")
                    }
                }
                #expect(steps.allSatisfy { $0.hasPrefix("SEARCH") }, "\(table).\(column): \(steps)")
            }
        }
    }
}
