import Foundation
import Logging
import Storage
import Synchronization

@testable import Core
@testable import People

/// A database with jobs, and runners that each open it as a process of its own would.
final class Outbox: Sendable {
    let clock = TestClock()
    let log = RecordedLog()
    let folder: String
    let database: Database
    private let ownsFolder: Bool

    /// - Parameter folder: where a database is already; nil for a new one that goes with the test.
    init(folder: String? = nil) throws {
        ownsFolder = folder == nil
        self.folder = folder ?? NSTemporaryDirectory() + "tintype-test-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: self.folder, withIntermediateDirectories: true)
        database = try Self.open(self.folder, clock, log)
        _ = try database.migrate(folder: try Resources.folder("migrations").path)
    }

    deinit {
        if ownsFolder { try? FileManager.default.removeItem(atPath: folder) }
    }

    private static func open(
        _ folder: String, node: Int = 0, _ clock: TestClock, _ log: RecordedLog
    ) throws -> Database {
        try Database(path: "\(folder)/tintype.sqlite", node: node, now: { clock.now }, logger: log.logger)
    }

    func add(_ payloads: String...) async throws { try await add(payloads) }

    func add(_ payloads: [String], _ kind: JobKind = .eraseBlob) async throws {
        try await database.write { transaction in
            for payload in payloads { try transaction.schedule(kind, payload: payload) }
        }
    }

    func execute(_ sql: String) async throws { try await database.write { try $0.execute(sql) } }

    /// Runs the work of this process while the closure runs.
    func running(
        _ handler: @escaping JobRunner.Handler, _ body: @Sendable () async throws -> Void
    ) async throws {
        let runner = JobRunner(
            database: database, afterErasures: {}, logger: log.logger, now: { [clock] in clock.now })
        runner.handle([.eraseBlob: handler, .revokeConnection: handler])
        let work = Task { try await runner.run() }
        do {
            try await body()
        } catch {
            work.cancel()
            throw error
        }
        work.cancel()
        try await work.value
    }

    func count() async throws -> Int {
        try await database.read { try JobOutbox($0).counts().values.reduce(0, +) }
    }

    func runner(
        node: Int = 0, afterErasures: @escaping @Sendable () async throws -> Void = {},
        _ handler: @escaping JobRunner.Handler
    ) throws -> JobRunner {
        let runner = JobRunner(
            database: try Self.open(folder, node: node, clock, log), afterErasures: afterErasures,
            logger: log.logger, now: { [clock] in clock.now })
        runner.handle([.eraseBlob: handler, .revokeConnection: handler])
        return runner
    }
}

/// The lines of a log.
final class RecordedLog: Sendable {
    private let written = Mutex<[String]>([])

    var lines: [String] { written.withLock { $0 } }

    var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

    private struct Handler: LogHandler {
        let log: RecordedLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.warning

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            log.written.withLock { $0.append("\(event.message) \(event.metadata ?? [:])") }
        }
    }
}
