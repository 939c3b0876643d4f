import Foundation
import Synchronization

/// A few threads for work that blocks. Each thread has its own context, such as a connection, and starts when
/// there is first work for it.
///
/// A task that hands in work waits without blocking a thread of Swift's pool or an event loop.
package final class BlockingThreads<Context>: Sendable {
    package typealias Job = @Sendable (Context) -> Void

    /// What a thread runs.
    package typealias Loop = @Sendable ((Context) -> Void) -> Void

    private let name: String
    private let queue: JobQueue<Job>
    private let unstarted: Mutex<[Loop]>
    private let running = DispatchGroup()

    /// Creates the threads.
    /// - Parameters:
    ///   - name: the name of the threads in a debugger.
    ///   - capacity: how many jobs may wait.
    ///   - loops: what each thread runs. A loop sets up its context, calls the function that it is given, which
    ///     runs jobs in this context until the pool is closed, and then cleans the context up.
    package init(
        name: String, capacity: Int, loops: [Loop]
    ) {
        self.name = name
        queue = JobQueue(capacity: capacity)
        unstarted = Mutex(loops)
    }

    /// Adds a job, and starts a thread for it if all others have work.
    /// - Returns: whether a thread is free for it.
    @discardableResult
    private func add(upTo limit: Int = .max, _ job: @escaping Job) throws(JobQueueRefusal) -> Bool {
        // `wait()` waits for this too, and so for a thread that is started below.
        running.enter()
        defer { running.leave() }
        if try queue.add(job, upTo: limit) { return true }
        guard let loop = unstarted.withLock({ $0.popLast() }) else { return false }
        running.enter()
        Thread.start(named: name) { [queue, running] in
            loop { context in
                while let job = queue.next() { job(context) }
            }
            running.leave()
        }
        return true
    }

    /// The number of jobs that wait for a thread.
    package var waiting: Int { queue.count }

    /// Runs work on one of the threads.
    ///
    /// If the task is cancelled while the work waits, the work doesn't start. Work that has started is
    /// finished.
    /// - Parameters:
    ///   - limit: how many jobs may wait with this one, if fewer than the threads' capacity.
    ///   - patience: how long the work may wait for a thread; nil for as long as it takes.
    /// - Throws: what the work throws, `CancellationError`, or `JobQueueRefusal`.
    package func run<T: Sendable>(
        upTo limit: Int = .max, within patience: Duration? = nil,
        _ work: @escaping @Sendable (Context) throws -> T
    ) async throws -> T {
        let cancellation = Cancellation()
        let turn = patience.map { _ in Turn() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                do {
                    let isFree = try add(upTo: limit) { context in
                        guard turn?.take() != false else { return }
                        continuation.resume(
                            with: Result {
                                try cancellation.check()
                                return try work(context)
                            })
                    }
                    // A timer costs more than many a job, so one that waits for no other has none.
                    if !isFree, let patience, let turn {
                        DispatchQueue.global().asyncAfter(deadline: .now() + patience / .seconds(1)) {
                            if turn.take() { continuation.resume(throwing: JobQueueRefusal.full) }
                        }
                    }
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
    }

    /// Starts work on one of the threads without waiting for it.
    /// - Returns: false if the work won't run, because too many jobs wait or the pool is closed.
    package func offer(_ work: @escaping Job) -> Bool {
        do {
            try add(work)
            return true
        } catch {
            return false
        }
    }

    /// Stops accepting work. Accepted work is still done.
    package func stop() {
        queue.close()
    }

    /// Blocks the calling thread until all accepted work is done. Call `stop()` first.
    package func wait() {
        running.wait()
    }
}

/// Who ends the wait of a job: the thread that runs it, or its time limit.
private final class Turn: Sendable {
    private let isTaken = Atomic(false)

    /// Returns whether nobody has before.
    func take() -> Bool { !isTaken.exchange(true, ordering: .relaxed) }
}

/// Whether the task that waits for a job was cancelled. Threads outside of a task can't ask the task itself.
package final class Cancellation: Sendable {
    private let isCancelled = Atomic(false)

    package init() {}

    /// Marks the job as cancelled.
    package func cancel() {
        isCancelled.store(true, ordering: .relaxed)
    }

    /// Throws if the job was cancelled.
    /// - Throws: `CancellationError`.
    package func check() throws {
        if isCancelled.load(ordering: .relaxed) { throw CancellationError() }
    }
}
