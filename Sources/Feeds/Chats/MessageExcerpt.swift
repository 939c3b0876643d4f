import Core

/// The words of a message around the first that a search looked for, in one line.
struct MessageExcerpt: Equatable {
    /// The most characters before the match, and after it.
    private static let (before, after) = (24, 140)

    /// What comes before the match, from a whole word on.
    let start: String
    /// The word that was looked for, as it was written; empty when the text has none.
    let match: String
    let rest: String

    init(of text: String, around words: [String]) {
        let words = Set(words)
        guard let found = Self.first(of: words, in: text) else {
            (start, match, rest) = ("", "", Self.line(text[...]))
            return
        }
        var begin =
            text.index(found.lowerBound, offsetBy: -Self.before, limitedBy: text.startIndex)
            ?? text.startIndex
        if begin > text.startIndex, !text[text.index(before: begin)].isWhitespace {
            // The first space is followed by a whole word. A text without spaces is cut anywhere.
            let space = text[begin..<found.lowerBound].firstIndex(where: \.isWhitespace)
            begin = space.map(text.index(after:)) ?? begin
        }
        let start = Self.line(text[begin..<found.lowerBound])
        self.start = begin == text.startIndex ? start : "…\(start)"
        match = String(text[found])
        rest = Self.line(text[found.upperBound...])
    }

    private static func line(_ text: Substring) -> String {
        String(text.prefix(after).map { $0.isNewline ? " " : $0 })
    }

    /// Returns the range of the first of some words in a text.
    private static func first(of words: Set<String>, in text: String) -> Range<String.Index>? {
        for run in text.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
            let found = SearchWords.words(of: String(run))
            guard !words.isDisjoint(with: found) else { continue }
            // In a script without spaces, each character is a word.
            let character = run.indices.first { index in
                found.count > 1 && !words.isDisjoint(with: SearchWords.words(of: String(run[index])))
            }
            return character.map { $0..<run.index(after: $0) } ?? run.startIndex..<run.endIndex
        }
        return nil
    }
}
