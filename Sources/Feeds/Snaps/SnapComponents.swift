import Core
import HTML
import People
import Serving

/// The parts of snaps that several screens draw.
struct SnapComponents {
    let frame: Frame
    let answering: SnapAnswering

    /// Draws every feed as a section, also feeds without snaps.
    func sections(_ sections: [SnapSection]) -> Node {
        Node.list(sections.map(section) + [AnswerButtons(frame: frame).node])
    }

    private func section(_ section: SnapSection) -> Node {
        let id = "feed-\(section.feed.id)"
        return HTML.section(
            .class("feed"), .attribute("aria-labelledby", id), .attribute("data-feed", section.feed.id)
        ) {
            h2(.class("section-title"), .id(id)) {
                span { section.feed.title }
                if section.unreadCount > 0 { span { "\(section.unreadCount) new" } }
            }
            if section.snaps.isEmpty {
                p(.class("none")) { "No snaps in \(section.feed.title) yet." }
            } else {
                ul(.class("rows")) { section.snaps.map { row($0) } }
            }
        }
    }

    private func row(_ listed: ListedSnap) -> Node {
        let snap = listed.snap
        return li(
            listed.isOwn || listed.state.isRead ? .class("options") : .none,
            .attribute("data-snap", snap.id.description)
        ) {
            if listed.state.isRead {
                div(.class("row")) { content(listed, note: listed.isOwn ? seenBy(snap) : nil) }
            } else {
                openButton(listed) { content(listed, note: listed.isOwn ? seenBy(snap) : nil) }
            }
            if listed.isOwn {
                frame.symbolLink(
                    "Who has seen your snap in \(snap.feed.title)", "three-dots", href: "/snaps/\(snap.id)")
            } else if listed.state.isRead {
                // A snap can be reported once the viewer has seen it.
                frame.symbolLink(
                    "Report \(snap.poster.username)’s snap in \(snap.feed.title)", "three-dots",
                    href: "/snaps/\(snap.id)/report")
            }
        }
    }

    /// Draws the button that opens the snap over the page. It names the chat in which somebody else's snap is answered.
    /// Without scripts, the answer is a page with the picture in it.
    private func openButton(_ listed: ListedSnap, @NodeBuilder _ content: () -> Node) -> Node {
        let (snap, name) = (listed.snap, listed.snap.poster.username)
        return form(.method("post"), .action("/snaps/\(snap.id)/open")) {
            button(
                .class("row unread"), .attribute("data-open", snap.id.description),
                .attribute("data-poster", listed.isOwn ? nil : snap.poster.id.description),
                .attribute("data-answer", listed.isOwn ? nil : answering(snap.id, name))
            ) { content() }
        }
    }

    @NodeBuilder private func content(_ listed: ListedSnap, pixels: Int = 48, note: String?) -> Node {
        frame.portrait(listed.snap.poster, pixels: pixels)
        span(.class("text")) {
            b { listed.isOwn ? "You" : listed.snap.poster.username }
            span {
                frame.time(listed.snap.id.createdAt, underAMinute: .zeroMinutes)
                note.map { " · \($0)" } ?? ""
            }
        }
        mark(isRead: listed.state.isRead)
    }

    private func seenBy(_ snap: Snap) -> String? {
        snap.viewersCount == 0 ? nil : "seen by \(snap.viewersCount.grouped)"
    }

    private func mark(isRead: Bool) -> Node {
        let label = isRead ? "Read" : "Unread"
        return span(.classes("snap-mark", isRead ? "read" : ""), .role("img"), .label(label)) {}
    }

    // MARK: Beside Home

    /// The column beside Home with new snaps. Its script loads the snaps where the screen is wide enough to show the
    /// column, so that Home reads nothing for other screens.
    var beside: Node {
        aside(.class("beside"), .attribute("aria-labelledby", "new-snaps")) {
            h2(.class("section-title"), .id("new-snaps")) { "New snaps" }
            element("snap-list", .attribute("data-source", "/snaps/newest"), .flag("data-lazy")) {
                p(.class("none")) { a(.href(SnapPaths.list)) { "See what is new" } }
            }
        }
    }

    /// Draws the newest unopened snaps of all feeds.
    func newest(_ sections: [SnapSection]) -> Node {
        let waiting = sections.flatMap(\.snaps).filter(\.isNew).sorted { $0.snap.id > $1.snap.id }.prefix(
            Self.besideCount)
        guard !waiting.isEmpty else { return p(.class("none")) { "You have seen them all." } }
        let rows = ul(.class("rows")) {
            waiting.map { listed in
                li(.attribute("data-snap", listed.snap.id.description)) {
                    openButton(listed) { besideContent(listed) }
                }
            }
        }
        return .list([rows, AnswerButtons(frame: frame).node])
    }

    private static let besideCount = 8

    @NodeBuilder private func besideContent(_ listed: ListedSnap) -> Node {
        frame.portrait(listed.snap.poster, pixels: 40)
        span(.class("text")) {
            b { listed.snap.poster.username }
            span {
                "\(listed.snap.feed.title) · "
                frame.time(listed.snap.id.createdAt, underAMinute: .zeroMinutes)
            }
        }
        mark(isRead: false)
    }
}
