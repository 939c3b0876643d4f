import Foundation
import Synchronization

/// Limits how often something happens, by key: a token bucket each (leaky bucket as a meter, ITU-T I.371).
///
/// Holds one number a key, at most `capacity` keys; the fullest buckets are forgotten first, which forgets
/// nothing, since a full bucket is what an unknown key has.
package final class RateLimiter: Sendable {
    /// What taking a token came to.
    package struct Outcome: Sendable {
        package var isAllowed: Bool
        /// Whole tokens left.
        package var remaining: Int
        /// Seconds until there is a token again, 0 when there is one.
        package var untilNext: TimeInterval
        /// Seconds until all tokens are there again.
        package var untilFull: TimeInterval
    }

    /// How many at once.
    package let limit: Int
    /// In how many seconds an empty bucket is full again.
    let window: TimeInterval

    private let capacity: Int
    private let now: @Sendable () -> Date
    /// When each bucket will be full again.
    private let fullAt = Mutex<[String: Date]>([:])

    package init(limit: Int, per window: TimeInterval, capacity: Int, now: @escaping @Sendable () -> Date) {
        self.limit = limit
        self.window = window
        self.capacity = capacity
        self.now = now
    }

    private var secondsPerToken: TimeInterval { window / Double(limit) }

    /// Takes one token of `key`, if there is one.
    package func take(_ key: String) -> Outcome {
        let instant = now()
        return fullAt.withLock { fullAt in
            let full = max(fullAt[key] ?? instant, instant).addingTimeInterval(secondsPerToken)
            let debt = full.timeIntervalSince(instant)
            // A tolerance for the rounding of dates, far below one token.
            guard debt <= window + secondsPerToken * 0.001 else {
                return Outcome(
                    isAllowed: false, remaining: 0, untilNext: debt - window,
                    untilFull: debt - secondsPerToken)
            }
            if fullAt.count >= capacity, fullAt[key] == nil { Self.sweep(&fullAt, instant, capacity) }
            fullAt[key] = full
            // A little less, for the rounding of dates again: a debt of one token is one token.
            let taken = Int((debt / secondsPerToken - 0.001).rounded(.up))
            return Outcome(
                isAllowed: true, remaining: max(0, limit - taken),
                untilNext: max(0, debt + secondsPerToken - window), untilFull: debt)
        }
    }

    /// Gives a token of `key` back that was taken.
    package func giveBack(_ key: String) {
        fullAt.withLock { fullAt in
            if let full = fullAt[key] { fullAt[key] = full.addingTimeInterval(-secondsPerToken) }
        }
    }

    /// Whether ``take(_:)`` would get a token of `key` now.
    package func hasToken(_ key: String) -> Bool {
        let instant = now()
        let full = fullAt.withLock { $0[key] } ?? instant
        return full.timeIntervalSince(instant) <= window - secondsPerToken * 0.999
    }

    /// Seconds until `key` may act again, at least 1.
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
