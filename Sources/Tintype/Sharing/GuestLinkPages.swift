import HTML
import HTTPTypes
import Hummingbird
import Imaging

/// What a guest link shows: one post's pictures, to anyone who has it. And the JSON routes of such links.
struct GuestLinkPages {
    let frame: Frame
    let links: GuestLinkService
    let files: PhotoFiles
    let publicURL: String

    func add(to router: Router<AppContext>) {
        router.get("guest/:token", use: post)
        router.get("guest/:token/:photo/:size", use: picture)
        router.post("api/v1/statuses/:id/guest_link") { request, context in
            let link = try await links.make(for: context.id("id"), by: context.viewer)
            return Response.json(for: request) { json in
                json.object { json in
                    json.member("url", publicURL + link.path)
                    json.member("expires_at", link.expiresAt)
                }
            }
        }
        router.delete("api/v1/statuses/:id/guest_link") { request, context in
            try await links.revoke(of: context.id("id"), by: context.viewer)
            return Response.json(for: request) { $0.object { _ in } }
        }
    }

    private func token(_ context: AppContext) throws -> String {
        guard let token = context.parameters.get("token") else { throw Refusal.notFound }
        return token
    }

    private func post(_ request: Request, _ context: AppContext) async throws -> Response {
        let token = try token(context)
        let post = try await links.post(token: token)
        let name = post.author.displayName
        var response = Page(title: "A post by \(name)", styles: [.posts], bodyClass: "bare")
            .response(frame, request, context) {
                main(.id("content"), .class("single")) {
                    article(.class("post")) {
                        header(.class("post-author")) {
                            a(.href("/@\(post.author.username)")) {
                                frame.portrait(post.author, pixels: 30)
                                b { post.author.username }
                            }
                        }
                        ul(.class("guest-photos")) {
                            for photo in post.photos { li { picture(photo, token) } }
                        }
                        div(.class("information")) {
                            if !post.caption.isEmpty {
                                p(.class("caption")) {
                                    b { post.author.username }
                                    " "
                                    Caption.isolated(post.caption)
                                }
                            }
                            p(.class("when")) { frame.time(post.id.createdAt) }
                            p(.class("when")) {
                                "\(name) shares this post with you, with a link that expires after 7 days."
                            }
                        }
                    }
                }
            }
        // The link must not travel on, nor the page stay in a search engine.
        response.headers[.referrerPolicy] = "no-referrer"
        if let robots = HTTPField.Name("X-Robots-Tag") { response.headers[robots] = "noindex" }
        return response
    }

    private func picture(_ photo: Photo, _ token: String) -> Node {
        let large = photo.pixels(.large)
        return img(
            .src("/guest/\(token)/\(photo.id)/large"), .width(large.width), .height(large.height),
            .alt(photo.description))
    }

    private func picture(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let size = context.parameters.get("size").flatMap(Photo.Size.init) else {
            throw Refusal.notFound
        }
        let format = PhotoFiles.format(request)
        let key = try await links.rendition(
            token: token(context), context.id("photo", of: Photo.self), size, format)
        return try await files.file(
            key, type: format.contentType, request, context, cache: "private, no-cache", vary: "Accept")
    }
}
