import Foundation

/// The bytes that jobs on several threads may use together. A job that needs more than is left waits.
package final class MemoryBudget: Sendable {
    private let total: Int
    private let condition = NSCondition()
    // Accessed only between lock() and unlock() of `condition`.
    nonisolated(unsafe) private var left: Int

    /// - Parameter bytes: the bytes that all jobs together may use.
    package init(bytes: Int) {
        total = bytes
        left = bytes
    }

    /// Runs a job while holding `bytes` of the budget. Blocks the thread until they are available.
    ///
    /// - Throws: ``ImageError/tooCostly`` if the whole budget is less than `bytes`, and what the job throws.
    package func withBytes<Value>(_ bytes: Int, _ job: () throws -> Value) throws -> Value {
        guard bytes <= total else { throw ImageError.tooCostly }
        condition.lock()
        while left < bytes { condition.wait() }
        left -= bytes
        condition.unlock()
        defer {
            condition.lock()
            left += bytes
            condition.broadcast()
            condition.unlock()
        }
        return try job()
    }
}
