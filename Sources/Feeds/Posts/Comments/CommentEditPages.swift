import Core
import HTML
import Hummingbird
import Serving

/// The page on which the author of a comment changes it. `PostOptionsPages` saves what it sends.
struct CommentEditPages {
    let frame: Frame
    let posts: PostService

    func add(to router: Router<AppContext>) {
        router.get("posts/:id/edit") { request, context in
            let viewer = try context.viewer
            let comment = try await posts.post(context.id("id"), for: viewer)
            guard comment.author.id == viewer.id else { throw Refusal.notFound }
            guard let root = comment.root else { return Response.see(PostOptionsPages.path(comment.id)) }
            return page(request, context, comment, under: root, PostEdit(comment))
        }
    }

    /// Returns the address of the page.
    static func path(_ comment: Post.ID) -> String { "/posts/\(comment)/edit" }

    /// Draws the page.
    ///
    /// - Parameter refusal: why an earlier try was refused.
    func page(
        _ request: Request, _ context: AppContext, _ comment: Post, under root: Post.ID, _ edit: PostEdit,
        _ refusal: Refusal? = nil, status: HTTPResponse.Status = .ok
    ) -> Response {
        Page(
            title: "Edit comment", styles: [.composer, .accounts, .controls], tab: .home,
            bodyClass: "grouped"
        ).response(frame, request, context, status: status) {
            frame.bar("Edit comment", back: ("Comments", CommentPages.path(of: comment.id, under: root)))
            main(.id("content"), .class("settings")) {
                form(.class("form"), .method("post"), .action(Self.path(comment.id))) {
                    frame.alert(refusal)
                    edit.words(frame, "Comment", refusal)
                    button(.class("button primary tall")) { "Save changes" }
                }
            }
        }
    }
}
