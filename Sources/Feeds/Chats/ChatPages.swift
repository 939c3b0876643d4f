import Core
import Foundation
import HTML
import Hummingbird
import People
import Serving

/// The pages around chats: the list, new messages, and requests.
struct ChatPages {
    let frame: Frame
    let chats: ChatService
    let offers: ChatOffers

    private static let listPage = 40

    func add(to router: Router<AppContext>) {
        router.get("friends", use: list)
        router.get("messages", use: list)
        router.get("messages/new", use: newMessage)
        router.get("messages/requests", use: requests)
        router.post("messages/requests/:id/accept") { request, context -> Response in
            let chat = try await chats.accept(context.id("id"), by: context.viewer)
            return .see(ChatPaths.page(chat.id))
        }
        router.post("messages/requests/:id/delete") { request, context -> Response in
            let isGroup = try await chats.clear(context.id("id"), by: context.viewer)
            return .see(
                ChatPaths.requests, flash: .good(isGroup ? "Invitation declined." : "Request deleted."))
        }
    }

    private func list(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = Input.query(request)
        let list = try await chats.list(
            .init(text: input.text("q"), olderThan: try PageRequest(input).olderThan), of: viewer,
            offers: offers)
        let components = ChatComponents(frame: frame, viewer: viewer, shared: offers.shared)
        if request.wantsFragment {
            let isNextPage = input.string("max_id") != nil
            return .html(
                isNextPage
                    ? .list([components.rows(list), frame.more(list.next)]) : components.results(list),
                for: request)
        }
        let isTab = request.uri.path.hasPrefix("/friends")
        return Page(
            title: isTab ? "Friends" : "Messages", styles: [.chats, .chat], tab: .friends,
            link: isTab ? nil : .messages,
            bodyClass: "chats"
        ).response(frame, request, context) {
            components.chats(list, in: isTab ? .tab : .pushed)
            aside(.class("one-chat"), .label("Chat")) {
                div(.class("empty")) {
                    frame.icon("chat-dots")
                    h2 { "Choose a chat" }
                    p { "Or write to someone new." }
                    a(.class("button primary"), .href(ChatPaths.new)) { "New message" }
                }
            }
        }
    }

    // MARK: New message

    private func newMessage(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = Input.query(request)
        let query = input.text("q")
        let after = input.text("after")
        let found = try await chats.followed(
            by: viewer, named: query,
            from: after.isEmpty ? .message(try PageRequest(input).olderThan) : .username(after),
            limit: Self.listPage)
        let people = found.people
        // Photos that another app of the device has handed over go on to the chat.
        let isCarrying = input.string(Self.carrying) != nil
        let next = found.next.map { place in
            "/messages/new?q=\(query.queryEncoded)&\(Self.query(of: place))\(isCarrying ? "&\(Self.carrying)" : "")"
        }
        let rows = people.map { person($0, isCarrying: isCarrying) }
        if request.wantsFragment {
            let isNextPage = input.string("max_id") != nil || input.string("after") != nil
            return .html(
                isNextPage ? .list(rows + [frame.more(next)]) : results(rows, query, next),
                for: request)
        }
        return Page(title: "New message", styles: [.chats, .accounts], tab: .friends, link: .messages)
            .response(frame, request, context) {
                frame.bar("New message", back: ("Messages", AppPaths.messages))
                main(.id("content")) {
                    element("live-search") {
                        frame.search(ChatPaths.new, query, label: "Search people you follow") {
                            if isCarrying {
                                HTML.input(.type("hidden"), .name(Self.carrying), .value("yes"))
                            }
                        }
                        if !isCarrying { newGroup }
                        div(.flag("data-results")) { results(rows, query, next) }
                    }
                }
            }
    }

    private var newGroup: Node {
        ul(.class("rows")) {
            li {
                a(.class("row"), .href(ChatPaths.newGroup)) {
                    span(.class("portrait sign"), .decorative) { frame.icon("people") }
                    span(.class("text")) {
                        b { "New group" }
                        span { "Write to several friends at once" }
                    }
                }
            }
        }
    }

    private static func query(of place: FollowedPeople.Place) -> String {
        switch place {
        case .message(let id): "max_id=\(id ?? 0)"
        case .username(let name): "after=\(name)"
        }
    }

    private func results(_ people: [Node], _ query: String, _ next: String?) -> Node {
        guard !people.isEmpty else {
            return query.isEmpty
                ? frame.empty(
                    "people", "You don’t follow anyone yet. Follow people to write to them.",
                    action: ("Find people", AppPaths.users))
                : frame.empty(
                    "search", "You don’t follow anyone called “\(query)”.",
                    action: ("Find people", AppPaths.users))
        }
        return frame.endlessList("rows", next: next) { people }
    }

    /// The parameter of a screen whose scripts take photos that another app has handed over (`photos/arrivals.js`).
    static let carrying = "shared"

    private func person(_ account: Account, isCarrying: Bool) -> Node {
        let path = ChatPaths.with(account.username)
        return li(.attribute("data-id", account.id.description)) {
            a(.class("row"), .href(isCarrying ? "\(path)?\(Self.carrying)" : path)) {
                frame.portrait(account, pixels: 48)
                span(.class("text")) {
                    b { account.displayName }
                    span { "@\(account.username)" }
                }
            }
        }
    }

    // MARK: Requests

    private func requests(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let page = PageRequest(
            limit: Self.listPage, olderThan: try PageRequest(Input.query(request)).olderThan)
        let found = try await chats.chats(of: viewer, requests: true, page: page, members: .first)
        let next =
            found.count == page.limit
            ? found.last?.lastMessage.map { "/messages/requests?max_id=\($0.id)" } : nil
        if request.wantsFragment {
            return .html(
                page.olderThan != nil
                    ? .list(found.map { self.request($0, viewer) } + [frame.more(next)])
                    : requestList(found, viewer, next), for: request)
        }
        return Page(title: "Requests", styles: [.chats], tab: .friends, link: .messages)
            .response(frame, request, context) {
                frame.bar("Requests", back: ("Messages", AppPaths.messages))
                main(.id("content")) { requestList(found, viewer, next) }
            }
    }

    private func requestList(_ found: [Chat], _ viewer: Account, _ next: String?) -> Node {
        element("chat-list", .attribute("data-source", ChatPaths.requests)) {
            if found.isEmpty {
                frame.empty(
                    "chat-dots",
                    """
                    Messages from people you don’t follow, and groups with somebody you blocked, wait here until you \
                    accept them.
                    """)
            } else {
                frame.endlessList("rows requests", next: next) {
                    found.map { self.request($0, viewer) }
                }
                p(.class("note apart")) { "They can’t see whether you have read it until you accept." }
            }
        }
    }

    private func request(_ chat: Chat, _ viewer: Account) -> Node {
        li(.attribute("data-id", chat.id.description)) {
            div(.class("row wraps")) {
                a(.href(ChatPaths.page(chat.id)), .label("Chat with \(chat.title)")) {
                    ChatComponents.portrait(chat, viewer, pixels: 48, frame)
                }
                span(.class("text")) {
                    b { chat.title }
                    span { chat.lastMessage?.summary(for: viewer.id, offers.shared) ?? "" }
                }
                Self.answers(to: chat.id)
            }
        }
    }

    /// Draws the two answers to a request.
    static func answers(to id: Chat.ID) -> Node {
        span(.class("buttons")) {
            form(.method("post"), .action("/messages/requests/\(id)/accept")) {
                button(.class("button small primary")) { "Accept" }
            }
            form(.method("post"), .action("/messages/requests/\(id)/delete")) {
                button(.class("button small")) { "Delete" }
            }
        }
    }
}
