import Foundation
import HTML
import Hummingbird

/// A whole page: the frame around the content of every screen.
package struct Page {
    /// A tab of the frame. Each feature declares its own in an extension, and hands it over (``Feature/tabs``).
    package struct Tab: Sendable, Equatable {
        /// The title in lower case, which is the tab's path too.
        let name: String
        let icon: StaticString
        /// The symbol while the tab is the current one; nil for the same.
        let currentIcon: StaticString?
        /// Tabs are in the order of their positions.
        let position: Int
        /// The badge beside it, by its name in `data-badge`.
        let badge: String?

        package init(
            name: String, icon: StaticString, currentIcon: StaticString? = nil, position: Int,
            badge: String? = nil
        ) {
            self.name = name
            self.icon = icon
            self.currentIcon = currentIcon
            self.position = position
            self.badge = badge
        }

        /// The tab to which the app's name leads.
        package static let home = Tab(
            name: "home", icon: "house-door", currentIcon: "house-door-fill", position: 10)

        var title: String { name.prefix(1).uppercased() + name.dropFirst() }
        var path: String { "/\(name)" }

        package static func == (one: Tab, other: Tab) -> Bool { one.name == other.name }
    }

    /// A link of the side menu. Each feature declares its own links in an extension, and returns them
    /// (``Feature/menu``).
    package struct Link: Sendable, Equatable {
        /// The title in lower case, which is also the link's path.
        package let name: String
        package let icon: StaticString
        /// The position among the links of the menu.
        package let position: Int
        /// The badge beside the link, by its name in `data-badge`.
        package var badge: String?
        /// The word for what the badge counts, for people who use a screen reader.
        package var badgeWord = "unread"
        /// The drawing for the link in the menu of the installed app's icon; nil for none.
        let shortcut: Shortcut.Drawing?

        package init(
            name: String, icon: StaticString, position: Int, badge: String? = nil,
            badgeWord: String = "unread", shortcut: Shortcut.Drawing? = nil
        ) {
            self.name = name
            self.icon = icon
            self.position = position
            self.badge = badge
            self.badgeWord = badgeWord
            self.shortcut = shortcut
        }

        var title: String { name.prefix(1).uppercased() + name.dropFirst() }
        var path: String { "/\(name)" }

        package static func == (one: Link, other: Link) -> Bool { one.name == other.name }
    }

    /// A way to make something, on the Create tab (``Feature/create``).
    package struct Making: Sendable {
        /// The number of the sign's colour (`--tone-1` to `--tone-9` in tokens.css).
        package let tone: Int
        package let icon: StaticString
        package let title: String
        /// A description in a few words.
        package let text: String
        package let path: String
        /// The position among the ways on the tab.
        package let position: Int
        /// The entry in the menu of the installed app's icon; nil for none.
        let shortcut: (name: String, drawing: Shortcut.Drawing)?

        package init(
            tone: Int, icon: StaticString, title: String, text: String, path: String, position: Int,
            shortcut: (name: String, drawing: Shortcut.Drawing)? = nil
        ) {
            self.tone = tone
            self.icon = icon
            self.title = title
            self.text = text
            self.path = path
            self.position = position
            self.shortcut = shortcut
        }
    }

    /// An entry in the menu of the installed app's icon.
    package struct Shortcut: Sendable {
        /// A drawing of 96 pixels, by its name in `icons`: `shortcut-NAME-96.png`.
        package struct Drawing: Sendable {
            package let file: String

            /// Names the drawing of a feature.
            package init(_ name: String) { file = "shortcut-\(name)-96.png" }
        }

        package let name: String
        package let path: String
        package let drawing: Drawing
    }

    /// The screen that takes what other apps of a device share with the installed app.
    package struct ShareTarget: Sendable {
        /// The address to which the device sends a form with the files `photos`, `title`, `text` and `url`.
        package let path: String

        package init(path: String) {
            self.path = path
        }
    }

    /// A style sheet that a screen needs besides the common ones, by its name in `css`. Each feature declares its own
    /// sheets in an extension.
    package struct Style: Sendable {
        package let name: String

        package init(name: String) {
            self.name = name
        }

        package static let controls = Style(name: "controls")
        package static let composer = Style(name: "composer")
        package static let accounts = Style(name: "accounts")
    }

    package var title: String
    package var styles: [Style] = []
    package var tab: Tab?
    package var link: Link?
    /// The colour of the browser's own bars, as `#rrggbb`; nil for white or black, depending on the theme.
    package var themeColour: StaticString?
    /// Classes of the body: `home`, `grouped` for a grey background, `bare` without tabs and menu.
    package var bodyClass: StaticString?

    package init(
        title: String, styles: [Style] = [], tab: Tab? = nil, link: Link? = nil,
        themeColour: StaticString? = nil, bodyClass: StaticString? = nil
    ) {
        self.title = title
        self.styles = styles
        self.tab = tab
        self.link = link
        self.themeColour = themeColour
        self.bodyClass = bodyClass
    }

    /// What most pages take at most.
    private static let usualBytes = 48 * 1024

    static let commonStyles = ["tokens", "base", "forms", "lists", "frame", "rail", "transitions"]

    /// Returns the page as an answer.
    ///
    /// - Parameters:
    ///   - frame: what all pages share.
    ///   - content: the bar, the main part, and what is beside it.
    package func response(
        _ frame: Frame, _ request: Request, _ context: AppContext, status: HTTPResponse.Status = .ok,
        @NodeBuilder content: () -> Node
    ) -> Response {
        let flash = Flash(request)
        let node = document(
            frame, context.session?.account, isLoggedOut: context.isLoggedOut,
            context.eventPosition.map { String($0) }, flash, content())
        var response = Response.html(node, status: status, for: request, capacity: Self.usualBytes)
        if flash != nil { response.setCookie(Flash.expired) }
        return response
    }

    private func document(
        _ frame: Frame, _ viewer: Account?, isLoggedOut: Bool, _ position: String?, _ flash: Flash?,
        _ content: Node
    ) -> Node {
        let isBare = bodyClass.map { "\($0)".contains("bare") } ?? false
        return Node { writer in
            writer.raw("<!doctype html>")
            html(
                .attribute("lang", "en"), .attribute("data-account", viewer?.id.description),
                .flag("data-logged-out", isLoggedOut), .attribute("data-event-id", position)
            ) {
                frame.kept(
                    .head(title: title, styles: styles.map(\.name), themeColour: themeColour.map { "\($0)" })
                ) { head { headContent(frame) } }
                body(bodyClass.map { Attribute.class($0) } ?? .none) {
                    a(.class("skip"), .href("#content")) { "Skip to content" }
                    if let viewer, !isBare {
                        frame.kept(
                            .rail(
                                viewer.id, username: viewer.username, displayName: viewer.displayName,
                                viewer.portrait, tab: tab?.name, link: link?.path)
                        ) {
                            div(.class("rail")) {
                                frame.tabBar(current: tab)
                                frame.sideMenu(viewer, current: link)
                            }
                        }
                    }
                    content
                    element(
                        "flash-message", .class("flash"), .role("status"),
                        .attribute("data-kind", (flash?.kind ?? .good).rawValue), .hidden(flash == nil)
                    ) { flash?.text ?? "" }
                }
            }.render(into: &writer)
        }
    }

    @NodeBuilder private func headContent(_ frame: Frame) -> Node {
        meta(.attribute("charset", "utf-8"))
        meta(
            .name("viewport"),
            .attribute(
                "content",
                "width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content")
        )
        meta(.name("color-scheme"), .attribute("content", "light dark"))
        if let themeColour {
            meta(.name("theme-color"), .attribute("content", "\(themeColour)"))
        } else {
            meta(
                .name("theme-color"), .attribute("content", "#ffffff"),
                .attribute("media", "(prefers-color-scheme: light)"))
            meta(
                .name("theme-color"), .attribute("content", "#000000"),
                .attribute("media", "(prefers-color-scheme: dark)"))
        }
        HTML.title { "\(self.title) · Tintype" }
        HTML.link(.rel("manifest"), .href(AppPaths.manifest))
        HTML.link(.rel("icon"), .href(frame.files.path("icons/icon.svg")), .type("image/svg+xml"))
        HTML.link(.rel("apple-touch-icon"), .href(frame.files.path("icons/apple-touch-icon-180.png")))
        for name in Self.commonStyles + styles.map(\.name) {
            HTML.link(.rel("stylesheet"), .href(frame.files.path("css/\(name).css")))
        }
        // Loaded before the first frame: a page transition needs to know its direction by then.
        script(
            .type("module"), .attribute("blocking", "render"), .src(frame.files.path("js/web/navigation.js")))
        for name in ["web/tabs", "web/trail", "web/browser-memory", "features"] {
            // The modules that the script imports are requested at once.
            HTML.link(.rel("modulepreload"), .href(frame.files.path("js/\(name).js")))
        }
        script(.type("module"), .src(frame.files.path("js/app.js")))
    }
}
