import Foundation

/// Pauses between attempts at a secret, by key: none between the first few attempts, then each pause is twice as long
/// as the one before.
///
/// After each ``longest`` one attempt is forgiven, so that a key which never stops trying gets one attempt in that
/// time. Holds at most ``capacity`` keys, and forgets those with the fewest attempts first.
struct GrowingPauses<Key: Hashable> {
    /// The number of attempts without a pause.
    let free: Int
    /// The first pause, in seconds.
    let shortest: TimeInterval
    /// The longest pause, in seconds.
    let longest: TimeInterval
    /// The most keys held.
    let capacity: Int

    private struct Attempts {
        /// The number of attempts that were not forgiven at `last`.
        var count: Double
        var last: Date
    }

    private var attempts: [Key: Attempts] = [:]

    /// - Parameters:
    ///   - free: the number of attempts without a pause.
    ///   - pauses: the first pause and the longest, in seconds.
    ///   - capacity: the most keys held.
    init(free: Int, pauses: ClosedRange<TimeInterval>, capacity: Int) {
        self.free = free
        shortest = pauses.lowerBound
        longest = pauses.upperBound
        self.capacity = capacity
    }

    /// Returns the seconds until `key` may make its next attempt; 0 when it may make one now.
    func pause(_ key: Key, at now: Date) -> TimeInterval {
        guard let known = attempts[key] else { return 0 }
        // A partly forgiven attempt counts as an attempt.
        let doublings = count(of: known, at: now).rounded(.up) - Double(free)
        guard doublings >= 0 else { return 0 }
        return max(0, min(shortest * exp2(doublings), longest) - elapsed(since: known, now))
    }

    /// Counts an attempt of `key`.
    mutating func count(_ key: Key, at now: Date) {
        if attempts.count >= capacity, attempts[key] == nil { sweep(at: now) }
        let before = attempts[key].map { count(of: $0, at: now) } ?? 0
        attempts[key] = Attempts(count: before + 1, last: now)
    }

    /// Takes back a counted attempt.
    mutating func uncount(_ key: Key) {
        guard let known = attempts[key] else { return }
        attempts[key] = known.count > 1 ? Attempts(count: known.count - 1, last: known.last) : nil
    }

    /// Forgives all attempts of `key`.
    mutating func forget(_ key: Key) { attempts[key] = nil }

    private func count(of known: Attempts, at now: Date) -> Double {
        max(0, known.count - elapsed(since: known, now) / longest)
    }

    /// Returns the seconds since an attempt, never negative: a clock that is set back makes no pause longer.
    private func elapsed(since known: Attempts, _ now: Date) -> TimeInterval {
        max(0, now.timeIntervalSince(known.last))
    }

    private mutating func sweep(at now: Date) {
        attempts = attempts.filter { count(of: $0.value, at: now) > 0 }
        guard attempts.count >= capacity else { return }
        let kept = attempts.sorted { count(of: $0.value, at: now) > count(of: $1.value, at: now) }
        attempts = Dictionary(uniqueKeysWithValues: kept.prefix(capacity / 2).map { ($0.key, $0.value) })
    }
}
