import Foundation
import Storage
import Testing

/// What a process that is killed had promised must be there afterwards, and nothing half-made.
/// `Tests/browser/test_kills.py` does the same to the whole server.
@Suite(
    "Killed at random moments", .serialized,
    .enabled(if: ProcessInfo.processInfo.environment["TINTYPE_LONG"] != nil, "takes long"))
struct KillTests {
    static let rounds = 25

    @Test("Every acknowledged write is there once, and ids go on growing")
    func writes() async throws {
        let folder = try TemporaryFolder()
        var highest: Int64 = 0
        var total = 0
        for _ in 0..<Self.rounds {
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String] in
                try await Self.writeUntilKilled(in: path)
            }
            let acknowledged = try Self.acknowledged(in: folder)
            let database = try Database(path: folder("tintype.sqlite"), logger: quiet)
            #expect(try await database.integrityProblems() == [])
            let (rows, halves) = try await database.read { transaction in
                (
                    try transaction.values("SELECT id FROM note ORDER BY id", as: String.self),
                    // Each write makes two notes, which is all or nothing.
                    try transaction.value(
                        "SELECT count(*) FROM note WHERE id NOT IN (SELECT other FROM note)", as: Int.self)
                )
            }
            #expect(halves == 0)
            #expect(Set(acknowledged).subtracting(rows).isEmpty)
            #expect(rows.count >= total)
            total = rows.count
            let next = try await database.write { $0.newID() }
            #expect(next > highest)
            #expect(rows.last.flatMap { Int64($0) }.map { next > $0 } ?? true)
            highest = next
            try database.close()
        }
        #expect(total > Self.rounds)
    }

    @Test("Every acknowledged blob is whole, and after the recovery no other file remains")
    func blobs() async throws {
        let folder = try TemporaryFolder()
        for _ in 0..<Self.rounds {
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String] in
                try await Self.storeUntilKilled(in: path)
            }
            let blobs = try BlobFolder(path: folder("blobs"))
            let acknowledged = Set(try Self.acknowledged(in: folder))
            let stored = try await blobs.keys(after: nil, limit: .max)
            #expect(acknowledged.isSubset(of: stored.map(\.rawValue)))
            // What was acknowledged stands for what a row names.
            try await blobs.recover { acknowledged.contains($0.rawValue) }
            let keys = try await blobs.keys(after: nil, limit: .max)
            #expect(Set(keys.map(\.rawValue)) == acknowledged)
            for key in keys {
                // Every blob is a repeated byte and as long as that says.
                let bytes = try await blobs.read(key, 0..<Int.max)
                let first = try #require(bytes.first)
                #expect(bytes.count == Self.byteCount(first))
                // As data, which are compared at once: byte by byte takes minutes in a debug build.
                #expect(Data(bytes) == Data(repeating: first, count: bytes.count))
            }
            #expect(!folder.files.contains { $0.contains("/incoming/") })
        }
    }

    /// Writes notes in pairs from eight tasks, until it is killed.
    private static func writeUntilKilled(in folder: String) async throws {
        let database = try Database(path: folder + "/tintype.sqlite", logger: quiet)
        try await database.write { transaction in
            try transaction.execute(
                "CREATE TABLE IF NOT EXISTS note (id TEXT PRIMARY KEY, other TEXT, text TEXT)")
        }
        killSoon()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    while true {
                        let ids = try await database.write { transaction in
                            let ids = [transaction.newID(), transaction.newID()]
                            for (id, other) in [(ids[0], ids[1]), (ids[1], ids[0])] {
                                try transaction.execute(
                                    "INSERT INTO note (id, other, text) VALUES ($1, $2, $3)", "\(id)",
                                    "\(other)",
                                    String(repeating: "text ", count: .random(in: 1...500)))
                            }
                            return ids
                        }
                        try acknowledge(ids.map { "\($0)" }, in: folder)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Receives blobs in four tasks, until it is killed.
    private static func storeUntilKilled(in folder: String) async throws {
        let blobs = try BlobFolder(path: folder + "/blobs")
        killSoon()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    while true {
                        let byte = UInt8.random(in: .min ... .max)
                        let bytes = [UInt8](repeating: byte, count: byteCount(byte))
                        let incoming = try blobs.receive()
                        for chunk in stride(from: 0, to: bytes.count, by: 50_000) {
                            try await incoming.write(bytes[chunk...].prefix(50_000))
                        }
                        try acknowledge([try await blobs.commit(incoming).key.rawValue], in: folder)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func byteCount(_ byte: UInt8) -> Int { 1 + Int(byte) * 4000 }

    /// Kills this process within the next tenth of a second, as the kernel would: at once, whatever it does.
    private static func killSoon() {
        let microseconds = UInt32.random(in: 0...100_000)
        Thread {
            usleep(microseconds)
            kill(getpid(), SIGKILL)
        }.start()
    }

    /// Notes what was acknowledged in a file, which outlives the process.
    private static func acknowledge(_ names: [String], in folder: String) throws {
        let file = try #require(fopen(folder + "/acknowledged", "a"))
        fputs(names.map { $0 + "\n" }.joined(), file)
        fclose(file)
    }

    private static func acknowledged(in folder: TemporaryFolder) throws -> [String] {
        let file = folder("acknowledged")
        guard FileManager.default.fileExists(atPath: file) else { return [] }
        let text = try String(contentsOfFile: file, encoding: .utf8)
        // What follows the last line break was cut off by the kill.
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
}
