import Core
import HTML
import Hummingbird
import People
import Serving

/// The private feed: photos that the viewer sent or received, newest first.
struct PrivateFeedPages {
    let frame: Frame
    let messages: MessageService

    private static let page = 10

    func add(to router: Router<AppContext>) {
        router.get("feed", use: feed)
    }

    private func feed(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let page = PageRequest(limit: Self.page, olderThan: try PageRequest(Input.query(request)).olderThan)
        let found = try await messages.exchanges(of: viewer, page: page)
        let next = found.count == page.limit ? found.last.map { "/feed?max_id=\($0.id)" } : nil
        let items = found.enumerated().map { item($1, viewer, isLazy: $0 > 0) }
        if request.wantsFragment { return .html(.list(items + [frame.more(next)]), for: request) }
        return Page(title: "Feed", styles: [.chats], tab: .friends, link: .feed).response(
            frame, request, context
        ) {
            frame.menuBar("Feed")
            main(.id("content")) {
                element(
                    "exchange-list",
                    .attribute(
                        "data-hears",
                        messages.sources.all.map(\.event.description).joined(separator: " "))
                ) {
                    frame.endlessList("exchanges", next: next) { items }
                    // Shown while there is no photo. A script adds and removes photos.
                    frame.empty(
                        "image",
                        "Photos that you send or receive in messages and collages appear here. Only the people of the chat or collage see them.",
                        action: ("Messages", AppPaths.messages))
                }
            }
        }
    }

    private func item(_ exchange: Exchange, _ viewer: Account, isLazy: Bool) -> Node {
        let (path, placePath, thing) =
            switch exchange.place {
            case .message(let id, let chat):
                ("/messages/\(chat.id)/photos/\(id)", ChatPaths.page(chat.id), String?.none)
            case .thing(let kind, let id, _): (kind.folder + String(id), kind.folder + String(id), String(id))
            }
        let sender = exchange.sender.id == viewer.id ? "You" : exchange.sender.displayName
        let recipient =
            exchange.recipient.map { $0.id == viewer.id ? "you" : $0.displayName } ?? exchange.title
        let recipientPath = exchange.recipient.map { AppPaths.profile($0.username) } ?? placePath
        return li(
            .attribute("data-id", String(exchange.id)),
            .attribute("data-chat", exchange.chat?.id.description), .attribute("data-thing", thing),
            .attribute("data-photo", exchange.photo.id.description)
        ) {
            article(.class("exchange")) {
                header {
                    // The name is a link to the same person.
                    a(
                        .href(AppPaths.profile(exchange.sender.username)), .attribute("tabindex", "-1"),
                        .decorative
                    ) {
                        frame.portrait(exchange.sender, pixels: 36)
                    }
                    p {
                        a(.href(AppPaths.profile(exchange.sender.username))) { b { sender } }
                        "Sent to: "
                        a(.href(recipientPath)) { recipient }
                    }
                    frame.time(exchange.createdAt)
                }
                a(.href(path)) { picture(exchange.photo, from: sender, path, isLazy: isLazy) }
                if let chat = exchange.chat {
                    footer {
                        frame.icon("chat-left-text")
                        span(.flag("data-count")) { chat.messagesCount.of("message") }
                    }
                }
            }
        }
    }

    private func picture(_ photo: Photo, from sender: String, _ path: String, isLazy: Bool) -> Node {
        let (large, medium) = (photo.pixels(.large), photo.pixels(.medium))
        return img(
            .src(Photo.path(photo.id, .large)),
            .srcset(
                "\(Photo.path(photo.id, .medium)) \(medium.width)w, \(Photo.path(photo.id, .large)) \(large.width)w"
            ),
            .sizes("(min-width: 768px) and (min-height: 500px) 470px, 100vw"), .width(large.width),
            .height(large.height),
            .alt(photo.description.isEmpty ? "Photo from \(sender)" : photo.description),
            .attribute("data-blurhash", photo.blurhash), .attribute("data-hero", path), isLazy ? .lazy : .none
        )
    }
}
