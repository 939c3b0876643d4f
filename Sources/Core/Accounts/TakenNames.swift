import Foundation
import Serving

/// The names that belong to the server itself: no person or app may have a name that looks like one of them.
package struct TakenNames: Sendable {
    private let folded: Set<String>

    /// - Parameter server: the server's name, which its operator has chosen.
    init(server: String) {
        folded = Set(["Tintype", server].map(Self.folded).filter { !$0.isEmpty })
    }

    /// Returns whether a name looks like the server's own.
    package func contain(_ name: String) -> Bool { folded.contains(Self.folded(name)) }

    /// Adds what is wrong with the name of a person or an app to the problems of a form.
    ///
    /// - Parameters:
    ///   - what: the name's role, as the subject of a sentence, such as "A name".
    ///   - most: the most code points, counted as Mastodon's apps and our pages do: what a person sees as one character
    ///     may have any number of marks.
    ///   - blank: the sentence for a name that shows nothing.
    package func check(
        _ name: String, as what: String, field: String, most: Int, blank: String,
        into problems: inout Problems
    ) {
        guard name.unicodeScalars.count <= most else {
            return problems.add(field, "ERR_TOO_LONG", "\(what) has at most \(most) characters.")
        }
        ShownText.check(name, as: what, field: field, blank: blank, into: &problems)
        if contain(name) {
            problems.add(
                field, "ERR_RESERVED", "“\(name)” is this server’s own name. Choose another name.")
        }
    }

    /// Returns a name without the differences that a hasty reader misses: case, accents, spaces, signs, the width and
    /// form of letters (NFKC), and letters that look like others.
    ///
    /// Letters that look alike are those of Cyrillic, Greek, Armenian, Georgian, Cherokee and phonetic script that look
    /// like one letter from a to z, the digits 0, 1, 3, 4 and 5, strokes, and letters in circles, squares and flags.
    /// The list is not complete, as that of UTS #39 is: pairs of letters that look like one letter (rn and m) are left
    /// out.
    static func folded(_ name: String) -> String {
        let letters = String(String.UnicodeScalarView(name.unicodeScalars.compactMap(Self.letter)))
        let plain = letters.precomposedStringWithCompatibilityMapping.lowercased()
            .decomposedStringWithCompatibilityMapping.unicodeScalars
        var folded = String.UnicodeScalarView()
        for scalar in plain where isPart(scalar) { folded.append(alike[scalar] ?? scalar) }
        // A stroke within a name is an i, and one after it a sign.
        let strokes = Set<Unicode.Scalar>(["|", "!"])
        let end = folded.lastIndex { !strokes.contains($0) }.map(folded.index(after:)) ?? folded.startIndex
        return String(
            String.UnicodeScalarView(
                folded[..<end].drop(while: strokes.contains).map { strokes.contains($0) ? "i" : $0 }))
    }

    /// Returns whether a character counts: letters, digits and strokes do; accents, spaces and signs don't.
    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: false
        default:
            scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "|"
                || scalar == "!"
        }
    }

    /// Returns a sign as the letter that it shows; nil for a sign beside a name, which would become letters.
    private static func letter(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        let first: UInt32
        switch scalar {
        case "\u{2122}", "\u{2120}", "\u{00AE}", "\u{00A9}": return nil
        // White letters in circles and squares, and the letters of flags: they have no compatibility form.
        case "\u{1F150}"..."\u{1F169}": first = 0x1F150
        case "\u{1F170}"..."\u{1F189}": first = 0x1F170
        case "\u{1F1E6}"..."\u{1F1FF}": first = 0x1F1E6
        default: return scalar
        }
        return Unicode.Scalar(0x61 + scalar.value - first)
    }

    /// Letters in lower case, by the letter that they look like in lower case or as a capital. All letters that look
    /// like a stroke are an i.
    private static let alike: [Unicode.Scalar: Unicode.Scalar] = {
        // By number, since nobody sees a difference.
        let groups: [(Unicode.Scalar, String)] = [
            ("a", "\u{430}\u{3B1}\u{1D00}\u{251}4\u{AB7A}"),
            ("b", "\u{432}\u{3B2}\u{299}"),
            ("c", "\u{441}\u{3F2}\u{1D04}"),
            ("d", "\u{501}\u{1D05}"),
            ("e", "\u{435}\u{3B5}\u{4BD}\u{1D07}3\u{454}\u{AB7C}"),
            ("g", "\u{261}\u{262}"),
            ("h", "\u{4BB}\u{43D}\u{29C}\u{570}"),
            ("i", "\u{456}\u{3B9}l1\u{131}\u{26A}\u{4CF}\u{269}\u{AB75}"),
            ("j", "\u{458}\u{3F3}\u{1D0A}"),
            ("k", "\u{43A}\u{3BA}\u{1D0B}"),
            ("m", "\u{43C}\u{3BC}\u{1D0D}"),
            ("n", "\u{43F}\u{438}\u{3B7}\u{578}\u{3BD}\u{274}\u{14B}"),
            ("o", "\u{43E}\u{3BF}\u{585}0\u{1D0F}\u{3C3}"),
            ("p", "\u{440}\u{3C1}\u{1D18}\u{ABB2}"),
            ("q", "\u{51B}\u{563}"),
            ("r", "\u{433}\u{280}"),
            ("s", "\u{455}5\u{A731}\u{ABAA}"),
            ("t", "\u{442}\u{3C4}\u{1D1B}\u{AB72}"),
            ("u", "\u{57D}\u{1D1C}"),
            ("v", "\u{475}\u{1D20}"),
            ("w", "\u{51D}\u{3C9}\u{1D21}\u{461}"),
            ("x", "\u{445}\u{3C7}"),
            ("y", "\u{443}\u{3C5}\u{4AF}\u{3B3}\u{28F}\u{10E7}\u{AB8D}"),
            ("z", "\u{3B6}\u{1D22}"),
        ]
        var alike: [Unicode.Scalar: Unicode.Scalar] = [:]
        for (letter, others) in groups {
            for other in others.unicodeScalars { alike[other] = letter }
        }
        return alike
    }()
}
