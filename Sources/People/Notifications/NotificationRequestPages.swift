import Core
import HTML
import Hummingbird
import Serving

/// The screens of notifications that the viewer's policy has put aside: the people, and what each of them did.
struct NotificationRequestPages {
    let frame: Frame
    let notifications: NotificationService

    func add(to router: Router<AppContext>) {
        router.get("notifications/requests", use: list)
        router.get("notifications/requests/:id", use: show)
        router.post("notifications/requests/:id/accept") { request, context in
            try await notifications.answer(.accept, [context.id("id")], by: context.viewer)
            return Response.see(
                NotificationPaths.requests,
                flash: .good("Accepted. What they do appears under Notifications from now on."))
        }
        router.post("notifications/requests/:id/dismiss") { request, context in
            try await notifications.answer(.dismiss, [context.id("id")], by: context.viewer)
            return Response.see(NotificationPaths.requests, flash: .good("Deleted."))
        }
    }

    private func list(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let page = try PageRequest(Input.query(request))
        let found = try await notifications.requests(for: viewer, page: page)
        let next =
            found.count == page.limit
            ? found.last.map { "\(NotificationPaths.requests)?max_id=\($0.newest)" } : nil
        let rows = found.map(row)
        if request.wantsFragment { return .html(Node.list(rows + [frame.more(next)]), for: request) }
        return Page(title: "Put aside", styles: [.accounts, .notifications], tab: .home)
            .response(frame, request, context) {
                frame.bar("Put aside", back: ("Notifications", AppPaths.notifications))
                main(.id("content")) {
                    if rows.isEmpty {
                        frame.empty(
                            "bell-slash",
                            "Nothing is put aside. You choose in Settings whose notifications are.",
                            action: ("Choose", NotificationPaths.settings))
                    } else {
                        frame.endlessList("rows", next: next) { rows }
                    }
                }
            }
    }

    private func row(_ request: NotificationRequest) -> Node {
        li {
            a(.class("row"), .href(NotificationPaths.request(of: request.actor.id))) {
                frame.portrait(request.actor, pixels: 48)
                span(.class("text")) {
                    b { request.actor.displayName }
                    span { "\(request.count.of("notification")) · @\(request.actor.username)" }
                }
                span(.class("end")) { frame.time(request.newest.createdAt) }
                frame.icon("chevron-right", class: "icon chevron")
            }
        }
    }

    private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let id: Account.ID = try context.id("id")
        let page = try PageRequest(Input.query(request))
        let found = try await notifications.putAside(from: id, for: viewer, page: page)
        let path = NotificationPaths.request(of: id)
        let rows = NotificationRows(frame: frame, found.relationships)
        let groups = found.groups.filter { $0.newest.subject?.isFilteredOut != true }
        let content = Node.list([
            rows.sections(groups), frame.more(found.next.map { "\(path)?max_id=\($0)" }),
        ])
        let actor = found.actor
        if request.wantsFragment { return .html(content, for: request) }
        return Page(title: actor.displayName, styles: [.accounts, .notifications], tab: .home)
            .response(frame, request, context) {
                frame.bar(actor.displayName, back: ("Put aside", NotificationPaths.requests))
                main(.id("content")) {
                    PeopleComponents(frame: frame).waiting(actor, at: path, declining: "dismiss")
                    content
                }
            }
    }
}
