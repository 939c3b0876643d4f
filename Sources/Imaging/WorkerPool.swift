import Foundation
import Synchronization

/// A fixed number of threads that do the jobs of several owners in the order of a ``FairQueue``.
///
/// Jobs may block, which tasks on Swift's own threads must not. Each thread owns a value that it lends to its
/// jobs. The threads, and their values, end with the pool.
package final class WorkerPool<Owned>: Sendable {
    private let queue: PoolQueue<Owned>

    /// - Parameters:
    ///   - threads: the number of threads, at least 1.
    ///   - waiting: how many jobs may wait if no thread is free.
    ///   - limits: what one owner may have.
    ///   - make: called on each thread at its start; returns the value that the thread lends to its jobs.
    package init(
        threads: Int, waiting: Int, limits: OwnerLimits = .none, make: @escaping @Sendable () -> Owned
    ) {
        let queue = PoolQueue<Owned>(FairQueue(workers: threads, waiting: waiting, limits: limits), threads)
        self.queue = queue
        for number in 1...threads {
            let thread = Thread {
                let owned = make()
                while let next = queue.next() { queue.perform(next.entry, next.run, with: owned) }
            }
            thread.name = "picture-\(number)"
            thread.stackSize = 2 << 20
            thread.start()
        }
    }

    deinit {
        queue.close()
    }

    /// The number of jobs that wait for a thread.
    package var waitingCount: Int { queue.counts.waiting }
    /// The number of jobs that are running.
    package var runningCount: Int { queue.counts.running }

    /// Runs a job on one of the threads.
    ///
    /// A job may be done from the beginning again, if it puts itself back (``PictureRun/mayGoOn(costing:)``). If the task
    /// is cancelled, a waiting job leaves the queue, and a running one is ended.
    ///
    /// - Parameters:
    ///   - turn: whose job it is.
    ///   - cost: the predicted processor time in seconds.
    ///   - work: the job.
    /// - Throws: ``QueueRefusal``, `CancellationError`, and what the job throws.
    package func run<Value: Sendable>(
        _ turn: PictureTurn = PictureTurn(.server), cost: Double = 0,
        _ work: @escaping @Sendable (Owned, PictureRun) throws -> Value
    ) async throws -> Value {
        let ticket = Ticket()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let job = PoolJob<Owned>(
                    ticket: ticket,
                    run: { owned, run in
                        let result = Result { try work(owned, run) }
                        return {
                            if case .failure = result, let end = run.end {
                                continuation.resume(throwing: end.error)
                            } else {
                                continuation.resume(with: result)
                            }
                        }
                    },
                    fail: { continuation.resume(throwing: $0) })
                do {
                    try queue.add(job, turn, cost: cost)
                } catch {
                    return continuation.resume(throwing: error)
                }
                // The handler below may have run before the job was in the queue.
                if Task.isCancelled { queue.cancel(ticket) }
            }
        } onCancel: {
            queue.cancel(ticket)
        }
    }

    /// Refuses jobs that wait, and lets those that run finish within some time. Further jobs are taken only if a thread
    /// is free for them at once.
    ///
    /// - Parameter patience: after this time running jobs are ended, and no job is taken any longer.
    package func stop(within patience: Duration) {
        queue.refuseWaiting()
        Task { [queue] in
            try await Task.sleep(for: patience)
            queue.endAll()
        }
    }
}

/// The identity of a job for its caller.
private final class Ticket: Sendable {
    /// The number in the queue; nil before the job was added.
    let id = Mutex<UInt64?>(nil)
}

private struct PoolJob<Owned>: Sendable {
    let ticket: Ticket
    /// Does the work, and returns a closure that reports the result to the caller.
    let run: @Sendable (Owned, PictureRun) -> @Sendable () -> Void
    let fail: @Sendable (any Error) -> Void
}

/// The queue of a pool: a ``FairQueue`` that several threads use.
private final class PoolQueue<Owned>: Sendable {
    private struct State {
        var jobs: FairQueue<PoolJob<Owned>>
        var runs: [UInt64: PictureRun] = [:]
        /// Waiting jobs were refused, and none may wait.
        var isStopping = false
        /// No job is taken.
        var isStopped = false
        var isClosed = false
    }

    private let threads: Int
    private let began = ContinuousClock.now
    private let condition = NSCondition()
    // Accessed only between lock() and unlock() of `condition`.
    nonisolated(unsafe) private var state: State

    init(_ jobs: FairQueue<PoolJob<Owned>>, _ threads: Int) {
        state = State(jobs: jobs)
        self.threads = threads
    }

    private func withState<Value>(_ use: (inout State) throws -> Value) rethrows -> Value {
        condition.lock()
        defer { condition.unlock() }
        return try use(&state)
    }

    /// Seconds since the pool was made.
    private var now: Double { began.duration(to: .now) / .seconds(1) }

    var counts: (waiting: Int, running: Int) {
        withState { ($0.jobs.waitingCount, $0.jobs.runningCount) }
    }

    /// Adds a job to the queue.
    ///
    /// - Throws: ``QueueRefusal``.
    func add(_ job: PoolJob<Owned>, _ turn: PictureTurn, cost: Double) throws {
        let displaced = try withState { state in
            let isBusy = state.jobs.runningCount + state.jobs.waitingCount >= threads
            guard !state.isStopped, !state.isStopping || !isBusy else { throw QueueRefusal.stopping }
            let (id, displaced) = try state.jobs.add(job, turn, cost: cost, at: now)
            job.ticket.id.withLock { $0 = id }
            return displaced
        }
        condition.broadcast()
        displaced?.fail(QueueRefusal.full)
    }

    func cancel(_ ticket: Ticket) {
        guard let id = ticket.id.withLock({ $0 }) else { return }
        let (waiting, run) = withState { ($0.jobs.remove(id), $0.runs[id]) }
        waiting?.fail(CancellationError())
        run?.end(.cancelled)
    }

    /// Blocks until a job may start. Returns nil if the pool has ended.
    func next() -> (entry: FairQueue<PoolJob<Owned>>.Entry, run: PictureRun)? {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let entry = state.jobs.next(at: now) {
                let run = PictureRun { [weak self] cost in self?.weigh(entry.id, cost) ?? true }
                state.runs[entry.id] = run
                return (entry, run)
            }
            if state.isClosed { return nil }
            condition.wait()
        }
    }

    func perform(_ entry: FairQueue<PoolJob<Owned>>.Entry, _ run: PictureRun, with owned: Owned) {
        let start = now
        let report = entry.job.run(owned, run)
        let used = run.processorSeconds ?? now - start
        // Comes first, so that a caller that waited for the result finds the thread free.
        let isRefused = withState { state in
            state.runs[entry.id] = nil
            guard run.isPutBack, run.end == nil, !state.isStopping else {
                state.jobs.finish(entry.id, used: used, at: now)
                return run.isPutBack && run.end == nil
            }
            state.jobs.putBack(entry.id, at: now)
            return false
        }
        condition.broadcast()
        if isRefused {
            entry.job.fail(QueueRefusal.stopping)
        } else if !run.isPutBack || run.end != nil {
            report()
        }
    }

    private func weigh(_ id: UInt64, _ cost: Double) -> Bool {
        withState { $0.jobs.weigh(id, cost: cost, at: now) }
    }

    func refuseWaiting() {
        let refused = withState { state in
            state.isStopping = true
            return state.jobs.removeAll()
        }
        for job in refused { job.fail(QueueRefusal.stopping) }
    }

    func endAll() {
        let (refused, runs) = withState { state in
            state.isStopped = true
            return (state.jobs.removeAll(), Array(state.runs.values))
        }
        for job in refused { job.fail(QueueRefusal.stopping) }
        for run in runs { run.end(.stopping) }
    }

    func close() {
        withState { $0.isClosed = true }
        condition.broadcast()
    }
}
