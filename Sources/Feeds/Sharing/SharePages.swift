import Core
import Foundation
import HTML
import Hummingbird
import People
import Serving

/// The screen on which people share a post: with friends in a message, by link, with another app, and their own posts
/// by a guest link.
struct SharePages {
    let frame: Frame
    let posts: PostService
    let relations: RelationshipService
    let links: GuestLinkService
    let chats: ChatService
    let messages: MessageService
    let publicURL: String

    private var guestLinks: GuestLinkComponents {
        GuestLinkComponents(frame: frame, publicURL: publicURL)
    }

    func add(to router: Router<AppContext>) {
        router.get("posts/:id/share", use: share)
        router.post("posts/:id/send", use: send)
        router.post("posts/:id/guest-link") { request, context in
            let id = try context.id("id", of: Post.self)
            _ = try await links.make(for: .post(id), by: context.viewer)
            return Response.see(PostPaths.share(id), flash: .good("The guest link is ready."))
        }
        router.post("posts/:id/guest-link/revoke") { request, context in
            let id = try context.id("id", of: Post.self)
            try await links.revoke(of: .post(id), by: context.viewer)
            return Response.see(PostPaths.share(id), flash: .good("The guest link no longer works."))
        }
    }

    private func share(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let id = try context.id("id", of: Post.self)
        let chooser = ReceiverChooser(
            frame: frame, relations: relations, path: PostPaths.share(id), action: "/posts/\(id)/send")
        let (shared, offered) = try await chooser.offered(Input.query(request), of: viewer) {
            try GuestLinkRecords($0).shared(id, by: viewer)
        }
        if request.wantsFragment { return .html(chooser.form.fragment(offered), for: request) }
        let (post, isOwn, guestLink) = (shared.post, shared.isOwn, shared.link)
        let link = publicURL + PostPaths.page(post.id)
        return Page(title: "Share", styles: [.posts, .accounts, .chats], tab: .home, bodyClass: "grouped")
            .response(frame, request, context) {
                frame.bar("Share", back: ("Home", AppPaths.home))
                main(.id("content"), .class("settings")) {
                    PostComponents(frame: frame).about(post, viewer.covering)
                    chooser.form.form(offered)
                    section(.attribute("aria-labelledby", "link-title")) {
                        h2(.class("group-title"), .id("link-title")) { "Link" }
                        div(.class("group")) {
                            guestLinks.field(link, label: "Link to this post")
                            otherApps(post, link)
                        }
                        p(.class("note")) { "It opens for people who can see this post." }
                    }
                    if isOwn { guestLinks.section(guestLink, to: "post", path: PostPaths.page(post.id)) }
                }
            }
    }

    private func otherApps(_ post: Post, _ link: String) -> Node {
        element(
            "share-button", .attribute("data-url", link),
            .attribute("data-picture", post.photos.first.map { Photo.path($0.id, .large) }),
            .attribute("data-text", post.caption)
        ) {
            button(.class("choice"), .type("button"), .flag("data-share")) {
                frame.icon("upload")
                span { "Share with another app" }
            }
        }
    }

    private func send(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let post = try await posts.post(context.id("id"), for: viewer)
        let input = try await Input.read(request, context)
        let receivers = Receivers(input)
        let draft = MessageService.Draft(
            text: SharedKind.post.text(sharing: post.id.rawValue, at: publicURL))
        return try await .sent(
            to: receivers, then: PostPaths.share(post.id), backTo: PostPaths.share(post.id)
        ) {
            try await messages.send(
                draft, toEach: receivers, by: viewer, key: input.string("key"), chats)
        }
    }
}
