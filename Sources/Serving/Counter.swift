import Synchronization

/// A bounded count of what is under way.
package final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    package init() {}

    /// The number of things that are under way.
    package var value: Int { count.load(ordering: .relaxed) }

    /// Counts one more, unless `limit` are already under way. Returns whether it was counted.
    package func increment(upTo limit: Int) -> Bool {
        if count.wrappingAdd(1, ordering: .relaxed).newValue <= limit { return true }
        count.wrappingSubtract(1, ordering: .relaxed)
        return false
    }

    package func decrement() {
        count.wrappingSubtract(1, ordering: .relaxed)
    }
}
