import Foundation
import Synchronization

/// A few threads for work that blocks, each with a context of its own, such as a connection.
///
/// Tasks hand work in and wait without holding a thread of Swift's pool or an event loop.
package final class BlockingThreads<Context>: Sendable {
    package typealias Job = @Sendable (Context) -> Void

    private let queue: JobQueue<Job>
    private let running = DispatchGroup()

    /// Starts the threads.
    /// - Parameters:
    ///   - name: the threads' name in a debugger.
    ///   - capacity: how many jobs may wait.
    ///   - loops: what each thread does: it is given the function that runs jobs in a context until the
    ///     pool is closed, and sets up the context and puts it away around calling it.
    package init(
        name: String, capacity: Int, loops: [@Sendable ((Context) -> Void) -> Void]
    ) {
        let queue = JobQueue<Job>(capacity: capacity)
        self.queue = queue
        for loop in loops {
            running.enter()
            let thread = Thread { [running] in
                Thread.current.name = name
                loop { context in
                    while let job = queue.next() { job(context) }
                }
                running.leave()
            }
            thread.start()
        }
    }

    /// How many jobs wait for a thread.
    package var waiting: Int { queue.count }

    /// Runs work on one of the threads.
    ///
    /// Work whose task is cancelled while it waits is not begun; once begun it is finished.
    /// - Throws: what the work throws, `CancellationError`, or `JobQueueRefusal`.
    package func run<T: Sendable>(_ work: @escaping @Sendable (Context) throws -> T) async throws -> T {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                do {
                    try queue.add { context in
                        continuation.resume(
                            with: Result {
                                try cancellation.check()
                                return try work(context)
                            })
                    }
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
    }

    /// Has work done on one of the threads, which nobody waits for.
    /// - Returns: false when it will not be done: too much waits, or the pool is closed.
    package func offer(_ work: @escaping Job) -> Bool {
        do {
            try queue.add(work)
            return true
        } catch {
            return false
        }
    }

    /// Accepts no more work. What was accepted is done.
    package func stop() {
        queue.close()
    }

    /// Blocks the calling thread until all that was accepted is done, after `stop()`.
    package func wait() {
        running.wait()
    }
}

/// Whether the task that waits for a job was cancelled: threads outside of it can't ask the task.
package final class Cancellation: Sendable {
    private let isCancelled = Atomic(false)

    package init() {}

    /// Marks the job as no longer wanted.
    package func cancel() {
        isCancelled.store(true, ordering: .relaxed)
    }

    /// - Throws: `CancellationError` when the job is no longer wanted.
    package func check() throws {
        if isCancelled.load(ordering: .relaxed) { throw CancellationError() }
    }
}
