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
    private func add(upTo limit: Int = .max, _ job: @escaping Job) throws(JobQueueRefusal) {
        // `wait()` waits for this too, and so for a thread that is started below.
        running.enter()
        defer { running.leave() }
        if try queue.add(job, upTo: limit) { return }
        guard let loop = unstarted.withLock({ $0.popLast() }) else { return }
        running.enter()
        let thread = Thread { [name, queue, running] in
            Thread.current.name = name
            loop { context in
                while let job = queue.next() { job(context) }
            }
            running.leave()
        }
        thread.start()
    }

    /// The number of jobs that wait for a thread.
    package var waiting: Int { queue.count }

    /// Runs work on one of the threads.
    ///
    /// If the task is cancelled while the work waits, the work doesn't start. Work that has started is
    /// finished.
    /// - Parameter limit: how many jobs may wait with this one, if fewer than the threads' capacity.
    /// - Throws: what the work throws, `CancellationError`, or `JobQueueRefusal`.
    package func run<T: Sendable>(
        upTo limit: Int = .max, _ work: @escaping @Sendable (Context) throws -> T
    ) async throws -> T {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                do {
                    try add(upTo: limit) { context in
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
