import Core
import Foundation
import HTML
import Hummingbird
import Serving

/// The screen of notifications, on which unread ones are marked.
struct NotificationPages {
    let frame: Frame
    let notifications: NotificationService

    private static let page = 40

    func add(to router: Router<AppContext>) {
        router.get("notifications", use: list)
    }

    /// Answers with the screen. Looking at it marks as read: what was unread is highlighted on this page only.
    private func list(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let olderThan = try PageRequest(Input.query(request)).olderThan
        let page = try await notifications.groups(for: viewer, olderThan: olderThan, limit: Self.page)
        let groups = page.groups.filter { $0.newest.subject?.isFilteredOut != true }
        if olderThan == nil, request.method == .get, let newest = page.newestUnread {
            await notifications.read(through: newest, by: viewer)
        }
        let rows = NotificationRows(frame: frame, page.relationships)
        let more = frame.more(page.next.map { "/notifications?max_id=\($0)" })
        let content =
            groups.isEmpty && page.next == nil && page.putAside.people == 0
            ? frame.empty("heart", "Likes, comments and new followers appear here.")
            : Node.list([requests(page.putAside), rows.sections(groups), more])
        if request.wantsFragment { return .html(content, for: request) }
        return Page(title: "Notifications", styles: [.accounts, .notifications], tab: .home)
            .response(frame, request, context) {
                frame.bar("Notifications", back: ("Home", AppPaths.home))
                main(.id("content")) {
                    element("notification-list", .attribute("data-reads", "*")) { content }
                }
            }
    }

    /// Returns the line that leads to what was put aside, if there is something.
    private func requests(_ summary: NotificationRequestSummary) -> Node {
        guard summary.people > 0 else { return .empty }
        return a(.class("row put-aside"), .href(NotificationPaths.requests)) {
            frame.icon("bell-slash")
            span(.class("text")) {
                b { "Put aside" }
                span {
                    "\(summary.notifications.of("notification")) of \(summary.people.of("person", "people"))"
                }
            }
            frame.icon("chevron-right", class: "icon chevron")
        }
    }
}

/// The rows of the screen, below headings that say how old they are.
struct NotificationRows {
    let frame: Frame
    /// The viewer's relationships to the people who began to follow.
    private let relationships: [Account.ID: Relationship]

    init(frame: Frame, _ relationships: [Relationship]) {
        self.frame = frame
        self.relationships = Dictionary(relationships.map { ($0.account, $0) }) { first, _ in first }
    }

    func sections(_ groups: [NotificationGroup]) -> Node {
        let now = frame.now()
        let titled = groups.map { group -> (title: String, group: NotificationGroup) in
            let days = now.timeIntervalSince(group.newest.id.createdAt) / 86_400
            return (days < 1 ? "Today" : days < 7 ? "This week" : "Earlier", group)
        }
        return .list(
            ["Today", "This week", "Earlier"].map { title in
                let found = titled.filter { $0.title == title }
                guard !found.isEmpty else { return .empty }
                let id = title.lowercased().replacingOccurrences(of: " ", with: "-")
                return section(.attribute("aria-labelledby", id)) {
                    h2(.class("section-title"), .id(id)) { title }
                    ul(.class("rows notifications")) {
                        for (_, group) in found {
                            li(.attribute("data-id", group.newest.id.description)) { row(group) }
                        }
                    }
                }
            })
    }

    private func row(_ group: NotificationGroup) -> Node {
        let classes = group.isUnread ? "row notification unread" : "row notification"
        let newest = group.newest
        guard let path = newest.kind.path else {
            let relationship = relationships[newest.actor.id] ?? Relationship(account: newest.actor.id)
            return div(.classes(classes)) {
                story(group)
                span(.class("buttons")) { newest.kind.buttons?(frame, group, relationship) ?? .empty }
            }
        }
        return a(.classes(classes), .href(path(group))) {
            story(group)
            newest.subject?.picture ?? .empty
        }
    }

    @NodeBuilder private func story(_ group: NotificationGroup) -> Node {
        if group.isUnread { span(.class("unseen")) { "Unread." } }
        span(.class("portraits")) {
            frame.portrait(group.newest.actor, pixels: 44)
            if let second = group.second {
                frame.portrait(second, pixels: 44)
            } else {
                symbol(group.newest.kind)
            }
        }
        span(.class("text")) {
            group.sentence
            " "
            frame.time(group.newest.id.createdAt)
        }
    }

    private func symbol(_ kind: NotificationKind) -> Node {
        span(.class("kind"), .attribute("data-kind", kind.colour)) { frame.icon(kind.symbol) }
    }
}
