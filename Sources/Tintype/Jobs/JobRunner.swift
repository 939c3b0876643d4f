import Foundation
import Logging
import ServiceLifecycle
import Storage
import Synchronization

/// Does durable work in the background: what transactions left in the outbox.
///
/// A job is done at least once, so every handler is safe to repeat. One that fails is tried again with
/// growing pauses, from one second to one hour, for as long as it takes: an erasure may never be forgotten.
/// Long work goes on beside short work, one piece at a time.
final class JobRunner: Service {
    typealias Handler = @Sendable (Job) async throws -> Void

    private let database: Database
    private let handlers: [JobKind: Handler]
    private let afterErasures: @Sendable () async throws -> Void
    private let logger: Logger
    private let now: @Sendable () -> Date
    private let lanes: [Lane]

    /// Kinds of work that are done one after the other.
    private struct Lane: Sendable {
        let kinds: [JobKind]
        /// How many jobs it takes at once.
        let batch: Int
        let wakeUps: AsyncStream<Void>
        let wakeUp: AsyncStream<Void>.Continuation

        init(_ kinds: [JobKind], batch: Int) {
            self.kinds = kinds
            self.batch = batch
            (wakeUps, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        }
    }

    /// For how many seconds a job is nobody else's; work that takes longer extends its lease.
    static let leaseSeconds: TimeInterval = 120
    /// How long the runner sleeps when nobody wakes it: another process may have added jobs.
    private static let idleSeconds: TimeInterval = 5

    /// - Parameters:
    ///   - handlers: what does each kind of work.
    ///   - afterErasures: called once after a batch that erased something.
    init(
        database: Database, handlers: [JobKind: Handler],
        afterErasures: @escaping @Sendable () async throws -> Void, logger: Logger,
        now: @escaping @Sendable () -> Date
    ) {
        self.database = database
        self.handlers = handlers
        self.afterErasures = afterErasures
        self.logger = logger
        self.now = now
        lanes = [
            Lane(JobKind.allCases.filter { !$0.isLong }, batch: 64),
            Lane(JobKind.allCases.filter { $0.isLong }, batch: 1),
        ]
    }

    /// Says that there may be work now.
    func wake() {
        for lane in lanes { lane.wakeUp.yield() }
    }

    /// Works until the server stops.
    func run() async throws {
        await endLeases()
        await cancelWhenGracefulShutdown { [self] in
            await withTaskGroup(of: Void.self) { group in
                for lane in lanes { group.addTask { await self.work(lane) } }
            }
        }
    }

    /// Takes up what this node was doing when it was killed, which its leases would hold back else.
    private func endLeases() async {
        do {
            let count = try await database.write { [database] in
                try JobStore($0).endLeases(of: database.node)
            }
            guard count > 0 else { return }
            logger.notice("work that was cut off is taken up", metadata: ["jobs": "\(count)"])
        } catch {
            logger.error("work that was cut off waits for its leases", metadata: ["error": "\(error)"])
        }
    }

    private func work(_ lane: Lane) async {
        var wakeUps = lane.wakeUps.makeAsyncIterator()
        while !Task.isCancelled {
            var pause = Self.idleSeconds
            do {
                while try await runDueJobs(lane) > 0, !Task.isCancelled {}
                pause = try await pauseBeforeNext(of: lane)
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

    /// Seconds until something is due, as far as is known now.
    private func pauseBeforeNext(of lane: Lane) async throws -> TimeInterval {
        try await database.read { transaction in
            let end = transaction.now.addingTimeInterval(Self.idleSeconds)
            guard let next = try JobStore(transaction).nextRun(of: lane.kinds, by: end) else {
                return Self.idleSeconds
            }
            // Times are kept in milliseconds: a little later, so that it is due by then.
            return max(0, next.timeIntervalSince(transaction.now)) + 0.002
        }
    }

    /// Does what is due now, short or long; how many jobs that were.
    @discardableResult
    func runDueJobs() async throws -> Int {
        var count = 0
        for lane in lanes { count += try await runDueJobs(lane) }
        return count
    }

    private func runDueJobs(_ lane: Lane) async throws -> Int {
        // A look first: an idle server shouldn't write, and thus sync its disk, every few seconds.
        let isDue = try await database.read { transaction in
            try JobStore(transaction).nextRun(of: lane.kinds, by: transaction.now) != nil
        }
        guard isDue else { return 0 }
        let jobs = try await database.write { [database] transaction in
            try JobStore(transaction).lease(
                lane.kinds, by: database.node, until: transaction.now.addingTimeInterval(Self.leaseSeconds),
                limit: lane.batch)
        }
        // What others may take before it is done is left to whoever takes it then.
        let lastStart = now().addingTimeInterval(Self.leaseSeconds / 2)
        var done: [Job.ID] = []
        for job in jobs where now() < lastStart {
            do {
                guard let handler = handlers[job.kind] else { throw UnknownJob(kind: job.kind) }
                try await handler(job)
                done.append(job.id)
            } catch {
                logger.warning(
                    "a job failed and will be tried again",
                    metadata: ["kind": "\(job.kind)", "attempt": "\(job.attempts)", "error": "\(error)"])
                let pause = min(3600, pow(2, Double(min(job.attempts, 13) - 1)))
                try await database.write { transaction in
                    try JobStore(transaction).retry(
                        job, at: transaction.now.addingTimeInterval(pause), error: "\(error)")
                }
            }
        }
        // Before the jobs are forgotten: when this fails, they are done once more after their lease.
        if jobs.contains(where: { $0.kind.erases }) { try await afterErasures() }
        let finished = done
        if !finished.isEmpty {
            try await database.write { transaction in
                for id in finished { try JobStore(transaction).delete(id) }
            }
        }
        return jobs.count
    }
}

/// A kind of work that nobody does: it stays until a version of the program knows how.
private struct UnknownJob: Error {
    var kind: JobKind
}
