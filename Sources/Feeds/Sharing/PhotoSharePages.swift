import Core
import HTML
import Hummingbird
import People

/// The screen on which people make and revoke the guest link of a photo of their library.
struct PhotoSharePages {
    let frame: Frame
    let links: GuestLinkService
    let publicURL: String

    func add(to router: Router<AppContext>) {
        router.get("library/:id/guest-link", use: show)
        router.post("library/:id/guest-link") { request, context in
            let id = try context.id("id", of: Photo.self)
            _ = try await links.make(for: .photo(id), by: context.viewer)
            return Response.see(Self.path(id), flash: .good("The guest link is ready."))
        }
        router.post("library/:id/guest-link/revoke") { request, context in
            let id = try context.id("id", of: Photo.self)
            try await links.revoke(of: .photo(id), by: context.viewer)
            return Response.see(Self.path(id), flash: .good("The guest link no longer works."))
        }
    }

    static func path(_ id: Photo.ID) -> String { "/library/\(id)/guest-link" }

    private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let (photo, link) = try await links.photo(context.id("id"), by: viewer)
        let pixels = photo.pixels(.medium)
        return Page(title: "Guest link", styles: [.posts, .accounts], tab: .library, bodyClass: "grouped")
            .response(frame, request, context) {
                frame.bar("Guest link", back: ("Photo", PhotoPaths.page(photo.id)))
                main(.id("content"), .class("settings")) {
                    img(
                        .class("guest-preview"), .src(Photo.path(photo.id, .medium)), .width(pixels.width),
                        .height(pixels.height),
                        .alt(photo.description.isEmpty ? "The photo" : photo.description))
                    GuestLinkComponents(frame: frame, publicURL: publicURL)
                        .section(link, to: "photo", path: PhotoPaths.page(photo.id))
                }
            }
    }
}
