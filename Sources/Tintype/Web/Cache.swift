import Synchronization

/// A bounded cache from any thread: when full, it drops what was not read since the last sweep.
///
/// The "clock" or second-chance policy (Corbató 1968): as good as least-recently-used for our purposes, and
/// a hit writes one flag instead of moving list nodes.
final class Cache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        var value: Value
        var wasRead: Bool
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var keys: [Key] = []
        var hand = 0
    }

    private let capacity: Int
    private let state = Mutex(State())

    /// - Parameter capacity: the most entries held, at least 1.
    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    subscript(key: Key) -> Value? {
        get {
            state.withLock { state in
                guard let index = state.entries.index(forKey: key) else { return nil }
                state.entries.values[index].wasRead = true
                return state.entries.values[index].value
            }
        }
        set {
            state.withLock { state in
                guard let newValue else {
                    // Its key stays in the ring until the hand comes by.
                    state.entries[key] = nil
                    return
                }
                if state.entries.updateValue(Entry(value: newValue, wasRead: false), forKey: key) == nil {
                    insert(key, into: &state)
                }
            }
        }
    }

    /// Several keys under one lock.
    func values(_ keys: some Sequence<Key>) -> [Value?] {
        state.withLock { state in
            keys.map { key in
                guard let index = state.entries.index(forKey: key) else { return nil }
                state.entries.values[index].wasRead = true
                return state.entries.values[index].value
            }
        }
    }

    /// Drops everything.
    func removeAll() {
        state.withLock { $0 = State() }
    }

    /// Drops every entry for which `predicate` is true; looks at all of them.
    func removeAll(where predicate: (Key, Value) -> Bool) {
        state.withLock { state in
            state.entries = state.entries.filter { !predicate($0.key, $0.value.value) }
        }
    }

    private func insert(_ key: Key, into state: inout State) {
        guard state.keys.count >= capacity else {
            state.keys.append(key)
            return
        }
        while true {
            state.hand = (state.hand + 1) % state.keys.count
            let candidate = state.keys[state.hand]
            if let index = state.entries.index(forKey: candidate), candidate != key {
                if state.entries.values[index].wasRead {
                    state.entries.values[index].wasRead = false
                    continue
                }
                state.entries.remove(at: index)
            }
            state.keys[state.hand] = key
            return
        }
    }
}
