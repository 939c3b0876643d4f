import Core
import People
import Serving

/// What the author of a post or comment says with it.
package struct PostWords: Sendable, Hashable {
    /// The text, which may be empty when there are photos.
    package var caption: String
    /// What covers the pictures and the text until a tap, empty for a cover without words; nil when nothing is covered.
    package var warning: String?
    /// The language of the text, as a tag of BCP 47; nil when a call doesn't say it. ``undetermined`` says none.
    package var language: String?

    /// The tag of a text whose language isn't said, also by somebody whose posts begin with one (BCP 47, ISO 639-2).
    static let undetermined = "und"

    package init(caption: String, warning: String? = nil, language: String? = nil) {
        self.caption = caption
        self.warning = warning.map { ShownText.cleaned($0) }
        self.language = language
    }

    /// The words as they are kept, in which an undetermined language is none.
    var kept: PostWords {
        var words = self
        if language?.lowercased() == Self.undetermined { words.language = nil }
        return words
    }

    /// Checks the lengths, and that the language is one.
    func check(into problems: inout Problems) {
        PostRules.check(caption: caption, into: &problems)
        PostRules.check(warning: warning, into: &problems)
        PostRules.check(language: language, into: &problems)
    }
}

extension Post {
    /// What the author says with the post.
    var words: PostWords { PostWords(caption: caption, warning: warning, language: language) }

    /// What the author says in place of the caption, which it covers; nil for nothing.
    var cover: String? { warning.flatMap { $0.isEmpty ? nil : $0 } }

    /// Returns whether somebody sees the pictures covered until a tap.
    func isCovered(_ covering: Covering) -> Bool {
        switch covering {
        case .marked: warning != nil
        case .none: false
        case .all: true
        }
    }
}

/// Changes to a post or comment; nil leaves a value as it is.
package struct PostChange: Sendable {
    var caption: String?
    /// Whether the post is covered. Words cover it in any case, as in Mastodon.
    var isCovered: Bool?
    /// The words of the cover; empty for none.
    var warning: String?
    /// The language; empty or undetermined for none.
    var language: String?
    var visibility: Post.Visibility?
    /// The photos, in their order.
    var photos: [Photo.ID]?
    /// Changes to some of the photos.
    var photoChanges: [Photo.ID: PhotoChange] = [:]

    /// Returns the words of a post after the change.
    func words(after words: PostWords) -> PostWords {
        PostWords(
            caption: caption ?? words.caption, warning: warning(after: words.warning),
            language: language.map { $0.isEmpty ? nil : $0 } ?? words.language)
    }

    private func warning(after known: String?) -> String? {
        let words = warning?.trimmed ?? known ?? ""
        guard words.isEmpty else { return words }
        // A cover without words stays unless a change says something else of it.
        return isCovered ?? (warning == nil && known != nil) ? "" : nil
    }
}
