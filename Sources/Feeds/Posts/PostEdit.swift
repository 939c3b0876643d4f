import Core
import HTML
import Serving

/// What the author fills in to change a post or comment.
struct PostEdit {
    private var caption: String
    private var isCovered: Bool
    private var warning: String
    /// The tag of the language; nil when none is said.
    private var language: String?
    /// Who sees a post; nil for a comment, which is seen by those who see its post.
    private(set) var audience: Post.Visibility?

    init(_ post: Post) {
        (caption, isCovered, warning) = (post.caption, post.warning != nil, post.warning ?? "")
        (language, audience) = (post.language, post.root == nil ? post.visibility : nil)
    }

    init(_ input: Input, _ post: Post) {
        caption = input.text("caption")
        isCovered = input.bool("covered") ?? false
        warning = input.text("warning")
        language = input.filled("language") ?? post.language
        let chosen = Post.Visibility(rawValue: input.text("audience"))
        audience = post.root == nil ? chosen ?? post.visibility : nil
    }

    var change: PostChange {
        PostChange(
            caption: caption, isCovered: isCovered, warning: isCovered ? warning : "", language: language,
            visibility: audience)
    }

    /// Draws the fields of the words: the text, its language and its cover.
    ///
    /// - Parameters:
    ///   - title: what the text is called.
    ///   - refusal: why an earlier try was refused.
    @NodeBuilder func words(_ frame: Frame, _ title: String, _ refusal: Refusal?) -> Node {
        div(.class("field")) {
            label(.for("caption")) { title }
            frame.countedText(
                "caption", caption, rows: 3, limit: PostRules.captionLength,
                problem: refusal?.fields["status"])
        }
        PostCover.choice(
            frame, isOn: isCovered, warning: warning, problem: refusal?.fields["spoiler_text"],
            below: PostLanguageChoice(frame: frame, chosen: language).line(
                problem: refusal?.fields["language"]))
    }
}
