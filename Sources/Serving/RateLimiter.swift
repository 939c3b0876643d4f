import Foundation
import Synchronization

/// A limit on how often something happens, by key: a token bucket for each key (leaky bucket as a meter, ITU-T I.371).
///
/// Holds one number for each key, for at most `capacity` keys. The fullest buckets are forgotten first, which loses
/// nothing: an unknown key has a full bucket.
package final class RateLimiter: Sendable {
    /// The result of an attempt to take a token.
    package struct Outcome: Sendable {
        package var isAllowed: Bool
        /// The whole tokens that are left.
        package var remaining: Int
        /// Seconds until there is a token again; 0 when there is one.
        package var untilNext: TimeInterval
        /// Seconds until the bucket is full again.
        package var untilFull: TimeInterval
    }

    /// The number of tokens in a full bucket.
    package let limit: Int
    /// Seconds in which an empty bucket becomes full.
    let window: TimeInterval

    private let capacity: Int
    private let now: @Sendable () -> Date
    /// The time at which each bucket will be full again.
    private let fullAt = Mutex<[String: Date]>([:])

    package init(limit: Int, per window: TimeInterval, capacity: Int, now: @escaping @Sendable () -> Date) {
        self.limit = limit
        self.window = window
        self.capacity = capacity
        self.now = now
    }

    private var secondsPerToken: TimeInterval { window / Double(limit) }

    /// Takes one token of `key`, if there is one left.
    package func take(_ key: String) -> Outcome {
        let instant = now()
        return fullAt.withLock { fullAt in
            let full = max(fullAt[key] ?? instant, instant).addingTimeInterval(secondsPerToken)
            let debt = full.timeIntervalSince(instant)
            // A tolerance for rounded dates, far below one token.
            guard debt <= window + secondsPerToken * 0.001 else {
                return Outcome(
                    isAllowed: false, remaining: 0, untilNext: debt - window,
                    untilFull: debt - secondsPerToken)
            }
            if fullAt.count >= capacity, fullAt[key] == nil { Self.sweep(&fullAt, instant, capacity) }
            fullAt[key] = full
            // Slightly less, for rounded dates again, so that a debt of one token is counted as one.
            let taken = Int((debt / secondsPerToken - 0.001).rounded(.up))
            return Outcome(
                isAllowed: true, remaining: max(0, limit - taken),
                untilNext: max(0, debt + secondsPerToken - window), untilFull: debt)
        }
    }

    /// Gives back a token of `key` that was taken.
    package func giveBack(_ key: String) {
        fullAt.withLock { fullAt in
            if let full = fullAt[key] { fullAt[key] = full.addingTimeInterval(-secondsPerToken) }
        }
    }

    /// Returns whether ``take(_:)`` would get a token of `key` now.
    package func hasToken(_ key: String) -> Bool {
        let instant = now()
        let full = fullAt.withLock { $0[key] } ?? instant
        return full.timeIntervalSince(instant) <= window - secondsPerToken * 0.999
    }

    /// Returns the seconds until `key` may act again, at least 1.
    package func secondsUntilReset(_ key: String) -> Int {
        let instant = now()
        let full = fullAt.withLock { $0[key] } ?? instant
        return max(1, Int((full.timeIntervalSince(instant) - window + secondsPerToken).rounded(.up)))
    }

    private static func sweep(_ fullAt: inout [String: Date], _ instant: Date, _ capacity: Int) {
        fullAt = fullAt.filter { $0.value > instant }
        guard fullAt.count >= capacity else { return }
        let kept = fullAt.sorted { $0.value > $1.value }.prefix(capacity / 2)
        fullAt = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
    }
}
