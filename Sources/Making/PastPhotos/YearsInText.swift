/// The search for years in the free text that archives write as dates.
enum YearsInText {
    /// The years that a photo can be of. The oldest photo that still exists is of 1826 or 1827 (Niépce).
    private static let possible = 1_800...2_100
    /// The most years between the ends of a span that isn't named as one. A later year may be the year of a scan.
    private static let longestGuess = 60

    /// Returns the first and last year that a text may mean; nil when it names none.
    ///
    /// Reads `1905`, `1 June 1905`, `1905-06-01`, `circa 1905`, `between 1890 and 1900`, `1890–1900`, `1914-18`,
    /// `1890s`, `19th century`.
    static func find(in text: String) -> ClosedRange<Int>? {
        let text = String(text.prefix(500)).lowercased()
        let numbers = numbers(in: text)
        if let span = span(numbers) { return span }
        if let decade = numbers.first(where: \.isDecade) {
            return decade.year...min(possible.upperBound, decade.year + 9)
        }
        let years = numbers.map(\.year)
        guard let first = years.first else { return century(in: text) }
        let last = years.max() ?? first
        let earliest = years.min() ?? first
        return last - earliest <= longestGuess ? earliest...last : first...first
    }

    /// A number of four digits that may be a year, with the text after it.
    private struct Number {
        var year: Int
        /// Whether the number is a decade, such as `1890s`.
        var isDecade: Bool
        /// The text between this number and the next, without white space.
        var gap: String
        /// The digits right after a dash, as in `1914-18`.
        var tail: Int?
    }

    private static func numbers(in text: String) -> [Number] {
        let matches = text.matches(of: /([0-9]+)(?:['’]?(s)(?![a-z]))?/).filter { match in
            match.1.utf8.count == 4 && Int(match.1).map(possible.contains) == true
        }
        var found: [Number] = []
        for (index, match) in matches.enumerated() {
            guard let year = Int(match.1) else { continue }
            let rest = text[match.range.upperBound...]
            let end = index + 1 < matches.count ? matches[index + 1].range.lowerBound : text.endIndex
            let gap = text[match.range.upperBound..<end].filter { !$0.isWhitespace }
            let tail = rest.prefixMatch(of: /\s*[-–—\/]\s*([0-9]{2})(?![0-9])(?!\s*[-:.])/)
            found.append(
                Number(
                    year: year, isDecade: match.2 != nil, gap: String(gap), tail: tail.flatMap { Int($0.1) }))
        }
        return found
    }

    /// Returns a span that the words name: two years with a word or dash between them, or a year with the last digits
    /// of another.
    private static func span(_ numbers: [Number]) -> ClosedRange<Int>? {
        for (index, number) in numbers.enumerated() {
            if index + 1 < numbers.count {
                let next = numbers[index + 1]
                let last = next.isDecade ? min(possible.upperBound, next.year + 9) : next.year
                if number.year <= last, joins.contains(number.gap) { return number.year...last }
            }
            // 1905-06 is June; 1914-18 and 1905/06 are years.
            if let tail = number.tail, tail > number.year % 100 {
                let end = number.year / 100 * 100 + tail
                if tail > 12 { return number.year...end }
            }
        }
        return nil
    }

    private static let joins: Set<String> = [
        "-", "–", "—", "/", "and", "to", "or", "until", "till", "und", "bis", "oder", "et", "à", "ou", "y",
        "a", "o",
        "…", "...", "..",
    ]

    /// Returns the years of `19th century`, or a third of them with `early`, `mid` or `late`.
    private static func century(in text: String) -> ClosedRange<Int>? {
        guard let match = text.firstMatch(of: /(early|mid|late)?[\s-]*\b(19|20|21)(?:th|st)[\s-]*century/),
            let number = Int(match.2)
        else { return nil }
        let first = (number - 1) * 100 + 1
        let part =
            switch match.1.map(String.init) {
            case "early": first...(first + 32)
            case "mid": (first + 33)...(first + 65)
            case "late": (first + 66)...(first + 99)
            default: first...(first + 99)
            }
        return part
    }
}
