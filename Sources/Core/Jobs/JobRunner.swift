import Foundation
import Logging
import ServiceLifecycle
import Serving
import Storage
import Synchronization

/// Does the jobs that transactions left in the outbox, in the background.
///
/// A job is done at least once, so every handler is safe to repeat. A failed job is tried again with growing pauses,
/// from one second to one hour, for as long as it takes: an erasure may never be forgotten. The lanes of ``JobKind``
/// run at the same time.
package final class JobRunner: Service {
    package typealias Handler = @Sendable (Job) async throws -> Void

    private let database: Database
    private let afterErasures: @Sendable () async throws -> Void
    private let logger: Logger
    private let now: @Sendable () -> Date
    private let lanes = JobKind.Lane.allCases.map { Lane($0) }
    private let handlers = Mutex<[JobKind: Handler]>([:])
    /// The jobs that are leased and not done, with the ends of their leases, which are extended.
    private let held = Mutex<[Job.ID: Date]>([:])

    /// A lane, and the signal that wakes its worker.
    private struct Lane: Sendable {
        let lane: JobKind.Lane
        let wakeUps: AsyncStream<Void>
        let wakeUp: AsyncStream<Void>.Continuation

        init(_ lane: JobKind.Lane) {
            self.lane = lane
            (wakeUps, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        }
    }

    /// The seconds for which a leased job belongs to this node. While it is being done, its lease is extended: when the
    /// node is killed, another node takes the job after that time.
    package static let leaseSeconds: TimeInterval = 120
    /// The longest time that the runner sleeps, since another process may have added jobs.
    private static let idleSeconds: TimeInterval = 5

    init(
        database: Database, afterErasures: @escaping @Sendable () async throws -> Void, logger: Logger,
        now: @escaping @Sendable () -> Date
    ) {
        self.database = database
        self.afterErasures = afterErasures
        self.logger = logger
        self.now = now
        // A transaction that schedules a job wakes the lanes once it is committed.
        database.changes.observe(JobOutbox.table) { [lanes] in
            for lane in lanes { lane.wakeUp.yield() }
        }
    }

    /// Sets the handlers of some kinds of work. Called while the application is built, before any job runs.
    package func handle(_ handlers: [JobKind: Handler]) {
        self.handlers.withLock { $0.merge(handlers) { _, new in new } }
    }

    /// Releases the handlers, and everything that they hold.
    package func removeHandlers() {
        handlers.withLock { $0 = [:] }
    }

    /// All kinds of work that have a handler, by name.
    package var kinds: [JobKind] { handlers.withLock { $0.keys.sorted { $0.name < $1.name } } }

    private func kinds(of lane: Lane) -> [JobKind] { kinds.filter { $0.lane == lane.lane } }

    /// Works until the server stops.
    package func run() async throws {
        await endLeases()
        await cancelWhenGracefulShutdown { [self] in
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await self.keepLeases() }
                for lane in lanes {
                    group.addTask {
                        lane.lane.isConcurrent
                            ? await self.workConcurrently(lane) : await self.work(lane)
                    }
                }
            }
        }
    }

    /// Extends the leases of jobs that take long, until the task is cancelled.
    private func keepLeases() async {
        while true {
            do { try await Task.sleep(for: .seconds(Self.leaseSeconds / 3)) } catch { return }
            do {
                try await extendLeases()
            } catch {
                logger.warning("leases of jobs weren’t extended", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Extends the leases of the jobs that are being done.
    func extendLeases() async throws {
        let jobs = held.withLock { $0.keys.sorted() }
        guard !jobs.isEmpty else { return }
        let end = now().addingTimeInterval(Self.leaseSeconds)
        try await database.write { [database] transaction in
            try JobOutbox(transaction).extendLeases(of: jobs, by: database.node, until: end)
        }
        held.withLock { held in
            for job in jobs where held[job] != nil { held[job] = end }
        }
    }

    /// Makes the jobs due at once that this node was doing when it was killed. Otherwise their leases would hold them
    /// back.
    private func endLeases() async {
        do {
            let count = try await database.write { [database] in
                try JobOutbox($0).endLeases(of: database.node)
            }
            guard count > 0 else { return }
            logger.notice("interrupted jobs are due again", metadata: ["jobs": "\(count)"])
        } catch {
            logger.error("interrupted jobs wait until their leases end", metadata: ["error": "\(error)"])
        }
    }

    /// Does the jobs of a lane, one after the other, until the task is cancelled.
    private func work(_ lane: Lane) async {
        await whenWoken(lane) {
            while try await self.runDueJobs(lane) > 0, !Task.isCancelled {}
            return try await self.pauseBeforeNext(of: lane)
        }
    }

    /// Does the jobs of a lane at the same time until the task is cancelled. A scheduled job begins at once while there
    /// is room, however long others take.
    private func workConcurrently(_ lane: Lane) async {
        await withDiscardingTaskGroup { group in
            let running = Counter()
            await whenWoken(lane) {
                _ = try await self.begin(lane, running, in: &group) { lane.wakeUp.yield() }
                // Without room, the worker waits for the end of a job.
                guard running.value < lane.lane.batch else { return Self.idleSeconds }
                return try await self.pauseBeforeNext(of: lane)
            }
        }
    }

    /// Calls `body` now, and again whenever the lane is woken, until the task is cancelled. An error is logged, and
    /// `body` is called again after a pause.
    ///
    /// - Parameter body: returns the seconds after which it has to be called again at the latest.
    private func whenWoken(_ lane: Lane, _ body: () async throws -> TimeInterval) async {
        var wakeUps = lane.wakeUps.makeAsyncIterator()
        while !Task.isCancelled {
            var pause = Self.idleSeconds
            do {
                pause = try await body()
            } catch is CancellationError {
                return
            } catch {
                logger.error("running jobs failed", metadata: ["error": "\(error)"])
            }
            let timer = Task { [pause] in
                try await Task.sleep(for: .seconds(pause))
                lane.wakeUp.yield()
            }
            _ = await wakeUps.next()
            timer.cancel()
        }
    }

    /// Returns the seconds until the next known job of a lane is due.
    private func pauseBeforeNext(of lane: Lane) async throws -> TimeInterval {
        try await database.read { transaction in
            let end = transaction.now.addingTimeInterval(Self.idleSeconds)
            guard let next = try JobOutbox(transaction).nextRun(of: self.kinds(of: lane), by: end) else {
                return Self.idleSeconds
            }
            // Times are kept in milliseconds: a little later, the job is surely due.
            return max(0, next.timeIntervalSince(transaction.now)) + 0.002
        }
    }

    /// Does the due jobs of all lanes. Returns how many there were.
    @discardableResult
    package func runDueJobs() async throws -> Int {
        var count = 0
        for lane in lanes { count += try await runDueJobs(lane) }
        return count
    }

    private func runDueJobs(_ lane: Lane) async throws -> Int {
        if lane.lane.isConcurrent { return try await runConcurrently(lane) }
        let jobs = try await lease(lane, limit: lane.lane.batch)
        guard !jobs.isEmpty else { return 0 }
        defer { letGo(jobs) }
        var finished: [Job] = []
        for job in jobs where isLong(leaseOf: job) {
            if await perform(job) { finished.append(job) }
        }
        // Before the jobs are deleted: if this fails, they are done once more after their lease.
        if lane.lane == .erasing { try await afterErasures() }
        try await forget(finished)
        return jobs.count
    }

    /// Does the due jobs of a lane at the same time, including jobs that become due meanwhile. Returns how many there
    /// were.
    private func runConcurrently(_ lane: Lane) async throws -> Int {
        let (ends, end) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let count = await withDiscardingTaskGroup { group -> Result<Int, any Error> in
            let running = Counter()
            var waiting = ends.makeAsyncIterator()
            var count = 0
            do {
                while true {
                    count += try await begin(lane, running, in: &group) { end.yield() }
                    guard running.value > 0 else { return .success(count) }
                    await waiting.next()
                }
            } catch {
                return .failure(error)
            }
        }
        return try count.get()
    }

    /// Begins the due jobs of a lane for which there is room. Returns how many were begun.
    ///
    /// - Parameters:
    ///   - running: the count of the jobs that are being done.
    ///   - ended: called after each job.
    private func begin(
        _ lane: Lane, _ running: Counter, in group: inout DiscardingTaskGroup,
        ended: @escaping @Sendable () -> Void
    ) async throws -> Int {
        var count = 0
        while !Task.isCancelled {
            let jobs = try await lease(lane, limit: lane.lane.batch - running.value)
            guard !jobs.isEmpty else { break }
            for job in jobs {
                _ = running.increment(upTo: .max)
                group.addTask {
                    await self.finish(job)
                    self.letGo([job])
                    running.decrement()
                    ended()
                }
            }
            count += jobs.count
        }
        return count
    }

    private func lease(_ lane: Lane, limit: Int) async throws -> [Job] {
        let kinds = kinds(of: lane)
        guard !kinds.isEmpty, limit > 0 else { return [] }
        // Read first: an idle server shouldn't write, and thus sync its disk, every few seconds.
        let isDue = try await database.read { transaction in
            try JobOutbox(transaction).nextRun(of: kinds, by: transaction.now) != nil
        }
        guard isDue else { return [] }
        let end = now().addingTimeInterval(Self.leaseSeconds)
        let jobs = try await database.write { [database] transaction in
            try JobOutbox(transaction).lease(kinds, by: database.node, until: end, limit: limit)
        }
        held.withLock { held in
            for job in jobs { held[job.id] = end }
        }
        return jobs
    }

    /// Returns whether a job's lease is long enough to begin it. Otherwise it is left to the node that takes it next.
    private func isLong(leaseOf job: Job) -> Bool {
        guard let end = held.withLock({ $0[job.id] }) else { return false }
        return now() < end.addingTimeInterval(-Self.leaseSeconds / 2)
    }

    private func letGo(_ jobs: [Job]) {
        held.withLock { held in
            for job in jobs { held[job.id] = nil }
        }
    }

    private func forget(_ finished: [Job]) async throws {
        guard !finished.isEmpty else { return }
        try await database.write { transaction in
            for job in finished { try JobOutbox(transaction).delete(job.id) }
        }
    }

    /// Does a job and deletes it. If the deletion can't be written, the job is done again after its lease.
    private func finish(_ job: Job) async {
        guard await perform(job) else { return }
        do {
            try await forget([job])
        } catch {
            logger.error(
                "a finished job couldn't be deleted, and is done again after its lease",
                metadata: ["kind": "\(job.kind)", "error": "\(error)"])
        }
    }

    /// Does a job. Returns whether it is done. A failure is recorded, with the time of the next attempt. If that can't
    /// be written, the job is tried again after its lease.
    private func perform(_ job: Job) async -> Bool {
        guard let handler = handlers.withLock({ $0[job.kind] }) else { return false }
        do {
            try await handler(job)
            return true
        } catch {
            logger.warning(
                "a job failed and will be tried again",
                metadata: ["kind": "\(job.kind)", "attempt": "\(job.attempts)", "error": "\(error)"])
            await retry(job, after: error)
            return false
        }
    }

    private func retry(_ job: Job, after error: any Error) async {
        let pause = min(3600, pow(2, Double(min(job.attempts, 13) - 1)))
        do {
            try await database.write { transaction in
                try JobOutbox(transaction).retry(
                    job, at: transaction.now.addingTimeInterval(pause), error: "\(error)")
            }
        } catch {
            logger.error(
                "a failed job couldn't be recorded, and is tried again after its lease",
                metadata: ["kind": "\(job.kind)", "error": "\(error)"])
        }
    }
}
