import Synchronization

/// A bounded cache that any thread may use. When it is full, it drops entries that were not read since the last sweep.
///
/// Uses the "clock" or second-chance policy (Corbató 1968): as good as least-recently-used for our purposes, while a
/// hit writes one flag instead of moving list nodes.
///
/// What is read and written is inlinable, so that other modules specialise it for their keys and values: a home timeline
/// looks up two hundred entries.
package final class Cache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline
    struct Entry {
        @usableFromInline var value: Value
        @usableFromInline var size: Int
        @usableFromInline var wasRead: Bool

        @inlinable
        init(value: Value, size: Int, wasRead: Bool) {
            (self.value, self.size, self.wasRead) = (value, size, wasRead)
        }
    }

    @usableFromInline
    struct State {
        @usableFromInline var entries: [Key: Entry] = [:]
        @usableFromInline var keys: [Key] = []
        @usableFromInline var hand = 0
        @usableFromInline var size = 0
    }

    @usableFromInline let capacity: Int
    @usableFromInline let limit: Int
    @usableFromInline let size: @Sendable (Value) -> Int
    @usableFromInline let state = Mutex(State())

    /// The bytes that the cache's own tables need for an entry.
    @inlinable static var overhead: Int { 2 * MemoryLayout<Key>.stride + MemoryLayout<Entry>.stride }

    /// - Parameters:
    ///   - capacity: the most entries held, at least 1.
    ///   - bytes: the most bytes held. A value that is larger than a quarter of this limit isn't kept.
    ///   - size: returns about how many bytes a value takes.
    package init(
        capacity: Int, bytes: Int = .max, size: @escaping @Sendable (Value) -> Int = { _ in 0 }
    ) {
        self.capacity = max(1, capacity)
        limit = bytes
        self.size = size
    }

    /// The approximate number of bytes held.
    var byteCount: Int { state.withLock { $0.size } }

    @inlinable package subscript(key: Key) -> Value? {
        get {
            state.withLock { state in
                guard let index = state.entries.index(forKey: key) else { return nil }
                state.entries.values[index].wasRead = true
                return state.entries.values[index].value
            }
        }
        set {
            let size = newValue.map { self.size($0) + Self.overhead } ?? 0
            state.withLock { state in
                // The value's key stays in the ring, until the hand comes by or there is a value again.
                guard let newValue, size <= limit / 4 else {
                    state.size -= state.entries.removeValue(forKey: key)?.size ?? 0
                    return
                }
                if let index = state.entries.index(forKey: key) {
                    state.size += size - state.entries.values[index].size
                    state.entries.values[index] = Entry(value: newValue, size: size, wasRead: true)
                    while state.size > limit, !state.keys.isEmpty { Self.sweep(&state) }
                    return
                }
                while state.keys.count >= capacity || state.size + size > limit, !state.keys.isEmpty {
                    Self.sweep(&state)
                }
                state.entries[key] = Entry(value: newValue, size: size, wasRead: false)
                state.size += size
                state.keys.append(key)
            }
        }
    }

    /// Returns the values of several keys under one lock.
    func values(_ keys: some Sequence<Key>) -> [Value?] {
        state.withLock { state in
            keys.map { key in
                guard let index = state.entries.index(forKey: key) else { return nil }
                state.entries.values[index].wasRead = true
                return state.entries.values[index].value
            }
        }
    }

    /// Drops all entries.
    func removeAll() {
        state.withLock { $0 = State() }
    }

    /// Drops every entry for which `predicate` is true. Looks at all entries.
    package func removeAll(where predicate: (Key, Value) -> Bool) {
        state.withLock { state in
            state.entries = state.entries.filter { !predicate($0.key, $0.value.value) }
            state.size = state.entries.values.reduce(0) { $0 + $1.size }
        }
    }

    /// Moves the hand by one key and drops the key's entry, unless it was read since the hand was there last.
    @inlinable static func sweep(_ state: inout State) {
        if state.hand >= state.keys.count { state.hand = 0 }
        let key = state.keys[state.hand]
        if let index = state.entries.index(forKey: key) {
            if state.entries.values[index].wasRead {
                state.entries.values[index].wasRead = false
                state.hand += 1
                return
            }
            state.size -= state.entries.remove(at: index).value.size
        }
        state.keys.swapAt(state.hand, state.keys.count - 1)
        state.keys.removeLast()
    }
}
