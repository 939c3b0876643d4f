import Foundation
import Synchronization

/// The bytes that jobs on several threads may use together. A job that needs more than is left waits.
package final class MemoryBudget: Sendable {
    /// The claim of a waiting job, through which its wait can be ended.
    package final class Claim: Sendable {
        fileprivate let isGivenUp = Atomic(false)

        package init() {}
    }

    private let total: Int
    private let small: Int
    private let condition = NSCondition()
    // Accessed only between lock() and unlock() of `condition`.
    nonisolated(unsafe) private var left: Int
    nonisolated(unsafe) private var leftForSmall: Int
    nonisolated(unsafe) private var waiting = 0

    /// - Parameters:
    ///   - bytes: the bytes that all jobs together may use.
    ///   - small: further bytes for jobs that need no more than these, so that they don't wait for larger jobs.
    package init(bytes: Int, small: Int = 0) {
        total = bytes
        left = bytes
        self.small = small
        leftForSmall = small
    }

    /// The bytes that are left, those for small jobs not counted, and the number of jobs that wait.
    package var counts: (left: Int, waiting: Int) {
        condition.lock()
        defer { condition.unlock() }
        return (left, waiting)
    }

    /// Runs a job while holding `bytes` of the budget. Blocks the thread until they are available.
    ///
    /// - Throws: ``ImageError/tooCostly`` if the whole budget is less than `bytes`, `CancellationError` if the claim was
    ///   given up before they were available, and what the job throws.
    package func withBytes<Value>(
        _ bytes: Int, for claim: Claim = Claim(), _ job: () throws -> Value
    ) throws -> Value {
        guard bytes <= total else { throw ImageError.tooCostly }
        let isFromSmall = try take(bytes, for: claim)
        defer { giveBack(bytes, isFromSmall) }
        return try job()
    }

    /// Ends the wait of a job, on any thread. A job that has its bytes goes on.
    package func giveUp(_ claim: Claim) {
        claim.isGivenUp.store(true, ordering: .relaxed)
        // Inside the lock, so that no job is between its look at the claim and its wait.
        condition.lock()
        condition.broadcast()
        condition.unlock()
    }

    /// Takes bytes, and returns whether they are of those for small jobs. Blocks the thread until there are enough.
    private func take(_ bytes: Int, for claim: Claim) throws -> Bool {
        condition.lock()
        defer { condition.unlock() }
        while !claim.isGivenUp.load(ordering: .relaxed) {
            if left >= bytes {
                left -= bytes
                return false
            }
            if bytes <= small && leftForSmall >= bytes {
                leftForSmall -= bytes
                return true
            }
            waiting += 1
            condition.wait()
            waiting -= 1
        }
        throw CancellationError()
    }

    private func giveBack(_ bytes: Int, _ isFromSmall: Bool) {
        condition.lock()
        if isFromSmall { leftForSmall += bytes } else { left += bytes }
        condition.broadcast()
        condition.unlock()
    }
}
