import Foundation
import Serving

/// The rule for the characters of names and binding texts: names of people and apps, and the promises and rules of
/// contracts. Everyone who reads such a text must see all of what it says.
///
/// The rule doesn't apply to captions and messages: they may have the marks that a language needs, and are isolated
/// where they are shown.
package enum ShownText {
    /// What is wrong with a text.
    enum Problem: Equatable {
        /// The text shows nothing.
        case blank
        /// The text has a line break, tab or other control character.
        case control
        /// The text has an invisible character, or one that changes the direction of the text around it.
        case hidden
        /// The text has more marks on one letter than any language needs.
        case marks

        /// Returns a sentence that says what to do.
        ///
        /// - Parameters:
        ///   - what: the name of the text, as the subject of a sentence, such as "A name".
        ///   - hasLines: whether the text may have several lines.
        func sentence(_ what: String, hasLines: Bool) -> String {
            switch self {
            case .blank: "\(what) must show something. Use letters or digits."
            case .control:
                hasLines
                    ? "\(what) can’t have tabs or other control characters."
                    : "\(what) has one line, without tabs or other control characters."
            case .hidden:
                "\(what) can’t have invisible characters, or ones that turn text around. Type it again instead of pasting it."
            case .marks: "\(what) can’t have more than \(mostMarks) accents on one letter. Remove some."
            }
        }
    }

    /// The most marks on one letter (UTS #39, 5.4): Vietnamese needs two, Hebrew with all its points four.
    static let mostMarks = 4

    /// Returns what is wrong with a text; nil when nothing is.
    ///
    /// - Parameter hasLines: whether the text may have several lines.
    static func problem(in text: String, hasLines: Bool = false) -> Problem? {
        // Most texts are plain ASCII.
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) || hasLines && $0 == 0x0A }) {
            return text.utf8.contains { $0 > 0x20 } ? nil : .blank
        }
        if !isShown(text) { return .blank }
        let scalars = Array(text.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            if isControl(scalar), !(hasLines && scalar == "\n") { return .control }
            if isHidden(scalar), !isNeeded(at: index, in: scalars) { return .hidden }
        }
        return hasStack(text) ? .marks : nil
    }

    /// Returns a text without invisible characters and those that change the direction of the text around it, for texts
    /// that are older than the rule and for those to which it doesn't apply. Marks that give a direction to themselves
    /// alone are kept.
    ///
    /// - Parameter hasLines: whether the text may have several lines.
    package static func cleaned(_ text: String, hasLines: Bool = false) -> String {
        // Every row that is read with an account comes through here.
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) || hasLines && $0 == 0x0A }) { return text }
        let scalars = Array(text.unicodeScalars)
        var cleaned = String.UnicodeScalarView()
        for (index, scalar) in scalars.enumerated() {
            let isUnwanted =
                isControl(scalar) && !(hasLines && scalar == "\n")
                || isHidden(scalar) && !isDirectionMark(scalar) && !isNeeded(at: index, in: scalars)
            if !isUnwanted { cleaned.append(scalar) }
        }
        return hasLines ? String(cleaned) : String(cleaned).trimmed
    }

    /// Adds what is wrong with a text to the problems of a form.
    ///
    /// - Parameters:
    ///   - what: the name of the text, as the subject of a sentence, such as "A name".
    ///   - blank: the sentence for a text that shows nothing; nil for a sentence that suits any text.
    package static func check(
        _ text: String, as what: String, field: String, blank: String? = nil, hasLines: Bool = false,
        into problems: inout Problems
    ) {
        switch problem(in: text, hasLines: hasLines) {
        case .blank:
            problems.add(field, "ERR_BLANK", blank ?? Problem.blank.sentence(what, hasLines: hasLines))
        case .some(let problem):
            problems.add(field, "ERR_INVALID", problem.sentence(what, hasLines: hasLines))
        case nil: break
        }
    }

    /// Returns whether a text shows anything: spaces, fillers, joiners and marks alone don't.
    static func isShown(_ text: String) -> Bool {
        text.unicodeScalars.contains { scalar in
            !scalar.properties.isWhitespace && !isControl(scalar) && !isHidden(scalar)
                && !isMark(scalar) && scalar.properties.generalCategory != .spacingMark
        }
    }

    // MARK: Characters

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
    }

    /// Returns whether a character gives a direction to itself alone (UAX #9, 2.6).
    private static func isDirectionMark(_ scalar: Unicode.Scalar) -> Bool {
        ["\u{061C}", "\u{200E}", "\u{200F}"].contains(scalar)
    }

    /// Returns whether a character is invisible, or looks different on each device.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        // Blanks that count as letters or symbols: of Braille, of musical notes, and the place of an object.
        case "\u{2800}", "\u{1D159}", "\u{FFFC}": true
        // Signs before a number in Arabic and other scripts are format characters, but visible.
        case "\u{0600}"..."\u{0605}", "\u{06DD}", "\u{070F}", "\u{0890}"..."\u{0891}", "\u{08E2}",
            "\u{110BD}",
            "\u{110CD}":
            false
        default:
            scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.isNoncharacterCodePoint
                || [.format, .privateUse, .surrogate].contains(scalar.properties.generalCategory)
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        [.nonspacingMark, .enclosingMark].contains(scalar.properties.generalCategory)
    }

    /// Returns whether more marks follow each other than are allowed.
    private static func hasStack(_ text: String) -> Bool {
        var count = 0
        for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars {
            if isHidden(scalar) { continue }
            count = isMark(scalar) ? count + 1 : 0
            if count > mostMarks { return true }
        }
        return false
    }

    // MARK: Invisible characters that scripts and emoji need

    /// Returns whether an invisible character has an effect in its place.
    private static func isNeeded(at index: Int, in scalars: [Unicode.Scalar]) -> Bool {
        let (before, after) = (scalars[..<index].last, scalars[(index + 1)...].first)
        switch scalars[index] {
        case "\u{200D}":
            // Emoji of several parts, such as a family; conjuncts of Indic scripts (RFC 5892, A.2).
            return isVirama(before) || isEmojiPart(before) && after.map(isEmoji) == true
        case "\u{200C}":
            // The joint that Persian and other languages keep open, and Indic scripts, too (RFC 5892, A.1).
            return isVirama(before) || isJoining(scalars[..<index].last { !isMark($0) }) && isJoining(after)
        case "\u{FE0E}", "\u{FE0F}":
            // Digits are emoji only as keycaps.
            return before.map(isEmoji) == true || after == "\u{20E3}"
        case "\u{FE00}"..."\u{FE0D}", "\u{E0100}"..."\u{E01EF}":
            // The shape of a character in Japanese and other names.
            return before?.properties.isIdeographic == true
        case "\u{180B}"..."\u{180F}":
            return before.map { ("\u{1820}"..."\u{18AA}").contains($0) } == true
        case "\u{E0020}"..."\u{E007F}":
            return isInFlag(index, scalars)
        default: return false
        }
    }

    private static func isVirama(_ scalar: Unicode.Scalar?) -> Bool {
        scalar?.properties.canonicalCombiningClass.rawValue == 9
    }

    /// Returns whether a character before a joiner is an emoji or belongs to one.
    private static func isEmojiPart(_ scalar: Unicode.Scalar?) -> Bool {
        scalar.map { $0 == "\u{FE0F}" || isEmoji($0) } == true
    }

    private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isEmoji && !scalar.isASCII
    }

    /// Returns whether a letter belongs to a script whose letters are joined: Arabic, Syriac, Mandaic, N'Ko, Mongolian
    /// and others.
    private static func isJoining(_ scalar: Unicode.Scalar?) -> Bool {
        guard let scalar, scalar.properties.isAlphabetic else { return false }
        switch scalar {
        case "\u{0620}"..."\u{08FF}", "\u{1820}"..."\u{18AA}", "\u{A840}"..."\u{A873}",
            "\u{10AC0}"..."\u{10AFF}",
            "\u{10D00}"..."\u{10D23}", "\u{1E900}"..."\u{1E943}":
            return true
        default: return false
        }
    }

    /// The tags behind a black flag that make it the flag of England, Scotland or Wales (UTS #51, ED-14a).
    private static let flags = ["gbeng", "gbsct", "gbwls"].map { tags in
        tags.unicodeScalars.compactMap { Unicode.Scalar($0.value + 0xE0000) } + ["\u{E007F}"]
    }

    /// Returns whether a tag belongs to a flag.
    private static func isInFlag(_ index: Int, _ scalars: [Unicode.Scalar]) -> Bool {
        guard let start = scalars[..<index].lastIndex(where: { !("\u{E0020}"..."\u{E007F}").contains($0) }),
            scalars[start] == "\u{1F3F4}"
        else { return false }
        let tags = scalars[(start + 1)...].prefix { ("\u{E0020}"..."\u{E007F}").contains($0) }
        return flags.contains { tags.elementsEqual($0) }
    }
}
