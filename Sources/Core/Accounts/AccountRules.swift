import Foundation
import Serving

/// The rules for usernames and display names.
package enum AccountRules {
    package static let usernameLength = 1...30
    package static let displayNameLength = 1...50
    package static let bioLength = 0...500
    package static let passwordLength = 8...200
    /// Names that would look like a part of the app or its operator.
    private static let reserved: Set<String> = [
        "admin", "administrator", "api", "help", "login", "logout", "me", "oauth", "root", "settings",
        "signup", "static", "support", "system", "tintype", "users", "you",
    ]

    static func check(username: String, taken: TakenNames, into problems: inout Problems) {
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
        } else if reserved.contains(folded(username: username)) || taken.contain(username) {
            problems.add("username", "ERR_RESERVED", "@\(username) is reserved. Choose another username.")
        }
    }

    static func check(displayName: String, taken: TakenNames, into problems: inout Problems) {
        taken.check(
            displayName, as: "A name", field: "display_name", most: displayNameLength.upperBound,
            blank: "Enter your name.", into: &problems)
    }

    static func check(bio: String, into problems: inout Problems) {
        let count = bio.unicodeScalars.count
        if count > bioLength.upperBound {
            problems.add("note", "ERR_TOO_LONG", "That is \(count) characters; the limit is 500.")
        }
    }

    package static func check(password: String, field: String = "password", into problems: inout Problems) {
        if password.count < passwordLength.lowerBound {
            problems.add(field, "ERR_TOO_SHORT", "Use at least 8 characters.")
        } else if password.utf8.count > passwordLength.upperBound * 4 {
            problems.add(field, "ERR_TOO_LONG", "Use at most 200 characters.")
        }
    }

    /// Returns the spelling in which a username is unique.
    package static func folded(username: String) -> String { username.lowercased() }

    /// Returns the words of a name as search compares them: lower case, without accents and width, at most eight.
    package static func searchTerms(_ text: String) -> [String] {
        let folded = text.folding(
            options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
        let words = folded.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        return Array(Set(words)).sorted().prefix(8).map { String($0.prefix(40)) }
    }

    private static func isASCIIWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_": true
        default: false
        }
    }
}
