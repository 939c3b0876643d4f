import Synchronization

/// Counts what is under way, with a bound.
package final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    package init() {}

    /// How many are under way.
    package var value: Int { count.load(ordering: .relaxed) }

    /// Counts one more unless `limit` are already under way; whether it did.
    package func increment(upTo limit: Int) -> Bool {
        if count.wrappingAdd(1, ordering: .relaxed).newValue <= limit { return true }
        count.wrappingSubtract(1, ordering: .relaxed)
        return false
    }

    package func decrement() {
        count.wrappingSubtract(1, ordering: .relaxed)
    }
}
