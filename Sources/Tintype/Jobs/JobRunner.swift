import Foundation
import Logging
import ServiceLifecycle
import Storage
import Synchronization

/// Does durable work in the background: what transactions left in the outbox.
///
/// A job is done at least once, so every handler is safe to repeat. One that fails is tried again with
/// growing pauses, from one second to one hour, for as long as it takes: an erasure may never be forgotten.
/// The lanes of ``JobKind`` work beside each other.
final class JobRunner: Service {
    typealias Handler = @Sendable (Job) async throws -> Void

    private let database: Database
    private let afterErasures: @Sendable () async throws -> Void
    private let logger: Logger
    private let now: @Sendable () -> Date
    private let lanes = JobKind.Lane.allCases.map { Lane($0) }
    private let handlers = Mutex<[JobKind: Handler]>([:])

    /// A lane, and what wakes its worker.
    private struct Lane: Sendable {
        let lane: JobKind.Lane
        let wakeUps: AsyncStream<Void>
        let wakeUp: AsyncStream<Void>.Continuation

        init(_ lane: JobKind.Lane) {
            self.lane = lane
            (wakeUps, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        }
    }

    /// For how many seconds a job is nobody else's; work that takes longer extends its lease.
    static let leaseSeconds: TimeInterval = 120
    /// How long the runner sleeps when nobody wakes it: another process may have added jobs.
    private static let idleSeconds: TimeInterval = 5

    /// - Parameter afterErasures: called once after a batch of the erasing lane.
    init(
        database: Database, afterErasures: @escaping @Sendable () async throws -> Void, logger: Logger,
        now: @escaping @Sendable () -> Date
    ) {
        self.database = database
        self.afterErasures = afterErasures
        self.logger = logger
        self.now = now
    }

    /// Takes over what does some kinds of work. Called while the application is built, before anything runs.
    func handle(_ handlers: [JobKind: Handler]) {
        self.handlers.withLock { $0.merge(handlers) { _, new in new } }
    }

    /// Lets go of what does the work, and of all that it holds.
    func removeHandlers() {
        handlers.withLock { $0 = [:] }
    }

    /// Every kind of work that a feature does, by name.
    var kinds: [JobKind] { handlers.withLock { $0.keys.sorted { $0.name < $1.name } } }

    private func kinds(of lane: Lane) -> [JobKind] { kinds.filter { $0.lane == lane.lane } }

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
                try JobOutbox($0).endLeases(of: database.node)
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
            guard let next = try JobOutbox(transaction).nextRun(of: self.kinds(of: lane), by: end) else {
                return Self.idleSeconds
            }
            // Times are kept in milliseconds: a little later, so that it is due by then.
            return max(0, next.timeIntervalSince(transaction.now)) + 0.002
        }
    }

    /// Does what is due now in all lanes; how many jobs that were.
    @discardableResult
    func runDueJobs() async throws -> Int {
        var count = 0
        for lane in lanes { count += try await runDueJobs(lane) }
        return count
    }

    private func runDueJobs(_ lane: Lane) async throws -> Int {
        if lane.lane.isConcurrent { return try await runBesideEachOther(lane) }
        let jobs = try await lease(lane, limit: lane.lane.batch)
        guard !jobs.isEmpty else { return 0 }
        // A job whose lease could end before it is done is left to the node that takes it next.
        let lastStart = now().addingTimeInterval(Self.leaseSeconds / 2)
        var finished: [Job] = []
        for job in jobs where now() < lastStart {
            if try await perform(job) { finished.append(job) }
        }
        // Before the jobs are forgotten: when this fails, they are done once more after their lease.
        if lane.lane == .erasing { try await afterErasures() }
        try await forget(finished)
        return jobs.count
    }

    /// Does what is due, each job beside the others: one that is done makes room for the next, however long others take.
    private func runBesideEachOther(_ lane: Lane) async throws -> Int {
        try await withThrowingTaskGroup(of: Void.self) { group in
            var (count, running) = (0, 0)
            while true {
                let room = Task.isCancelled ? 0 : lane.lane.batch - running
                // What is under way isn't cut off when no more can be taken: the next look says why.
                let jobs =
                    running == 0
                    ? try await lease(lane, limit: room) : (try? await lease(lane, limit: room)) ?? []
                for job in jobs {
                    group.addTask { if try await self.perform(job) { try await self.forget([job]) } }
                }
                (count, running) = (count + jobs.count, running + jobs.count)
                guard running > 0 else { return count }
                try await group.next()
                running -= 1
            }
        }
    }

    private func lease(_ lane: Lane, limit: Int) async throws -> [Job] {
        let kinds = kinds(of: lane)
        guard !kinds.isEmpty, limit > 0 else { return [] }
        // A look first: an idle server shouldn't write, and thus sync its disk, every few seconds.
        let isDue = try await database.read { transaction in
            try JobOutbox(transaction).nextRun(of: kinds, by: transaction.now) != nil
        }
        guard isDue else { return [] }
        return try await database.write { [database] transaction in
            try JobOutbox(transaction).lease(
                kinds, by: database.node, until: transaction.now.addingTimeInterval(Self.leaseSeconds),
                limit: limit)
        }
    }

    private func forget(_ finished: [Job]) async throws {
        guard !finished.isEmpty else { return }
        try await database.write { transaction in
            for job in finished { try JobOutbox(transaction).delete(job.id) }
        }
    }

    /// Does a job; returns whether it is done. A failure is written down, with the time of the next try.
    private func perform(_ job: Job) async throws -> Bool {
        do {
            guard let handler = handlers.withLock({ $0[job.kind] }) else { return false }
            try await handler(job)
            return true
        } catch {
            logger.warning(
                "a job failed and will be tried again",
                metadata: ["kind": "\(job.kind)", "attempt": "\(job.attempts)", "error": "\(error)"])
            let pause = min(3600, pow(2, Double(min(job.attempts, 13) - 1)))
            try await database.write { transaction in
                try JobOutbox(transaction).retry(
                    job, at: transaction.now.addingTimeInterval(pause), error: "\(error)")
            }
            return false
        }
    }
}
