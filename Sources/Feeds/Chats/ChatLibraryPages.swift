import Core
import HTML
import Hummingbird
import People

/// The viewer's library, to choose photos from for a chat: cells for the composer's sheet, and a page for browsers
/// without scripts.
struct ChatLibraryPages {
    let frame: Frame
    let chats: ChatService

    private static let page = 30

    func add(to router: Router<AppContext>) {
        router.get("messages/:id/library", use: library)
    }

    private func library(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let id = try context.id("id", of: Chat.self)
        let page = PageRequest(limit: Self.page, olderThan: try PageRequest(Input.query(request)).olderThan)
        let found = try await chats.library(of: viewer, for: id, page: page)
        let path = "/messages/\(id)/library"
        let next = found.count == page.limit ? found.last.map { "\(path)?max_id=\($0.id)" } : nil
        if request.wantsFragment { return .html(.list(found.map(cell) + [frame.more(next)]), for: request) }
        return Page(title: "Your library", styles: [.chat], tab: .friends, link: .messages)
            .response(frame, request, context) {
                HTML.form(.method("post"), .action(ChatPaths.page(id)), .multipart) {
                    header(.class("bar")) {
                        a(.class("back"), .href(ChatPaths.page(id)), .flag("data-back")) { "Cancel" }
                        h1 { "Your library" }
                        div(.class("actions")) { button(.class("button")) { "Send" } }
                    }
                    main(.id("content")) {
                        input(.attribute("hidden", ""), .name("key"), .value(Session.newToken()))
                        if found.isEmpty {
                            frame.empty("images", "No photos yet.", action: ("Add photos", AppPaths.library))
                        } else {
                            ul(.class("grid choose")) { found.map(cell) }
                            frame.more(next)
                        }
                    }
                }
            }
    }

    private func cell(_ photo: Photo) -> Node {
        li(.attribute("data-id", photo.id.description)) {
            label {
                input(.class("cover"), .type("checkbox"), .name("photo"), .value(photo.id.description))
                PhotoComponents.choice(photo)
                span(.class("mark"), .decorative) { frame.icon("check-lg") }
            }
        }
    }
}
