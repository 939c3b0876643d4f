import Foundation

/// The bytes that jobs on several threads may use together. A job that needs more than is left waits.
package final class MemoryBudget: Sendable {
    private let total: Int
    private let small: Int
    private let condition = NSCondition()
    // Accessed only between lock() and unlock() of `condition`.
    nonisolated(unsafe) private var left: Int
    nonisolated(unsafe) private var leftForSmall: Int

    /// - Parameters:
    ///   - bytes: the bytes that all jobs together may use.
    ///   - small: further bytes for jobs that need no more than these, so that they don't wait for larger jobs.
    package init(bytes: Int, small: Int = 0) {
        total = bytes
        left = bytes
        self.small = small
        leftForSmall = small
    }

    /// Runs a job while holding `bytes` of the budget. Blocks the thread until they are available.
    ///
    /// - Throws: ``ImageError/tooCostly`` if the whole budget is less than `bytes`, and what the job throws.
    package func withBytes<Value>(_ bytes: Int, _ job: () throws -> Value) throws -> Value {
        guard bytes <= total else { throw ImageError.tooCostly }
        let isFromSmall = take(bytes)
        defer { giveBack(bytes, isFromSmall) }
        return try job()
    }

    /// Takes bytes, and returns whether they are of those for small jobs. Blocks the thread until there are enough.
    private func take(_ bytes: Int) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if left >= bytes {
                left -= bytes
                return false
            }
            if bytes <= small && leftForSmall >= bytes {
                leftForSmall -= bytes
                return true
            }
            condition.wait()
        }
    }

    private func giveBack(_ bytes: Int, _ isFromSmall: Bool) {
        condition.lock()
        if isFromSmall { leftForSmall += bytes } else { left += bytes }
        condition.broadcast()
        condition.unlock()
    }
}
