import Foundation

/// The notifications that a person wants announced on their devices, and when.
package struct NotificationPreferences: Sendable, Equatable {
    /// The names of the topics that are switched off. Topics that features add later are on.
    var silentTopics: Set<String> = []
    /// Whether an announcement quotes what was written.
    package var showsPreviews = true
    /// The hours of each day in which nothing is announced; nil for a person who never set any.
    var quietHours: QuietHours?

    /// Returns the moment at which a notification is announced: now, or at the end of the quiet hours. Returns nil when
    /// its topic is switched off.
    package func moment(for topic: NotificationTopic, at now: Date) -> Date? {
        guard !silentTopics.contains(topic.name) else { return nil }
        return quietHours?.end(at: now) ?? now
    }
}

/// The hours of each day in which nothing is announced, by the clocks of a time zone.
struct QuietHours: Sendable, Equatable {
    let start: ClockTime
    let end: ClockTime
    let timeZone: TimeZone
    /// Whether the hours are switched on. Those that are off are only remembered.
    var isOn = true

    /// Creates quiet hours. They go past midnight if they end at an earlier time of day than they start. Returns nil if
    /// they start and end at the same time.
    init?(from start: ClockTime, to end: ClockTime, in timeZone: TimeZone) {
        guard start != end else { return nil }
        self.start = start
        self.end = end
        self.timeZone = timeZone
    }

    /// Returns the end of the quiet hours that include a moment; nil if the moment is outside of quiet hours, or they are
    /// off.
    ///
    /// Quiet hours begin and end when the clocks first show the time or a later one. So a time that the clocks skip when
    /// summer begins counts as the hour to which they jump, and a time that they show twice when summer ends counts the
    /// first time.
    func end(at now: Date) -> Date? {
        guard isOn else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        func day(_ distance: Int) -> Date? {
            calendar.date(byAdding: .day, value: distance, to: now).map(calendar.startOfDay)
        }
        // Only hours that began today or yesterday can include now.
        for begin in [0, -1] {
            guard let first = start.moment(on: day(begin), calendar),
                let last = end.moment(on: day(start < end ? begin : begin + 1), calendar)
            else { continue }
            if first <= now, now < last { return last }
        }
        return nil
    }
}

/// A time of day.
struct ClockTime: Sendable, Comparable {
    /// The minutes since midnight, less than 1,440.
    let minutes: Int

    /// Returns nil for a number that isn't a minute of a day.
    init?(minutes: Int) {
        guard (0..<1440).contains(minutes) else { return nil }
        self.minutes = minutes
    }

    /// Reads a time as forms send it, such as "22:30". Returns nil for any other text.
    init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 2, let hours = Self.number(parts[0], below: 24),
            let minutes = Self.number(parts[1], below: 60)
        else { return nil }
        self.minutes = hours * 60 + minutes
    }

    /// Reads a number of two digits.
    private static func number(_ digits: Substring.UTF8View.SubSequence, below limit: Int) -> Int? {
        guard digits.count == 2, digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(String(Substring(digits))), number < limit
        else { return nil }
        return number
    }

    /// The time as forms and people write it, such as "22:30".
    var text: String {
        let (hours, rest) = minutes.quotientAndRemainder(dividingBy: 60)
        return "\(hours < 10 ? "0" : "")\(hours):\(rest < 10 ? "0" : "")\(rest)"
    }

    /// Returns the first moment of a day at which the clocks show the time, or the moment at which they skip it.
    fileprivate func moment(on day: Date?, _ calendar: Calendar) -> Date? {
        let (hours, rest) = minutes.quotientAndRemainder(dividingBy: 60)
        return day.flatMap {
            calendar.nextDate(
                after: $0.addingTimeInterval(-1),
                matching: DateComponents(hour: hours, minute: rest, second: 0),
                matchingPolicy: .nextTime, repeatedTimePolicy: .first)
        }
    }

    static func < (one: ClockTime, other: ClockTime) -> Bool { one.minutes < other.minutes }
}
