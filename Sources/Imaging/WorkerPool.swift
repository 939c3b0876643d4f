import Dispatch
import Foundation
import Synchronization

/// A fixed number of threads that take jobs from a bounded queue in the order of their arrival.
///
/// Jobs may block, which tasks on Swift's own threads must not. Each thread owns a value that it lends to its
/// jobs. The threads, and their values, end with the pool.
package final class WorkerPool<Owned>: Sendable {
    private let queue: JobQueue<Owned>

    /// - Parameters:
    ///   - threads: the number of threads, at least 1.
    ///   - waiting: how many jobs may wait if no thread is free.
    ///   - make: called on each thread at its start; returns the value that the thread lends to its jobs.
    package init(threads: Int, waiting: Int, make: @escaping @Sendable () -> Owned) {
        precondition(threads > 0 && waiting >= 0)
        let queue = JobQueue<Owned>(threads: threads, waiting: waiting)
        self.queue = queue
        for number in 1...threads {
            let thread = Thread {
                let owned = make()
                while let job = queue.next() { job.run(owned) }
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
    /// - Throws: ``ImageError/busy`` if too many jobs wait, `CancellationError` if the task was cancelled
    ///   before the job started, and what the job throws.
    package func run<Value: Sendable>(
        _ work: @escaping @Sendable (Owned) throws -> Value
    ) async throws -> Value {
        let id = queue.makeID()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let job = Job<Owned>(
                    id: id,
                    run: { [queue] owned in
                        let result = Result { try work(owned) }
                        // Comes first, so that a caller that waited for the result finds the thread free.
                        queue.finished()
                        continuation.resume(with: result)
                    },
                    cancel: { continuation.resume(throwing: CancellationError()) })
                guard queue.add(job) else { return continuation.resume(throwing: ImageError.busy) }
                // The handler below may have run before the job was in the queue.
                if Task.isCancelled { queue.cancel(id) }
            }
        } onCancel: {
            queue.cancel(id)
        }
    }
}

private struct Job<Owned>: Sendable {
    let id: UInt64
    let run: @Sendable (Owned) -> Void
    let cancel: @Sendable () -> Void
}

private final class JobQueue<Owned>: Sendable {
    private struct State {
        var jobs: [Job<Owned>] = []
        var running = 0
        var lastID: UInt64 = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    private let threads: Int
    private let waiting: Int
    /// Signalled once for each added job, and once for each thread at the end.
    private let arrivals = DispatchSemaphore(value: 0)

    init(threads: Int, waiting: Int) {
        self.threads = threads
        self.waiting = waiting
    }

    var counts: (waiting: Int, running: Int) {
        state.withLock { ($0.jobs.count, $0.running) }
    }

    func makeID() -> UInt64 {
        state.withLock {
            $0.lastID += 1
            return $0.lastID
        }
    }

    func add(_ job: Job<Owned>) -> Bool {
        let added = state.withLock { state in
            let free = threads - state.running
            guard state.jobs.count < waiting + free else { return false }
            state.jobs.append(job)
            return true
        }
        if added { arrivals.signal() }
        return added
    }

    func cancel(_ id: UInt64) {
        let job: Job<Owned>? = state.withLock { state in
            guard let index = state.jobs.firstIndex(where: { $0.id == id }) else { return nil }
            return state.jobs.remove(at: index)
        }
        job?.cancel()
    }

    /// Blocks until there is a job. Returns nil if the pool has ended.
    func next() -> Job<Owned>? {
        while true {
            arrivals.wait()
            let (job, isClosed): (Job<Owned>?, Bool) = state.withLock { state in
                // A cancelled job leaves its signal behind, so the queue may be empty here.
                guard !state.jobs.isEmpty else { return (nil, state.isClosed) }
                state.running += 1
                return (state.jobs.removeFirst(), false)
            }
            if let job { return job }
            if isClosed { return nil }
        }
    }

    func finished() {
        state.withLock { $0.running -= 1 }
    }

    func close() {
        state.withLock { $0.isClosed = true }
        for _ in 0..<threads { arrivals.signal() }
    }
}
