import Core
import Feeds
import Foundation
import People
import Serving

/// The texts of other services as Tintype keeps them. What isn't a visible character is removed, and a text beyond the
/// limit is cut.
enum ImportedText {
    /// Returns a text in one line for a report, which a terminal shows: without control characters.
    static func line(_ text: String) -> String { PlainText.oneLine(ShownText.cleaned(text), limit: 100) }

    /// Returns the words of a post within their limits.
    ///
    /// - Parameters:
    ///   - warning: what covers the post; nil when nothing does.
    ///   - language: the language, which is dropped when it isn't a tag of BCP 47.
    ///   - isCut: set when something was too long.
    static func words(
        caption: String, warning: String? = nil, language: String? = nil, isCut: inout Bool
    ) -> PostWords {
        var problems = Problems()
        PostRules.check(language: language, into: &problems)
        return PostWords(
            caption: cut(caption, to: PostRules.captionLength, &isCut),
            warning: warning.map { cut(line(of: $0), to: PostRules.warningLength, &isCut) },
            language: problems.fields.isEmpty ? language : nil)
    }

    /// Returns the description of a picture within its limit.
    static func description(_ text: String, isCut: inout Bool) -> String {
        cut(text, to: Photo.descriptionLength, &isCut)
    }

    private static func line(of text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    private static func cut(_ text: String, to limit: Int, _ isCut: inout Bool) -> String {
        let clean = ShownText.cleaned(text.replacing("\r\n", with: "\n"), hasLines: true).trimmed
        guard clean.unicodeScalars.count > limit else { return clean }
        isCut = true
        // A character may be several code points, and isn't cut within.
        var (kept, count) = ("", 1)
        for character in clean {
            count += character.unicodeScalars.count
            guard count <= limit else { break }
            kept.append(character)
        }
        return kept.trimmed + "…"
    }
}
