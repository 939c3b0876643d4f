import Dispatch
import Synchronization

/// Why a queue did not accept a job.
package enum JobQueueRefusal: Error {
    /// Too many wait.
    case full
    /// The queue is closed.
    case closed
}

/// A bounded queue between tasks, which put jobs in and never block, and threads, which wait for them.
package final class JobQueue<Job: Sendable>: Sendable {
    private struct State {
        var jobs: [Job?] = []
        var first = 0
        var isClosed = false

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
    /// Counts the waiting jobs, and one more once the queue is closed, which the threads pass on.
    private let available = DispatchSemaphore(value: 0)

    /// - Parameter capacity: how many jobs may wait.
    package init(capacity: Int) {
        self.capacity = capacity
    }

    /// How many jobs wait now.
    package var count: Int { state.withLock { $0.count } }

    /// Adds a job behind the others.
    /// - Throws: `JobQueueRefusal` when too many wait or the queue is closed.
    package func add(_ job: Job) throws(JobQueueRefusal) {
        let refusal: JobQueueRefusal? = state.withLock { state in
            if state.isClosed { return .closed }
            if state.count >= capacity { return .full }
            state.jobs.append(job)
            return nil
        }
        if let refusal { throw refusal }
        available.signal()
    }

    /// Takes the first job; blocks the thread until there is one.
    /// - Returns: nil when the queue is closed and every job was taken.
    package func next() -> Job? {
        available.wait()
        return take()
    }

    /// Takes the first job if one waits.
    package func nextIfWaiting() -> Job? {
        // Asking the semaphore in vain is a system call that takes 70 µs, the kernel's slack for timers.
        guard count > 0, available.wait(timeout: .now()) == .success else { return nil }
        return take()
    }

    /// Accepts no more jobs. Those that wait are still handed out.
    package func close() {
        let wasOpen = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        if wasOpen { available.signal() }
    }

    private func take() -> Job? {
        let job = state.withLock { $0.popFirst() }
        // Nothing behind the signal means that it was that of close(): the next thread needs it too.
        if job == nil { available.signal() }
        return job
    }
}
