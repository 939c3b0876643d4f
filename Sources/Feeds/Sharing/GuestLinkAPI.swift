import Core
import Hummingbird
import Serving

/// JSON routes of guest links, for posts and for photos of the library.
struct GuestLinkAPI {
    let links: GuestLinkService
    let publicURL: String

    func add(to router: Router<AppContext>) {
        add("api/v1/statuses/:id/guest_link", to: router) { .post(try $0.id("id")) }
        add("api/v1/photos/:id/guest_link", to: router) { .photo(try $0.id("id")) }
    }

    private func add(
        _ path: RouterPath, to router: Router<AppContext>,
        of subject: @escaping @Sendable (AppContext) throws -> GuestLink.Subject
    ) {
        router.post(path) { request, context in
            let link = try await links.make(for: subject(context), by: context.viewer)
            return Response.json(for: request) { json in
                json.object { json in
                    json.member("url", publicURL + link.path)
                    json.member("expires_at", link.expiresAt)
                }
            }
        }
        router.delete(path) { request, context in
            try await links.revoke(of: subject(context), by: context.viewer)
            return Response.json(for: request) { $0.object { _ in } }
        }
    }
}
