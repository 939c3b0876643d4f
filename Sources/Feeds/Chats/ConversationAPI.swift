import Core
import HTTPTypes
import Hummingbird
import Serving

/// JSON routes of Mastodon's conversations, which are chats here
/// (Documentation/Interface.md, "Conversations, as Mastodon has them").
struct ConversationAPI {
    let chats: ChatService
    let entities: ChatEntities

    func add(to router: Router<AppContext>) {
        router.get("api/v1/conversations", use: list)
        router.post("api/v1/conversations/:id/read") { request, context in
            let viewer = try context.viewer
            let chat = try await chats.chat(context.id("id"), for: viewer)
            if let last = chat.lastMessage { try await chats.markRead(chat.id, through: last.id, by: viewer) }
            let read = try await chats.chat(chat.id, for: viewer).shown(to: context)
            return Response.json(for: request) {
                entities.conversation(read, viewer, reader: context.reader, into: &$0)
            }
        }
        router.delete("api/v1/conversations/:id") { request, context in
            try await chats.clear(context.id("id"), by: context.viewer)
            return Response.json(for: request) { $0.object { _ in } }
        }
    }

    private func list(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let page = try PageRequest(Input.query(request))
        let found = try await chats.chats(of: viewer, requests: false, page: page, members: .all)
        return .list(
            found, ids: found.compactMap { $0.lastMessage?.id.rawValue }, page, request, entities.entities
        ) {
            entities.conversation($1, viewer, reader: context.reader, into: &$0)
        }
    }
}
