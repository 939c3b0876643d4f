import Core
import HTML

/// The buttons over a picture that is seen once, with which its viewer answers: emoji, and Reply. They are a template, which
/// scripts draw when the picture shows (`snaps/snap-answers.js`).
package struct AnswerButtons {
    /// The emoji that are offered first, with their names for screen readers.
    package static let emoji: [(emoji: String, name: String)] = [
        ("❤️", "Heart"), ("👍", "Thumbs up"), ("😂", "Tears of joy"), ("😮", "Surprise"), ("😢", "Tears"),
        ("🎉", "Party"),
    ]

    private let frame: Frame

    package init(frame: Frame) {
        self.frame = frame
    }

    /// Draws the template.
    package var node: Node {
        template("answers") {
            div(.class("snap-answers"), .role("group"), .label("Answer")) {
                p(.role("status")) {}
                div(.class("emoji-row")) {
                    for one in Self.emoji {
                        button(
                            .type("button"), .attribute("data-react", one.emoji), .label(one.name),
                            .attribute("aria-pressed", "false")
                        ) { one.emoji }
                    }
                }
                button(.class("button"), .type("button"), .flag("data-reply")) {
                    frame.icon("chevron-up")
                    "Reply"
                }
            }
        }
    }
}
