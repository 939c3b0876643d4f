import Foundation

/// The words of a text by which search finds it: captions of posts, and messages.
///
/// Words are stored and compared whole, without case, accents and width. Chinese and Japanese have no spaces between words,
/// so each of their characters counts as a word. Nothing else about a text is kept for search, and the words of a deleted
/// text are rows that are deleted with it: the full-text indexes of SQLite 3.40 keep the words of deleted texts on the disk
/// until they merge their segments.
package enum SearchWords {
    /// The most code points of a word; the rest isn't compared. A single character may have thousands, and an index entry of
    /// PostgreSQL has room for 2,704 bytes.
    static let length = 40
    /// The most different words that one text is found by, its first ones.
    package static let mostOfText = 300
    /// The most words of a search, its first ones.
    static let mostOfQuery = 8

    /// Returns the words of a text that are stored for it, each once.
    package static func words(of text: String) -> [String] { words(of: text, most: mostOfText) }

    /// Returns the words that somebody looks for, each once: a text has to have all of them.
    package static func words(ofQuery query: String) -> [String] { words(of: query, most: mostOfQuery) }

    private static func words(of text: String, most: Int) -> [String] {
        let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        let folded =
            isASCII
            ? text.lowercased()
            : text.precomposedStringWithCompatibilityMapping.folding(
                options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
        var (words, known): ([String], Set<String>) = ([], [])
        for run in folded.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
            for word in parts(of: run) where known.insert(word).inserted {
                words.append(word)
                if words.count == most { return words }
            }
        }
        return words
    }

    /// Returns the words of letters and digits without a space: one, unless some of them are words of their own.
    private static func parts(of run: Substring) -> [String] {
        guard run.contains(where: isWord) else { return [cut(run)] }
        var (parts, rest) = ([String](), Substring())
        for (index, character) in zip(run.indices, run) {
            guard isWord(character) else {
                rest = run[(rest.isEmpty ? index : rest.startIndex)...index]
                continue
            }
            if !rest.isEmpty { parts.append(cut(rest)) }
            rest = Substring()
            parts.append(cut(Substring(String(character))))
        }
        if !rest.isEmpty { parts.append(cut(rest)) }
        return parts
    }

    private static func cut(_ word: Substring) -> String {
        String(String.UnicodeScalarView(word.unicodeScalars.prefix(length)))
    }

    /// Returns whether a character is one of the scripts that have no spaces: ideographs and kana (Unicode's blocks).
    private static func isWord(_ character: Character) -> Bool {
        guard let scalar = character.unicodeScalars.first else { return false }
        return scalar.properties.isIdeographic || (0x3041...0x30FF).contains(scalar.value)
    }
}
