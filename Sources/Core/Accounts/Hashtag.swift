import Foundation

/// A hashtag: a word of letters, digits and underscores behind `#`, with at least one letter.
///
/// Two spellings are the same hashtag when they differ in case, accents or width only. As in Mastodon, a middle dot and the
/// non-joiner of Persian may be inside.
package struct Hashtag: Sendable, Hashable {
    /// The most characters.
    static let length = 100
    /// The most different hashtags in one text; any others are plain text.
    static let most = 30

    /// The hashtag as it was written, without `#`.
    package let written: String
    /// The folded name, which is the same for all spellings.
    package let name: String

    /// Creates a hashtag of a text that is one, with or without `#`. Returns nil for any other text.
    package init?(_ text: String) {
        let word = text.first == "#" ? text.dropFirst() : text[...]
        guard let tag = Hashtag(at: word), tag.written.unicodeScalars.count == word.unicodeScalars.count
        else {
            return nil
        }
        self = tag
    }

    /// Creates a hashtag that was folded when it was stored.
    package init(written: String, name: String) { (self.written, self.name) = (written, name) }

    /// Creates the hashtag whose word a text begins with. Returns nil if there is none.
    init?(at text: Substring) {
        var word = text.unicodeScalars.prefix(Self.length + 1).prefix(while: Self.isPart)
        while let last = word.last, Self.isSeparator(last) { word = word.dropLast() }
        guard word.count <= Self.length, word.first.map(Self.isSeparator) == false,
            word.contains(where: Self.isLetter)
        else { return nil }
        written = String(Substring(word))
        guard let name = Self.folded(written) else { return nil }
        self.name = name
    }

    /// Returns the spelling by which a hashtag is stored and compared; nil when nothing is left of it, or too much.
    private static func folded(_ word: String) -> String? {
        if word.utf8.allSatisfy({ $0 < 0x80 }) { return word.lowercased() }
        let folded = word.precomposedStringWithCompatibilityMapping
            .folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
            .precomposedStringWithCanonicalMapping
        // What stands for several characters may contain spaces, such as U+FDFA.
        let kept = folded.unicodeScalars.filter { isPart($0) && $0 != "\u{200C}" }
        guard kept.count <= length, kept.contains(where: isLetter) else { return nil }
        return String(String.UnicodeScalarView(kept))
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isAlphabetic }

    private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
        ["\u{B7}", "\u{30FB}", "\u{200C}"].contains(scalar)
    }

    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == "_" || isLetter(scalar) || isSeparator(scalar) { return true }
        switch scalar.properties.generalCategory {
        case .decimalNumber: return true
        // The vowels and accents of many scripts, without selectors of emoji.
        case .nonspacingMark, .spacingMark: return !scalar.properties.isDefaultIgnorableCodePoint
        default: return false
        }
    }
}
