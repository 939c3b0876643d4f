import Core
import Foundation
import HTML
import People

/// The parts of guest links on the screens of the people who make them.
struct GuestLinkComponents {
    let frame: Frame
    let publicURL: String

    /// Draws an existing link with a button that revokes it, or a button that makes a link.
    ///
    /// - Parameters:
    ///   - noun: the noun for the subject of the link, such as `post`.
    ///   - path: the path below which the forms are sent: `PATH/guest-link` and `PATH/guest-link/revoke`.
    func section(_ link: GuestLink?, to noun: String, path: String) -> Node {
        HTML.section(.attribute("aria-labelledby", "guest-title")) {
            h2(.class("group-title"), .id("guest-title")) { "Guest link" }
            div(.class("group")) {
                if let link {
                    field(publicURL + link.path, label: "Guest link")
                    form(.method("post"), .action("\(path)/guest-link/revoke")) {
                        button(.class("choice danger")) {
                            frame.icon("slash-circle")
                            span { "Revoke" }
                            span(.class("value")) { link.remaining(at: frame.now()) }
                        }
                    }
                } else {
                    form(.method("post"), .action("\(path)/guest-link")) {
                        button(.class("choice")) {
                            frame.icon("globe")
                            span { "Make a guest link" }
                        }
                    }
                }
            }
            p(.class("note")) {
                if let link {
                    "Shows this \(noun) to anyone who has it, until "
                    frame.date(link.expiresAt)
                    " or until you revoke it."
                } else {
                    "Shows this \(noun) to anyone who has it, for 7 days or until you revoke it."
                }
            }
        }
    }

    /// Draws a link as a field to read, with a button that copies it.
    func field(_ link: String, label: String) -> Node {
        element("copy-link", .class("copy-field"), .attribute("data-url", link)) {
            input(.flag("readonly"), .value(link), .label(label))
            button(.class("button small"), .type("button")) { "Copy" }
        }
    }

    /// Draws the group in a photo's menu that makes a guest link and copies it, then shows until when the link works
    /// and offers to revoke it. Without scripts, it links to the link's own page.
    static func menu(of photo: Photo.ID, in frame: Frame) -> Node {
        element("guest-link", .class("group block"), .attribute("data-photo", photo.description)) {
            a(.class("choice"), .href(PhotoSharePages.path(photo)), .flag("data-copy")) {
                frame.icon("link-45deg")
                span {
                    "Copy link"
                    element("small") { "Anyone who has it sees the photo, for 7 days" }
                }
            }
            div(.class("choice"), .flag("data-made"), .hidden()) {
                span {
                    "Works until "
                    time {}
                }
                button(.class("button plain small danger"), .type("button"), .flag("data-revoke")) {
                    "Revoke link"
                }
            }
        }
    }
}
