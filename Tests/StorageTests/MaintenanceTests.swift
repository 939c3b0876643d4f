import Foundation
import Storage
import Testing

@Suite("Backups, checks and erasure")
struct MaintenanceTests {
    @Test(
        "A backup taken while writes go on is one state of the database, complete and its owner's alone",
        .onlySQLite)
    func backup() async throws {
        let notes = try Notes()
        let copy = notes.folder("copy.sqlite")
        try await notes.add("first")
        let writing = Task {
            // Two notes a transaction: a copy of one state has an odd number.
            while true {
                try Task.checkCancellation()
                try await notes.database.write { transaction in
                    for _ in 0..<2 { try transaction.addNote(String(repeating: "text ", count: 500)) }
                }
            }
        }
        for _ in 0..<5 {
            try await notes.database.backup(to: copy)
            let restored = try Database(path: copy, logger: quiet)
            #expect(try await restored.integrityProblems() == [])
            let count = try await restored.read { transaction in
                try transaction.value("SELECT count(*) FROM note", as: Int.self) ?? 0
            }
            #expect(count % 2 == 1)
            try restored.close()
            let permissions =
                try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int
            #expect(permissions == 0o600)
        }
        writing.cancel()
        await #expect(throws: CancellationError.self) { try await writing.value }
        #expect(!notes.folder.files.contains { $0.contains("unfinished") })
    }

    @Test("A backup that can't be written is an error and leaves what was there")
    func failedBackup() async throws {
        let notes = try Notes()
        try FileManager.default.createDirectory(
            atPath: notes.folder("copy"), withIntermediateDirectories: true)
        await #expect(throws: DatabaseError.self) {
            try await notes.database.backup(to: notes.folder("copy"))
        }
        await #expect(throws: DatabaseError.self) {
            try await notes.database.backup(to: notes.folder("no/copy"))
        }
        #expect(!notes.folder.files.contains { $0.contains("unfinished") })
    }

    @Test("Damage is found", .onlySQLite)
    func damage() async throws {
        let folder = try TemporaryFolder()
        do {
            let notes = try Notes(folder: folder)
            for _ in 0..<200 { try await notes.add(String(repeating: "text ", count: 100)) }
            #expect(try await notes.database.integrityProblems() == [])
            try notes.database.close()
        }
        let file = try #require(FileHandle(forUpdatingAtPath: folder("tintype.sqlite")))
        try file.seek(toOffset: 60_000)
        try file.write(contentsOf: [UInt8](repeating: 0xa5, count: 20_000))
        try file.close()
        let damaged = try Database(path: folder("tintype.sqlite"), logger: quiet)
        do {
            #expect(try await damaged.integrityProblems() != [])
        } catch DatabaseError.corrupt {
            // Also right: the check itself could not go on.
        }
        await #expect(throws: DatabaseError.corrupt) {
            try await damaged.read { _ = try $0.values("SELECT text FROM note", as: String.self) }
        }
    }

    @Test("A file that is no database is refused as corrupt")
    func noDatabase() throws {
        let folder = try TemporaryFolder()
        try folder.write(String(repeating: "This is a letter. ", count: 100), to: "letter.txt")
        #expect(throws: DatabaseError.corrupt) { try Database(path: folder("letter.txt"), logger: quiet) }
    }

    @Test("References to missing rows are found", .onlySQLite)
    func danglingReference() async throws {
        let notes = try Notes()
        try await notes.database.write { transaction in
            try transaction.execute(
                "CREATE TABLE reply (id INTEGER PRIMARY KEY, author_id INTEGER /*REFERENCES author (id)*/)")
            try transaction.execute("INSERT INTO reply VALUES (5, 77)")
        }
        try notes.database.close()
        // The reference is declared behind the back of SQLite, which would refuse the row otherwise.
        let path = notes.folder("tintype.sqlite")
        var bytes = try Data(contentsOf: URL(filePath: path))
        let comment = try #require(bytes.range(of: Data("/*REFERENCES author (id)*/".utf8)))
        bytes.replaceSubrange(comment, with: Data("  REFERENCES author (id)  ".utf8))
        try bytes.write(to: URL(filePath: path))
        let database = try Database(path: path, logger: quiet)
        let problems = try await database.integrityProblems()
        #expect(problems == ["row 5 of reply refers to a row of author that is gone"])
    }

    @Test("Nothing of a deleted row remains in any file after the erasure", .onlySQLite)
    func erasure() async throws {
        let notes = try Notes()
        let mark = "secret-\(UUID().uuidString)"
        let ids = try await notes.database.write { transaction in
            try (0..<50).map { _ in try transaction.addNote(String(repeating: mark, count: 200)) }
        }
        func filesWithMark() throws -> [String] {
            try notes.folder.files.filter {
                try Data(contentsOf: URL(fileURLWithPath: $0)).range(of: Data(mark.utf8)) != nil
            }
        }
        #expect(try !filesWithMark().isEmpty)
        try await notes.database.write { transaction in
            for id in ids { try transaction.execute("DELETE FROM note WHERE id = $1", id) }
        }
        try await notes.database.eraseDeleted()
        #expect(try filesWithMark() == [])
    }

    @Test("An erasure that a long read keeps off is busy, and works afterwards", .onlySQLite)
    func busyErasure() async throws {
        let notes = try Notes(inPlace: 0)
        try await notes.add("a")
        let gate = Gate()
        async let reading: Void = notes.database.read { transaction in
            _ = try transaction.value("SELECT count(*) FROM note", as: Int.self)
            gate.enter()
        }
        await until { gate.isReached }
        try await notes.add("b")
        await #expect(throws: DatabaseError.busy) { try await notes.database.eraseDeleted() }
        gate.open()
        try await reading
        try await notes.database.eraseDeleted()
        #expect(try await notes.texts == ["a", "b"])
    }

    @Test("The log stays short however much is written", .onlySQLite)
    func shortLog() async throws {
        let notes = try Notes()
        let text = String(repeating: "text ", count: 20_000)
        for _ in 0..<1_000 { try await notes.add(text) }
        func byteCount(_ name: String) throws -> Int {
            try #require(
                try FileManager.default.attributesOfItem(atPath: notes.folder(name))[.size] as? Int)
        }
        #expect(try byteCount("tintype.sqlite") > 50_000_000)
        #expect(try byteCount("tintype.sqlite-wal") < 40_000_000)
    }

    @Test("The database's files are their owner's alone", .onlySQLite)
    func permissions() async throws {
        let notes = try Notes()
        try await notes.add("a")
        let files = notes.folder.files.filter { $0.contains(".sqlite") }
        #expect(files.count == 3)
        for file in files {
            let permissions =
                try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(permissions == 0o600)
        }
    }
}
