import Foundation

/// A limit on how often something may be attempted, which all servers of a database keep together: a token bucket for each
/// key (leaky bucket as a meter, ITU-T I.371), as in ``Serving/RateLimiter``.
package struct AttemptLimit: Sendable {
    private let counts: AttemptCounts
    private let kind: AttemptKind
    private let limit: Int

    /// - Parameters:
    ///   - name: the name of what is attempted, which no other limit has.
    ///   - limit: the most attempts at once.
    ///   - window: the seconds in which that many are forgiven.
    package init(_ name: String, limit: Int, per window: TimeInterval, in counts: AttemptCounts) {
        self.counts = counts
        self.limit = limit
        kind = AttemptKind(name, forgivenIn: window / Double(limit))
    }

    /// Counts an attempt, if there is still room for one.
    ///
    /// - Returns: the seconds until there is, at least 1; nil when the attempt was counted.
    /// - Throws: `DatabaseError`.
    package func take(_ text: String) async throws -> Int? {
        try await wait(text) { $0.add($1) }
    }

    /// Returns the seconds until there is room for an attempt, at least 1; nil when there is now.
    ///
    /// - Throws: `DatabaseError`.
    package func wait(_ text: String) async throws -> Int? {
        try await wait(text) { _, _ in }
    }

    private func wait(
        _ text: String, orElse take: @escaping @Sendable (inout AttemptTally, AttemptKey) -> Void
    ) async throws -> Int? {
        let key = AttemptKey(kind, text)
        return try await counts.update([key]) { [limit] tally in
            let missing = tally.number(key) + 1 - Double(limit)
            // A tolerance for rounded dates, far below one attempt.
            guard missing > 0.001 else {
                take(&tally, key)
                return nil
            }
            // A row may have any number.
            return Int(min(max(1, (missing * key.kind.forgiveness).rounded(.up)), 1e9))
        }
    }
}
