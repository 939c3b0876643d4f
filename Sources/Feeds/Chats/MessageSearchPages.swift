import Core
import HTML
import Hummingbird
import People
import Serving

/// The pages of messages that are found by their words: in all chats, and in one.
struct MessageSearchPages {
    let frame: Frame
    let messages: MessageService

    private static let page = 20

    func add(to router: Router<AppContext>) {
        router.get("messages/search") { request, context in
            try await search(in: nil, request, context)
        }
        router.get("messages/:id/search") { request, context in
            try await search(in: context.id("id"), request, context)
        }
    }

    private func search(
        in id: Chat.ID?, _ request: Request, _ context: AppContext
    ) async throws -> Response {
        let viewer = try context.viewer
        let input = Input.query(request)
        let text = input.text("q")
        let place = try PageRequest(input).olderThan
        let found = try await messages.search(
            MessageQuery(text, in: id), for: viewer, page: PageRequest(limit: Self.page, olderThan: place))
        let list = FoundMessageList(frame: frame, viewer: viewer, text: text, found: found)
        if request.wantsFragment {
            return .html(place == nil ? list.results : list.rowsAndMore, for: request)
        }
        let label = id == nil ? "Search messages" : "Search this chat"
        return Page(title: "Search", styles: [.chats], tab: .friends, link: .messages).response(
            frame, request, context
        ) {
            frame.bar(
                "Search",
                back: found.chat.map { ($0.title, ChatPaths.page($0.id)) } ?? ("Messages", AppPaths.messages))
            main(.id("content")) {
                frame.liveSearch(ChatPaths.search(in: id), text, label: label) { list.results }
            }
        }
    }
}

/// The list of the messages that a search has found.
struct FoundMessageList {
    let frame: Frame
    let viewer: Account
    /// What was looked for, as it was typed.
    let text: String
    let found: FoundMessages

    /// Whether there is nothing to show, also further on.
    var isEmpty: Bool { found.all.isEmpty && found.next == nil }

    /// Draws the list, or a note that says what was looked for.
    var results: Node {
        guard !isEmpty else {
            return text.isEmpty
                ? frame.empty("search", "Messages are found by their whole words.")
                : frame.empty(
                    "search", "No message with “\(text)”\(found.chat == nil ? "" : " in this chat").")
        }
        return list
    }

    /// Draws the rows, which a script continues while the person scrolls.
    var list: Node {
        let next = next
        return frame.endlessList("rows tall found-messages", next: next) { rows }
    }

    /// Draws the rows of a further page.
    var rowsAndMore: Node { .list([rows, frame.more(next)]) }

    private var next: String? {
        found.next.map { "\(ChatPaths.search(in: found.chat?.id))?q=\(text.queryEncoded)&max_id=\($0)" }
    }

    @NodeBuilder private var rows: Node {
        let words = SearchWords.words(ofQuery: text)
        for seen in found.all { row(seen.message, in: seen.chat, words) }
    }

    private func row(_ message: Message, in chat: Chat, _ words: [String]) -> Node {
        let isOwn = message.sender == viewer.id
        let sender = isOwn ? viewer : chat.peer ?? message.faces[message.sender]?.account
        let author = isOwn ? "You" : sender?.displayName ?? "Someone"
        let isOneChat = found.chat != nil
        let excerpt = MessageExcerpt(of: message.text, around: words)
        return li(.attribute("data-id", message.id.description)) {
            a(.class("row tall"), .href(ChatPaths.message(message.id, in: chat.id))) {
                if isOneChat, let sender {
                    frame.portrait(sender, pixels: 52)
                } else {
                    ChatComponents.portrait(chat, viewer, pixels: 52, frame)
                }
                span(.class("text")) {
                    b { isOneChat ? author : chat.title }
                    span {
                        // The name of two people's chat says who wrote what isn't the viewer's.
                        if !isOneChat, isOwn || chat.peer == nil { "\(author): " }
                        excerpt.start
                        if !excerpt.match.isEmpty { element("mark") { excerpt.match } }
                        excerpt.rest
                    }
                }
                span(.class("end")) { frame.time(message.id.createdAt) }
            }
        }
    }
}
