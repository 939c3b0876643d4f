import Core
import HTML
import HTTPTypes
import Hummingbird
import Imaging
import People
import Serving

/// The pages behind guest links: the pictures of one post, or one photo, for anyone who has the link.
struct GuestLinkPages {
    let frame: Frame
    let links: GuestLinkService
    let files: PhotoFiles

    func add(to router: Router<AppContext>) {
        router.get("guest/:token", use: show)
        router.get("guest/:token/:photo/:size", use: picture)
    }

    private func token(_ context: AppContext) throws -> String {
        guard let token = context.parameters.get("token") else { throw Refusal.notFound }
        return token
    }

    private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        let token = try token(context)
        let sight = try await links.sight(token: token)
        let (owner, name) = (sight.owner, sight.owner.displayName)
        var response = Page(title: "A \(sight.noun) by \(name)", styles: [.posts], bodyClass: "bare")
            .response(frame, request, context) {
                main(.id("content"), .class("single")) {
                    article(.class("post")) {
                        header(.class("post-author")) {
                            a(.href(AppPaths.profile(owner.username))) {
                                frame.portrait(owner, pixels: 30)
                                b { owner.username }
                            }
                        }
                        photos(sight, token)
                        div(.class("information")) {
                            if !sight.caption.isEmpty {
                                p(.class("caption")) {
                                    b { owner.username }
                                    " "
                                    Caption.isolated(sight.caption)
                                }
                            }
                            p(.class("when")) { frame.time(sight.date) }
                            p(.class("when")) {
                                "\(name) shares this \(sight.noun) with you, with a link that works until "
                                frame.date(sight.until)
                                "."
                            }
                        }
                    }
                }
            }
        // The address must not be passed on in a referrer, and search engines must not keep the page.
        response.headers[.referrerPolicy] = "no-referrer"
        if let robots = HTTPField.Name("X-Robots-Tag") { response.headers[robots] = "noindex" }
        return response
    }

    private func photos(_ sight: GuestLinkService.Sight, _ token: String) -> Node {
        let photos = ul(.class("guest-photos")) {
            for photo in sight.photos { li { picture(photo, token) } }
        }
        return sight.warning.map { PostCover(frame: frame).pictures($0, photos) } ?? photos
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
