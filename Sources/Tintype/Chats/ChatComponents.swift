import Foundation
import HTML

/// How conversations and messages appear on several screens.
struct ChatComponents {
    let frame: Frame
    let viewer: Account
    /// The cards of what messages share, as the viewer sees it, by its ids.
    var cards: [String: Drawing] = [:]

    // MARK: The list

    /// What the list of conversations shows.
    struct List: Sendable {
        let chats: [Chat]
        /// How many requests wait.
        let requestsCount: Int
        /// Ways to what else goes on between friends, with what each counts.
        let chips: [(chip: ChatChip, count: Int)]
        let query: String
        /// The path of the next page.
        let next: String?
        /// The conversation beside the list.
        let current: Chat.ID?
    }

    /// Where the list is shown.
    enum Place {
        /// In its tab.
        case tab
        /// On a screen that was pushed over another: Messages, of Home and of the menu.
        case pushed
        /// Beside a conversation in a wide window.
        case beside
    }

    /// The list of conversations.
    func conversations(_ list: List, in place: Place) -> Node {
        let content = Node.list([
            bar(in: place),
            element("live-search", .attribute("data-action", "/messages")) {
                form(.class("search"), .attribute("role", "search"), .action("/messages")) {
                    frame.icon("search")
                    input(
                        .type("search"), .name("q"), .placeholder("Search"), .label("Search conversations"),
                        .autocomplete("off"), .value(list.query))
                }
                div(.flag("data-results")) { results(list) }
            },
        ])
        return place == .beside
            ? aside(.class("conversations"), .label("Conversations")) { content }
            : main(.id("content"), .class("conversations")) { content }
    }

    private func bar(in place: Place) -> Node {
        let newMessage = frame.symbolLink("New message", "pencil-square", href: "/messages/new")
        switch place {
        case .tab: return frame.largeBar("Friends") { newMessage }
        case .pushed: return frame.bar("Messages", back: ("Home", "/home")) { newMessage }
        case .beside:
            return header(.class("bar large")) {
                h2(.class("heading")) { "Friends" }
                div(.class("actions")) { newMessage }
            }
        }
    }

    /// The ways to the list and to requests, and the rows of the list, or what stands where there are none.
    func results(_ list: List) -> Node {
        element("chat-list", .attribute("data-source", "/messages")) {
            ul(.class("chips")) {
                li { a(.class("chip"), .href("/messages"), .attribute("aria-current", "true")) { "All" } }
                li {
                    a(.class("chip"), .href("/messages/requests")) {
                        list.requestsCount == 0 ? "Requests" : "Requests · \(list.requestsCount)"
                    }
                }
                for (chip, count) in list.chips {
                    li {
                        a(.class("chip"), .href(chip.path)) {
                            chip.name
                            if let badge = chip.badge {
                                span(
                                    .class("count"), .attribute("data-badge", badge.name), .hidden(count == 0)
                                ) { String(count) }
                            }
                        }
                    }
                }
            }
            if !list.chats.isEmpty {
                element("endless-list", .attribute("data-next", list.next)) {
                    ul(.class("rows tall"), .flag("data-items")) { rows(list) }
                    frame.more(list.next)
                }
            } else if list.query.isEmpty {
                frame.empty(
                    "chat-dots", "No conversations yet. Write to someone you follow.",
                    action: ("New message", "/messages/new"))
            } else {
                frame.empty("search", "No conversation with “\(list.query)”.")
            }
        }
    }

    /// The rows alone, for the next page.
    @NodeBuilder func rows(_ list: List) -> Node {
        for chat in list.chats { row(chat, isCurrent: chat.id == list.current) }
    }

    private func row(_ chat: Chat, isCurrent: Bool) -> Node {
        let unread = isCurrent ? 0 : chat.unreadCount
        return li(.attribute("data-id", chat.id.description)) {
            a(
                .class(unread > 0 ? "row tall unread" : "row tall"), .href("/messages/\(chat.id)"),
                .current(isCurrent)
            ) {
                frame.portrait(chat.peer, pixels: 52)
                span(.class("text")) {
                    b { chat.peer.displayName }
                    span { chat.lastMessage?.summary(for: viewer.id, at: frame.publicURL) ?? "" }
                }
                span(.class("end")) {
                    if let last = chat.lastMessage { frame.time(last.id.createdAt) }
                    if unread > 0 {
                        span(.class("badge")) {
                            String(unread)
                            span(.class("unseen")) { " unread" }
                        }
                    }
                }
            }
        }
    }

    // MARK: Messages

    /// One page of messages, newest first as they come, shown oldest first with the days between them.
    func thread(_ messages: [Message], in chat: Chat) -> Node {
        let states = MessageStates(messages, marks: chat.peerMarks, viewer: viewer.id)
        var nodes: [Node] = []
        var day = ""
        for message in messages.reversed() {
            let date = message.id.createdAt
            if Timestamp.day(date) != day {
                day = Timestamp.day(date)
                nodes.append(
                    li(.class("day")) {
                        time(.datetime(Timestamp.iso8601(date)), .title(Timestamp.long(date))) {
                            Timestamp.dayInWords(date)
                        }
                    })
            }
            nodes.append(item(message, in: chat, state: states.state(of: message.id)))
        }
        return .list(nodes)
    }

    private func item(_ message: Message, in chat: Chat, state: MessageStates.State?) -> Node {
        let isOwn = message.sender == viewer.id
        return li(
            .class(isOwn ? "message out" : "message in"), .attribute("data-id", message.id.description),
            .attribute("data-at", Timestamp.iso8601(message.id.createdAt)),
            .attribute("data-number", String(message.number)),
            .attribute("data-key", isOwn ? message.key : nil)
        ) {
            if !isOwn { frame.portrait(chat.peer, pixels: 28) }
            element("message-bubble") {
                if let reply = message.reply { quote(reply, in: chat) }
                if message.once != nil { onceBubble(message, isOwn: isOwn) }
                if let photo = message.photo { photoBubble(photo, message, chat, isOwn: isOwn) }
                let shared = SharedThing(in: message.text, at: frame.publicURL)
                if !message.text.isEmpty, shared?.isAlone != true {
                    p(.class(message.isEmojiOnly ? "bubble emoji" : "bubble")) {
                        Caption.node(message.text, .all, on: .page(of: frame.publicURL))
                    }
                }
                if let shared { shared.card(cards[shared.id]?()) }
                reactions(to: message, in: chat)
                if let state { footer(.class("state")) { self.state(state) } }
            }
            a(
                .class("symbol message-options"), .href("/messages/\(chat.id)/\(message.id)/options"),
                .label("Options of this message"), .flag("data-options")
            ) { frame.icon("three-dots") }
        }
    }

    /// What a reply says of the message that it answers, above its own words: the way there, unless that is gone.
    private func quote(_ reply: Message.Reply, in chat: Chat) -> Node {
        guard case .quoting(let quote) = reply else { return p(.class("quote")) { "Deleted message" } }
        // The page of earlier messages that ends with the quoted one.
        let path = "/messages/\(chat.id)?max_id=\(quote.id.rawValue + 1)"
        return a(.class("quote"), .href(path), .attribute("data-quote", quote.id.description)) {
            if let photo = quote.photo {
                img(.src(Photo.path(photo, .square)), .width(36), .height(36), .alt(""))
            }
            span {
                span(.class("unseen")) { "Reply to " }
                b { quote.sender == viewer.id ? "You" : chat.peer.displayName }
                span { quote.words }
            }
        }
    }

    /// What stands above the line to write on while a message is answered.
    func answering(_ message: Message, in chat: Chat) -> Node {
        let words = Message.Quote(
            id: message.id, sender: message.sender, text: MessageRules.excerpt(of: message.text),
            isOnce: message.once != nil
        ).words
        return .list([
            input(.type("hidden"), .name("reply_to_id"), .value(message.id.description)),
            frame.icon("reply"),
            p {
                b { message.sender == viewer.id ? "Reply to yourself" : "Reply to \(chat.peer.displayName)" }
                span { words }
            },
            a(.class("symbol"), .href("/messages/\(chat.id)"), .label("Don’t reply"), .flag("data-dismiss")) {
                frame.icon("x-lg")
            },
        ])
    }

    /// The emoji below a message. A tap adds that emoji as the viewer's reaction, or takes the viewer's reaction back.
    @NodeBuilder private func reactions(to message: Message, in chat: Chat) -> Node {
        let emoji = message.reactions.map(\.emoji)
        if let first = emoji.first {
            // There are two at most.
            let distinct = emoji.allSatisfy { $0 == first } ? [first] : emoji
            ul(.class("reactions"), .label("Reactions")) {
                for one in distinct {
                    li { reaction(message.reactions.filter { $0.emoji == one }, to: message, in: chat) }
                }
            }
        }
    }

    /// - Parameter same: the reactions with one emoji.
    private func reaction(_ same: [Message.Reaction], to message: Message, in chat: Chat) -> Node {
        let emoji = same.first?.emoji ?? ""
        let isOwn = same.contains { $0.account == viewer.id }
        let others = same.contains { $0.account != viewer.id } ? [chat.peer.displayName] : []
        let names = ((isOwn ? ["you"] : []) + others).joined(separator: " and ")
        return button(
            .class("reaction"), .attribute("form", Self.lookForm),
            .attribute("formaction", "/messages/\(chat.id)/\(message.id)/react"), .name("emoji"),
            .value(isOwn ? "" : emoji), .attribute("data-react", emoji),
            .attribute("aria-pressed", isOwn ? "true" : "false"), .label("\(emoji) from \(names)")
        ) {
            emoji
            if same.count > 1 { " \(same.count)" }
        }
    }

    private func photoBubble(_ photo: Photo, _ message: Message, _ chat: Chat, isOwn: Bool) -> Node {
        let pixels = photo.pixels(.medium)
        let path = "/messages/\(chat.id)/photos/\(message.id)"
        let name = isOwn ? "Photo to \(chat.peer.displayName)" : "Photo from \(chat.peer.displayName)"
        return a(.class("bubble photo"), .href(path)) {
            img(
                .src(Photo.path(photo.id, .medium)), .width(pixels.width), .height(pixels.height),
                .alt(photo.description.isEmpty ? name : photo.description),
                .attribute("data-blurhash", photo.blurhash),
                .attribute("data-hero", path))
        }
    }

    /// The id of the form that opens view-once pictures and sets reactions.
    static let lookForm = "look"

    private func onceBubble(_ message: Message, isOwn: Bool) -> Node {
        // Without scripts it sends the form ``lookForm``.
        button(
            .class("bubble once"), .attribute("form", Self.lookForm),
            .attribute("formaction", "/messages/\(message.chat)/\(message.id)/open"),
            .disabled(isOwn || message.once != .unopened), .flag("data-open")
        ) {
            frame.icon("1-circle")
            switch message.once {
            case .opened: "Opened"
            case .expired: "Expired"
            default: "Photo · view once"
            }
        }
    }

    @NodeBuilder private func state(_ state: MessageStates.State) -> Node {
        switch state {
        case .sent: "Sent"
        case .delivered: "Delivered"
        case .read(let date):
            span {
                "Read "
                if let date {
                    time(
                        .datetime(Timestamp.iso8601(date)), .title(Timestamp.long(date)), .flag("data-clock")
                    ) {
                        String(Timestamp.iso8601(date).dropFirst(11).prefix(5))
                    }
                }
            }
        }
    }
}

/// Which of one's own messages says what became of it: the last that was read, and the very last.
struct MessageStates {
    /// What became of a message.
    enum State: Equatable {
        case sent
        case delivered
        case read(at: Date?)
    }

    private var states: [Message.ID: State] = [:]

    /// - Parameter messages: newest first.
    init(_ messages: [Message], marks: Chat.Marks, viewer: Account.ID) {
        let own = messages.filter { $0.sender == viewer }
        if let last = own.first {
            states[last.id] = last.id <= marks.deliveredThrough ? .delivered : .sent
        }
        if let read = own.first(where: { $0.id <= marks.readThrough }) {
            states[read.id] = .read(at: marks.readAt)
        }
    }

    /// What a message says; nil for most, which say nothing.
    func state(of id: Message.ID) -> State? { states[id] }
}
