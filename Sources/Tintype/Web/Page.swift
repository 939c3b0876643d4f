import Foundation
import HTML
import Hummingbird

/// A whole page: what stands around the content of every screen.
struct Page {
    /// The five tabs, in order.
    enum Tab: String, CaseIterable, Sendable {
        case home, snaps, create, friends, library

        var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
        var path: String { "/\(rawValue)" }

        /// The symbol, and the one while it is the current tab.
        var icons: (plain: StaticString, current: StaticString?) {
            switch self {
            case .home: ("house-door", "house-door-fill")
            case .snaps: ("lightning", "lightning-fill")
            case .create: ("plus-square", nil)
            case .friends: ("chat", "chat-fill")
            case .library: ("images", nil)
            }
        }
    }

    /// A link of the side menu. Each feature declares its own in an extension, and hands it over (``Feature/menu``).
    struct Link: Sendable, Equatable {
        /// The title in lower case, which is its path too.
        let name: String
        let icon: StaticString
        /// Links are in the order of their positions.
        let position: Int
        /// The badge beside it, by its name in `data-badge`.
        var badge: String?
        /// What the badge counts, for those who can't see where it is.
        var badgeWord = "unread"

        var title: String { name.prefix(1).uppercased() + name.dropFirst() }

        static func == (one: Link, other: Link) -> Bool { one.name == other.name }
    }

    /// A way to make something, on the Create tab (``Feature/create``).
    struct Making: Sendable {
        /// The name of the sign's colour (photos.css).
        let kind: String
        let icon: StaticString
        let title: String
        /// What it is, in a few words.
        let text: String
        let path: String
        /// Ways are in the order of their positions.
        let position: Int
    }

    /// A style sheet that a screen needs besides the common ones, by its name in `css`. Each feature declares its own in
    /// an extension.
    struct Style: Sendable {
        let name: String

        static let controls = Style(name: "controls")
        static let composer = Style(name: "composer")
        static let accounts = Style(name: "accounts")
        static let offline = Style(name: "offline")
    }

    var title: String
    var styles: [Style] = []
    var tab: Tab?
    var link: Link?
    /// The colour of the browser's own bars, as `#rrggbb`; nil for white or black, as the theme has it.
    var themeColour: StaticString?
    /// Classes of the body: `home`, `grouped` for grey ground, `bare` without tabs and menu.
    var bodyClass: StaticString?

    private static let commonStyles = ["tokens", "base", "forms", "lists", "frame", "rail", "transitions"]

    /// The page as an answer.
    ///
    /// - Parameters:
    ///   - frame: what all pages share.
    ///   - content: bar, main and what stands beside it.
    func response(
        _ frame: Frame, _ request: Request, _ context: AppContext, status: HTTPResponse.Status = .ok,
        @NodeBuilder content: () -> Node
    ) -> Response {
        let flash = Flash(request)
        let node = document(
            frame, context.session?.account, context.eventPosition.map { String($0) }, flash, content())
        var response = Response.html(node, status: status, for: request)
        if flash != nil { response.setCookie(Flash.expired) }
        return response
    }

    private func document(
        _ frame: Frame, _ viewer: Account?, _ position: String?, _ flash: Flash?, _ content: Node
    ) -> Node {
        let isBare = bodyClass.map { "\($0)".contains("bare") } ?? false
        return Node { writer in
            writer.raw("<!doctype html>")
            html(
                .attribute("lang", "en"), .attribute("data-account", viewer?.id.description),
                .attribute("data-event-id", position)
            ) {
                head { headContent(frame) }
                body(bodyClass.map { Attribute.class($0) } ?? .none) {
                    a(.class("skip"), .href("#content")) { "Skip to content" }
                    if let viewer, !isBare {
                        div(.class("rail")) {
                            frame.tabBar(current: tab)
                            frame.sideMenu(viewer, current: link)
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
        HTML.link(.rel("manifest"), .href("/manifest.webmanifest"))
        HTML.link(.rel("icon"), .href(frame.files.path("icons/icon.svg")), .type("image/svg+xml"))
        HTML.link(.rel("apple-touch-icon"), .href(frame.files.path("icons/apple-touch-icon-180.png")))
        for name in Self.commonStyles + styles.map(\.name) {
            HTML.link(.rel("stylesheet"), .href(frame.files.path("css/\(name).css")))
        }
        // Before the first frame: a page transition needs to know its direction by then.
        script(
            .type("module"), .attribute("blocking", "render"), .src(frame.files.path("js/web/navigation.js")))
        for name in ["tabs", "trail", "tab-memory"] {
            // What that script imports, asked for at once.
            HTML.link(.rel("modulepreload"), .href(frame.files.path("js/web/\(name).js")))
        }
        script(.type("module"), .src(frame.files.path("js/app.js")))
    }
}
