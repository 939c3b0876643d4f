import Core
import Hummingbird
import Imaging
import People
import Storage

/// The pages of view-once pictures for browsers without scripts.
struct OncePicturePages {
    let frame: Frame
    let pictures: OncePictureService
    let blobs: any BlobStore

    func add(to router: Router<AppContext>) {
        router.post("messages/:id/:message/open", use: open)
    }

    /// Opens a picture, shows it, and closes it, in one request.
    private func open(_ request: Request, _ context: AppContext) async throws -> Response {
        let login = try context.ownSession
        let chat = try context.id("id", of: Chat.self)
        let message = try context.id("message", of: Message.self)
        let look = try await pictures.open(message, in: chat, by: login.account, session: login.id)
        let key = try await pictures.file(
            ofLook: look.secret, .jpeg, by: login.account, session: login.id)
        let bytes = try await blobs.read(key, 0..<blobs.maximumBytes)
        try await pictures.close(message, in: chat, by: login.account, session: login.id)
        return OnceLookPage(frame: frame).response(
            "Photo", jpeg: bytes, description: look.description, back: ChatPaths.page(chat),
            reply: ChatPaths.reply(to: message, in: chat), request, context)
    }
}
