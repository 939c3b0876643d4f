import Core
import HTML
import Hummingbird
import People
import Serving

/// The page of one photo of a post in full screen, with links to the other photos.
struct PostPhotoPages {
    let frame: Frame
    let posts: PostService

    func add(to router: Router<AppContext>) {
        router.get("posts/:id/photos/:number", use: photo)
    }

    /// Returns the address of a post's photo in full screen.
    ///
    /// - Parameter index: its place in the post, from 0.
    static func path(of index: Int, in post: Post.ID) -> String { "/posts/\(post)/photos/\(index + 1)" }

    private func photo(_ request: Request, _ context: AppContext) async throws -> Response {
        let post = try await posts.post(context.id("id"), for: context.viewer)
        guard let number = context.parameters.get("number").flatMap({ Int($0) }),
            number > 0, post.photos.indices.contains(number - 1)
        else { throw Refusal.notFound }
        let (index, count) = (number - 1, post.photos.count)
        let title = count == 1 ? post.author.username : "\(number) of \(count)"
        return Page(title: "Photo", styles: [.photos], bodyClass: "bare viewer").response(
            frame, request, context
        ) {
            main(.id("content")) {
                element("photo-viewer", .attribute("data-id", post.photos[index].id.description)) {
                    header(.class("viewer-bar")) {
                        a(
                            .class("done"), .href(PostPaths.page(post.id)), .flag("data-back"),
                            .flag("data-close")
                        ) { "Done" }
                        h1 { title }
                    }
                    figure(.class("viewer-photo"), .flag("data-stage")) { picture(index, of: post) }
                    if index > 0 {
                        step("previous", "prev", "Previous photo", "chevron-left", index - 1, of: post.id)
                    }
                    if index + 1 < count {
                        step("next", "next", "Next photo", "chevron-right", index + 1, of: post.id)
                    }
                    footer(.class("viewer-tools")) { p { post.photos[index].description } }
                }
            }
        }
    }

    private func picture(_ index: Int, of post: Post) -> Node {
        let photo = post.photos[index]
        let pixels = photo.pixels(.large)
        return img(
            .src(Photo.path(photo.id, .large)), .width(pixels.width), .height(pixels.height),
            .alt(photo.description.isEmpty ? "Photo from \(post.author.username)" : photo.description),
            .attribute("data-hero", Self.path(of: index, in: post.id)))
    }

    private func step(
        _ side: StaticString, _ rel: StaticString, _ label: String, _ icon: StaticString, _ index: Int,
        of post: Post.ID
    ) -> Node {
        a(
            .classes("viewer-step", "\(side)"), .rel(rel), .href(Self.path(of: index, in: post)),
            .label(label)
        ) { frame.icon(icon) }
    }
}
