import Foundation

/// The rules for what people may call themselves.
enum AccountRules {
    static let usernameLength = 1...30
    static let displayNameLength = 1...50
    static let bioLength = 0...500
    static let passwordLength = 8...200
    /// Names that would look like a part of the app or its operator.
    private static let reserved: Set<String> = [
        "admin", "administrator", "api", "help", "login", "logout", "me", "oauth", "root", "settings",
        "signup", "static", "support", "system", "tintype", "users", "you",
    ]

    static func check(username: String, into problems: inout Problems) {
        let scalars = username.unicodeScalars
        if username.isEmpty {
            problems.add("username", "ERR_BLANK", "Choose a username.")
        } else if scalars.count > usernameLength.upperBound {
            problems.add("username", "ERR_TOO_LONG", "A username has at most 30 characters.")
        } else if !scalars.allSatisfy({ isASCIIWord($0) || $0 == "." }) {
            problems.add(
                "username", "ERR_INVALID", "Use letters a to z, digits, dots and underscores only.")
        } else if username.hasPrefix(".") || username.hasSuffix(".") || username.contains("..") {
            problems.add("username", "ERR_INVALID", "Use dots only between other characters, one at a time.")
        } else if reserved.contains(folded(username: username)) {
            problems.add("username", "ERR_RESERVED", "@\(username) is reserved. Choose another username.")
        }
    }

    // Lengths are counted in code points, as Mastodon's apps and our pages do: any number of marks may stand on what
    // a person sees as one character.
    static func check(displayName: String, into problems: inout Problems) {
        let scalars = displayName.unicodeScalars
        if !isShown(displayName) {
            problems.add("display_name", "ERR_BLANK", "Enter your name.")
        } else if scalars.count > displayNameLength.upperBound {
            problems.add("display_name", "ERR_TOO_LONG", "A name has at most 50 characters.")
        } else if scalars.contains(where: isControl) {
            problems.add("display_name", "ERR_INVALID", "A name has one line, without control characters.")
        }
    }

    static func check(bio: String, into problems: inout Problems) {
        let count = bio.unicodeScalars.count
        if count > bioLength.upperBound {
            problems.add("note", "ERR_TOO_LONG", "That is \(count) characters; the limit is 500.")
        }
    }

    static func check(password: String, field: String = "password", into problems: inout Problems) {
        if password.count < passwordLength.lowerBound {
            problems.add(field, "ERR_TOO_SHORT", "Use at least 8 characters.")
        } else if password.utf8.count > passwordLength.upperBound * 4 {
            problems.add(field, "ERR_TOO_LONG", "Use at most 200 characters.")
        }
    }

    /// The spelling under which a username is unique.
    static func folded(username: String) -> String { username.lowercased() }

    /// The words of a name as search compares them: lower case, accents and width ignored, at most eight.
    static func searchTerms(_ text: String) -> [String] {
        let folded = text.folding(
            options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
        let words = folded.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        return Array(Set(words)).sorted().prefix(8).map { String($0.prefix(40)) }
    }

    /// Returns a name without what can't be seen and what would turn the text beside it around.
    static func cleaned(name: String) -> String {
        // Most names are plain ASCII, and every row that is read comes by here.
        if name.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return name }
        return String(
            String.UnicodeScalarView(name.unicodeScalars.filter { !isControl($0) && !isUnwanted($0) })
        )
        .trimmed
    }

    /// Returns a bio without what can't be seen and what would turn the text beside it around; lines stay.
    static func cleaned(bio: String) -> String {
        if bio.utf8.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 0x0A }) { return bio }
        return String(
            String.UnicodeScalarView(
                bio.unicodeScalars.filter { $0 == "\n" || !isControl($0) && !isUnwanted($0) }))
    }

    /// Whether a character is one of those that only format text and that no name needs: embeddings, overrides and
    /// isolates, which reorder what stands behind them (UAX #9), and the invisible ones.
    private static func isUnwanted(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.properties.generalCategory == .format, scalar.properties.isDefaultIgnorableCodePoint
        else { return false }
        switch scalar {
        // Joiners of Arabic, Indic and Mongolian letters and of emoji; marks that give a direction to no more than
        // themselves; the tags in the flags of England, Scotland and Wales.
        case "\u{200C}", "\u{200D}", "\u{180E}", "\u{200E}", "\u{200F}", "\u{61C}", "\u{E0020}"..."\u{E007F}":
            return false
        default: return true
        }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
    }

    /// Whether a name shows anything.
    static func isShown(_ name: String) -> Bool { name.unicodeScalars.contains(where: isSeen) }

    /// Whether a character shows something: fillers and joiners don't, and neither does the empty Braille cell.
    private static func isSeen(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        return !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint && !isControl(scalar)
            && properties.generalCategory != .format && scalar != "\u{2800}"
    }

    private static func isASCIIWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_": true
        default: false
        }
    }
}
