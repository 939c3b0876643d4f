import Core
import Foundation
import HTML
import Hummingbird
import People
import Serving
import Storage

/// The pages of one chat: its messages, its photos, and the options of a message.
struct ChatThreadPages {
    let frame: Frame
    let chats: ChatService
    let messages: MessageService
    let accounts: AccountService
    let photos: PhotoService
    let singleUse: SingleUseMediaService
    let blobs: any BlobStore
    let offers: ChatOffers

    private static let threadPage = 30
    private static let nothingSent = "Nothing was sent. Choose your files again."

    func add(to router: Router<AppContext>) {
        router.get("messages/:id", use: show)
        router.get("messages/:id/name") { request, context in
            let viewer = try context.viewer
            let chat = try await chats.chat(context.id("id"), for: viewer)
            guard request.wantsFragment else { return Response.see(ChatPaths.page(chat.id)) }
            return .html(.list([name(chat, viewer), blockedNote(chat)]), for: request)
        }
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
            return .see(ChatPaths.page(chat), flash: .good("Deleted."))
        }
        router.post("messages/:id/:message/react") { request, context -> Response in
            let viewer = try context.viewer
            let chat = try context.id("id", of: Chat.self)
            let emoji = try await Input.read(request, context).text("emoji")
            _ = try await messages.react(
                emoji.isEmpty ? nil : emoji, to: context.id("message"), in: chat, by: viewer)
            return .see(ChatPaths.page(chat))
        }
    }

    // MARK: The chat

    private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        if let name = context.parameters.get("id"), name.hasPrefix("@") {
            let peer = try await accounts.account(username: String(name.dropFirst()), for: viewer)
            let chat = try await chats.open(with: peer.id, by: viewer).id
            let query = Input.query(request)
            if let snap = query.id("snap", of: Snap.self) {
                return .see(ChatPaths.answer(snap, in: chat))
            }
            let isCarrying = query.string(ChatPages.carrying) != nil
            return .see(ChatPaths.page(chat) + (isCarrying ? "?\(ChatPages.carrying)" : ""))
        }
        return try await chatPage(request, context, context.id("id"))
    }

    private func chatPage(
        _ request: Request, _ context: AppContext, _ id: Chat.ID, refused: MessageForm? = nil,
        problem: String? = nil, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let viewer = try context.viewer
        let query = Input.query(request)
        let asked = try PageRequest(query)
        let page = PageRequest(
            limit: Self.threadPage, olderThan: asked.olderThan, rightAbove: asked.rightAbove)
        let middle = query.id("message", of: Message.self)
        let model = try await chats.model(
            // Without scripts, a link chooses the message to answer.
            .init(
                chat: id, page: page, around: middle, reply: refused?.reply ?? query.id("reply_to"),
                snap: refused?.snap ?? query.id("snap")),
            for: viewer, offers: offers, snaps: messages.snaps)
        let (chat, found) = (model.chat, model.messages)
        let components = ChatComponents(
            frame: frame, viewer: viewer, shared: offers.shared, cards: model.cards)
        let earlier = model.hasEarlier ? found.last.map { "\(ChatPaths.page(id))?max_id=\($0.id)" } : nil
        let later = model.hasLater ? found.first.map { "\(ChatPaths.page(id))?min_id=\($0.id)" } : nil
        return Page(
            title: chat.title,
            styles: [.chats, .chat, .sharedPost, .cuts, .photos, .snaps, .controls, .push],
            tab: .friends, link: .messages, bodyClass: "chats pushed"
        ).response(frame, request, context, status: status) {
            components.chats(model.list, in: .beside)
            main(.id("content"), .class("one-chat")) {
                bar(chat, viewer)
                div(.class("chat-above"), .flag("data-notes-place")) {
                    for part in model.above { part() }
                    blockedNote(chat)
                }
                element(
                    "chat-thread", .attribute("data-chat", id.description),
                    .attribute("data-peer", chat.peer?.id.description),
                    .attribute("data-reads", Chat.notificationTags(id)),
                    .attribute("data-name", chat.title),
                    .attribute("data-delivered", chat.peerMarks.deliveredThrough.description),
                    .attribute("data-read", chat.peerMarks.readThrough.description),
                    .attribute("data-read-at", chat.peerMarks.readAt.map(Timestamp.iso8601)),
                    .flag("data-request", chat.isRequest), .flag("data-later", later != nil),
                    .attribute("tabindex", "0"), .role("log"),
                    .label("Messages with \(chat.title)")
                ) {
                    ol(.class("messages"), .flag("data-items")) {
                        if let earlier {
                            li(.class("day")) { a(.rel("next"), .href(earlier)) { "Earlier messages" } }
                        }
                        components.thread(found, in: chat, marking: middle)
                        if let later {
                            li(.class("day")) { a(.rel("prev"), .href(later)) { "Later messages" } }
                        }
                    }
                    components.templates(for: chat)
                    AnswerButtons(frame: frame).node
                    if let group = chat.group { people(group) }
                }
                form(.id(ChatComponents.lookForm), .method("post"), .attribute("hidden", "")) {}
                if chat.isRequest {
                    answers(to: chat)
                } else {
                    composer(
                        chat,
                        answering: model.answered.map { MessageAnswer($0, in: chat, for: viewer.id) }
                            ?? model.answeredSnap.map { MessageAnswer(to: $0, in: chat) },
                        refused?.text ?? "", problem)
                }
                optionsSheet(chat)
            }
        }
    }

    /// Draws the link with the name of the other person or of the group. A script keeps that of a group as the group is.
    private func name(_ chat: Chat, _ viewer: Account) -> Node {
        let path = chat.peer.map { AppPaths.profile($0.username) } ?? ChatPaths.group(chat.id)
        let link = a(.class("peer"), .href(path)) {
            ChatComponents.portrait(chat, viewer, pixels: 34, frame)
            span {
                chat.title
                element("small", .flag("data-status")) {}
            }
        }
        return chat.peer == nil
            ? element("chat-name", .attribute("data-chat", chat.id.description)) { link } : link
    }

    /// Names the blocked people of a group, whose messages are folded. The script of its name keeps the note as the group is.
    private func blockedNote(_ chat: Chat) -> Node {
        let names = chat.blocked.map(\.displayName)
        return div(.flag("data-blocked-note"), .role("status")) {
            if !names.isEmpty {
                p(.class("note apart")) {
                    "You blocked \(names.joined(separator: ", ")), who \(names.count == 1 ? "is" : "are") in this group."
                }
            }
        }
    }

    /// Draws what scripts need to know of a group's people: their names and portraits, and how far each has received and read.
    private func people(_ group: Group) -> Node {
        template("people") {
            for member in group.members {
                span(
                    .attribute("data-account", member.account.id.description),
                    .attribute("data-name", member.account.displayName),
                    .attribute("data-joined", Timestamp.iso8601(member.joinedAt)),
                    .attribute("data-delivered", member.marks.deliveredThrough.description),
                    .attribute("data-read", member.marks.readThrough.description),
                    .flag("data-invited", member.isInvited)
                ) { frame.portrait(member.account, pixels: 28) }
            }
        }
    }

    private func bar(_ chat: Chat, _ viewer: Account) -> Node {
        header(.class("bar chat-bar")) {
            a(.class("back"), .href(AppPaths.messages), .flag("data-back"), .label("Messages")) {
                frame.icon("chevron-left")
            }
            h1 { name(chat, viewer) }
            div(.class("actions")) {
                if !chat.isRequest {
                    frame.symbolLink("Search", "search", href: ChatPaths.search(in: chat.id))
                    ChatMutePages.control(chat, frame)
                }
                for action in offers.actions.all
                where action.place == .bar && (chat.peer != nil || !chat.isRequest) {
                    frame.symbolLink(action.name, action.icon, href: action.path(chat.id))
                }
                frame.menuButton
            }
        }
    }

    private func composer(_ chat: Chat, answering: MessageAnswer?, _ text: String, _ problem: String?) -> Node
    {
        element("chat-composer", .attribute("data-chat", chat.id.description)) {
            form(.class("chat-composer"), .method("post"), .action(ChatPaths.page(chat.id)), .multipart) {
                if let problem { p(.class("error choice"), .role("alert")) { problem } }
                input(.attribute("hidden", ""), .name("key"), .value(Session.newToken()))
                div(.class("answering"), .flag("data-answering"), .hidden(answering == nil)) {
                    if let answering { answering.node(frame) }
                }
                template("answer") { MessageAnswer().node(frame) }
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

    /// Draws the sheet with the device's files and the library's photos. The library is loaded when the sheet opens.
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
            for action in offers.actions.all where action.place == .photos {
                a(.class("choice"), .href(action.path(chat.id))) {
                    frame.icon(action.icon)
                    span { action.name }
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
                    if let peer = chat.peer {
                        b { "\(peer.displayName) wants to write to you" }
                    } else {
                        b { "You are invited to this group" }
                    }
                    span { "They can’t see whether you have read it until you accept." }
                }
                ChatPages.answers(to: chat.id)
            }
        }
    }

    /// Draws the options of a message. It is a dialog: a popover would close when the finger that held a message is
    /// lifted.
    private func optionsSheet(_ chat: Chat) -> Node {
        dialog(.class("sheet"), .id("message-options"), .label("Message")) {
            div(.class("emoji-row"), .role("group"), .label("React")) {
                for reaction in AnswerButtons.emoji {
                    button(
                        .type("button"), .attribute("data-react", reaction.emoji), .label(reaction.name),
                        .attribute("aria-pressed", "false")
                    ) { reaction.emoji }
                }
                button(
                    .class("symbol"), .type("button"), .attribute("aria-expanded", "false"),
                    .flag("data-more"), .label("Another emoji")
                ) { frame.icon("emoji-smile") }
            }
            form(.class("emoji-field"), .method("dialog"), .hidden()) {
                input(
                    .class("input"), .name("emoji"), .label("Another emoji"), .placeholder("Another emoji"),
                    .autocomplete("off"))
                button(.class("button primary")) { "React" }
            }
            button(.class("button"), .type("button"), .flag("data-reply")) { "Reply" }
            button(.class("button"), .type("button"), .flag("data-copy")) { "Copy" }
            button(.class("button"), .type("button"), .flag("data-save")) { "Save to library" }
            a(.class("button"), .href(ChatPaths.page(chat.id)), .flag("data-report")) { "Report" }
            button(.class("button danger"), .type("button"), .flag("data-delete")) {
                chat.group == nil ? "Delete for both" : "Delete for everyone"
            }
            button(.class("button plain"), .type("button")) { "Cancel" }
        }
    }

    // MARK: Sending without scripts

    private func send(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let id = try context.id("id", of: Chat.self)
        _ = try await chats.chat(id, for: viewer)
        let input = await Input.readForm(
            request, context, files: .init(blobs: blobs, most: MessageForm.mostPictures))
        let form = MessageForm(input)
        do {
            try input.checkWhole()
            try await MessageFormSender(messages: messages, photos: photos, singleUse: singleUse)
                .send(form, to: id, context)
        } catch {
            await input.discardFiles(in: blobs)
            return try await ErrorResponses.form(after: error, context) { refusal, status in
                let problem = [refusal.message, input.hadFiles ? Self.nothingSent : ""]
                return try await chatPage(
                    request, context, id, refused: form,
                    problem: problem.joined(separator: " ").trimmed, status: status)
            }
        }
        return .see(ChatPaths.page(id))
    }

    // MARK: One message

    private func photo(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let id = try context.id("id", of: Chat.self)
        let found = try await messages.photoMessage(context.id("message"), in: id, for: viewer)
        let photo = found.photo
        let path = "/messages/\(id)/photos/\(found.message.id)"
        let pixels = photo.pixels(.large)
        return Page(title: "Photo", styles: [.photos], bodyClass: "bare viewer").response(
            frame, request, context
        ) {
            main(.id("content")) {
                element("photo-viewer", .attribute("data-id", found.message.id.description)) {
                    header(.class("viewer-bar")) {
                        a(.class("done"), .href(ChatPaths.page(id)), .flag("data-back"), .flag("data-close"))
                        {
                            "Done"
                        }
                        h1 { found.sender?.displayName ?? "You" }
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

    /// Shows the options of a message on a page, for browsers without scripts.
    private func options(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let id = try context.id("id", of: Chat.self)
        let sent = try await messages.sentMessage(context.id("message"), in: id, for: viewer)
        let message = sent.message
        return Page(
            title: "Message", styles: [.chats, .chat, .accounts], tab: .friends, bodyClass: "grouped"
        )
        .response(frame, request, context) {
            frame.bar("Message", back: ("Messages", ChatPaths.page(id)))
            main(.id("content"), .class("settings")) {
                if !message.text.isEmpty { p(.class("note apart")) { message.text } }
                if let photo = message.photo {
                    a(.class("button tall"), .href("/messages/\(id)/photos/\(message.id)")) {
                        photo.description.isEmpty ? "Show photo" : "Show photo: \(photo.description)"
                    }
                }
                people("Seen by", sent.readers)
                people("Opened by", sent.lookers)
                reactionForms(to: message, in: id, by: viewer)
                a(.class("button tall"), .href(ChatPaths.reply(to: message.id, in: id))) { "Reply" }
                if message.photo != nil, message.sender != viewer.id {
                    form(.method("post"), .action("/messages/\(id)/\(message.id)/save")) {
                        button(.class("button tall")) { "Save to library" }
                    }
                }
                if message.sender == viewer.id {
                    form(.method("post"), .action("/messages/\(id)/\(message.id)/delete")) {
                        button(.class("button danger tall")) {
                            message.faces.isEmpty ? "Delete for both" : "Delete for everyone"
                        }
                    }
                } else {
                    a(.class("button tall"), .href("/messages/\(id)/\(message.id)/report")) { "Report" }
                }
            }
        }
    }

    /// Names members of a group; nothing for nobody.
    @NodeBuilder private func people(_ title: String, _ people: [Account]) -> Node {
        if !people.isEmpty {
            section {
                h2(.class("group-title")) { title }
                ul(.class("group")) {
                    for person in people {
                        SettingsScreen(frame: frame).person(person, .text("@\(person.username)"))
                    }
                }
            }
        }
    }

    private func reactionForms(to message: Message, in chat: Chat.ID, by viewer: Account) -> Node {
        let path = "/messages/\(chat)/\(message.id)/react"
        let own = message.reactions.first { $0.account == viewer.id }?.emoji
        return section(.label("React")) {
            form(.class("emoji-row"), .method("post"), .action(path)) {
                for reaction in AnswerButtons.emoji {
                    let isChosen = reaction.emoji == own
                    button(
                        .name("emoji"), .value(isChosen ? "" : reaction.emoji), .label(reaction.name),
                        .attribute("aria-pressed", isChosen ? "true" : "false")
                    ) { reaction.emoji }
                }
            }
            form(.class("emoji-field"), .method("post"), .action(path)) {
                input(
                    .class("input"), .name("emoji"), .label("Another emoji"), .placeholder("Another emoji"),
                    .autocomplete("off"))
                button(.class("button primary")) { "React" }
            }
        }
    }
}
