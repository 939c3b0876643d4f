import Core
import Hummingbird
import People
import Serving

/// JSON routes of chats and the private feed.
struct ChatAPI {
    let chats: ChatService
    let messages: MessageService
    let entities: ChatEntities

    func add(to router: Router<AppContext>) {
        router.get("api/v1/chats", use: list)
        router.post("api/v1/chats", use: open)
        router.get("api/v1/chats/:id") { request, context in
            try await chat(request, context, chats.chat(context.id("id"), for: context.viewer))
        }
        router.delete("api/v1/chats/:id") { request, context -> Response in
            try await chats.clear(context.id("id"), by: context.viewer)
            return .json(for: request) { $0.object { _ in } }
        }
        router.patch("api/v1/chats/:id", use: change)
        router.post("api/v1/chats/:id/members") { request, context in
            let viewer = try context.viewer
            let people: [Account.ID] = try await Input.read(request, context).ids(
                "account_ids", of: "an account")
            return try await chat(request, context, chats.add(people, to: context.id("id"), by: viewer))
        }
        router.delete("api/v1/chats/:id/members/:account") { request, context -> Response in
            try await chats.remove(context.id("account"), from: context.id("id"), by: context.viewer)
            return .json(for: request) { $0.object { _ in } }
        }
        router.post("api/v1/chats/:id/accept") { request, context in
            try await chat(request, context, chats.accept(context.id("id"), by: context.viewer))
        }
        router.post("api/v1/chats/:id/mute") { request, context in
            let (viewer, id) = (try context.viewer, try context.id("id", of: Chat.self))
            let input = try await Input.read(request, context)
            // Anyone else's chat is refused before the values are checked.
            _ = try await chats.chat(id, for: viewer)
            return try await chat(
                request, context, chats.mute(id, for: Mute.duration(input), by: viewer))
        }
        router.delete("api/v1/chats/:id/mute") { request, context in
            try await chat(request, context, chats.unmute(context.id("id"), by: context.viewer))
        }
        router.get("api/v1/chats/:id/messages", use: history)
        router.post("api/v1/chats/:id/messages", use: send)
        router.get("api/v1/chats/:id/messages/:message") { request, context in
            try await message(
                request, context,
                messages.message(context.id("message"), in: context.id("id"), for: context.viewer))
        }
        router.delete("api/v1/chats/:id/messages/:message") { request, context -> Response in
            try await messages.delete(context.id("message"), in: context.id("id"), by: context.viewer)
            return .json(for: request) { $0.object { _ in } }
        }
        router.post("api/v1/chats/:id/messages/:message/save", use: save)
        router.put("api/v1/chats/:id/messages/:message/reaction") { request, context in
            _ = try context.viewer
            return try await react(
                try await Input.read(request, context).text("emoji"), request, context)
        }
        router.delete("api/v1/chats/:id/messages/:message/reaction") { request, context in
            try await react(nil, request, context)
        }
        router.post("api/v1/chats/:id/read") { request, context -> Response in
            let viewer = try context.viewer
            let id = try await mark(request, context, "last_read_id")
            try await chats.markRead(context.id("id"), through: id, by: viewer)
            return .json(for: request) { $0.object { _ in } }
        }
        router.post("api/v1/chats/:id/delivered") { request, context -> Response in
            let viewer = try context.viewer
            let id = try await mark(request, context, "last_delivered_id")
            try await chats.markDelivered(context.id("id"), through: id, by: viewer)
            return .json(for: request) { $0.object { _ in } }
        }
        router.post("api/v1/chats/:id/typing") { request, context -> Response in
            try await chats.type(in: context.id("id"), by: context.viewer)
            return .json(for: request) { $0.object { _ in } }
        }
        router.get("api/v1/messages/search", use: search)
        router.get("api/v1/timelines/between", use: between)
    }

    private func chat(_ request: Request, _ context: AppContext, _ chat: Chat) -> Response {
        let shown = chat.shown(to: context)
        return .json(for: request, capacity: 2048) { entities.chat(shown, viewer: context.reader, into: &$0) }
    }

    private func message(
        _ request: Request, _ context: AppContext, _ message: Message, status: HTTPResponse.Status = .ok
    ) -> Response {
        let shown = context.allows(.read(.chats)) ? message : message.withoutQuote
        return .json(status: status, for: request) {
            entities.message(shown, viewer: context.reader, into: &$0)
        }
    }

    private func list(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = Input.query(request)
        let page = try PageRequest(input)
        let found = try await chats.chats(
            of: viewer, requests: input.bool("requests") ?? false, query: input.text("q"), page: page,
            members: .all)
        return .list(
            found, ids: found.compactMap { $0.lastMessage?.id.rawValue }, page, request, entities.entities
        ) {
            entities.chat($1, viewer: context.reader, into: &$0)
        }
    }

    private func open(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = try await Input.read(request, context)
        if !input.list("account_ids").isEmpty {
            let group = try await chats.makeGroup(
                try input.ids("account_ids", of: "an account"), title: input.text("title"), by: viewer,
                key: IdempotencyKey.read(request, scope: "group"))
            return chat(request, context, group)
        }
        guard let peer = input.id("account_id", of: Account.self) else {
            throw Refusal.invalid("account_id", "ERR_BLANK", "Say whom you want to write to.")
        }
        return try await chat(request, context, chats.open(with: peer, by: viewer))
    }

    /// Names a group, or chooses its picture.
    private func change(_ request: Request, _ context: AppContext) async throws -> Response {
        let (viewer, id) = (try context.viewer, try context.id("id", of: Chat.self))
        let input = try await Input.read(request, context)
        if let title = input.string("title") { _ = try await chats.rename(id, to: title, by: viewer) }
        if let picture = input.string("picture_media_id") {
            let photo: Photo.ID? =
                picture.isEmpty ? nil : try Input.id(picture, in: "picture_media_id", of: "a photo")
            _ = try await chats.setPicture(photo, of: id, by: viewer)
        }
        return try await chat(request, context, chats.chat(id, for: viewer))
    }

    private func history(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let page = try PageRequest(Input.query(request))
        let found = try await messages.messages(of: context.id("id"), for: viewer, page: page)
        return .list(found, ids: found.map(\.id.rawValue), page, request, entities.entities) {
            json, message in
            entities.message(message, viewer: context.reader, into: &json)
        }
    }

    private func search(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = Input.query(request)
        let page = try PageRequest(input)
        let found = try await messages.search(
            MessageQuery(input.text("q"), in: input.filledID("chat_id", of: "a chat")), for: viewer,
            page: page)
        let shown = found.messages
        var response = Response.json(for: request, capacity: 2048 * max(1, shown.count)) { json in
            json.array(shown) { entities.message($1, viewer: context.reader, into: &$0) }
        }
        response.headers[.link] = page.link(
            request, publicURL: entities.entities.publicURL, first: shown.first?.id.rawValue ?? found.next,
            last: found.next ?? shown.last?.id.rawValue, isFull: found.next != nil)
        return response
    }

    private func send(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let key = try MessageKey.read(request)
        let input = try await Input.read(request, context)
        var draft = MessageService.Draft(
            text: input.text("text"), picture: Self.picture(input), reply: input.id("reply_to_id"))
        draft.snap = input.id("snap_id")
        if let post = input.filled("status_id") {
            guard let id = Int64(post), id > 0 else {
                throw Refusal.invalid("status_id", "ERR_INVALID", "“\(post)” is not the id of a post.")
            }
            draft.text = SharedKind.post.text(draft.text, sharing: id, at: entities.entities.publicURL)
        }
        let sent = try await messages.send(draft, to: context.id("id"), by: viewer, key: key)
        return message(request, context, sent, status: .created)
    }

    private static func picture(_ input: Input) -> MessageService.Draft.Picture {
        let photo = input.id("photo_id", of: Photo.self)
        if input.bool("view_once") == true {
            if let media = input.id("media_id", of: SingleUseMedia.self) { return .once(media) }
            return photo.map { .onceCopy(of: $0) } ?? .none
        }
        // An upload becomes a library photo under the same id.
        return (photo ?? input.id("media_id")).map { .photo($0) } ?? .none
    }

    private func react(_ emoji: String?, _ request: Request, _ context: AppContext) async throws -> Response {
        var reacted = try await messages.react(
            emoji, to: context.id("message"), in: context.id("id"), by: context.viewer)
        // An app that may only write can refer to a message that it has never read.
        if !context.allows(.read(.chats)) { (reacted.text, reacted.photo) = ("", nil) }
        return message(request, context, reacted)
    }

    private func save(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let photo = try await messages.save(context.id("message"), in: context.id("id"), by: viewer)
        return .json(for: request) {
            entities.entities.media(photo, viewer: context.reader, isOwner: true, into: &$0)
        }
    }

    private func mark(_ request: Request, _ context: AppContext, _ name: String) async throws
        -> Message.ID
    {
        guard let id = try await Input.read(request, context).id(name, of: Message.self) else {
            throw Refusal.invalid(name, "ERR_BLANK", "Say up to which message.")
        }
        return id
    }

    private func between(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let page = try PageRequest(Input.query(request))
        let found = try await messages.exchanges(of: viewer, page: page)
        return .list(found, ids: found.map(\.id), page, request, entities.entities) {
            entities.exchange($1, viewer: context.reader, into: &$0)
        }
    }
}

extension Chat {
    /// Returns the chat for the answer to a call. An app that may only write doesn't receive the last message.
    func shown(to context: AppContext) -> Chat {
        guard !context.allows(.read(.chats)) else { return self }
        var chat = self
        chat.lastMessage = nil
        return chat
    }
}

/// The key that a sender gives a message. Keys of messages don't expire.
enum MessageKey {
    /// Returns the header `Idempotency-Key`; nil when there is none.
    ///
    /// - Throws: ``Refusal`` (422) for a key of more than 200 characters.
    static func read(_ request: Request) throws -> String? {
        guard let key = request.headers[.idempotencyKey], !key.isEmpty else { return nil }
        guard key.utf8.count <= 200 else {
            throw Refusal.invalid(
                "Idempotency-Key", "ERR_TOO_LONG", "An Idempotency-Key has at most 200 characters.")
        }
        return key
    }
}
