import HTTPTypes
import Hummingbird

/// Mastodon's conversations (CLIENTS.md, 37 and 38), which here are chats of two.
struct ConversationAPI {
    let chats: ChatService
    let entities: ChatEntities

    func add(to router: Router<AppContext>) {
        router.get("api/v1/conversations", use: list)
        router.post("api/v1/conversations/:id/read") { request, context in
            let viewer = try context.viewer
            let chat = try await chats.chat(context.id("id"), for: viewer)
            if let last = chat.lastMessage { try await chats.markRead(chat.id, through: last.id, by: viewer) }
            let read = try await chats.chat(chat.id, for: viewer)
            return Response.json(for: request) { conversation(read, viewer, into: &$0) }
        }
        router.delete("api/v1/conversations/:id") { request, context in
            try await chats.clear(context.id("id"), by: context.viewer)
            return Response.json(for: request) { $0.object { _ in } }
        }
    }

    private func list(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let page = try PageRequest(Input.query(request))
        let found = try await chats.chats(of: viewer, requests: false, page: page)
        return .list(
            found, ids: found.compactMap { $0.lastMessage?.id.rawValue }, page, request, entities.entities
        ) {
            conversation($1, viewer, into: &$0)
        }
    }

    private func conversation(_ chat: Chat, _ viewer: Account, into json: inout JSONWriter) {
        json.object { json in
            json.member("id", chat.id)
            json.member("unread", chat.unreadCount > 0)
            json.array("accounts", [chat.peer]) { entities.entities.account($1, into: &$0) }
            json.key("last_status")
            if let last = chat.lastMessage {
                status(last, by: last.sender == viewer.id ? viewer : chat.peer, viewer, into: &json)
            } else {
                json.null()
            }
        }
    }

    /// A message as a status that only the two see.
    private func status(
        _ message: Message, by author: Account, _ viewer: Account, into json: inout JSONWriter
    ) {
        json.object { json in
            let url = "\(entities.entities.publicURL)/messages/\(message.chat)"
            json.member("id", message.id)
            json.member("created_at", message.id.createdAt)
            var quoted: Account.ID?
            if case .quoting(let quote) = message.reply { quoted = quote.sender }
            json.member("in_reply_to_id", message.reply?.id.description)
            json.member("in_reply_to_account_id", quoted?.description)
            json.member("sensitive", false)
            json.member("spoiler_text", "")
            json.member("visibility", "direct")
            json.null("language")
            json.member("uri", url)
            json.member("url", url)
            for name: StaticString in ["replies_count", "reply_count", "reblogs_count", "favourites_count"] {
                json.member(name, 0)
            }
            for name: StaticString in ["favourited", "reblogged", "bookmarked", "muted", "pinned"] {
                json.member(name, false)
            }
            json.member("content", entities.entities.html(message.text, .all))
            json.key("account")
            entities.entities.account(author, into: &json)
            json.array("media_attachments", message.photo.map { [$0] } ?? []) {
                entities.entities.media($1, viewer: viewer.id, into: &$0)
            }
            for name: StaticString in ["reblog", "application", "card", "poll", "edited_at", "liked_by"] {
                json.null(name)
            }
            for name: StaticString in ["mentions", "tags", "emojis", "filtered"] { json.emptyArray(name) }
            json.member("pf_type", "photo")
        }
    }
}
