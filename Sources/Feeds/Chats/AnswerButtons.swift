import Core
import HTML

/// The buttons over a picture that is seen once, with which its viewer answers: emoji, and Reply. They are a template, which
/// scripts draw when the picture shows (`snaps/snap-answers.js`).
struct AnswerButtons {
    let frame: Frame

    /// Draws the template.
    var node: Node {
        template("answers") {
            div(.class("snap-answers"), .role("group"), .label("Answer")) {
                div(.class("emoji-row")) {
                    for reaction in MessageRules.reactions {
                        button(
                            .type("button"), .attribute("data-react", reaction.emoji), .label(reaction.name),
                            .attribute("aria-pressed", "false")
                        ) { reaction.emoji }
                    }
                }
                button(.class("button"), .type("button"), .flag("data-reply")) {
                    frame.icon("chevron-up")
                    "Reply"
                }
                p(.role("status")) {}
            }
        }
    }
}
