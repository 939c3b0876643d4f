import Foundation

/// A kind of attempts that are counted, by the time in which they are forgiven.
package struct AttemptKind: Sendable, Hashable {
    /// The kind's name, which no other kind has.
    package let name: String
    /// The seconds after which one attempt is forgiven.
    package let forgiveness: TimeInterval

    /// - Parameters:
    ///   - name: the kind's name, which no other kind has.
    ///   - forgiveness: the seconds after which one attempt is forgiven.
    package init(_ name: String, forgivenIn forgiveness: TimeInterval) {
        self.name = name
        self.forgiveness = forgiveness
    }
}

/// The place and the purpose of attempts that are counted together: a kind, and an account or a network.
package struct AttemptKey: Sendable, Hashable {
    let kind: AttemptKind
    let text: String

    /// - Parameter text: what tells one place from others. It is stored as a code only.
    package init(_ kind: AttemptKind, _ text: String) {
        self.kind = kind
        self.text = text
    }
}

/// The counts of a few keys at one moment. What changes in it is written back by ``AttemptCounts``.
package struct AttemptTally: Sendable {
    /// The attempts of one key.
    struct Count: Sendable, Equatable {
        /// The number of attempts that were not forgiven at `last`.
        var number: Double
        /// The time of the last attempt.
        var last: Date

        /// Returns how many are not forgiven now.
        func remaining(_ kind: AttemptKind, at now: Date) -> Double {
            max(0, number - Self.elapsed(since: last, now) / kind.forgiveness)
        }

        /// Returns when all are forgiven.
        func end(_ kind: AttemptKind) -> Date { last.addingTimeInterval(number * kind.forgiveness) }

        /// Returns the seconds since an attempt, never negative: a clock that is set back makes no pause longer.
        static func elapsed(since last: Date, _ now: Date) -> TimeInterval {
            max(0, now.timeIntervalSince(last))
        }
    }

    let now: Date
    private(set) var counts: [AttemptKey: Count]

    init(at now: Date, _ counts: [AttemptKey: Count]) {
        self.now = now
        self.counts = counts
    }

    /// Returns how many attempts of a key are not forgiven yet.
    package func number(_ key: AttemptKey) -> Double {
        counts[key]?.remaining(key.kind, at: now) ?? 0
    }

    /// Returns the seconds since the last attempt of a key; nil when there was none.
    package func elapsed(_ key: AttemptKey) -> TimeInterval? {
        counts[key].map { Count.elapsed(since: $0.last, now) }
    }

    /// Counts an attempt.
    package mutating func add(_ key: AttemptKey) {
        counts[key] = Count(number: number(key) + 1, last: now)
    }

    /// Takes back a counted attempt.
    package mutating func takeBack(_ key: AttemptKey) {
        guard let known = counts[key] else { return }
        counts[key] = known.number > 1 ? Count(number: known.number - 1, last: known.last) : nil
    }

    /// Forgives all attempts of a key.
    package mutating func forget(_ key: AttemptKey) { counts[key] = nil }
}
