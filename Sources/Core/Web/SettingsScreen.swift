import HTML
import Hummingbird

/// The parts that the screens below Settings share.
package struct SettingsScreen {
    package let frame: Frame

    package init(frame: Frame) {
        self.frame = frame
    }

    /// Returns a screen that was opened from Settings, or from another screen of Settings.
    package func response(
        _ title: String, styles: [Page.Style] = [],
        back: (name: String, path: String) = ("Settings", AppPaths.settings), _ request: Request,
        _ context: AppContext, status: HTTPResponse.Status = .ok, @NodeBuilder content: () -> Node
    ) -> Response {
        let content = content()
        return Page(
            title: title, styles: [.accounts, .composer, .controls] + styles, link: .settings,
            bodyClass: "grouped"
        ).response(frame, request, context, status: status) {
            frame.bar(title, back: back)
            main(.id("content"), .class("settings")) { content }
        }
    }

    /// Returns a line of a group that leads to another screen.
    ///
    /// - Parameter value: the setting's current state.
    package func line(
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

    /// Returns a button in a form of its own, at the end of a line.
    package func action(
        _ title: String, _ path: String, class classes: StaticString = "button small"
    ) -> Node {
        form(.method("post"), .action(path)) {
            button(.class(classes)) { title }
        }
    }

    /// Returns a titled group of lines.
    package func section(_ id: String, _ title: String, @NodeBuilder rows: () -> Node) -> Node {
        let rows = rows()
        return HTML.section(.attribute("aria-labelledby", "\(id)-title")) {
            h2(.class("group-title"), .id("\(id)-title")) { title }
            ul(.class("group")) { rows }
        }
    }

    /// Returns a line with a person and a note about them.
    package func person(_ account: Account, _ note: Node, action: Node = .empty) -> Node {
        li(.class("row wraps")) {
            frame.portrait(account, pixels: 40)
            span(.class("text")) {
                b { account.displayName }
                span { note }
            }
            action
        }
    }

    /// Returns the line that asks the question `delete-question` of the page.
    package func deletion(_ title: String) -> Node {
        button(.class("choice danger"), .type("button"), .attribute("popovertarget", "delete-question")) {
            frame.icon("trash")
            span { title }
        }
    }

    /// Returns text with a smaller line below it.
    package func text(_ first: Node, note: Node) -> Node {
        span {
            first
            element("small") { note }
        }
    }
}

extension Page.Link {
    package static let settings = Page.Link(name: "settings", icon: "gear", position: 60)
}

/// A line of Settings that leads to a screen of a feature (``Feature/settings(for:_:)``).
package struct SettingsLine: Sendable {
    /// The subject of a line; the groups are in this order.
    package enum Group: Sendable, CaseIterable {
        case notifications, privacy, server, data
    }

    package let group: Group
    /// The position among the lines of the group.
    package let position: Int
    package let title: String
    package let symbol: StaticString
    package let path: String
    /// The current state, such as a count.
    package var value: String?
    /// Whether the screen does something that can't be undone.
    package var isDanger = false

    package init(
        group: Group, position: Int, title: String, symbol: StaticString, path: String, value: String? = nil,
        isDanger: Bool = false
    ) {
        self.group = group
        self.position = position
        self.title = title
        self.symbol = symbol
        self.path = path
        self.value = value
        self.isDanger = isDanger
    }
}
