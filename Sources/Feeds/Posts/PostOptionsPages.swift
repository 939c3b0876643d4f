import Core
import HTML
import Hummingbird
import People
import Serving

/// The page of what can be done with a post: changed, pinned and deleted by its author, hidden and reported by others.
struct PostOptionsPages {
    let frame: Frame
    let posts: PostService
    let comments: CommentEditPages
    let publicURL: String

    private var screen: SettingsScreen { SettingsScreen(frame: frame) }

    func add(to router: Router<AppContext>) {
        router.get("posts/:id/options", use: options)
        router.post("posts/:id/edit", use: edit)
        router.post("posts/:id/pin") { try await pin($0, $1, true) }
        router.post("posts/:id/unpin") { try await pin($0, $1, false) }
        router.post("posts/:id/hide", use: hide)
        router.post("posts/:id/delete", use: delete)
    }

    /// Returns the address of the page of a post.
    static func path(_ post: Post.ID) -> String { "/posts/\(post)/options" }

    private func options(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let shown = try await posts.shown(context.id("id"), to: viewer)
        let isOwn = shown.post.author.id == viewer.id
        if let root = shown.post.root {
            let id = shown.post.id
            return .see(isOwn ? CommentEditPages.path(id) : CommentPages.path(of: id, under: root))
        }
        return optionsPage(
            request, context, shown.post, viewer.covering, isOwn: isOwn,
            isFollowing: shown.relationship.follows, isFindable: shown.isFindable)
    }

    private func optionsPage(
        _ request: Request, _ context: AppContext, _ post: Post, _ covering: Covering, isOwn: Bool,
        isFollowing: Bool = false, isFindable: Bool? = nil, edited: PostEdit? = nil,
        _ refusal: Refusal? = nil, status: HTTPResponse.Status = .ok
    ) -> Response {
        Page(
            title: "Options", styles: [.posts, .composer, .accounts, .controls], tab: .home,
            bodyClass: "grouped"
        )
        .response(frame, request, context, status: status) {
            frame.bar("Options", back: ("Home", AppPaths.home))
            main(.id("content"), .class("settings")) {
                PostComponents(frame: frame).about(post, covering)
                if isOwn { editForm(post, edited ?? PostEdit(post), refusal) }
                div(.class("group")) {
                    copyLink(post)
                    screen.line("Share", "send", href: PostPaths.share(post.id))
                }
                if let isFindable { PostFindablePages.options(post.id, isFindable) }
                if isOwn { div(.class("group")) { pinning(post) } }
                div(.class("group")) {
                    isOwn ? screen.deletion("Delete post") : othersOptions(post, isFollowing: isFollowing)
                }
                if !isOwn {
                    div(.class("group")) {
                        screen.line(
                            "Report", "flag", href: "/posts/\(post.id)/report", class: "choice danger")
                    }
                }
                if isOwn {
                    frame.question(
                        id: "delete-question", title: "Delete this post?",
                        explanation:
                            "It will be deleted for everyone, with its likes and comments. The photos stay in your library.",
                        action: "/posts/\(post.id)/delete", yes: "Delete post", no: "Keep it")
                }
            }
        }
    }

    private func editForm(_ post: Post, _ edit: PostEdit, _ refusal: Refusal?) -> Node {
        form(.class("form"), .method("post"), .action("/posts/\(post.id)/edit")) {
            frame.alert(refusal)
            edit.words(frame, "Caption", refusal)
            PostAudienceChoice(frame: frame).draw(edit.audience ?? post.visibility, of: post.author)
            button(.class("button primary tall")) { "Save changes" }
        }
    }

    private func copyLink(_ post: Post) -> Node {
        element("copy-link", .attribute("data-url", publicURL + PostPaths.page(post.id))) {
            button(.class("choice"), .type("button")) {
                frame.icon("link-45deg")
                span { "Copy link" }
            }
        }
    }

    private func pinning(_ post: Post) -> Node {
        form(.method("post"), .action("/posts/\(post.id)/\(post.isPinned ? "unpin" : "pin")")) {
            button(.class("choice")) {
                frame.icon(post.isPinned ? "pin-angle-fill" : "pin-angle")
                span { post.isPinned ? "Unpin from your profile" : "Pin to your profile" }
            }
        }
    }

    @NodeBuilder private func othersOptions(_ post: Post, isFollowing: Bool) -> Node {
        form(.method("post"), .action("/posts/\(post.id)/hide")) {
            button(.class("choice")) {
                frame.icon("eye-slash")
                span { "Hide this post" }
            }
        }
        PostFilterPages.line(frame, post.id)
        if isFollowing {
            form(.method("post"), .action(RelationshipPaths.unfollow(post.author.id, next: AppPaths.home))) {
                button(.class("choice")) {
                    frame.icon("person-x")
                    span { "Unfollow \(post.author.username)" }
                }
            }
        }
    }

    // MARK: Forms

    private func edit(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let id = try context.id("id", of: Post.self)
        let input = try await Input.read(request, context)
        let shown = try await posts.shown(id, to: viewer)
        guard shown.post.author.id == viewer.id else { throw Refusal.notFound }
        let edit = PostEdit(input, shown.post)
        do {
            _ = try await posts.edit(id, edit.change, by: viewer)
            let path = shown.post.root.map { CommentPages.path(of: id, under: $0) } ?? PostPaths.page(id)
            return .see(path, flash: .good("Changes saved."))
        } catch {
            return try await ErrorResponses.form(after: error, context) { refusal, status in
                if let root = shown.post.root {
                    return comments.page(
                        request, context, shown.post, under: root, edit, refusal, status: status)
                }
                return optionsPage(
                    request, context, shown.post, viewer.covering, isOwn: true, isFindable: shown.isFindable,
                    edited: edit, refusal, status: status)
            }
        }
    }

    private func pin(_ request: Request, _ context: AppContext, _ isPinned: Bool) async throws -> Response {
        let viewer = try context.viewer
        let id = try context.id("id", of: Post.self)
        do {
            _ = try await posts.setPinned(isPinned, id, by: viewer)
        } catch let refusal as Refusal where refusal.kind == .invalid {
            return .see(Self.path(id), flash: .error(refusal.message))
        }
        return .see(
            AppPaths.profile(viewer.username),
            flash: .good(isPinned ? "Pinned to your profile." : "No longer pinned to your profile."))
    }

    private func hide(_ request: Request, _ context: AppContext) async throws -> Response {
        try await posts.hide(context.id("id"), by: context.viewer)
        return .see(AppPaths.home, flash: .good("You won’t see this post again."))
    }

    private func delete(_ request: Request, _ context: AppContext) async throws -> Response {
        let post = try await posts.delete(context.id("id"), by: context.viewer)
        if let root = post.root { return .see("/posts/\(root)/comments", flash: .good("Comment deleted.")) }
        return .see(AppPaths.home, flash: .good("Post deleted."))
    }
}
