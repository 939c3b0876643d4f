import Foundation
import Logging
import Storage
import Synchronization
import TestPostgres

/// A folder for one test, removed with its last reference.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "tintype-storage-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        // A database that was not closed may still be putting its files away: then one of them is gone just
        // before it is removed, and the removal ends there.
        for _ in 0..<100 where FileManager.default.fileExists(atPath: path) {
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    /// A path within the folder.
    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a text file, and the folders that its path names.
    func write(_ text: String, to name: String) throws {
        let folder = (self(name) as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try text.write(toFile: self(name), atomically: true, encoding: .utf8)
    }

    /// The paths of all files within, at any depth.
    var files: [String] {
        (FileManager.default.enumerator(atPath: path)?.allObjects as? [String] ?? []).map(callAsFunction)
            .filter {
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(atPath: $0, isDirectory: &isFolder)
                    && !isFolder.boolValue
            }
    }
}

/// A database with a table of notes, in a folder of its own.
struct Notes: Sendable {
    let folder: TemporaryFolder
    let database: Database

    init(
        folder: TemporaryFolder? = nil, inPlace: Int = 4, readers: Int = 4, waitingReads: Int = 4096,
        waitingWrites: Int = 1024, now: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        if let server = TestPostgres.engine {
            let name = TestPostgres.name(for: folder.path)
            try server.make(name)
            database = try Database(
                address: server.address(name), as: .command, readers: readers, writers: 1,
                waitingReads: waitingReads, waitingWrites: waitingWrites,
                now: now, logger: quiet)
        } else {
            database = try Database(
                path: folder("tintype.sqlite"), inPlace: inPlace, readers: readers,
                waitingReads: waitingReads, waitingWrites: waitingWrites, now: now, logger: quiet)
        }
        try folder.write(
            """
            CREATE TABLE author (id BIGINT PRIMARY KEY, name TEXT NOT NULL UNIQUE);
            CREATE TABLE note (
                id BIGINT PRIMARY KEY,
                author_id BIGINT REFERENCES author (id),
                parent_id BIGINT REFERENCES note (id) DEFERRABLE INITIALLY DEFERRED,
                text TEXT NOT NULL CHECK (text <> 'forbidden')
            );
            """, to: "migrations/0001-notes.sql")
        _ = try database.migrate(folder: folder("migrations"))
    }

    /// Writes a note and returns its id.
    @discardableResult
    func add(_ text: String) async throws -> Int64 {
        try await database.write { try $0.addNote(text) }
    }

    /// The texts of all notes in the order of their ids.
    var texts: [String] {
        get async throws {
            try await database.read { transaction in
                try transaction.values("SELECT text FROM note ORDER BY id")
            }
        }
    }
}

extension Transaction {
    @discardableResult
    func addNote(_ text: String) throws -> Int64 {
        let id = newID()
        try execute("INSERT INTO note (id, text) VALUES ($1, $2)", id, text)
        return id
    }
}

extension Database {
    /// Holds the writer's thread, or one of the readers', while the closure runs, so that a test decides what
    /// waits together.
    ///
    /// The closure is given a way to let the thread go before its own end.
    @discardableResult
    func whileHeld<T: Sendable>(
        _ thread: HeldThread, _ body: @Sendable (_ release: @escaping @Sendable () -> Void) async throws -> T
    ) async throws -> T {
        let gate = Gate()
        async let transaction: Void =
            switch thread {
            case .reader: read { _ in gate.enter() }
            case .writer: write { _ in gate.enter() }
            }
        await until { gate.isReached }
        defer { gate.open() }
        let result = try await body { gate.open() }
        gate.open()
        try await transaction
        return result
    }
}

enum HeldThread {
    case reader
    case writer
}

/// A gate at which a thread waits until it is opened: one of a database, which is `inPlace: 0` where a read comes to the gate.
/// The tests’ tasks share as few threads as there are processors, so two tests that hold one each would hold them all.
final class Gate: Sendable {
    private let reached = Atomic(false)
    private let opened = DispatchSemaphore(value: 0)

    var isReached: Bool { reached.load(ordering: .acquiring) }

    func enter() {
        reached.store(true, ordering: .releasing)
        opened.wait()
    }

    func open() {
        opened.signal()
    }
}

let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

/// Waits until a condition holds that other tasks bring about.
func until(_ condition: () async throws -> Bool) async rethrows {
    while try await !condition() { await Task.yield() }
}

/// Runs what blocks for long on a thread of its own, since the tests' tasks share few.
func aside<T: Sendable>(_ work: @escaping @Sendable () throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Result { try work() }) }.start()
    }
}
