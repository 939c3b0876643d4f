import Core
import Foundation
import Imaging
import Serving
import Storage
import Synchronization

/// The gauges for an operator's graphs: the lengths of queues, the use of pools, the space on the disk.
final class ServerGauges: Sendable {
    /// The storage that the server uses, in bytes.
    struct Storage: Sendable {
        /// The size of all pictures' files, as it was within the last minute.
        var pictures: Int
        /// The size of the database, with the log that isn't copied into its file yet.
        var database: Int
        /// The free space on the disk of the data folder.
        var free: Int
    }

    /// How the server does.
    struct Health: Sendable {
        /// The number of background jobs that failed and will be tried again.
        var failingJobs: Int
        /// For how long the oldest due job waits, in seconds.
        var delay: Int
        /// The answers of the last 24 hours that said that the server failed.
        var failures: Int
    }

    private struct Blobs: Sendable {
        var count: Int
        var bytes: Int
        var readAt: Date
    }

    private let database: Database
    private let blobs: any BlobStore
    private let processor: ImageProcessor
    private let hasher: PasswordHasher
    private let events: EventBus
    private let jobs: JobRunner
    private let metrics: Metrics
    private let push: @Sendable () -> [Metrics.Gauge]
    /// The data folder.
    private let folder: String
    private let now: @Sendable () -> Date
    private let lastBlobs = Mutex<Blobs?>(nil)

    /// The time for which the sum of all files is kept, in seconds, because the sum reads a whole table.
    private static let blobsSeconds: TimeInterval = 60

    init(
        database: Database, blobs: any BlobStore, processor: ImageProcessor, hasher: PasswordHasher,
        events: EventBus, jobs: JobRunner, metrics: Metrics, push: @escaping @Sendable () -> [Metrics.Gauge],
        folder: String,
        now: @escaping @Sendable () -> Date
    ) {
        self.database = database
        self.blobs = blobs
        self.processor = processor
        self.hasher = hasher
        self.events = events
        self.jobs = jobs
        self.metrics = metrics
        self.push = push
        self.folder = folder
        self.now = now
    }

    /// Returns the present values of all gauges.
    func read() async throws -> [Metrics.Gauge] {
        let waitingJobs = try await database.read { transaction in
            let store = JobOutbox(transaction)
            let due = try store.nextRun()
            return (
                try store.counts(), try store.failingCount(),
                due.map { transaction.now.timeIntervalSince($0) } ?? 0
            )
        }
        let kinds = jobs.kinds.map { (["kind": $0.name], Double(waitingJobs.0[$0.name] ?? 0)) }
        let files = try await files()
        let size = try await database.size()
        let waiting = database.waiting
        return [
            .init("tintype_jobs_waiting", "Background jobs that wait, those not due yet included.", kinds),
            .init(
                "tintype_jobs_failing", "Background jobs that failed and will be tried again.", waitingJobs.1),
            .init(
                "tintype_jobs_delay_seconds", "For how long the oldest due job waits.", max(0, waitingJobs.2)),
            .init("tintype_database_reads_waiting", "Reads that wait for a thread.", waiting.reads),
            .init(
                "tintype_database_writes_waiting", "Transactions that wait for the writer.", waiting.writes),
            .init("tintype_files_waiting", "Operations with files that wait for a thread.", blobs.waiting),
            .init("tintype_pictures_waiting", "Pictures that wait for a thread.", processor.waitingCount),
            .init("tintype_pictures_running", "Pictures that are worked on.", processor.runningCount),
            .init(
                "tintype_picture_workers_lost_total",
                "Processes that decode pictures and crashed or were killed.", processor.lossCount),
            .init("tintype_passwords_waiting", "Passwords that wait to be checked.", hasher.waitingCount),
            .init("tintype_streams_open", "Event streams that are open.", events.streamsCount),
            .init("tintype_blobs", "Files in the blob store.", files.count),
            .init("tintype_blob_bytes", "Bytes of files in the blob store.", files.bytes),
            .init("tintype_database_bytes", "Bytes of the database.", size.data),
            .init("tintype_database_log_bytes", "Bytes of the database's log.", size.log),
            .init("tintype_disk_free_bytes", "Bytes free on the disk of the data folder.", try freeBytes()),
            .init("process_resident_memory_bytes", "Memory that the process holds.", Self.residentBytes()),
            .init("process_open_fds", "Open files and connections.", Self.openFiles()),
        ] + push()
    }

    /// Returns the storage that the server uses.
    func storage() async throws -> Storage {
        let size = try await database.size()
        return Storage(
            pictures: try await files().bytes, database: size.data + size.log, free: try freeBytes())
    }

    /// Returns how the server does, in the caller's transaction.
    func health(_ transaction: Transaction) throws -> Health {
        let outbox = JobOutbox(transaction)
        let delay = try outbox.nextRun().map { transaction.now.timeIntervalSince($0) } ?? 0
        return Health(
            failingJobs: try outbox.failingCount(), delay: max(0, Int(delay)), failures: metrics.failures())
    }

    private func files() async throws -> Blobs {
        let instant = now()
        if let last = lastBlobs.withLock({ $0 }), instant.timeIntervalSince(last.readAt) < Self.blobsSeconds {
            return last
        }
        let (count, bytes) = try await database.read { try FileRecords($0).size() }
        let blobs = Blobs(count: count, bytes: bytes, readAt: instant)
        lastBlobs.withLock { $0 = blobs }
        return blobs
    }

    private func freeBytes() throws -> Int { try FileManager.default.freeBytes(at: folder) }

    /// Reads the resident memory from `/proc/self/statm`, whose second number is the resident pages (proc(5)); returns
    /// 0 where there is no such file.
    private static func residentBytes() -> Int {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }

    private static func openFiles() -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }
}
