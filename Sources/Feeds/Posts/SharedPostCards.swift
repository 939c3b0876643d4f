import Core
import HTML
import Hummingbird
import People
import Storage

/// The cards of posts in chats: picture, author and first words.
struct SharedPostCards: Sendable {
    let frame: Frame
    let posts: PostService

    private static let captionLength = 140

    /// Reads some posts inside a transaction, and returns the inside of a card for each, whether the viewer may see the
    /// post or not.
    func read(
        _ ids: [String], for viewer: Account, _ transaction: Transaction
    ) throws -> [String: Drawing] {
        let wanted = Set(ids.compactMap { Post.ID($0) })
        let found = try posts.posts(Array(wanted), for: viewer, transaction)
        let visible = Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0) })
        return Dictionary(
            uniqueKeysWithValues: wanted.map { id in
                let post = visible[id]
                return ("\(id)", { post.map { card($0, viewer.covering) } ?? Self.missing })
            })
    }

    func add(to router: Router<AppContext>) {
        // A script fills the card of a message that has just arrived.
        router.get("posts/:id/card") { request, context in
            let viewer = try context.viewer
            return Response.html(
                card(try await posts.post(context.id("id"), for: viewer), viewer.covering), for: request)
        }
    }

    private func card(_ post: Post, _ covering: Covering) -> Node {
        let isCovered = post.isCovered(covering)
        return a(.href(PostPaths.page(post.id))) {
            span(.class("author")) {
                frame.portrait(post.author, pixels: 24)
                b { post.author.username }
            }
            if isCovered {
                PostCover(frame: frame).small("Covered picture")
            } else if let photo = post.photos.first {
                picture(photo)
            }
            let words = isCovered ? post.cover ?? post.caption : post.caption
            if !words.isEmpty { span(.class("words")) { String(words.prefix(Self.captionLength)) } }
        }
    }

    private func picture(_ photo: Photo) -> Node {
        let pixels = photo.pixels(.medium)
        return img(
            .src(Photo.path(photo.id, .medium)), .width(pixels.width), .height(pixels.height),
            .alt(photo.description.isEmpty ? "Post" : photo.description),
            .attribute("data-blurhash", photo.blurhash),
            PhotoComponents.cut(photo))
    }

    /// The note in place of a post that was deleted or that the viewer may not see. The note is the same for both, so
    /// that nobody learns which.
    private static var missing: Node { p { "This post is no longer available." } }
}
