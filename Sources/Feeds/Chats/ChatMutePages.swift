import Core
import HTML
import Hummingbird
import People
import Serving

/// The button of a chat's bar that mutes the chat, with its sheet, and the forms of the sheet.
struct ChatMutePages {
    let frame: Frame
    let chats: ChatService

    func add(to router: Router<AppContext>) {
        router.get("messages/:id/mute") { request, context in
            let chat = try await chats.chat(context.id("id"), for: context.viewer)
            guard request.wantsFragment else { return Response.see(ChatPaths.page(chat.id)) }
            return .html(Self.content(chat, frame), for: request)
        }
        router.post("messages/:id/mute") { request, context in
            let (viewer, id) = (try context.viewer, try context.id("id", of: Chat.self))
            let seconds = try Mute.duration(await Input.read(request, context))
            _ = try await chats.mute(id, for: seconds, by: viewer)
            return Response.see(ChatPaths.page(id), flash: .good(MuteDuration.done(seconds)))
        }
        router.post("messages/:id/unmute") { request, context in
            let id = try context.id("id", of: Chat.self)
            _ = try await chats.unmute(id, by: context.viewer)
            return Response.see(ChatPaths.page(id), flash: .good("No longer muted."))
        }
    }

    /// Draws the button and its sheet. A script keeps both as the chat is.
    static func control(_ chat: Chat, _ frame: Frame) -> Node {
        element("chat-mute", .attribute("data-chat", chat.id.description)) { content(chat, frame) }
    }

    @NodeBuilder private static func content(_ chat: Chat, _ frame: Frame) -> Node {
        button(
            .class("symbol"), .type("button"), .attribute("popovertarget", "mute"),
            .label(chat.mute == nil ? "Mute" : "Muted")
        ) { frame.icon(chat.mute == nil ? "bell" : "bell-slash") }
        div(
            .class("sheet"), .id("mute"), .flag("popover"), .role("dialog"),
            .attribute("aria-labelledby", "mute-title")
        ) {
            if let mute = chat.mute {
                h2(.id("mute-title")) { "This chat is muted" }
                if let end = mute.endsAt {
                    p {
                        "Until "
                        frame.date(end)
                        "."
                    }
                }
                MuteComponents(frame: frame).undo("Unmute", "/messages/\(chat.id)/unmute")
            } else {
                h2(.id("mute-title")) { "Mute this chat?" }
                if let peer = chat.peer {
                    p { "You get no notifications of its messages. \(peer.displayName) won’t know." }
                } else {
                    p { "You get no notifications of its messages, except when someone mentions you." }
                }
                MuteComponents(frame: frame).choices("/messages/\(chat.id)/mute")
            }
            button(
                .class("button plain"), .type("button"), .attribute("popovertarget", "mute"),
                .attribute("popovertargetaction", "hide")
            ) { "Cancel" }
        }
    }
}
