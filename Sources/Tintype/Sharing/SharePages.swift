import Foundation
import HTML
import Hummingbird

/// The screen on which people share a post: with friends as a message, by link, by another app, and, their
/// own, by a guest link.
struct SharePages {
    let frame: Frame
    let posts: PostService
    let relations: RelationshipService
    let links: GuestLinkService
    let chats: ChatService
    let messages: MessageService
    let publicURL: String

    /// How many friends a page of them holds, and how many may be chosen at once.
    private static let people = 24

    func add(to router: Router<AppContext>) {
        router.get("posts/:id/share", use: share)
        router.post("posts/:id/send", use: send)
        router.post("posts/:id/guest-link") { request, context in
            let id = try context.id("id", of: Post.self)
            _ = try await links.make(for: id, by: context.viewer)
            return Response.see("/posts/\(id)/share", flash: .good("The guest link is ready."))
        }
        router.post("posts/:id/guest-link/revoke") { request, context in
            let id = try context.id("id", of: Post.self)
            try await links.revoke(of: id, by: context.viewer)
            return Response.see("/posts/\(id)/share", flash: .good("The guest link no longer works."))
        }
    }

    private func share(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let post = try await posts.post(context.id("id"), for: viewer)
        let friends = try await friends(Input.query(request), of: viewer, for: post)
        if request.wantsFragment {
            return .html(friends.isLaterPage ? rows(friends) : results(friends), for: request)
        }
        let isOwn = post.author.id == viewer.id && post.root == nil
        let guestLink = isOwn ? try await links.link(of: post.id, by: viewer) : nil
        let link = "\(publicURL)/posts/\(post.id)"
        return Page(title: "Share", styles: [.posts, .comments, .accounts], tab: .home, bodyClass: "grouped")
            .response(frame, request, context) {
                frame.bar("Share", back: ("Home", "/home"))
                main(.id("content"), .class("settings")) {
                    PostComponents(frame: frame).about(post)
                    if friends.isSearch || !friends.offered.isEmpty { sendForm(post, friends) }
                    section(.attribute("aria-labelledby", "link-title")) {
                        h2(.class("group-title"), .id("link-title")) { "Link" }
                        div(.class("group")) {
                            linkField(link, label: "Link to this post")
                            otherApps(post, link)
                        }
                        p(.class("note")) { "It opens for people who can see this post." }
                    }
                    if isOwn { guestSection(post, guestLink) }
                }
            }
    }

    private func linkField(_ link: String, label: String) -> Node {
        element("copy-link", .class("link-field"), .attribute("data-url", link)) {
            input(.flag("readonly"), .value(link), .label(label))
            button(.class("button small"), .type("button")) { "Copy" }
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

    // MARK: Friends

    /// A page of friends to choose from. Those chosen stay, whatever else is searched for.
    private struct Friends {
        var query: String
        var isLaterPage: Bool
        var chosen: [Account]
        var offered: [Account]
        var next: String?

        /// Whether there may be more than one sees.
        var isSearch: Bool { next != nil || !query.isEmpty || isLaterPage }
    }

    private func friends(_ input: Input, of viewer: Account, for post: Post) async throws -> Friends {
        let query = input.text("q")
        let after = input.text("after")
        let chosen = try await relations.friends(chosen(input), of: viewer)
        let found = try await relations.search(
            query, among: .friends, for: viewer, after: after, limit: Self.people + 1
        ).map(\.account)
        var next: String?
        if found.count > Self.people {
            let kept = chosen.map { "&to=\($0.id)" }.joined()
            next =
                "/posts/\(post.id)/share?q=\(query.queryEncoded)&after=\(found[Self.people - 1].username)\(kept)"
        }
        return Friends(
            query: query, isLaterPage: !after.isEmpty, chosen: chosen,
            offered: found.prefix(Self.people).filter { !chosen.map(\.id).contains($0.id) }, next: next)
    }

    private func chosen(_ input: Input) -> [Account.ID] {
        input.list("to").prefix(Self.people + 1).compactMap { Account.ID($0) }
    }

    /// One form for two things: its search field asks for other friends, its button sends to those chosen.
    private func sendForm(_ post: Post, _ friends: Friends) -> Node {
        element("live-search") {
            form(.class("form"), .action("/posts/\(post.id)/share")) {
                fieldset {
                    legend(.class("group-title")) { "Send to friends" }
                    if friends.isSearch {
                        div(.class("search"), .role("search")) {
                            frame.icon("search")
                            input(
                                .type("search"), .name("q"), .value(friends.query), .placeholder("Search"),
                                .label("Search friends"), .autocomplete("off"))
                            // What Enter presses: else it would send.
                            button(.hidden()) { "Search" }
                        }
                    }
                    div(.flag("data-results")) { results(friends) }
                }
                button(
                    .class("button primary tall"), .name("key"), .value(Session.newToken()),
                    .attribute("formmethod", "post"), .attribute("formaction", "/posts/\(post.id)/send")
                ) { "Send" }
            }
        }
    }

    @NodeBuilder private func results(_ friends: Friends) -> Node {
        if !friends.chosen.isEmpty || !friends.offered.isEmpty {
            element("endless-list") {
                ul(.class("group friends"), .flag("data-items")) {
                    for friend in friends.chosen { choice(friend, isChosen: true) }
                    for friend in friends.offered { choice(friend, isChosen: false) }
                }
                frame.more(friends.next)
            }
        }
        if friends.offered.isEmpty {
            let others = friends.chosen.isEmpty ? "friends" : "other friends"
            p(.class("note")) { "None of your \(others) is called “\(friends.query)”." }
        }
    }

    private func rows(_ friends: Friends) -> Node {
        .list(friends.offered.map { choice($0, isChosen: false) } + [frame.more(friends.next)])
    }

    private func choice(_ friend: Account, isChosen: Bool) -> Node {
        li(.attribute("data-account", friend.id.description)) {
            label {
                input(
                    .class("cover"), .type("checkbox"), .name("to"), .value(friend.id.description),
                    .checked(isChosen))
                frame.portrait(friend, pixels: 60)
                frame.icon("check-circle-fill")
                span { friend.displayName }
            }
        }
    }

    private func send(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let post = try await posts.post(context.id("id"), for: viewer)
        let input = try await Input.read(request, context)
        let friends = chosen(input)
        guard !friends.isEmpty else {
            return .see("/posts/\(post.id)/share", flash: .error("Choose at least one friend."))
        }
        guard friends.count <= Self.people else {
            let sentence = "You can send it to at most \(Self.people) friends at once."
            return .see("/posts/\(post.id)/share", flash: .error(sentence))
        }
        let draft = MessageService.Draft(
            text: SharedPost.text("", sharing: post.id.rawValue, at: publicURL))
        for friend in friends {
            let chat = try await chats.open(with: friend, by: viewer)
            _ = try await messages.send(
                draft, to: chat.id, by: viewer,
                key: input.string("key").map { "share \(friend) \($0.prefix(100))" })
        }
        return .see("/posts/\(post.id)/share", flash: .good("Sent to \(friends.count.of("friend"))."))
    }

    // MARK: Guests

    private func guestSection(_ post: Post, _ link: GuestLink?) -> Node {
        section(.attribute("aria-labelledby", "guest-title")) {
            h2(.class("group-title"), .id("guest-title")) { "Guest link" }
            div(.class("group")) {
                if let link {
                    linkField(publicURL + link.path, label: "Guest link")
                    form(.method("post"), .action("/posts/\(post.id)/guest-link/revoke")) {
                        button(.class("choice danger")) {
                            frame.icon("slash-circle")
                            span { "Revoke" }
                            span(.class("value")) { link.remaining(at: frame.now()) }
                        }
                    }
                } else {
                    form(.method("post"), .action("/posts/\(post.id)/guest-link")) {
                        button(.class("choice")) {
                            frame.icon("globe")
                            span { "Make a guest link" }
                        }
                    }
                }
            }
            p(.class("note")) {
                link == nil
                    ? "Shows this post to anyone who has it, for 7 days."
                    : "Shows this post to anyone who has it, until you revoke it."
            }
        }
    }
}
