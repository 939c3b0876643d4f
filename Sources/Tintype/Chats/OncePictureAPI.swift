import HTTPTypes
import Hummingbird
import Imaging
import NIOCore
import Storage

/// JSON routes of view-once pictures: one look, as with snaps.
struct OncePictureAPI {
    let pictures: OncePictureService
    let blobs: BlobFolder
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
        var response = Response.json(for: request) { json in
            json.object { json in
                json.object("view") { json in
                    json.member("id", look.secret)
                    json.member("url", "\(publicURL)/api/v1/once_views/\(look.secret)")
                    json.member("expires_at", look.deadline)
                    json.member("description", look.description.isEmpty ? nil : look.description)
                }
            }
        }
        response.headers[.cacheControl] = "no-store"
        return response
    }

    /// The bytes, whole or from where a broken connection left off (RFC 9110, 14). They are kept nowhere on the way.
    private func picture(_ request: Request, _ context: AppContext) async throws -> Response {
        let session = try context.ownSession
        let format: RenditionFormat = request.headers[.accept]?.contains("image/webp") == true ? .webp : .jpeg
        let key = try await pictures.file(
            ofLook: context.parameters.get("view") ?? "", format, by: session.account, session: session.id)
        guard let length = try await blobs.byteCount(of: key) else { throw Refusal.notFound }
        var headers: HTTPFields = [
            .contentType: format.contentType, .cacheControl: "no-store", .acceptRanges: "bytes",
        ]
        var range = 0..<length
        if let wanted = request.headers[.range] {
            guard let part = PhotoFiles.range(wanted, length: length) else {
                headers[.contentRange] = "bytes */\(length)"
                return Response(status: .rangeNotSatisfiable, headers: headers)
            }
            headers[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound)/\(length)"
            range = Range(part)
        }
        let bytes = try await blobs.read(key, range)
        return Response(
            status: headers[.contentRange] == nil ? .ok : .partialContent, headers: headers,
            body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
