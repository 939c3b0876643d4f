import Foundation
import HTML
import Hummingbird
import Storage

/// The pages of one conversation: its messages, its photos, what can be done with a message.
struct ConversationPages {
    let frame: Frame
    let chats: ChatService
    let messages: MessageService
    let accounts: AccountService
    let photos: PhotoService
    let singleUse: SingleUseMediaService
    let blobs: BlobFolder
    let sharedPosts: SharedPosts

    private static let threadPage = 30
    /// The most pictures that one form sends, each as a message.
    private static let mostPictures = 20

    func add(to router: Router<AppContext>) {
        router.get("messages/:id", use: conversation)
        router.post("messages/:id", use: send)
        router.get("messages/:id/photos/:message", use: photo)
        router.get("messages/:id/:message/options", use: options)
        router.post("messages/:id/:message/save") { request, context -> Response in
            let (chat, message) = (
                try context.id("id", of: Chat.self), try context.id("message", of: Message.self)
            )
            _ = try await messages.save(message, in: chat, by: context.viewer)
            return .see("/messages/\(chat)/photos/\(message)", flash: .good("Saved"))
        }
        router.post("messages/:id/:message/delete") { request, context -> Response in
            let chat = try context.id("id", of: Chat.self)
            try await messages.delete(context.id("message"), in: chat, by: context.viewer)
            return .see("/messages/\(chat)", flash: .good("Deleted for both."))
        }
    }

    // MARK: The conversation

    private func conversation(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        if let name = context.parameters.get("id"), name.hasPrefix("@") {
            let peer = try await accounts.account(username: String(name.dropFirst()), for: viewer)
            return .see("/messages/\(try await chats.open(with: peer.id, by: viewer).id)")
        }
        return try await conversationPage(request, context, context.id("id"))
    }

    private func conversationPage(
        _ request: Request, _ context: AppContext, _ id: Chat.ID, text: String = "", problem: String? = nil,
        status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let viewer = try context.viewer
        let page = PageRequest(
            limit: Self.threadPage, olderThan: try PageRequest(Input.query(request)).olderThan)
        let found = try await messages.messages(of: id, for: viewer, page: page)
        let chat = try await chats.chat(id, for: viewer)
        let list = try await ChatPages.list(chats, of: viewer, current: id)
        let components = ChatComponents(
            frame: frame, viewer: viewer,
            posts: try await sharedPosts.of(found, for: viewer, at: frame.publicURL))
        let next = found.count == page.limit ? found.last.map { "/messages/\(id)?max_id=\($0.id)" } : nil
        return Page(
            title: chat.peer.displayName,
            styles: [.chats, .conversation, .sharedPost, .photos, .snaps, .controls],
            tab: .friends, link: .messages, bodyClass: "chats pushed"
        ).response(frame, request, context, status: status) {
            components.conversations(list, in: .beside)
            main(.id("content"), .class("conversation")) {
                bar(chat)
                element(
                    "chat-thread", .attribute("data-chat", id.description),
                    .attribute("data-peer", chat.peer.id.description),
                    .attribute("data-name", chat.peer.displayName),
                    .attribute("data-delivered", chat.peerMarks.deliveredThrough.description),
                    .attribute("data-read", chat.peerMarks.readThrough.description),
                    .attribute("data-read-at", chat.peerMarks.readAt.map(Timestamp.iso8601)),
                    .flag("data-request", chat.isRequest), .attribute("tabindex", "0"), .role("log"),
                    .label("Messages with \(chat.peer.displayName)")
                ) {
                    ol(.class("messages"), .flag("data-items")) {
                        if let next {
                            li(.class("day")) { a(.rel("next"), .href(next)) { "Earlier messages" } }
                        }
                        components.thread(found, in: chat)
                    }
                }
                form(.id(ChatComponents.lookForm), .method("post"), .attribute("hidden", "")) {}
                if chat.isRequest { answers(to: chat) } else { composer(chat, text, problem) }
                optionsSheet(chat)
            }
        }
    }

    private func bar(_ chat: Chat) -> Node {
        header(.class("bar chat-bar")) {
            a(.class("back"), .href("/messages"), .flag("data-back"), .label("Messages")) {
                frame.icon("chevron-left")
            }
            h1 {
                a(.class("peer"), .href("/@\(chat.peer.username)")) {
                    frame.portrait(chat.peer, pixels: 34)
                    span {
                        chat.peer.displayName
                        element("small", .flag("data-status")) {}
                    }
                }
            }
            div(.class("actions")) { frame.menuButton }
        }
    }

    private func composer(_ chat: Chat, _ text: String, _ problem: String?) -> Node {
        element("chat-composer", .attribute("data-chat", chat.id.description)) {
            form(.class("chat-composer"), .method("post"), .action("/messages/\(chat.id)"), .multipart) {
                if let problem { p(.class("error choice"), .role("alert")) { problem } }
                input(.attribute("hidden", ""), .name("key"), .value(Session.newToken()))
                ul(.class("tray"), .flag("data-tray")) {}
                label(.class("choice")) {
                    span {
                        "View once"
                        HTML.element("small") { "A screenshot can’t be prevented." }
                    }
                    input(.attribute("type", "checkbox"), .role("switch"), .name("once"), .value("true"))
                }
                PhotoInputs(frame: frame).shot("symbol")
                button(
                    .class("symbol"), .type("button"), .attribute("popovertarget", "photos"), .label("Photos")
                ) { frame.icon("image") }
                textarea(
                    .name("text"), .rows(1), .maxlength(MessageRules.textLength), .label("Message"),
                    .placeholder("Message")
                ) { text }
                button(.class("symbol send"), .label("Send")) { frame.icon("arrow-up") }
                photosSheet(chat)
            }
        }
    }

    /// Files of the device and the library's photos to choose from; the library comes when the sheet is open.
    private func photosSheet(_ chat: Chat) -> Node {
        div(
            .class("sheet photos-sheet"), .id("photos"), .flag("popover"), .role("dialog"),
            .attribute("aria-labelledby", "photos-title")
        ) {
            header {
                button(
                    .class("button plain"), .type("button"), .attribute("popovertarget", "photos"),
                    .attribute("popovertargetaction", "hide")
                ) { "Cancel" }
                h2(.id("photos-title")) { "Photos" }
                button(.class("button primary"), .type("button"), .flag("data-add"), .disabled(true)) {
                    "Add"
                }
            }
            element("endless-list") {
                ul(.class("grid choose"), .flag("data-items")) {
                    li { PhotoInputs(frame: frame).files }
                }
                a(.rel("next"), .class("more"), .href("/messages/\(chat.id)/library")) { "From your library" }
            }
        }
    }

    private func answers(to chat: Chat) -> Node {
        footer(.class("requests")) {
            div(.class("row wraps")) {
                span(.class("text")) {
                    b { "\(chat.peer.displayName) wants to write to you" }
                    span { "They can’t see whether you have read it until you accept." }
                }
                ChatPages.answers(to: chat.id)
            }
        }
    }

    /// A dialog and no popover: lifting the finger that held a message would close that again.
    private func optionsSheet(_ chat: Chat) -> Node {
        dialog(.class("sheet"), .id("message-options"), .label("Message")) {
            button(.class("button"), .type("button"), .flag("data-copy")) { "Copy" }
            button(.class("button"), .type("button"), .flag("data-save")) { "Save to library" }
            a(.class("button"), .href("/messages/\(chat.id)"), .flag("data-report")) { "Report" }
            button(.class("button danger"), .type("button"), .flag("data-delete")) { "Delete for both" }
            button(.class("button plain"), .type("button")) { "Cancel" }
        }
    }

    // MARK: Sending without scripts

    private func send(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let id = try context.id("id", of: Chat.self)
        _ = try await chats.chat(id, for: viewer)
        let input = await Input.readForm(
            request, context, files: .init(blobs: blobs, most: Self.mostPictures))
        let key = String(input.text("key").prefix(150))
        let isOnce = input.bool("once") == true
        do {
            try input.checkWhole()
            let chosen: [Photo.ID] = input.list("photo").compactMap { Photo.ID($0) }
            guard input.files.count + chosen.count <= Self.mostPictures else {
                throw Refusal.invalid(
                    "photo", "ERR_TOO_MANY", "Send at most \(Self.mostPictures) pictures at once.")
            }
            if !input.text("text").isEmpty { try MessageService.Draft(text: input.text("text")).check() }
            for (index, file) in input.files.enumerated() {
                try await send(file, isOnce: isOnce, to: id, context, key: "\(key) \(index)")
            }
            for photo in chosen {
                try await send(
                    .init(text: "", picture: isOnce ? .onceCopy(of: photo) : .photo(photo)), to: id,
                    by: viewer, key: "\(key) photo \(photo)")
            }
            if !input.text("text").isEmpty || (input.files.isEmpty && chosen.isEmpty) {
                try await send(.init(text: input.text("text")), to: id, by: viewer, key: key)
            }
        } catch {
            await input.discardFiles(in: blobs)
            return try await ErrorResponses.form(after: error, context) { refusal, status in
                try await conversationPage(
                    request, context, id, text: input.text("text"), problem: refusal.message, status: status)
            }
        }
        return .see("/messages/\(id)")
    }

    /// Sends a file as a message of its own. Of a message that is refused no picture is kept.
    private func send(
        _ file: Input.File, isOnce: Bool, to id: Chat.ID, _ context: AppContext, key: String
    ) async throws {
        let viewer = try context.viewer
        if isOnce {
            let media = try await singleUse.upload(
                file.blob, purpose: .viewOnce, by: viewer, key: .form(key, scope: "view_once"))
            do {
                try await send(.init(text: "", picture: .once(media.id)), to: id, by: viewer, key: key)
            } catch {
                await context.attempt("erasing the picture of a refused message") {
                    try await singleUse.takeBack(media.id, by: viewer)
                }
                throw error
            }
        } else {
            let photo = try await photos.upload(
                file.blob, kind: file.kind, by: viewer, key: .form(key, scope: "photo"))
            do {
                try await send(.init(text: "", picture: .photo(photo.id)), to: id, by: viewer, key: key)
            } catch {
                await context.attempt("erasing the photo of a refused message") {
                    try await photos.takeBack([photo.id], by: viewer)
                }
                throw error
            }
        }
    }

    private func send(_ draft: MessageService.Draft, to id: Chat.ID, by viewer: Account, key: String)
        async throws
    {
        _ = try await messages.send(draft, to: id, by: viewer, key: key.isEmpty ? nil : "form \(key)")
    }

    // MARK: One message

    private func photo(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let id = try context.id("id", of: Chat.self)
        let found = try await messages.photoMessage(context.id("message"), in: id, for: viewer)
        guard let photo = found.message.photo else { throw Refusal.notFound }
        let chat = try await chats.chat(id, for: viewer)
        let path = "/messages/\(id)/photos/\(found.message.id)"
        let pixels = photo.pixels(.large)
        return Page(title: "Photo", styles: [.photos], bodyClass: "bare viewer").response(
            frame, request, context
        ) {
            main(.id("content")) {
                element("photo-viewer", .attribute("data-id", found.message.id.description)) {
                    header(.class("viewer-bar")) {
                        a(.class("done"), .href("/messages/\(id)"), .flag("data-back"), .flag("data-close")) {
                            "Done"
                        }
                        h1 { found.message.sender == viewer.id ? "You" : chat.peer.displayName }
                    }
                    figure(.class("viewer-photo"), .flag("data-stage")) {
                        img(
                            .src(Photo.path(photo.id, .large)), .width(pixels.width), .height(pixels.height),
                            .alt(photo.description.isEmpty ? "Photo" : photo.description),
                            .attribute("data-hero", path))
                    }
                    if let older = found.older {
                        step("previous", "prev", "Earlier photo", "chevron-left", id, older)
                    }
                    if let newer = found.newer {
                        step("next", "next", "Later photo", "chevron-right", id, newer)
                    }
                    footer(.class("viewer-tools")) {
                        p { photo.description }
                        if photo.owner != viewer.id {
                            save(id, found.message.id, isSaved: found.saved != nil)
                        }
                    }
                }
            }
        }
    }

    private func step(
        _ side: StaticString, _ rel: StaticString, _ label: String, _ icon: StaticString, _ chat: Chat.ID,
        _ id: Message.ID
    ) -> Node {
        a(
            .classes("viewer-step", "\(side)"), .rel(rel), .href("/messages/\(chat)/photos/\(id)"),
            .label(label)
        ) {
            frame.icon(icon)
        }
    }

    private func save(_ chat: Chat.ID, _ id: Message.ID, isSaved: Bool) -> Node {
        form(.method("post"), .action("/messages/\(chat)/\(id)/save")) {
            button(
                .class("symbol"), .label(isSaved ? "Saved to your library" : "Save to library"),
                .disabled(isSaved)
            ) {
                frame.icon(isSaved ? "check-lg" : "download")
            }
        }
    }

    /// Without scripts: what the sheet offers.
    private func options(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let id = try context.id("id", of: Chat.self)
        let message = try await messages.message(context.id("message"), in: id, for: viewer)
        return Page(title: "Message", styles: [.chats, .accounts], tab: .friends, bodyClass: "grouped")
            .response(frame, request, context) {
                frame.bar("Message", back: ("Messages", "/messages/\(id)"))
                main(.id("content"), .class("settings")) {
                    if !message.text.isEmpty { p(.class("note apart")) { message.text } }
                    if message.photo != nil, message.sender != viewer.id {
                        form(.method("post"), .action("/messages/\(id)/\(message.id)/save")) {
                            button(.class("button tall")) { "Save to library" }
                        }
                    }
                    if message.sender == viewer.id {
                        form(.method("post"), .action("/messages/\(id)/\(message.id)/delete")) {
                            button(.class("button danger tall")) { "Delete for both" }
                        }
                    } else {
                        a(.class("button tall"), .href("/messages/\(id)/\(message.id)/report")) { "Report" }
                    }
                }
            }
    }
}
