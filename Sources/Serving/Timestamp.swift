import Foundation

/// Times in the formats that the app shows.
package enum Timestamp {
    /// Returns a time such as `2026-11-21T09:41:00.000Z`: ISO 8601 in UTC with exactly three decimals, the one format
    /// that all phone apps parse (Documentation/Interface.md, "What apps need").
    package static func iso8601(_ date: Date) -> String {
        let milliseconds = Int64((shown(date) * 1000).rounded())
        var seconds = milliseconds / 1000
        var rest = milliseconds % 1000
        if rest < 0 {
            rest += 1000
            seconds -= 1
        }
        var day = seconds / 86_400
        var second = seconds % 86_400
        if second < 0 {
            second += 86_400
            day -= 1
        }
        let (year, month, dayOfMonth) = civil(fromDays: day)
        var text = [UInt8](repeating: 0, count: 24)
        func put(_ value: Int, at index: Int, digits: Int) {
            var value = value
            for offset in stride(from: digits - 1, through: 0, by: -1) {
                text[index + offset] = UInt8(ascii: "0") + UInt8(value % 10)
                value /= 10
            }
        }
        put(year, at: 0, digits: 4)
        put(month, at: 5, digits: 2)
        put(dayOfMonth, at: 8, digits: 2)
        put(Int(second / 3600), at: 11, digits: 2)
        put(Int(second / 60 % 60), at: 14, digits: 2)
        put(Int(second % 60), at: 17, digits: 2)
        put(Int(rest), at: 20, digits: 3)
        text[4] = UInt8(ascii: "-")
        text[7] = UInt8(ascii: "-")
        text[10] = UInt8(ascii: "T")
        text[13] = UInt8(ascii: ":")
        text[16] = UInt8(ascii: ":")
        text[19] = UInt8(ascii: ".")
        text[23] = UInt8(ascii: "Z")
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns a day such as `2026-11-21`, in UTC.
    package static func day(_ date: Date) -> String { String(iso8601(date).prefix(10)) }

    /// Returns a day such as `12 November 2026`, in UTC.
    package static func dayInWords(_ date: Date) -> String {
        let (year, month, day) = civil(fromDays: Int64((shown(date) / 86_400).rounded(.down)))
        return "\(day) \(monthNames[month - 1]) \(year)"
    }

    /// Returns the year of a date, in UTC.
    package static func year(of date: Date) -> Int {
        civil(fromDays: Int64((shown(date) / 86_400).rounded(.down))).year
    }

    /// Returns a time such as `12 November 2026 at 09:41 UTC`, for tooltips.
    package static func long(_ date: Date) -> String {
        "\(dayInWords(date)) at \(iso8601(date).dropFirst(11).prefix(5)) UTC"
    }

    /// The words for a time less than a minute ago.
    package enum UnderAMinute {
        /// `just now`.
        case justNow
        /// `0 minutes ago`, for what soon ends: its time is counted in hours even after a day.
        case zeroMinutes
    }

    /// Returns a time such as `5 minutes ago`, `1 hour ago`, `3 days ago` or `2 weeks ago`, for older times `12
    /// November` and, in another year, `12 November 2025` (Documentation/Product.md, "Times"). A time in the future
    /// counts as now.
    package static func relative(_ date: Date, now: Date, underAMinute: UnderAMinute = .justNow) -> String {
        let minutes = Int(max(0, shown(now) - shown(date)) / 60)
        switch minutes {
        case 0: return underAMinute == .justNow ? "just now" : "0 minutes ago"
        case ..<60: return count(minutes, "minute")
        case ..<(24 * 60): return count(minutes / 60, "hour")
        case _ where underAMinute == .zeroMinutes: return count(minutes / 60, "hour")
        case ..<(7 * 24 * 60): return count(minutes / (24 * 60), "day")
        case ..<(28 * 24 * 60): return count(minutes / (7 * 24 * 60), "week")
        default:
            let (year, month, day) = civil(
                fromDays: Int64((shown(date) / 86_400).rounded(.down)))
            let (thisYear, _, _) = civil(fromDays: Int64((shown(now) / 86_400).rounded(.down)))
            return "\(day) \(monthNames[month - 1])" + (year == thisYear ? "" : " \(year)")
        }
    }

    /// The times that have a year of four digits, in seconds since 1970: to the millisecond before the year 10000.
    private static let times = -62_167_219_200.0...253_402_300_799.999

    /// Returns the nearest of these times, in seconds since 1970: a row may have any.
    private static func shown(_ date: Date) -> TimeInterval {
        min(max(date.timeIntervalSince1970, times.lowerBound), times.upperBound)
    }

    private static func count(_ number: Int, _ unit: String) -> String {
        "\(number) \(unit)\(number == 1 ? "" : "s") ago"
    }

    private static let monthNames = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
        "November", "December",
    ]

    /// Returns year, month and day of the proleptic Gregorian calendar from days since 1970-01-01 (Howard Hinnant,
    /// "chrono-Compatible Low-Level Date Algorithms", civil_from_days).
    private static func civil(fromDays days: Int64) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
        let month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
        return (Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0), month, day)
    }
}
