import Foundation
import Logging
import Storage
import Synchronization
import TestPostgres
import Testing

@Suite("PostgreSQL", .enabled(if: TestPostgres.server != nil))
struct PostgresTests {
    /// A database of a test's own on the server.
    final class Fresh: Sendable {
        let name: String
        let server: TestPostgres

        init() throws {
            server = try #require(TestPostgres.server)
            name = TestPostgres.name(for: "storage_" + UUID().uuidString)
            try server.make(name)
        }

        deinit {
            try? server.drop(name)
        }

        var address: PostgresAddress { get throws { try server.address(name) } }

        func open(
            _ address: PostgresAddress? = nil, as place: DatabasePlace = .command, writers: Int = 4,
            waiting: Int = 1024,
            patience: Double = 20
        ) throws -> Database {
            try Database(
                address: address ?? self.address, as: place, writers: writers,
                waitingWrites: waiting,
                patience: patience, logger: quiet)
        }

        /// Opens the database and makes a table of notes.
        func withNotes(_ address: PostgresAddress? = nil, patience: Double = 20) async throws -> Database {
            let database = try open(address, patience: patience)
            try await database.write {
                try $0.execute("CREATE TABLE note (id BIGINT PRIMARY KEY, text TEXT NOT NULL, stars INTEGER)")
            }
            return database
        }
    }

    let fresh: Fresh

    init() throws {
        fresh = try Fresh()
    }

    @Test(
        "Integers of every size, Boolean values, text, bytes and real numbers come back as SQLite gives them")
    func kinds() async throws {
        let database = try fresh.open()
        try await database.write { transaction in
            try transaction.execute(
                "CREATE TABLE kinds (s SMALLINT, i INTEGER, b BIGINT, t TEXT, d DOUBLE PRECISION, y BYTEA)")
            try transaction.execute(
                "INSERT INTO kinds VALUES ($1, $2, $3, $4, $5, $6)", 1, -7, Int64.min, "a’b", 0.1,
                [UInt8]([0, 255, 39]))
        }
        let row = try await database.read { transaction in
            try transaction.row(
                "SELECT *, EXISTS (SELECT 1 FROM kinds) AS e, i < 0 AS l, count(*) OVER () AS n FROM kinds"
            ) {
                row in
                try ["s", "i", "b", "t", "d", "y", "e", "l", "n"].map { try row.get($0, as: SQLValue.self) }
            }
        }
        #expect(
            row == [
                .integer(1), .integer(-7), .integer(.min), .text("a’b"), .real(0.1), .bytes([0, 255, 39]),
                .integer(1), .integer(1), .integer(1),
            ])
    }

    @Test("Writes at once that read what they change count each other, and take ids of their own")
    func counter() async throws {
        let database = try await fresh.withNotes()
        try await database.write { try $0.execute("INSERT INTO note VALUES (1, '', 0)") }
        let ids = try await withThrowingTaskGroup(of: Int64.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await database.write { transaction in
                        let stars =
                            try transaction.value("SELECT stars FROM note WHERE id = 1", as: Int.self) ?? 0
                        try transaction.execute("UPDATE note SET stars = $1 WHERE id = 1", stars + 1)
                        return transaction.newID()
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(try await database.read { try $0.value("SELECT stars FROM note", as: Int.self) } == 50)
        #expect(Set(ids).count == 50)
    }

    @Test(
        "What follows a commit runs once, after it, and before the writing task goes on; nothing follows a failure"
    )
    func followUps() async throws {
        struct Refused: Error {}
        let database = try await fresh.withNotes()
        let followed = Counts()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<30 {
                group.addTask {
                    do {
                        let id = try await database.write { transaction in
                            let id = transaction.newID()
                            try transaction.execute("INSERT INTO note VALUES ($1, $2, 0)", id, "\(number)")
                            transaction.afterCommit { reading in
                                let text = try reading.value(
                                    "SELECT text FROM note WHERE id = $1", id, as: String.self)
                                #expect(text == "\(number)")
                                followed.count(id)
                            }
                            if number % 3 == 0 { throw Refused() }
                            return id
                        }
                        #expect(followed[id] == 1)
                    } catch is Refused {
                        #expect(number % 3 == 0)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(followed.all == 20)
    }

    @Test("What follows commits that depend on each other runs in their order")
    func order() async throws {
        let database = try await fresh.withNotes()
        try await database.write { try $0.execute("INSERT INTO note VALUES (1, '', 0)") }
        let order = Order()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    try await database.write { transaction in
                        let stars = try transaction.value(
                            "UPDATE note SET stars = stars + 1 WHERE id = 1 RETURNING stars", as: Int.self)
                        transaction.afterCommit { _ in order.add(stars ?? 0) }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(order.all == Array(1...40))
    }

    @Test("While the server ends connections at random, every acknowledged write is there once")
    func terminated() async throws {
        let database = try await fresh.withNotes()
        let written = try await withThrowingTaskGroup(of: Int64?.self) { group in
            group.addTask { [fresh] in
                let script = try PostgresScript(fresh.server.address("postgres"))
                for _ in 0..<20 {
                    try script.run(
                        """
                        SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                        WHERE datname = '\(fresh.name)' AND random() < 0.5
                        """)
                    try await Task.sleep(for: .milliseconds(20))
                }
                return nil
            }
            for number in 0..<200 {
                group.addTask {
                    try await database.write { transaction in
                        let id = transaction.newID()
                        try transaction.execute("INSERT INTO note VALUES ($1, $2, 0)", id, "\(number)")
                        return id
                    }
                }
            }
            return try await group.reduce(into: Set<Int64>()) { if let id = $1 { $0.insert(id) } }
        }
        let kept: [Int64] = try await database.read { try $0.values("SELECT id FROM note") }
        #expect(Set(kept) == written && kept.count == 200)
    }

    @Test(
        "A commit whose answer is lost is settled by asking: nothing is lost, nothing is done twice",
        arguments: [PostgresProxy.Mode.cutAfterCommit, .cutBeforeCommit])
    func lostAnswer(mode: PostgresProxy.Mode) async throws {
        let proxy = try PostgresProxy(before: fresh.server.folder)
        let database = try await fresh.withNotes(
            proxy.address(of: fresh.name))
        let runs = Counts()
        proxy.mode = mode
        let id = try await database.write { transaction in
            runs.count(0)
            let id = transaction.newID()
            try transaction.execute("INSERT INTO note VALUES ($1, 'once', 0)", id)
            return id
        }
        #expect(try await database.read { try $0.values("SELECT id FROM note") } == [id])
        #expect(runs[0] == (mode == .cutAfterCommit ? 1 : 2))
    }

    @Test("While the server can't be reached, transactions are refused in time; then they go on")
    func unreachable() async throws {
        let proxy = try PostgresProxy(before: fresh.server.folder)
        let database = try await fresh.withNotes(
            proxy.address(of: fresh.name), patience: 0.5)
        proxy.mode = .closed
        await #expect(throws: DatabaseError.busy) {
            try await database.read { try $0.value("SELECT 1", as: Int.self) }
        }
        await #expect(throws: DatabaseError.busy) {
            try await database.write { try $0.execute("INSERT INTO note VALUES (1, '', 0)") }
        }
        proxy.mode = .open
        try await database.write { try $0.execute("INSERT INTO note VALUES (1, '', 0)") }
        #expect(try await database.read { try $0.values("SELECT id FROM note") } == [1])
    }

    @Test("No more transactions wait than may")
    func bounded() async throws {
        let database = try fresh.open(writers: 1, waiting: 2)
        let results = try await database.whileHeld(.writer) { release in
            await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<5 {
                    group.addTask {
                        do {
                            try await database.write { _ in }
                            return true
                        } catch {
                            #expect(error as? DatabaseError == .busy)
                            return false
                        }
                    }
                }
                var refused = 0
                for _ in 0..<3 where await group.next() == false { refused += 1 }
                release()
                return await group.reduce(into: [refused, 0]) { $0[1] += $1 ? 1 : 0 }
            }
        }
        #expect(results == [3, 2])
    }

    @Test(
        "A transaction that gets no connection in time is refused, whatever the others wait for",
        .timeLimit(.minutes(1)))
    func noneFree() async throws {
        let database = try fresh.open(writers: 1, patience: 0.2)
        let done = Counts()
        try await database.whileHeld(.writer) { _ in
            await #expect(throws: DatabaseError.busy) { try await database.write { _ in done.count(1) } }
        }
        // It isn't done later either.
        try await database.write { _ in }
        #expect(done.all == 0)
    }

    @Test("A second server is refused, tools aren't, and each has a number of its own")
    func nodes() async throws {
        let server = try fresh.open(as: .onlyServer)
        #expect { try fresh.open(as: .onlyServer) } throws: { "\($0)".contains("Another Tintype server") }
        let tools = try [fresh.open(), fresh.open()]
        #expect(Set([server.node] + tools.map(\.node)).count == 3)
        try server.close()
        let next = try fresh.open(as: .onlyServer)
        #expect(next.node == server.node)
    }

    @Test(
        "Servers beside others share the database, one that allows no others is refused beside them, and they beside it"
    )
    func servers() async throws {
        let (one, other) = (try fresh.open(as: .server), try fresh.open(as: .server))
        #expect(one.node != other.node)
        #expect { try fresh.open(as: .onlyServer) } throws: { "\($0)".contains("Another Tintype server") }
        try one.close()
        try other.close()
        let only = try fresh.open(as: .onlyServer)
        #expect { try fresh.open(as: .server) } throws: { "\($0)".contains("--blobs") }
        try only.close()
    }

    @Test("Of several processes that start at once on an empty database, one applies each migration")
    func migrations() async throws {
        let folder = try TemporaryFolder()
        for number in 1...5 {
            try folder.write(
                "CREATE TABLE t\(number) (id BIGINT PRIMARY KEY) WITHOUT ROWID;",
                to: "migrations/000\(number)-t.sql")
        }
        let applied = try await withThrowingTaskGroup(of: [String].self) { [fresh] group in
            for _ in 0..<4 {
                group.addTask { try fresh.open().migrate(folder: folder("migrations")) }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(applied.sorted() == (1...5).map { "000\($0)-t" })
        try folder.write("SELEC;", to: "migrations/0006-bad.sql")
        #expect { try fresh.open().migrate(folder: folder("migrations")) } throws: {
            "\($0)".contains("0006-bad")
        }
        let empty = try TemporaryFolder()
        #expect { try fresh.open().migrate(folder: empty.path) } throws: {
            "\($0)".contains("newer than this program")
        }
    }

    @Test("A text with NUL is refused, and what comes after it isn't disturbed")
    func nul() async throws {
        let database = try await fresh.withNotes()
        await #expect(throws: DatabaseError.nulCharacter) {
            try await database.write { try $0.execute("INSERT INTO note VALUES (1, $1, 0)", "a\u{0}b") }
        }
        try await database.write { try $0.execute("INSERT INTO note VALUES (1, $1, 0)", "ab") }
        #expect(try await database.read { try $0.values("SELECT text FROM note") } == ["ab"])
    }

    @Test("A backup is a SQLite file with every row, whatever is written meanwhile")
    func backup() async throws {
        let (folder, database) = (try TemporaryFolder(), try fresh.open())
        try folder.write(
            """
            CREATE TABLE storage_children (id BIGINT PRIMARY KEY, text TEXT NOT NULL, raw BYTEA, size DOUBLE PRECISION);
            CREATE TABLE parents (id BIGINT PRIMARY KEY, child_id BIGINT REFERENCES storage_children (id));
            """, to: "migrations/0001-all.sql")
        _ = try database.migrate(folder: folder("migrations"))
        try await database.write { transaction in
            for number in 1...2_500 {
                try transaction.execute(
                    "INSERT INTO storage_children VALUES ($1, $2, $3, $4)", number, "’\(number)",
                    [UInt8(number % 256)],
                    Double(number) / 3)
            }
            try transaction.execute("INSERT INTO parents VALUES ($1, NULL)", transaction.newID())
        }
        let path = folder("copy.sqlite")
        try await database.backup(to: path)
        let copy = try Database(path: path, logger: quiet)
        #expect(try copy.migrate(folder: folder("migrations")) == [])
        func rows(_ database: Database) async throws -> [[SQLValue]] {
            try await database.read { transaction in
                try transaction.rows("SELECT id, text, raw, size FROM storage_children ORDER BY id") { row in
                    try ["id", "text", "raw", "size"].map { try row.get($0, as: SQLValue.self) }
                }
            }
        }
        #expect(try await rows(copy) == rows(database))
        #expect(try await copy.read { try $0.value("SELECT count(*) FROM parents", as: Int.self) } == 1)
        #expect(try await copy.integrityProblems() == [])
    }

    @Test(
        "Rows move from a SQLite file and back, whatever characters they have; a file in use and a full database are refused"
    )
    func move() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            CREATE TABLE nodes (
                id BIGINT PRIMARY KEY, parent_id BIGINT REFERENCES nodes (id), text TEXT, raw BYTEA,
                size DOUBLE PRECISION
            );
            CREATE TABLE names (name TEXT PRIMARY KEY) WITHOUT ROWID;
            """, to: "migrations/0001-all.sql")
        let path = folder("from.sqlite")
        let source = try Database(path: path, logger: quiet)
        _ = try source.migrate(folder: folder("migrations"))
        let texts = ["", "a\tb\n\r\u{8}\u{B}\u{C}\\N", "\\.", "’👩🏽‍🚀", "\\x00"]
        let last = try await source.write { transaction in
            // A row before the one to which it refers.
            try transaction.execute("INSERT INTO nodes VALUES (9, NULL, NULL, NULL, NULL)")
            for (index, text) in texts.enumerated() {
                try transaction.execute(
                    "INSERT INTO nodes VALUES ($1, 9, $2, $3, $4)", index, text,
                    [UInt8]([0, 9, 10, 92, 255]),
                    [0.1, 1e20, -0.0, Double.leastNonzeroMagnitude, 3.0][index])
                try transaction.execute("INSERT INTO names VALUES ($1)", text)
            }
            return transaction.newID()
        }
        let fill = { [fresh] in
            try Database.fill(fresh.address, from: path, migrations: folder("migrations"), logger: quiet)
        }
        #expect(throws: DatabaseError.busy) { try fill() }
        try source.close()
        #expect(try fill() == 11)
        #expect { try fill() } throws: { "\($0)".contains("isn’t empty") }
        let database = try fresh.open(as: .onlyServer)
        #expect(try database.migrate(folder: folder("migrations")) == [])
        await #expect(throws: DatabaseError.foreignKeyViolation) {
            try await database.write { try $0.execute("INSERT INTO nodes (id, parent_id) VALUES (10, 77)") }
        }
        #expect(try await database.write { $0.newID() } > last)
        try await database.backup(to: folder("back.sqlite"))
        func rows(_ path: String) async throws -> [[SQLValue]] {
            let database = try Database(path: path, logger: quiet)
            return try await database.read { transaction in
                try transaction.rows("SELECT id, parent_id, text, raw, size FROM nodes ORDER BY id") { row in
                    try ["id", "parent_id", "text", "raw", "size"].map { try row.get($0, as: SQLValue.self) }
                }
            }
        }
        #expect(try await rows(folder("back.sqlite")) == rows(path))
    }

    @Test("What can't be connected to says why")
    func refusals() throws {
        let folder = fresh.server.folder
        #expect {
            try fresh.open(PostgresAddress("postgres://locked:wrong@/\(fresh.name)?host=\(folder)"))
        } throws: { "\($0)".contains("password authentication failed") && !"\($0)".contains("wrong") }
        #expect {
            try fresh.open(PostgresAddress("postgres:///missing?host=\(folder)&user=postgres"))
        } throws: { "\($0)".contains("missing") }
        try PostgresScript(fresh.server.address("postgres")).run(
            "CREATE DATABASE other_\(fresh.name) TEMPLATE template0 ENCODING 'SQL_ASCII'")
        defer { try? fresh.server.drop("other_\(fresh.name)") }
        #expect {
            try fresh.open(fresh.server.address("other_\(fresh.name)"))
        } throws: { "\($0)".contains("LOCALE 'C'") }
        #expect { try PostgresAddress("mysql://db/tintype") } throws: {
            "\($0)".contains("begins with postgres://")
        }
        #expect { try PostgresAddress("postgres://db/tintype?ssl=maybe") } throws: { "\($0)".contains("ssl") }
    }

    /// How often something happened, by number.
    final class Counts: Sendable {
        private let counts = Mutex<[Int64: Int]>([:])

        subscript(_ number: Int64) -> Int { counts.withLock { $0[number] ?? 0 } }
        var all: Int { counts.withLock { $0.count } }

        func count(_ number: Int64) { counts.withLock { $0[number, default: 0] += 1 } }
    }

    /// Numbers in the order in which they came.
    private final class Order: Sendable {
        private let numbers = Mutex<[Int]>([])

        var all: [Int] { numbers.withLock { $0 } }

        func add(_ number: Int) { numbers.withLock { $0.append(number) } }
    }
}
