import Core
import HTML
import Serving

/// The choice of the language in which something is written.
struct PostLanguageChoice {
    let frame: Frame
    /// The tag of the chosen language; nil when none is said.
    let chosen: String?

    /// Draws the choice as a line of a group, for one post or comment.
    ///
    /// - Parameter problem: what is wrong with the tag.
    func line(problem: Refusal.Problem? = nil) -> Node {
        label(.class("choice")) {
            span {
                "Language"
                if let problem {
                    element("small", .class("error"), .id("language-error")) { problem.sentence }
                }
            }
            chooser(notSaid: PostWords.undetermined, .describedBy(problem.map { _ in "language-error" }))
        }
    }

    /// Draws the choice as a field with a note, for all that a person writes.
    var field: Node {
        div(.class("field")) {
            label(.for("language")) { "Language of what I write" }
            chooser(notSaid: "")
            p(.class("note")) {
                "Screen readers speak it, and apps may offer translations. You can change it for each post."
            }
        }
    }

    /// - Parameter notSaid: what is sent when no language is said.
    private func chooser(notSaid: String, _ description: Attribute = .none) -> Node {
        let chosen = chosen == PostWords.undetermined ? nil : chosen
        let isOther = chosen.map { chosen in !Self.languages.contains { $0.tag == chosen } } ?? false
        return frame.chooser("language", description) {
            option(.value(notSaid)) { "Not said" }
            if isOther, let chosen { option(.value(chosen), .flag("selected")) { chosen } }
            for (tag, name) in Self.languages {
                option(.value(tag), .attribute("lang", tag), .flag("selected", tag == chosen)) { name }
            }
        }
    }

    /// Languages that can be chosen, with their own names. Apps may set any other.
    private static let languages: [(tag: String, name: String)] = [
        ("ar", "العربية"), ("bg", "Български"), ("bn", "বাংলা"), ("ca", "Català"), ("cs", "Čeština"),
        ("cy", "Cymraeg"), ("da", "Dansk"), ("de", "Deutsch"), ("el", "Ελληνικά"), ("en", "English"),
        ("es", "Español"), ("et", "Eesti"), ("eu", "Euskara"), ("fa", "فارسی"), ("fi", "Suomi"),
        ("fr", "Français"), ("ga", "Gaeilge"), ("gl", "Galego"), ("he", "עברית"), ("hi", "हिन्दी"),
        ("hr", "Hrvatski"), ("hu", "Magyar"), ("id", "Bahasa Indonesia"), ("is", "Íslenska"),
        ("it", "Italiano"), ("ja", "日本語"), ("ko", "한국어"), ("lt", "Lietuvių"), ("lv", "Latviešu"),
        ("nb", "Norsk bokmål"), ("nl", "Nederlands"), ("pl", "Polski"), ("pt", "Português"),
        ("ro", "Română"), ("ru", "Русский"), ("sk", "Slovenčina"), ("sl", "Slovenščina"), ("sr", "Српски"),
        ("sv", "Svenska"), ("th", "ไทย"), ("tr", "Türkçe"), ("uk", "Українська"), ("vi", "Tiếng Việt"),
        ("zh", "中文"),
    ]
}
