import Core
import Foundation
import HTML
import People
import Serving

/// How chats and messages appear on several screens.
struct ChatComponents {
    let frame: Frame
    let viewer: Account
    /// Finds what messages share.
    let shared: SharedThings
    /// The cards of what messages share, as the viewer sees it, by its ids.
    var cards: [String: Drawing] = [:]

    // MARK: The list

    /// What the list of chats shows.
    struct List: Sendable {
        let chats: [Chat]
        /// How many requests wait.
        let requestsCount: Int
        /// Ways to what else goes on between friends, with what each counts.
        let chips: [(chip: ChatChip, count: Int)]
        let query: String
        /// The path of the next page.
        let next: String?
        /// The chat beside the list.
        let current: Chat.ID?
    }

    /// Where the list is shown.
    enum Place {
        /// In its tab.
        case tab
        /// On a screen that was pushed over another: Messages, of Home and of the menu.
        case pushed
        /// Beside a chat in a wide window.
        case beside
    }

    /// The list of chats.
    func chats(_ list: List, in place: Place) -> Node {
        let content = Node.list([
            bar(in: place),
            element("live-search", .attribute("data-action", AppPaths.messages)) {
                form(.class("search"), .attribute("role", "search"), .action(AppPaths.messages)) {
                    frame.icon("search")
                    input(
                        .type("search"), .name("q"), .placeholder("Search"), .label("Search chats"),
                        .autocomplete("off"), .value(list.query))
                }
                div(.flag("data-results")) { results(list) }
            },
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

    /// The ways to the list and to requests, and the rows of the list, or what stands where there are none.
    func results(_ list: List) -> Node {
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
                element("endless-list", .attribute("data-next", list.next)) {
                    ul(.class("rows tall"), .flag("data-items")) { rows(list) }
                    frame.more(list.next)
                }
            } else if list.query.isEmpty {
                frame.empty(
                    "chat-dots", "No chats yet. Write to someone you follow.",
                    action: ("New message", ChatPaths.new))
            } else {
                frame.empty("search", "No chat with “\(list.query)”.")
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
                .class(unread > 0 ? "row tall unread" : "row tall"), .href(ChatPaths.page(chat.id)),
                .current(isCurrent)
            ) {
                frame.portrait(chat.peer, pixels: 52)
                span(.class("text")) {
                    b { chat.peer.displayName }
                    span { chat.lastMessage?.summary(for: viewer.id, shared) ?? "" }
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
                    self.day(
                        Timestamp.iso8601(date), title: Timestamp.long(date),
                        words: Timestamp.dayInWords(date)))
            }
            nodes.append(
                MessageItem(
                    message, in: chat, for: viewer.id, state: states.state(of: message.id), shared,
                    cards: cards
                ).node(frame))
        }
        return .list(nodes)
    }

    private func day(_ createdAt: String, title: String, words: String) -> Node {
        li(.class("day")) { time(.datetime(createdAt), .title(title)) { words } }
    }

    /// The templates from which scripts draw the messages that arrive, and the days between them.
    @NodeBuilder func templates(for chat: Chat) -> Node {
        template("message") { MessageItem(templateFor: chat, sharing: shared.kinds).node(frame) }
        template("day") { day("{time}", title: "{title}", words: "{words}") }
    }

    /// The id of the form that opens view-once pictures and sets reactions.
    static let lookForm = "look"
}

/// Finds which of a person's messages say what became of them: the last that was read, and the newest.
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
