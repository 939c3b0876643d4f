import Core
import HTTPTypes
import Hummingbird
import People
import Storage

/// JSON routes of view-once pictures, which work like those of snaps.
struct OncePictureAPI {
    let pictures: OncePictureService
    let blobs: any BlobStore
    let publicURL: String

    func add(to router: Router<AppContext>) {
        router.post("api/v1/chats/:id/messages/:message/open", use: open)
        router.post("api/v1/chats/:id/messages/:message/shown") { _, context in
            let session = try context.ownSession
            try await pictures.show(
                context.id("message"), in: context.id("id"), by: session.account, session: session.id)
            return Response.nothing
        }
        router.post("api/v1/chats/:id/messages/:message/close") { _, context in
            let session = try context.ownSession
            try await pictures.close(
                context.id("message"), in: context.id("id"), by: session.account, session: session.id)
            return Response.nothing
        }
        router.get("api/v1/once_views/:view", use: picture)
    }

    private func open(_ request: Request, _ context: AppContext) async throws -> Response {
        let session = try context.ownSession
        let look = try await pictures.open(
            context.id("message"), in: context.id("id"), by: session.account, session: session.id)
        return .look(
            look.secret, at: "\(publicURL)/api/v1/once_views/\(look.secret)", until: look.deadline,
            description: look.description, for: request)
    }

    private func picture(_ request: Request, _ context: AppContext) async throws -> Response {
        let session = try context.ownSession
        let format = PhotoFiles.format(request)
        let key = try await pictures.file(
            ofLook: context.parameters.get("view") ?? "", format, by: session.account, session: session.id)
        return try await PhotoFiles.once(key, format, request, context, from: blobs)
    }
}
