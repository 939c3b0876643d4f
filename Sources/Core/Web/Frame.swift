import Foundation
import HTML
import Serving

/// The parts that all screens share: tabs, side menu, bars, icons, portraits, times.
package struct Frame: Sendable {
    package let files: StaticFiles
    /// The address of this server, with which its own links begin.
    package let publicURL: String
    /// The clock, for relative times.
    package let now: @Sendable () -> Date
    /// The tabs, links of the side menu and ways to make something that features have registered.
    package let navigation = Navigation()
    private let spritePath: String
    /// Parts of pages as bytes, each under all that it shows.
    private let parts = Cache<PartKey, [UInt8]>(capacity: 2_000, bytes: 4_000_000) { $0.count }

    /// The path of the page that says who can see what, to which signing up leads, too.
    package static let whoCanSeeWhat = "/who-can-see-what"

    init(files: StaticFiles, publicURL: String, now: @escaping @Sendable () -> Date) {
        self.files = files
        self.publicURL = publicURL
        self.now = now
        spritePath = files.path("icons/sprite.svg")
    }

    /// Returns a symbol of the sprite, as decoration beside a text or an accessible name.
    package func icon(_ name: StaticString, class classes: StaticString = "icon") -> Node {
        Node { writer in
            writer.raw("<svg class=\"")
            writer.raw(classes)
            writer.raw("\" aria-hidden=\"true\"><use href=\"")
            writer.raw(verbatim: spritePath)
            writer.raw("#")
            writer.raw(name)
            writer.raw("\"/></svg>")
        }
    }

    /// The lettering of the app's name.
    package var logo: Node { .fragment(Logo.svg) }

    // MARK: Parts that are kept

    /// All that a kept part of a page shows.
    enum PartKey: Hashable {
        /// The head of a page.
        case head(title: String, styles: [String], themeColour: String?)
        /// The tabs and the menu.
        case rail(
            Account.ID, username: String, displayName: String, Portrait.ID?, tab: String?, link: String?)
    }

    /// Returns a part of a page as it was drawn before, or draws it. Drawing costs more than looking it up.
    func kept(_ key: PartKey, draw: () -> Node) -> Node {
        if let known = parts[key] { return .fragment(known) }
        let drawn = draw().rendered().withoutSlack
        parts[key] = drawn
        return .fragment(drawn)
    }

    // MARK: Navigation

    func tabBar(current: Page.Tab?) -> Node {
        nav(.class("tabs"), .label("Main")) {
            ul {
                for tab in navigation.tabs {
                    li {
                        a(.href(tab.path), .current(tab == current)) {
                            icon(tab.icon)
                            if let filled = tab.currentIcon { icon(filled) }
                            span { tab.title }
                            if let badge = tab.badge { self.badge(badge, "new") }
                        }
                    }
                }
            }
        }
    }

    func sideMenu(_ viewer: Account, current: Page.Link?) -> Node {
        element("side-menu") {
            nav(.class("menu"), .id("menu"), .flag("popover"), .label("Menu")) {
                a(.class("home"), .href(AppPaths.home), .label("Tintype, home")) { logo }
                a(.class("self"), .href(AppPaths.profile(viewer.username))) {
                    portrait(viewer, pixels: 52)
                    span {
                        b { viewer.displayName }
                        "@\(viewer.username)"
                    }
                }
                ul(.class("links")) {
                    for link in navigation.menu {
                        li {
                            a(.href(link.path), .current(link == current)) {
                                icon(link.icon)
                                span { link.title }
                                if let badge = link.badge { self.badge(badge, link.badgeWord) }
                            }
                        }
                    }
                    li(.class("log-out")) {
                        form(.method("post"), .action(AppPaths.logOut)) {
                            button {
                                icon("box-arrow-right")
                                span { "Log Out" }
                            }
                        }
                    }
                }
            }
        }
    }

    /// Returns a count that scripts keep current. It is hidden while it is 0.
    private func badge(_ kind: String, _ what: String) -> Node {
        span(.class("badge"), .attribute("data-badge", kind), .hidden()) {
            "0"
            span(.class("unseen")) { " \(what)" }
        }
    }

    /// Returns the bar of a screen that was opened from another one.
    ///
    /// - Parameters:
    ///   - back: the name and path of the screen below.
    ///   - actions: the symbols at the end.
    package func bar(
        _ title: String, back: (name: String, path: String), actions: () -> Node? = { nil }
    ) -> Node {
        header(.class("bar")) {
            a(.class("back"), .href(back.path), .flag("data-back")) {
                icon("chevron-left")
                span { back.name }
            }
            h1 { title }
            div(.class("actions")) {
                actions() ?? .empty
                menuButton
            }
        }
    }

    /// The button that opens the side menu, shown only on screens that have one.
    package var menuButton: Node {
        button(.class("symbol"), .type("button"), .attribute("popovertarget", "menu"), .label("Menu")) {
            icon("list")
        }
    }

    /// Returns the bar of a screen that the side menu leads to.
    package func menuBar(_ title: String, actions: () -> Node? = { nil }) -> Node {
        header(.class("bar")) {
            menuButton
            h1 { title }
            if let actions = actions() { div(.class("actions")) { actions } }
        }
    }

    /// Returns the bar of a tab, with a large title.
    package func largeBar(_ title: String, @NodeBuilder actions: () -> Node = { .empty }) -> Node {
        header(.class("bar large")) {
            h1 { title }
            div(.class("actions")) {
                actions()
                menuButton
            }
        }
    }

    /// Returns a link that shows a symbol.
    package func symbolLink(_ label: String, _ symbol: StaticString, href: String) -> Node {
        a(.class("symbol"), .href(href), .label(label)) { icon(symbol) }
    }

    // MARK: Small parts

    /// Returns a round portrait, or initials on one of eight colours. It is decoration: the name is always beside it.
    package func portrait(_ account: Account, pixels: Int) -> Node {
        if let id = account.portrait {
            return img(
                .class("portrait"), .src(Portrait.path(id, pixels > 60 ? .large : .small)), .alt(""),
                .width(pixels), .height(pixels))
        }
        return span(
            .class("portrait"), .attribute("data-tone", String(Initials.tone(of: account.id))), .decorative
        ) { Initials.letters(of: account.displayName) }
    }

    /// Returns a time such as `5 minutes ago`, kept current by a script, with the exact time in `datetime` and as a
    /// tooltip.
    package func time(_ date: Date, underAMinute: Timestamp.UnderAMinute = .justNow) -> Node {
        element(
            "relative-time", underAMinute == .zeroMinutes ? .attribute("data-zero", "minutes") : .none
        ) {
            HTML.time(.datetime(Timestamp.iso8601(date)), .title(Timestamp.long(date))) {
                Timestamp.relative(date, now: now(), underAMinute: underAMinute)
            }
        }
    }

    /// Returns a time such as `12 November 2026 at 09:41 UTC`, which a script writes in the reader's own time zone.
    package func date(_ date: Date) -> Node {
        element("local-time") {
            HTML.time(.datetime(Timestamp.iso8601(date))) { Timestamp.long(date) }
        }
    }

    /// Returns the content of an empty list: a symbol, a sentence and the one thing that changes it.
    package func empty(
        _ symbol: StaticString, _ sentence: String, action: (name: String, path: String)? = nil
    ) -> Node {
        div(.class("empty")) {
            icon(symbol)
            p { sentence }
            if let action { a(.class("button primary"), .href(action.path)) { action.name } }
        }
    }

    /// Returns the form of a search, whose words are the parameter `q`.
    ///
    /// - Parameters:
    ///   - path: where the form leads.
    ///   - placeholder: what the empty field says; nil for the label.
    ///   - hidden: further fields, which nobody sees.
    package func search(
        _ path: String, _ query: String, label: String, placeholder: String? = nil,
        @NodeBuilder hidden: () -> Node = { .empty }
    ) -> Node {
        form(.class("search"), .role("search"), .action(path)) {
            icon("search")
            HTML.input(
                .type("search"), .name("q"), query.isEmpty ? .none : .value(query),
                .placeholder(placeholder ?? label), .label(label), .autocomplete("off"))
            hidden()
        }
    }

    /// Returns the form of a search and below it what it has found, which a script renews while somebody types
    /// (``search(_:_:label:placeholder:hidden:)``).
    package func liveSearch(
        _ path: String, _ query: String, label: String, placeholder: String? = nil,
        @NodeBuilder results: () -> Node
    ) -> Node {
        element("live-search") {
            search(path, query, label: label, placeholder: placeholder)
            div(.flag("data-results")) { results() }
        }
    }

    /// Returns the link to a list's next rows, which a script replaces by loading them while scrolling.
    package func more(_ path: String?) -> Node {
        guard let path else { return .empty }
        return a(.rel("next"), .class("more"), .href(path)) { "Show more" }
    }

    /// Returns a list that a script continues while somebody scrolls, with the link to its next rows.
    package func endlessList(
        _ classes: StaticString, next: String?, @NodeBuilder rows: () -> Node
    ) -> Node {
        let rows = rows()
        return HTML.element("endless-list") {
            ul(.class(classes), .flag("data-items")) { rows }
            more(next)
        }
    }

    /// Returns the place where a script lists what waits on this device for a network, such as a post that was written
    /// without one.
    ///
    /// - Parameters:
    ///   - kind: the kind in ``FeatureScripts/outbox``.
    ///   - lane: the lane to which the list is limited, as the script that adds to the outbox names it.
    package func waiting(_ kind: String, lane: String? = nil) -> Node {
        element(
            "waiting-list", .attribute("data-kind", kind), .attribute("data-lane", lane),
            .flag("data-lazy"), .hidden()
        ) {}
    }

    /// The look of the button that does what a question asks.
    package enum Answer {
        /// Red: something is lost, or is seen by others.
        case grave
        /// Blue: nothing is lost.
        case friendly
    }

    /// Returns a sheet that asks before something that can't be undone. It is opened by a button with `popovertarget` =
    /// `id`.
    package func question(
        id: String, title: String, explanation: String, action: String, yes: String, no: String,
        answer: Answer = .grave
    ) -> Node {
        div(
            .class("sheet"), .id(id), .flag("popover"), .role("dialog"),
            .attribute("aria-labelledby", "\(id)-title")
        ) {
            h2(.id("\(id)-title")) { title }
            p { explanation }
            form(.method("post"), .action(action)) {
                button(.class(answer == .grave ? "button danger" : "button primary")) { yes }
            }
            button(
                .class("button plain"), .type("button"), .attribute("popovertarget", id),
                .attribute("popovertargetaction", "hide")
            ) { no }
        }
    }

    /// Returns one of several choices.
    ///
    /// - Parameter isRequired: whether one of them has to be made.
    package func choice(
        _ name: String, _ value: String, isChosen: Bool, _ title: String, explanation: String? = nil,
        isRequired: Bool = true
    ) -> Node {
        label(.class("choice")) {
            input(
                .class("cover"), .type("radio"), .name(name), .value(value),
                .flag("required", isRequired), .checked(isChosen))
            span {
                title
                if let explanation { HTML.element("small") { explanation } }
            }
            icon("check-lg")
        }
    }

    /// Returns a switch with its title.
    ///
    /// - Parameter value: what the switch sends when it is on.
    package func toggle(_ name: String, value: String = "true", isOn: Bool, _ title: String) -> Node {
        label(.class("choice")) {
            span { title }
            input(.type("checkbox"), .role("switch"), .name(name), .value(value), .checked(isOn))
        }
    }

    /// Returns a control that chooses one of some options, which the device lists in its own way.
    package func chooser(
        _ name: String, _ attributes: Attribute..., @NodeBuilder options: () -> Node
    ) -> Node {
        span(.class("chooser")) {
            HTML.element(
                "select", [.class("input"), .id(name), .name(name)] + attributes, content: options)
            icon("chevron-down")
        }
    }

    /// Returns a labelled input with its problem, if it has one, and a hint.
    package func field(
        _ name: String, _ label: String, type: StaticString = "text", value: String = "",
        problems: [String: Refusal.Problem] = [:], note: String? = nil, _ attributes: Attribute...
    ) -> Node {
        let problem = problems[name]
        let describedBy = [problem == nil ? nil : "\(name)-error", note == nil ? nil : "\(name)-note"]
            .compactMap { $0 }.joined(separator: " ")
        return div(.class("field")) {
            HTML.label(.for(name)) { label }
            void(
                "input",
                [
                    .class("input"), .id(name), .name(name), .type(type),
                    value.isEmpty ? .none : .value(value), .invalid(problem != nil),
                    .describedBy(describedBy.isEmpty ? nil : describedBy),
                ] + attributes)
            self.problem(name, problems)
            if let note { p(.class("note"), .id("\(name)-note")) { note } }
        }
    }

    /// Returns a text area that shows how many characters are left.
    package func countedText(
        _ name: String, _ text: String, rows: Int, limit: Int, placeholder: String? = nil,
        problem: Refusal.Problem? = nil, _ attributes: Attribute...
    ) -> Node {
        let left = limit - text.unicodeScalars.count
        return Node.list([
            element("text-counter", .class("counted")) {
                element(
                    "textarea",
                    [
                        .class("input"), .id(name), .name(name), .rows(rows), .invalid(problem != nil),
                        .describedBy(problem == nil ? "\(name)-left" : "\(name)-error \(name)-left"),
                        .attribute("placeholder", placeholder),
                    ] + attributes
                ) { text }
                output(.id("\(name)-left"), .for(name), .attribute("data-limit", String(limit))) {
                    left < 0 ? "\((-left).grouped) too many" : "\(left.grouped) left"
                }
            },
            problem.map { problem in p(.class("error"), .id("\(name)-error")) { problem.sentence } }
                ?? .empty,
        ])
    }

    /// Returns the sentence beside a field that needs to be corrected.
    @NodeBuilder package func problem(_ name: String, _ problems: [String: Refusal.Problem]) -> Node {
        if let problem = problems[name] {
            p(.class("error"), .id("\(name)-error")) { problem.sentence }
        }
    }

    /// Returns the sentence above a form that was refused, when none of its fields has a sentence.
    package func alert(_ refusal: Refusal?) -> Node {
        alert(refusal.flatMap { $0.fields.isEmpty ? $0.message : nil })
    }

    /// Returns a sentence above a form.
    @NodeBuilder package func alert(_ message: String?) -> Node {
        if let message { p(.class("error"), .role("alert")) { message } }
    }
}
