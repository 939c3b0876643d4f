import Core
import Foundation
import Serving

/// The rules of filters.
enum FilterRules {
    /// The most filters of one person.
    static let most = 100
    /// The most words of one filter.
    static let mostWords = 50
    /// The most words of all filters of one person, since each post of a page is looked through for all of them.
    static let mostWordsInAll = 500
    /// The most single posts of one filter.
    static let mostSingles = 100
    /// The most characters of a title.
    static let titleLength = 100
    /// The most characters of a word or phrase.
    static let wordLength = 100
    /// The most seconds after which a filter ends: ten years.
    static let longest = 10 * 366 * 86_400

    /// Checks a filter as it would be kept.
    static func check(_ filter: PostFilter, into problems: inout Problems) {
        if filter.title.isEmpty {
            problems.add("title", "ERR_BLANK", "Give the filter a name.")
        } else if filter.title.unicodeScalars.count > titleLength {
            problems.add("title", "ERR_TOO_LONG", "The name has at most \(titleLength) characters.")
        }
        if filter.contexts.isEmpty {
            problems.add("context", "ERR_BLANK", "Choose at least one place where the filter counts.")
        }
        check(filter.words, into: &problems)
    }

    private static func check(_ words: [PostFilter.Word], into problems: inout Problems) {
        if words.contains(where: { $0.text.isEmpty }) {
            problems.add("keyword", "ERR_BLANK", "Write a word or phrase.")
        } else if words.contains(where: { $0.text.unicodeScalars.count > wordLength }) {
            problems.add("keyword", "ERR_TOO_LONG", "A word or phrase has at most \(wordLength) characters.")
        } else if words.count > mostWords {
            problems.add("keyword", "ERR_TOO_MANY", "A filter has at most \(mostWords) words.")
        }
    }

    /// Returns a text as it is kept: in one line, without what nobody sees.
    static func cleaned(_ text: String) -> String { ShownText.cleaned(text).trimmed }

    /// Reads the places where a filter counts; nil when none is said.
    ///
    /// - Throws: ``Refusal`` (422) for a name that isn't one.
    static func contexts(_ names: [String]) throws -> [PostFilter.Context]? {
        guard !names.isEmpty else { return nil }
        let found = try names.map { name in
            guard let context = PostFilter.Context(rawValue: name) else {
                throw Refusal.invalid(
                    "context", "ERR_INVALID",
                    "A filter counts in home, notifications, public, thread or account.")
            }
            return context
        }
        return PostFilter.Context.allCases.filter(found.contains)
    }

    /// Reads what becomes of posts; nil when it isn't said.
    ///
    /// - Throws: ``Refusal`` (422) for anything but `warn` and `hide`.
    static func action(_ name: String?) throws -> PostFilter.Action? {
        guard let name else { return nil }
        guard let action = PostFilter.Action(rawValue: name) else {
            throw Refusal.invalid(
                "filter_action", "ERR_INVALID", "Filtered posts are folded (warn) or hidden (hide) here.")
        }
        return action
    }

    /// Reads after how many seconds a filter ends: nil when it isn't said, 0 for never.
    ///
    /// - Throws: ``Refusal`` (422) for a text that isn't a number, and for more than ten years.
    static func seconds(_ text: String?) throws -> Int? {
        guard let text else { return nil }
        guard let seconds = text.isEmpty ? 0 : Int(text), (0...longest).contains(seconds) else {
            throw Refusal.invalid(
                "expires_in", "ERR_INVALID", "Say in how many seconds the filter ends, at most ten years.")
        }
        return seconds
    }
}

/// What changes about a filter; nil keeps what it is.
struct FilterChange: Sendable {
    /// What changes about the words of a filter.
    enum Words: Sendable {
        /// Some words are added, changed or removed, as calls say it.
        case some([WordChange])
        /// The words become these; those that stay keep their ids.
        case all([(text: String, isWhole: Bool)])
    }

    /// What changes about a word.
    struct WordChange: Sendable {
        /// The word; nil for a new one.
        var id: PostFilter.Word.ID?
        var text: String?
        var isWhole: Bool?
        var isRemoved = false
    }

    var title: String?
    var contexts: [PostFilter.Context]?
    var action: PostFilter.Action?
    /// The seconds after which the filter ends; 0 for never.
    var seconds: Int?
    var words: Words = .some([])

    /// Returns the filter with the change, apart from its words.
    func applied(to filter: PostFilter, now: Date) -> PostFilter {
        var filter = filter
        if let title { filter.title = FilterRules.cleaned(title) }
        filter.contexts = contexts ?? filter.contexts
        filter.action = action ?? filter.action
        if let seconds { filter.endsAt = seconds == 0 ? nil : now.addingTimeInterval(Double(seconds)) }
        return filter
    }
}
