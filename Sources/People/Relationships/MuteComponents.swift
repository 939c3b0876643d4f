import Core
import HTML
import Serving

/// The durations of a mute that screens offer.
package enum MuteDuration: CaseIterable, Sendable {
    case hour, day, unlimited

    /// The duration in seconds; 0 for a mute that lasts until it is ended.
    package var seconds: Int {
        switch self {
        case .hour: 3600
        case .day: 86_400
        case .unlimited: 0
        }
    }

    /// The title of the button.
    var title: String {
        switch self {
        case .hour: "Mute for an hour"
        case .day: "Mute for a day"
        case .unlimited: "Mute until you unmute"
        }
    }

    /// Returns the words after muting for a number of seconds.
    package static func done(_ seconds: Int) -> String {
        switch allCases.first(where: { $0.seconds == seconds }) {
        case .hour: "Muted for an hour."
        case .day: "Muted for a day."
        case .unlimited, nil: "Muted."
        }
    }
}

/// The controls with which people and chats are muted.
package struct MuteComponents {
    private let frame: Frame

    package init(frame: Frame) { self.frame = frame }

    /// Draws the form that mutes, with a button for each duration.
    ///
    /// - Parameter path: the path that receives the form, with the seconds as `duration`.
    package func choices(_ path: String) -> Node {
        form(.class("group"), .method("post"), .action(path)) {
            for duration in MuteDuration.allCases {
                button(
                    .class("choice"), .name("duration"), .value(String(duration.seconds)),
                    .attribute("data-done", MuteDuration.done(duration.seconds))
                ) {
                    frame.icon("bell-slash")
                    span { duration.title }
                }
            }
        }
    }

    /// Draws the form that ends a mute.
    package func undo(_ title: String, _ path: String) -> Node {
        form(.class("group"), .method("post"), .action(path)) {
            button(.class("choice"), .attribute("data-done", "No longer muted.")) {
                frame.icon("bell")
                span { title }
            }
        }
    }
}
