import Core
import Foundation
import People
import Serving

/// Words, and single posts, that a person doesn't want to see, and what becomes of posts with them.
package struct PostFilter: Sendable, Hashable {
    /// The filter's identifier.
    package typealias ID = Core.ID<PostFilter>

    /// Where a filter counts, with Mastodon's names.
    package enum Context: String, Sendable, CaseIterable {
        /// Home, and the feeds of lists.
        case home
        case notifications
        /// Everyone's posts.
        case everyone = "public"
        /// A post with its comments.
        case thread
        /// The posts on a profile.
        case account
    }

    /// What becomes of a post, with Mastodon's names.
    enum Action: String, Sendable {
        /// The post is folded, and a tap shows it.
        case fold = "warn"
        case hide
    }

    /// A word or phrase that a filter looks for.
    struct Word: Sendable, Hashable {
        /// The word's identifier.
        typealias ID = Core.ID<Word>

        let id: ID
        var text: String
        /// Whether the word counts only where it isn't a part of a longer one.
        var isWhole: Bool
    }

    /// A single post in a filter.
    struct Single: Sendable, Hashable {
        /// The identifier of the post's place in the filter.
        typealias ID = Core.ID<Single>

        let id: ID
        let post: Post.ID
    }

    let id: ID
    var title: String
    var contexts: [Context]
    var action: Action
    /// The time from which the filter no longer counts; nil for never.
    var endsAt: Date?
    var words: [Word] = []
    var singles: [Single] = []

    /// Returns whether the filter counts at a time.
    func counts(at now: Date) -> Bool { endsAt.map { $0 > now } ?? true }
}

/// A filter that fits a post, and why.
package struct FilterMatch: Sendable, Hashable {
    let filter: PostFilter
    /// The words of the filter that are in the post.
    var words: [String] = []
    /// Whether the filter has the post itself.
    var isSingle = false
}

extension Post {
    /// Returns whether one of the viewer's filters hides the post somewhere.
    func isHidden(in context: PostFilter.Context) -> Bool {
        filtered.contains { $0.filter.action == .hide && $0.filter.contexts.contains(context) }
    }

    /// Returns the title of the first of the viewer's filters that folds or hides the post somewhere; nil for none.
    func foldedBy(in context: PostFilter.Context) -> String? {
        filtered.first { $0.filter.contexts.contains(context) }?.filter.title
    }
}

extension [Post] {
    /// Returns the posts that the viewer's filters don't hide somewhere.
    package func unhidden(in context: PostFilter.Context) -> [Post] { filter { !$0.isHidden(in: context) } }
}

/// The filters of one person, prepared to look through posts.
struct FilterMatcher: Sendable {
    /// A word as it is looked for.
    private struct Pattern: Sendable {
        let filter: Int
        let text: String
        let folded: [UInt8]
        /// For each beginning of the word, the length of the longest shorter one with which it ends.
        let borders: [Int]
        /// Whether no letter or digit may come before it, and after it.
        let startsWord: Bool
        let endsWord: Bool
    }

    private let filters: [PostFilter]
    private let patterns: [Pattern]

    /// - Parameter filters: those that count at present.
    init(_ filters: [PostFilter]) {
        self.filters = filters
        patterns = filters.enumerated().flatMap { index, filter in
            filter.words.map { word in
                let folded = Self.folded(word.text)
                let bytes = Array(folded.utf8)
                // As in Mastodon, a whole word is bounded only where it has a letter or digit itself.
                return Pattern(
                    filter: index, text: word.text, folded: bytes, borders: Self.borders(of: bytes),
                    startsWord: word.isWhole && folded.unicodeScalars.first.map(Self.isOfWord) == true,
                    endsWord: word.isWhole && folded.unicodeScalars.last.map(Self.isOfWord) == true)
            }
        }
    }

    /// Returns the text of a post in which filters look for words. It is the same for all viewers.
    static func text(of post: Post) -> [UInt8] {
        let parts = [post.warning, post.caption].compactMap(\.self) + post.photos.map(\.description)
        return Array(folded(parts.joined(separator: "\n")).utf8)
    }

    /// Returns the filters that fit a post of somebody else, with the reasons.
    ///
    /// - Parameters:
    ///   - text: the post's text as ``text(of:)`` returns it, which filters without words don't need.
    ///   - singles: the filters that have the post itself.
    func matches(in text: @autoclosure () -> [UInt8], singles: Set<PostFilter.ID>) -> [FilterMatch] {
        var found: [Int: FilterMatch] = [:]
        for (index, filter) in filters.enumerated() where singles.contains(filter.id) {
            found[index] = FilterMatch(filter: filter, isSingle: true)
        }
        if !patterns.isEmpty {
            let bytes = text()
            for pattern in patterns where Self.has(pattern, in: bytes) {
                found[pattern.filter, default: FilterMatch(filter: filters[pattern.filter])].words.append(
                    pattern.text)
            }
        }
        return found.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Returns a text in which capitals, and the ways to write an accent, make no difference.
    private static func folded(_ text: String) -> String {
        text.lowercased().precomposedStringWithCanonicalMapping
    }

    private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            return ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
                || ("0"..."9").contains(scalar) || scalar == "_"
        }
        return switch scalar.properties.generalCategory {
        case .decimalNumber, .letterNumber, .nonspacingMark, .spacingMark, .connectorPunctuation: true
        default: scalar.properties.isAlphabetic
        }
    }

    /// Returns whether a text has a word, in a time that grows with the lengths of both and no faster (D. E. Knuth, J. H.
    /// Morris, V. R. Pratt: Fast pattern matching in strings, 1977).
    private static func has(_ pattern: Pattern, in text: [UInt8]) -> Bool {
        let (word, borders) = (pattern.folded, pattern.borders)
        guard !word.isEmpty, word.count <= text.count else { return false }
        var length = 0
        for (index, byte) in text.enumerated() {
            while length > 0, word[length] != byte { length = borders[length - 1] }
            if word[length] == byte { length += 1 }
            guard length == word.count else { continue }
            let isBounded =
                !(pattern.startsWord && isOfWord(before: index + 1 - length, text))
                && !(pattern.endsWord && isOfWord(at: index + 1, text))
            if isBounded { return true }
            length = borders[length - 1]
        }
        return false
    }

    private static func borders(of word: [UInt8]) -> [Int] {
        var borders = [0]
        var length = 0
        for byte in word.dropFirst() {
            while length > 0, word[length] != byte { length = borders[length - 1] }
            if word[length] == byte { length += 1 }
            borders.append(length)
        }
        return borders
    }

    private static func isOfWord(before place: Int, _ text: [UInt8]) -> Bool {
        // A scalar has at most four bytes in UTF-8.
        String(decoding: text[max(0, place - 4)..<place], as: UTF8.self).unicodeScalars.last.map(isOfWord)
            ?? false
    }

    private static func isOfWord(at place: Int, _ text: [UInt8]) -> Bool {
        let bytes = text[place..<min(text.count, place + 4)]
        return String(decoding: bytes, as: UTF8.self).unicodeScalars.first.map(isOfWord) ?? false
    }
}
