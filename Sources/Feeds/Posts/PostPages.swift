import Core
import Foundation
import HTML
import Hummingbird
import People
import Serving

/// The pages of posts: Home, one post, its likes, and the viewer's saved posts.
struct PostPages {
    let frame: Frame
    let posts: PostService
    let cards: PostCards
    /// The columns that other features show beside Home on wide screens.
    let beside: @Sendable () -> Node
    /// The cards that other features show above the posts of Home.
    let above: Registry<HomeCard>

    private var components: PostComponents { PostComponents(frame: frame) }
    private static let homePage = 10
    private static let gridPage = 30

    func add(to router: Router<AppContext>) {
        router.get("home", use: home)
        router.get("saved", use: saved)
        router.get("posts/:id", use: post)
        router.get("posts/:id/likes", use: likes)
        router.post("posts/:id/like") { try await mark($0, $1, .like, true) }
        router.post("posts/:id/unlike") { try await mark($0, $1, .like, false) }
        router.post("posts/:id/save") { try await mark($0, $1, .save, true) }
        router.post("posts/:id/unsave") { try await mark($0, $1, .save, false) }
    }

    // MARK: Home

    /// The lists of Home.
    private enum List: String, CaseIterable {
        case following, everyone

        var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
        var path: String { self == .following ? AppPaths.home : "/home?show=everyone" }

        /// The name of the timeline in the JSON interface.
        var timeline: String { self == .following ? "home" : "public" }
        /// Where the viewer's filters have to count to fold or hide a post of the list.
        var context: PostFilter.Context { self == .following ? .home : .everyone }
    }

    private func home(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = Input.query(request)
        let list = List(rawValue: input.text("show")) ?? .following
        let page = PageRequest(limit: Self.homePage, olderThan: try PageRequest(input).olderThan)
        let found =
            switch list {
            case .following: try await posts.home(for: viewer, page: page)
            case .everyone: try await posts.publicPosts(for: viewer, page: page)
            }
        let next =
            found.count == page.limit
            ? found.last.map { "/home?show=\(list.rawValue)&max_id=\($0.id)" } : nil
        if request.wantsFragment {
            return .html(
                Node.list(
                    items(found, viewer, list.context, firstInSight: false) + [frame.more(next)]),
                for: request)
        }
        let styles: [Page.Style] = [.posts, .snaps]
        return Page(title: "Home", styles: styles, tab: .home, bodyClass: "home")
            .response(frame, request, context) {
                header(.class("bar home-bar")) {
                    button(
                        .class("symbol"), .type("button"), .attribute("popovertarget", "menu"), .label("Menu")
                    ) {
                        frame.icon("list")
                    }
                    h1 {
                        frame.logo
                        span { "Home" }
                    }
                    nav(.class("actions"), .label("Home")) {
                        frame.symbolLink("New post", "plus-square", href: PostPaths.compose)
                        a(.class("symbol"), .href(AppPaths.notifications), .label("Notifications")) {
                            frame.icon("heart")
                            span(.class("dot"), .attribute("data-badge", "notifications"), .hidden())
                        }
                        frame.symbolLink("Messages", "chat", href: AppPaths.messages)
                    }
                }
                main(.id("content")) {
                    for card in above.all { card.draw(frame) }
                    lists(current: list)
                    element(
                        "new-posts", .hidden(), .attribute("data-timeline", list.timeline),
                        .attribute("data-since", found.first?.id.description ?? "0")
                    ) {
                        a(.class("pill"), .href(list.path)) {
                            frame.icon("arrow-up")
                            span(.flag("data-count")) { "New posts" }
                        }
                    }
                    frame.waiting("post")
                    if found.isEmpty {
                        empty(list)
                    } else {
                        frame.endlessList("posts", next: next) {
                            items(found, viewer, list.context, firstInSight: true)
                        }
                    }
                }
                beside()
            }
    }

    private func lists(current: List) -> Node {
        nav(.label("Posts of")) {
            ul(.class("chips")) {
                for list in List.allCases {
                    li { a(.class("chip"), .href(list.path), .current(list == current)) { list.title } }
                }
            }
        }
    }

    private func empty(_ list: List) -> Node {
        switch list {
        case .following:
            frame.empty(
                "people", "Home shows the photos of people you follow, and yours.",
                action: ("Find people", AppPaths.users))
        case .everyone:
            frame.empty(
                "images", "Nobody has posted for everyone on this server yet.",
                action: ("New post", PostPaths.compose))
        }
    }

    private func items(
        _ posts: [Post], _ viewer: Account, _ context: PostFilter.Context, firstInSight: Bool
    ) -> [Node] {
        posts.unhidden(in: context).enumerated().map { index, post in
            li { cards.card(post, isFirst: firstInSight && index == 0, viewer.covering, in: context) }
        }
    }

    // MARK: One post

    private func post(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let shown = try await posts.shown(context.id("id"), to: viewer)
        let post = shown.post
        if let root = post.root { return .see(CommentPages.path(of: post.id, under: root)) }
        return Page(title: "Post by \(post.author.username)", styles: [.posts], tab: .home)
            .response(frame, request, context) {
                frame.bar("Post", back: ("Home", AppPaths.home))
                // After a mute, cards of open lists request this page, and are removed when it answers 404.
                main(.id("content"), .class("single"), .flag("data-muted", shown.relationship.mute != nil)) {
                    FilterFold(frame: frame).fold(
                        post, in: .thread, components.card(post, isFirst: true, viewer.covering, on: .own))
                }
            }
    }

    private func likes(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let id = try context.id("id", of: Post.self)
        let page = try PageRequest(Input.query(request))
        let rows = try await posts.likers(of: id, for: viewer, page: page)
        let next = rows.count == page.limit ? rows.last.map { "/posts/\(id)/likes?max_id=\($0.0)" } : nil
        let people = PeopleComponents(frame: frame)
        let nodes = rows.map { people.personRow($0.1, viewer: viewer.id) }
        if request.wantsFragment { return .html(Node.list(nodes + [frame.more(next)]), for: request) }
        return Page(title: "Likes", styles: [.posts, .accounts], tab: .home).response(frame, request, context)
        {
            frame.bar("Likes", back: ("Post", PostPaths.page(id)))
            main(.id("content")) {
                if nodes.isEmpty {
                    frame.empty("heart", "No likes yet.")
                } else {
                    frame.endlessList("rows people", next: next) { nodes }
                }
            }
        }
    }

    private func saved(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let page = PageRequest(
            limit: Self.gridPage, olderThan: try PageRequest(Input.query(request)).olderThan)
        let rows = try await posts.marked(.save, by: viewer, page: page)
        let next = rows.count == page.limit ? rows.last.map { "/saved?max_id=\($0.0)" } : nil
        let grid = PostGrid(frame: frame, viewer.covering)
        if request.wantsFragment { return .html(grid.rows(rows.map(\.1), next: next), for: request) }
        return Page(title: "Saved", styles: [.posts], link: .saved, bodyClass: "roomy").response(
            frame, request, context
        ) {
            frame.menuBar("Saved")
            main(.id("content")) {
                if rows.isEmpty {
                    frame.empty(
                        "bookmark", "Tap the bookmark below a post to find it here again.",
                        action: ("Go to Home", AppPaths.home))
                } else {
                    grid.list(rows.map(\.1), next: next)
                }
            }
        }
    }

    /// Marks a post or removes the mark, and goes back to the post, for browsers without scripts.
    private func mark(_ request: Request, _ context: AppContext, _ mark: PostMark, _ isOn: Bool) async throws
        -> Response
    {
        let post = try await posts.set(mark, isOn, on: context.id("id"), by: context.viewer)
        return .see(LocalPath(referrerOf: request)?.text ?? PostPaths.page(post.id))
    }
}
