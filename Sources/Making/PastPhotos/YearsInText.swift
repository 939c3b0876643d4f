/// Finds the year or years in which a photo was taken, in the free words that archives write.
enum YearsInText {
    /// Years that a photo can be of: from the first one that is kept (Niépce, 1826 or 1827) on.
    private static let possible = 1_800...2_100
    /// Years farther apart than this are a span only when the words say so, since the later one may be a scan's.
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

    /// A number of four digits that may be a year, with what is written behind it.
    private struct Number {
        var year: Int
        /// Whether it is `1890s`.
        var isDecade: Bool
        /// What is between it and the next number, without white space.
        var gap: String
        /// The digits right behind a dash, as in `1914-18`.
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

    /// A span that the words name: two years with a word or dash between them, or one with the end of another.
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

    /// `19th century`, with `early`, `mid` or `late` a third of it.
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
