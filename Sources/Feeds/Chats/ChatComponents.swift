import Core
import Foundation
import HTML
import People
import Serving

/// The parts of chats and messages that several screens draw.
struct ChatComponents {
    let frame: Frame
    let viewer: Account
    /// The things that messages share.
    let shared: SharedThings
    /// The cards of the things that messages share, as the viewer sees them, by the things' ids.
    var cards: [String: Drawing] = [:]

    // MARK: The list

    /// The contents of the list of chats.
    struct List: Sendable {
        let chats: [Chat]
        /// The number of waiting requests.
        let requestsCount: Int
        /// The chips of features, each with its count.
        let chips: [(chip: ChatChip, count: Int)]
        let query: String
        /// The viewer's messages with the words of the query; nil without a query, and on a further page of chats.
        let found: FoundMessages?
        /// The path of the next page.
        let next: String?
        /// The chat that is shown beside the list.
        let current: Chat.ID?
    }

    /// The places where the list is shown.
    enum Place {
        /// The Friends tab.
        case tab
        /// The screen Messages, which opens over another screen, from Home and from the menu.
        case pushed
        /// The column beside a chat in a wide window.
        case beside
    }

    /// Draws the list of chats.
    func chats(_ list: List, in place: Place) -> Node {
        let content = Node.list([
            bar(in: place),
            frame.liveSearch(
                AppPaths.messages, list.query, label: "Search chats and messages", placeholder: "Search"
            ) { results(list) },
        ])
        return place == .beside
            ? aside(.class("all-chats"), .label("Chats")) { content }
            : main(.id("content"), .class("all-chats")) { content }
    }

    private func bar(in place: Place) -> Node {
        let newMessage = frame.symbolLink("New message", "pencil-square", href: ChatPaths.new)
        switch place {
        case .tab: return frame.largeBar("Friends") { newMessage }
        case .pushed: return frame.bar("Messages", back: ("Home", AppPaths.home)) { newMessage }
        case .beside:
            return header(.class("bar large")) {
                h2(.class("heading")) { "Friends" }
                div(.class("actions")) { newMessage }
            }
        }
    }

    /// Draws the list of chats, and below it the messages that a search has found.
    func results(_ list: List) -> Node {
        let messages = list.found.map {
            FoundMessageList(frame: frame, viewer: viewer, text: list.query, found: $0)
        }
        return .list([
            chatList(list, hasMessages: messages?.isEmpty == false),
            messages.map { messages in
                messages.isEmpty
                    ? .empty
                    : section(.attribute("aria-labelledby", "found-title")) {
                        h2(.class("section-title"), .id("found-title")) { "Messages" }
                        messages.list
                    }
            } ?? .empty,
        ])
    }

    /// Draws the links to requests and features, and the rows of the list, or a note in an empty list.
    private func chatList(_ list: List, hasMessages: Bool) -> Node {
        element("chat-list", .attribute("data-source", AppPaths.messages)) {
            ul(.class("chips")) {
                li {
                    a(.class("chip"), .href(AppPaths.messages), .attribute("aria-current", "true")) { "All" }
                }
                li {
                    a(.class("chip"), .href(ChatPaths.requests)) {
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
                frame.endlessList("rows tall", next: list.next) { rows(list) }
            } else if list.query.isEmpty {
                frame.empty(
                    "chat-dots", "No chats yet. Write to someone you follow.",
                    action: ("New message", ChatPaths.new))
            } else if !hasMessages {
                frame.empty("search", "No chat or message with “\(list.query)”.")
            }
        }
    }

    /// Draws the rows alone, for the next page.
    @NodeBuilder func rows(_ list: List) -> Node {
        for chat in list.chats { row(chat, isCurrent: chat.id == list.current) }
    }

    private func row(_ chat: Chat, isCurrent: Bool) -> Node {
        let unread = isCurrent ? 0 : chat.unreadCount
        return li(.attribute("data-id", chat.id.description)) {
            a(
                .class(unread > 0 ? "row tall unread" : "row tall"), .href(ChatPaths.page(chat.id)),
                .current(isCurrent)
            ) {
                portrait(chat, pixels: 52)
                span(.class("text")) {
                    b { chat.title }
                    span { chat.lastMessage?.summary(for: viewer.id, shared) ?? "" }
                }
                span(.class("end")) {
                    if let last = chat.lastMessage { frame.time(last.id.createdAt) }
                    if unread > 0 || chat.mute != nil {
                        span(.class("signs")) {
                            if chat.mute != nil {
                                frame.icon("bell-slash")
                                span(.class("unseen")) { "Muted" }
                            }
                            if unread > 0 {
                                span(.class("badge"), .flag("data-muted", chat.mute != nil)) {
                                    String(unread)
                                    span(.class("unseen")) { " unread" }
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// Draws the portrait of the other person, the picture of a group, or the portraits of two of its members.
    func portrait(_ chat: Chat, pixels: Int) -> Node { Self.portrait(chat, viewer, pixels: pixels, frame) }

    /// Draws the portrait of a chat.
    static func portrait(_ chat: Chat, _ viewer: Account, pixels: Int, _ frame: Frame) -> Node {
        if let peer = chat.peer { return frame.portrait(peer, pixels: pixels) }
        if let picture = chat.group?.picture {
            return img(
                .class("portrait"), .src(Photo.path(picture, .square)), .alt(""), .width(pixels),
                .height(pixels))
        }
        let faces = chat.others.isEmpty ? [viewer] : Array(chat.others.prefix(2))
        return span(.class("portrait faces"), .attribute("data-count", String(faces.count)), .decorative) {
            for face in faces { frame.portrait(face, pixels: pixels * 2 / 3) }
        }
    }

    // MARK: Messages

    /// Draws one page of messages. The messages are given newest first, and drawn oldest first with the days between
    /// them.
    ///
    /// - Parameter marked: the message that is marked for a moment.
    func thread(_ messages: [Message], in chat: Chat, marking marked: Message.ID? = nil) -> Node {
        let states = MessageStates(messages, in: chat, viewer: viewer.id)
        var nodes: [Node] = []
        var day = ""
        var above: Account.ID?
        for message in messages.reversed() {
            let date = message.id.createdAt
            if Timestamp.day(date) != day {
                day = Timestamp.day(date)
                above = nil
                nodes.append(
                    self.day(
                        Timestamp.iso8601(date), title: Timestamp.long(date),
                        words: Timestamp.dayInWords(date)))
            }
            if let event = MessageEvent(message, for: viewer.id) {
                nodes.append(event.node)
                above = nil
                continue
            }
            var item = MessageItem(
                message, in: chat, for: viewer.id, state: states.state(of: message.id), shared, cards: cards)
            item.isMarked = message.id == marked
            item.continues = chat.group != nil && above == message.sender
            nodes.append(item.node(frame))
            above = message.sender
        }
        return .list(nodes)
    }

    private func day(_ createdAt: String, title: String, words: String) -> Node {
        li(.class("day")) { time(.datetime(createdAt), .title(title)) { words } }
    }

    /// Draws the templates from which scripts draw the messages that arrive, and the days between them.
    @NodeBuilder func templates(for chat: Chat) -> Node {
        template("message") { MessageItem(templateFor: chat, sharing: shared.kinds).node(frame) }
        template("event") { MessageEvent().node }
        template("day") { day("{time}", title: "{title}", words: "{words}") }
    }

    /// The id of the form that opens view-once pictures and sets reactions.
    static let lookForm = "look"
}

/// What happened in a group, between its messages.
struct MessageEvent {
    let id: String
    let createdAt: String
    let number: String
    let words: String

    /// Creates the line of something that happened; nil for a message that was written.
    init?(_ message: Message, for viewer: Account.ID) {
        guard let event = message.event else { return nil }
        id = message.id.description
        createdAt = Timestamp.iso8601(message.id.createdAt)
        number = String(message.number)
        words = event.words(of: message, for: viewer)
    }

    /// Creates the template.
    init() { (id, createdAt, number, words) = ("{id}", "{created_at}", "{number}", "{words}") }

    /// Draws the line.
    var node: Node {
        li(
            .class("message event"), .attribute("data-id", id), .attribute("data-at", createdAt),
            .attribute("data-number", number)
        ) { p { words } }
    }
}

/// The states of a person's messages. Only the last message that was read and the newest message show one.
struct MessageStates {
    /// The state of a message that its sender sees.
    enum State: Equatable {
        case sent
        case delivered
        case read(at: Date?)
        /// So many members of a group have read it.
        case seen(by: Int)
    }

    private var states: [Message.ID: State] = [:]

    /// Finds the messages that show a state.
    ///
    /// - Parameter messages: newest first.
    init(_ messages: [Message], in chat: Chat, viewer: Account.ID) {
        let own = messages.filter { $0.sender == viewer && $0.event == nil }
        if let group = chat.group {
            if let last = own.first { states[last.id] = Self.state(of: last, in: group, viewer) }
            return
        }
        let marks = chat.peerMarks
        if let last = own.first {
            states[last.id] = last.id <= marks.deliveredThrough ? .delivered : .sent
        }
        if let read = own.first(where: { $0.id <= marks.readThrough }) {
            states[read.id] = .read(at: marks.readAt)
        }
    }

    private static func state(of message: Message, in group: Group, _ viewer: Account.ID) -> State {
        let readers = group.readers(of: message.id, besides: viewer)
        guard readers.isEmpty else { return .seen(by: readers.count) }
        let marks = group.others(besides: viewer).filter { !$0.isInvited }.map(\.marks)
        let isDelivered = !marks.isEmpty && marks.allSatisfy { $0.deliveredThrough >= message.id }
        return isDelivered ? .delivered : .sent
    }

    /// Returns the state that a message shows; nil for most messages, which show none.
    func state(of id: Message.ID) -> State? { states[id] }
}
