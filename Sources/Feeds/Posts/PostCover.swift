import Core
import HTML
import People
import Serving

/// What covers the pictures or words of a post until a tap: a closed `details`, which needs no script.
struct PostCover {
    let frame: Frame

    /// Covers pictures.
    ///
    /// - Parameter warning: what the author says of them; nil when the viewer covers all pictures.
    func pictures(_ warning: String?, _ content: Node) -> Node {
        element("details", .class("covered"), .attribute("data-warning", warning ?? "")) {
            element("summary") {
                frame.icon("eye-slash")
                span { Self.words(warning) }
                Self.button
            }
            content
        }
    }

    /// Folds the text of a comment below its warning.
    func text(_ warning: String, _ content: Node) -> Node {
        element("details", .class("folded")) {
            element("summary") {
                span { warning.isEmpty ? .text("Covered comment") : Self.words(warning) }
                Self.button
            }
            content
        }
    }

    /// Draws the place of a covered picture in a small form of its post.
    func small(_ words: String) -> Node {
        span(.class("veil"), .role("img"), .label(words)) { frame.icon("eye-slash") }
    }

    @NodeBuilder private static var button: Node {
        b(.class("show")) { "Show" }
        b(.class("hide")) { "Hide" }
    }

    /// Returns the words of a cover.
    static func words(_ warning: String?) -> Node {
        guard let warning else { return .text("Picture") }
        return warning.isEmpty ? .text("Sensitive picture") : element("bdi") { warning }
    }

    /// Draws the choice of a cover beside the field of a short text: a symbol, and the words of the cover, which show when it
    /// is on.
    ///
    /// - Parameter problem: what is wrong with the words.
    @NodeBuilder static func symbol(
        _ frame: Frame, isOn: Bool, warning: String, problem: Refusal.Problem? = nil
    ) -> Node {
        label(.class("symbol")) {
            input(
                .class("cover"), .type("checkbox"), .role("switch"), .name("covered"), .value("true"),
                .checked(isOn), .label("Cover until tapped"))
            frame.icon("eye-slash")
        }
        input(
            .class("warning"), .id("warning"), .name("warning"), .type("text"), .value(warning),
            .maxlength(PostRules.warningLength), .autocomplete("off"), .label("Why it is covered"),
            .placeholder("Why it is covered"), .invalid(problem != nil),
            .describedBy(problem.map { _ in "warning-error" }))
        frame.problem("warning", problem.map { ["warning": $0] } ?? [:])
    }

    /// Draws the choice of a cover for a post or comment.
    ///
    /// - Parameters:
    ///   - problem: what is wrong with the words.
    ///   - line: a line above it, in the same group.
    static func choice(
        _ frame: Frame, isOn: Bool, warning: String, problem: Refusal.Problem? = nil, below line: Node
    ) -> Node {
        section(.class("covering")) {
            div(.class("group")) {
                line
                frame.toggle("covered", isOn: isOn, "Cover until tapped")
            }
            frame.field(
                "warning", "Why it is covered", value: warning,
                problems: problem.map { ["warning": $0] } ?? [:],
                note: "Shown on the cover. It may be empty.",
                .maxlength(PostRules.warningLength))
        }
    }
}
