import Foundation

/// Bytes that jobs on several threads may hold together. Who asks for more than is left waits.
package final class MemoryBudget: Sendable {
    private let total: Int
    private let condition = NSCondition()
    // Every access happens between lock() and unlock() of `condition`.
    nonisolated(unsafe) private var left: Int

    /// - Parameter bytes: what all jobs together may hold.
    package init(bytes: Int) {
        total = bytes
        left = bytes
    }

    /// Runs a job while holding `bytes` of the budget. Blocks the thread until they are free.
    ///
    /// - Throws: ``ImageError/tooCostly`` when the whole budget is less than `bytes`, and what the job throws.
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
