import Dispatch
import Synchronization

/// The reasons why a queue doesn't accept a job.
package enum JobQueueRefusal: Error {
    /// Too many jobs are waiting, or this one has waited too long.
    case full
    /// The queue is closed.
    case closed
}

/// A bounded queue from tasks to threads: tasks add jobs and never block, and threads wait for jobs.
package final class JobQueue<Job: Sendable>: Sendable {
    private struct State {
        var jobs: [Job?] = []
        var first = 0
        var isClosed = false
        /// The number of threads that wait for a job, or were just woken for one.
        var waitingThreads = 0

        var count: Int { jobs.count - first }

        mutating func popFirst() -> Job? {
            guard first < jobs.count else { return nil }
            defer {
                jobs[first] = nil
                first += 1
                if first == jobs.count {
                    jobs.removeAll(keepingCapacity: true)
                    first = 0
                } else if first >= 1024 {
                    jobs.removeFirst(first)
                    first = 0
                }
            }
            return jobs[first]
        }
    }

    private let capacity: Int
    private let state = Mutex(State())
    /// Counts the waiting jobs. A closed queue has one more signal, which the threads pass on.
    private let available = DispatchSemaphore(value: 0)

    /// - Parameter capacity: how many jobs may wait.
    package init(capacity: Int) {
        self.capacity = capacity
    }

    /// The number of jobs that wait.
    package var count: Int { state.withLock { $0.count } }

    /// Adds a job at the end.
    /// - Parameter limit: how many jobs may wait with this one, if fewer than the queue's capacity.
    /// - Returns: whether a thread waits for each of the jobs, so that all can begin at once.
    /// - Throws: `JobQueueRefusal` if too many jobs wait or the queue is closed.
    @discardableResult
    package func add(_ job: Job, upTo limit: Int = .max) throws(JobQueueRefusal) -> Bool {
        let result: Result<Bool, JobQueueRefusal> = state.withLock { state in
            if state.isClosed { return .failure(.closed) }
            if state.count >= min(capacity, limit) { return .failure(.full) }
            state.jobs.append(job)
            return .success(state.count <= state.waitingThreads)
        }
        let isTaken = try result.get()
        available.signal()
        return isTaken
    }

    /// Takes the first job, and blocks the thread until there is one.
    /// - Returns: nil if the queue is closed and empty.
    package func next() -> Job? {
        state.withLock { $0.waitingThreads += 1 }
        available.wait()
        return take()
    }

    /// Takes the first job, if there is one.
    package func nextIfWaiting() -> Job? {
        // Checks the count first: waiting for the semaphore in vain is a system call of 70 µs, the kernel's timer
        // slack.
        guard count > 0, available.wait(timeout: .now()) == .success else { return nil }
        state.withLock { $0.waitingThreads += 1 }
        return take()
    }

    /// Stops accepting jobs. The waiting jobs are still handed out.
    package func close() {
        let wasOpen = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        if wasOpen { available.signal() }
    }

    private func take() -> Job? {
        let job = state.withLock { state in
            state.waitingThreads -= 1
            return state.popFirst()
        }
        // Without a job, this was the signal of close(), which the next thread needs too.
        if job == nil { available.signal() }
        return job
    }
}
