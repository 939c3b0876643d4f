import Core
import HTML

/// The parts of screens that turn notifications of this device on and off.
package struct PushComponents: Sendable {
    let frame: Frame
    /// The server's public key, with which browsers subscribe.
    let key: String
    /// The page that says how to install the app, which iPhones and iPads need first.
    let installing: String?

    /// - Parameters:
    ///   - key: the server's public key in base64url.
    ///   - installing: the path of the page that says how to install the app; nil for none.
    package init(frame: Frame, key: String, installing: String? = nil) {
        (self.frame, self.key, self.installing) = (frame, key, installing)
    }

    /// Draws the switch for Settings → Notifications. A script turns it on; without scripts there are no pushes.
    package var toggle: Node {
        element("push-switch", .class("push-switch"), .attribute("data-key", key)) {
            div(.class("group")) {
                label(.class("choice")) {
                    span { "Notifications on this device" }
                    input(.type("checkbox"), .role("switch"), .disabled(true))
                }
            }
            p(.class("note"), .role("status"), .flag("data-words")) {
                "Notifications need a browser that runs scripts."
            }
            if let installing {
                a(.class("button"), .href(installing), .flag("data-install"), .hidden()) {
                    "How to install Tintype"
                }
            }
        }
    }

    /// Draws the question whether to turn notifications on, which a script shows after a person's first message.
    ///
    /// - Parameters:
    ///   - name: the name of the person who may answer.
    ///   - message: a selector of what the page has once there is a message.
    package func question(about name: String, after message: StaticString) -> Node {
        element(
            "push-question", .class("push-question"), .attribute("data-key", key),
            .attribute("data-after", "\(message)"), .role("region"), .label("Notifications"), .hidden()
        ) {
            frame.icon("bell")
            div(.class("text")) {
                b { "Get told when \(name) answers?" }
                "Also when Tintype is closed. You can turn it off in Settings."
            }
            div(.class("buttons")) {
                button(.class("button small primary"), .type("button"), .flag("data-turn-on")) {
                    "Turn on notifications"
                }
                button(.class("button small"), .type("button")) { "Not now" }
            }
            p(.class("error"), .role("alert"), .hidden()) {}
        }
    }
}
