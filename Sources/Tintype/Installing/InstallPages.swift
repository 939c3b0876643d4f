import Core
import HTML
import Hummingbird

/// The page that says how to install the app, and the invitation on Home that leads there.
struct InstallPages: Sendable {
    let frame: Frame

    /// The address of the page.
    static let path = "/install"

    func add(to router: Router<AppContext>) {
        router.get("install", use: show)
    }

    // MARK: The page

    private func show(_ request: Request, _ context: AppContext) throws -> Response {
        _ = try context.viewer
        return SettingsScreen(frame: frame)
            .response("Install Tintype", styles: [.installing], request, context) {
                p(.class("lead")) {
                    "Installed, Tintype has its own icon and the whole screen, and it appears where you share photos from other apps."
                }
                button
                steps(
                    "iPhone and iPad", "apple",
                    note: "Notifications work there only once Tintype is installed."
                ) {
                    step("box-arrow-up", "Tap Share in Safari.")
                    step("plus-square", "Choose Add to Home Screen.")
                    step("phone", "Open Tintype from the Home Screen, and log in.")
                }
                steps("Android", "android") {
                    step("three-dots-vertical", "Open the menu of your browser.")
                    step("plus-square", "Choose Install app, or Add to Home screen.")
                }
                steps("Computer", "computer") {
                    step("download", "In Chrome and Edge, click Install at the end of the address.")
                    step("box-arrow-up", "In Safari on a Mac, choose Add to Dock in the menu File.")
                }
            }
    }

    /// The button for browsers that can install by themselves. A script shows it.
    private var button: Node {
        element("install-button", .hidden()) {
            HTML.button(.class("button primary tall"), .type("button")) { "Install Tintype" }
        }
    }

    private func steps(
        _ title: String, _ id: String, note: String? = nil, @NodeBuilder rows: () -> Node
    ) -> Node {
        section(.attribute("aria-labelledby", "\(id)-title")) {
            h2(.class("group-title"), .id("\(id)-title")) { title }
            ol(.class("group install-steps")) { rows() }
            if let note { p(.class("note")) { note } }
        }
    }

    private func step(_ symbol: StaticString, _ words: String) -> Node {
        li(.class("choice")) {
            frame.icon(symbol)
            span { words }
        }
    }

    // MARK: The invitation

    /// The card on Home, which a script shows once, from the second visit on, where the app isn't installed.
    var invitation: Node {
        element(
            "install-invitation", .class("install-invitation"), .role("region"), .label("Install Tintype"),
            .flag("data-lazy"), .hidden()
        ) {
            span(.class("sign")) {}
            div(.class("text")) {
                b { "Get Tintype as an app" }
                span { "It opens from your Home Screen, and takes photos that you share with it." }
            }
            ol(.class("install-picture"), .flag("data-by-hand"), .hidden()) {
                li {
                    frame.icon("box-arrow-up")
                    span { "Share" }
                }
                li {
                    frame.icon("plus-square")
                    span { "Add to Home Screen" }
                }
            }
            div(.class("buttons")) {
                HTML.button(.class("button small primary"), .type("button"), .flag("data-install")) {
                    "Install Tintype"
                }
                a(.class("button small primary"), .href(Self.path), .flag("data-how"), .hidden()) {
                    "Show me how"
                }
                HTML.button(.class("button small"), .type("button"), .flag("data-refuse")) { "No thanks" }
            }
        }
    }
}

extension Page.Style {
    static let installing = Page.Style(name: "installing")
}
