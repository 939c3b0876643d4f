import Foundation
import HTML
import Hummingbird

/// The screen of what has happened, the unread marked.
struct NotificationPages {
    let frame: Frame
    let notifications: NotificationService
    let accounts: AccountService

    private static let page = 40

    func add(to router: Router<AppContext>) {
        router.get("notifications", use: list)
    }

    /// Looking is reading: what was unread is marked on this page, and read from then on.
    private func list(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let olderThan = try PageRequest(Input.query(request)).olderThan
        let page = try await notifications.groups(for: viewer, olderThan: olderThan, limit: Self.page)
        let groups = page.groups
        let relationships = try await accounts.relationships(
            groups.filter { $0.newest.kind == .follow }.map(\.newest.actor.id), for: viewer)
        if olderThan == nil, request.method == .get, let newest = page.newestUnread {
            await notifications.read(through: newest, by: viewer)
        }
        let rows = NotificationRows(
            frame: frame,
            relationships: Dictionary(relationships.map { ($0.account, $0) }) { first, _ in first })
        let more = frame.more(page.next.map { "/notifications?max_id=\($0)" })
        let content =
            groups.isEmpty && page.next == nil
            ? frame.empty("heart", "Likes, comments and new followers appear here.")
            : Node.list([rows.sections(groups), more])
        if request.wantsFragment { return .html(content, for: request) }
        return Page(title: "Notifications", styles: [.accounts, .notifications], tab: .home)
            .response(frame, request, context) {
                frame.bar("Notifications", back: ("Home", "/home"))
                main(.id("content")) {
                    element("notification-list") { content }
                }
            }
    }
}

/// The rows of the screen, under the headings of their age.
struct NotificationRows {
    let frame: Frame
    /// What the viewer is to those who began to follow.
    let relationships: [Account.ID: Relationship]

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
        switch newest.kind {
        case .follow, .followRequest:
            return div(.classes(classes)) {
                story(group)
                span(.class("buttons")) { buttons(newest) }
            }
        case .like, .comment, .mention, .message, .snap, .saved, .download:
            return a(.classes(classes), .href(path(group))) {
                story(group)
                if let photo = group.top?.photos.first { PhotoComponents.square(photo, alt: "") }
            }
        }
    }

    private func path(_ group: NotificationGroup) -> String {
        if group.newest.kind == .download { return "/settings/data" }
        if group.newest.kind == .snap { return "/snaps" }
        // Else, without a post it is about a conversation.
        guard let post = group.newest.post else { return "/messages/@\(group.newest.actor.username)" }
        return post.root.map { CommentPages.path(of: post.id, under: $0) } ?? "/posts/\(post.id)"
    }

    @NodeBuilder private func buttons(_ notification: Notification) -> Node {
        let actor = notification.actor
        if notification.kind == .followRequest {
            form(.method("post"), .action("/requests/\(actor.id)/accept")) {
                button(.class("button small primary")) { "Accept" }
            }
            form(.method("post"), .action("/requests/\(actor.id)/reject")) {
                button(.class("button small")) { "Delete" }
            }
        } else {
            AccountComponents(frame: frame).followButton(
                actor, relationships[actor.id] ?? Relationship(account: actor.id), class: "end")
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
            if group.newest.kind != .download { b { group.newest.actor.username } }
            if group.peopleCount > 1 {
                " and "
                b { (group.peopleCount - 1).of("other") }
            }
            words(group)
            " "
            frame.time(group.newest.id.createdAt)
        }
    }

    private func symbol(_ kind: Notification.Kind) -> Node {
        let (name, icon): (String, StaticString) =
            switch kind {
            case .follow: ("follow", "person-plus")
            case .followRequest: ("request", "person-plus")
            case .like: ("like", "heart-fill")
            case .comment: ("comment", "chat-fill")
            case .mention: ("mention", "at")
            case .message: ("comment", "chat-fill")
            case .snap: ("follow", "camera-fill")
            case .saved, .download: ("follow", "download")
            }
        return span(.class("kind"), .attribute("data-kind", name)) { frame.icon(icon) }
    }

    @NodeBuilder private func words(_ group: NotificationGroup) -> Node {
        let post = group.newest.post
        switch group.newest.kind {
        case .follow: " follows you."
        case .followRequest: " asks to follow you."
        case .like: post?.root == nil ? " liked your post." : " liked your comment."
        case .comment where group.peopleCount > 1: " commented on your post."
        case .comment: quoted(" commented: ", post)
        case .mention: quoted(" mentioned you: ", post)
        case .message: " wrote to you."
        case .snap where group.count > 1: " posted \(group.count) snaps."
        case .snap: " posted a snap to \(group.newest.snap?.feed.title ?? "friends")."
        case .saved: " saved your photo."
        case .download: "Your download is ready."
        }
    }

    @NodeBuilder private func quoted(_ words: String, _ post: Post?) -> Node {
        words
        element("q") { String((post?.caption ?? "").prefix(120)) }
    }
}
