import Synchronization

/// Counts what is under way, with a bound.
final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    /// How many are under way.
    var value: Int { count.load(ordering: .relaxed) }

    /// Counts one more unless `limit` are already under way; whether it did.
    func increment(upTo limit: Int) -> Bool {
        if count.wrappingAdd(1, ordering: .relaxed).newValue <= limit { return true }
        count.wrappingSubtract(1, ordering: .relaxed)
        return false
    }

    func decrement() {
        count.wrappingSubtract(1, ordering: .relaxed)
    }
}
