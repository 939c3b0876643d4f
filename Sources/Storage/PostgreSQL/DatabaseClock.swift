import Foundation

/// The clock of a PostgreSQL server, as far as a computer's own clock is wrong. Ids say when they were made, and what is compared
/// by them must not depend on which server made them.
struct DatabaseClock {
    /// By how many milliseconds the computer's clock is behind.
    private var behind = 0

    /// The longest answer from which the difference is told, and the smallest difference that is one, in milliseconds.
    private static let (longest, smallest) = (100, 50)

    /// Compares the clocks.
    /// - Parameters:
    ///   - text: the server's time in milliseconds since 1970.
    ///   - start: when the server was asked, by this computer's clock.
    ///   - end: when it had answered.
    mutating func measure(_ text: String?, from start: Date, to end: Date) {
        guard let time = text.flatMap({ Int($0) }) else { return }
        let (start, end) = (Self.milliseconds(start), Self.milliseconds(end))
        guard (0...Self.longest).contains(end &- start) else { return }
        let difference = time &- (start &+ (end &- start) / 2)
        behind = difference.magnitude < Self.smallest ? 0 : difference
    }

    /// Returns the server's time for a time of this computer.
    func time(_ local: Date) -> Date {
        behind == 0 ? local : local.addingTimeInterval(Double(behind) / 1000)
    }

    private static func milliseconds(_ date: Date) -> Int {
        Int((date.timeIntervalSince1970 * 1000).rounded())
    }
}
