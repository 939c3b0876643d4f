import HTML
import Hummingbird

/// What the screens below Settings share.
struct SettingsScreen {
    let frame: Frame

    /// A screen that was pushed over Settings.
    func response(
        _ title: String, _ request: Request, _ context: AppContext, status: HTTPResponse.Status = .ok,
        @NodeBuilder content: () -> Node
    ) -> Response {
        let content = content()
        return Page(
            title: title, styles: [.accounts, .composer, .controls], link: .settings, bodyClass: "grouped"
        ).response(frame, request, context, status: status) {
            frame.bar(title, back: ("Settings", "/settings"))
            main(.id("content"), .class("settings")) { content }
        }
    }

    /// A line of a group that leads to another screen.
    ///
    /// - Parameter value: how that stands now.
    func line(
        _ title: String, _ symbol: StaticString, href: String, value: String? = nil,
        class classes: StaticString = "choice"
    ) -> Node {
        a(.class(classes), .href(href)) {
            frame.icon(symbol)
            span { title }
            if let value { span(.class("value")) { value } }
            frame.icon("chevron-right", class: "icon chevron")
        }
    }

    /// A button in a form of its own, at the end of a line.
    func action(_ title: String, _ path: String, class classes: StaticString = "button small") -> Node {
        form(.method("post"), .action(path)) {
            button(.class(classes)) { title }
        }
    }

    /// A titled group of lines.
    func section(_ id: String, _ title: String, @NodeBuilder rows: () -> Node) -> Node {
        let rows = rows()
        return HTML.section(.attribute("aria-labelledby", "\(id)-title")) {
            h2(.class("group-title"), .id("\(id)-title")) { title }
            ul(.class("group")) { rows }
        }
    }

    /// A person in a group, with a word about them.
    func person(_ account: Account, _ note: String, action: Node = .empty) -> Node {
        li(.class("row")) {
            frame.portrait(account, pixels: 40)
            span(.class("text")) {
                b { account.displayName }
                span { note }
            }
            action
        }
    }

    /// Text and a smaller line below it.
    func text(_ first: Node, note: Node) -> Node {
        span {
            first
            element("small") { note }
        }
    }
}

extension Page.Link {
    static let settings = Page.Link(name: "settings", icon: "gear", position: 60)
}

/// A line of Settings that leads to a screen of a feature (``Feature/settings(for:)``).
struct SettingsLine: Sendable {
    /// What a line is about; the groups are in this order.
    enum Group: Sendable, CaseIterable {
        case privacy, server, data
    }

    let group: Group
    /// Lines are in the order of their positions.
    let position: Int
    let title: String
    let symbol: StaticString
    let path: String
    /// The present state, such as a count.
    var value: String?
    /// Whether what it leads to can't be undone.
    var isDanger = false
}
