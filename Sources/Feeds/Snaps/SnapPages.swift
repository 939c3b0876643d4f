import Core
import Foundation
import HTML
import Hummingbird
import Imaging
import People
import Serving
import Storage

/// The Snaps tab, the page of the viewer's own snap, and the pages that open a snap without scripts.
struct SnapPages {
    let frame: Frame
    let snaps: SnapService
    let blobs: any BlobStore
    let answering: SnapAnswering

    private var components: SnapComponents { SnapComponents(frame: frame, answering: answering) }

    func add(to router: Router<AppContext>) {
        router.get("snaps", use: list)
        router.get("snaps/newest", use: newest)
        router.get("snaps/:id", use: own)
        router.post("snaps/:id/open", use: open)
        router.post("snaps/:id/delete", use: delete)
    }

    // MARK: The tab

    private func list(_ request: Request, _ context: AppContext) async throws -> Response {
        let sections = try await snaps.sections(for: context.viewer)
        if request.wantsFragment { return .html(components.sections(sections), for: request) }
        return Page(title: "Snaps", styles: [.snaps], tab: .snaps, bodyClass: "grouped")
            .response(frame, request, context) {
                frame.largeBar("Snaps") { frame.symbolLink("Camera", "camera", href: "/snaps/camera") }
                main(.id("content")) {
                    element("snap-list", .attribute("data-source", SnapPaths.list)) {
                        components.sections(sections)
                    }
                }
            }
    }

    /// Serves the column beside Home, for its script. As a page of its own it is the Snaps tab.
    private func newest(_ request: Request, _ context: AppContext) async throws -> Response {
        let sections = try await snaps.sections(for: context.viewer)
        guard request.wantsFragment else { return .see(SnapPaths.list) }
        return .html(components.newest(sections), for: request)
    }

    // MARK: The viewer's own snap

    private func own(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let page = PageRequest(limit: 40, olderThan: try PageRequest(Input.query(request)).olderThan)
        let own = try await snaps.own(context.id("id"), of: viewer, page: page)
        let (snap, viewers) = (own.snap, own.viewers)
        let next = viewers.count == page.limit ? viewers.last.map { "/snaps/\(snap.id)?max_id=\($0.0)" } : nil
        let rows = viewers.map { row($0.1) }
        if request.wantsFragment { return .html(Node.list(rows + [frame.more(next)]), for: request) }
        let friends = max(own.audienceCount, snap.viewersCount)
        return Page(title: "Your snap", styles: [.snaps, .accounts], tab: .snaps).response(
            frame, request, context
        ) {
            frame.bar("Your snap", back: ("Snaps", SnapPaths.list))
            main(.id("content")) {
                h2(.class("section-title")) {
                    span { "Seen by \(snap.viewersCount.grouped) of \(friends.grouped)" }
                    span {
                        "\(snap.feed.title) · "
                        frame.time(snap.id.createdAt, underAMinute: .zeroMinutes)
                    }
                }
                if rows.isEmpty {
                    p(.class("note apart")) { "Nobody has opened it yet." }
                } else {
                    frame.endlessList("rows", next: next) { rows }
                }
                p(.class("note apart")) {
                    "It is erased when everyone has seen it, or after \(hours). Nothing on the web can prevent a screenshot."
                }
                div(.class("settings")) {
                    button(
                        .class("button danger tall"), .type("button"),
                        .attribute("popovertarget", "delete-question")
                    ) { "Delete snap" }
                }
                frame.question(
                    id: "delete-question", title: "Delete this snap?",
                    explanation: "Friends who haven’t seen it yet won’t be able to.",
                    action: "/snaps/\(snap.id)/delete", yes: "Delete snap", no: "Keep it")
            }
        }
    }

    private var hours: String { Int(snaps.settings.lifetime / 3600).of("hour") }

    private func row(_ viewer: SnapViewer) -> Node {
        li {
            a(.class("row"), .href(AppPaths.profile(viewer.account.username))) {
                frame.portrait(viewer.account, pixels: 48)
                span(.class("text")) {
                    b { viewer.account.displayName }
                    span { "@\(viewer.account.username)" }
                }
                span(.class("end")) { frame.time(viewer.openedAt, underAMinute: .zeroMinutes) }
            }
        }
    }

    private func delete(_ request: Request, _ context: AppContext) async throws -> Response {
        try await snaps.delete(context.id("id"), by: context.viewer)
        return .see(SnapPaths.list, flash: .good("Snap deleted."))
    }

    // MARK: Without scripts

    /// Opens a snap, shows it, and closes it, in one request.
    private func open(_ request: Request, _ context: AppContext) async throws -> Response {
        let login = try context.ownSession
        let id = try context.id("id", of: Snap.self)
        let look = try await snaps.open(id, by: login.account, session: login.id)
        let key = try await snaps.picture(ofLook: look.secret, .jpeg, by: login.account, session: login.id)
        let bytes = try await blobs.read(key, 0..<blobs.maximumBytes)
        try await snaps.close(id, by: login.account, session: login.id)
        return OnceLookPage(frame: frame).response(
            "Snap", jpeg: bytes, description: look.description, back: SnapPaths.list,
            reply: look.poster.id == login.account.id ? nil : answering(id, look.poster.username),
            request, context)
    }
}
