import Core
import HTML
import Hummingbird
import People
import Serving

/// The screen on which people send a photo of their library to friends, as a message to each.
struct SendPhotoPages {
    let frame: Frame
    let photos: PhotoService
    let relations: RelationshipService
    let chats: ChatService
    let messages: MessageService

    /// Returns the address of the screen.
    @Sendable static func path(of photo: Photo.ID) -> String { "/library/\(photo)/send" }

    func add(to router: Router<AppContext>) {
        router.get("library/:id/send", use: choose)
        router.post("library/:id/send", use: send)
    }

    private func choose(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let id = try context.id("id", of: Photo.self)
        let path = Self.path(of: id)
        let chooser = ReceiverChooser(frame: frame, relations: relations, path: path, action: path)
        let (photo, offered) = try await chooser.offered(Input.query(request), of: viewer) {
            try PhotoRecords($0).own(id, of: viewer)
        }
        if request.wantsFragment { return .html(chooser.form.fragment(offered), for: request) }
        return Page(
            title: "Send", styles: [.comments, .accounts, .chats], tab: .library, bodyClass: "grouped"
        )
        .response(frame, request, context) {
            frame.bar("Send", back: ("Library", PhotoPaths.page(photo.id)))
            main(.id("content"), .class("settings send-photo")) {
                picture(photo)
                if offered.isEmpty {
                    frame.empty(
                        "people", "Friends are people who follow you and whom you follow.",
                        action: ("Find people", AppPaths.users))
                } else {
                    chooser.form.form(offered)
                }
            }
        }
    }

    private func picture(_ photo: Photo) -> Node {
        let pixels = photo.pixels(.medium)
        return img(
            .src(Photo.path(photo.id, .medium)), .width(pixels.width), .height(pixels.height),
            .alt(photo.description.isEmpty ? "The photo" : photo.description))
    }

    private func send(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let photo = try await photos.own(context.id("id"), of: viewer).id
        let input = try await Input.read(request, context)
        let receivers = Receivers(input)
        return try await .sent(to: receivers, then: PhotoPaths.page(photo), backTo: Self.path(of: photo)) {
            try await messages.send(
                .init(text: "", picture: .photo(photo)), toEach: receivers, by: viewer,
                key: input.string("key"), chats)
        }
    }
}
